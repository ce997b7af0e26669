//! A line of the journal: the beginning or the end of a step.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::change::Change;
use crate::journal::presence::WindowId;
use crate::journal::{AskedBy, Entry, EntryId, EntryKind, EntryRelation, Outcome, Sent};
use lunette_client::model::diff::FieldChange;

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalLine {
    /// A step began.
    Begin(Box<Begin>),
    /// A step ended; the last of these counts.
    End(Box<End>),
}

/// A step before its first call is sent.
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
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    before: Option<Value>,
    answers: EntryRelation,
    /// The id of the group of steps that are undone together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<EntryId>,
    /// The assistant whose proposal it carries out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked_by: Option<AskedBy>,
    /// The window that began it; missing in lines of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<WindowId>,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The id of the step.
    pub id: EntryId,
    /// How it ended.
    pub outcome: Outcome,
    /// The applied change, if only the service knew it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Change>,
    /// When that was recorded; missing in lines of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl End {
    /// When that was recorded, if the line says so.
    pub(crate) fn recorded_at(&self) -> Option<Timestamp> {
        self.at.as_deref()?.parse().ok()
    }
}

/// A field that is present, possibly null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Begin {
    pub fn of(entry: &Entry, window: WindowId) -> Self {
        // The outcome has a line of its own, and whether it was undone follows from later lines.
        let Entry { id, at, title, kind, requests, fields, before, answers, group, asked_by, .. } = entry.clone();
        let (at, window) = (at.to_string(), Some(window));
        Self { id, at, title, kind, requests, fields, before, answers, group, asked_by, window }
    }

    /// The id of the step.
    pub fn id(&self) -> EntryId {
        self.id
    }

    /// The step that it undoes or redoes.
    pub fn answers(&self) -> EntryRelation {
        self.answers
    }

    /// The window that began it.
    pub fn window(&self) -> Option<WindowId> {
        self.window
    }

    /// The step; `None` if the line is not valid.
    pub fn entry(self) -> Option<Entry> {
        let Self { id, at, title, kind, requests, fields, before, answers, group, asked_by, window: _ } = self;
        let at: Timestamp = at.parse().ok()?;
        let outcome = Outcome::Sending;
        let (ended, undone, partly, was_unknown) = (None, false, None, None);
        Some(Entry {
            id,
            at,
            ended,
            title,
            kind,
            requests,
            fields,
            before,
            outcome,
            was_unknown,
            answers,
            undone,
            partly,
            group,
            asked_by,
        })
    }
}
