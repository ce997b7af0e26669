//! The actions of copies to try things on.

use std::path::PathBuf;
use std::sync::Arc;

use super::ScratchCopy;
use crate::action::{NavigationAction, SessionAction, SidesAction};
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::panel::Panel;
use lunette_client::model::id::AssetId;

/// What is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// Everything.
    All,
    /// These assets, with what they are linked to.
    Assets(Arc<Vec<AssetId>>),
}

/// An action of copies to try things on.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Asks before a copy is made.
    Ask(Which),
    /// Makes a copy, and connects to it.
    Make(Which, Confirmed),
    /// Stops making it; what was made is removed.
    Cancel,
    /// Compares the copy with what it is of.
    Compare,
    /// Connects to the copy of this window again.
    Enter,
    /// Goes on with a copy that an earlier window kept.
    Reopen(PathBuf),
    /// Asks before a copy is thrown away: that of this window, or one that an earlier window kept.
    AskDiscard(Option<PathBuf>),
    /// Throws it away.
    Discard(Option<PathBuf>, Confirmed),
    /// Removes the copy that was left; the last step of throwing it away.
    RemoveLeft,
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Scratch(action)
    }
}

impl ScratchCopy {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Ask(which) => self.ask(which, cx),
            Action::Make(which, _) => self.make(which, cx),
            Action::Cancel => {
                if let Some(work) = &self.work {
                    work.cancel();
                }
            }
            Action::Compare => {
                cx.request(NavigationAction::Show(Panel::Sides));
                cx.request(SidesAction::Compare(["original".to_owned(), "own".to_owned()]));
            }
            Action::Enter => {
                if let Some(target) = self.target() {
                    cx.request(SessionAction::Use(target));
                }
            }
            Action::Reopen(folder) => self.reopen(folder, cx),
            Action::AskDiscard(folder) => self.ask_discard(folder, cx),
            Action::Discard(folder, _) => self.discard(folder, cx),
            Action::RemoveLeft => self.remove_left(cx),
        }
    }
}
