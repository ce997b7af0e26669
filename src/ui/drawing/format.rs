//! Times as the window shows them: relative to now, in the time zone of the machine.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use lunette_client::model::time;

pub use lunette_client::model::size::{exact_size, size};

/// Shown for a value that a record leaves out or has in an unexpected form: the value may exist.
pub const NOT_TOLD: &str = "Not told by this service";

/// Returns the text, or that it is not told if it is empty.
pub fn told(text: &str) -> &str {
    if text.is_empty() { NOT_TOLD } else { text }
}

/// Returns a text with a capital first letter.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// Returns a time (RFC 3339) relative to now: "4 min ago", "yesterday", "12 Nov". Other text is returned unchanged.
pub fn ago(moment: &str) -> String {
    time::ago(moment, Timestamp::now(), &TimeZone::system())
}

/// Returns a time (RFC 3339) to the second. Other text is returned unchanged.
pub fn exact(moment: &str) -> String {
    time::exact(moment, &TimeZone::system())
}

/// Returns the title of a day seen from today: "Today", "Yesterday", "12 Nov".
pub fn day(date: Date) -> String {
    time::day_title(date, Timestamp::now(), &TimeZone::system())
}
