//! Every write, on disk before it is sent: what was there, what went out, how it ended.
//!
//! What must hold: an entry is on disk before its call leaves; a journal that was cut short or damaged loses the lines
//! that are damaged and no other, and says so; no entry is ever rewritten. One folder holds the journals of all
//! connections, a folder each.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::bulk::RunId;
use crate::app::change::Change;
use crate::model::diff::FieldChange;

mod disk;
pub(in crate::app) mod folder;
mod line;
mod presence;
mod replay;
mod rotate;
mod tail;

pub use disk::{BeginError, Journal, JournalError, Opened};
pub(in crate::app) use line::End;
pub(in crate::app) use replay::NO_ANSWER;
pub(in crate::app) use tail::JournalEvent;

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
    pub deed: Deed,
    /// What went out.
    pub requests: Vec<Sent>,
    /// What it changed, place by place.
    pub fields: Vec<FieldChange>,
    /// The asset before, without content where it was read without.
    pub before: Option<Value>,
    /// How it ended.
    pub outcome: Outcome,
    /// Which entry it takes back or does again.
    pub answers: Answers,
    /// Whether it was taken back since, and not done again.
    pub undone: bool,
}

impl Entry {
    /// Takes in how it ended, with what only the service could say.
    pub(in crate::app) fn end(&mut self, outcome: Outcome, done: Option<Change>) {
        self.outcome = outcome;
        match (&self.deed, done) {
            // A call that made an asset can be taken back once the asset is known.
            (Deed::Change(_) | Deed::Call { .. }, Some(done)) => self.deed = Deed::Change(done),
            (Deed::Change(_) | Deed::Call { .. } | Deed::Batch { .. }, Some(_) | None) => {}
        }
    }

    /// Whether it was done, or some of its rows may have been.
    pub fn partly_done(&self) -> bool {
        match (&self.outcome, &self.deed) {
            (Outcome::Done, _) | (Outcome::Failed(_) | Outcome::Unknown(_), Deed::Batch { .. }) => true,
            (Outcome::Sending, _) | (Outcome::Failed(_) | Outcome::Unknown(_), Deed::Change(_) | Deed::Call { .. }) => {
                false
            }
        }
    }
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
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
}

/// Which entry a step takes back or does again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// None: it is a step of its own.
    Nothing,
    /// It takes this one back.
    Undo(EntryId),
    /// It does this one again.
    Redo(EntryId),
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod window_tests;
