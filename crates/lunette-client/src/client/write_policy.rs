//! The write policy of a connection: which writes leave through a client.
//!
//! What must hold: it stands below everything that writes, at the one door a request goes out by; changed at one copy of
//! a client it holds at once for all of them, for work that is under way too.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use serde::{Deserialize, Serialize};

use super::Address;

/// How freely writes leave: by default freely, as to this machine. A kept one that cannot be read is the strictest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WritePolicy {
    /// Writes leave when they are asked for.
    #[default]
    #[serde(rename = "free")]
    Allow,
    /// Writes leave, and whoever asks for one is shown it first; the client itself lets them through.
    Confirm,
    /// No write leaves.
    #[serde(other)]
    ReadOnly,
}

impl WritePolicy {
    /// All of them, the freest first.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Confirm, Self::ReadOnly];

    /// Our choice: a service that is not on this machine is only read until somebody says otherwise. Only http is spoken,
    /// so that what is written there can be read, and changed, by whoever is on the way.
    pub fn of(address: &Address) -> Self {
        if address.is_loopback() { Self::Allow } else { Self::ReadOnly }
    }

    /// Whether a write leaves at all.
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

/// The write policy that all copies of a client share, and whether any call leaves at all.
#[derive(Clone, Debug)]
pub(super) struct SharedPolicy(Arc<PolicyState>);

#[derive(Debug)]
struct PolicyState {
    policy: AtomicU8,
    suspended: AtomicBool,
}

impl SharedPolicy {
    pub(super) fn new(policy: WritePolicy) -> Self {
        Self(Arc::new(PolicyState { policy: AtomicU8::new(number(policy)), suspended: AtomicBool::new(false) }))
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

    pub(super) fn suspend(&self, suspended: bool) {
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
    fn only_this_machine_is_free_from_the_start() {
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
    fn a_rail_comes_back_from_its_form_on_disk_and_an_unknown_one_is_the_strictest() {
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
    fn a_copy_holds_what_another_copy_was_given() {
        let policy = SharedPolicy::new(WritePolicy::Allow);
        let copy = policy.clone();
        policy.set(WritePolicy::ReadOnly);
        assert_eq!(copy.get(), WritePolicy::ReadOnly);
    }
}
