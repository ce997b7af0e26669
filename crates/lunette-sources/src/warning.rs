//! Warnings about what was left out or may be wrong.
//!
//! What must hold: whatever is left out of a library is told by one of these functions; however much of a library is wrong, its warnings take a bounded amount of memory.

use std::fmt;

use serde_json::Value;

/// The maximum number of warnings about one thing. Those beyond it are counted.
pub(crate) const MOST_WARNINGS: usize = 1_000;
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

/// The warnings about one thing: the files of a library, its reading, an item, or a database. All that is left out passes
/// [`Warnings::add_with`], which keeps a warning or counts it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Warnings {
    kept: Vec<Warning>,
    /// The number of warnings beyond the limit.
    beyond: usize,
}

impl Warnings {
    /// Keeps a warning, or counts it if there are too many.
    pub fn add(&mut self, warning: Warning) {
        self.add_with(|| warning);
    }

    /// Keeps a warning that is only made then, or counts it if there are too many.
    pub fn add_with(&mut self, warning: impl FnOnce() -> Warning) {
        if self.kept.len() < MOST_WARNINGS {
            self.kept.push(warning());
        } else {
            self.beyond += 1;
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns those that are kept, with one that says how many there are beyond the limit.
    pub fn finish(self, location: &str) -> Vec<Warning> {
        let mut warnings = self.kept;
        if let beyond @ 1.. = self.beyond {
            let message = format!("there are {beyond} more warnings, which were left out");
            warnings.push(Warning::new("limit.warnings", location, message));
        }
        warnings
    }
}

impl Extend<Warning> for Warnings {
    fn extend<T: IntoIterator<Item = Warning>>(&mut self, warnings: T) {
        warnings.into_iter().for_each(|warning| self.add(warning));
    }
}

impl FromIterator<Warning> for Warnings {
    fn from_iter<T: IntoIterator<Item = Warning>>(warnings: T) -> Self {
        let mut all = Self::default();
        all.extend(warnings);
        all
    }
}

/// The code of a warning about a value that is left out.
pub(crate) const SHAPE: &str = "shape";
/// How much of a value a warning shows, in bytes.
const MOST_SHOWN: usize = 200;
/// How many files of a folder a warning names.
const MOST_NAMED: usize = 20;

/// What is left out of a library, as warnings.
impl Warning {
    /// A value of a field that is not what is expected there.
    pub(crate) fn of_value(location: &str, field: &str, value: &Value, expected: &str) -> Self {
        let message = format!("{field:?} has {} instead of {expected}, which was left out", shown(value));
        Self::new(SHAPE, location, message)
    }

    /// A value whose key the object has again.
    pub(crate) fn of_repeated_key(code: &'static str, location: &str, key: &str) -> Self {
        Self::new(code, format!("{location}:{key}"), "is there again, and only the last one is read")
    }

    /// Files of a folder that belong to no item, or that are hidden.
    pub(crate) fn of_files(location: String, is_hidden: bool, names: &[&str]) -> Self {
        let named = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
        let rest = names.len().saturating_sub(MOST_NAMED);
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let (code, why) = match (is_hidden, names.len()) {
            (true, 1) => ("file.hidden", "1 file is hidden and was left out".to_owned()),
            (true, count) => ("file.hidden", format!("{count} files are hidden and were left out")),
            (false, 1) => ("file.left-out", "1 file belongs to no item and was left out".to_owned()),
            (false, count) => ("file.left-out", format!("{count} files belong to no item and were left out")),
        };
        Self::new(code, location, format!("{why}: {named}{more}"))
    }
}

/// Returns a value as a warning shows it.
pub(crate) fn shown(value: &Value) -> String {
    let mut shown = value.to_string();
    if shown.len() > MOST_SHOWN {
        shown.truncate(shown.floor_char_boundary(MOST_SHOWN));
        shown.push('…');
    }
    shown
}
