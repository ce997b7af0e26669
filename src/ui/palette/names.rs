//! The names that are looked through: those of applications, assets, tags, websites and summaries, as the state holds
//! them.

use std::sync::Arc;

use crate::app::State;
use crate::app::change::{Item, LinkKind};
use crate::app::listing::rows::{ApplicationRow, AssetRow};

use super::entry::{Entry, Part};

/// One list of names.
#[derive(Clone)]
pub(super) enum Names {
    Applications(Arc<Vec<Arc<ApplicationRow>>>),
    Assets(Arc<Vec<Arc<AssetRow>>>),
    Linked(Arc<Vec<Item>>),
}

impl Names {
    /// The parts that have names to be looked through.
    pub const PARTS: [Part; 5] = [
        Part::Applications,
        Part::Assets,
        Part::Linked(LinkKind::Tag),
        Part::Linked(LinkKind::Website),
        Part::Linked(LinkKind::Summary),
    ];

    /// The names of a part as they are now; None while there are none.
    pub fn of(part: Part, state: &State) -> Option<Self> {
        match part {
            Part::Applications => state.applications.rows.value().cloned().map(Self::Applications),
            Part::Assets => state.assets.rows.value().cloned().map(Self::Assets),
            Part::Linked(kind) => state.linkable.get(&kind)?.value().cloned().map(Self::Linked),
            Part::Suggested | Part::Recent | Part::Id | Part::Commands | Part::Search => None,
        }
    }

    /// Whether these are the very same names.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Applications(one), Self::Applications(other)) => Arc::ptr_eq(one, other),
            (Self::Assets(one), Self::Assets(other)) => Arc::ptr_eq(one, other),
            (Self::Linked(one), Self::Linked(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Applications(rows) => rows.len(),
            Self::Assets(rows) => rows.len(),
            Self::Linked(items) => items.len(),
        }
    }

    /// A name, and what else it is found by.
    pub fn name(&self, place: usize) -> (&str, Option<&str>) {
        match self {
            Self::Applications(rows) => (&rows[place].name, None),
            Self::Assets(rows) => (&rows[place].name, None),
            Self::Linked(items) => (&items[place].text, items[place].url.as_deref()),
        }
    }

    /// The entry of a name.
    pub fn entry(&self, place: usize) -> Option<Entry> {
        Some(match self {
            Self::Applications(rows) => Entry::application(rows.get(place)?),
            Self::Assets(rows) => Entry::asset(rows.get(place)?),
            Self::Linked(items) => Entry::linked(items.get(place)?),
        })
    }
}
