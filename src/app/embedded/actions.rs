//! What a user can ask of the built-in service: its backups and the web pages that may use it.

use crate::app::App;
use crate::app::embedded::Backup;

/// One request of the user about the built-in service: its backups and the web pages that may use it.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Looks which backups of the service inside there are.
    ListBackups,
    /// Makes one.
    BackUp,
    /// Asks whether this one is to be restored.
    AskRestore(Box<Backup>),
    /// Asks whether data that cannot be opened is to be moved aside.
    AskBeginEmpty,
    /// Lets pages of this exact origin use the service inside.
    AllowOrigin(String),
    /// Lets them use it no more.
    DisallowOrigin(String),
    /// Tells no more of the page that was refused.
    DismissRefused,
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Embedded(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_embedded(&mut self, action: Action) {
        match action {
            Action::ListBackups => self.look_for_backups(),
            Action::BackUp => self.back_up(),
            Action::AskRestore(backup) => self.ask_restore(&backup),
            Action::AskBeginEmpty => self.ask_begin_empty(),
            Action::AllowOrigin(origin) => self.allow_origin(&origin),
            Action::DisallowOrigin(origin) => self.disallow_origin(&origin),
            Action::DismissRefused => self.put_refused_away(),
        }
    }
}
