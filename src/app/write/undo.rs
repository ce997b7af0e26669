//! Undo, redo, and the settling of what nobody knows.
//!
//! What must hold: Undo takes the last step or none, and says why it takes none; what deletes, touches more than one
//! asset, or goes back before this window was opened shows its plan first; what undoes a step is a step of its own; where
//! the asset is no longer as the step left it nothing is sent, and the step can still be undone.

use std::sync::Arc;

use crate::app::action::{HistoryAction, NavigationAction};
use crate::app::change::Change;
use crate::app::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome};
use crate::app::navigation::Panel;
use crate::app::notifications::{Grade, Offer};
use crate::app::output::TaskOutput;
use crate::app::output::WriteOutput;
use crate::app::write::plan::{Planned, Reconciled, reconciled};
use crate::app::write::step;
use crate::app::{Action, App, Remote};

impl App {
    /// Undoes the last step, or says why it cannot be undone.
    pub(in crate::app) fn undo(&mut self) {
        let step = self.state.history.last().map(|entry| entry.id);
        self.undo_or("Nothing to undo", step, |app, step| app.undo_one(step, true));
    }

    /// Leaves a step as it is, and undoes the one before it.
    pub(in crate::app) fn undo_before(&mut self, id: EntryId) {
        self.state.history.pass(id);
        self.undo();
    }

    /// Redoes the step that was undone last.
    pub(in crate::app) fn redo(&mut self) {
        let step = self.state.history.redoable().map(|entry| entry.id);
        self.undo_or("Nothing to redo", step, Self::redo_step);
    }

    fn undo_or(&mut self, nothing: &str, step: Option<EntryId>, act: fn(&mut Self, EntryId)) {
        // What the last step is, is known when it has ended.
        if self.state.history.sending() {
            self.say("The last change is still in progress; wait until it ends".to_owned());
            return;
        }
        match step {
            Some(step) => act(self, step),
            None => self.say(nothing.to_owned()),
        }
    }

    /// Undoes any step; one that undid another is undone by redoing that one.
    pub(in crate::app) fn undo_step(&mut self, id: EntryId) {
        self.undo_one(id, false);
    }

    /// Undoes a step; `continue_run` goes on to the one before where it turns out to have changed nothing.
    pub(in crate::app) fn undo_one(&mut self, id: EntryId, continue_run: bool) {
        let Some(entry) = self.state.history.entry(id).cloned() else { return };
        match entry.answers {
            EntryRelation::None => {}
            EntryRelation::Undoes(target) => return self.redo_step(target),
            EntryRelation::Redoes(target) => return self.undo_step(target),
        }
        if let Some(why) = self.state.history.undo_obstacle(&entry, &self.state.connection) {
            return self.cannot_undo(&entry, &why);
        }
        if let EntryKind::Batch { .. } = entry.deed {
            return self.undo_batch(id, continue_run);
        }
        if let EntryKind::Call { .. } = entry.deed {
            return self.untrack_step(&entry);
        }
        match self.state.history.back(id, self.state.connection.recovery()) {
            Some(back) => self.answer_step(back, EntryRelation::Undoes(id), format!("Undo: {}", lower(&entry.title))),
            None => self.cannot_undo(&entry, "what it changed is not known"),
        }
    }

    /// Says that a step cannot be undone and why, and offers to go further back where it is the last one.
    pub(in crate::app) fn cannot_undo(&mut self, entry: &Entry, why: &str) {
        let offers = self.ways_back(entry.id);
        self.notify_offering(Grade::Failed, format!("“{}” cannot be undone: {why}", entry.title), offers);
    }

    /// What can be done where a step is not undone: the step before it, if it is the last one, and a look at it.
    pub(in crate::app) fn ways_back(&self, id: EntryId) -> Vec<Offer> {
        let history = &self.state.history;
        let mut offers = Vec::new();
        if history.last().is_some_and(|last| last.id == id) && history.before(id).is_some() {
            offers.push(Offer {
                label: "Undo the step before",
                actions: vec![Action::History(HistoryAction::UndoBefore(id))],
            });
        }
        let look = vec![
            Action::Navigation(NavigationAction::Show(Panel::History)),
            Action::History(HistoryAction::Select(Some(id))),
        ];
        offers.push(Offer { label: "History", actions: look });
        offers
    }

    pub(in crate::app) fn redo_step(&mut self, id: EntryId) {
        let Some(entry) = self.state.history.entry(id).cloned() else { return };
        if let Some(why) = self.state.history.redo_obstacle(&entry) {
            return self.cannot_redo(&entry, &why);
        }
        if let EntryKind::Batch { .. } = entry.deed {
            return self.redo_batch(id);
        }
        if let EntryKind::Call { .. } = entry.deed {
            return self.track_again(&entry);
        }
        match self.state.history.again(id, self.state.connection.recovery()) {
            Some(again) => self.answer_step(again, EntryRelation::Redoes(id), format!("Redo: {}", lower(&entry.title))),
            None => self.cannot_redo(&entry, "this service cannot redo it"),
        }
    }

