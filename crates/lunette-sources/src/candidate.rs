//! What readers return: candidates for an import, and warnings.

use std::collections::HashMap;
use std::fmt;

use jiff::Timestamp;

use crate::{Limits, Source};

/// An item of a library: a snippet, a note or a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Its stable id within its source.
    pub source_id: String,
    /// Its name as the program shows it; may be empty.
    pub name: String,
    /// Its contents; at least one.
    pub fragments: Vec<Fragment>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its folder path, from the outermost folder.
    pub folder: Vec<String>,
    /// Its description.
    pub description: Option<String>,
    /// Addresses that belong to it.
    pub urls: Vec<String>,
    /// Whether it is a favourite.
    pub favourite: bool,
    /// Whether it is in the program's trash.
    pub trashed: bool,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// When it was last changed.
    pub updated: Option<Timestamp>,
    /// The text that is typed to insert it.
    pub triggers: Vec<String>,
    /// Warnings about what is lost or may be wrong.
    pub warnings: Vec<Warning>,
    /// Its data in an archive of assets; `None` for items of other programs.
    pub native: Option<Native>,
}

/// The data that only an item which was an asset has: in an archive of Lunette, or of Pieces. Such an item is one asset,
/// and is restored as the same asset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Native {
    /// The address and the name of each website.
    pub websites: Vec<(String, String)>,
    /// The type and the text of each annotation.
    pub annotations: Vec<(String, String)>,
    /// Whether its content is stored as text rather than as a file.
    pub is_text: bool,
    /// The data that only Lunette's own service can restore, as JSON: an object with `conversations`, `activities` and the
    /// parts of `record` that are restored. A text, since a tree of it takes many times the memory, and there may be many.
    pub archived: String,
}

/// One content of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// Its name within the item; may be empty.
    pub label: String,
    /// Its language as the program names it.
    pub language: Option<String>,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Fragment {
    /// A fragment of text. A placeholder for no language, such as `plain_text`, is dropped.
    pub(crate) fn of_text(label: &str, language: Option<&str>, text: &str) -> Self {
        let none = |name: &&str| {
            !matches!(
                name.to_lowercase().as_str(),
                "" | "plain_text" | "plain text" | "plaintext" | "text" | "standard"
            )
        };
        let language = language.map(str::trim).filter(none).map(str::to_owned);
        Self { label: label.trim().to_owned(), language, bytes: text.as_bytes().to_vec() }
    }
}

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
        Self { code, location: location.into(), message: message.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} ({})", self.location, self.message, self.code)
    }
}

/// A library that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The program it belongs to.
    pub source: Source,
    /// Its items.
    pub candidates: Vec<Candidate>,
    /// Warnings about skipped items.
    pub warnings: Vec<Warning>,
    limits: Limits,
    /// The size of the items, in bytes.
    bytes: u64,
    /// The number of items beyond the limits.
    left_out: usize,
}

impl Library {
    pub(crate) fn new(source: Source, limits: Limits) -> Self {
        Self { source, candidates: Vec::new(), warnings: Vec::new(), limits, bytes: 0, left_out: 0 }
    }

    /// Adds a candidate; one without content is skipped with a warning. An item that was an asset is added
    /// unchanged.
    pub(crate) fn add(&mut self, mut candidate: Candidate, location: &str) {
        if candidate.native.is_some() {
            return self.push(candidate);
        }
        candidate.fragments.retain(|fragment| !fragment.bytes.is_empty());
        if candidate.fragments.is_empty() {
            // A reader that knows the reason has already reported it.
            if candidate.warnings.is_empty() {
                self.warn("empty", location, format!("{:?} has no content and was left out", candidate.name));
            }
            self.warnings.append(&mut candidate.warnings);
            return;
        }
        for list in [&mut candidate.tags, &mut candidate.triggers, &mut candidate.urls] {
            let mut seen = Vec::new();
            for text in list.drain(..) {
                let text = text.trim().to_owned();
                if !text.is_empty() && !seen.contains(&text) {
                    seen.push(text);
                }
            }
            *list = seen;
        }
        candidate.name = candidate.name.trim().to_owned();
        candidate.description = candidate.description.filter(|text| !text.trim().is_empty());
        self.push(candidate);
    }

    /// Adds a candidate, unless it is beyond the limits.
    fn push(&mut self, candidate: Candidate) {
        let size: u64 = candidate.fragments.iter().map(|fragment| fragment.bytes.len() as u64).sum();
        if self.candidates.len() < self.limits.entries && self.bytes + size <= self.limits.total_bytes {
            self.bytes += size;
            self.candidates.push(candidate);
        } else {
            self.left_out += 1;
        }
    }

    pub(crate) fn warn(&mut self, code: &'static str, location: impl Into<String>, message: impl Into<String>) {
        self.warnings.push(Warning::new(code, location, message));
    }

    /// Reports what was beyond the limits, and numbers duplicate ids.
    pub(crate) fn finish(&mut self) {
        if let left_out @ 1.. = self.left_out {
            let message = format!("{left_out} items are beyond the limit on an import and were left out");
            self.warn("limit.items", self.source.name(), message);
        }
        let mut seen: HashMap<String, usize> = HashMap::new();
        for candidate in &mut self.candidates {
            let number = seen.entry(candidate.source_id.clone()).or_default();
            *number += 1;
            if *number > 1 {
                candidate.source_id.push_str(&format!(" ({number})"));
            }
        }
    }
}
