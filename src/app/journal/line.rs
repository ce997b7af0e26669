//! A line of the journal: a step's beginning or its end.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::app::change::Change;
use crate::app::journal::presence::WindowId;
use crate::app::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome, Sent};
use lunette_client::model::diff::FieldChange;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalLine {
    /// A step began.
    Begin(Box<Begin>),
    /// A step ended; the last of these holds.
    End(Box<End>),
}

/// A step before its first call left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Begin {
    id: EntryId,
    at: String,
    title: String,
    #[serde(rename = "deed")]
    kind: EntryKind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    requests: Vec<Sent>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldChange>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    before: Option<Value>,
    answers: EntryRelation,
    /// Which steps it was made together with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<EntryId>,
    /// The window that has it under way; lines of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<WindowId>,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// Which step.
    pub id: EntryId,
    /// How it ended.
    pub outcome: Outcome,
    /// The change, with what only the service could say filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Change>,
}

/// A field that is there, be it null.
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Begin {
    pub fn of(entry: &Entry, window: WindowId) -> Self {
        // Its outcome comes in a line of its own, and whether it was undone follows from the lines behind it.
        let Entry { id, at, title, kind, requests, fields, before, outcome: _, answers, undone: _, partly: _, group } =
            entry.clone();
        Self { id, at: at.to_string(), title, kind, requests, fields, before, answers, group, window: Some(window) }
    }

    /// Which step it is.
    pub fn id(&self) -> EntryId {
        self.id
    }

    /// Which step it undoes or redoes.
    pub fn answers(&self) -> EntryRelation {
        self.answers
    }

    /// Which window has it under way.
    pub fn window(&self) -> Option<WindowId> {
        self.window
    }

    /// The step; None where the line is no step of ours.
    pub fn entry(self) -> Option<Entry> {
        let Self { id, at, title, kind, requests, fields, before, answers, group, window: _ } = self;
        let at: Timestamp = at.parse().ok()?;
        let outcome = Outcome::Sending;
        let (undone, partly) = (false, None);
        Some(Entry { id, at, title, kind, requests, fields, before, outcome, answers, undone, partly, group })
    }
}
