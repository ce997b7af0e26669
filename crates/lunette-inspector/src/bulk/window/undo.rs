//! Undo and redo of a batch, as another run with a change for each row.
//!
//! What must hold: an undo or redo of more than one asset shows its plan first, and so does one that deletes what cannot
//! be restored; before many deletions a backup is created.

use std::sync::Arc;

use crate::action::HistoryAction;
use crate::bulk::Bulk;
use crate::bulk::window::AfterLoad;
use crate::context::WideContext;
use crate::event::{NotBackedUp, RunEvent, StepEvent};
use crate::history::IfUnchanged;
use crate::journal::{Entry, EntryId, EntryKind, EntryRelation};
use crate::notifications::{Severity, Topic};
use crate::runs::answer::{BatchHistory, FEW_DELETIONS};
use crate::runs::{AnswerRow, BackupFirst, BatchAnswer, Run, RunId, RunRecord};
use crate::settings::Target;
use crate::write::lower;

/// A batch, its run, and the runs that answered it, oldest first.
type Batch = (Arc<Entry>, Run, Vec<(EntryRelation, Run)>);

impl Bulk {
    /// Undoes a batch with the inverse changes of the rows in force.
    pub(crate) fn undo_batch(&mut self, id: EntryId, if_unchanged: IfUnchanged, cx: &mut WideContext<'_>) {
        let Some((entry, run, answers)) = self.batch(id, AfterLoad::Undo(id, if_unchanged), cx) else { return };
        let rows = BatchHistory::of(&run, &answers);
        let back = rows.undo(cx.connection.recovery());
        if !back.is_empty() {
            let title = format!("Undo: {}", lower(&entry.title));
            return self.answer_batch(title, back, run.in_flight, EntryRelation::Undoes(id), cx);
        }
        if rows.changed_nothing() {
            cx.emit(StepEvent::Unchanged(id));
            match if_unchanged {
                IfUnchanged::UndoPrevious => cx.request(HistoryAction::Undo),
                IfUnchanged::Report => {
                    cx.show_success(format!("“{}” changed nothing, so there is nothing to undo", entry.title))
                }
            }
            return;
        }
        cx.emit(StepEvent::Irreversible(id));
        cx.history.cannot_undo(&entry, "none of its changes can be undone", cx);
    }

    /// Redoes the undone rows of a batch.
    pub(crate) fn redo_batch(&mut self, id: EntryId, cx: &mut WideContext<'_>) {
        let Some((entry, run, answers)) = self.batch(id, AfterLoad::Redo(id), cx) else { return };
        let again = BatchHistory::of(&run, &answers).redo(cx.connection.recovery());
        if again.is_empty() {
            return cx.cannot_redo(&entry, "this service cannot redo it");
        }
        let title = format!("Redo: {}", lower(&entry.title));
        self.answer_batch(title, again, run.in_flight, EntryRelation::Redoes(id), cx);
    }

    fn answer_batch(
        &mut self,
        title: String,
        rows: Vec<AnswerRow>,
        in_flight: usize,
        answers: EntryRelation,
        cx: &mut WideContext<'_>,
    ) {
        let now = cx.history.replacements(&self.runs);
        let rows: Vec<_> = rows.into_iter().map(|row| AnswerRow { change: now.apply(row.change), ..row }).collect();
        let in_progress = |active: &super::ActiveRun| active.running.is_some() && active.rest.answers == answers;
        if self.active.values().any(in_progress) {
            return cx.show_success("Already in progress; wait until it ends".to_owned());
        }
        let mut capabilities = Vec::new();
        for capability in rows.iter().map(|row| row.change.capability()) {
            if !capabilities.contains(&capability) {
                capabilities.push(capability);
            }
        }
        if let Some(reason) = capabilities.iter().find_map(|capability| cx.write_obstacle(*capability)) {
            return cx.notify_blocked(&reason, format!("Could not start “{title}”: {reason}"));
        }
        let deletions = rows.iter().filter(|row| row.change.deletes()).count();
        let backup = if deletions > FEW_DELETIONS { self.backup_first(cx) } else { BackupFirst::NotNeeded };
        let recovery = cx.connection.recovery();
        let review = rows.len() > 1 || rows.iter().any(|row| row.change.needs_review_as_answer(recovery));
        let review = review || cx.confirms() || !cx.history.answers_this_window(answers);
        let answer = Arc::new(BatchAnswer { title, rows, answers, in_flight, backup, capabilities });
        match review {
            true => self.plan_answer(answer, cx),
            false => self.run_answer(&answer, cx),
        }
    }

