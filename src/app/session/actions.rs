//! What a user can ask of connecting, saved connections, and what may be sent.

use crate::app::App;
use crate::app::WritePolicy;
use crate::app::session::Target;
use crate::app::settings::Named;

/// One request of the user about connecting, saved connections, and what may be sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Talks to another service from now on.
    Connect(Target),
    /// Tries the same service again, at once; what is shown stays.
    Reconnect,
    /// Takes the other service that answers at the address now; what was shown goes.
    Adopt,
    /// Keeps a connection by its name, in the place of the one at this address.
    Save {
        /// The address it had.
        url: String,
        /// What it is from now on.
        named: Named,
    },
    /// Forgets a connection that was kept, by its address.
    Forget(String),
    /// Looks for services on this machine.
    Discover,
    /// Chooses which writes leave for the service that is talked to.
    SetWritePolicy(WritePolicy),
    /// Forgets that the service does not offer an operation, so that it can be tried again.
    ForgetUnsupported(&'static str),
    /// Empties the log.
    ClearLog,
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Session(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_session(&mut self, action: Action) {
        match action {
            Action::Connect(target) => self.choose_target(target),
            Action::Reconnect => self.try_now(),
            Action::Adopt => self.connect_by_choice(self.state.connection.target.clone()),
            Action::Save { url, named } => self.keep_connection(&url, named),
            Action::Forget(url) => self.forget_connection(&url),
            Action::Discover => self.discover(),
            Action::SetWritePolicy(policy) => self.set_write_policy(policy),
            Action::ForgetUnsupported(name) => self.state.connection.capabilities.forget(name),
            Action::ClearLog => self.state.session.log.clear(),
        }
    }
}
