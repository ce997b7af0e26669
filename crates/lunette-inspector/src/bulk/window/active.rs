//! A run that is active in the window: recorded on disk, updated in batches, ended as one step.

use std::sync::Arc;

use crate::action::BulkAction;
use crate::bulk::window::inbox::{Inbox, Received};
use crate::bulk::window::launch::{RunHandles, RunSetup, RunStopped};
use crate::bulk::{Bulk, Output};
use crate::change::{Change, LinkKind};
use crate::confirm::Confirmation;
use crate::context::WideContext;
use crate::event::{RunEvent, StepEvent};
use crate::journal::{Entry, EntryId, EntryRelation, JournalError, Outcome};
use crate::notifications::{NotificationAction, Severity, Topic};
use crate::output::ProgressEvent;
use crate::run::{REDO, UNDO, answered, ended};
use crate::runs::{
    Control, Ledger, LedgerEvent, RowSelection, RowStatus, Run, RunContext, RunId, RunRecord, RunRow, RunStatus,
    StopMode, outcome, step_of,
};
use crate::tasks::{Ended, TaskId};
use lunette_client::model::id::AssetId;
use lunette_client::model::size::grouped;

/// The state of a run apart from what is displayed.
pub(crate) struct ActiveRun {
    pub(crate) rest: RunContext,
    pub(crate) control: Control,
    /// `None` until it is open.
    pub(crate) ledger: Option<Ledger>,
    /// Whether the journal has its step.
    pub(crate) journaled: bool,
    /// The task that executes it, if one does.
    pub(crate) running: Option<RunTask>,
}

/// What a run changed, for the lists and pages that show it.
pub(crate) struct ChangedByRun {
    /// The deleted assets.
    pub deleted: Vec<AssetId>,
    /// The shown assets that the run changed.
    pub open: Vec<AssetId>,
    /// The kind of the items that it created.
    pub made: Option<LinkKind>,
}

/// The task of an active run.
#[derive(Clone, Copy)]
pub(crate) struct RunTask {
    pub(crate) task: TaskId,
    pub(crate) work: u64,
}

impl ActiveRun {
    pub(crate) fn new(rest: RunContext, in_flight: usize, journaled: bool) -> Self {
        Self { rest, control: Control::new(in_flight), ledger: None, journaled, running: None }
    }
}

impl Bulk {
    /// Starts a run as a step of the history, and shows it.
    pub(crate) fn start_run(&mut self, mut record: RunRecord, answers: EntryRelation, cx: &mut WideContext<'_>) {
        let entry = EntryId::random();
        record.run.entry = Some(entry);
        record.rest.answers = answers;
        let RunRecord { run, rest } = record;
        let step = step_of(&run, &rest, entry, Outcome::Sending);
        let id = run.id;
        self.active.insert(id, ActiveRun::new(rest, run.in_flight, false));
        self.runs.insert(id, run);
        cx.emit(RunEvent::Began(Arc::new(step)));
        self.go(id, RowSelection::Open, StopMode::No, cx);
    }

    /// Executes a run from its current state.
    pub(super) fn go(&mut self, id: RunId, which: RowSelection, halt: StopMode, cx: &mut WideContext<'_>) {
        let context = cx.write_context();
        let (Some(drawn), Some(active)) = (self.runs.get_mut(&id), self.active.get_mut(&id)) else {
            return;
        };
        if active.running.is_some() {
            return;
        }
        let begin = RunSetup {
            record: RunRecord { run: drawn.clone(), rest: active.rest.clone() },
            journaled: active.journaled,
            ledger: active.ledger.take(),
            which,
        };
        drawn.status = RunStatus::Running;
        active.control = Control::new(drawn.in_flight);
        active.control.halt(halt);
        let (control, title, progress) = (active.control.clone(), drawn.title.clone(), progress(drawn));
        let service = cx.connection.address.clone().unwrap_or_default();
        let inbox = Arc::new(Inbox::default());
        let writes = Arc::clone(&inbox);
        let written = Box::new(move |write| writes.put_write(write));
        let begun = RunHandles { control, service, notify: Box::new(self.event_sender(id, inbox, cx)), written };
        let execute = async move {
            Ok(match context {
                Ok(context) => begin.execute(context, begun).await,
                Err(error) => begin.halted(super::stopped(&error)),
            })
        };
        let task = cx.run(execute, move |stopped| {
            Output::Stopped(stopped.unwrap_or_else(|ended: Ended| RunStopped::broken(id, ended.to_string())))
        });
        let work = cx.next_work();
        cx.show_work(work, task, title, None);
        if let Some(shown) = cx.work.last_mut() {
            (shown.progress, shown.run) = (Some(progress), Some(id));
        }
        if let Some(active) = self.active.get_mut(&id) {
            active.running = Some(RunTask { task, work });
        }
    }

