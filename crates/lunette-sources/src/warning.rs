//! Warnings about what was skipped or may be wrong.
//!
//! What must hold: however much of a library is wrong, its warnings take a bounded amount of memory.

use std::fmt;

/// The maximum number of warnings of the files, of a reader, and of one item. Those beyond it are counted.
const MOST_WARNINGS: usize = 1_000;
/// The maximum size of a location and of a message, in bytes: a path and a few names.
const MOST_BYTES: usize = 8 << 10;

/// A warning about something that was skipped or may be wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its stable code, such as `limit.file`.
    pub code: &'static str,
    /// The file, and the position in it if known.
    pub location: String,
    /// A sentence without a full stop, in lower case.
    pub message: String,
}

impl Warning {
    pub(crate) fn new(code: &'static str, location: impl Into<String>, message: impl Into<String>) -> Self {
        let cut = |mut text: String| {
            if text.len() > MOST_BYTES {
                text.truncate(text.floor_char_boundary(MOST_BYTES));
                text.push('…');
            }
            text
        };
        Self { code, location: cut(location.into()), message: cut(message.into()) }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} ({})", self.location, self.message, self.code)
    }
}

/// Counts the warnings beyond the limit, which are not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WarningLimit {
    left_out: usize,
}

impl WarningLimit {
    /// Adds a warning to a list, or counts it. The list may have `others` that do not count.
    pub fn add(&mut self, warnings: &mut Vec<Warning>, others: usize, warning: Warning) {
        if warnings.len() < MOST_WARNINGS + others {
            warnings.push(warning);
        } else {
            self.left_out += 1;
        }
    }

    /// Ends a list: says how many warnings are not in it.
    pub fn finish(self, warnings: &mut Vec<Warning>, location: &str) {
        if let left_out @ 1.. = self.left_out {
            let message = format!("there are {left_out} more warnings, which were left out");
            warnings.push(Warning::new("limit.warnings", location, message));
        }
    }
}

/// Leaves out the warnings of an item beyond the limit.
pub(crate) fn limit(warnings: &mut Vec<Warning>, location: &str) {
    let left_out = warnings.len().saturating_sub(MOST_WARNINGS);
    warnings.truncate(MOST_WARNINGS);
    WarningLimit { left_out }.finish(warnings, location);
}
