//! The actions of drafts.

use super::{Draft, DraftKey, Drafts};
use crate::context::Context;

/// One request about drafts.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Saves unsaved input; `None` deletes it.
    Save(DraftKey, Option<Draft>),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Drafts(action)
    }
}

impl Drafts {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Save(key, draft) => self.save_draft(key, draft, cx),
        }
    }
}
