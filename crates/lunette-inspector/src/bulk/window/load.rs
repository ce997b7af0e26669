//! Runs on disk: read to be shown, to be resumed, or to find interrupted ones.

use crate::action::{BulkAction, HistoryAction};
use crate::bulk::window::ActiveRun;
use crate::bulk::{Bulk, Output};
use crate::change::Change;
use crate::context::WideContext;
use crate::history::IfUnchanged;
use crate::journal::{EntryId, EntryKind, NO_ANSWER, Outcome};
use crate::notifications::{NotificationAction, Severity};
use crate::runs::{BulkOperation, Ledger, RowSelection, RunId, RunRecord, RunStatus, StopMode, Task};
use crate::tasks::Ended;
use lunette_client::model::size::grouped;

/// Runs that were read.
#[derive(Default)]
pub(crate) struct ReadRuns {
    pub runs: Vec<RunRecord>,
    /// Those that could not be read.
    pub lost: Vec<RunId>,
    /// Messages about runs that could not be read.
    pub messages: Vec<String>,
}

/// What to do after a run was read.
#[derive(Clone, Copy)]
pub(crate) enum AfterLoad {
    /// Show it.
    Show,
    /// Resume it.
    Resume(RowSelection, StopMode),
    /// Undo its step; if it changed nothing and the user asked for Undo in general, undo the previous one.
    Undo(EntryId, IfUnchanged),
    /// Redo its step.
    Redo(EntryId),
    /// Report it if it was interrupted.
    ReportInterrupted,
}

impl Bulk {
    pub(crate) fn open_run(&mut self, run: RunId, cx: &mut WideContext<'_>) {
        if !self.runs.contains_key(&run) {
            self.read_runs(vec![run], AfterLoad::Show, cx);
        }
    }

    /// Reads the ledgers of runs, and continues with `then`.
    pub(super) fn read_runs(&mut self, runs: Vec<RunId>, then: AfterLoad, cx: &mut WideContext<'_>) {
        let Some(store) = cx.journal().runs() else {
            let text = "the rows of this run are no longer known because nothing is stored on disk".to_owned();
            return cx.notify(Severity::Failed, text);
        };
        let read = move || {
            let mut read = ReadRuns::default();
            for run in runs {
                match Ledger::read(&store, run) {
                    Ok((record, message)) => {
                        read.runs.push(record);
                        read.messages.extend(message);
                    }
                    Err(error) => {
                        read.lost.push(run);
                        read.messages.push(error.to_string());
                    }
                }
            }
            Ok(read)
        };
        cx.run_blocking(read, move |read| match read {
            Ok(read) => Output::Read(read, then),
            Err(ended) => {
                let messages = vec![Ended::to_string(&ended)];
                Output::Read(ReadRuns { messages, ..ReadRuns::default() }, AfterLoad::Show)
            }
        });
    }

