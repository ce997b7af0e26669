//! The steps of a connection, newest last, and which of them can be undone or redone.
//!
//! What must hold: a batch is one step. Undo targets the last step in force or none, and skips a step only at the
//! user's request. Unknown steps are neither undone nor redone. A new step clears Redo.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::change::{Change, Recovery, inverse, redo};
use crate::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome, undone_by};
use crate::listing::Listing;

mod actions;
mod item_step;
mod obstacle;
mod offers;
pub(crate) mod other_windows;
mod replacements;
mod row;
mod tracked;
mod undo;

pub use actions::{Action, IfUnchanged};
pub use item_step::{ItemStep, ItemWrite};
pub(crate) use other_windows::{SentHere, SentSteps};
pub use row::{AssetNames, EntryStatus, HistoryRow, asset_name, status_text};
pub use tracked::Registered;
pub(crate) use tracked::tracking_title;
pub(crate) use undo::{Answer, ChangeBack};

/// The steps of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// All steps, oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// The selected one.
    pub selected: Option<EntryId>,
    /// Batches of which no change can be undone.
    irreversible: BTreeSet<EntryId>,
    /// Batches that changed nothing, so that there is nothing to undo: exports, and those with only unchanged rows.
    unchanged: BTreeSet<EntryId>,
    /// The steps that the user chose to skip while undoing, until the next step is made.
    passed: BTreeSet<EntryId>,
    /// The steps that were begun in this window since it was opened. All others are older, or of another window.
    pub here: HashSet<EntryId>,
    /// The steps of assistants that this window sends.
    sent_here: SentSteps,
    /// The steps as rows of the list.
    pub list: Listing<HistoryRow>,
    /// How often a step changed.
    revision: u64,
    /// What the rows were made of.
    made_of: u64,
    /// A message if the journal was damaged when it was read.
    pub message: Option<String>,
}

impl History {
    /// The step with this id.
    pub fn entry(&self, id: EntryId) -> Option<&Arc<Entry>> {
        self.entries.iter().rev().find(|entry| entry.id == id)
    }

    /// The last step in force: the target of Undo, whether or not it can be undone.
    pub fn last(&self) -> Option<&Arc<Entry>> {
        self.in_force().next()
    }

    /// The last step in force before this one.
    pub fn before(&self, id: EntryId) -> Option<&Arc<Entry>> {
        self.in_force().skip_while(|entry| entry.id != id).nth(1)
    }

    /// The user's own steps in force, newest first: without failed, undone, skipped and unchanged steps, and without
    /// those that were partly undone.
    fn in_force(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.iter().rev().filter(|entry| {
            let not_done = matches!(
                (&entry.outcome, &entry.kind),
                (Outcome::Failed(_), EntryKind::Change(_) | EntryKind::Call { .. })
            );
            let tried = entry.partly.is_some_and(|partly| !partly.unclear);
            let left = self.passed.contains(&entry.id) || self.unchanged.contains(&entry.id);
            entry.answers == EntryRelation::None && !entry.undone && !not_done && !tried && !left
        })
    }

    /// The step that Redo repeats: the one undone last. There is none once another step was started.
    pub fn redoable(&self) -> Option<&Arc<Entry>> {
        let again = |entry: &&Arc<Entry>| match &entry.kind {
            EntryKind::Call { .. } => {
                let again = || entry.item_step().is_some_and(|step| step.redoable());
                is_undone(entry) && (entry.tracked().is_some() || again())
            }
            EntryKind::Change(_) | EntryKind::Batch { .. } => is_undone(entry),
        };
        // Called in every frame: if nothing is undone, nothing is searched.
        let undone: HashMap<_, _> = self.entries.iter().filter(again).map(|entry| (entry.id, entry)).collect();
        if undone.is_empty() {
            return None;
        }
        let mut answers = self.entries.iter().rev().take_while(|entry| {
            entry.answers != EntryRelation::None || matches!(entry.outcome, Outcome::Failed(_)) || is_undone(entry)
        });
        answers.find_map(|entry| match (entry.answers, &entry.outcome) {
            (EntryRelation::Undoes(target), Outcome::Done | Outcome::Partly { .. } | Outcome::Unknown(_)) => {
                undone.get(&target).copied()
            }
            (EntryRelation::None | EntryRelation::Undoes(_) | EntryRelation::Redoes(_), _) => None,
        })
    }

    /// The change of a step, or of its last redo.
    pub fn change_of(&self, id: EntryId) -> Option<&Change> {
        self.newest_change(|entry| entry.id == id || entry.answers == EntryRelation::Redoes(id))
    }

    /// The change that undoes a single step.
    pub fn back(&self, id: EntryId, recovery: Recovery) -> Option<Change> {
        let first = match &self.entry(id)?.kind {
            EntryKind::Change(change) => Some(change),
            EntryKind::Batch { .. } | EntryKind::Call { .. } => None,
        };
        inverse(self.change_of(id)?, first, recovery)
    }

