//! The write policy of a connection: which writes are allowed, and which need confirmation.
//!
//! What must hold: a blocked write is blocked before it is recorded, so that it leaves no step and its input is kept;
//! the client blocks it too. With the policy *Confirm*, nothing is written that was not shown.

use crate::action::SessionAction;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::event::ConnectionEvent;
use crate::notifications::{Severity, Topic};
use crate::session::Connection;
use crate::session::Session;
use crate::session::support::Reason;
use crate::settings::Target;
use lunette_client::client::{Address, Client, WritePolicy};

impl Context<'_> {
    /// The saved write policy of the requested connection, or the default for its address.
    pub(crate) fn saved_write_policy(&self) -> WritePolicy {
        let connection = &self.connection;
        if let Some(policy) = self.preferences.settings.write_policies.get(&key(&connection.target)) {
            return *policy;
        }
        self.default_write_policy()
    }

    fn default_write_policy(&self) -> WritePolicy {
        let connection = &self.connection;
        let address = match (&connection.address, &connection.target) {
            (Some(address), _) | (None, Target::Url(address)) => address,
            // The embedded service and copies listen on this machine only.
            (None, Target::Embedded | Target::Copy(_)) => return WritePolicy::Allow,
        };
        // An invalid address is not known to be this machine.
        address.parse::<Address>().map_or(WritePolicy::ReadOnly, |address| WritePolicy::of(&address))
    }

    /// Passes the write policy to the client, if there is one.
    pub(crate) fn apply_write_policy(&mut self) {
        let policy = self.saved_write_policy();
        self.connection.write_policy = policy;
        if self.connection.allows_writes().is_ok() {
            self.resolve(Topic::WritePolicy);
        }
        if let Some(client) = self.known_client() {
            client.set_write_policy(policy);
        }
    }

    /// Shows whether the service has refused a write because it accepts none.
    pub(crate) fn heed_refusal(&mut self) {
        self.connection.refusal = self.known_client().and_then(Client::refusal);
    }

    /// Sends writes again to a service that has refused one.
    pub(crate) fn forget_refusal(&mut self) {
        if let Some(client) = self.known_client() {
            client.forget_refusal();
        }
        if let Some(refusal) = self.connection.refusal.take() {
            self.connection.capabilities.forget(refusal.operation);
        }
        self.resolve(Topic::WritePolicy);
    }

    /// Whether every write needs confirmation.
    pub(crate) fn confirms(&self) -> bool {
        self.connection.write_policy == WritePolicy::Confirm
    }

    /// Returns why `capability` cannot be used, as far as that is known before sending.
    pub(crate) fn write_obstacle(&self, capability: Capability) -> Option<Reason> {
        capability.operations().into_iter().find_map(|operation| self.connection.permits(operation).err())
    }

    /// Shows that something was blocked, until the reason is gone.
    pub(crate) fn notify_blocked(&mut self, reason: &Reason, text: String) {
        match reason {
            Reason::NotConnected => self.notify_failed(Topic::Connection, text, Vec::new()),
            Reason::ReadOnly | Reason::Refused(_) => self.notify_failed(Topic::WritePolicy, text, Vec::new()),
            Reason::Unsupported { .. } => self.notify(Severity::Failed, text),
        }
    }

    /// Reports to the user if `capability` cannot be used, and returns whether that is so. `what` names the failed action.
    pub(crate) fn blocks_write(&mut self, capability: Capability, what: &str) -> bool {
        let obstacle = self.write_obstacle(capability);
        if let Some(reason) = &obstacle {
            self.notify_blocked(reason, format!("{what}: {reason}"));
        }
        obstacle.is_some()
    }
}

impl Session {
    /// Sets the write policy. Allowing all writes to another machine needs confirmation.
    pub(crate) fn set_write_policy(&mut self, policy: WritePolicy, cx: &mut Context<'_>) {
        let connection = &cx.connection;
        if policy == connection.write_policy {
            return;
        }
        if policy == WritePolicy::Allow && connection.elsewhere() {
            let address = connection.address.clone().unwrap_or_default();
            let text = format!(
                "{address} is on another machine. Changes are sent immediately and unencrypted, so others on the \
                 network could read or modify them. This setting is saved for this connection."
            );
            let title = "Allow changes to another machine?".to_owned();
            return cx.ask_first(Confirmation::here(title, text, "Allow changes", SessionAction::AllowWrites));
        }
        self.save_write_policy(policy, cx);
    }

    pub(crate) fn save_write_policy(&mut self, policy: WritePolicy, cx: &mut Context<'_>) {
        let (key, by_itself) = (key(&cx.connection.target), cx.default_write_policy());
        cx.set(|settings| {
            match policy == by_itself {
                true => settings.write_policies.remove(&key),
                false => settings.write_policies.insert(key, policy),
            };
        });
        cx.apply_write_policy();
        cx.show_success(match policy {
            WritePolicy::Allow => "Changes are allowed".to_owned(),
            WritePolicy::Confirm => "Every change is shown before it is sent".to_owned(),
            WritePolicy::ReadOnly => "Read-only: nothing is sent".to_owned(),
        });
        if !policy.allows_writes() {
            cx.emit(ConnectionEvent::WritesHeld);
        }
    }
}

impl Connection {
    /// Whether the service is known to be on another machine.
    pub fn elsewhere(&self) -> bool {
        match (&self.address, &self.target) {
            (Some(_), _) => !self.is_loopback(),
            (None, Target::Url(url)) => url.parse::<Address>().is_ok_and(|address| !address.is_loopback()),
            (None, Target::Embedded | Target::Copy(_)) => false,
        }
    }
}

/// The key of a saved write policy: the normalized address.
fn key(target: &Target) -> String {
    match target {
        Target::Embedded | Target::Copy(_) => target.key().to_owned(),
        Target::Url(url) => url.parse::<Address>().map_or_else(|_| url.clone(), |address| address.to_string()),
    }
}
