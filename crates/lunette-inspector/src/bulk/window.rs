//! Runs in the window: planning, starting, pausing, resuming and reports.
//!
//! What must hold: journal and ledger have a run before its first write is sent; when the connection is left, its runs
//! begin no more rows and can be resumed; after a run the lists are reloaded once, not once for each row.

use crate::Vendor;
use crate::bulk::Batch;
use crate::journal::EntryId;
use std::sync::Arc;

use crate::bulk::plan_file::PlanFile;
use crate::bulk::report::report;
use crate::bulk::{Bulk, Output};
use crate::bulk::{BulkDraft, BulkJob, NamedAssets, NotPlanned, ReportKind, Sample};
use crate::capability::Capability;
use crate::change::Recovery;
use crate::confirm::Confirmation;
use crate::context::WideContext;
use crate::journal::EntryRelation;
use crate::request_versions::ResourceKey;
use crate::runs::{
    BatchAnswer, BulkOperation, ExportTarget, RowSelection, RunId, RunRecord, RunStatus, StopMode, Task,
};
use crate::setup::{NotPicked, picked};
use crate::write::plan::{Plan, Preflight, UndoKind, conflict_message, prepare};
use crate::write::recovery::DeletedAssets;
use crate::{CallError, Remote, Transport};
use lunette_client::model::export::ExportType;
use lunette_client::model::file_name::suggested_name;

mod active;
mod inbox;
mod launch;
mod load;
mod merge;
mod undo;

pub(crate) use active::{ActiveRun, ChangedByRun, NotEnded};
pub(crate) use inbox::Inbox;
pub(crate) use launch::RunStopped;
pub(crate) use load::{AfterLoad, ReadRuns};

/// How many assets of a run are planned as a sample.
const SAMPLED: usize = 5;
/// The default number of parallel calls.
const IN_FLIGHT: usize = 4;

impl Bulk {
    /// Starts a run of changes that the user confirmed.
    pub(crate) fn start_batch(&mut self, batch: Batch, cx: &mut WideContext<'_>) {
        let answers = batch.answers;
        self.start_run(record_of(batch), answers, cx);
    }

    /// Starts a run of changes that restore something, which begins with a checkpoint.
    pub(super) fn start_restore(&mut self, batch: Batch, cx: &mut WideContext<'_>) {
        let answers = batch.answers;
        self.start_run(record_of(batch).after_checkpoint(), answers, cx);
    }

    /// Pauses every run.
    pub(crate) fn pause_all(&self) {
        self.active.values().for_each(|active| active.control.halt(StopMode::Pause));
    }

    /// Drops the rows of a run that another window continued; they are read again when they are needed.
    pub(crate) fn forget_run(&mut self, entry: EntryId, run: RunId, cx: &mut WideContext<'_>) {
        if self.active.get(&run).is_some_and(|active| active.running.is_some()) {
            return;
        }
        self.active.remove(&run);
        self.runs.remove(&run);
        if cx.history.selected == Some(entry) {
            self.open_run(run, cx);
        }
    }

    /// Shows the plan of a bulk operation, based on fresh reads of the first assets.
    pub(crate) fn plan_bulk(&mut self, operation: BulkOperation, assets: NamedAssets, cx: &mut WideContext<'_>) {
        if assets.is_empty() || cx.blocks_write(operation.capability(), "Cannot plan this") {
            return;
        }
        let (title, undo) = (operation.title(assets.len()), operation.undo(cx.connection.recovery()));
        let first: Vec<_> = assets.iter().take(SAMPLED).map(|(id, name)| operation.task(id, name)).collect();
        let (sample, job) = (Remote::Loading { previous: None }, BulkJob::Operation(operation));
        self.draft = Some(BulkDraft { title, job, assets, sample, undo, in_flight: IN_FLIGHT });
        self.sample(first, cx);
    }

