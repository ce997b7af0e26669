//! Undo and redo of single changes, and the reconciliation of steps with an unknown outcome.
//!
//! What must hold: if the asset was changed since the step, nothing is sent, and the step can still be undone; a step of
//! unknown outcome is never sent again.

use std::sync::Arc;

use crate::action::AssetsAction;
use crate::change::Change;
use crate::context::WideContext;
use crate::history::ChangeBack;
use crate::journal::{Entry, EntryKind, Outcome, lower};
use crate::notifications::Topic;
use crate::write::created::known;
use crate::write::journaled::{Reading, Reviewed, Step, find_created, read_again};
use crate::write::plan::{Planned, Reconciled};
use crate::write::{Output, Writes};
use crate::{CallError, Remote};

impl Writes {
    /// Sends the change that undoes or redoes a step, or shows its plan first.
    pub(crate) fn change_back(&mut self, back: ChangeBack, cx: &mut WideContext<'_>) {
        let ChangeBack { change, relation, title, review } = back;
        if cx.blocks_write(change.capability(), "Could not make the change") {
            return;
        }
        if self.of(change.asset()).writing {
            return cx
                .show_success("The last change to this asset is still being saved; try again in a moment".to_owned());
        }
        let title = Some(title);
        let review = review || cx.confirms() || change.needs_review_as_answer(cx.connection.recovery());
        if !self.begin_writing(change.asset()) {
            return;
        }
        if review {
            let planned = Planned::of(change, Remote::NotRequested);
            self.plan(Planned { relation, title, awaited: true, ..planned }, cx);
        } else {
            self.start_writing(change, Step { relation, title, reviewed: Reviewed::Yes }, cx);
        }
    }

    /// Reconciles a change of unknown outcome by reading its asset, and records the result. It is never sent again.
    pub(crate) fn reconcile(&mut self, entry: Arc<Entry>, cx: &mut WideContext<'_>) {
        if entry.creates_asset() {
            return self.look_for_created(entry, cx);
        }
        let (Outcome::Unknown(_), EntryKind::Change(change)) = (&entry.outcome, &entry.kind) else { return };
        let change = change.clone();
        let (context, intended) = (cx.write_context(), change.clone());
        let read = async move { Ok(read_again(&context?, &entry, &intended, Reading::Settled).await?.0) };
        cx.run(read, |end| Output::Reconciled { change, end });
    }

    /// Looks for the asset that a step of unknown outcome was to create. It is never created again.
    fn look_for_created(&mut self, entry: Arc<Entry>, cx: &mut WideContext<'_>) {
        let Outcome::Unknown(_) = entry.outcome else { return };
        let others = cx.history.entries.iter().filter(|other| other.id != entry.id);
        let (known, context, title) = (known(others.map(Arc::as_ref)), cx.write_context(), lower(&entry.title));
        let read = async move { find_created(&context?, &entry, &known).await.map(|(read, _)| read) };
        cx.run(read, |end| Output::LookedFor { title, end });
    }

    /// Says what looking for a created asset has shown.
    pub(crate) fn looked_for(&mut self, title: &str, end: Result<Reconciled, CallError>, cx: &mut WideContext<'_>) {
        if matches!(end, Ok(Reconciled::Applied | Reconciled::NotApplied)) {
            cx.resolve(Topic::Create);
        }
        match end {
            Ok(Reconciled::Applied) => {
                cx.show_success(format!("The asset is there: {title}"));
                cx.request(AssetsAction::LoadList);
            }
            Ok(Reconciled::NotApplied) => cx.show_success(format!("No such asset was created: {title}")),
            Ok(Reconciled::Unclear(why)) => {
                cx.notify_failed(Topic::Create, format!("The outcome remains unknown: {why}"), Vec::new());
            }
            Err(problem) => {
                cx.notify_failed(Topic::Create, format!("Could not look for the asset: {problem}"), Vec::new());
            }
        }
    }

    pub(crate) fn reconciled(&mut self, change: &Change, end: Result<Reconciled, CallError>, cx: &mut WideContext<'_>) {
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
}
