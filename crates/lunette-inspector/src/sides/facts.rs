//! What is known of an asset at a side, as far as it is compared.
//!
//! What must hold: a part that is not told is not the same as one that is empty.

use std::sync::Arc;

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::fingerprint::{content_hash, set_hash, text_hash};
use serde::{Deserialize, Serialize};

use crate::assets::content::{of_original, original, told_size};
use crate::assets::page::Content;
use crate::change::{Field, LinkKind, linked, reports_links};

/// A part of an asset that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The bytes of the original format.
    Content,
    /// The name.
    Name,
    /// The description.
    Description,
    /// Whether it is a favourite.
    Favourite,
    /// The language.
    Language,
    /// The texts of its tags.
    Tags,
    /// The addresses of its websites.
    Websites,
    /// The names of its workstream summaries.
    Summaries,
}

/// What a part is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// The content.
    Content,
    /// A field of the record.
    Field,
    /// The links of a kind.
    Links,
}

impl Part {
    /// All of them, in the order in which they are named.
    pub const ALL: [Self; 8] = [
        Self::Content,
        Self::Name,
        Self::Description,
        Self::Favourite,
        Self::Language,
        Self::Tags,
        Self::Websites,
        Self::Summaries,
    ];

    /// Its name within a sentence, and in filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Name => "name",
            Self::Description => "description",
            Self::Favourite => "favourite",
            Self::Language => "language",
            Self::Tags => "tags",
            Self::Websites => "websites",
            Self::Summaries => "summaries",
        }
    }

    /// What it is in a record, for people; empty if it is not told.
    pub fn value(self, asset: View<'_, Asset>) -> String {
        let links = |kind| linked(asset, kind).iter().map(|item| key(item).to_owned()).collect::<Vec<_>>().join(", ");
        let told = |field: Field| {
            field.told(asset).map(|value| match value {
                serde_json::Value::String(text) => text,
                other => other.to_string(),
            })
        };
        match self {
            Self::Content => told_size(asset).map_or_else(String::new, |size| format!("{size} bytes")),
            Self::Name => told(Field::Name).unwrap_or_default(),
            Self::Description => told(Field::Description).unwrap_or_default(),
            Self::Favourite => told(Field::Favorited).unwrap_or_default(),
            Self::Language => {
                original(asset).map_or_else(String::new, |format| format.classification().specific().to_owned())
            }
            Self::Tags => links(LinkKind::Tag),
            Self::Websites => links(LinkKind::Website),
            Self::Summaries => links(LinkKind::Summary),
        }
    }

    /// What it is of.
    pub fn kind(self) -> PartKind {
        match self {
            Self::Content => PartKind::Content,
            Self::Name | Self::Description | Self::Favourite | Self::Language => PartKind::Field,
            Self::Tags | Self::Websites | Self::Summaries => PartKind::Links,
        }
    }

    /// The part that has the links of a kind.
    pub fn of_links(kind: LinkKind) -> Self {
        match kind {
            LinkKind::Tag => Self::Tags,
            LinkKind::Website => Self::Websites,
            LinkKind::Summary => Self::Summaries,
        }
    }
}

/// A set of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Parts(u8);

impl Parts {
    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it has a part.
    pub fn has(self, part: Part) -> bool {
        self.0 & Self::bit(part) != 0
    }

    /// Adds a part.
    pub fn add(&mut self, part: Part) {
        self.0 |= Self::bit(part);
    }

    /// Its parts, in order.
    pub fn iter(self) -> impl Iterator<Item = Part> {
        Part::ALL.into_iter().filter(move |part| self.has(*part))
    }

    /// Whether it has a part of a kind.
    pub fn has_kind(self, kind: PartKind) -> bool {
        self.iter().any(|part| part.kind() == kind)
    }

    /// The names of its parts, separated by commas.
    pub fn names(self) -> String {
        self.iter().map(Part::as_str).collect::<Vec<_>>().join(", ")
    }

    fn bit(part: Part) -> u8 {
        1 << part as u8
    }
}

impl FromIterator<Part> for Parts {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        let mut set = Self::default();
        parts.into_iter().for_each(|part| set.add(part));
        set
    }
}

/// What is known of an asset at a side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// What it is known by at the side: the id of an asset, in lower case, or the path of a file below its folder.
    pub id: Arc<str>,
    /// Its name; empty without one.
    pub name: Box<str>,
    /// Its language, as the interface writes it; empty if it is not told.
    pub language: Box<str>,
    /// When it was updated (RFC 3339); empty if it is not told.
    pub updated: Box<str>,
    /// The size of its content in bytes, if it is told.
    pub size: Option<i64>,
    /// The texts of its tags, as far as they are told.
    pub tags: Vec<Box<str>>,
    /// What each part is; `None` if it is not told.
    marks: [Option<u128>; Part::ALL.len()],
}

