//! The write policy of a connection: which writes a client may send, and whether the service refuses all of them.
//!
//! What must hold: it is checked at the one place that sends requests, below everything that writes; a change through
//! one clone of a client applies to all clones at once, including running work.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use super::{Address, CallError, Vendor};
use crate::operation::OperationInfo;

/// Which writes may be sent; by default all, as for this machine. A stored value that cannot be read becomes the
/// strictest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WritePolicy {
    /// Writes are sent.
    #[default]
    #[serde(rename = "free")]
    Allow,
    /// Writes are sent after the user has confirmed them; the client itself allows them.
    Confirm,
    /// No write is sent.
    #[serde(other)]
    ReadOnly,
}

impl WritePolicy {
    /// All policies, the least strict first.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Confirm, Self::ReadOnly];

    /// The default for an address. Our choice: a service on another machine is read-only until the user decides
    /// otherwise, since plain HTTP can be read and changed on the way.
    pub fn of(address: &Address) -> Self {
        if address.is_loopback() { Self::Allow } else { Self::ReadOnly }
    }

    /// Whether writes may be sent at all.
    pub fn allows_writes(self) -> bool {
        match self {
            Self::Allow | Self::Confirm => true,
            Self::ReadOnly => false,
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "free",
            Self::Confirm => "confirm",
            Self::ReadOnly => "read-only",
        }
    }
}

impl fmt::Display for WritePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The write policy shared by all clones of a client, whether calls are suspended, and what the service said to writes.
#[derive(Clone, Debug)]
pub(super) struct SharedPolicy(Arc<PolicyState>);

#[derive(Debug)]
struct PolicyState {
    policy: AtomicU8,
    suspended: AtomicBool,
    /// Whether the service is known to accept writes: it did, or it is ours.
    accepts: AtomicBool,
    /// The refusal after which no write is sent.
    refusal: Mutex<Option<Refusal>>,
}

impl SharedPolicy {
    pub(super) fn new(policy: WritePolicy) -> Self {
        Self(Arc::new(PolicyState {
            policy: AtomicU8::new(number(policy)),
            suspended: AtomicBool::new(false),
            accepts: AtomicBool::new(false),
            refusal: Mutex::default(),
        }))
    }

    /// Learns from the response to a call whether the service accepts writes, or refuses all of them.
    pub(super) fn learn(&self, info: &OperationInfo, vendor: Vendor, outcome: &Result<(), CallError>) {
        if vendor.is_lunette() || info.writes() && outcome.is_ok() {
            self.0.accepts.store(true, Ordering::SeqCst);
        }
        let refused = outcome.as_ref().err().filter(|_| info.writes() && !vendor.is_lunette());
        let accepts = self.0.accepts.load(Ordering::SeqCst);
        if let Some(refusal) = refused.and_then(|error| Refusal::of(info.name, error, accepts)) {
            self.refused().get_or_insert(refusal);
        }
    }

    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.refused().clone()
    }

    pub(super) fn forget_refusal(&self) {
        *self.refused() = None;
    }

    fn refused(&self) -> MutexGuard<'_, Option<Refusal>> {
        self.0.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self) -> WritePolicy {
        let held = self.0.policy.load(Ordering::SeqCst);
        WritePolicy::ALL.into_iter().find(|policy| number(*policy) == held).unwrap_or(WritePolicy::ReadOnly)
    }

    pub(super) fn set(&self, policy: WritePolicy) {
        self.0.policy.store(number(policy), Ordering::SeqCst);
    }

    pub(super) fn suspended(&self) -> bool {
        self.0.suspended.load(Ordering::SeqCst)
    }

    pub(super) fn set_suspended(&self, suspended: bool) {
        self.0.suspended.store(suspended, Ordering::SeqCst);
    }
}

fn number(policy: WritePolicy) -> u8 {
    match policy {
        WritePolicy::Allow => 0,
        WritePolicy::Confirm => 1,
        WritePolicy::ReadOnly => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_services_on_this_machine_are_writable_by_default() {
        for (text, policy) in [
            ("localhost:1", WritePolicy::Allow),
            ("[::1]:1", WritePolicy::Allow),
            ("192.0.2.1:1", WritePolicy::ReadOnly),
            ("0.0.0.0:1", WritePolicy::ReadOnly),
            ("localhost.example.test:1", WritePolicy::ReadOnly),
        ] {
            assert_eq!(WritePolicy::of(&text.parse().expect(text)), policy, "{text}");
        }
    }

    #[test]
    fn a_stored_policy_is_read_back_and_an_unknown_one_becomes_the_strictest() {
        for policy in WritePolicy::ALL {
            let text = serde_json::to_string(&policy).expect("JSON");
            assert_eq!(serde_json::from_str::<WritePolicy>(&text).expect("a write policy"), policy);
        }
        assert_eq!(
            serde_json::from_str::<WritePolicy>("\"of a later version\"").expect("a write policy"),
            WritePolicy::ReadOnly
        );
    }

    #[test]
    fn a_policy_set_on_one_clone_applies_to_all() {
        let policy = SharedPolicy::new(WritePolicy::Allow);
        let copy = policy.clone();
        policy.set(WritePolicy::ReadOnly);
        assert_eq!(copy.get(), WritePolicy::ReadOnly);
    }
}
