//! Numbers for data that is shared, so that what is made of it is made anew when it was replaced.
//!
//! What must hold: two data that follow one another never have the same number. The data is held while its number counts:
//! an address alone would be used again for other data.

use std::sync::Arc;

/// The data that was drawn last, and its number.
#[derive(Debug)]
pub struct Revision<T> {
    of: Option<Arc<T>>,
    number: u64,
}

impl<T> Default for Revision<T> {
    fn default() -> Self {
        Self { of: None, number: 0 }
    }
}

impl<T> Revision<T> {
    /// The number of the data as it is now: another one than before, where it was replaced.
    pub fn of(&mut self, now: &Arc<T>) -> u64 {
        if !self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, now)) {
            self.of = Some(Arc::clone(now));
            self.number += 1;
        }
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_was_replaced_has_another_number_whatever_its_address() {
        let mut revision = Revision::default();
        let mut numbers = Vec::new();
        for text in ["a", "b", "a", "a"] {
            // Each is freed before the next one is made, but for what the revision holds.
            let now = Arc::new(text.to_owned());
            numbers.push(revision.of(&now));
            assert_eq!(revision.of(&now), numbers[numbers.len() - 1]);
        }
        assert_eq!(numbers, [1, 2, 3, 4]);
    }
}
