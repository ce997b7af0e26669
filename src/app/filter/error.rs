//! What is wrong with a filter, and where it stands.

use std::fmt;
use std::ops::Range;

/// Something in a filter that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The bytes of the text where it stands; both ends are between letters.
    pub span: Range<usize>,
    /// What is wrong, in one sentence that begins with the fault.
    pub problem: String,
    /// What was meant, perhaps: it stands well in the place of the span.
    pub instead: Option<String>,
    /// Whether it may come right as one types on: the text ends there.
    pub unfinished: bool,
}

impl Fault {
    pub(super) fn new(span: Range<usize>, problem: impl Into<String>) -> Self {
        Self { span, problem: problem.into(), instead: None, unfinished: false }
    }

    /// The text and under it a line of carets where the fault stands, for a terminal. Control characters are shown as
    /// a replacement, and a text of several lines as one.
    pub fn pointed(&self, text: &str) -> String {
        let plain =
            |part: &str| -> String { part.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect() };
        let wide = |part: &str| unicode_width::UnicodeWidthStr::width(plain(part).as_str());
        let before = text.get(..self.span.start).unwrap_or_default();
        let there = text.get(self.span.clone()).unwrap_or_default();
        format!("{}\n{}{}", plain(text), " ".repeat(wide(before)), "^".repeat(wide(there).max(1)))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Fault {}

/// The name nearest to what was typed: one that it begins or that begins it, else one few letters away.
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
