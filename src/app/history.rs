//! The steps of a connection, newest last: what can be taken back, what can be done again.
//!
//! What must hold: a batch is one step; what is unknown or failed is neither taken back nor done again; a new step ends
//! what could be done again.

use std::collections::BTreeSet;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::app::change::Change;
use crate::app::journal::{Answers, Deed, Entry, EntryId, Outcome};

/// The steps of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// The one looked at.
    pub selected: Option<EntryId>,
    /// Batches of which nothing can be taken back.
    pub lasting: BTreeSet<EntryId>,
    /// The steps that were begun in this window since it was opened. All others are from before, or of another window.
    pub here: HashSet<EntryId>,
    /// What was wrong with the journal when it was read, for people.
    pub said: Option<String>,
}

impl History {
    /// The step of this name.
    pub fn entry(&self, id: EntryId) -> Option<&Arc<Entry>> {
        self.entries.iter().rev().find(|entry| entry.id == id)
    }

    /// The step that Undo takes back: the newest of the user's own that was done, was not taken back and can be. A step
    /// of an asset that was deleted since is passed over.
    pub fn undoable(&self) -> Option<&Arc<Entry>> {
        let mut deleted = HashSet::new();
        self.entries.iter().rev().find(|entry| {
            if let Deed::Change(Change::Delete { asset, .. }) = &entry.deed
                && entry.outcome == Outcome::Done
            {
                deleted.insert(asset);
            }
            let own = entry.answers == Answers::Nothing && !entry.undone && !self.lasting.contains(&entry.id);
            own && entry.partly_done()
                && match &entry.deed {
                    Deed::Change(change) => change.reversible() && !deleted.contains(change.asset()),
                    Deed::Batch { .. } => true,
                    Deed::Call { .. } => false,
                }
        })
    }

    /// The step that Redo does again: the one that was taken back last. There is none once another step was begun.
    pub fn redoable(&self) -> Option<&Arc<Entry>> {
        let again = |entry: &&Arc<Entry>| match &entry.deed {
            // An asset that was made and deleted again would come back as another one.
            Deed::Change(Change::Create { .. }) | Deed::Call { .. } => false,
            Deed::Change(_) | Deed::Batch { .. } => entry.undone,
        };
        // Asked for in every frame: with nothing taken back there is nothing to look for.
        let undone: HashMap<_, _> = self.entries.iter().filter(again).map(|entry| (entry.id, entry)).collect();
        if undone.is_empty() {
            return None;
        }
        let answers = self.entries.iter().rev().take_while(|entry| {
            entry.answers != Answers::Nothing || matches!(entry.outcome, Outcome::Failed(_)) || entry.undone
        });
        answers.filter(|entry| entry.outcome == Outcome::Done).find_map(|entry| match entry.answers {
            Answers::Undo(target) => undone.get(&target).copied(),
            Answers::Nothing | Answers::Redo(_) => None,
        })
    }

    /// What a step did, or what doing it again did last.
    pub fn made(&self, id: EntryId) -> Option<&Change> {
        let newest = self
            .entries
            .iter()
            .rev()
            .find(|entry| entry.outcome == Outcome::Done && (entry.id == id || entry.answers == Answers::Redo(id)));
        match &newest?.deed {
            Deed::Change(change) => Some(change),
            Deed::Batch { .. } | Deed::Call { .. } => None,
        }
    }

    /// Whether a single step is being sent.
    pub fn sending(&self) -> bool {
        let single = |entry: &Arc<Entry>| !matches!(entry.deed, Deed::Batch { .. });
        self.entries.iter().rev().any(|entry| entry.outcome == Outcome::Sending && single(entry))
    }

    /// Whether a step was begun in this window since it was opened.
    pub fn is_of_this_window(&self, id: EntryId) -> bool {
        self.here.contains(&id)
    }

    /// Takes in a step of this window that began or ended.
    pub(in crate::app) fn put(&mut self, entry: Arc<Entry>) {
        // What is begun here is under way first; what ended without that may be a step of before that was read again.
        if entry.outcome == Outcome::Sending {
            self.here.insert(entry.id);
        }
        self.merge(entry);
    }

    /// Takes in a step as it stands now, whoever began it.
    pub(in crate::app) fn merge(&mut self, entry: Arc<Entry>) {
        if entry.outcome == Outcome::Done {
            match entry.answers {
                Answers::Nothing => {}
                Answers::Undo(target) => self.mark(target, true),
                Answers::Redo(target) => self.mark(target, false),
            }
        }
        match self.entries.iter_mut().rev().find(|known| known.id == entry.id) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
    }

