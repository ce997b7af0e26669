//! Undo, redo, and the reconciliation of steps with an unknown outcome.
//!
//! What must hold: Undo targets the last step or none, and says why if it targets none; an undo that deletes, changes
//! more than one asset, or undoes a step from before this window was opened shows its plan first; an undo is a step of
//! its own; if the asset was changed since the step, nothing is sent, and the step can still be undone.

use crate::journal::lower;

use crate::Remote;
use crate::action::AssetsAction;
use crate::action::BulkAction;
use crate::action::HistoryAction;
use crate::action::LinksAction;
use crate::change::Change;
use crate::context::Context;
use crate::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome};
use crate::notifications::{Severity, Topic};
use crate::write::journaled;
use crate::write::plan::{Planned, Reconciled, reconciled};
use crate::write::{Output, Writes};

impl Writes {
    /// Performs an action.
    pub(crate) fn perform_step(&mut self, action: HistoryAction, cx: &mut Context<'_>) {
        match action {
            HistoryAction::Undo => self.undo(cx),
            HistoryAction::Redo => self.redo(cx),
            HistoryAction::UndoStep(entry) => self.undo_step(entry, cx),
            HistoryAction::UndoOne(entry, go_on) => self.undo_one(entry, go_on, cx),
            HistoryAction::RedoStep(entry) => self.redo_step(entry, cx),
            HistoryAction::UndoBefore(entry) => self.undo_before(entry, cx),
            HistoryAction::Reconcile(entry) => self.reconcile(entry, cx),
            HistoryAction::Select(entry) => self.select_step(entry, cx),
        }
    }

    /// Undoes the last step, or says why it cannot be undone.
    pub(crate) fn undo(&mut self, cx: &mut Context<'_>) {
        let step = cx.history.last().map(|entry| entry.id);
        self.undo_or("Nothing to undo", step, |writes, step, cx| writes.undo_one(step, true, cx), cx);
    }

    /// Skips a step, and undoes the previous one.
    pub(crate) fn undo_before(&mut self, id: EntryId, cx: &mut Context<'_>) {
        cx.history.pass(id);
        self.undo(cx);
    }

    /// Redoes the step that was undone last.
    pub(crate) fn redo(&mut self, cx: &mut Context<'_>) {
        let step = cx.history.redoable().map(|entry| entry.id);
        self.undo_or("Nothing to redo", step, Self::redo_step, cx);
    }

