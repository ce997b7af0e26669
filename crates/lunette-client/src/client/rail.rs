//! The guard rail of a connection: which writes leave through a client.
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
pub enum Rail {
    /// Writes leave when they are asked for.
    #[default]
    Free,
    /// Writes leave, and whoever asks for one is shown it first; the client itself lets them through.
    Confirm,
    /// No write leaves.
    #[serde(other)]
    ReadOnly,
}

impl Rail {
    /// All of them, the freest first.
    pub const ALL: [Self; 3] = [Self::Free, Self::Confirm, Self::ReadOnly];

    /// Our choice: a service that is not on this machine is only read until somebody says otherwise. Only http is spoken,
    /// so that what is written there can be read, and changed, by whoever is on the way.
    pub fn of(address: &Address) -> Self {
        if address.is_loopback() { Self::Free } else { Self::ReadOnly }
    }

    /// Whether a write leaves at all.
    pub fn lets_writes(self) -> bool {
        match self {
            Self::Free | Self::Confirm => true,
            Self::ReadOnly => false,
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Confirm => "confirm",
            Self::ReadOnly => "read-only",
        }
    }
}

impl fmt::Display for Rail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The rail that all copies of a client share, and whether any call leaves at all.
#[derive(Clone, Debug)]
pub(super) struct SharedRail(Arc<Held>);

#[derive(Debug)]
struct Held {
    rail: AtomicU8,
    suspended: AtomicBool,
}

impl SharedRail {
    pub(super) fn new(rail: Rail) -> Self {
        Self(Arc::new(Held { rail: AtomicU8::new(number(rail)), suspended: AtomicBool::new(false) }))
    }

    pub(super) fn get(&self) -> Rail {
        let held = self.0.rail.load(Ordering::SeqCst);
        Rail::ALL.into_iter().find(|rail| number(*rail) == held).unwrap_or(Rail::ReadOnly)
    }

    pub(super) fn set(&self, rail: Rail) {
        self.0.rail.store(number(rail), Ordering::SeqCst);
    }

    pub(super) fn suspended(&self) -> bool {
        self.0.suspended.load(Ordering::SeqCst)
    }

    pub(super) fn suspend(&self, suspended: bool) {
        self.0.suspended.store(suspended, Ordering::SeqCst);
    }
}

fn number(rail: Rail) -> u8 {
    match rail {
        Rail::Free => 0,
        Rail::Confirm => 1,
        Rail::ReadOnly => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_free_from_the_start() {
        for (text, rail) in [
            ("localhost:1", Rail::Free),
            ("[::1]:1", Rail::Free),
            ("192.0.2.1:1", Rail::ReadOnly),
            ("0.0.0.0:1", Rail::ReadOnly),
            ("localhost.example.test:1", Rail::ReadOnly),
        ] {
            assert_eq!(Rail::of(&text.parse().expect(text)), rail, "{text}");
        }
    }

    #[test]
    fn a_rail_comes_back_from_its_form_on_disk_and_an_unknown_one_is_the_strictest() {
        for rail in Rail::ALL {
            let text = serde_json::to_string(&rail).expect("JSON");
            assert_eq!(serde_json::from_str::<Rail>(&text).expect("a rail"), rail);
        }
        assert_eq!(serde_json::from_str::<Rail>("\"of a later version\"").expect("a rail"), Rail::ReadOnly);
    }

    #[test]
    fn a_copy_holds_what_another_copy_was_given() {
        let rail = SharedRail::new(Rail::Free);
        let copy = rail.clone();
        rail.set(Rail::ReadOnly);
        assert_eq!(copy.get(), Rail::ReadOnly);
    }
}