    /// Says that a step cannot be redone, and why.
    pub(in crate::app) fn cannot_redo(&mut self, entry: &Entry, why: &str) {
        self.notify(Grade::Failed, format!("“{}” cannot be redone: {why}", entry.title));
    }

    /// Sends what undoes or redoes one step; after its plan was looked at where it deletes, where the step is not of this
    /// window, or where the connection asks.
    fn answer_step(&mut self, change: Change, answers: EntryRelation, title: String) {
        let change = self.state.history.replacements().apply(change);
        if self.blocks_write(change.feature(), "Could not make the change") {
            return;
        }
        if self.state.pages.of.get(change.asset()).is_some_and(|page| page.writing) {
            return self.say("The last change to this asset is still being saved; try again in a moment".to_owned());
        }
        let title = Some(title);
        let looked_at = self.confirms() || change.deletes() || !self.is_of_this_window(answers);
        if !self.begin_writing(change.asset()) {
            return;
        }
        if looked_at {
            let planned = Planned::of(change, Remote::Unasked);
            self.plan(Planned { answers, title, awaited: true, ..planned });
        } else {
            self.start_writing(change, answers, title);
        }
    }

    /// Whether what is undone or redone was done in this window since it was opened.
    pub(in crate::app) fn is_of_this_window(&self, answers: EntryRelation) -> bool {
        let history = &self.state.history;
        match answers {
            EntryRelation::None => true,
            EntryRelation::Undoes(step) => history.is_of_this_window(step),
            EntryRelation::Redoes(step) => {
                history.answers(step).last().is_some_and(|undo| history.is_of_this_window(undo.id))
            }
        }
    }

    /// A step's name, within a sentence.
    pub(in crate::app) fn title_of(&self, step: EntryId) -> String {
        self.state.history.entry(step).map(|entry| lower(&entry.title)).unwrap_or_default()
    }

    /// Reads what a step of unknown outcome was meant for, and notes what that tells. It is never sent again.
    pub(in crate::app) fn reconcile(&mut self, id: EntryId) {
        let Some(entry) = self.state.history.entry(id).cloned() else { return };
        let change = match (&entry.outcome, &entry.deed) {
            (Outcome::Unknown(_), EntryKind::Change(change)) => change.clone(),
            (Outcome::Unknown(_), EntryKind::Batch { run, .. }) => return self.open_run(*run),
            (Outcome::Unknown(_), EntryKind::Call { .. }) => {
                let text = format!("“{}” cannot be read again; check the item itself", entry.title);
                return self.notify(Grade::Failed, text);
            }
            (Outcome::Sending | Outcome::Done | Outcome::Failed(_) | Outcome::Partly { .. }, _) => return,
        };
        let context = self.context();
        let (meant, failed) = (change.clone(), change.clone());
        let read = async move {
            let end = match context {
                Ok(context) => read_again(&context, &entry, &change).await,
                Err(error) => Err(error.to_string()),
            };
            TaskOutput::Write(WriteOutput::Reconciled { change: meant, end })
        };
        self.start(read, move |error| {
            TaskOutput::Write(WriteOutput::Reconciled { change: failed, end: Err(error.to_string()) })
        });
    }

    pub(in crate::app) fn reconciled(&mut self, change: &Change, end: Result<Reconciled, String>) {
        match end {
            Ok(Reconciled::Applied) => {
                self.say(format!("The change was made: {}", lower(&change.done())));
                match change {
                    Change::Delete { asset, .. } | Change::Purge { asset, .. } => self.deleted(asset),
                    change => self.load_asset(change.asset()),
                }
            }
            Ok(Reconciled::NotApplied) => {
                self.say(format!("The change was not made: {}", lower(&change.done())));
                self.load_asset(change.asset());
            }
            Ok(Reconciled::Unclear(why)) => {
                self.notify(Grade::Failed, format!("The outcome remains unknown: {why}"));
            }
            Err(problem) => self.notify(Grade::Failed, format!("Could not read the asset again: {problem}")),
        }
    }

    pub(in crate::app) fn select_step(&mut self, entry: Option<EntryId>) {
        self.state.history.selected = entry;
    }
}

/// Reads the asset of a step again and notes what that tells; fails, with a sentence, where it cannot be read.
async fn read_again(context: &step::WriteContext, entry: &Arc<Entry>, change: &Change) -> Result<Reconciled, String> {
    let (reconciled, done) = reconciled(&context.client, change).await.map_err(|error| error.to_string())?;
    let outcome = match &reconciled {
        Reconciled::Applied => Outcome::Done,
        Reconciled::NotApplied => {
            Outcome::Failed("reading the asset again showed that the change was not made".to_owned())
        }
        Reconciled::Unclear(why) => Outcome::Unknown(why.clone()),
    };
    step::record_reconciled(context, Entry::clone(entry), outcome, done).await;
    Ok(reconciled)
}

/// A sentence within another one.
pub(in crate::app) fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
