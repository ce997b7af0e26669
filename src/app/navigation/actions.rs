//! What a user can ask of going from one thing to another.

use super::Navigation;
use crate::app::context::Context;
use crate::app::navigation::Panel;
use crate::app::navigation::link::Link;
use lunette_client::model::id::AssetId;

/// One request of the user about going from one thing to another.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Brings a panel to the front.
    Show(Panel),
    /// Goes back to what was looked at before.
    Back,
    /// Goes forward again, after going back.
    Forward,
    /// Shows what a link names.
    Open(Link),
    /// An asset is there, whatever was thought of it.
    Found(AssetId),
    /// An asset is gone: nobody is led to it any more.
    Lost(AssetId),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Navigation(action)
    }
}

impl Navigation {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Show(panel) => self.show(panel, cx),
            Action::Back => self.go_back(cx),
            Action::Forward => self.go_forward(cx),
            Action::Open(link) => self.open_link(link, cx),
            Action::Found(asset) => self.visits.find(&asset),
            Action::Lost(asset) => self.visits.lose(&asset),
        }
    }
}
