//! Runs: changes of many assets, or new assets, with a ledger on disk. An import and a bulk operation are runs.
//!
//! What must hold: every asset is read again before its write. A row of unknown outcome is reconciled by reading, never
//! by repeating the write. After a crash each row is processed once. The whole run is one step of the history.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::capability::Capability;
use crate::change::{Change, Counter, Item, LinkKind};
use crate::files::json_path;
use crate::journal::EntryRelation;
pub use crate::journal::RunId;
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;

pub(crate) mod answer;
mod checkpoint;
mod control;
pub mod export;
mod ledger;
mod operation;
mod record;
mod run;
mod step;

pub use crate::run::{Counts, RowStatus, Run, RunRow, RunStatus, Runs, SavedFile, sentence};
pub(crate) use checkpoint::checkpoint_before;
pub use control::{Control, StopMode};
pub use ledger::{Ledger, LedgerError};
pub use operation::trash_title;
pub use record::{LedgerEvent, NewItem, RunContext, RunRecord};
pub use run::{Exports, RowSelection, Work, run};
pub(crate) use run::{OnWritten, silent};
pub(crate) use step::{call_group, outcome, step_of};

/// The operation of a run on each of its assets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum BulkOperation {
    /// Link an item.
    Link(Item),
    /// Create an item once, and link it; where others are named, in their place.
    LinkNew {
        /// Its kind.
        kind: LinkKind,
        /// Its text or name.
        text: String,
        /// A website's address.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<String>,
        /// The items to unlink in its place.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unlink: Vec<Item>,
    },
    /// Remove the link of an item.
    Unlink(Item),
    /// Replace links of some items by a link of another.
    Relink {
        /// The item to link.
        link: Item,
        /// The items to unlink; not empty.
        unlink: Vec<Item>,
    },
    /// Change its language.
    Reclassify(String),
    /// Set or clear its favourite mark.
    Favourite(bool),
    /// Increment a counter of its score.
    Increment(Counter),
    /// Export it.
    Export {
        /// The document type.
        kind: ExportType,
        /// The destination.
        to: ExportTarget,
    },
    /// Delete it.
    Delete,
}

/// The destination of exports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExportTarget {
    /// A folder; existing files are kept.
    Folder(#[serde(with = "json_path")] PathBuf),
    /// A zip archive.
    Zip(#[serde(with = "json_path")] PathBuf),
}

/// The task of one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A write.
    Change(Change),
    /// An export to the destination of the run.
    Export(AssetId),
}

/// The undo or redo of a batch, for the rows that are in force or undone.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchAnswer {
    /// The title: "Undo: Imported src".
    pub title: String,
    /// One row for each asset, in the order of execution.
    pub rows: Vec<AnswerRow>,
    /// Which step it undoes or redoes.
    pub answers: EntryRelation,
    /// How many are in flight at once.
    pub in_flight: usize,
    /// Whether a backup is created first.
    pub backup: BackupFirst,
    /// The capability that it needs.
    pub capabilities: Vec<Capability>,
}

/// One row of the undo or redo of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerRow {
    /// The change.
    pub change: Change,
    /// The asset's name.
    pub name: String,
    /// The row of the batch that it undoes or redoes.
    pub target: usize,
}

/// Whether a backup is created before a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackupFirst {
    /// No: it deletes few assets, or none.
    NotNeeded,
    /// Yes, and the run does not start without it.
    Made,
    /// It would be, but cannot; why, in a sentence.
    Impossible(&'static str),
}
