//! What readers return: candidates for an import, and warnings.
//!
//! What must hold: all that is kept of a library is within its limits, not only the contents of its items. Readers that
//! copy the same texts into many items ask for room before they do (`Library::has_room`).

use std::collections::{HashMap, HashSet};
use std::mem;

use jiff::Timestamp;

use crate::files::Files;
use crate::warning::{MOST_WARNINGS, SHAPE, Warning, Warnings};
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

/// What an allocation takes beside its bytes, on average.
const OF_ALLOCATION: u64 = 16;
/// What the asset takes that a fragment becomes, beside its texts, in bytes.
const OF_FRAGMENT: u64 = 640;
/// The most memory that items may take beside their texts, in bytes: what about 120,000 items of one fragment take.
const MOST_BESIDE_TEXTS: u64 = 128 << 20;

impl Candidate {
    /// What it takes beside its texts, in bytes.
    fn beside_texts(&self) -> u64 {
        let lists = [&self.tags, &self.folder, &self.urls, &self.triggers];
        let texts = lists.into_iter().map(Vec::len).sum::<usize>() as u64;
        let fragments = self.fragments.len() as u64 * OF_FRAGMENT;
        let warnings = (self.warnings.len() * size_of::<Warning>()) as u64;
        let native = self.native.iter().map(|native| native.websites.len() + native.annotations.len()).sum::<usize>();
        let native = native as u64 * (size_of::<(String, String)>() as u64 + 2 * OF_ALLOCATION);
        size_of::<Self>() as u64 + (texts + 4) * OF_ALLOCATION + fragments + warnings + native
    }

    /// Leaves out the warnings beyond the limit, and counts them.
    pub(crate) fn limit_warnings(&mut self, location: &str) {
        // A list within the limit stays as it is: one that grows again takes several times the memory.
        if self.warnings.len() > MOST_WARNINGS {
            self.warnings = mem::take(&mut self.warnings).into_iter().collect::<Warnings>().finish(location);
        }
    }

    /// Its size with all its texts, in bytes.
    pub(crate) fn size(&self) -> u64 {
        let lists = [&self.tags, &self.folder, &self.urls, &self.triggers];
        let listed = lists.into_iter().flatten().map(|text| text.len() + size_of::<String>());
        let fragments = self.fragments.iter().map(|fragment| {
            fragment.label.len() + fragment.language.as_ref().map_or(0, String::len) + fragment.bytes.len()
        });
        let warnings = self.warnings.iter().map(|warning| warning.location.len() + warning.message.len());
        let native = self.native.iter().map(|native| {
            let pairs = native.websites.iter().chain(&native.annotations);
            pairs.map(|(one, other)| one.len() + other.len()).sum::<usize>() + native.archived.len()
        });
        let own = self.source_id.len() + self.name.len() + self.description.as_ref().map_or(0, String::len);
        listed.chain(fragments).chain(warnings).chain(native).fold(own, usize::saturating_add) as u64
    }
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

    /// Whether its name is not only one that the program gave it, such as `Fragment 2`.
    fn is_named_by_user(&self) -> bool {
        let last = self.label.rsplit(' ').next().unwrap_or_default();
        !self.label.is_empty() && last.parse::<u32>().is_err()
    }
}

/// The code of the warning about a part of an item without content.
const EMPTY_PART: &str = "empty.part";

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
    /// The size of the items with all their texts, in bytes.
    bytes: u64,
    /// What the items take beside their texts, in bytes.
    beside_texts: u64,
    /// The number of items beyond the limits.
    left_out: usize,
    /// What the reader says, which becomes a part of `warnings` at the end.
    told: Warnings,
}

impl Library {
    pub(crate) fn new(source: Source, files: &Files) -> Self {
        let (candidates, bytes, beside_texts, left_out, told) = Default::default();
        let (warnings, limits) = (files.warnings().to_vec(), *files.limits());
        Self { source, candidates, warnings, limits, bytes, beside_texts, left_out, told }
    }

    /// Adds a candidate; one without content is skipped with a warning. An item that was an asset is added
    /// unchanged.
    pub(crate) fn add(&mut self, mut candidate: Candidate, location: &str) {
        if candidate.native.is_some() {
            candidate.limit_warnings(location);
            return self.push(candidate);
        }
        let is_lost = |fragment: &&Fragment| fragment.bytes.is_empty() && fragment.is_named_by_user();
        for empty in candidate.fragments.iter().filter(is_lost) {
            let message = format!("its part {:?} has no content and was left out", empty.label);
            candidate.warnings.push(Warning::new(EMPTY_PART, location, message));
        }
        candidate.fragments.retain(|fragment| !fragment.bytes.is_empty());
        candidate.limit_warnings(location);
        if candidate.fragments.is_empty() {
            // A reader that knows the reason has already reported it.
            let is_reason = |warning: &Warning| !matches!(warning.code, SHAPE | EMPTY_PART);
            if !candidate.warnings.iter().any(is_reason) {
                self.warn("empty", location, format!("{:?} has no content and was left out", candidate.name));
            }
            return self.report(candidate.warnings);
        }
        for list in [&mut candidate.tags, &mut candidate.triggers, &mut candidate.urls] {
            list.iter_mut().for_each(|text| *text = text.trim().to_owned());
            let mut seen = HashSet::new();
            let first: Vec<bool> = list.iter().map(|text| !text.is_empty() && seen.insert(text.as_str())).collect();
            let mut first = first.into_iter();
            list.retain(|_| first.next() == Some(true));
        }
        candidate.name = candidate.name.trim().to_owned();
        candidate.description = candidate.description.filter(|text| !text.trim().is_empty());
        self.push(candidate);
    }

    /// Adds a candidate, unless it is beyond the limits.
    fn push(&mut self, candidate: Candidate) {
        let (size, beside_texts) = (candidate.size(), candidate.beside_texts());
        if self.has_room(size) && self.beside_texts + beside_texts <= MOST_BESIDE_TEXTS {
            self.bytes += size;
            self.beside_texts += beside_texts;
            self.candidates.push(candidate);
        } else {
            self.leave_out();
        }
    }

    /// Its limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns whether an item of this size is within the limits.
    pub(crate) fn has_room(&self, size: u64) -> bool {
        self.candidates.len() < self.limits.entries && self.bytes + size <= self.limits.total_bytes
    }

    /// Counts an item as beyond the limits.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Adds warnings.
    pub(crate) fn report(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        self.told.extend(warnings);
    }

    /// Adds a warning that is only made if there are not too many.
    pub(crate) fn report_with(&mut self, warning: impl FnOnce() -> Warning) {
        self.told.add_with(warning);
    }

    pub(crate) fn warn(&mut self, code: &'static str, location: impl Into<String>, message: impl Into<String>) {
        self.report([Warning::new(code, location, message)]);
    }

    /// Reports what was beyond the limits and which files have no part in the library, and numbers duplicate ids.
    pub(crate) fn finish(&mut self, files: &Files) {
        self.report(files.repeated_keys().finish(files.name()));
        if self.candidates.is_empty() && self.warnings.is_empty() && self.told.is_empty() {
            self.warn("nothing", files.name(), format!("has nothing that {} stores", self.source.program()));
        }
        self.report(files.left_out().finish(files.name()));
        self.warnings.extend(mem::take(&mut self.told).finish(self.source.name()));
        if let left_out @ 1.. = self.left_out {
            let message = format!("{left_out} items are beyond the limit on an import and were left out");
            self.warnings.push(Warning::new("limit.items", self.source.name(), message));
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
