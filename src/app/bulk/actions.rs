//! What a user can ask of operations on many assets.

use crate::app::App;
use crate::app::bulk::BatchAnswer;
use crate::app::bulk::BulkOperation;
use crate::app::bulk::NamedAssets;
use crate::app::bulk::ReportKind;
use crate::app::bulk::RunId;
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

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_bulk(&mut self, action: Action) {
        match action {
            Action::PlanAnswer(answer) => self.plan_answer(answer),
            Action::Plan(wish, assets) => self.plan_bulk(wish, assets),
            Action::SetDraftInFlight(count) => self.draft_in_flight(count),
            Action::Start => self.start_bulk(),
            Action::Dismiss => self.state.bulk.draft = None,
            Action::Open(run) => self.open_run(run),
            Action::Pause(run) => self.pause_run(run),
            Action::Resume(run) => self.resume_run(run),
            Action::Cancel(run) => self.cancel_run(run),
            Action::Retry(run) => self.retry_run(run),
            Action::SetInFlight(run, count) => self.run_in_flight(run, count),
            Action::SaveReport(run, kind) => self.save_report(run, kind),
            Action::SavePlan => self.save_bulk_plan(),
            Action::PickExportPlace(kind, zip, assets) => self.pick_export_place(kind, zip, assets),
        }
    }
}