    /// Shows the plan of the undo or redo of a batch.
    pub(crate) fn plan_answer(&mut self, answer: Arc<BatchAnswer>, cx: &mut WideContext<'_>) {
        let undo = answer_undo(&answer, cx.connection.recovery());
        let assets = answer.rows.iter().map(|row| (row.change.asset().clone(), row.name.clone())).collect();
        let first = answer.rows.iter().take(SAMPLED).map(|row| Task::Change(row.change.clone())).collect();
        let (title, in_flight) = (answer.title.clone(), answer.in_flight);
        let (sample, job) = (Remote::Loading { previous: None }, BulkJob::Answer(answer));
        self.draft = Some(BulkDraft { title, job, assets: Arc::new(assets), sample, undo, in_flight });
        self.sample(first, cx);
    }

    /// Plans the first rows of the draft as a sample.
    fn sample(&mut self, first: Vec<Task>, cx: &mut WideContext<'_>) {
        let context = cx.write_context();
        let plan = async move {
            let context = context?;
            Ok(sampled(&context.client, &context.deleted, context.vendor, first).await)
        };
        cx.read(ResourceKey::Bulk, plan, Output::Sampled);
    }

    /// Stores the sample of the latest draft, unless the draft was closed meanwhile.
    pub(crate) fn bulk_sampled(&mut self, sample: Result<Sample, CallError>) {
        if let Some(draft) = self.draft.as_mut().filter(|draft| draft.sample.loading()) {
            draft.sample.resolve(sample.map(Arc::new).map_err(|error| error.to_string()));
        }
    }

    pub(crate) fn draft_in_flight(&mut self, count: usize) {
        if let Some(draft) = &mut self.draft {
            draft.in_flight = count.clamp(1, 8);
        }
    }

    /// Starts the shown run as one step of the history.
    pub(crate) fn start_bulk(&mut self, cx: &mut WideContext<'_>) {
        let capabilities = self.draft.as_ref().map(BulkDraft::capabilities).unwrap_or_default();
        if capabilities.is_empty()
            || capabilities.into_iter().any(|capability| cx.blocks_write(capability, "Cannot start this"))
        {
            return;
        }
        let Some(draft) = self.draft.take() else { return };
        let BulkDraft { title, job, assets, in_flight, .. } = draft;
        match job {
            BulkJob::Operation(operation) => {
                self.start_run(RunRecord::of_operation(title, operation, &assets, in_flight), EntryRelation::None, cx);
            }
            BulkJob::Answer(answer) => {
                self.start_answer(Arc::new(BatchAnswer { in_flight, ..BatchAnswer::clone(&answer) }), cx);
            }
            BulkJob::Merge(plan) => {
                let tasks = plan.changes.iter().map(|(change, name)| (Task::Change(change.clone()), name.clone()));
                self.start_run(RunRecord::of_tasks(title, tasks.collect(), in_flight), EntryRelation::None, cx);
            }
        }
    }

    pub(crate) fn pause_run(&mut self, run: RunId) {
        if let Some(active) = self.active.get(&run) {
            active.control.halt(StopMode::Pause);
        }
    }

    pub(crate) fn resume_run(&mut self, run: RunId, cx: &mut WideContext<'_>) {
        self.continue_run_asked(run, RowSelection::Open, cx);
    }

    pub(crate) fn retry_run(&mut self, run: RunId, cx: &mut WideContext<'_>) {
        self.continue_run_asked(run, RowSelection::Failed, cx);
    }

    /// Resumes a run if the write policy of the connection allows it, after confirmation if the run writes and the
    /// policy requires it.
    fn continue_run_asked(&mut self, id: RunId, which: RowSelection, cx: &mut WideContext<'_>) {
        let writes = match (self.active.get(&id), self.runs.get(&id)) {
            (Some(active), _) => active.rest.writes(),
            (None, Some(run)) => run.target.is_none(),
            (None, None) => return,
        };
        let Some(run) = self.runs.get(&id).filter(|_| writes) else {
            return self.continue_run(id, which, StopMode::No, cx);
        };
        let counts = run.counts();
        let left = match which {
            RowSelection::Open => counts.all() - counts.ended(),
            RowSelection::Failed => counts.failed + counts.unknown,
            RowSelection::Sent => counts.unknown,
        };
        let (asked, title) = (Confirmation::continue_run(&run.title, left, id, which), run.title.clone());
        match cx.connection.allows_writes() {
            Err(reason) => cx.notify_blocked(&reason, format!("“{title}” is paused: {reason}")),
            Ok(()) if cx.confirms() => cx.ask_first(asked),
            Ok(()) => self.continue_run(id, which, StopMode::No, cx),
        }
    }

