//! Texts that many rows share, such as the name of a language or of a tag.
//!
//! What must hold: whether a word occurs in such a text is determined once for all rows that share it, as long as few
//! others displace it, and is the same as without remembering.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many results a word caches; further texts replace each other.
const REMEMBERED: usize = 1024;

/// A lower-case text that is searched for words, identified by a number.
#[derive(Debug)]
pub struct SharedText {
    number: u64,
    lower: Box<str>,
}

impl SharedText {
    /// Creates the searched form of `text`, in any case.
    pub fn new(text: &str) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self { number: LAST.fetch_add(1, Ordering::Relaxed) + 1, lower: text.to_lowercase().into() }
    }
}

/// The cached results of a word for shared texts.
pub(super) struct Memory(Box<[AtomicU64]>);

impl Memory {
    pub fn new() -> Self {
        Self((0..REMEMBERED).map(|_| AtomicU64::new(0)).collect())
    }

    /// Returns whether a text matches; calls `is_wanted` if the result is not cached.
    pub fn recall(&self, text: &SharedText, is_wanted: impl FnOnce(&str) -> bool) -> bool {
        let number = text.number;
        let slot = &self.0[usize::try_from(number % REMEMBERED as u64).unwrap_or_default()];
        let known = slot.load(Ordering::Relaxed);
        if known >> 1 == number {
            return known & 1 == 1;
        }
        let wanted = is_wanted(&text.lower);
        slot.store(number << 1 | u64::from(wanted), Ordering::Relaxed);
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_displace_each_other_are_asked_for_again() {
        let texts: Vec<_> = (0..REMEMBERED * 2 + 3).map(|number| SharedText::new(&format!("Tag {number}"))).collect();
        let memory = Memory::new();
        for _ in 0..2 {
            for text in &texts {
                assert_eq!(memory.recall(text, |text| text.ends_with('7')), text.lower.ends_with('7'));
            }
        }
        assert!(texts.iter().all(|text| text.lower.starts_with("tag ")));
    }

    #[test]
    fn a_text_is_asked_for_once_while_no_other_displaces_it() {
        let (text, memory) = (SharedText::new("Rust"), Memory::new());
        assert!(memory.recall(&text, |text| text == "rust"));
        assert!(memory.recall(&text, |_| unreachable!("it is remembered")));
    }
}
