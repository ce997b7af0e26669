//! Bulk operations: one operation on many assets, planned, executed as a run, and reported.

use std::sync::Arc;

use crate::Remote;
use crate::write::plan::{Plan, UndoKind};
use lunette_client::model::id::AssetId;

mod actions;
pub mod headless;
pub mod merge;
mod output;
pub mod plan_file;
pub mod report;
mod state;
pub(crate) mod window;

pub use actions::Action;
pub(crate) use output::Output;
pub use state::{Batch, Bulk};

use crate::runs::{BatchAnswer, BulkOperation};
use merge::MergePlan;

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
    /// A merge of near duplicates.
    Merge(Arc<MergePlan>),
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
