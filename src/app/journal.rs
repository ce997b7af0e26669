//! The journal: every write, on disk before it is sent, with the previous value, the request and the outcome.
//!
//! What must hold: an entry is on disk before its call leaves; a journal that was cut short or damaged loses the lines
//! that are damaged and no other, and says so; no entry is ever rewritten. The database of the data folder holds the
//! journals of all connections.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::change::Change;
use lunette_client::model::diff::FieldChange;

mod disk;
pub(in crate::app) mod folder;
mod line;
mod presence;
mod replay;
mod tail;

pub use disk::{BeginError, Journal, JournalError, Opened};
pub(in crate::app) use line::End;
pub(in crate::app) use replay::NO_ANSWER;
pub(in crate::app) use tail::JournalEvent;

/// The id of a bulk run, whose rows are in a ledger of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub uuid::Uuid);

impl RunId {
    /// A new one.
    pub fn random() -> Self {
        Self(uuid::Uuid::new_v4())
    }
}

/// Names an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(pub uuid::Uuid);

impl EntryId {
    /// A new one.
    pub fn random() -> Self {
        Self(uuid::Uuid::new_v4())
    }
}

/// One step of the user's, as the journal has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Names it.
    pub id: EntryId,
    /// When it began.
    pub at: Timestamp,
    /// What was done, in a sentence: "Linked tag “rust”".
    pub title: String,
    /// What was done, as a value.
    pub kind: EntryKind,
    /// What went out.
    pub requests: Vec<Sent>,
    /// What it changed, place by place.
    pub fields: Vec<FieldChange>,
    /// The asset before, without content where it was read without.
    pub before: Option<Value>,
    /// How it ended.
    pub outcome: Outcome,
    /// Which entry it undoes or redoes.
    pub answers: EntryRelation,
    /// Whether all of it was undone and not redone.
    pub undone: bool,
    /// The outcome of a partial or failed undo.
    pub partly: Option<Partly>,
}

/// A step that was tried to be undone, and is not undone as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partly {
    /// How many of its assets are undone.
    pub undone: usize,
    /// Of how many that could be.
    pub of: usize,
    /// Whether the last attempt has an unknown outcome.
    pub unclear: bool,
}

impl Entry {
    /// Takes in how it ended, with what only the service could say.
    pub(in crate::app) fn end(&mut self, outcome: Outcome, done: Option<Change>) {
        self.outcome = outcome;
        match (&self.kind, done) {
            // A call that created an asset can be undone once the asset is known.
            (EntryKind::Change(_) | EntryKind::Call { .. }, Some(done)) => self.kind = EntryKind::Change(done),
            (EntryKind::Change(_) | EntryKind::Call { .. } | EntryKind::Batch { .. }, Some(_) | None) => {}
        }
    }

    /// How many of its assets it was done to, and of how many; None while that is open or unknown, and for a single
    /// step that failed: it left everything as it was.
    fn done_of(&self) -> Option<(usize, usize)> {
        let count = match self.kind {
            EntryKind::Batch { count, .. } => count,
            EntryKind::Change(_) | EntryKind::Call { .. } => 1,
        };
        match (&self.outcome, &self.kind) {
            (Outcome::Done, _) => Some((count, count)),
            (Outcome::Partly { done, of, .. }, _) => Some((*done, *of)),
            (Outcome::Failed(_), EntryKind::Batch { .. }) => Some((0, count)),
            (Outcome::Failed(_), EntryKind::Change(_) | EntryKind::Call { .. })
            | (Outcome::Sending | Outcome::Unknown(_), _) => None,
        }
    }
}

/// How far a step is undone, of the steps that undid and redid it in their order: whether as a whole, and otherwise what
/// came of the attempts.
pub(in crate::app) fn undone_by<'a>(answers: impl Iterator<Item = &'a Entry>) -> (bool, Option<Partly>) {
    let (mut now, mut tried) = (Partly::default(), false);
    for step in answers {
        now.unclear = matches!(step.outcome, Outcome::Unknown(_)) && !matches!(step.answers, EntryRelation::Redoes(_));
        tried |= now.unclear;
        let Some((done, of)) = step.done_of() else { continue };
        match step.answers {
            EntryRelation::None => {}
            EntryRelation::Undoes(_) => {
                (now.of, tried) = (now.of.max(now.undone + of), true);
                now.undone += done;
            }
            EntryRelation::Redoes(_) => now.undone = now.undone.saturating_sub(done),
        }
        if now.undone == 0 && matches!(step.answers, EntryRelation::Redoes(_)) {
            (now, tried) = (Partly::default(), false);
        }
    }
    let whole = now.undone > 0 && now.undone >= now.of && !now.unclear;
    (whole, (tried && !whole).then_some(now))
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// One change; what only the service could say is filled in at its end.
    Change(Change),
    /// Many changes in one step; the run's ledger has each.
    Batch {
        /// The run.
        run: RunId,
        /// Of how many assets.
        count: usize,
    },
    /// An operation sent from the console, which nothing takes back.
    Call {
        /// Its name in the table.
        operation: String,
    },
}

/// A request that went out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// The operation's name.
    pub operation: String,
    /// The method.
    pub method: String,
    /// The path and query.
    pub target: String,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is under way; after a restart this reads as unknown.
    Sending,
    /// It was done.
    Done,
    /// It was not done; why.
    Failed(String),
    /// Nobody knows whether it was done; why. To be read again, never repeated by itself.
    Unknown(String),
    /// Of a batch: it was done to some of its assets.
    Partly {
        /// To how many.
        done: usize,
        /// Of how many.
        of: usize,
        /// Why not to the others.
        why: String,
    },
}

/// Which entry a step undoes or redoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryRelation {
    /// None: it is a step of its own.
    #[serde(rename = "nothing")]
    None,
    /// It undoes this one.
    #[serde(rename = "undo")]
    Undoes(EntryId),
    /// It redoes this one.
    #[serde(rename = "redo")]
    Redoes(EntryId),
}

/// A sentence within another one.
pub(in crate::app) fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod window_tests;
