//! What a filter looks at in a step of the history.

use std::borrow::Cow;

use jiff::Timestamp;

use super::words::{EntryStatus, asset_name};
use crate::app::State;
use crate::app::filter::{Field, Flag, List, Searched};
use crate::app::journal::Entry;

/// A step, with what is known around it.
pub(super) struct Step<'a> {
    pub entry: &'a Entry,
    pub state: &'a State,
}

impl Searched for Step<'_> {
    const LIST: List = List::History;

    fn haystack(&self) -> Cow<'_, str> {
        format!("{}\n{}", self.entry.title, asset_name(self.entry, self.state)).to_lowercase().into()
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        match field {
            Field::Title => wanted(&self.entry.title),
            Field::Asset => wanted(&asset_name(self.entry, self.state)),
            Field::Outcome => wanted(EntryStatus::of(self.entry, self.state).word()),
            _ => false,
        }
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        (field == Field::At).then_some(self.entry.at)
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