/// What is known of an asset, as it is kept on the disk.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredFacts {
    id: Box<str>,
    name: Box<str>,
    language: Box<str>,
    updated: Box<str>,
    size: Option<i64>,
    tags: Vec<Box<str>>,
    marks: [Option<u128>; Part::ALL.len()],
}

impl StoredFacts {
    /// Of an asset.
    pub fn of(facts: &Facts) -> Self {
        let Facts { id, name, language, updated, size, tags, marks } = facts.clone();
        Self { id: Box::from(&*id), name, language, updated, size, tags, marks }
    }

    /// What the asset is known by at its side.
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl From<StoredFacts> for Facts {
    fn from(stored: StoredFacts) -> Self {
        let StoredFacts { id, name, language, updated, size, tags, marks } = stored;
        Self { id: id.into(), name, language, updated, size, tags, marks }
    }
}

/// An asset in a list of fingerprints.
#[derive(Debug, Deserialize)]
pub(super) struct Fingerprint {
    id: String,
    name: Option<String>,
    specific: Option<String>,
    #[serde(default)]
    favorited: bool,
    updated: Option<String>,
    size: Option<i64>,
    content: Option<String>,
    description: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    websites: Option<String>,
    summaries: Option<String>,
}

/// The parts that are fields which can be edited.
pub(super) const FIELDS: [(Part, Field); 3] =
    [(Part::Name, Field::Name), (Part::Description, Field::Description), (Part::Favourite, Field::Favorited)];

/// The mark of a part that is told and empty.
const EMPTY: u128 = 0;

impl Facts {
    /// What a side tells of an asset of which nothing else is known than what it is known by and its name.
    pub fn named(id: &str, name: &str) -> Self {
        let mut facts = Self { id: id.into(), name: name.into(), ..Self::default() };
        facts.set(Part::Name, Some(mark(name)));
        facts
    }

    /// What a fingerprint tells, which is all.
    pub(super) fn of_fingerprint(found: Fingerprint) -> Self {
        let mut facts = Self::named(&found.id.to_lowercase(), found.name.as_deref().unwrap_or_default());
        let hash = |hash: &Option<String>| Some(hash.as_deref().map_or(EMPTY, short));
        let mut tags: Vec<Box<str>> = found.tags.iter().map(|tag| tag.as_str().into()).collect();
        tags.sort_unstable();
        facts.set(Part::Content, found.content.as_deref().map(short));
        facts.set(Part::Description, hash(&found.description));
        facts.set(Part::Favourite, Some(found.favorited.into()));
        facts.set(Part::Language, Some(mark(found.specific.as_deref().unwrap_or_default())));
        facts.set(Part::Tags, Some(set_mark(found.tags.iter().map(String::as_str))));
        facts.set(Part::Websites, hash(&found.websites));
        facts.set(Part::Summaries, hash(&found.summaries));
        Self {
            language: found.specific.unwrap_or_default().into(),
            updated: found.updated.unwrap_or_default().into(),
            size: found.size,
            tags,
            ..facts
        }
    }

    /// What the record of an asset tells, with its content if the record has it.
    pub fn of_record(asset: View<'_, Asset>) -> Self {
        let mut facts = Self { id: asset.id().to_lowercase().into(), ..Self::default() };
        let text = |field: Field| field.told(asset)?.as_str().map(str::to_owned);
        if let Some(name) = text(Field::Name) {
            facts.set(Part::Name, Some(mark(&name)));
            facts.name = name.into();
        }
        facts.set(Part::Description, text(Field::Description).map(|text| mark(&text)));
        facts.set(Part::Favourite, Field::Favorited.told(asset).and_then(|value| value.as_bool()).map(u128::from));
        let language = original(asset).map(|format| format.classification().specific()).filter(|word| !word.is_empty());
        facts.set(Part::Language, language.map(mark));
        facts.language = language.unwrap_or_default().into();
        facts.set(Part::Content, content_mark(asset));
        for kind in LinkKind::ALL.into_iter().filter(|kind| reports_links(asset, *kind)) {
            let items = linked(asset, kind);
            let keys: Vec<&str> = items.iter().map(key).collect();
            // An item of which nothing but the id is known is not known at another side.
            if keys.contains(&"") {
                continue;
            }
            facts.set(Part::of_links(kind), Some(set_mark(keys.iter().copied())));
            if kind == LinkKind::Tag {
                facts.tags = keys.into_iter().map(Box::from).collect();
                facts.tags.sort_unstable();
            }
        }
        if asset.tells("updated") {
            facts.updated = asset.updated().value().into();
        }
        facts.size = told_size(asset);
        facts
    }

