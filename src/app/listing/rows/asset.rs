//! An asset in the list.
//!
//! What must hold: a million of them are kept at once, so a text that many share, as the name of a language or of a tag,
//! is kept once; what a record says is given back as it said it.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;

use crate::app::listing::RowList;
use crate::app::listing::compact_time::CompactTime;
use lunette_client::model::id::AssetId;

mod arrange;
mod read;

pub use read::{ListedAsset, Shared, total_score};

/// A language, as the interface names it and as people do.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
struct Language {
    specific: Box<str>,
    name: Box<str>,
}

/// `created` and `updated` where they are no `CompactTime`.
#[derive(Clone, Debug, Default, PartialEq)]
struct OtherTimes {
    created: OtherTime,
    updated: OtherTime,
}

/// A time that is written in another way, and the moment it says if it says one.
#[derive(Clone, Debug, Default, PartialEq)]
struct OtherTime {
    text: Box<str>,
    at: Option<Timestamp>,
}

/// An asset in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct AssetRow {
    /// Its id.
    pub id: AssetId,
    /// Whether it is a favourite.
    pub favorited: bool,
    /// Whether nobody saved it: such an asset is in the list only where the service lists it.
    pub pseudo: bool,
    /// Whether the record has a score.
    scored: bool,
    /// Whether the record has a size.
    sized: bool,
    /// The length of the name in `text`, in bytes.
    name_len: u32,
    /// The length of what is searched in `text`, in bytes.
    haystack_len: u32,
    /// How many of the links are tags.
    tag_count: u32,
    /// How many of the links behind the tags are websites.
    website_count: u32,
    /// The name, a line feed, and what else bare words are looked for in but the id, all in lower case; then the name
    /// again where it has upper-case letters.
    text: Box<str>,
    language: Arc<Language>,
    /// The texts of its tags, its websites and its summaries.
    links: Box<[Arc<str>]>,
    /// All its scores together.
    pub score: i64,
    /// The size of its original format, in bytes.
    pub size: i64,
    created: Option<CompactTime>,
    updated: Option<CompactTime>,
    other_times: Option<Box<OtherTimes>>,
}

/// The texts of what an asset is linked to.
#[derive(Debug, Default)]
struct Links {
    tags: Vec<Arc<str>>,
    websites: Vec<Arc<str>>,
    summaries: Vec<Arc<str>>,
}

/// A column of the assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum AssetColumn {
    Name,
    Language,
    Tags,
    Score,
    Size,
    Created,
    Updated,
}

impl AssetRow {
    /// The same with another name.
    #[must_use]
    pub fn renamed(self, name: &str) -> Self {
        let (tags, rest) = self.links.split_at(self.tags().len());
        let (websites, summaries) = rest.split_at(self.websites().len());
        let links = Links { tags: tags.into(), websites: websites.into(), summaries: summaries.into() };
        let named = Self::named(self.id.clone(), name, Arc::clone(&self.language), links);
        let Self { text, name_len, haystack_len, .. } = named;
        Self { text, name_len, haystack_len, ..self }
    }

    /// Its name; empty when it has none.
    pub fn name(&self) -> &str {
        match self.text.get(self.haystack_len as usize..) {
            None | Some("") => self.lower_name(),
            Some(exact) => exact,
        }
    }

    fn lower_name(&self) -> &str {
        self.text.get(..self.name_len as usize).unwrap_or(&self.text)
    }

    /// What bare words are looked for in but the id.
    fn searched_text(&self) -> &str {
        self.text.get(..self.haystack_len as usize).unwrap_or(&self.text)
    }

    /// What people know it by: its name, or its id where it has none.
    pub fn title(&self) -> &str {
        if self.name().trim().is_empty() { self.id.as_str() } else { self.name() }
    }

    /// Its language, as the interface's word.
    pub fn specific(&self) -> &str {
        &self.language.specific
    }

    /// The language for people.
    pub fn language(&self) -> &str {
        &self.language.name
    }

    /// The texts of its tags.
    pub fn tags(&self) -> &[Arc<str>] {
        self.links.get(..self.tag_count as usize).unwrap_or_default()
    }

    /// Its websites, each its name and, on the last line, its address.
    pub fn websites(&self) -> &[Arc<str>] {
        let behind_tags = self.links.get(self.tag_count as usize..).unwrap_or_default();
        behind_tags.get(..self.website_count as usize).unwrap_or_default()
    }

    /// The names of its workstream summaries.
    pub fn summaries(&self) -> &[Arc<str>] {
        self.links.get(self.tag_count as usize + self.website_count as usize..).unwrap_or_default()
    }

    /// When it was made (RFC 3339); empty when that is not known.
    pub fn created(&self) -> Cow<'_, str> {
        time_text(self.created, self.other_times.as_ref().map(|times| &times.created))
    }

    /// When it last changed (RFC 3339); empty when that is not known.
    pub fn updated(&self) -> Cow<'_, str> {
        time_text(self.updated, self.other_times.as_ref().map(|times| &times.updated))
    }

    fn created_at(&self) -> Option<Timestamp> {
        let other = || self.other_times.as_ref()?.created.at;
        self.created.map_or_else(other, CompactTime::timestamp)
    }

    fn updated_at(&self) -> Option<Timestamp> {
        let other = || self.other_times.as_ref()?.updated.at;
        self.updated.map_or_else(other, CompactTime::timestamp)
    }

    /// How many bytes of text it has, also of those that it shares.
    pub fn weight(&self) -> usize {
        let Self { text, links, other_times, .. } = self;
        let linked: usize = links.iter().map(|text| text.len()).sum();
        let times = other_times.as_ref().map_or(0, |times| times.created.text.len() + times.updated.text.len());
        text.len() + linked + times
    }
}

fn time_text(time: Option<CompactTime>, other: Option<&OtherTime>) -> Cow<'_, str> {
    match time {
        Some(time) => Cow::Owned(time.to_string()),
        None => Cow::Borrowed(other.map_or("", |other| &other.text)),
    }
}

impl RowList<AssetRow> {
    /// Returns the place of an asset.
    pub fn place_of(&self, id: &AssetId) -> Option<usize> {
        self.position(fingerprint(id), |row| row.id == *id)
    }

    /// Returns the row of an asset.
    pub fn find(&self, id: &AssetId) -> Option<&Arc<AssetRow>> {
        self.get(self.place_of(id)?)
    }
}

/// A number that few ids share (FNV-1a).
fn fingerprint(id: &AssetId) -> u32 {
    id.as_str().bytes().fold(0x811c_9dc5, |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
