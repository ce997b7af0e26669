//! Finds words in a text, on another thread.
//!
//! What must hold: the work is bounded and can be cancelled; matches are in order and do not overlap.

use std::ops::Range;

use memchr::memchr2_iter;

use lunette_syntax::CancelToken;

/// Maximum number of matches.
pub const MAX_MATCHES: usize = 100_000;

/// How many bytes are searched between two checks for cancellation.
const STEP: usize = 1 << 20;

/// The matches in a text.
#[derive(Debug, Default, PartialEq)]
pub struct Matches {
    ranges: Vec<(u32, u32)>,
    more: bool,
}

impl Matches {
    /// Finds `words` in `text`, ignoring case.
    pub fn of(text: &str, words: &str, cancel: &CancelToken) -> Self {
        let mut matches = Self::default();
        if words.is_empty() {
            return matches;
        }
        if words.is_ascii() {
            matches.find_ascii(text.as_bytes(), words.as_bytes(), cancel);
        } else {
            matches.find_any_script(text, words, cancel);
        }
        matches
    }

    /// Returns the number of matches; if [`Matches::more`], there are at least as many.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns whether there are more matches than the limit.
    pub fn more(&self) -> bool {
        self.more
    }

    /// Returns the byte range of one match.
    pub fn get(&self, index: usize) -> Option<Range<usize>> {
        self.ranges.get(index).map(|(start, end)| *start as usize..*end as usize)
    }

    /// Returns the first match that begins at this byte or after it; the first of all if there is none.
    pub fn from(&self, byte: usize) -> usize {
        let index = self.ranges.partition_point(|(start, _)| (*start as usize) < byte);
        if index < self.ranges.len() { index } else { 0 }
    }

    /// Returns the matches that overlap these bytes, each with its index.
    pub fn within(&self, bytes: Range<usize>) -> impl Iterator<Item = (usize, Range<usize>)> + '_ {
        let first = self.ranges.partition_point(|(_, end)| *end as usize <= bytes.start);
        let end = bytes.end;
        let ranges = self.ranges[first..].iter().map(|(start, end)| *start as usize..*end as usize);
        ranges
            .enumerate()
            .map(move |(index, range)| (first + index, range))
            .take_while(move |(_, range)| range.start < end)
    }

    /// Records the next match; returns false once the limit is reached.
    pub fn push(&mut self, start: usize, end: usize) -> bool {
        self.more = self.ranges.len() == MAX_MATCHES;
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else { return false };
        if !self.more {
            self.ranges.push((start, end));
        }
        !self.more
    }

    fn find_ascii(&mut self, text: &[u8], words: &[u8], cancel: &CancelToken) {
        let Some(first) = words.first() else { return };
        let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
        let (mut free, mut looked) = (0, 0);
        for start in memchr2_iter(lower, upper, text) {
            if start >= looked {
                looked = start + STEP;
                if cancel.is_cancelled() {
                    return;
                }
            }
            let end = start + words.len();
            let same = |found: &[u8]| found.eq_ignore_ascii_case(words);
            if start >= free && text.get(start..end).is_some_and(same) {
                if !self.push(start, end) {
                    return;
                }
                free = end;
            }
        }
    }

    /// Finds words of any script, character by character.
    fn find_any_script(&mut self, text: &str, words: &str, cancel: &CancelToken) {
        let wanted: Vec<char> = words.chars().flat_map(char::to_lowercase).collect();
        let (mut free, mut looked) = (0, 0);
        for (start, c) in text.char_indices() {
            if start >= looked {
                looked = start + STEP;
                if cancel.is_cancelled() {
                    return;
                }
            }
            if start < free || c.to_lowercase().next() != wanted.first().copied() {
                continue;
            }
            if let Some(length) = matching_prefix(&text[start..], &wanted) {
                if !self.push(start, start + length) {
                    return;
                }
                free = start + length;
            }
        }
    }
}

/// Returns the length in bytes of the prefix of `text` that matches these characters; `None` if it does not match.
fn matching_prefix(text: &str, wanted: &[char]) -> Option<usize> {
    let mut rest = wanted;
    for (offset, c) in text.char_indices() {
        if rest.is_empty() {
            return Some(offset);
        }
        for lower in c.to_lowercase() {
            rest = rest.strip_prefix(&[lower])?;
        }
    }
    rest.is_empty().then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, words: &str) -> Vec<Range<usize>> {
        let matches = Matches::of(text, words, &CancelToken::default());
        (0..matches.len()).filter_map(|index| matches.get(index)).collect()
    }

    #[test]
    fn words_are_found_in_any_case_and_script_without_overlap() {
        assert_eq!(found("Moon moon MOON", "moon"), [0..4, 5..9, 10..14]);
        assert_eq!(found("aaab", "aa").first(), Some(&(0..2)));
        assert_eq!(found("Äpfel äpfel", "ÄPFEL"), [0..6, 7..13]);
        assert!(found("text", "").is_empty());
    }

    #[test]
    fn too_many_matches_are_shown_as_more() {
        let matches = Matches::of(&"a".repeat(MAX_MATCHES + 1), "a", &CancelToken::default());
        assert_eq!((matches.len(), matches.more()), (MAX_MATCHES, true));
        let matches = Matches::of(&"a".repeat(MAX_MATCHES), "a", &CancelToken::default());
        assert_eq!((matches.len(), matches.more()), (MAX_MATCHES, false));
    }

    #[test]
    fn an_abandoned_search_ends() {
        let cancel = CancelToken::default();
        cancel.cancel();
        assert!(Matches::of(&"a".repeat(STEP * 2), "a", &cancel).is_empty());
    }

    #[test]
    fn matches_are_found_by_index() {
        let matches = Matches::of("a b a b a", "a", &CancelToken::default());
        assert_eq!((matches.from(1), matches.from(5), matches.from(9)), (1, 2, 0));
        let within: Vec<_> = matches.within(3..9).collect();
        assert_eq!(within, [(1, 4..5), (2, 8..9)]);
    }

    proptest! {
        #[test]
        fn every_finding_is_in_the_text(text in "[abAB é]{0,40}", words in "[abAB é]{1,3}") {
            for range in found(&text, &words) {
                prop_assert_eq!(text[range].to_lowercase(), words.to_lowercase());
            }
        }
    }
}
