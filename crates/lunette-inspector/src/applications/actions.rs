//! The actions of tracked and external applications.

use crate::applications::Applications;
use crate::context::Context;
use crate::listing::rows::ExternalKey;

/// An action of tracked and external applications.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Opens an application, by the id of its row.
    Open(String),
    /// Closes the page of the application.
    Close,
    /// Opens an external application; `None` closes it.
    OpenExternal(Option<ExternalKey>),
    /// Reads the tracked applications.
    LoadList,
    /// Reads the external applications.
    LoadExternal,
    /// Goes back to the list, or to the page of an application.
    Visit(Option<String>),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Applications(action)
    }
}

impl Applications {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::LoadList => self.load_applications(cx),
            Action::LoadExternal => self.load_external(cx),
            Action::Visit(Some(id)) if self.open.as_ref().is_none_or(|page| page.id != id) => {
                self.open_application(id, cx);
            }
            Action::Visit(Some(_)) => {}
            Action::Visit(None) => self.open = None,
            Action::Open(id) => self.open_application(id, cx),
            Action::Close => self.open = None,
            Action::OpenExternal(external) => self.external_open = external,
        }
    }
}
