//! Moments and sizes as the window shows them: seen from now, in the time zone of the machine.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use lunette_client::model::time;

pub use lunette_client::model::size::{exact_size, size};

/// A moment (RFC 3339) seen from now: "4 min ago", "yesterday", "12 Nov". A text that is no moment stays as it is.
pub fn ago(moment: &str) -> String {
    time::ago(moment, Timestamp::now(), &TimeZone::system())
}

/// A moment (RFC 3339) to the second. A text that is no moment stays as it is.
pub fn exact(moment: &str) -> String {
    time::exact(moment, &TimeZone::system())
}