    /// What the record of an asset of a service of another program tells: a field that it leaves out is not told,
    /// though it may be empty.
    pub(super) fn of_foreign(asset: View<'_, Asset>) -> Self {
        let mut facts = Self::of_record(asset);
        for (part, _) in FIELDS.into_iter().filter(|(_, field)| field.said(asset).is_none()) {
            facts.set(part, None);
        }
        facts
    }

    /// The facts of an asset that is known by this.
    pub(super) fn known_by(mut self, id: &str) -> Self {
        self.id = id.into();
        self
    }

    /// The mark of a part; `None` if it is not told.
    pub(super) fn mark(&self, part: Part) -> Option<u128> {
        self.marks[part as usize]
    }

    pub(super) fn set(&mut self, part: Part, mark: Option<u128>) {
        self.marks[part as usize] = mark;
    }

    /// Whether the side tells a part.
    pub fn tells(&self, part: Part) -> bool {
        self.mark(part).is_some()
    }

    /// Sets the mark of a content that was read by itself.
    pub fn with_content(mut self, bytes: &[u8]) -> Self {
        self.set(Part::Content, Some(short(&content_hash(bytes))));
        self.size = Some(i64::try_from(bytes.len()).unwrap_or(i64::MAX));
        self
    }

    /// Whether an asset may say something else than when it was read, by what a list without contents says of it now. A
    /// list that does not say when it was changed says nothing of its content.
    pub(super) fn may_have_changed(&self, listed: &Self) -> bool {
        let differs =
            |part: &Part| matches!((self.mark(*part), listed.mark(*part)), (Some(one), Some(now)) if one != now);
        listed.updated.is_empty() || self.updated != listed.updated || Part::ALL.iter().any(differs)
    }

    /// What is left if nothing but the name is told.
    pub(super) fn untold(mut self) -> Self {
        Part::ALL.into_iter().filter(|part| *part != Part::Name).for_each(|part| self.set(part, None));
        self
    }

    /// The content and the name, for matching: `None` without a content that says anything.
    pub(super) fn content(&self) -> Option<u128> {
        self.mark(Part::Content).filter(|_| self.size != Some(0))
    }

    /// The parts that both tell and that differ, and those that one of them does not tell.
    pub fn compared(&self, other: &Self) -> (Parts, Parts) {
        let (mut differ, mut untold) = (Parts::default(), Parts::default());
        for part in Part::ALL {
            match (self.mark(part), other.mark(part)) {
                (Some(one), Some(other)) if one != other => differ.add(part),
                (Some(_), Some(_)) => {}
                _ => untold.add(part),
            }
        }
        (differ, untold)
    }

    /// A number that changes if any part does.
    pub(super) fn digest(&self) -> u64 {
        let fold = |digest: u64, mark: &Option<u128>| {
            let mark = mark.map_or(1, |mark| (mark as u64) ^ ((mark >> 64) as u64).rotate_left(17));
            (digest ^ mark).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23)
        };
        self.marks.iter().fold(0xCBF2_9CE4_8422_2325, fold)
    }
}

/// What makes an item the same at another side: the text of a tag, the address of a website, the name of a summary.
pub(super) fn key(item: &crate::change::Item) -> &str {
    item.url.as_deref().filter(|_| item.kind == LinkKind::Website).unwrap_or(&item.text)
}

fn content_mark(asset: View<'_, Asset>) -> Option<u128> {
    match of_original(asset) {
        Content::Text(text) => Some(short(&content_hash(text.as_bytes()))),
        Content::Bytes(bytes) => Some(short(&content_hash(&bytes))),
        Content::None | Content::Large(_) | Content::Part(..) => None,
    }
}

fn mark(text: &str) -> u128 {
    if text.is_empty() { EMPTY } else { short(&text_hash(text)) }
}

fn set_mark<'a>(texts: impl Iterator<Item = &'a str>) -> u128 {
    set_hash(texts).map_or(EMPTY, |hash| short(&hash))
}

/// The number of the first 32 hexadecimal digits.
fn short(hash: &str) -> u128 {
    hash.get(..32).and_then(|digits| u128::from_str_radix(digits, 16).ok()).unwrap_or(1)
}
