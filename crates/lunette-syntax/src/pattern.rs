//! Regular expressions of the grammars: compiled when they are first used, with a limit on backtracking.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use fancy_regex::{Regex, RegexBuilder};

/// How often one search may go back and try another way. Expressions of grammars need some hundreds on a line.
const MAX_BACKTRACKS: usize = 50_000;

/// Where the groups of a match are, in bytes; the first is the whole match.
pub(super) type Groups = Vec<Option<(usize, usize)>>;

/// A regular expression in the syntax of Oniguruma.
#[derive(Debug)]
pub(super) struct Pattern {
    /// Differs from pattern to pattern.
    pub(super) number: u32,
    source: String,
    /// None if it does not compile; then it matches nothing.
    compiled: OnceLock<Option<Regex>>,
}

/// A match: where the search began, and where the match begins and ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) from: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Pattern {
    pub(super) fn new(source: String) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Pattern { number: NEXT.fetch_add(1, Ordering::Relaxed), source, compiled: OnceLock::new() }
    }

    /// The first match from an offset on. A search that reaches the limit on backtracking finds nothing.
    pub(super) fn find(&self, line: &str, from: usize) -> Option<Found> {
        let found = self.regex()?.find_from_pos(line, from).ok().flatten()?;
        Some(Found { from, start: found.start(), end: found.end() })
    }

    /// The groups of the match that [`Pattern::find`] finds from this offset on; slower than finding it.
    pub(super) fn groups(&self, line: &str, from: usize) -> Groups {
        let captures = self.regex().and_then(|regex| regex.captures_from_pos(line, from).ok().flatten());
        let Some(captures) = captures else { return Groups::new() };
        (0..captures.len()).map(|group| captures.get(group).map(|group| (group.start(), group.end()))).collect()
    }

    /// The expression with `\1` to `\9` replaced by the text of these groups, taken literally.
    pub(super) fn with_groups(&self, groups: &[Option<String>]) -> String {
        let mut text = String::with_capacity(self.source.len());
        let mut characters = self.source.chars();
        while let Some(character) = characters.next() {
            if character != '\\' {
                text.push(character);
                continue;
            }
            match characters.next() {
                Some(escaped) => match escaped.to_digit(10) {
                    Some(group) => {
                        let group = groups.get(group as usize).and_then(Option::as_deref).unwrap_or_default();
                        text.push_str(&fancy_regex::escape(group));
                    }
                    None => text.extend(['\\', escaped]),
                },
                None => text.push('\\'),
            }
        }
        text
    }

    fn regex(&self) -> Option<&Regex> {
        let compile =
            || RegexBuilder::new(&self.source).oniguruma_mode(true).backtrack_limit(MAX_BACKTRACKS).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}
