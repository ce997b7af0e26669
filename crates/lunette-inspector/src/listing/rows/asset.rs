//! An asset in the list.
//!
//! What must hold: a million of them are kept at once, so a text that many share, as the name of a language or of a tag,
//! is kept once; what a record says is given back as it said it.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;

use crate::item::LinkKind;
use crate::listing::compact_time::CompactTime;
use crate::listing::{Moment, RowList, Value};
use lunette_client::model::id::{AssetId, CompactId};

mod query;
mod read;

pub use read::{ListedAsset, Shared, total_score};

use crate::listing::label::{Label, LabelKind, Language};

/// `created` and `updated` where they are no `CompactTime`.
#[derive(Clone, Debug, Default, PartialEq)]
struct OtherTimes {
    created: OtherTime,
    updated: OtherTime,
}

/// Of which kinds of links a service says what an asset is linked to. What it leaves out is not known to be none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReportedLinks(u8);

impl ReportedLinks {
    const ALL: Self = Self(0b111);
    const NONE: Self = Self(0);

    /// The kinds of which something is so.
    fn of(is_so: impl Fn(LinkKind) -> bool) -> Self {
        Self(LinkKind::ALL.into_iter().filter(|kind| is_so(*kind)).fold(0, |bits, kind| bits | bit(kind)))
    }
}

/// The bit of a kind of links.
fn bit(kind: LinkKind) -> u8 {
    1 << kind as u8
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
    id: CompactId,
    /// The length of the name in `text`, in bytes.
    name_len: u32,
    /// Whether it is a favourite.
    pub favorited: bool,
    /// Whether nobody saved it: such an asset is in the list only where the service lists it.
    pub pseudo: bool,
    /// Whether it is a near duplicate of another asset, as far as that was asked for.
    pub near_duplicate: bool,
    /// Whether the record has a score.
    scored: bool,
    /// Whether the record has a size.
    sized: bool,
    /// Of which kinds the service says what the asset is linked to.
    reported: ReportedLinks,
    /// How often it was used in the window.
    uses: u16,
    /// The name in lower case; then the name itself where it has upper-case letters.
    text: Box<str>,
    language: Arc<Language>,
    /// Its tags, then its websites, then its summaries, then the application that its original came from, then the
    /// folder that it was imported from.
    links: Box<[Label]>,
    /// All its scores together, if `scored`.
    score: i64,
    /// The size of its original format in bytes, if `sized`.
    size: i64,
    created: Option<CompactTime>,
    updated: Option<CompactTime>,
    other_times: Option<Box<OtherTimes>>,
}

impl AssetRow {
    /// Replaces the name, for tests and benchmarks.
    #[cfg(any(test, feature = "bench"))]
    #[must_use]
    pub fn renamed(self, name: &str) -> Self {
        let (name_len, text) = searchable(name);
        Self { name_len, text, ..self }
    }

    /// Its id.
    pub fn id(&self) -> AssetId {
        self.id.into()
    }

    /// Its id, as rows keep it.
    pub fn compact_id(&self) -> CompactId {
        self.id
    }

    /// Whether it is the row of this asset.
    pub fn is_of(&self, id: &AssetId) -> bool {
        self.id == CompactId::from(id)
    }

    /// Its name; empty when it has none.
    pub fn name(&self) -> &str {
        match self.text.get(self.name_len as usize..) {
            None | Some("") => self.lower_name(),
            Some(exact) => exact,
        }
    }

    pub(super) fn lower_name(&self) -> &str {
        self.text.get(..self.name_len as usize).unwrap_or(&self.text)
    }

