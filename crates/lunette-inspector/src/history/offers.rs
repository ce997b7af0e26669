//! Messages and offered actions about a step.

use crate::action::HistoryAction;
use crate::history::History;
use crate::journal::{EntryId, EntryRelation, lower};
use crate::notifications::NotificationAction;

impl History {
    /// The actions to offer if a step was not undone: undoing the previous one, if it is the last, and showing it.
    pub(crate) fn ways_back(&self, id: EntryId) -> Vec<NotificationAction> {
        let history = self;
        let mut offers = Vec::new();
        if history.last().is_some_and(|last| last.id == id) && history.before(id).is_some() {
            offers.push(NotificationAction {
                label: "Undo the step before",
                actions: vec![HistoryAction::UndoBefore(id).into()],
            });
        }
        offers.push(NotificationAction::in_history("History", Some(id)));
        offers
    }

    /// Whether the target of an undo or redo was done in this window since it was opened.
    pub(crate) fn answers_this_window(&self, answers: EntryRelation) -> bool {
        let history = self;
        match answers {
            EntryRelation::None => true,
            EntryRelation::Undoes(step) => history.is_of_this_window(step),
            EntryRelation::Redoes(step) => {
                history.answers(step).last().is_some_and(|undo| history.is_of_this_window(undo.id))
            }
        }
    }

    /// A step's title, for use within a sentence.
    pub(crate) fn title_of(&self, step: EntryId) -> String {
        self.entry(step).map(|entry| lower(&entry.title)).unwrap_or_default()
    }
}
