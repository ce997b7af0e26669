//! Undo, redo, and the settling of what nobody knows.
//!
//! What must hold: what takes a step back is a step of its own, and goes the way of any other; where the asset is no
//! longer as the step left it nothing is sent, the reason is said, and the step can still be taken back.

use std::sync::Arc;

use crate::app::change::Change;
use crate::app::event::What;
use crate::app::journal::{Answers, Deed, Entry, EntryId, Outcome};
use crate::app::plan::{Planned, Settled, settled};
use crate::app::state::Grade;
use crate::app::write::step;
use crate::app::{App, Remote};

/// Why a step of another way of ending is not taken back.
fn not_done(outcome: &Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Done => None,
        Outcome::Sending => Some("it is still under way; wait for it"),
        Outcome::Failed(_) => Some("it was not done"),
        Outcome::Unknown(_) => Some("nobody knows whether it was done; read it again first"),
    }
}

impl App {
    /// Takes the last step back that can be.
    pub(in crate::app) fn undo(&mut self) {
        let step = self.state.history.undoable().map(|entry| entry.id);
        self.undo_or("There is nothing to undo", step, Self::undo_step);
    }

    /// Does the step again that was taken back last.
    pub(in crate::app) fn redo(&mut self) {
        let step = self.state.history.redoable().map(|entry| entry.id);
        self.undo_or("There is nothing to do again", step, Self::redo_step);
    }

    fn undo_or(&mut self, nothing: &str, step: Option<EntryId>, act: fn(&mut Self, EntryId)) {
        // What the last step is, is known when it has ended.
        if self.state.history.sending() {
            self.say("The last change is still under way; wait for it".to_owned());
            return;
        }
        match step {
            Some(step) => act(self, step),
            None => self.say(nothing.to_owned()),
        }
    }

    /// Takes any step back; one that took another back is taken back by doing that one again.
    pub(in crate::app) fn undo_step(&mut self, id: EntryId) {
        let Some(entry) = self.state.history.entry(id).cloned() else { return };
        match entry.answers {
            Answers::Nothing => {}
            Answers::Undo(target) => return self.redo_step(target),
            Answers::Redo(target) => return self.undo_step(target),
        }
        let refused = not_done(&entry.outcome)
            .filter(|_| !entry.partly_done())
            .or(entry.undone.then_some("it was taken back already"));
        let refused = match (refused, &entry.deed) {
            (Some(refused), _) => refused.to_owned(),
            (None, Deed::Batch { .. }) => return self.undo_batch(id),
            (None, Deed::Call { .. }) => "what was sent as it was typed cannot be taken back".to_owned(),
            (None, Deed::Change(_)) => match self.state.history.made(id).and_then(Change::inverse) {
                Some(back) => {
                    return self.answer_step(back, Answers::Undo(id), format!("Undone: {}", lower(&entry.title)));
                }
                None => "the interface has no way back from it".to_owned(),
            },
        };
        self.notify(Grade::Failed, format!("“{}” was not undone: {refused}", entry.title));
    }

    fn redo_step(&mut self, id: EntryId) {
        let Some(entry) = self.state.history.entry(id).cloned() else { return };
        let refused = match (&entry.deed, entry.undone) {
            (_, false) => "it was not taken back, or was done again already".to_owned(),
            (Deed::Batch { .. }, true) => return self.redo_batch(id),
            (Deed::Call { .. }, true) => "what was sent as it was typed is not sent again".to_owned(),
            (Deed::Change(Change::Create { .. }), true) => {
                "the asset would come back as another one; make it anew".to_owned()
            }
            (Deed::Change(_), true) => match self.state.history.made(id).cloned() {
                Some(again) => {
                    return self.answer_step(again, Answers::Redo(id), format!("Done again: {}", lower(&entry.title)));
                }
                None => "what it did is not known".to_owned(),
            },
        };
        self.notify(Grade::Failed, format!("“{}” was not done again: {refused}", entry.title));
    }

    fn answer_step(&mut self, change: Change, answers: Answers, title: String) {
        if self.holds_back(change.feature(), "nothing was sent") {
            return;
        }
        let title = Some(title);
        match (self.begin_writing(change.asset()), self.confirms()) {
            (true, false) => self.start_writing(change, answers, title),
            (true, true) => {
                let planned = Planned::of(change, Remote::Unasked);
                self.plan(Planned { answers, title, awaited: true, ..planned });
            }
            (false, _) => self.say("The last change to this asset is still under way; wait for it".to_owned()),
        }
    }

    /// A step's name, within a sentence.
    pub(super) fn title_of(&self, step: EntryId) -> String {
        self.state.history.entry(step).map(|entry| lower(&entry.title)).unwrap_or_default()
    }

    /// Reads what a step of unknown outcome was meant for, and notes what that tells. It is never sent again.
    pub(in crate::app) fn settle(&mut self, id: EntryId) {
        let Some(entry) = self.state.history.entry(id).cloned() else { return };
        let change = match (&entry.outcome, &entry.deed) {
            (Outcome::Unknown(_), Deed::Change(change)) => change.clone(),
            (Outcome::Unknown(_), Deed::Batch { run, .. }) => return self.open_run(*run),
            (Outcome::Unknown(_), Deed::Call { .. }) => {
                let text = format!("“{}” cannot be read again: look at what it was meant for", entry.title);
                return self.notify(Grade::Failed, text);
            }
            (Outcome::Sending | Outcome::Done | Outcome::Failed(_), _) => return,
        };
        let desk = self.desk();
        let (meant, failed) = (change.clone(), change.clone());
        let read = async move {
            let end = match desk {
                Ok(desk) => read_again(&desk, &entry, &change).await,
                Err(error) => Err(error.to_string()),
            };
            What::Settled { change: meant, end }
        };
        self.start(read, move |error| What::Settled { change: failed, end: Err(error.to_string()) });
    }

    pub(in crate::app) fn settled(&mut self, change: &Change, end: Result<Settled, String>) {
        match end {
            Ok(Settled::Done) => {
                self.say(format!("It was done: {}", lower(&change.done())));
                match change {
                    Change::Delete { asset, .. } | Change::Purge { asset, .. } => self.deleted(asset),
                    change => self.load_asset(change.asset()),
                }
            }
            Ok(Settled::NotDone) => {
                self.say(format!("It was not done: {}", lower(&change.done())));
                self.load_asset(change.asset());
            }
            Ok(Settled::Unclear(why)) => {
                self.notify(Grade::Failed, format!("whether it was done cannot be told: {why}"));
            }
            Err(problem) => self.notify(Grade::Failed, format!("the asset could not be read again: {problem}")),
        }
    }

    pub(in crate::app) fn select_step(&mut self, entry: Option<EntryId>) {
        self.state.history.selected = entry;
    }
}

/// Reads the asset of a step again and notes what that tells; fails, with a sentence, where it cannot be read.
async fn read_again(desk: &step::Desk, entry: &Arc<Entry>, change: &Change) -> Result<Settled, String> {
    let (settled, done) = settled(&desk.wire, change).await.map_err(|error| error.to_string())?;
    let outcome = match &settled {
        Settled::Done => Outcome::Done,
        Settled::NotDone => Outcome::Failed("the asset was read again, and it was not done".to_owned()),
        Settled::Unclear(why) => Outcome::Unknown(why.clone()),
    };
    step::note_settled(desk, Entry::clone(entry), outcome, done).await;
    Ok(settled)
}

/// A sentence within another one.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
