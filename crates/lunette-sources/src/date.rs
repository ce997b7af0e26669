//! Points in time as programs write them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use serde_json::Value;

/// A point in time: milliseconds or seconds since 1970, or a text of ISO 8601 with or without a time zone. Without a
/// time zone, UTC is assumed. Returns `None` if it is something else or out of range.
pub(crate) fn of_json(value: Option<&Value>) -> Option<Timestamp> {
    match value? {
        Value::String(text) => of_text(text),
        number @ Value::Number(_) => {
            of_number(number.as_i64().or_else(|| number.as_f64().map(|number| number as i64))?)
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Reads a number as a date. Numbers that would be before 1973 as milliseconds are seconds.
pub(crate) fn of_number(number: i64) -> Option<Timestamp> {
    match number {
        0 => None,
        number if number.unsigned_abs() < 100_000_000_000 => Timestamp::from_second(number).ok(),
        number => Timestamp::from_millisecond(number).ok(),
    }
}

/// Reads a text as a date.
pub(crate) fn of_text(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(number) = text.parse() {
        return of_number(number);
    }
    let civil = || text.parse::<DateTime>().ok()?.to_zoned_datetime(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    // As Ruby and the exports of SnippetsLab before version 2.1 write it.
    let spaced = || ZonedDateTime::strptime("%Y-%m-%d %H:%M:%S %z", text).ok().map(|zoned| zoned.timestamp());
    text.parse::<Timestamp>().ok().or_else(civil).or_else(spaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_each_form_that_programs_write() {
        let expected = of_text("2024-01-02T03:04:05Z");
        assert!(expected.is_some());
        for text in [
            "2024-01-02 03:04:05",
            "2024-01-02T04:04:05+01:00",
            "2024-01-02 00:04:05 -0300",
            "1704164645",
            "1704164645000",
        ] {
            assert_eq!(of_text(text), expected, "{text}");
        }
        assert_eq!(of_text("yesterday"), None);
        assert_eq!(of_text("99999999999999999"), None);
    }
}
