//! A line of the journal: a step's beginning or its end, with a sum that tells whether it is as it was written.
//!
//! What must hold: a line that was cut short or changed is recognised, and so is a whole one that stands behind it where
//! the line's end was damaged. The sum is over the bytes as they stand, so that nothing depends on how JSON is written.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::app::change::Change;
use crate::app::journal::presence::WindowId;
use crate::app::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome, Sent};
use lunette_client::model::diff::FieldChange;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
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
    deed: EntryKind,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    requests: Vec<Sent>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldChange>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    before: Option<Value>,
    answers: EntryRelation,
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
        let Entry { id, at, title, deed, requests, fields, before, outcome: _, answers, undone: _, partly: _ } =
            entry.clone();
        Self { id, at: at.to_string(), title, deed, requests, fields, before, answers, window: Some(window) }
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
        let Self { id, at, title, deed, requests, fields, before, answers, window: _ } = self;
        let at: Timestamp = at.parse().ok()?;
        let outcome = Outcome::Sending;
        Some(Entry { id, at, title, deed, requests, fields, before, outcome, answers, undone: false, partly: None })
    }
}

const HEAD: &[u8] = b"{\"sum\":\"";
const MIDDLE: &[u8] = b"\",\"line\":";

/// How many hexadecimal digits a sum has.
const SUM: usize = 16;

/// How often a whole line is looked for within a damaged one.
const TRIES: usize = 16;

impl Line {
    /// The line as it is written, with its end.
    pub fn bytes(&self) -> serde_json::Result<Vec<u8>> {
        let json = serde_json::to_vec(self)?;
        let mut bytes = Vec::with_capacity(HEAD.len() + SUM + MIDDLE.len() + json.len() + 2);
        bytes.extend_from_slice(HEAD);
        bytes.extend_from_slice(sum(&json).as_bytes());
        bytes.extend_from_slice(MIDDLE);
        bytes.extend_from_slice(&json);
        bytes.extend_from_slice(b"}\n");
        Ok(bytes)
    }

    /// Reads a line without its end; None when it is not as it was written, or says what this program does not know.
    fn read(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(HEAD)?;
        let (said, rest) = rest.split_at_checked(SUM)?;
        let json = rest.strip_prefix(MIDDLE)?.strip_suffix(b"}")?;
        if said == sum(json).as_bytes() { serde_json::from_slice(json).ok() } else { None }
    }
}

/// What stands between two line ends: the lines that are whole, and whether something is not.
pub(super) fn read(bytes: &[u8]) -> (Vec<Line>, bool) {
    if let Some(line) = Line::read(bytes) {
        return (vec![line], false);
    }
    // A damaged line end leaves two lines in one.
    let heads = bytes.windows(HEAD.len()).enumerate().skip(1).filter(|(_, window)| *window == HEAD);
    for (at, _) in heads.take(TRIES) {
        if let Some(line) = Line::read(&bytes[at..]) {
            let first = Line::read(&bytes[..at - 1]).or_else(|| Line::read(&bytes[..at]));
            let damaged = first.is_none();
            return (first.into_iter().chain([line]).collect(), damaged);
        }
    }
    (Vec::new(), true)
}

fn sum(json: &[u8]) -> String {
    Sha256::digest(json).iter().take(SUM / 2).map(|byte| format!("{byte:02x}")).collect()
}
