//! How a lost connection stands: which service it was, when it is tried again, how old what is shown is.

use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

use jiff::Timestamp;

use crate::app::Owner;
use crate::app::session::Connection;
use crate::app::session::log::is_own;

/// The pause before the first new try; each one that follows is twice as long.
const FIRST: Duration = Duration::from_millis(500);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(10);
/// The longest pause for a service of this machine: a try costs nothing here, and the one who started it waits.
const LONGEST_HERE: Duration = Duration::from_secs(2);

/// Which service answers: what it says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its Server header.
    pub server: Option<String>,
    /// Its health; None where it has the interface's operations only.
    pub health: Option<String>,
    /// Whose program it is.
    pub owner: Owner,
}

impl Identity {
    /// Whether it says that it is a service of this program, of whatever version.
    pub(in crate::app) fn is_own(&self) -> bool {
        self.server.as_deref().is_some_and(is_own)
    }

    /// Whether both are one service. Its data says so, by their id behind `ok:`; a service that tells none is known by
    /// the name in its Server header, since an update changes only the version. A service of another user is never the
    /// same as one that is not, whatever it says.
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

    /// How it is called where another one was expected.
    pub fn words(&self) -> String {
        match (&self.server, self.data()) {
            (Some(server), Some(data)) => format!("{server}, with the data {data}"),
            (Some(server), None) => server.clone(),
            (None, Some(data)) => format!("a service with the data {data}"),
            (None, None) => "an unnamed service".to_owned(),
        }
    }

    /// What it is remembered by once the user trusts it: the id of its data, else its name.
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

/// When a connection that is lost is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// At this moment, by itself.
    Due(Timestamp),
    /// Now: an answer is awaited.
    Trying,
}

impl Connection {
    /// Whether what is shown is older than it should be: the service it was read from no longer answers.
    pub fn is_stale(&self) -> bool {
        self.stale_since.is_some()
    }
}

/// The pause before a try, counted from 0: half a second, then twice as long each time, up to two seconds where the
/// service is of this machine (`here`) and up to ten elsewhere; and up to a fifth more or less by `chance` (0 to 1), so
/// that windows that lost the same service do not all come at once.
pub(super) fn backoff_delay(attempt: u32, here: bool, chance: f64) -> Duration {
    let longest = if here { LONGEST_HERE } else { LONGEST };
    let whole = FIRST.saturating_mul(1 << attempt.min(10)).min(longest);
    whole.mul_f64(0.8 + 0.4 * chance.clamp(0.0, 1.0)).min(longest)
}

/// A number from 0 to 1 that nobody can foresee.
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
    fn a_service_of_another_user_is_never_the_same_whatever_it_reports() {
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