    /// Cancels a run; a paused one is cancelled too, so that it cannot be resumed.
    pub(crate) fn cancel_run(&mut self, run: RunId, cx: &mut WideContext<'_>) {
        match self.active.get(&run).and_then(|active| active.running.map(|running| (active, running))) {
            Some((active, running)) => {
                active.control.halt(StopMode::Cancel);
                for work in cx.work.iter_mut().filter(|work| work.task == running.task) {
                    work.cancelling = true;
                }
            }
            None => self.continue_run(run, RowSelection::Open, StopMode::Cancel, cx),
        }
    }

    /// The run that a task executes.
    pub(crate) fn run_of(&self, task: crate::tasks::TaskId) -> Option<RunId> {
        let of = |active: &ActiveRun| active.running.is_some_and(|running| running.task == task);
        self.active.iter().find(|(_, active)| of(active)).map(|(run, _)| *run)
    }

    pub(crate) fn run_in_flight(&mut self, run: RunId, count: usize) {
        let Some(drawn) = self.runs.get_mut(&run) else { return };
        drawn.in_flight = count.clamp(1, 8);
        if let Some(active) = self.active.get(&run) {
            active.control.in_flight(count);
        }
    }

    /// Resumes a paused run; if only its rows are known, it is loaded first.
    pub(crate) fn continue_run(&mut self, run: RunId, which: RowSelection, halt: StopMode, cx: &mut WideContext<'_>) {
        let may_continue = match self.runs.get(&run).map(|run| &run.status) {
            Some(RunStatus::Paused(_) | RunStatus::Interrupted) => true,
            Some(RunStatus::Ended | RunStatus::Cancelled) => which == RowSelection::Failed,
            Some(RunStatus::Running) | None => false,
        };
        match self.active.contains_key(&run) {
            true if may_continue => self.go(run, which, halt, cx),
            false if may_continue => self.read_runs(vec![run], AfterLoad::Resume(which, halt), cx),
            _ => {}
        }
    }

    pub(crate) fn save_report(&mut self, run: RunId, kind: ReportKind, cx: &mut WideContext<'_>) {
        let Some(run) = self.runs.get(&run).cloned() else { return };
        let file_name = suggested_name(&run.title, "report", kind.extension());
        cx.save(&file_name, move || report(&run, kind).into_bytes());
    }

    pub(crate) fn save_bulk_plan(&mut self, cx: &mut WideContext<'_>) {
        let Some(draft) = self.draft.as_ref() else { return };
        let Some(plan) = PlanFile::of(draft) else { return };
        let file_name = suggested_name(&draft.title, "plan", "json");
        cx.save(&file_name, move || plan.text().into_bytes());
    }

    pub(crate) fn pick_export_target(
        &mut self,
        kind: ExportType,
        zip: bool,
        assets: NamedAssets,
        cx: &mut WideContext<'_>,
    ) {
        let picking = match zip {
            false => cx.setup().dialogs.export_folder(),
            true => cx.setup().dialogs.save(&suggested_name(&format!("{} assets as {kind}", assets.len()), "", "zip")),
        };
        let target = if zip { ExportTarget::Zip } else { ExportTarget::Folder };
        let dialogs = Arc::clone(&cx.setup().dialogs);
        let pick = async move {
            let path = picked(picking, dialogs).await?;
            Ok::<_, NotPicked>(path.map(|path| (BulkOperation::Export { kind, to: target(path) }, assets)))
        };
        cx.run(pick, Output::TargetPicked);
    }
}

