//! What a user can ask of tracked and external applications.

use crate::app::App;
use crate::app::listing::Query;
use crate::app::listing::rows::ApplicationColumn;
use crate::app::listing::rows::ExternalColumn;
use crate::app::listing::rows::ExternalKey;

/// One request of the user about tracked and external applications.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Looks at an application, by the id of its row.
    Open(String),
    /// Closes the page of the application.
    Close,
    /// Looks at an external application; None goes back to the list alone.
    OpenExternal(Option<ExternalKey>),
    /// Filters and sorts the applications.
    Arrange(Query<ApplicationColumn>),
    /// Filters and sorts the external applications.
    ArrangeExternal(Query<ExternalColumn>),
    /// Asks whether an external application is to be registered, and shows the call.
    Track {
        /// Its name.
        name: String,
        /// Its version, if known.
        version: String,
        /// The interface's word for it, if there is one.
        identifier: Option<String>,
    },
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Applications(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_applications(&mut self, action: Action) {
        match action {
            Action::Open(id) => self.open_application(id),
            Action::Close => self.state.applications.open = None,
            Action::OpenExternal(external) => self.state.applications.external_open = external,
            Action::Arrange(query) => self.arrange_applications(query),
            Action::ArrangeExternal(query) => self.arrange_external(query),
            Action::Track { name, version, identifier } => self.track(name, version, identifier),
        }
    }
}
