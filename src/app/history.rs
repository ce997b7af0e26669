//! The steps of a connection, newest last: what can be taken back, what can be done again.
//!
//! What must hold: a batch is one step; what is unknown or failed is neither taken back nor done again; a new step ends
//! what could be done again.

use std::sync::Arc;

use crate::app::journal::{Entry, EntryId};

/// The steps of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// The one looked at.
    pub selected: Option<EntryId>,
    /// What was wrong with the journal when it was read, for people.
    pub said: Option<String>,
}

impl History {
    /// The step of this name.
    pub fn entry(&self, id: EntryId) -> Option<&Arc<Entry>> {
        self.entries.iter().rev().find(|entry| entry.id == id)
    }

    /// The step that Undo takes back.
    pub fn undoable(&self) -> Option<&Arc<Entry>> {
        None
    }

    /// The step that Redo does again.
    pub fn redoable(&self) -> Option<&Arc<Entry>> {
        None
    }
}
