//! What a user can ask of undo, redo, and the entries of the history.

use crate::app::App;
use crate::app::journal::EntryId;

/// One request of the user about undo, redo, and the entries of the history.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Undoes the last step, or says why it cannot be undone.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Undoes a step.
    UndoStep(EntryId),
    /// Leaves a step as it is, and undoes the one before it.
    UndoBefore(EntryId),
    /// Reads what a write of unknown outcome was meant for, to learn whether it was done.
    Reconcile(EntryId),
    /// Looks at a step.
    Select(Option<EntryId>),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::History(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_history(&mut self, action: Action) {
        match action {
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::UndoStep(entry) => self.undo_step(entry),
            Action::UndoBefore(entry) => self.undo_before(entry),
            Action::Reconcile(entry) => self.reconcile(entry),
            Action::Select(entry) => self.select_step(entry),
        }
    }
}
