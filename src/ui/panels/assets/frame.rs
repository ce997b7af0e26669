//! What the parts of an asset's page share while one frame is drawn.
//!
//! What must hold: `page` is the page of the asset `id` in `state`, and `write` the last write to it.

use crate::ui::disabled_reason::{change_disabled_reason, disabled_reason};
use lunette_client::model::id::AssetId;
use lunette_inspector::action::WriteAction;
use lunette_inspector::assets::page::{AssetPage, Place};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Change;
use lunette_inspector::write::AssetWrite;
use lunette_inspector::{Action, State};

/// How a page is laid out.
#[derive(Clone, Copy, Debug)]
pub struct PageLayout {
    /// Whether it is drawn in place of the list, which its button leads back to.
    pub back: bool,
    /// Whether there is room for a column of details beside the content.
    pub column: bool,
    /// Where it is.
    pub place: Place,
}

/// The open asset and its page, the state they belong to, and the actions that are asked for while drawing.
pub struct AssetFrame<'a> {
    pub id: &'a AssetId,
    pub page: &'a AssetPage,
    pub write: &'a AssetWrite,
    pub state: &'a State,
    pub actions: &'a mut Vec<Action>,
}

impl AssetFrame<'_> {
    /// Asks for an action.
    pub fn push(&mut self, action: impl Into<Action>) {
        self.actions.push(action.into());
    }

    /// Asks for a change; the write policy decides whether it is confirmed first.
    pub fn change(&mut self, change: Change) {
        self.push(WriteAction::Change(change));
    }

    /// Removes the reason why the last change failed.
    pub fn dismiss_refusal(&mut self) {
        self.push(WriteAction::DismissRefusal(self.id.clone()));
    }

    /// Shows a notification.
    pub fn notify(&mut self, text: &str) {
        self.push(Action::Notify(text.to_owned()));
    }

    /// Returns why the asset cannot be changed by a capability now.
    pub fn change_disabled_reason(&self, capability: Capability) -> Option<String> {
        change_disabled_reason(self.state, self.id, capability)
    }

    /// Returns why a capability cannot be used now, whether or not a write is in progress.
    pub fn disabled_reason(&self, capability: Capability) -> Option<String> {
        disabled_reason(self.state, capability)
    }
}
