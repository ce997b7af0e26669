//! An asset of one side or of both, as a row of a list.

use std::borrow::Cow;
use std::sync::Arc;

use lunette_client::model::language::language_name;

use super::facts::{Facts, PartKind, Parts};
use super::matching::Match;
use crate::compare::Position;
use crate::filter::{Field, Filterable, List};
use crate::listing::{Column, Columns, GroupBy, Row, Value};

/// How the two sides of a row compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowState {
    /// The left side alone has it.
    OnlyLeft,
    /// The right side alone has it.
    OnlyRight,
    /// Both have it, and it differs; both changed it since it was last the same, or since the checkpoint.
    Conflict,
    /// Both have it, and it differs.
    Different,
    /// Nothing that both tell differs, but one of them does not tell everything; or it cannot be said whether one of
    /// them has it, since that side was not read to its end.
    NotTold,
    /// Both have it, and it is the same.
    Same,
}

impl RowState {
    /// All of them, in the order in which they matter.
    pub const ALL: [Self; 6] =
        [Self::OnlyLeft, Self::OnlyRight, Self::Conflict, Self::Different, Self::NotTold, Self::Same];

    /// Its name for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OnlyLeft => "only left",
            Self::OnlyRight => "only right",
            Self::Conflict => "conflict",
            Self::Different => "different",
            Self::NotTold => "not told",
            Self::Same => "same",
        }
    }

    /// Its name for programs.
    pub fn token(self) -> &'static str {
        match self {
            Self::OnlyLeft => "only-left",
            Self::OnlyRight => "only-right",
            Self::Conflict => "conflict",
            Self::Different => "different",
            Self::NotTold => "not-told",
            Self::Same => "same",
        }
    }

    /// Whether the sides are known to differ.
    pub fn is_difference(self) -> bool {
        match self {
            Self::OnlyLeft | Self::OnlyRight | Self::Conflict | Self::Different => true,
            Self::NotTold | Self::Same => false,
        }
    }
}

/// Which sides changed an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The left one.
    pub left: bool,
    /// The right one.
    pub right: bool,
}

impl Changed {
    /// Whether both did.
    pub fn both(self) -> bool {
        self.left && self.right
    }

    /// Which, in a word; `None` for neither.
    pub fn as_str(self) -> Option<&'static str> {
        match (self.left, self.right) {
            (true, true) => Some("both"),
            (true, false) => Some("left"),
            (false, true) => Some("right"),
            (false, false) => None,
        }
    }
}

/// What a row is known by: the ids of its assets at both sides.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowKey {
    /// On the left, if that side has it.
    pub left: Option<Arc<str>>,
    /// On the right, if that side has it.
    pub right: Option<Arc<str>>,
}

impl RowKey {
    /// The id at a side, if that side has it.
    pub fn at(&self, at: Position) -> Option<&Arc<str>> {
        match at {
            Position::Left => self.left.as_ref(),
            Position::Right => self.right.as_ref(),
        }
    }
}

/// An asset of one side or of both.
#[derive(Clone, Debug, PartialEq)]
pub struct SideRow {
    /// What is known of it on the left and on the right; at least one of them is there.
    pub sides: [Option<Arc<Facts>>; 2],
    /// How they compare.
    pub state: RowState,
    /// The parts that differ.
    pub differs: Parts,
    /// The parts that one of the two does not tell.
    pub untold: Parts,
    /// By what the two were matched; `None` for an asset of one side.
    pub matched: Option<Match>,
    /// Which side changed it since it was last the same, or since the checkpoint, if that is known.
    pub changed: Option<Changed>,
    names: Box<str>,
    tags: Box<str>,
    differing: Box<str>,
    not_told: Box<str>,
}

impl SideRow {
    /// The row of an asset of one side or of both. `incomplete` says which sides were not read to their end, so that an
    /// asset may be there that was not found.
    pub(super) fn new(
        sides: [Option<Arc<Facts>>; 2],
        matched: Option<Match>,
        changed: Option<Changed>,
        incomplete: [bool; 2],
    ) -> Self {
        let (differs, untold) = match &sides {
            [Some(left), Some(right)] => left.compared(right),
            _ => Default::default(),
        };
        let state = match (&sides, incomplete) {
            ([Some(_), None], [_, false]) => RowState::OnlyLeft,
            ([None, Some(_)], [false, _]) => RowState::OnlyRight,
            ([_, None] | [None, _], _) => RowState::NotTold,
            _ if !differs.is_empty() && changed.is_some_and(Changed::both) => RowState::Conflict,
            _ if !differs.is_empty() => RowState::Different,
            _ if !untold.is_empty() => RowState::NotTold,
            _ => RowState::Same,
        };
        let texts = |text: fn(&Facts) -> String| {
            let mut texts: Vec<String> = sides.iter().flatten().map(|facts| text(facts)).collect();
            texts.dedup();
            texts.retain(|text| !text.is_empty());
            texts.join("\n").into_boxed_str()
        };
        Self {
            state,
            differs,
            untold,
            matched,
            changed,
            names: texts(|facts| facts.name.to_lowercase()),
            tags: texts(|facts| facts.tags.join("\n")),
            differing: differs.names().into(),
            not_told: untold.names().into(),
            sides,
        }
    }

