//! What a user can ask of watched folders.

use std::path::PathBuf;

use super::Watch;
use crate::context::Context;
use crate::settings::OnChange;

/// One request of the user about watched folders.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Lets the user choose a folder to watch.
    Pick,
    /// Watches a folder; its files are listed and not imported yet.
    Add(PathBuf),
    /// Watches a folder no more. Its assets stay.
    Remove(PathBuf),
    /// Pauses a folder, or goes on.
    Pause(PathBuf, bool),
    /// Chooses what happens to new and changed files of a folder.
    How(PathBuf, OnChange),
    /// Imports what was found in a folder; doubtful files become new assets.
    Import(PathBuf),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Watch(action)
    }
}

impl Watch {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Pick => self.pick(cx),
            Action::Add(path) => self.add(path, cx),
            Action::Remove(path) => self.remove(&path, cx),
            Action::Pause(path, paused) => self.pause(&path, paused, cx),
            Action::How(path, how) => self.set_how(&path, how, cx),
            Action::Import(path) => self.import(&path, |_| true, cx),
        }
    }
}
