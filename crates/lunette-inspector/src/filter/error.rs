//! Errors of a filter, with their position.

use std::fmt;
use std::ops::Range;

/// A part of a filter that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Its byte range in the text; both ends are character boundaries.
    pub span: Range<usize>,
    /// The message, which begins with the invalid part.
    pub problem: String,
    /// A suggestion that can replace the range.
    pub instead: Option<String>,
    /// Whether further input may correct it, because the text ends there.
    pub unfinished: bool,
}

impl ParseError {
    pub(super) fn new(span: Range<usize>, problem: impl Into<String>) -> Self {
        Self { span, problem: problem.into(), instead: None, unfinished: false }
    }

    /// The text with a line of carets under the error, for a terminal. Control characters are replaced, and a text of
    /// several lines is shown as one.
    pub fn pointed(&self, text: &str) -> String {
        let plain =
            |part: &str| -> String { part.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect() };
        let wide = |part: &str| unicode_width::UnicodeWidthStr::width(plain(part).as_str());
        let before = text.get(..self.span.start).unwrap_or_default();
        let marked = text.get(self.span.clone()).unwrap_or_default();
        format!("{}\n{}{}", plain(text), " ".repeat(wide(before)), "^".repeat(wide(marked).max(1)))
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for ParseError {}

/// The name that is most similar to the input: one with a common prefix, or else one with a small edit distance.
pub(super) fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let score = |name: &str| {
        if typed.len() >= 2 && (name.starts_with(&typed) || typed.starts_with(name)) {
            return Some(0);
        }
        let apart = strsim::osa_distance(&typed, name);
        (apart <= 1 + name.len() / 4).then_some(apart)
    };
    names.filter_map(|name| Some((score(name)?, name))).min_by_key(|(apart, _)| *apart).map(|(_, name)| name)
}