    /// What is known of it at a side; `None` if that side does not have it.
    pub fn side(&self, at: Position) -> Option<&Facts> {
        self.sides[at.index()].as_deref()
    }

    /// What is known of it on the left, or else on the right.
    pub fn first(&self) -> &Facts {
        static NOTHING: std::sync::LazyLock<Facts> = std::sync::LazyLock::new(Facts::default);
        self.sides.iter().flatten().next().map_or(&NOTHING, |facts| facts)
    }

    /// Its name at the side that has one, or its id.
    pub fn name(&self) -> &str {
        let named = self.sides.iter().flatten().find(|facts| !facts.name.trim().is_empty());
        named.map_or(&self.first().id, |facts| &facts.name)
    }

    /// Whether the contents differ.
    pub fn differs_in(&self, kind: PartKind) -> bool {
        self.differs.has_kind(kind)
    }

    fn id(&self, at: Position) -> Value<'_> {
        self.side(at).map_or(Value::NotTold, |facts| Value::text(&*facts.id))
    }

    fn updated(&self, at: Position) -> Value<'_> {
        self.side(at).map_or(Value::NotTold, |facts| Value::moment(&facts.updated))
    }

    fn size(&self, at: Position) -> Value<'_> {
        self.side(at).and_then(|facts| facts.size).map_or(Value::NotTold, Value::Bytes)
    }
}

impl Columns for SideRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("state", "State", |row: &Self| Value::Named {
            text: row.state.as_str(),
            token: row.state.token(),
        })
        .sorted_by(|row: &Self| Value::Rank(row.state as i128))
        .grouped(GroupBy::Value, "State", "No state")
        .wide(92.0)
        .field(Field::State)
        .fixed()
        .printed(),
        Column::text("name", "Name", |row: &Self| Value::text(row.name()))
            .sorted_by(|row: &Self| Value::Text(row.name().to_lowercase().into()))
            .wide(200.0)
            .growing(1.0)
            .field(Field::Name)
            .printed(),
        Column::text("differs", "Differs in", |row: &Self| Value::text(&*row.differing))
            .wide(150.0)
            .field(Field::Differs)
            .printed(),
        Column::text("not told", "Not told", |row: &Self| Value::text(&*row.not_told)).wide(120.0).from(900.0),
        Column::text("changed", "Changed", |row: &Self| {
            row.changed.and_then(Changed::as_str).map_or(Value::NotTold, Value::text)
        })
        .named("changed by")
        .wide(90.0)
        .from(820.0),
        Column::text("matched", "Matched by", |row: &Self| {
            row.matched.map_or(Value::NotTold, |by| Value::text(by.as_str()))
        })
        .wide(90.0)
        .from(760.0),
        Column::text("language", "Language", |row: &Self| Value::text(language_name(&row.first().language)))
            .wide(90.0)
            .from(620.0)
            .field(Field::Language),
        Column::filtered("classification", Field::Language, |row: &Self| Value::word(&row.first().language)),
        Column::filtered("tag", Field::Tag, |row: &Self| Value::word(&row.tags)),
        Column::figures("size left", "Size left", |row: &Self| row.size(Position::Left))
            .wide(80.0)
            .hidden()
            .field(Field::Size),
        Column::figures("size right", "Size right", |row: &Self| row.size(Position::Right))
            .wide(80.0)
            .hidden()
            .field(Field::Size),
        Column::figures("updated left", "Updated left", |row: &Self| row.updated(Position::Left))
            .wide(110.0)
            .from(700.0)
            .field(Field::Updated),
        Column::figures("updated right", "Updated right", |row: &Self| row.updated(Position::Right))
            .wide(110.0)
            .from(700.0)
            .field(Field::Updated),
        Column::text("id left", "Id left", |row: &Self| row.id(Position::Left)).field(Field::Id).printed(),
        Column::text("id right", "Id right", |row: &Self| row.id(Position::Right)).field(Field::Id).printed(),
    ];
}

impl Row for SideRow {
    type Key = RowKey;

    fn key(&self) -> RowKey {
        let [left, right] = [0, 1].map(|side| self.sides[side].as_ref().map(|facts| Arc::clone(&facts.id)));
        RowKey { left, right }
    }

    fn has_key(&self, key: &RowKey) -> bool {
        let id = |at: Position| self.side(at).map(|facts| &*facts.id);
        id(Position::Left) == key.left.as_deref() && id(Position::Right) == key.right.as_deref()
    }

    fn partial_keys(key: &RowKey) -> Vec<RowKey> {
        let left = key.left.clone().map(|left| RowKey { left: Some(left), right: None });
        let right = key.right.clone().map(|right| RowKey { left: None, right: Some(right) });
        left.into_iter().chain(right).collect()
    }
}

impl Filterable for SideRow {
    const LIST: List = List::Sides;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.names)
    }
}
