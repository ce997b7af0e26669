//! The actions of the connection: connecting, saved connections, and the write policy.

use super::Session;
use crate::WritePolicy;
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::settings::Named;
use crate::settings::Target;

/// An action of the connection: connecting, saved connections, and the write policy.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Connects to another service.
    Connect(Target),
    /// Retries the same service at once; displayed data is kept.
    Reconnect,
    /// Connects to the other service that now responds at the address; displayed data is dropped.
    Adopt,
    /// Saves a connection with a name, and replaces the one with this address.
    Save {
        /// The previous address.
        url: String,
        /// The new connection.
        named: Named,
    },
    /// Deletes the saved connection with this address.
    Forget(String),
    /// Discovers services on this machine.
    Discover,
    /// Connects to a service that the user named.
    Use(Target),
    /// Checks that the service still responds, and is the same one.
    CheckLiveness,
    /// The service is gone; why.
    WentDown(String),
    /// Allows writes to another machine.
    AllowWrites(Confirmed),
    /// Sets the write policy of the connected service.
    SetWritePolicy(WritePolicy),
    /// Sends writes again to a service that has refused one.
    TryWritesAgain,
    /// Forgets that the service does not support an operation, so that it can be tried again.
    ForgetUnsupported(&'static str),
    /// Clears the log.
    ClearLog,
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Session(action)
    }
}

impl Session {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
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
            Action::TryWritesAgain => cx.forget_refusal(),
            Action::ForgetUnsupported(name) => cx.connection.capabilities.forget(name),
            Action::ClearLog => self.log.clear_rows(),
        }
    }
}
