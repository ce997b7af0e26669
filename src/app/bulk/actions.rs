//! What a user can ask of operations on many assets.

use super::{Batch, Bulk};
use crate::app::bulk::BatchAnswer;
use crate::app::bulk::BulkOperation;
use crate::app::bulk::NamedAssets;
use crate::app::bulk::ReportKind;
use crate::app::bulk::RunId;
use crate::app::bulk::{RowSelection, StopMode};
use crate::app::confirm::Confirmed;
use crate::app::context::Context;
use crate::app::journal::EntryId;
use lunette_client::model::export::ExportType;
use std::sync::Arc;

/// One request of the user about operations on many assets.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Plans again what undoes or redoes a batch.
    PlanAnswer(Arc<BatchAnswer>),
    /// Plans one wish for many assets: id, and name for people.
    Plan(BulkOperation, NamedAssets),
    /// Chooses how many are in flight at once, of the run that is looked at before it starts.
    SetDraftInFlight(usize),
    /// Starts the run that is looked at.
    Start,
    /// Puts the run that is looked at away.
    Dismiss,
    /// Reads a run's ledger, to look at it.
    Open(RunId),
    /// Halts a run; what is under way ends.
    Pause(RunId),
    /// Goes on with a run that was halted or cut off.
    Resume(RunId),
    /// Ends a run; what is under way ends, the rest is not begun.
    Cancel(RunId),
    /// Does the failed rows of a run again, and reads the unknown ones.
    Retry(RunId),
    /// Undoes a batch; true goes on to the step before where the batch changed nothing.
    UndoBatch(EntryId, bool),
    /// Redoes a batch that was undone.
    RedoBatch(EntryId),
    /// Goes on with a run after asking.
    Continue(RunId, RowSelection, Confirmed),
    /// Starts a run of changes after asking.
    StartBatch(Batch, Confirmed),
    /// The backup before a run was made, or why it was not; the number is that of the connection.
    BackedUp(Arc<BatchAnswer>, Result<(), String>, u64),
    /// Forgets the rows of a run that another window carried on; they are read again when they are needed.
    Forget(EntryId, RunId),
    /// Chooses how many of a run are in flight at once.
    SetInFlight(RunId, usize),
    /// Saves a run's report, where the user says.
    SaveReport(RunId, ReportKind),
    /// Saves the run that is looked at as a plan for `lunette bulk`, where the user says.
    SavePlan,
    /// Lets the user pick where many exports go: a folder (false) or a zip archive (true), then plans the run.
    PickExportPlace(ExportType, bool, NamedAssets),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Bulk(action)
    }
}

impl Bulk {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::PlanAnswer(answer) => self.plan_answer(answer, cx),
            Action::Plan(operation, assets) => self.plan_bulk(operation, assets, cx),
            Action::SetDraftInFlight(count) => self.draft_in_flight(count),
            Action::Start => self.start_bulk(cx),
            Action::Dismiss => self.draft = None,
            Action::Open(run) => self.open_run(run, cx),
            Action::Pause(run) => self.pause_run(run),
            Action::Resume(run) => self.resume_run(run, cx),
            Action::Cancel(run) => self.cancel_run(run, cx),
            Action::Retry(run) => self.retry_run(run, cx),
            Action::SetInFlight(run, count) => self.run_in_flight(run, count, cx),
            Action::UndoBatch(entry, go_on) => self.undo_batch(entry, go_on, cx),
            Action::RedoBatch(entry) => self.redo_batch(entry, cx),
            Action::Continue(run, which, Confirmed { .. }) => self.continue_run(run, which, StopMode::No, cx),
            Action::StartBatch(batch, Confirmed { .. }) => self.start_batch(batch, cx),
            Action::BackedUp(answer, end, generation) => self.backed_up_first(end, &answer, generation, cx),
            Action::Forget(entry, run) => self.forget_run(entry, run, cx),
            Action::SaveReport(run, kind) => self.save_report(run, kind, cx),
            Action::SavePlan => self.save_bulk_plan(cx),
            Action::PickExportPlace(kind, zip, assets) => self.pick_export_place(kind, zip, assets, cx),
        }
    }
}
