//! The actions of the history: undo, redo and its entries.

use crate::journal::EntryId;

/// What happens if a step to undo turns out to have changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfUnchanged {
    /// That is reported.
    Report,
    /// The previous step is undone.
    UndoPrevious,
}

/// An action of the history: undo, redo and its entries.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Undoes the last step, or reports why it cannot be undone.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Undoes a step.
    UndoStep(EntryId),
    /// Undoes a step, which may turn out to have changed nothing.
    UndoOne(EntryId, IfUnchanged),
    /// Redoes a step.
    RedoStep(EntryId),
    /// Skips a step, and undoes the previous one.
    UndoBefore(EntryId),
    /// Reconciles a write of unknown outcome by reading its asset.
    Reconcile(EntryId),
    /// Selects a step.
    Select(Option<EntryId>),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::History(action)
    }
}
