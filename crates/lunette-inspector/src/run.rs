//! Runs as values: their rows, their statuses and the counts of these, for what executes, records, shows and undoes them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::change::Change;
use crate::journal::{EntryId, RunId};
use lunette_client::model::id::AssetId;
use lunette_client::model::size::grouped;

mod sentence;

pub use sentence::sentence;
pub(crate) use sentence::{REDO, UNDO, answered, ended};

/// Runs by their ids.
pub type Runs = BTreeMap<RunId, Run>;

/// A run, active or ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// The title.
    pub title: String,
    /// One row for each asset.
    pub rows: Arc<Vec<RunRow>>,
    /// The status.
    pub status: RunStatus,
    /// How many are in flight at once, 1 to 8.
    pub in_flight: usize,
    /// Its step in the history.
    pub entry: Option<EntryId>,
    /// The destination of its exports.
    pub target: Option<PathBuf>,
    /// When it began.
    pub at: jiff::Timestamp,
    /// The names of files for which it is unknown whether the run created an asset; they have no row.
    pub unconfirmed: Arc<Vec<String>>,
    /// The number of rows per status, updated with every change of a row so that no frame counts them.
    counts: Counts,
}

/// One row of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// The asset's id.
    pub asset: AssetId,
    /// The asset's name.
    pub name: Arc<str>,
    /// The status.
    pub status: RowStatus,
    /// The applied change, including the values found at that time; its inverse undoes it.
    pub done: Option<Arc<Change>>,
    /// The file of an export.
    pub saved: Option<Arc<SavedFile>>,
    /// A message if the service did not apply the change exactly as requested.
    pub message: Option<Arc<str>>,
    /// The row of the batch that it undoes or redoes.
    pub target: Option<usize>,
}

impl RunRow {
    /// A pending row.
    pub fn new(asset: AssetId, name: &str) -> Self {
        Self {
            asset,
            name: name.into(),
            status: RowStatus::Pending,
            done: None,
            saved: None,
            message: None,
            target: None,
        }
    }
}

/// The file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFile {
    /// Its name in the folder or archive.
    pub name: String,
    /// Its size, in bytes.
    pub bytes: u64,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The status of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowStatus {
    /// Pending.
    Pending,
    /// In flight.
    Sending,
    /// Done.
    Done,
    /// Nothing was sent because there was nothing to change; how the asset is.
    Unchanged(String),
    /// Failed; why.
    Failed(String),
    /// The outcome is unknown; why.
    Unknown(String),
}

/// The status of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunStatus {
    /// The run is active.
    Running,
    /// The user paused it, or it stopped itself; why.
    Paused(Option<String>),
    /// It was interrupted by a crash or the end of the program; it can be resumed.
    Interrupted,
    /// The user cancelled it; rows that had started are complete.
    Cancelled,
    /// Every row has ended.
    Ended,
}

/// The number of rows per status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Pending.
    pub pending: usize,
    /// In flight.
    pub sending: usize,
    /// Done.
    pub done: usize,
    /// Unchanged.
    pub unchanged: usize,
    /// Failed.
    pub failed: usize,
    /// Of unknown outcome.
    pub unknown: usize,
}

impl Counts {
    fn of(&mut self, status: &RowStatus) -> &mut usize {
        match status {
            RowStatus::Pending => &mut self.pending,
            RowStatus::Sending => &mut self.sending,
            RowStatus::Done => &mut self.done,
            RowStatus::Unchanged(_) => &mut self.unchanged,
            RowStatus::Failed(_) => &mut self.failed,
            RowStatus::Unknown(_) => &mut self.unknown,
        }
    }

    /// The number of rows that have ended.
    pub fn ended(&self) -> usize {
        self.done + self.unchanged + self.failed + self.unknown
    }

    /// The number of rows.
    pub fn all(&self) -> usize {
        self.ended() + self.pending + self.sending
    }
}

impl Run {
    /// A run of these rows that starts now.
    pub fn new(title: String, rows: Vec<RunRow>, in_flight: usize) -> Self {
        let mut run = Self {
            id: RunId::random(),
            title,
            rows: Arc::default(),
            status: RunStatus::Running,
            in_flight: in_flight.clamp(1, 8),
            entry: None,
            target: None,
            at: jiff::Timestamp::now(),
            unconfirmed: Arc::default(),
            counts: Counts::default(),
        };
        for row in &rows {
            *run.counts.of(&row.status) += 1;
        }
        run.rows = Arc::new(rows);
        run
    }

    /// Returns the number of rows per status in constant time.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Changes a row; an unknown index is ignored. The rows are copied only while they are shared.
    pub fn change(&mut self, row: usize, change: impl FnOnce(&mut RunRow)) {
        let Some(row) = Arc::make_mut(&mut self.rows).get_mut(row) else { return };
        *self.counts.of(&row.status) -= 1;
        change(row);
        *self.counts.of(&row.status) += 1;
    }

    /// Adds files for which it is unknown whether the run created an asset.
    pub fn add_unconfirmed(&mut self, names: Vec<String>) {
        if !names.is_empty() {
            Arc::make_mut(&mut self.unconfirmed).extend(names);
        }
    }

    /// A message about files for which it is unknown whether the run created an asset, if there are any.
    pub fn unconfirmed_text(&self) -> Option<String> {
        let (first, count) = (self.unconfirmed.first()?, self.unconfirmed.len());
        let files = match count {
            1 => format!("“{first}” was imported"),
            count => format!("“{first}” and {} more files were imported", grouped(count as u64 - 1)),
        };
        Some(format!(
            "it is unknown whether {files}; import them again, and those that are already there are not imported twice"
        ))
    }

    /// Adds a row.
    pub fn add(&mut self, row: RunRow) {
        *self.counts.of(&row.status) += 1;
        Arc::make_mut(&mut self.rows).push(row);
    }
}
