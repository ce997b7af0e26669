//! Bulk operations: one operation on many assets, shown as a table with a row per asset, with a ledger on disk and a
//! report.
//!
//! What must hold: every asset is read again before its write. A row of unknown outcome is reconciled by reading, never
//! by repeating the write. After a crash each row is processed once. The whole run is one step of the history.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Remote;
use crate::capability::Capability;
use crate::change::{Change, Counter, Item, LinkKind};
use crate::files::json_path;
use crate::journal::EntryRelation;
pub use crate::journal::RunId;
pub use crate::runs::{Counts, Row, RowStatus, Run, RunStatus, Runs, SavedFile};
use crate::write::plan::{Plan, UndoKind};
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;

mod actions;
pub(crate) mod answer;
mod control;
pub mod export;
pub mod headless;
pub mod ledger;
pub(crate) mod operation;
mod output;
pub mod plan_file;
mod record;
pub mod report;
mod run;
mod state;
pub(crate) mod window;

pub use actions::Action;
pub use operation::trash_title;
pub(crate) use output::Output;
pub use state::{Batch, Bulk};

pub use control::{Control, StopMode};
pub use ledger::{Ledger, LedgerError};
pub use record::{Header, LedgerEvent, NewItem, RunContext, RunRecord};
pub(crate) use run::OnWritten;
pub use run::{Exports, RowSelection, Work, run};

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

/// The plans of the first assets of a run, or why there is none.
pub type Sample = Vec<(AssetId, Result<Plan, NotPlanned>)>;

/// Why nothing is sent for an asset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlanned {
    /// There is nothing to change; the sentence says how the asset is.
    #[error("nothing to change: {0}")]
    Unchanged(String),
    /// It could not be planned; why.
    #[error("{0}")]
    Failed(String),
}

/// Assets with their ids and names.
pub type NamedAssets = Arc<Vec<(AssetId, String)>>;

/// The work of a planned run.
#[derive(Clone, Debug, PartialEq)]
pub enum BulkJob {
    /// One operation on every asset.
    Operation(BulkOperation),
    /// Undo or redo of a batch.
    Answer(Arc<BatchAnswer>),
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

/// A planned run that is shown before it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct BulkDraft {
    /// The title: "Link tag “rust” to 3 assets".
    pub title: String,
    /// What it is for.
    pub job: BulkJob,
    /// The assets: ids and names.
    pub assets: NamedAssets,
    /// The plans of the first assets, from fresh reads, as they will be sent, or why there is none.
    pub sample: Remote<Arc<Sample>, String>,
    /// Whether the whole can be undone.
    pub undo: UndoKind,
    /// How many are in flight at once, 1 to 8.
    pub in_flight: usize,
}

/// A format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// Comma-separated values, safe in a spreadsheet.
    Csv,
    /// JSON.
    Json,
    /// A Markdown table.
    Markdown,
}
