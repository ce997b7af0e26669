//! What a filter matches in a history entry.

use std::borrow::Cow;

use jiff::Timestamp;

use super::labels::{EntryStatus, asset_name};
use lunette_inspector::State;
use lunette_inspector::filter::{Field, Fields, Filterable, Flag, List};
use lunette_inspector::journal::Entry;

/// An entry with its context.
pub(super) struct SearchedEntry<'a> {
    pub entry: &'a Entry,
    pub state: &'a State,
}

impl Filterable for SearchedEntry<'_> {
    const LIST: List = List::History;

    fn haystack(&self) -> Cow<'_, str> {
        format!("{}\n{}", self.entry.title, asset_name(self.entry, self.state)).to_lowercase().into()
    }

    fn is(&self, flag: Flag) -> bool {
        let standing = EntryStatus::of(self.entry, self.state);
        match flag {
            Flag::Done => standing == EntryStatus::Done,
            Flag::Undone => matches!(standing, EntryStatus::Undone | EntryStatus::PartlyUndone),
            Flag::Failed => matches!(standing, EntryStatus::Failed | EntryStatus::NotAll),
            Flag::Unknown => standing == EntryStatus::Unknown,
            _ => false,
        }
    }
}

impl Fields for SearchedEntry<'_> {
    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        match field {
            Field::Title => wanted(&self.entry.title),
            Field::Asset => wanted(&asset_name(self.entry, self.state)),
            Field::Outcome => wanted(EntryStatus::of(self.entry, self.state).label()),
            _ => false,
        }
    }

    fn number(&self, _: Field) -> Option<i64> {
        None
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        (field == Field::At).then_some(self.entry.at)
    }
}