    /// The change that redoes a single undone step.
    pub fn again(&self, id: EntryId, recovery: Recovery) -> Option<Change> {
        let undo = self.newest_change(|entry| entry.answers == EntryRelation::Undoes(id))?;
        redo(undo, self.change_of(id), recovery)
    }

    fn newest_change(&self, wanted: impl Fn(&Entry) -> bool) -> Option<&Change> {
        let newest = self.entries.iter().rev().find(|entry| entry.outcome == Outcome::Done && wanted(entry));
        match &newest?.kind {
            EntryKind::Change(change) => Some(change),
            EntryKind::Batch { .. } | EntryKind::Call { .. } => None,
        }
    }

    /// The steps in force that were made together with a step, newest first; the step alone where it is by itself.
    pub fn group(&self, entry: &Entry) -> Vec<Arc<Entry>> {
        let same = |other: &&Arc<Entry>| match entry.group {
            Some(group) => {
                other.group == Some(group)
                    && other.answers == EntryRelation::None
                    && other.outcome == Outcome::Done
                    && !other.undone
            }
            None => other.id == entry.id,
        };
        self.entries.iter().rev().filter(same).cloned().collect()
    }

    /// The steps that undid or redid a step, oldest first.
    pub fn answers(&self, id: EntryId) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.iter().filter(move |entry| match entry.answers {
            EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => target == id,
            EntryRelation::None => false,
        })
    }

    /// Whether this window is sending a single step. Steps of other windows do not count.
    pub fn sending(&self) -> bool {
        let single =
            |entry: &Arc<Entry>| !matches!(entry.kind, EntryKind::Batch { .. }) && self.here.contains(&entry.id);
        self.entries.iter().rev().any(|entry| entry.outcome == Outcome::Sending && single(entry))
    }

    /// Whether a step was begun in this window since it was opened.
    pub fn is_of_this_window(&self, id: EntryId) -> bool {
        self.here.contains(&id)
    }

    /// Replaces the steps by those of a loaded journal; steps started in this window are kept.
    pub(crate) fn reload(&mut self, entries: Vec<Arc<Entry>>, message: Option<String>) {
        let (here, list) = (std::mem::take(&mut self.here), std::mem::take(&mut self.list));
        *self = Self { entries, message, here, list, revision: self.revision + 1, ..Self::default() };
    }

    /// Adds a step of this window that began, or replaces one that ended.
    pub(crate) fn insert(&mut self, entry: Arc<Entry>) {
        // A step of this window is in progress first; a step that ended without that may be an older one that was read
        // again.
        if entry.outcome == Outcome::Sending {
            self.here.insert(entry.id);
        }
        self.merge(entry);
    }

    /// Inserts or updates a step of any window.
    pub(crate) fn merge(&mut self, entry: Arc<Entry>) {
        let (id, answers) = (entry.id, entry.answers);
        self.revision += 1;
        match self.entries.iter_mut().rev().find(|known| known.id == id) {
            Some(known) => *known = entry,
            None => {
                if answers == EntryRelation::None {
                    self.passed.clear();
                }
                self.entries.push(entry);
            }
        }
        self.count_undone(id);
        if let EntryRelation::Undoes(target) | EntryRelation::Redoes(target) = answers {
            self.count_undone(target);
        }
    }

    /// Adds a step that begins now, and selects it.
    pub(crate) fn begin(&mut self, step: Arc<Entry>) {
        self.selected = Some(step.id);
        self.insert(step);
    }

    /// Marks a batch that changed nothing: Undo skips it.
    pub(crate) fn mark_unchanged(&mut self, step: EntryId) {
        self.unchanged.insert(step);
    }

    /// Marks a batch of which no change can be undone.
    pub(crate) fn mark_irreversible(&mut self, step: EntryId) {
        self.irreversible.insert(step);
    }

    /// Skips a step at the user's request: Undo continues with the previous one.
    fn pass(&mut self, id: EntryId) {
        self.passed.insert(id);
    }

    fn count_undone(&mut self, id: EntryId) {
        let (undone, partly) = undone_by(self.answers(id).map(|entry| entry.attempt()));
        let entry = self.entries.iter_mut().rev().find(|entry| entry.id == id);
        if let Some(entry) = entry.filter(|entry| (entry.undone, entry.partly) != (undone, partly)) {
            let entry = Arc::make_mut(entry);
            (entry.undone, entry.partly) = (undone, partly);
        }
    }
}

