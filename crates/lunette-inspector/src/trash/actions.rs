//! The actions of the Trash.

use super::Trash;
use crate::bulk::NamedAssets;
use crate::confirm::Confirmed;
use crate::context::Context;
use lunette_client::operation::Call;
use std::sync::Arc;

/// An action of the Trash.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Shows or closes the Trash.
    Show(bool),
    /// Reloads the Trash.
    Load,
    /// Restores deleted assets, given with their ids and names.
    Restore(NamedAssets),
    /// Deletes assets of the Trash permanently, after confirmation.
    Purge(NamedAssets),
    /// Empties the Trash, after confirmation.
    Empty,
    /// Sends the call that deletes this many assets permanently.
    EmptyConfirmed(usize, Arc<Call>, Confirmed),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Trash(action)
    }
}

impl Trash {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Show(open) => self.show_trash(open, cx),
            Action::Load => self.load_trash(cx),
            Action::Restore(assets) => self.restore_trashed(&assets, cx),
            Action::Purge(assets) => self.purge_trashed(&assets, cx),
            Action::EmptyConfirmed(count, call, Confirmed { .. }) => {
                self.empty_trash_now(count, Call::clone(&call), cx)
            }
            Action::Empty => self.ask_empty_trash(cx),
        }
    }
}