/// The run of a batch.
fn record_of(Batch { title, changes, in_flight, .. }: Batch) -> RunRecord {
    let tasks = changes.iter().map(|(change, name)| (Task::Change(change.clone()), name.clone())).collect();
    RunRecord::of_tasks(title, tasks, in_flight)
}

/// Whether the undo or redo of a batch can itself be undone.
fn answer_undo(answer: &BatchAnswer, recovery: Recovery) -> UndoKind {
    let deletes = answer.rows.iter().any(|row| row.change.deletes());
    let again = if matches!(answer.answers, EntryRelation::Redoes(_)) { "Undo" } else { "Redo" };
    let text = match (deletes, recovery) {
        (false, _) => format!("{again} reverses this"),
        (true, Recovery::Trash) => format!("Deleted assets move to the Trash. {again} restores them"),
        (true, Recovery::Copy) => format!(
            "This service has no Trash. Lunette keeps a copy of each deleted asset, and {again} creates new assets \
             from the copies, with new ids and without score, activity and conversations"
        ),
        (true, Recovery::None) => {
            let why = "This service can neither restore a deleted asset nor create a new one";
            return UndoKind::Never(why.to_owned());
        }
    };
    UndoKind::By(text)
}

impl BulkDraft {
    /// The capability that it needs.
    pub fn capabilities(&self) -> Vec<Capability> {
        match &self.job {
            BulkJob::Operation(operation) => vec![operation.capability()],
            BulkJob::Answer(answer) => answer.capabilities.clone(),
            BulkJob::Merge(plan) => plan.capabilities(),
        }
    }

    /// The operation on every asset; `None` for undo and redo of a batch.
    pub fn operation(&self) -> Option<&BulkOperation> {
        match &self.job {
            BulkJob::Operation(operation) => Some(operation),
            BulkJob::Answer(_) | BulkJob::Merge(_) => None,
        }
    }

    /// How many assets a run would change, as far as the plan knows: those of the sample that cannot be changed are not
    /// counted, and of an undo or redo neither are those that need no change.
    pub fn changeable(&self) -> usize {
        let left_out = |plan: &Result<Plan, NotPlanned>| match (plan, &self.job) {
            (Err(NotPlanned::Failed(_)), _)
            | (Err(NotPlanned::Unchanged(_)), BulkJob::Answer(_) | BulkJob::Merge(_)) => true,
            (Err(NotPlanned::Unchanged(_)), BulkJob::Operation(_)) | (Ok(_), _) => false,
        };
        let sample = self.sample.value().into_iter().flat_map(|sample| sample.iter());
        self.assets.len().saturating_sub(sample.filter(|(_, plan)| left_out(plan)).count())
    }

    /// Whether every asset was planned and none would change: a run would send nothing.
    pub fn is_idle(&self) -> bool {
        let unchanged = |plan: &Result<Plan, NotPlanned>| matches!(plan, Err(NotPlanned::Unchanged(_)));
        let sample = self.sample.value().filter(|sample| !sample.is_empty() && sample.len() == self.assets.len());
        sample.is_some_and(|sample| sample.iter().all(|(_, plan)| unchanged(plan)))
    }
}

/// Plans the first assets; an export needs no plan.
async fn sampled<C: Transport>(caller: &C, deleted: &DeletedAssets, vendor: Vendor, tasks: Vec<Task>) -> Sample {
    let mut sample = Vec::new();
    for task in tasks {
        let Task::Change(change) = task else { continue };
        let asset = change.asset().clone();
        let plan = match prepare(caller, deleted, change, vendor).await {
            Ok(Preflight::Ready(plan)) => Ok(*plan),
            Ok(Preflight::NoOp(how)) => Err(NotPlanned::Unchanged(how)),
            Ok(Preflight::Conflict(conflict)) => {
                Err(NotPlanned::Failed(conflict_message(&conflict.change, &conflict.theirs)))
            }
            Err(error) => Err(NotPlanned::Failed(error.to_string())),
        };
        sample.push((asset, plan));
    }
    sample
}

/// Why a run stopped.
fn stopped(error: &CallError) -> String {
    format!("{error}; resume to try again")
}