    fn mark(&mut self, id: EntryId, undone: bool) {
        if let Some(entry) = self.entries.iter_mut().rev().find(|entry| entry.id == id) {
            Arc::make_mut(entry).undone = undone;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::change::Counter;
    use crate::model::id::AssetId;

    fn entry(answers: Answers, change: Change) -> Entry {
        Entry {
            id: EntryId::random(),
            at: jiff::Timestamp::now(),
            title: change.done(),
            deed: Deed::Change(change),
            requests: Vec::new(),
            fields: Vec::new(),
            before: None,
            outcome: Outcome::Done,
            answers,
            undone: false,
        }
    }

    fn language(to: &str) -> Change {
        Change::Reclassify { asset: AssetId::random(), from: Some("txt".to_owned()), to: to.to_owned() }
    }

    fn put(history: &mut History, answers: Answers) -> EntryId {
        let entry = entry(answers, language("rs"));
        let id = entry.id;
        history.put(Arc::new(entry));
        id
    }

    fn names(history: &History) -> (Option<EntryId>, Option<EntryId>) {
        let id = |entry: &Arc<Entry>| entry.id;
        (history.undoable().map(id), history.redoable().map(id))
    }

    #[test]
    fn undo_goes_back_and_redo_forth_in_the_same_order() {
        let mut history = History::default();
        let (first, second) = (put(&mut history, Answers::Nothing), put(&mut history, Answers::Nothing));
        assert_eq!(names(&history), (Some(second), None));
        put(&mut history, Answers::Undo(second));
        assert_eq!(names(&history), (Some(first), Some(second)));
        put(&mut history, Answers::Undo(first));
        assert_eq!(names(&history), (None, Some(first)));
        put(&mut history, Answers::Redo(first));
        assert_eq!(names(&history), (Some(first), Some(second)));
        put(&mut history, Answers::Redo(second));
        assert_eq!(names(&history), (Some(second), None));
    }

    #[test]
    fn only_steps_that_were_begun_here_are_of_this_window() {
        let mut history = History::default();
        let (own, other) = (entry(Answers::Nothing, language("rs")), entry(Answers::Nothing, language("rs")));
        let (begun, first, second) = (Entry { outcome: Outcome::Sending, ..own.clone() }, own.id, other.id);
        [begun, own].into_iter().for_each(|step| history.put(Arc::new(step)));
        history.merge(Arc::new(other.clone()));
        history.put(Arc::new(other));
        assert_eq!([first, second].map(|id| history.is_of_this_window(id)), [true, false]);
        assert_eq!(history.entries.len(), 2);
    }

    #[test]
    fn a_new_step_ends_what_could_be_done_again_and_a_failed_one_does_not() {
        let mut history = History::default();
        let first = put(&mut history, Answers::Nothing);
        put(&mut history, Answers::Undo(first));
        let failed = Entry { outcome: Outcome::Failed("no".to_owned()), ..entry(Answers::Nothing, language("py")) };
        history.put(Arc::new(failed));
        assert_eq!(names(&history), (None, Some(first)));
        let second = put(&mut history, Answers::Nothing);
        assert_eq!(names(&history), (Some(second), None));
        put(&mut history, Answers::Undo(second));
        assert_eq!(names(&history), (None, Some(second)));
    }

    #[test]
    fn a_step_of_an_asset_that_was_deleted_since_is_passed_over() {
        let mut history = History::default();
        let first = put(&mut history, Answers::Nothing);
        let gone = language("py");
        history.put(Arc::new(entry(Answers::Nothing, gone.clone())));
        let delete = Change::Delete { asset: gone.asset().clone(), name: "gone".to_owned(), made: None };
        let refused = Entry { outcome: Outcome::Failed("no".to_owned()), ..entry(Answers::Nothing, delete.clone()) };
        history.put(Arc::new(refused));
        assert_ne!(names(&history).0, Some(first), "it is still there");
        history.put(Arc::new(entry(Answers::Nothing, delete)));
        assert_eq!(names(&history), (Some(first), None));
    }

    #[test]
    fn what_is_unknown_or_has_no_way_back_is_passed_over() {
        let mut history = History::default();
        let first = put(&mut history, Answers::Nothing);
        let increment = Change::Increment { asset: AssetId::random(), counter: Counter::Reuse, from: Some(1) };
        history.put(Arc::new(entry(Answers::Nothing, increment)));
        let unknown =
            Entry { outcome: Outcome::Unknown("reset".to_owned()), ..entry(Answers::Nothing, language("py")) };
        history.put(Arc::new(unknown));
        assert_eq!(names(&history), (Some(first), None));
    }
}
