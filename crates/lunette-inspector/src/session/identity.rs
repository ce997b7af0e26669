//! The identity of a service, and the retries of a lost connection.

use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

use jiff::Timestamp;

use crate::session::Connection;
use crate::{Owner, Vendor};

/// The delay before the first retry; it doubles with each further one.
const FIRST: Duration = Duration::from_millis(500);
/// The longest delay.
const LONGEST: Duration = Duration::from_secs(10);
/// The longest delay for a service on this machine: a retry costs nothing, and the user waits for the service.
const LONGEST_HERE: Duration = Duration::from_secs(2);

/// The identity of a service, as it reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its `Server` header.
    pub server: Option<String>,
    /// Its health; `None` if it has only the operations of the interface.
    pub health: Option<String>,
    /// The owner of the program.
    pub owner: Owner,
}

impl Identity {
    /// Whose service it reports to be.
    pub(crate) fn vendor(&self) -> Vendor {
        Vendor::of_server(self.server.as_deref())
    }

    /// Whether both are the same service. It is identified by the id of its data after `ok:`, or without one by the
    /// name in its `Server` header, since an update changes only the version. A service of another user is never the
    /// same as one that is not, whatever it reports.
    pub fn same(&self, other: &Self) -> bool {
        if (self.owner == Owner::AnotherUser) != (other.owner == Owner::AnotherUser) {
            return false;
        }
        match (self.data(), other.data()) {
            (Some(one), Some(two)) => one == two,
            (None, None) => self.product() == other.product(),
            _ => false,
        }
    }

    /// Its description, for a message that another service was expected.
    pub fn words(&self) -> String {
        match (&self.server, self.data()) {
            (Some(server), Some(data)) => format!("{server}, with the data {data}"),
            (Some(server), None) => server.clone(),
            (None, Some(data)) => format!("a service with the data {data}"),
            (None, None) => "an unnamed service".to_owned(),
        }
    }

    /// The key of a trusted service: the id of its data, or its name.
    pub(super) fn mark(&self) -> &str {
        self.data().or_else(|| self.product()).unwrap_or_default()
    }

    fn data(&self) -> Option<&str> {
        self.health.as_deref()?.strip_prefix("ok:").map(str::trim).filter(|id| !id.is_empty())
    }

    fn product(&self) -> Option<&str> {
        self.server.as_deref().and_then(|server| server.split('/').next())
    }
}

/// When a lost connection is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Automatically, at this time.
    Due(Timestamp),
    /// Now: a response is awaited.
    Trying,
}

impl Connection {
    /// Whether the displayed data is stale because the service no longer responds.
    pub fn is_stale(&self) -> bool {
        self.stale_since.is_some()
    }
}

/// The delay before a retry, counted from 0: half a second, doubled each time, up to two seconds for a service on this
/// machine (`here`) and up to ten for others, with a jitter of up to a fifth by `chance` (0 to 1), so that several
/// windows do not reconnect at the same time.
pub(super) fn backoff_delay(attempt: u32, here: bool, chance: f64) -> Duration {
    let longest = if here { LONGEST_HERE } else { LONGEST };
    let whole = FIRST.saturating_mul(1 << attempt.min(10)).min(longest);
    whole.mul_f64(0.8 + 0.4 * chance.clamp(0.0, 1.0)).min(longest)
}

/// A random number from 0 to 1.
pub(super) fn jitter() -> f64 {
    let drawn = std::hash::RandomState::new().build_hasher().finish();
    f64::from((drawn >> 32) as u32) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(server: &str, health: &str) -> Identity {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Identity { server: text(server), health: text(health), owner: Owner::SameUser }
    }

    #[test]
    fn a_service_of_another_user_is_never_the_same_regardless_of_its_report() {
        let known = identity("lunette/0.1.0", "ok:a");
        let of = |owner| Identity { owner, ..known.clone() };
        assert!(!known.same(&of(Owner::AnotherUser)));
        assert!(!of(Owner::AnotherUser).same(&known));
        assert!(of(Owner::AnotherUser).same(&of(Owner::AnotherUser)), "one that the user trusts comes back");
        assert!(known.same(&of(Owner::Unknown)), "the system may not say");
    }

    #[test]
    fn a_service_is_identified_by_its_data_id_or_its_name() {
        let known = identity("lunette/0.1.0", "ok:a");
        assert!(known.same(&identity("lunette/0.2.0", "ok:a")), "an update changes the version");
        assert!(!known.same(&identity("lunette/0.1.0", "ok:b")));
        assert!(!known.same(&identity("lunette/0.1.0", "ok")));
        assert!(!known.same(&identity("nginx/1", "")));
        assert!(identity("other/1", "ok").same(&identity("other/2", "ok")));
        assert!(identity("", "").same(&identity("", "")));
        assert!(!identity("other/1", "").same(&identity("else/1", "")));
    }

    #[test]
    fn backoff_doubles_up_to_two_seconds_locally_and_ten_elsewhere() {
        let pauses = |here| (0..7).map(|attempt| backoff_delay(attempt, here, 0.5).as_millis()).collect::<Vec<_>>();
        assert_eq!(pauses(true), [500, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000]);
        assert_eq!(pauses(false), [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
        assert_eq!(
            backoff_delay(u32::MAX, true, 1.0),
            Duration::from_secs(2),
            "no chance makes it longer than the longest"
        );
        assert_eq!(backoff_delay(u32::MAX, false, 1.0), Duration::from_secs(10));
        assert_eq!(backoff_delay(0, true, 0.0), Duration::from_millis(400));
        assert!((0.0..=1.0).contains(&jitter()));
    }
}
