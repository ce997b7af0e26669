//! The actions of bulk operations.

use super::{Batch, Bulk};
use crate::action::SessionAction;
use crate::bulk::NamedAssets;
use crate::bulk::ReportKind;
use crate::bulk::merge::Groups;
use crate::confirm::Confirmed;
use crate::context::WideContext;
use crate::runs::{BatchAnswer, BulkOperation, RowSelection, RunId, StopMode};
use lunette_client::model::export::ExportType;
use std::sync::Arc;

/// An action of bulk operations.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Plans the undo or redo of a batch again.
    PlanAnswer(Arc<BatchAnswer>),
    /// Plans to merge each of these groups of near duplicates into its first asset.
    PlanMerge(Groups),
    /// Plans an operation on many assets, given with their ids and names.
    Plan(BulkOperation, NamedAssets),
    /// Sets how many rows of the planned run are in flight at once.
    SetDraftInFlight(usize),
    /// Starts the planned run.
    Start,
    /// Closes the planned run.
    Dismiss,
    /// Reads a run's ledger to show it.
    Open(RunId),
    /// Pauses a run; rows in flight are completed.
    Pause(RunId),
    /// Resumes a paused or interrupted run.
    Resume(RunId),
    /// Cancels a run; rows in flight are completed, the others are not begun.
    Cancel(RunId),
    /// Retries the failed rows of a run, and reconciles those with an unknown outcome.
    Retry(RunId),
    /// Resumes a run after confirmation.
    Continue(RunId, RowSelection, Confirmed),
    /// Resumes a run that stopped because the service accepts no writes, after confirmation.
    TryAgain(RunId, Confirmed),
    /// Starts a run of changes after confirmation.
    StartBatch(Batch, Confirmed),
    /// Does so with changes that restore something: a checkpoint is made first.
    StartRestore(Batch, Confirmed),
    /// Sets how many rows of a run are in flight at once.
    SetInFlight(RunId, usize),
    /// Saves a run's report to a file that the user picks.
    SaveReport(RunId, ReportKind),
    /// Saves the planned run for `lunette bulk` to a file that the user picks.
    SavePlan,
    /// Lets the user pick a folder (false) or a zip archive (true) for exports, then plans the run.
    PickExportTarget(ExportType, bool, NamedAssets),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Bulk(action)
    }
}

impl Bulk {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut WideContext<'_>) {
        match action {
            Action::PlanAnswer(answer) => self.plan_answer(answer, cx),
            Action::PlanMerge(groups) => self.plan_merge(groups, cx),
            Action::Plan(operation, assets) => self.plan_bulk(operation, assets, cx),
            Action::SetDraftInFlight(count) => self.draft_in_flight(count),
            Action::Start => self.start_bulk(cx),
            Action::Dismiss => self.draft = None,
            Action::Open(run) => self.open_run(run, cx),
            Action::Pause(run) => self.pause_run(run),
            Action::Resume(run) => self.resume_run(run, cx),
            Action::Cancel(run) => self.cancel_run(run, cx),
            Action::Retry(run) => self.retry_run(run, cx),
            Action::SetInFlight(run, count) => self.run_in_flight(run, count),
            Action::Continue(run, which, Confirmed { .. }) => self.continue_run(run, which, StopMode::No, cx),
            Action::TryAgain(run, Confirmed { .. }) => {
                cx.request(SessionAction::TryWritesAgain);
                cx.request(Action::Resume(run));
            }
            Action::StartBatch(batch, Confirmed { .. }) => self.start_batch(batch, cx),
            Action::StartRestore(batch, Confirmed { .. }) => self.start_restore(batch, cx),
            Action::SaveReport(run, kind) => self.save_report(run, kind, cx),
            Action::SavePlan => self.save_bulk_plan(cx),
            Action::PickExportTarget(kind, zip, assets) => self.pick_export_target(kind, zip, assets, cx),
        }
    }
}
