//! What a user can ask of undo, redo, and the entries of the history.

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
    /// Undoes a step; true goes on to the one before where it turns out to have changed nothing.
    UndoOne(EntryId, bool),
    /// Redoes a step.
    RedoStep(EntryId),
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