    /// Sends events to the window, which is woken for the first that it has not handled yet.
    fn event_sender(
        &self,
        run: RunId,
        inbox: Arc<Inbox>,
        cx: &WideContext<'_>,
    ) -> impl Fn(LedgerEvent) + Send + Sync + use<> {
        let events = cx.reporter();
        move |line| {
            if inbox.put(line) {
                events.report(ProgressEvent::Lines { run, inbox: Arc::clone(&inbox) });
            }
        }
    }

    pub(crate) fn apply_lines(&mut self, run: RunId, inbox: &Inbox, cx: &mut WideContext<'_>) {
        let (Some(drawn), Some(active)) = (self.runs.get_mut(&run), self.active.get_mut(&run)) else {
            return;
        };
        let Received { lines, writes } = inbox.take();
        for line in lines {
            active.rest.take(drawn, line);
        }
        if !writes.is_empty() {
            cx.emit(RunEvent::RowsWritten(writes));
        }
        if let Some(RunTask { work, .. }) = active.running {
            let progress = progress(drawn);
            for work in cx.work.iter_mut().filter(|shown| shown.number == work) {
                work.progress = Some(progress);
            }
        }
    }

    /// Handles a run that stopped: it has ended, or it can be resumed.
    pub(crate) fn run_halted(&mut self, halted: RunStopped, cx: &mut WideContext<'_>) {
        let RunStopped { run, journaled, ledger, problem, exported } = halted;
        let (Some(drawn), Some(active)) = (self.runs.get_mut(&run), self.active.get_mut(&run)) else {
            return;
        };
        (active.running, active.journaled, active.ledger) = (None, journaled, ledger);
        if let Some(problem) = problem {
            drawn.status = RunStatus::Paused(Some(problem));
        }
        let exported = exported.and_then(|exported| exported.map(|target| drawn.target = Some(target)).err());
        if let Some(problem) = exported {
            cx.notify(Severity::Failed, format!("Some exports are not where they should be: {problem}"));
        }
        let Some(drawn) = self.runs.get(&run) else { return };
        match &drawn.status {
            RunStatus::Paused(Some(why)) => {
                let text = format!("“{}” stopped: {why}", drawn.title);
                match drawn.entry {
                    Some(entry) => cx.notify_failed(Topic::Step(entry), text, Vec::new()),
                    None => cx.notify(Severity::Failed, text),
                }
            }
            RunStatus::Paused(None) | RunStatus::Running | RunStatus::Interrupted => {}
            RunStatus::Ended | RunStatus::Cancelled => self.run_ended(run, cx),
        }
        self.ask_to_try_again(run, cx);
        self.report_changes(run, cx);
    }

    /// Asks whether a run goes on that stopped because the service accepts no writes.
    fn ask_to_try_again(&self, run: RunId, cx: &mut WideContext<'_>) {
        cx.heed_refusal();
        let stopped = self.runs.get(&run).filter(|run| matches!(run.status, RunStatus::Paused(Some(_))));
        let (Some(stopped), Some(refusal)) = (stopped, &cx.connection.refusal) else { return };
        if stopped.target.is_none() {
            let question = Confirmation::retry_run(&stopped.title, refusal, run);
            cx.ask_first(question);
        }
    }

    /// Ends the step of a run that has ended, and reports the result.
    pub(super) fn run_ended(&mut self, run: RunId, cx: &mut WideContext<'_>) {
        let (Some(drawn), Some(active)) = (self.runs.get(&run), self.active.get(&run)) else {
            return;
        };
        let (answers, outcome, recovery) = (active.rest.answers, outcome(drawn), cx.connection.recovery());
        let Some(entry) = drawn.entry else { return };
        let done: Vec<_> = drawn.rows.iter().filter_map(done).collect();
        let undo = match answers {
            EntryRelation::None | EntryRelation::Redoes(_) => done.iter().any(|change| change.reversible(recovery)),
            EntryRelation::Undoes(_) => false,
        };
        let (step, text) = match answers {
            EntryRelation::None => (entry, ended(drawn, &active.rest.past_title(drawn))),
            EntryRelation::Undoes(step) => (entry, answered(drawn, &cx.history.title_of(step), &UNDO)),
            EntryRelation::Redoes(step) => (step, answered(drawn, &cx.history.title_of(step), &REDO)),
        };
        let (idle, open) = (done.is_empty(), drawn.counts().unknown > 0);
        self.record_end(run, cx);
        match (answers, idle && !open, undo) {
            (EntryRelation::None, true, _) => cx.emit(StepEvent::Unchanged(entry)),
            (EntryRelation::None, false, false) if !open => cx.emit(StepEvent::Irreversible(entry)),
            _ => {}
        }
        // An error about the step is over with this result, which may be another one.
        let about = match answers {
            EntryRelation::None => entry,
            EntryRelation::Undoes(step) | EntryRelation::Redoes(step) => step,
        };
        [about, entry].into_iter().for_each(|step| cx.resolve(Topic::Step(step)));
        match &outcome {
            Outcome::Done => {}
            Outcome::Sending | Outcome::Failed(_) | Outcome::Unknown(_) | Outcome::Partly { .. } => {
                let offers = rows_left(run, entry, &outcome);
                cx.notify_failed(Topic::Step(about), text.clone(), offers);
            }
        }
        if let Some(secrets) = self.runs.get(&run).and_then(secrets_of) {
            let show = NotificationAction::in_history("Show", Some(entry));
            cx.notify_offering(Severity::Failed, secrets, vec![show]);
        }
        cx.outcome(text, undo.then_some(step));
    }

