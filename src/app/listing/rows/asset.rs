//! An asset in the list.
//!
//! What must hold: a hundred thousand of them are kept at once, so a text that many share, as the name of a language or
//! of a tag, is kept once.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use jiff::Timestamp;

use crate::app::filter::{Field, Flag, List, Searched};
use crate::app::listing::{Column, Row};
use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language;
use lunette_client::model::time::moment;

/// Texts that rows share.
#[derive(Debug, Default)]
pub struct Shared(HashSet<Arc<str>>);

impl Shared {
    /// The text, kept once.
    pub fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        let text: Arc<str> = text.into();
        self.0.insert(Arc::clone(&text));
        text
    }
}

/// An asset in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct AssetRow {
    /// Its id.
    pub id: AssetId,
    /// Its name; empty when it has none.
    pub name: String,
    /// Its language, as the interface's word.
    pub specific: Arc<str>,
    /// The language for people.
    pub language: Arc<str>,
    /// The texts of its tags.
    pub tags: Box<[Arc<str>]>,
    /// Its websites, each its name and, on the last line, its address.
    pub websites: Box<[Arc<str>]>,
    /// The names of its workstream summaries.
    pub summaries: Box<[Arc<str>]>,
    /// All its scores together.
    pub score: i64,
    /// The size of its original format, in bytes.
    pub size: i64,
    /// When it was made (RFC 3339).
    pub created: String,
    /// When it last changed (RFC 3339).
    pub updated: String,
    /// Whether it is a favourite.
    pub favorited: bool,
    /// Whether nobody saved it: such an asset is in the list only where the service lists it.
    pub pseudo: bool,
    /// Whether the record has a score.
    scored: bool,
    /// Whether the record has a size.
    sized: bool,
    haystack: String,
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
    /// Reads a record; None when its id is no asset id.
    pub fn of(asset: View<'_, Asset>) -> Option<Self> {
        Self::sharing(asset, &mut Shared::default())
    }

    /// The same, with the texts that other rows have too.
    pub fn sharing(asset: View<'_, Asset>, shared: &mut Shared) -> Option<Self> {
        let id: AssetId = asset.id().parse().ok()?;
        let format = asset.original().reference();
        let specific = format.map(|format| format.classification().specific()).unwrap_or_default();
        let name = asset.name().unwrap_or_default();
        let tags = asset.tags().map(|tags| tags.iterable().iter().map(|tag| shared.text(tag.text())).collect());
        let tags: Box<[Arc<str>]> = tags.unwrap_or_default();
        let language = shared.text(language(specific).map_or(specific, |known| known.name));
        let haystack = [name, &language, specific, &tags.join("\n"), id.as_str()].join("\n").to_lowercase();
        let size = format.map(|format| format.bytes().value());
        let websites = asset.websites().map(|sites| {
            sites.iterable().iter().map(|site| shared.text(&format!("{}\n{}", site.name(), site.url()))).collect()
        });
        let summaries = asset.summaries();
        let summaries = summaries.map(|all| all.iterable().iter().map(|summary| shared.text(summary.name())).collect());
        Some(Self {
            id,
            name: name.to_owned(),
            specific: shared.text(specific),
            language,
            tags,
            websites: websites.unwrap_or_default(),
            summaries: summaries.unwrap_or_default(),
            score: total_score(asset),
            size: size.unwrap_or_default(),
            created: asset.created().value().to_owned(),
            updated: asset.updated().value().to_owned(),
            favorited: asset.favorited().unwrap_or_default(),
            pseudo: asset.pseudo().unwrap_or_default(),
            scored: asset.score().is_some(),
            sized: size.is_some(),
            haystack,
        })
    }

    /// How many bytes of text it has, also of those that it shares.
    pub fn weight(&self) -> usize {
        let Self { name, tags, websites, summaries, created, updated, haystack, .. } = self;
        let linked = tags.iter().chain(websites).chain(summaries).map(|text| text.len());
        name.len() + created.len() + updated.len() + haystack.len() + linked.sum::<usize>()
    }

    /// A row of an asset that was looked at before, where the service cannot list them; None when the id is none.
    pub fn recent(id: &str, name: &str) -> Option<Self> {
        Some(Self {
            id: id.parse().ok()?,
            name: name.to_owned(),
            specific: Arc::default(),
            language: Arc::default(),
            tags: Box::default(),
            websites: Box::default(),
            summaries: Box::default(),
            score: 0,
            size: 0,
            created: String::new(),
            updated: String::new(),
            favorited: false,
            pseudo: false,
            scored: false,
            sized: false,
            haystack: format!("{name}\n{id}").to_lowercase(),
        })
    }

    /// A row that only search and sorting know of, for measuring lists.
    pub fn sample(place: usize) -> Self {
        let name = format!("asset_{place:07}.rs");
        let haystack = format!("{name}\nrust");
        Self {
            id: format!("00000000-0000-4000-8000-{place:012x}").parse().expect("twelve digits make a UUID"),
            name,
            specific: "rs".into(),
            language: "Rust".into(),
            tags: Box::new(["http".into()]),
            websites: Box::default(),
            summaries: Box::default(),
            score: (place % 97) as i64,
            size: (place * 37 % 100_000) as i64,
            created: "2026-11-01T12:00:00Z".to_owned(),
            updated: "2026-11-20T12:00:00Z".to_owned(),
            favorited: place.is_multiple_of(11),
            pseudo: false,
            scored: true,
            sized: true,
            haystack,
        }
    }
}

