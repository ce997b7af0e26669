//! The actions of navigation.

use super::Navigation;
use crate::assets::page::OpenAssets;
use crate::context::Context;
use crate::navigation::in_view::InView;
use crate::navigation::link::Link;
use crate::panel::Panel;

/// An action of navigation.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Shows a panel.
    Show(Panel),
    /// Shows the welcome page in place of the assets.
    ShowWelcome,
    /// Closes the welcome page, if it was requested.
    CloseWelcome,
    /// Records what the list of the panel shows.
    See(InView),
    /// Goes back to the previous location.
    Back,
    /// Goes forward, after going back.
    Forward,
    /// Shows the target of a link.
    Open(Link),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Navigation(action)
    }
}

impl Navigation {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, pages: &OpenAssets, cx: &mut Context<'_>) {
        match action {
            Action::Show(panel) => self.show(panel, cx),
            Action::ShowWelcome => self.show_welcome(cx),
            Action::CloseWelcome => self.welcome = false,
            Action::See(in_view) => self.in_view = in_view,
            Action::Back => self.visit(self.visits.before(), pages, cx),
            Action::Forward => self.visit(self.visits.after(), pages, cx),
            Action::Open(link) => self.open_link(link, cx),
        }
    }
}
