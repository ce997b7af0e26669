//! What a user can ask of the built-in service: its backups and the web pages that may use it.

use super::EmbeddedState;
use crate::app::bulk::BatchAnswer;
use crate::app::confirm::Confirmed;
use crate::app::context::Context;
use crate::app::embedded::Backup;
use std::path::PathBuf;
use std::sync::Arc;

/// One request of the user about the built-in service: its backups and the web pages that may use it.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Looks which backups of the embedded service there are.
    ListBackups,
    /// Makes one.
    BackUp,
    /// Makes one before a run that deletes much.
    BackUpFirst(Arc<BatchAnswer>),
    /// Asks whether this one is to be restored.
    AskRestore(Box<Backup>),
    /// Asks whether data that cannot be opened is to be moved aside.
    AskBeginEmpty,
    /// Puts this backup in the place of the data.
    Restore(PathBuf, Confirmed),
    /// Moves data that cannot be opened aside.
    BeginEmpty(Confirmed),
    /// Looks at it at once.
    Look,
    /// Hands over the origins that are allowed.
    HandOverOrigins,
    /// Lets pages of this exact origin use the embedded service.
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

impl EmbeddedState {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::ListBackups => self.look_for_backups(cx),
            Action::BackUp => self.back_up(cx),
            Action::AskRestore(backup) => self.ask_restore(&backup, cx),
            Action::AskBeginEmpty => self.ask_begin_empty(cx),
            Action::BackUpFirst(answer) => self.back_up_first(answer, cx),
            Action::Restore(backup, Confirmed { .. }) => self.restore_now(backup, cx),
            Action::BeginEmpty(Confirmed { .. }) => self.begin_empty_now(cx),
            Action::Look => self.look_inside(cx),
            Action::HandOverOrigins => self.hold_origins(cx),
            Action::AllowOrigin(origin) => self.allow_origin(&origin, cx),
            Action::DisallowOrigin(origin) => self.disallow_origin(&origin, cx),
            Action::DismissRefused => self.dismiss_refused(),
        }
    }
}
