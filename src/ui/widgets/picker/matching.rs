//! Matching names against what is typed, a part of them in each frame.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::borrow::Cow;

/// Names matched in one frame: about 3 ms.
const STEP: usize = 10_000;
/// A longer name is matched by its beginning.
const LONGEST: usize = 512;

/// How far the matching is, and what it found.
#[derive(Clone, Debug, Default)]
pub(super) struct Matching {
    /// What is matched: the words, how many names there are, and the caller's revision.
    of: Option<(String, usize, u64)>,
    next: usize,
    scored: Vec<(u32, u32)>,
    found: Vec<u32>,
    exact: bool,
}

impl Matching {
    /// Matches the next part of the names; begins anew when anything changed.
    pub fn advance<'n>(&mut self, query: &str, names: usize, revision: u64, name: &dyn Fn(usize) -> Cow<'n, str>) {
        let of = (query.trim().to_owned(), names, revision);
        if self.of.as_ref() != Some(&of) {
            // What was found before stays in sight until the new matches take its place.
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
            // Nothing typed: all of them, in their own order.
            self.found = (0..names as u32).collect();
            self.next = names;
            return;
        }
        let pattern = Pattern::parse(words, CaseMatching::Ignore, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        for index in self.next..end {
            let name = name(index);
            let part = &name[..name.floor_char_boundary(LONGEST)];
            self.exact |= name.eq_ignore_ascii_case(words) || name.to_lowercase() == words.to_lowercase();
            if let Some(score) = pattern.score(Utf32Str::new(part, &mut buffer), &mut matcher) {
                self.scored.push((score, index as u32));
            }
        }
        self.next = end;
        if self.next >= names {
            self.scored.sort_by_key(|&(score, index)| (std::cmp::Reverse(score), index));
            self.found = self.scored.iter().map(|&(_, index)| index).collect();
            self.scored = Vec::new();
        }
    }

    /// Whether there are names not yet matched.
    pub fn unfinished(&self, names: usize) -> bool {
        self.next < names
    }

    /// The indices that match, best first.
    pub fn found(&self) -> &[u32] {
        &self.found
    }

    /// Whether a name is just what was typed, but for its case.
    pub fn exact(&self) -> bool {
        self.exact
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
    fn a_hundred_thousand_names_are_matched_over_some_frames() {
        let mut matching = Matching::default();
        let name = |index: usize| Cow::Owned(format!("tag {index}"));
        let mut frames = 0;
        while frames == 0 || matching.unfinished(100_000) {
            matching.advance("tag 99999", 100_000, 0, &name);
            frames += 1;
        }
        assert_eq!((frames, matching.found()), (10, &[99_999][..]));
        assert!(matching.exact());
    }
}
