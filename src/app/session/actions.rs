//! What a user can ask of connecting, saved connections, and what may be sent.

use super::Session;
use crate::app::WritePolicy;
use crate::app::confirm::Confirmed;
use crate::app::context::Context;
use crate::app::settings::Named;
use crate::app::settings::Target;

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
    /// Uses a service that the user named.
    Use(Target),
    /// Asks the service whether it is still there, and still the same.
    CheckLiveness,
    /// The service is gone; why.
    WentDown(String),
    /// Lets changes leave for another machine.
    AllowWrites(Confirmed),
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

impl Session {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Use(target) => self.connect_by_choice(target, cx),
            Action::CheckLiveness => self.check_liveness(cx),
            Action::WentDown(problem) => self.went_down(problem, cx),
            Action::AllowWrites(Confirmed { .. }) => self.save_write_policy(WritePolicy::Allow, cx),
            Action::Connect(target) => self.choose_target(target, cx),
            Action::Reconnect => self.try_now(cx),
            Action::Adopt => self.connect_by_choice(cx.connection.target.clone(), cx),
            Action::Save { url, named } => self.keep_connection(&url, named, cx),
            Action::Forget(url) => self.forget_connection(&url, cx),
            Action::Discover => self.discover(cx),
            Action::SetWritePolicy(policy) => self.set_write_policy(policy, cx),
            Action::ForgetUnsupported(name) => cx.connection.capabilities.forget(name),
            Action::ClearLog => self.log.clear(),
        }
    }
}