/// The sum of all counters of an asset's score.
pub fn total_score(asset: View<'_, Asset>) -> i64 {
    let Some(score) = asset.score() else { return 0 };
    let counters = [score.priority(), score.reuse(), score.update(), score.reference(), score.searched()];
    let counted: i64 = counters.into_iter().flatten().fold(0, i64::saturating_add);
    score.manual().saturating_add(score.automatic()).saturating_add(counted)
}

impl Row for AssetRow {
    type Column = AssetColumn;

    fn compare(&self, other: &Self, column: AssetColumn) -> Ordering {
        match column {
            AssetColumn::Name => self.name.to_lowercase().cmp(&other.name.to_lowercase()),
            AssetColumn::Language => self.language.cmp(&other.language),
            AssetColumn::Tags => self.tags.cmp(&other.tags),
            AssetColumn::Score => self.score.cmp(&other.score),
            AssetColumn::Size => self.size.cmp(&other.size),
            AssetColumn::Created => self.created.cmp(&other.created),
            AssetColumn::Updated => self.updated.cmp(&other.updated),
        }
    }
}

impl Searched for AssetRow {
    const LIST: List = List::Assets;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        let mut text = |text: &str| !text.is_empty() && wanted(text);
        match field {
            Field::Name => text(&self.name),
            Field::Id => text(self.id.as_str()),
            Field::Language => text(&self.language) || text(&self.specific),
            Field::Tag => self.tags.iter().any(|tag| text(tag)),
            Field::Website => self.websites.iter().any(|site| site.split('\n').any(&mut text)),
            Field::Summary => self.summaries.iter().any(|name| text(name)),
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        match field {
            Field::Score => self.scored.then_some(self.score),
            Field::Size => self.sized.then_some(self.size),
            _ => None,
        }
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        match field {
            Field::Created => moment(&self.created),
            Field::Updated => moment(&self.updated),
            _ => None,
        }
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Favourite => self.favorited,
            Flag::Tagged => !self.tags.is_empty(),
            Flag::Linked => !self.websites.is_empty() || !self.summaries.is_empty(),
            _ => false,
        }
    }
}

impl Column for AssetColumn {
    const ALL: &'static [Self] =
        &[Self::Name, Self::Language, Self::Tags, Self::Score, Self::Size, Self::Created, Self::Updated];

    fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Language => "language",
            Self::Tags => "tags",
            Self::Score => "score",
            Self::Size => "size",
            Self::Created => "created",
            Self::Updated => "updated",
        }
    }
}