    /// Records the outcome of a run's step, in the history and on disk.
    pub(super) fn record_end(&mut self, run: RunId, cx: &mut WideContext<'_>) {
        let (Some(drawn), Some(active)) = (self.runs.get(&run), self.active.get(&run)) else {
            return;
        };
        let outcome = outcome(drawn);
        let Some(entry) = drawn.entry else { return };
        let known = cx.history.entry(entry).map(|known| Entry { outcome: outcome.clone(), ..Entry::clone(known) });
        let step = known.unwrap_or_else(|| step_of(drawn, &active.rest, entry, outcome.clone()));
        let at = jiff::Timestamp::now();
        cx.emit(StepEvent::Recorded(Arc::new(Entry { ended: Some(at), ..step })));
        let journal = cx.journal().clone();
        let note = move || Ok(journal.end_at(entry, &outcome, None, at)?);
        cx.run_blocking(note, Output::StepRecorded);
    }

    pub(crate) fn step_recorded(&mut self, end: Result<(), NotEnded>, cx: &mut WideContext<'_>) {
        if let Err(problem) = end {
            cx.notify(Severity::Failed, format!("The run has ended, but its result could not be recorded: {problem}"));
        }
    }

    /// Reports what the run changed, once.
    fn report_changes(&mut self, run: RunId, cx: &mut WideContext<'_>) {
        let Some(drawn) = self.runs.get(&run) else { return };
        let deleted: Vec<AssetId> = drawn.rows.iter().filter_map(deleted).cloned().collect();
        let changes = |open: &AssetId| drawn.rows.iter().any(|row| row.asset == *open) && !deleted.contains(open);
        let changed = cx.pages.shown_ids().into_iter().filter(changes).collect();
        let made = self.active.get(&run).and_then(|active| active.rest.made.keys().next().map(|new| new.kind));
        cx.emit(RunEvent::Stopped(ChangedByRun { deleted, open: changed, made }));
    }

    /// Leaves the runs of a connection: rows in flight are completed, and no more are begun. Returns their tasks.
    pub(crate) fn leave_runs(&mut self) -> Vec<TaskId> {
        let runs = std::mem::take(&mut self.active);
        runs.values().for_each(|active| active.control.halt(StopMode::Pause));
        runs.values().filter_map(|active| active.running).map(|running| running.task).collect()
    }
}

/// Why the end of the step of a run is not recorded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum NotEnded {
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Writing it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// The most exports that a notice names.
const NAMED: usize = 5;

/// Which exports of a run have what looks like a secret, and by which rule; `None` if none has.
fn secrets_of(run: &Run) -> Option<String> {
    let found = run.rows.iter().filter(|row| row.saved.is_some());
    let found: Vec<_> = found.filter_map(|row| Some((row, row.message.as_deref()?))).collect();
    let line = |(row, message): &(&RunRow, &str)| format!("{}: {message}", row.name);
    let mut lines: Vec<_> = found.iter().take(NAMED).map(line).collect();
    if found.len() > NAMED {
        lines.push(format!("and {} more, which the run names", grouped((found.len() - NAMED) as u64)));
    }
    (!lines.is_empty()).then(|| format!("Nothing was left out of what was exported:\n{}", lines.join("\n")))
}

/// The actions offered for the rows that a run did not complete.
fn rows_left(run: RunId, entry: EntryId, outcome: &Outcome) -> Vec<NotificationAction> {
    let at_step = |label| NotificationAction::in_history(label, Some(entry));
    let failed = matches!(outcome, Outcome::Failed(_) | Outcome::Partly { .. });
    let retry = failed.then(|| at_step("Retry").then(BulkAction::Retry(run)));
    retry.into_iter().chain([at_step("History")]).collect()
}

fn progress(run: &Run) -> (usize, usize) {
    (run.counts().ended(), run.counts().all())
}

/// The applied change of a row.
fn done(row: &RunRow) -> Option<&Change> {
    row.done.as_deref().filter(|_| row.status == RowStatus::Done)
}

fn deleted(row: &RunRow) -> Option<&AssetId> {
    let gone = row.status == RowStatus::Done && matches!(row.done.as_deref(), Some(Change::Delete { .. }));
    gone.then_some(&row.asset)
}
