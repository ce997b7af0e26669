//! Undo and redo: which step they concern, and what undoes or redoes it.
//!
//! What must hold: Undo targets the last step or none, and says why if it targets none; the undo of a step from before
//! this window was opened is reviewed first; an undo is a step of its own.

use std::sync::Arc;

use crate::change::Change;
use crate::context::Context;
use crate::event::{RunEvent, StepEvent};
use crate::history::IfUnchanged;
use crate::history::{Action, History};
use crate::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome, lower};
use crate::notifications::Severity;
use crate::run::Runs;

/// What undoes or redoes a step, for the feature that made the step.
pub(crate) enum Answer {
    /// A change of an asset.
    Change(Box<ChangeBack>),
    /// Undoes a batch, which may turn out to have changed nothing.
    UndoBatch(EntryId, IfUnchanged),
    /// Redoes a batch.
    RedoBatch(EntryId),
    /// Undoes the changes of items.
    UndoItems(EntryId),
    /// Redoes the change of an item.
    RedoItem(EntryId),
    /// No longer tracks the application that a step tracked.
    Untrack(Arc<Entry>),
    /// Tracks an untracked application again.
    TrackAgain(Arc<Entry>),
}

/// The change that undoes or redoes a step.
pub(crate) struct ChangeBack {
    pub change: Change,
    /// The step that it undoes or redoes.
    pub relation: EntryRelation,
    pub title: String,
    /// Whether its plan is shown first, since the step is not of this window.
    pub review: bool,
}

impl History {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, runs: &Runs, cx: &mut Context<'_>) {
        match action {
            Action::Undo => self.undo(runs, cx),
            Action::Redo => self.redo(runs, cx),
            Action::UndoStep(entry) => self.undo_one(entry, IfUnchanged::Report, runs, cx),
            Action::UndoOne(entry, if_unchanged) => self.undo_one(entry, if_unchanged, runs, cx),
            Action::RedoStep(entry) => self.redo_step(entry, runs, cx),
            Action::UndoBefore(entry) => {
                self.pass(entry);
                self.undo(runs, cx);
            }
            Action::Reconcile(entry) => self.reconcile(entry, cx),
            Action::Select(entry) => self.selected = entry,
        }
    }

    /// Undoes the last step, or says why it cannot be undone.
    fn undo(&self, runs: &Runs, cx: &mut Context<'_>) {
        match self.last() {
            _ if self.reports_sending(cx) => {}
            Some(step) => self.undo_one(step.id, IfUnchanged::UndoPrevious, runs, cx),
            None => cx.show_hint("Nothing to undo".to_owned()),
        }
    }

    /// Redoes the step that was undone last.
    fn redo(&self, runs: &Runs, cx: &mut Context<'_>) {
        match self.redoable() {
            _ if self.reports_sending(cx) => {}
            Some(step) => self.redo_step(step.id, runs, cx),
            None => cx.show_hint("Nothing to redo".to_owned()),
        }
    }

    /// Reports that a step is still being sent, if one is: the last step is known only once it has ended.
    fn reports_sending(&self, cx: &mut Context<'_>) -> bool {
        let sending = self.sending();
        if sending {
            cx.show_success("The last change is still in progress; wait until it ends".to_owned());
        }
        sending
    }

    /// Undoes any step; an undo is undone by redoing its target.
    fn undo_one(&self, id: EntryId, if_unchanged: IfUnchanged, runs: &Runs, cx: &mut Context<'_>) {
        let Some(entry) = self.entry(id) else { return };
        match entry.answers {
            EntryRelation::None => {}
            EntryRelation::Undoes(target) => return self.redo_step(target, runs, cx),
            EntryRelation::Redoes(target) => return self.undo_one(target, IfUnchanged::Report, runs, cx),
        }
        if let Some(why) = self.undo_obstacle(entry, cx.connection, runs) {
            return self.cannot_undo(entry, &why, cx);
        }
        let answer = match &entry.kind {
            EntryKind::Batch { .. } => Answer::UndoBatch(id, if_unchanged),
            EntryKind::Call { .. } if entry.item_step().is_some() => Answer::UndoItems(id),
            EntryKind::Call { .. } => Answer::Untrack(Arc::clone(entry)),
            EntryKind::Change(_) => match self.back(id, cx.connection.recovery()) {
                Some(back) => {
                    self.answer(back, EntryRelation::Undoes(id), format!("Undo: {}", lower(&entry.title)), runs)
                }
                None => return self.cannot_undo(entry, "what it changed is not known", cx),
            },
        };
        cx.emit(StepEvent::Answered(answer));
    }

    fn redo_step(&self, id: EntryId, runs: &Runs, cx: &mut Context<'_>) {
        let Some(entry) = self.entry(id) else { return };
        if let Some(why) = self.redo_obstacle(entry) {
            return cx.cannot_redo(entry, &why);
        }
        let answer = match &entry.kind {
            EntryKind::Batch { .. } => Answer::RedoBatch(id),
            EntryKind::Call { .. } if entry.item_step().is_some() => Answer::RedoItem(id),
            EntryKind::Call { .. } => Answer::TrackAgain(Arc::clone(entry)),
            EntryKind::Change(_) => match self.again(id, cx.connection.recovery()) {
                Some(again) => {
                    self.answer(again, EntryRelation::Redoes(id), format!("Redo: {}", lower(&entry.title)), runs)
                }
                None => return cx.cannot_redo(entry, "this service cannot redo it"),
            },
        };
        cx.emit(StepEvent::Answered(answer));
    }

    /// The undo or redo of a single change.
    fn answer(&self, change: Change, relation: EntryRelation, title: String, runs: &Runs) -> Answer {
        let change = self.replacements(runs).apply(change);
        Answer::Change(Box::new(ChangeBack { change, relation, title, review: !self.answers_this_window(relation) }))
    }

    /// Has a step of unknown outcome reconciled by what made it.
    fn reconcile(&self, id: EntryId, cx: &mut Context<'_>) {
        let Some(entry) = self.entry(id) else { return };
        match (&entry.outcome, &entry.kind) {
            (Outcome::Unknown(_), EntryKind::Change(_)) => cx.emit(StepEvent::Doubted(Arc::clone(entry))),
            (Outcome::Unknown(_), EntryKind::Call { .. }) if entry.creates_asset() => {
                cx.emit(StepEvent::Doubted(Arc::clone(entry)));
            }
            (Outcome::Unknown(_), EntryKind::Batch { run, .. }) => cx.emit(RunEvent::Needed(*run)),
            (Outcome::Unknown(_), EntryKind::Call { .. }) => {
                let text = format!("“{}” cannot be read again; check the item itself", entry.title);
                cx.notify(Severity::Failed, text);
            }
            (Outcome::Sending | Outcome::Done | Outcome::Failed(_) | Outcome::Partly { .. }, _) => {}
        }
    }

    /// Reports why a step cannot be undone, and offers to undo the previous one if it is the last.
    pub(crate) fn cannot_undo(&self, entry: &Entry, why: &str, cx: &mut Context<'_>) {
        let text = format!("“{}” cannot be undone: {why}", entry.title);
        cx.notify_offering(Severity::Failed, text, self.ways_back(entry.id));
    }
}

impl Context<'_> {
    /// Reports why a step cannot be redone.
    pub(crate) fn cannot_redo(&mut self, entry: &Entry, why: &str) {
        self.notify(Severity::Failed, format!("“{}” cannot be redone: {why}", entry.title));
    }
}