    /// Whether this program can create a backup of the connected service.
    fn backup_first(&self, cx: &WideContext<'_>) -> BackupFirst {
        match (&cx.connection.target, cx.connection.of_this_window) {
            (Target::Embedded, true) => BackupFirst::Made,
            (Target::Embedded, false) => {
                BackupFirst::Impossible("Another program runs this service, so this window cannot back it up")
            }
            // Nothing of a copy is worth a backup.
            (Target::Copy(_), _) => BackupFirst::NotNeeded,
            (Target::Url(_), _) => BackupFirst::Impossible("Lunette cannot back up this service"),
        }
    }

    /// Starts the undo or redo of a batch, after its backup if it needs one.
    pub(crate) fn start_answer(&mut self, answer: Arc<BatchAnswer>, cx: &mut WideContext<'_>) {
        if answer.backup != BackupFirst::Made {
            return self.run_answer(&answer, cx);
        }
        cx.emit(RunEvent::BackupNeeded(answer));
    }

    /// Handles the end of the backup before a run; without it the run does not start.
    pub(crate) fn backed_up_first(
        &mut self,
        end: Result<(), NotBackedUp>,
        answer: &BatchAnswer,
        generation: u64,
        cx: &mut WideContext<'_>,
    ) {
        match end {
            Ok(_) if generation == cx.generation() => self.run_answer(answer, cx),
            Ok(_) => cx.notify(Severity::Failed, not_started(answer, "the connection changed in the meantime")),
            Err(problem) => self.not_backed_up(answer, &problem.to_string(), cx),
        }
    }

    fn not_backed_up(&mut self, answer: &BatchAnswer, why: &str, cx: &mut WideContext<'_>) {
        cx.notify_failed(Topic::Backup, not_started(answer, why), Vec::new());
    }

    fn run_answer(&mut self, answer: &BatchAnswer, cx: &mut WideContext<'_>) {
        // It may have been undone or redone elsewhere while its plan was shown.
        let stale = match answer.answers {
            EntryRelation::Undoes(step) => cx.history.entry(step).is_none_or(|entry| entry.undone),
            EntryRelation::Redoes(_) | EntryRelation::None => false,
        };
        match stale {
            true => cx.notify(Severity::Failed, not_started(answer, "already undone")),
            false => self.start_run(RunRecord::of_answer(answer), answer.answers, cx),
        }
    }

    /// A batch with its runs; `None` if they must be read first, which is started.
    fn batch(&mut self, id: EntryId, then: AfterLoad, cx: &mut WideContext<'_>) -> Option<Batch> {
        let entry = Arc::clone(cx.history.entry(id)?);
        let run = run_of(&entry)?;
        let answers: Vec<_> =
            cx.history.answers(id).filter_map(|answer| Some((answer.answers, run_of(answer)?))).collect();
        if self.unreadable.contains(&run) {
            cx.history.cannot_undo(&entry, "its rows are no longer known", cx);
            return None;
        }
        let wanted = answers.iter().map(|(_, run)| *run).chain([run]);
        let missing = wanted.filter(|run| !self.runs.contains_key(run) && !self.unreadable.contains(run));
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() {
            self.read_runs(missing, then, cx);
            return None;
        }
        let run = self.runs.get(&run)?.clone();
        let known = |(answers, run): (EntryRelation, RunId)| Some((answers, self.runs.get(&run)?.clone()));
        // A run whose ledger is unreadable, or was never created, has no known changes.
        Some((entry, run, answers.into_iter().filter_map(known).collect()))
    }
}

fn not_started(answer: &BatchAnswer, why: &str) -> String {
    format!("Could not start “{}”: {why}", answer.title)
}

fn run_of(entry: &Entry) -> Option<RunId> {
    match entry.kind {
        EntryKind::Batch { run, .. } => Some(run),
        EntryKind::Change(_) | EntryKind::Call { .. } => None,
    }
}