    /// What people know it by: its name, or its id where it has none.
    pub fn title(&self) -> Cow<'_, str> {
        if self.name().trim().is_empty() { Cow::Owned(self.id().to_string()) } else { Cow::Borrowed(self.name()) }
    }

    /// Its language, as the interface's word.
    pub fn specific(&self) -> &str {
        &self.language.specific
    }

    /// The language for people.
    pub fn language(&self) -> &str {
        &self.language.name
    }

    /// How often it was used in the window: opened, copied or exported.
    pub fn uses(&self) -> u16 {
        self.uses
    }

    /// The row of an asset that was used so often.
    #[must_use]
    pub fn with_uses(&self, uses: u16) -> Self {
        Self { uses, ..self.clone() }
    }

    /// The row of an asset that is a near duplicate of another, or that is none.
    #[must_use]
    pub fn as_near_duplicate(&self, near_duplicate: bool) -> Self {
        Self { near_duplicate, ..self.clone() }
    }

    /// All its scores together; `None` where the service does not tell them.
    pub fn score(&self) -> Option<i64> {
        self.scored.then_some(self.score)
    }

    /// The size of its original format in bytes; `None` where the service does not tell it.
    pub fn size(&self) -> Option<i64> {
        self.sized.then_some(self.size)
    }

    /// Whether it is linked to any item.
    pub(crate) fn is_linked(&self) -> bool {
        !self.items().is_empty()
    }

    /// Whether it is linked to the same items as another.
    pub(crate) fn has_links_of(&self, other: &Self) -> bool {
        self.items() == other.items()
    }

    /// The items that it is linked to.
    fn items(&self) -> &[Label] {
        &self.links[..self.links.partition_point(|link| link.kind() <= LabelKind::Summary)]
    }

    /// The texts of its tags.
    pub fn tags(&self) -> &[Label] {
        self.links_of(LabelKind::Tag)
    }

    /// Whether the service says which items of a kind it has.
    pub fn reports(&self, kind: LinkKind) -> bool {
        self.reported.0 & bit(kind) != 0
    }

    /// Its websites, each its name and, on the last line, its address.
    pub fn websites(&self) -> &[Label] {
        self.links_of(LabelKind::Website)
    }

    /// The names of its workstream summaries.
    pub fn summaries(&self) -> &[Label] {
        self.links_of(LabelKind::Summary)
    }

    /// The application that its original came from: its shown name, its name on the wire if that differs and, on the
    /// last line, its id; `None` where the service does not say.
    pub fn application(&self) -> Option<&Label> {
        self.links_of(LabelKind::Application).first()
    }

    /// The id of that application.
    pub fn application_id(&self) -> Option<&str> {
        self.application()?.rsplit('\n').next()
    }

    /// The folder that it was imported from; `None` where that is not known.
    pub fn folder(&self) -> Option<&Label> {
        self.links_of(LabelKind::Folder).first()
    }

    fn links_of(&self, kind: LabelKind) -> &[Label] {
        let from = self.links.partition_point(|link| link.kind() < kind);
        let to = self.links.partition_point(|link| link.kind() <= kind);
        &self.links[from..to]
    }

    /// When it was made (RFC 3339); empty when that is not known.
    pub fn created(&self) -> Cow<'_, str> {
        time_text(self.created, self.other_times.as_ref().map(|times| &times.created))
    }

    /// When it last changed (RFC 3339); empty when that is not known.
    pub fn updated(&self) -> Cow<'_, str> {
        time_text(self.updated, self.other_times.as_ref().map(|times| &times.updated))
    }

    fn created_value(&self) -> Value<'_> {
        time_value(self.created, self.other_times.as_ref().map(|times| &times.created))
    }

    /// When it last changed, as a value of its column.
    pub fn updated_value(&self) -> Value<'_> {
        time_value(self.updated, self.other_times.as_ref().map(|times| &times.updated))
    }

    /// When it was made; None if that is not known.
    pub fn created_at(&self) -> Option<Timestamp> {
        let other = || self.other_times.as_ref()?.created.at;
        self.created.map_or_else(other, CompactTime::timestamp)
    }

    /// When it last changed; None if that is not known.
    pub fn updated_at(&self) -> Option<Timestamp> {
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

fn time_value(time: Option<CompactTime>, other: Option<&OtherTime>) -> Value<'_> {
    match (time, other) {
        (Some(time), _) => Value::Moment(Moment::Compact(time)),
        (None, Some(OtherTime { text, at })) if !text.is_empty() => Value::Moment(Moment::Read(text, *at)),
        (None, _) => Value::NotTold,
    }
}

impl RowList<AssetRow> {
    /// Returns the index of an asset.
    pub fn index_of(&self, id: &AssetId) -> Option<usize> {
        self.index_of_compact(id.into())
    }

    /// Returns the index of an asset, by its id as rows keep it.
    pub fn index_of_compact(&self, id: CompactId) -> Option<usize> {
        self.position(id.fingerprint(), |row| row.id == id)
    }

    /// Returns the row of an asset.
    pub fn find(&self, id: &AssetId) -> Option<&Arc<AssetRow>> {
        self.get(self.index_of(id)?)
    }
}

/// A name in lower case, and behind it the name itself where that differs; and the length of the first.
fn searchable(name: &str) -> (u32, Box<str>) {
    let lower = name.to_lowercase();
    let exact = if lower == name { "" } else { name };
    (u32::try_from(lower.len()).unwrap_or(u32::MAX), [&*lower, exact].concat().into())
}
