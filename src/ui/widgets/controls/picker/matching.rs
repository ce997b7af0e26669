//! Matches names against the typed text, some of them in each frame.
//!
//! What must hold: no frame sorts all matches; they are put in order as they are found.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::borrow::Cow;

/// Number of names matched in one frame: about 3 ms.
const STEP: usize = 10_000;
/// Longer names are matched by their beginning.
const MAX_LENGTH: usize = 512;

/// The progress of the matching, and its results.
#[derive(Clone, Debug, Default)]
pub(super) struct Matching {
    /// What is matched: the text, the number of names, and the caller's revision.
    of: Option<(String, usize, u64)>,
    next: usize,
    /// The matches by score, the best first; those of a score by index. There are few scores.
    scored: BTreeMap<Reverse<u32>, Vec<u32>>,
    found: Vec<u32>,
    has_exact: bool,
}

impl Matching {
    /// Matches the next names; starts over if anything changed.
    pub fn advance<'n>(&mut self, query: &str, names: usize, revision: u64, name: &dyn Fn(usize) -> Cow<'n, str>) {
        let of = (query.trim().to_owned(), names, revision);
        if self.of.as_ref() != Some(&of) {
            // Previous results stay visible until the new ones replace them.
            let found = if self.of.as_ref().is_some_and(|(_, before, _)| *before == names) {
                self.found.split_off(0)
            } else {
                Vec::new()
            };
            *self = Matching { of: Some(of), found, ..Matching::default() };
        } else if self.next >= names {
            return;
        }
        let words = query.trim();
        let end = self.next.saturating_add(STEP).min(names);
        if words.is_empty() {
            // Without text: all of them, in their own order.
            self.found = (0..names as u32).collect();
            self.next = names;
            return;
        }
        let pattern = Pattern::parse(words, CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        for index in self.next..end {
            let name = name(index);
            let part = &name[..name.floor_char_boundary(MAX_LENGTH)];
            self.has_exact |= name.eq_ignore_ascii_case(words) || name.to_lowercase() == words.to_lowercase();
            if let Some(score) = pattern.score(Utf32Str::new(part, &mut buffer), &mut matcher) {
                self.scored.entry(Reverse(score)).or_default().push(index as u32);
            }
        }
        self.next = end;
        if self.next >= names {
            self.found = std::mem::take(&mut self.scored).into_values().collect::<Vec<_>>().concat();
        }
    }

    /// Returns whether there are names not yet matched.
    pub fn is_unfinished(&self, names: usize) -> bool {
        self.next < names
    }

    /// Returns the indices of the matches, best first.
    pub fn found(&self) -> &[u32] {
        &self.found
    }

    /// Returns whether a name is exactly what was typed, ignoring case.
    pub fn has_exact(&self) -> bool {
        self.has_exact
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str], query: &str) -> Vec<u32> {
        let mut matching = Matching::default();
        matching.advance(query, names.len(), 0, &|index| names[index].into());
        matching.found().to_vec()
    }

    #[test]
    fn names_are_found_by_parts_best_first() {
        let names = ["TypeScript", "Rust", "Rusty notes", "C"];
        assert_eq!(found(&names, "rst"), [1, 2]);
        assert_eq!(found(&names, "tscr"), [0]);
        assert_eq!(found(&names, ""), [0, 1, 2, 3]);
        assert_eq!(found(&names, "zz"), [] as [u32; 0]);
    }

    #[test]
    fn matches_are_in_the_order_of_their_scores_and_then_of_the_names() {
        let names: Vec<String> =
            (0..25_000).map(|index| format!("{}tag {}", "x".repeat(index % 7), index % 900)).collect();
        let mut matching = Matching::default();
        let mut frames = 0;
        while frames == 0 || matching.is_unfinished(names.len()) {
            matching.advance("tag 77", names.len(), 0, &|index| names[index].as_str().into());
            frames += 1;
        }
        let pattern = Pattern::parse("tag 77", CaseMatching::Ignore, Normalization::Smart);
        let (mut matcher, mut buffer) = (Matcher::new(Config::DEFAULT), Vec::new());
        let scores = names
            .iter()
            .zip(0..)
            .filter_map(|(name, index)| Some((pattern.score(Utf32Str::new(name, &mut buffer), &mut matcher)?, index)));
        let mut sorted: Vec<(u32, u32)> = scores.collect();
        sorted.sort_by_key(|&(score, index)| (Reverse(score), index));
        let sorted: Vec<u32> = sorted.into_iter().map(|(_, index)| index).collect();
        assert!(sorted.len() > 300 && matching.found() == sorted, "{} found", sorted.len());
    }

    #[test]
    fn a_hundred_thousand_names_are_matched_over_some_frames() {
        let mut matching = Matching::default();
        let name = |index: usize| Cow::Owned(format!("tag {index}"));
        let mut frames = 0;
        while frames == 0 || matching.is_unfinished(100_000) {
            matching.advance("tag 99999", 100_000, 0, &name);
            frames += 1;
        }
        assert_eq!((frames, matching.found()), (10, &[99_999][..]));
        assert!(matching.has_exact());
    }
}
