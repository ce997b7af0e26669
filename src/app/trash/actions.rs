//! What a user can ask of the Trash.

use crate::app::App;
use crate::app::bulk::NamedAssets;
use crate::app::listing::Direction;
use crate::app::listing::rows::TrashColumn;

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
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Trash(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_trash(&mut self, action: Action) {
        match action {
            Action::Show(open) => self.show_trash(open),
            Action::Load => self.load_trash(),
            Action::Arrange(sort) => self.arrange_trash(sort),
            Action::Restore(assets) => self.restore_trashed(&assets),
            Action::Purge(assets) => self.purge_trashed(&assets),
            Action::Empty => self.ask_empty_trash(),
        }
    }
}
