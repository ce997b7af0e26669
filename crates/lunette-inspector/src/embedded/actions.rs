//! The actions of the embedded service: its backups and the web pages that may use it.

use super::EmbeddedState;
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::embedded::Backup;
use std::path::PathBuf;

/// An action of the embedded service: its backups and the web pages that may use it.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Lists the backups of the embedded service.
    ListBackups,
    /// Creates a backup.
    BackUp,
    /// Asks for confirmation to restore this backup.
    AskRestore(Box<Backup>),
    /// Asks for confirmation to move data aside that cannot be opened.
    AskBeginEmpty,
    /// Replaces the data by this backup.
    Restore(PathBuf, Confirmed),
    /// Moves data aside that cannot be opened.
    BeginEmpty(Confirmed),
    /// Allows pages of this exact origin to use the embedded service.
    AllowOrigin(String),
    /// Revokes that.
    DisallowOrigin(String),
    /// Dismisses the message about the rejected page.
    DismissRefused,
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Embedded(action)
    }
}

impl EmbeddedState {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::ListBackups => self.look_for_backups(cx),
            Action::BackUp => self.back_up(cx),
            Action::AskRestore(backup) => self.ask_restore(&backup, cx),
            Action::AskBeginEmpty => self.ask_begin_empty(cx),
            Action::Restore(backup, Confirmed { .. }) => self.restore_now(backup, cx),
            Action::BeginEmpty(Confirmed { .. }) => self.begin_empty_now(cx),
            Action::AllowOrigin(origin) => self.allow_origin(&origin, cx),
            Action::DisallowOrigin(origin) => self.disallow_origin(&origin, cx),
            Action::DismissRefused => self.dismiss_refused(),
        }
    }
}
