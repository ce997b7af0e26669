//! Revision numbers for shared data, so that derived values are recomputed when it was replaced.
//!
//! What must hold: successive data never has the same number. The data is kept alive while its number is valid: an
//! address alone could be reused for other data.

use std::sync::Arc;

/// The data drawn last, and its number.
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
    /// Returns the number of the current data, which changes when the data was replaced.
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
    fn replaced_data_has_another_number_even_at_the_same_address() {
        let mut revision = Revision::default();
        let mut numbers = Vec::new();
        for text in ["a", "b", "a", "a"] {
            // Each is freed before the next one is made, except for what the revision keeps.
            let now = Arc::new(text.to_owned());
            numbers.push(revision.of(&now));
            assert_eq!(revision.of(&now), numbers[numbers.len() - 1]);
        }
        assert_eq!(numbers, [1, 2, 3, 4]);
    }
}
