//! The state of bulk operations: the displayed runs, and what executes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::BulkDraft;
use super::window::ActiveRun;
use crate::change::Change;
use crate::journal::EntryRelation;
use crate::run::{Run, Runs};
use crate::runs::RunId;

/// The planned run, and the runs of this connection.
#[derive(Default)]
pub struct Bulk {
    /// The run that is shown before it starts.
    pub draft: Option<BulkDraft>,
    /// Whether a merge of near duplicates is being planned.
    pub planning_merge: bool,
    /// The runs that were started or opened.
    pub runs: Runs,
    /// Those whose ledgers cannot be read, so that their rows are unknown.
    pub(super) unreadable: BTreeSet<RunId>,
    /// The state of active and resumable runs.
    pub(super) active: BTreeMap<RunId, ActiveRun>,
}

impl Bulk {
    /// Adds runs that have ended elsewhere, such as those of an import.
    pub(crate) fn add_runs(&mut self, runs: Vec<Run>) {
        self.runs.extend(runs.into_iter().map(|run| (run.id, run)));
    }
}

/// A run of changes that is confirmed by a question instead of a displayed plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The title.
    pub title: String,
    /// The changes, each with the name of its asset.
    pub changes: Arc<Vec<(Change, String)>>,
    /// How many rows are in flight at once.
    pub in_flight: usize,
    /// The step that it undoes or redoes.
    pub answers: EntryRelation,
}
