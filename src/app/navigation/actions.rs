//! What a user can ask of going from one thing to another.

use crate::app::App;
use crate::app::navigation::Panel;
use crate::app::navigation::link::Link;

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
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Navigation(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_navigation(&mut self, action: Action) {
        match action {
            Action::Show(panel) => self.show(panel),
            Action::Back => self.go_back(),
            Action::Forward => self.go_forward(),
            Action::Open(link) => self.open_link(link),
        }
    }
}
