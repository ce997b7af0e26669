//! What a user can ask of the Trash.

use super::Trash;
use crate::app::bulk::NamedAssets;
use crate::app::confirm::Confirmed;
use crate::app::context::Context;
use crate::app::listing::Direction;
use crate::app::listing::rows::TrashColumn;
use lunette_client::operation::Call;
use std::sync::Arc;

/// One request of the user about the Trash.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Shows the Trash, or puts it away.
    Show(bool),
    /// Reads the Trash again.
    Load,
    /// Sorts the Trash.
    Arrange(Option<(TrashColumn, Direction)>),
    /// Restores deleted assets: id, and name for people.
    Restore(NamedAssets),
    /// Deletes assets of the Trash permanently, after asking.
    Purge(NamedAssets),
    /// Deletes all of the Trash permanently, after asking.
    Empty,
    /// Sends the call that deletes this many assets permanently.
    EmptyConfirmed(usize, Arc<Call>, Confirmed),
    /// Assets were deleted, restored or purged: the displayed data is reloaded.
    Changed,
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Trash(action)
    }
}

impl Trash {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Show(open) => self.show_trash(open, cx),
            Action::Load => self.load_trash(cx),
            Action::Arrange(sort) => self.arrange_trash(sort),
            Action::Restore(assets) => self.restore_trashed(&assets, cx),
            Action::Purge(assets) => self.purge_trashed(&assets, cx),
            Action::EmptyConfirmed(count, call, Confirmed { .. }) => {
                self.empty_trash_now(count, Call::clone(&call), cx)
            }
            Action::Changed => self.trash_changed(cx),
            Action::Empty => self.ask_empty_trash(cx),
        }
    }
}
