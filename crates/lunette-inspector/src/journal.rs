//! The journal: every write, on disk before it is sent, with the previous value, the request and the outcome.
//!
//! What must hold: an entry is on disk before its call is sent; a truncated or damaged journal loses only the damaged
//! lines and reports them; no entry is ever rewritten. The database of the data folder has the journals of all
//! connections.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::change::Change;
use lunette_client::model::diff::FieldChange;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsCreateNewAsset;

pub(crate) mod asked;
mod disk;
pub(crate) mod folder;
mod line;
mod presence;
mod replay;
mod tail;

pub use disk::{BeginError, Journal, JournalError, Opened};
pub(crate) use line::End;
pub(crate) use replay::NO_ANSWER;
pub(crate) use tail::JournalEvent;

/// The id of a bulk run, whose rows are in its ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub uuid::Uuid);

impl RunId {
    /// Creates a new id.
    pub fn random() -> Self {
        Self(uuid::Uuid::new_v4())
    }
}

/// The id of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(pub uuid::Uuid);

impl EntryId {
    /// Creates a new id.
    pub fn random() -> Self {
        Self(uuid::Uuid::new_v4())
    }
}

/// One step of the user in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its id.
    pub id: EntryId,
    /// When it began.
    pub at: Timestamp,
    /// When its last outcome was recorded; `None` while it is in progress, and for steps of earlier versions of the
    /// program.
    pub ended: Option<Timestamp>,
    /// The title: "Linked tag “rust”".
    pub title: String,
    /// The kind of the step.
    pub kind: EntryKind,
    /// The sent requests.
    pub requests: Vec<Sent>,
    /// The changed fields.
    pub fields: Vec<FieldChange>,
    /// The asset before the step, without content if it was read without.
    pub before: Option<Value>,
    /// The outcome.
    pub outcome: Outcome,
    /// Why the outcome was unknown, until reading the asset again showed it.
    pub was_unknown: Option<String>,
    /// The entry that it undoes or redoes.
    pub answers: EntryRelation,
    /// Whether it was completely undone, and not redone.
    pub undone: bool,
    /// The outcome of a partial or failed undo.
    pub partly: Option<Partly>,
    /// Names the steps that one request of the user made together, as where several tags are deleted: they are undone
    /// together. None for a step by itself.
    pub group: Option<EntryId>,
    /// The assistant whose proposal it carried out; None for a step of the user.
    pub asked_by: Option<AskedBy>,
}

/// The assistant that proposed a change, and which of its proposals it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AskedBy {
    /// The name by which the assistant is known.
    pub client: String,
    /// The number of the proposal.
    pub proposal: u64,
}

/// The title of a step that carried out the proposal of an assistant.
pub(crate) fn asked_title(title: String, asked_by: Option<&AskedBy>) -> String {
    let Some(AskedBy { client, proposal }) = asked_by else { return title };
    let suffix = format!(" (asked by {client}, proposal {proposal})");
    // The undo of such a step has the title of the step.
    if title.ends_with(&suffix) { title } else { title + &suffix }
}

/// The outcome of an undo that did not undo the whole step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partly {
    /// How many of its assets were undone.
    pub undone: usize,
    /// How many could be undone.
    pub of: usize,
    /// Whether the last attempt has an unknown outcome.
    pub unclear: bool,
}

impl Entry {
    /// Sets the outcome, the applied change if only the service knew it, and when that was recorded, if it is known.
    pub(crate) fn end(&mut self, outcome: Outcome, done: Option<Change>, at: Option<Timestamp>) {
        self.ended = at.or(self.ended);
        let before = std::mem::replace(&mut self.outcome, outcome);
        if let (Outcome::Unknown(why), Outcome::Done | Outcome::Failed(_)) = (before, &self.outcome) {
            self.was_unknown = Some(why);
        }
        match (&self.kind, done) {
            // A call that created an asset can be undone once the asset is known.
            (EntryKind::Change(_) | EntryKind::Call { .. }, Some(done)) => self.kind = EntryKind::Change(done),
            (EntryKind::Change(_) | EntryKind::Call { .. } | EntryKind::Batch { .. }, Some(_) | None) => {}
        }
    }

    /// Whether it sent a new asset of which nothing else is known.
    pub fn creates_asset(&self) -> bool {
        matches!(&self.kind, EntryKind::Call { operation } if operation == AssetsCreateNewAsset::INFO.name)
    }

    /// How far it came.
    pub(crate) fn attempt(&self) -> Attempt<'_> {
        let batch = match self.kind {
            EntryKind::Batch { count, .. } => Some(count),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        };
        Attempt { answers: self.answers, outcome: &self.outcome, batch }
    }
}

/// How far a step came, or the undo or redo of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt<'a> {
    pub answers: EntryRelation,
    pub outcome: &'a Outcome,
    /// The number of assets of a batch; `None` for a single step.
    pub batch: Option<usize>,
}

impl Attempt<'_> {
    /// How many of its assets were changed, and of how many; `None` while that is open or unknown, and for a single
    /// step that failed, which changed nothing.
    pub(crate) fn done_of(self) -> Option<(usize, usize)> {
        let count = self.batch.unwrap_or(1);
        match (self.outcome, self.batch) {
            (Outcome::Done, _) => Some((count, count)),
            (Outcome::Partly { done, of, .. }, _) => Some((*done, *of)),
            (Outcome::Failed(_), Some(_)) => Some((0, count)),
            (Outcome::Failed(_), None) | (Outcome::Sending | Outcome::Unknown(_), _) => None,
        }
    }
}

/// Whether a step is completely undone, and otherwise the outcome of partial attempts, determined from the steps that
/// undid and redid it, in order.
pub(crate) fn undone_by<'a>(answers: impl Iterator<Item = Attempt<'a>>) -> (bool, Option<Partly>) {
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

/// The kind of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// One change; values that only the service knew are filled in at its end.
    Change(Change),
    /// Many changes in one step; the run's ledger has each.
    Batch {
        /// The run.
        run: RunId,
        /// The number of assets.
        count: usize,
    },
    /// An operation sent from the console, which cannot be undone.
    Call {
        /// Its name in the table.
        operation: String,
    },
}

/// A sent request.
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
    /// Whether the body is without the content of the new asset, which is too large for the history; it has the digest.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shortened: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is in progress; after a restart this is read as unknown.
    Sending,
    /// It succeeded.
    Done,
    /// It failed; why.
    Failed(String),
    /// The outcome is unknown; why. It is reconciled by a read, and never repeated automatically.
    Unknown(String),
    /// A batch that changed only some of its assets.
    Partly {
        /// How many it changed.
        done: usize,
        /// Of how many.
        of: usize,
        /// Why it did not change the others.
        why: String,
    },
}

/// The entry that a step undoes or redoes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryRelation {
    /// None: it is a new step.
    #[default]
    #[serde(rename = "nothing")]
    None,
    /// It undoes this one.
    #[serde(rename = "undo")]
    Undoes(EntryId),
    /// It redoes this one.
    #[serde(rename = "redo")]
    Redoes(EntryId),
}

/// A sentence for use within another one.
pub(crate) fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod window_tests;
