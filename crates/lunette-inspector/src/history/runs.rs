//! The runs in the history: each belongs to a batch, which is one step.
//!
//! What must hold: other features change the history by these methods and by [`History::insert`] only.

use std::sync::Arc;

use crate::history::History;
use crate::journal::{Entry, EntryId, RunId};
use crate::runs::Run;

impl History {
    /// Adds a run that begins now, with its step, and selects the step.
    pub(crate) fn begin_run(&mut self, step: Arc<Entry>, run: Run) {
        self.selected = Some(step.id);
        self.insert(step);
        self.add_run(run);
    }

    /// Adds a run whose step is known, or replaces it.
    pub(crate) fn add_run(&mut self, run: Run) {
        self.runs.insert(run.id, run);
    }

    /// The run with this id, to update its rows and its status.
    pub(crate) fn run_mut(&mut self, run: RunId) -> Option<&mut Run> {
        self.runs.get_mut(&run)
    }

    /// Drops the rows of a run; they are read again when they are needed.
    pub(crate) fn forget_run(&mut self, run: RunId) {
        self.runs.remove(&run);
    }

    /// Marks a batch that changed nothing: Undo skips it.
    pub(crate) fn mark_unchanged(&mut self, step: EntryId) {
        self.unchanged.insert(step);
    }

    /// Marks a batch of which no change can be undone.
    pub(crate) fn mark_irreversible(&mut self, step: EntryId) {
        self.irreversible.insert(step);
    }

    /// Marks runs whose ledgers cannot be read.
    pub(crate) fn mark_unreadable(&mut self, runs: impl IntoIterator<Item = RunId>) {
        self.unreadable.extend(runs);
    }

    /// Whether the ledger of a run could not be read.
    pub(crate) fn is_unreadable(&self, run: RunId) -> bool {
        self.unreadable.contains(&run)
    }

    /// Selects a step, or none.
    pub(crate) fn select(&mut self, step: Option<EntryId>) {
        self.selected = step;
    }
}