    fn undo_or(
        &mut self,
        nothing: &str,
        step: Option<EntryId>,
        act: fn(&mut Self, EntryId, &mut Context<'_>),
        cx: &mut Context<'_>,
    ) {
        // The last step is known only once the step being sent has ended.
        if cx.history.sending() {
            cx.show_success("The last change is still in progress; wait until it ends".to_owned());
            return;
        }
        match step {
            Some(step) => act(self, step, cx),
            None => cx.show_success(nothing.to_owned()),
        }
    }

    /// Undoes any step; an undo is undone by redoing its target.
    pub(crate) fn undo_step(&mut self, id: EntryId, cx: &mut Context<'_>) {
        self.undo_one(id, false, cx);
    }

    /// Undoes a step; with `continue_run`, the previous one if the step changed nothing.
    pub(crate) fn undo_one(&mut self, id: EntryId, continue_run: bool, cx: &mut Context<'_>) {
        let Some(entry) = cx.history.entry(id).cloned() else { return };
        match entry.answers {
            EntryRelation::None => {}
            EntryRelation::Undoes(target) => return self.redo_step(target, cx),
            EntryRelation::Redoes(target) => return self.undo_step(target, cx),
        }
        if let Some(why) = cx.history.undo_obstacle(&entry, cx.connection) {
            return cx.cannot_undo(&entry, &why);
        }
        if let EntryKind::Batch { .. } = entry.kind {
            return cx.request(BulkAction::UndoBatch(id, continue_run));
        }
        if let EntryKind::Call { .. } = entry.kind {
            return match entry.item_step() {
                Some(_) => cx.request(LinksAction::UndoStep(id)),
                None => self.untrack_step(&entry, cx),
            };
        }
        match cx.history.back(id, cx.connection.recovery()) {
            Some(back) => {
                self.answer_step(back, EntryRelation::Undoes(id), format!("Undo: {}", lower(&entry.title)), cx)
            }
            None => cx.cannot_undo(&entry, "what it changed is not known"),
        }
    }

    pub(crate) fn redo_step(&mut self, id: EntryId, cx: &mut Context<'_>) {
        let Some(entry) = cx.history.entry(id).cloned() else { return };
        if let Some(why) = cx.history.redo_obstacle(&entry) {
            return cx.cannot_redo(&entry, &why);
        }
        if let EntryKind::Batch { .. } = entry.kind {
            return cx.request(BulkAction::RedoBatch(id));
        }
        if let EntryKind::Call { .. } = entry.kind {
            return match entry.item_step() {
                Some(_) => cx.request(LinksAction::RedoStep(id)),
                None => self.track_again(&entry, cx),
            };
        }
        match cx.history.again(id, cx.connection.recovery()) {
            Some(again) => {
                self.answer_step(again, EntryRelation::Redoes(id), format!("Redo: {}", lower(&entry.title)), cx)
            }
            None => cx.cannot_redo(&entry, "this service cannot redo it"),
        }
    }

    /// Sends the undo or redo of one step. Its plan is shown first if it deletes, if the step is not of this window, or
    /// if the write policy requires it.
    fn answer_step(&mut self, change: Change, relation: EntryRelation, title: String, cx: &mut Context<'_>) {
        let change = cx.history.replacements().apply(change);
        if cx.blocks_write(change.capability(), "Could not make the change") {
            return;
        }
        if cx.pages.of.get(change.asset()).is_some_and(|page| page.writing) {
            return cx
                .show_success("The last change to this asset is still being saved; try again in a moment".to_owned());
        }
        let title = Some(title);
        let looked_at = cx.confirms() || change.deletes() || !cx.history.answers_this_window(relation);
        if !self.begin_writing(change.asset(), cx) {
            return;
        }
        if looked_at {
            let planned = Planned::of(change, Remote::NotRequested);
            self.plan(Planned { relation, title, awaited: true, ..planned }, cx);
        } else {
            self.start_writing(change, relation, title, cx);
        }
    }

    /// Reconciles a step of unknown outcome by reading its asset, and records the result. It is never sent again.
    pub(crate) fn reconcile(&mut self, id: EntryId, cx: &mut Context<'_>) {
        let Some(entry) = cx.history.entry(id).cloned() else { return };
        let change = match (&entry.outcome, &entry.kind) {
            (Outcome::Unknown(_), EntryKind::Change(change)) => change.clone(),
            (Outcome::Unknown(_), EntryKind::Batch { run, .. }) => return cx.request(BulkAction::Open(*run)),
            (Outcome::Unknown(_), EntryKind::Call { .. }) => {
                let text = format!("“{}” cannot be read again; check the item itself", entry.title);
                return cx.notify(Severity::Failed, text);
            }
            (Outcome::Sending | Outcome::Done | Outcome::Failed(_) | Outcome::Partly { .. }, _) => return,
        };
        let context = cx.write_context();
        let intended = change.clone();
        let read = async move {
            let context = context.map_err(|error| error.to_string())?;
            read_again(&context, &entry, &intended).await
        };
        cx.run(read, |end| Output::Reconciled { change, end });
    }

    pub(crate) fn reconciled(&mut self, change: &Change, end: Result<Reconciled, String>, cx: &mut Context<'_>) {
        // The message that it was unknown is over.
        let topic = Topic::Asset(change.asset().clone());
        if matches!(end, Ok(Reconciled::Applied | Reconciled::NotApplied)) {
            cx.resolve(topic.clone());
        }
        match end {
            Ok(Reconciled::Applied) => {
                cx.show_success(format!("The change was made: {}", lower(&change.done())));
                match change.info().removes {
                    true => self.deleted(change.asset(), cx),
                    false => cx.request(AssetsAction::Reload(change.asset().clone())),
                }
            }
            Ok(Reconciled::NotApplied) => {
                cx.show_success(format!("The change was not made: {}", lower(&change.done())));
                cx.request(AssetsAction::Reload(change.asset().clone()));
            }
            Ok(Reconciled::Unclear(why)) => {
                cx.notify_failed(topic, format!("The outcome remains unknown: {why}"), Vec::new());
            }
            Err(problem) => {
                cx.notify_failed(topic, format!("Could not read the asset again: {problem}"), Vec::new());
            }
        }
    }

    pub(crate) fn select_step(&mut self, entry: Option<EntryId>, cx: &mut Context<'_>) {
        cx.history.select(entry);
    }
}

impl Context<'_> {
    /// Reports why a step cannot be undone, and offers to undo the previous one if it is the last.
    pub(crate) fn cannot_undo(&mut self, entry: &Entry, why: &str) {
        let offers = self.history.ways_back(entry.id);
        self.notify_offering(Severity::Failed, format!("“{}” cannot be undone: {why}", entry.title), offers);
    }

    /// Reports why a step cannot be redone.
    pub(crate) fn cannot_redo(&mut self, entry: &Entry, why: &str) {
        self.notify(Severity::Failed, format!("“{}” cannot be redone: {why}", entry.title));
    }
}

/// Reads the asset of a step again and records the result; fails with a sentence if it cannot be read.
pub(super) async fn read_again(
    context: &journaled::WriteContext,
    entry: &Entry,
    change: &Change,
) -> Result<Reconciled, String> {
    let (reconciled, done) = reconciled(&context.client, change).await.map_err(|error| error.to_string())?;
    let outcome = match &reconciled {
        Reconciled::Applied => Outcome::Done,
        Reconciled::NotApplied => {
            Outcome::Failed("reading the asset again showed that the change was not made".to_owned())
        }
        Reconciled::Unclear(why) => Outcome::Unknown(why.clone()),
    };
    journaled::record_reconciled(context, entry.clone(), outcome, done).await;
    Ok(reconciled)
}
