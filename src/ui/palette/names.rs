//! The names that the palette searches: applications, assets, tags, websites and summaries, as held by the state.

use std::borrow::Cow;
use std::sync::Arc;

use crate::ui::panels::applications::labels;
use lunette_inspector::State;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::listing::RowList;
use lunette_inspector::listing::rows::{ApplicationRow, AssetRow};

use super::entry::{Entry, Part};

/// One list of names.
#[derive(Clone)]
pub(super) enum Names {
    Applications(RowList<ApplicationRow>),
    Assets(RowList<AssetRow>),
    Linked(Arc<Vec<Item>>),
}

impl Names {
    /// The parts whose names are searched.
    pub const PARTS: [Part; 5] = [
        Part::Applications,
        Part::Assets,
        Part::Linked(LinkKind::Tag),
        Part::Linked(LinkKind::Website),
        Part::Linked(LinkKind::Summary),
    ];

    /// Returns the current names of a part; `None` if there are none.
    pub fn of(part: Part, state: &State) -> Option<Self> {
        match part {
            Part::Applications => state.applications.list.rows.value().cloned().map(Self::Applications),
            Part::Assets => state.assets.list.rows.value().cloned().map(Self::Assets),
            Part::Linked(kind) => state.assets.linkable.get(&kind)?.value().cloned().map(Self::Linked),
            Part::Suggested
            | Part::Recent
            | Part::Id
            | Part::Commands
            | Part::Replaced
            | Part::Found(_)
            | Part::Search => None,
        }
    }

    /// Returns whether both are the same list in memory.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Applications(one), Self::Applications(other)) => one.same(other),
            (Self::Assets(one), Self::Assets(other)) => one.same(other),
            (Self::Linked(one), Self::Linked(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Returns whether the other names are these and more behind them, as while a list loads.
    pub fn grew_to(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Assets(one), Self::Assets(other)) => !one.same(other) && one.begins(other, Arc::ptr_eq),
            _ => false,
        }
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        match self {
            Self::Applications(rows) => rows.len(),
            Self::Assets(rows) => rows.len(),
            Self::Linked(items) => items.len(),
        }
    }

    /// Returns a name, and a second text it is found by.
    pub fn name(&self, index: usize) -> (Cow<'_, str>, Option<&str>) {
        match self {
            Self::Applications(rows) => {
                let name = &rows[index].name;
                (Cow::Owned(labels::application(name)), Some(name))
            }
            Self::Assets(rows) => (Cow::Borrowed(rows[index].name()), None),
            Self::Linked(items) => (Cow::Borrowed(&items[index].text), items[index].url.as_deref()),
        }
    }

    /// Returns the entry for a name.
    pub fn entry(&self, index: usize) -> Option<Entry> {
        Some(match self {
            Self::Applications(rows) => Entry::application(rows.get(index)?),
            Self::Assets(rows) => Entry::asset(rows.get(index)?),
            Self::Linked(items) => Entry::linked(items.get(index)?),
        })
    }
}