/// Whether a step is undone, at least partly.
fn is_undone(entry: &Entry) -> bool {
    entry.undone || entry.partly.is_some_and(|partly| partly.undone > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Counter;
    use lunette_client::model::id::AssetId;

    fn entry(answers: EntryRelation, change: Change) -> Entry {
        Entry {
            id: EntryId::random(),
            at: jiff::Timestamp::now(),
            title: change.done(),
            kind: EntryKind::Change(change),
            requests: Vec::new(),
            fields: Vec::new(),
            before: None,
            outcome: Outcome::Done,
            answers,
            undone: false,
            partly: None,
            ended: None,
            was_unknown: None,
            group: None,
            asked_by: None,
        }
    }

    fn language(to: &str) -> Change {
        Change::Reclassify { asset: AssetId::random(), from: Some("txt".to_owned()), to: to.to_owned() }
    }

    fn put(history: &mut History, answers: EntryRelation) -> EntryId {
        let entry = entry(answers, language("rs"));
        let id = entry.id;
        history.insert(Arc::new(entry));
        id
    }

    fn names(history: &History) -> (Option<EntryId>, Option<EntryId>) {
        let id = |entry: &Arc<Entry>| entry.id;
        (history.last().map(id), history.redoable().map(id))
    }

    #[test]
    fn undo_and_redo_follow_the_same_order() {
        let mut history = History::default();
        let (first, second) = (put(&mut history, EntryRelation::None), put(&mut history, EntryRelation::None));
        assert_eq!(names(&history), (Some(second), None));
        put(&mut history, EntryRelation::Undoes(second));
        assert_eq!(names(&history), (Some(first), Some(second)));
        put(&mut history, EntryRelation::Undoes(first));
        assert_eq!(names(&history), (None, Some(first)));
        put(&mut history, EntryRelation::Redoes(first));
        assert_eq!(names(&history), (Some(first), Some(second)));
        put(&mut history, EntryRelation::Redoes(second));
        assert_eq!(names(&history), (Some(second), None));
    }

    #[test]
    fn only_the_rows_of_steps_that_changed_are_made_again() {
        let mut history = History::default();
        let (first, second) = (put(&mut history, EntryRelation::None), put(&mut history, EntryRelation::None));
        let rows = |history: &mut History, names: &AssetNames<'_>| {
            history.update_rows(&crate::run::Runs::new(), names);
            history.list.rows.value().expect("rows").clone()
        };
        let before = rows(&mut history, &AssetNames::new());
        assert!(before.same(&rows(&mut history, &AssetNames::new())), "nothing changed");
        put(&mut history, EntryRelation::Undoes(second));
        let undone = rows(&mut history, &AssetNames::new());
        let statuses: Vec<_> = undone.iter().map(|row| row.status).collect();
        assert_eq!(statuses, [EntryStatus::Done, EntryStatus::Undone, EntryStatus::Done]);
        assert_eq!([0, 1].map(|index| Arc::ptr_eq(&before[index], &undone[index])), [true, false]);
        let asset = history.change_of(first).expect("a change").asset().clone();
        let named = rows(&mut history, &AssetNames::from([(&asset, "a.txt")]));
        assert_eq!(named[0].asset, "a.txt");
        assert_eq!([0, 1, 2].map(|index| Arc::ptr_eq(&undone[index], &named[index])), [false, true, true]);
    }

    #[test]
    fn only_steps_started_here_belong_to_this_window() {
        let mut history = History::default();
        let (own, other) = (entry(EntryRelation::None, language("rs")), entry(EntryRelation::None, language("rs")));
        let (begun, first, second) = (Entry { outcome: Outcome::Sending, ..own.clone() }, own.id, other.id);
        [begun, own].into_iter().for_each(|step| history.insert(Arc::new(step)));
        history.merge(Arc::new(other.clone()));
        history.insert(Arc::new(other));
        assert_eq!([first, second].map(|id| history.is_of_this_window(id)), [true, false]);
        assert_eq!(history.entries.len(), 2);
    }

    #[test]
    fn a_new_step_clears_redo_and_a_failed_one_does_not() {
        let mut history = History::default();
        let first = put(&mut history, EntryRelation::None);
        put(&mut history, EntryRelation::Undoes(first));
        let failed = Entry { outcome: Outcome::Failed("no".to_owned()), ..entry(EntryRelation::None, language("py")) };
        history.insert(Arc::new(failed));
        assert_eq!(names(&history), (None, Some(first)));
        let second = put(&mut history, EntryRelation::None);
        assert_eq!(names(&history), (Some(second), None));
        put(&mut history, EntryRelation::Undoes(second));
        assert_eq!(names(&history), (None, Some(second)));
    }

    #[test]
    fn undo_targets_the_last_step_and_skips_it_only_on_request() {
        let mut history = History::default();
        let first = put(&mut history, EntryRelation::None);
        let increment = Change::Increment { asset: AssetId::random(), counter: Counter::Reuse, from: Some(1) };
        let blocked = entry(EntryRelation::None, increment);
        let id = blocked.id;
        history.insert(Arc::new(blocked));
        let refused = Entry { outcome: Outcome::Failed("no".to_owned()), ..entry(EntryRelation::None, language("py")) };
        history.insert(Arc::new(refused));
        assert_eq!(names(&history).0, Some(id), "what was not done is not a step");
        assert_eq!(history.before(id).map(|entry| entry.id), Some(first));
        history.pass(id);
        assert_eq!(names(&history).0, Some(first));
        let unknown =
            Entry { outcome: Outcome::Unknown("reset".to_owned()), ..entry(EntryRelation::None, language("py")) };
        let unknown_id = unknown.id;
        history.insert(Arc::new(unknown));
        assert_eq!(names(&history).0, Some(unknown_id));
        history.pass(unknown_id);
        assert_eq!(names(&history).0, Some(id), "a new step ended what was passed over");
    }

    fn batch(answers: EntryRelation, count: usize, outcome: Outcome) -> Entry {
        let kind = EntryKind::Batch { run: crate::runs::RunId::random(), count };
        Entry { kind, outcome, ..entry(answers, language("rs")) }
    }

    fn partly(done: usize, of: usize) -> Outcome {
        Outcome::Partly { done, of, why: "changed".to_owned() }
    }

    #[test]
    fn a_partly_undone_batch_is_not_the_next_step_and_counts_its_undone_rows() {
        let mut history = History::default();
        let before = put(&mut history, EntryRelation::None);
        let import = batch(EntryRelation::None, 20, Outcome::Done);
        let id = import.id;
        history.insert(Arc::new(import));
        let undo = batch(EntryRelation::Undoes(id), 20, partly(19, 20));
        history.insert(Arc::new(undo.clone()));
        let stands = |history: &History| {
            let entry = history.entry(id).expect("the batch");
            (entry.undone, entry.partly.map(|partly| (partly.undone, partly.of)))
        };
        assert_eq!(stands(&history), (false, Some((19, 20))));
        assert_eq!(names(&history), (Some(before), Some(id)));
        // The failed row is retried, by a new step or by the same one.
        history.insert(Arc::new(batch(EntryRelation::Undoes(id), 1, Outcome::Done)));
        assert_eq!(stands(&history), (true, None));
        history.insert(Arc::new(batch(EntryRelation::Redoes(id), 20, partly(5, 20))));
        assert_eq!(stands(&history), (false, Some((15, 20))));
        history.insert(Arc::new(batch(EntryRelation::Redoes(id), 15, Outcome::Done)));
        assert_eq!((stands(&history), names(&history).0), ((false, None), Some(id)));
        // A failed undo counts as tried as well, so that Undo does not stop at it.
        history.insert(Arc::new(batch(EntryRelation::Undoes(id), 20, Outcome::Failed("no".to_owned()))));
        assert_eq!((stands(&history), names(&history)), ((false, Some((0, 20))), (Some(before), None)));
    }

    #[test]
    fn an_undo_of_unknown_outcome_is_reconciled_before_it_is_repeated() {
        let mut history = History::default();
        put(&mut history, EntryRelation::None);
        let last = put(&mut history, EntryRelation::None);
        let unknown = Entry {
            outcome: Outcome::Unknown("reset".to_owned()),
            ..entry(EntryRelation::Undoes(last), language("txt"))
        };
        history.insert(Arc::new(unknown.clone()));
        assert_eq!(names(&history), (Some(last), None));
        assert!(history.entry(last).is_some_and(|entry| entry.partly.is_some_and(|partly| partly.unclear)));
        history.insert(Arc::new(Entry { outcome: Outcome::Done, ..unknown }));
        assert!(history.entry(last).is_some_and(|entry| entry.undone));
    }

    #[test]
    fn redo_of_an_asset_recreated_with_another_id_uses_the_new_id() {
        let mut history = History::default();
        let (old, new) = (AssetId::random(), AssetId::random());
        let made = crate::change::fingerprint::Fingerprint::of(&serde_json::json!({}));
        let delete = Change::Delete { asset: old.clone(), name: "a".to_owned(), made: None };
        let step = entry(EntryRelation::None, delete);
        let id = step.id;
        history.insert(Arc::new(step));
        assert!(matches!(history.back(id, Recovery::Copy), Some(Change::Recreate { asset, .. }) if asset == old));
        assert!(matches!(history.back(id, Recovery::Trash), Some(Change::Restore { asset, .. }) if asset == old));
        let create = Change::Create { asset: new.clone(), name: "a".to_owned(), made, replaces: Some(old) };
        history.insert(Arc::new(entry(EntryRelation::Undoes(id), create)));
        assert!(matches!(history.again(id, Recovery::Copy), Some(Change::Delete { asset, .. }) if asset == new));
    }
}