    /// Finds interrupted runs of this connection, and steps without an end whose run has ended.
    pub(crate) fn find_runs(&mut self, cx: &mut WideContext<'_>) {
        let Some(store) = cx.journal().runs() else { return };
        let open = |outcome: &Outcome| matches!(outcome, Outcome::Sending | Outcome::Unknown(_));
        let entries = cx.history.entries.iter().filter(|entry| open(&entry.outcome));
        let of = |kind: &EntryKind| match kind {
            EntryKind::Batch { run, .. } => Some(*run),
            EntryKind::Change(_) | EntryKind::Call { .. } => None,
        };
        let open: Vec<RunId> = entries.filter_map(|entry| of(&entry.kind)).collect();
        // A run that another window executes is not interrupted.
        let (elsewhere, open): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|run| cx.history.runs_in_another_window(*run));
        let read = move || {
            let (mut runs, messages) = Ledger::interrupted(&store);
            runs.retain(|record| !elsewhere.contains(&record.run.id));
            for run in open {
                // A run that cannot be read was reported above, or was deleted.
                let known = runs.iter().any(|record| record.run.id == run);
                let read = (!known).then(|| Ledger::read(&store, run));
                runs.extend(read.and_then(Result::ok).map(|(record, _)| record));
            }
            Ok::<_, Ended>(ReadRuns { runs, messages, lost: Vec::new() })
        };
        cx.run_blocking(read, |read| Output::Read(read.unwrap_or_default(), AfterLoad::ReportInterrupted));
    }

    pub(crate) fn runs_read(&mut self, read: ReadRuns, then: AfterLoad, cx: &mut WideContext<'_>) {
        let ReadRuns { runs, messages, lost } = read;
        self.unreadable.extend(lost);
        messages.into_iter().for_each(|message| cx.notify(Severity::Failed, message));
        let (mut cut_off, mut over) = (Vec::new(), Vec::new());
        for RunRecord { run, rest } in runs {
            // An active run has more events than its ledger had when it was read.
            if self.active.contains_key(&run.id) {
                continue;
            }
            let id = run.id;
            match run.status {
                RunStatus::Interrupted | RunStatus::Running | RunStatus::Paused(_) => cut_off.push(id),
                RunStatus::Ended | RunStatus::Cancelled => over.push(id),
            }
            self.active.insert(id, ActiveRun::new(rest, run.in_flight, true));
            self.runs.insert(id, run);
            match then {
                AfterLoad::Show | AfterLoad::ReportInterrupted | AfterLoad::Undo(..) | AfterLoad::Redo(_) => {}
                AfterLoad::Resume(which, halt) => self.go(id, which, halt, cx),
            }
        }
        match then {
            AfterLoad::Show | AfterLoad::Resume(..) => {}
            AfterLoad::Undo(entry, if_unchanged) => cx.request(HistoryAction::UndoOne(entry, if_unchanged)),
            AfterLoad::Redo(entry) => cx.request(HistoryAction::RedoStep(entry)),
            AfterLoad::ReportInterrupted => {
                self.end_runs(over, cx);
                self.report_interrupted_runs(&cut_off, cx);
            }
        }
    }

    /// Ends the steps of runs that have ended.
    fn end_runs(&mut self, over: Vec<RunId>, cx: &mut WideContext<'_>) {
        for run in over {
            let exports = self
                .active
                .get(&run)
                .is_some_and(|active| matches!(active.rest.operation, Some(BulkOperation::Export { .. })));
            let unknown = self.runs.get(&run).is_some_and(|run| run.counts().unknown > 0);
            match (exports, unknown) {
                // Its manifest may be missing.
                (true, _) => self.go(run, RowSelection::Open, StopMode::Cancel, cx),
                (false, false) if self.step_says_more(run, cx) => {}
                (false, false) => self.record_end(run, cx),
                (false, true) => {}
            }
        }
    }

    /// Whether the step of an import records that it may have created more assets than its ledger has rows.
    fn step_says_more(&self, run: RunId, cx: &WideContext<'_>) -> bool {
        let making = |task: &Task| matches!(task, Task::Change(Change::Create { .. }));
        let import = self.active.get(&run).is_some_and(|active| active.rest.tasks.iter().all(making));
        let entry = self.runs.get(&run).and_then(|run| cx.history.entry(run.entry?));
        import && entry.is_some_and(|entry| matches!(&entry.outcome, Outcome::Unknown(why) if why != NO_ANSWER))
    }

    /// Reports the interrupted runs in one notification.
    fn report_interrupted_runs(&mut self, cut_off: &[RunId], cx: &mut WideContext<'_>) {
        let of = |run: &RunId| self.runs.get(run);
        let mut offers = Vec::new();
        let text = match cut_off.iter().filter_map(of).collect::<Vec<_>>().as_slice() {
            [] => return,
            [run] => {
                let at_step = |label| NotificationAction::in_history(label, run.entry);
                offers.push(at_step("Resume").then(BulkAction::Resume(run.id)));
                offers.push(at_step("Show"));
                let counts = run.counts();
                let (ended, all) = (grouped((counts.ended() - counts.unknown) as u64), grouped(counts.all() as u64));
                match run.unconfirmed_text() {
                    Some(why) => format!("“{}” was interrupted: {why}", run.title),
                    None => format!("“{}” was interrupted after {ended} of {all}. Resume it in History", run.title),
                }
            }
            runs => {
                offers.push(NotificationAction::in_history("Show", None));
                format!("{} runs were interrupted. Resume them in History", grouped(runs.len() as u64))
            }
        };
        cx.notify_offering(Severity::Failed, text, offers);
    }
}
