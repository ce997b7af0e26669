//! Times in words: `4 min ago`, `yesterday`, `3 Nov`; and exact times.
//!
//! Moments come as RFC 3339 text (records, 2.2). What cannot be read as one is shown as it came, never left out.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit, ZonedDateTime};

/// Parses a timestamp; None if it is malformed.
///
/// A text without an offset is taken as UTC, because older clients of Python send times so (records, 1).
pub fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let naive = || text.parse::<DateTime>().ok()?.to_zoned_datetime(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    text.parse::<Timestamp>().ok().or_else(naive)
}

/// How long ago a moment is, seen from `now`, with days and dates as they are in `zone`.
///
/// Gives `just now`, `4 min ago`, `2 h ago` (same day), `yesterday`, `3 Nov` (same year), `3 Nov 2024`; for moments to
/// come `in 4 min`, `tomorrow` and dates. Text that is not a moment is returned as it came.
pub fn ago(text: &str, now: Timestamp, zone: &TimeZone) -> String {
    let Some(then) = moment(text) else { return text.to_owned() };
    let (then, now) = (then.to_zoned_datetime(zone.clone()), now.to_zoned_datetime(zone.clone()));
    let seconds = now.timestamp().as_second() - then.timestamp().as_second();
    let days = day_number(&now) - day_number(&then);
    match seconds {
        -59..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        -3_599..-59 => format!("in {} min", -seconds / 60),
        // Late in the evening the morning is still "9 h ago"; after midnight "2 h ago" tells more than "yesterday".
        3_600.. if days == 0 || seconds < 6 * 3_600 => format!("{} h ago", seconds / 3_600),
        ..-3_599 if days == 0 => format!("in {} h", -seconds / 3_600),
        _ => day(days, &then, &now),
    }
}

/// The title of a day seen from the day of `now` in `zone`: `Today`, `Yesterday`, `3 Nov` (same year), `3 Nov 2024`.
pub fn day_title(date: Date, now: Timestamp, zone: &TimeZone) -> String {
    let now = now.to_zoned_datetime(zone.clone());
    let Ok(then) = date.to_zoned_datetime(zone.clone()) else { return date.to_string() };
    match day_number(&now) - day_number(&then) {
        0 => "Today".to_owned(),
        1 => "Yesterday".to_owned(),
        -1 => "Tomorrow".to_owned(),
        days => day(days, &then, &now),
    }
}

/// The moment in full in `zone`, as `2026-11-20 21:04:05 +01:00`; text that is not a moment as it came.
pub fn exact(text: &str, zone: &TimeZone) -> String {
    match moment(text) {
        Some(then) => then.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M:%S %:z").to_string(),
        None => text.to_owned(),
    }
}

/// The time of day to the second, as `21:04:05`, for logs.
pub fn clock(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned_datetime(zone.clone()).strftime("%H:%M:%S").to_string()
}

/// A length of time in words: `340 ms`, `4.2 s`, `12 min`, `3 h 20 min`, `5 days`; for how long something took or stood
/// open.
pub fn length(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 if duration.as_millis() < 1 && !duration.is_zero() => "under 1 ms".to_owned(),
        0 => format!("{} ms", duration.as_millis()),
        1..10 => format!("{:.1} s", duration.as_millis() as f64 / 1e3),
        10..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..172_800 if seconds % 3_600 < 60 => format!("{} h", seconds / 3_600),
        3_600..172_800 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} days", seconds / 86_400),
    }
}

fn day(days: i64, then: &ZonedDateTime, now: &ZonedDateTime) -> String {
    match days {
        1 => "yesterday".to_owned(),
        -1 => "tomorrow".to_owned(),
        _ if then.year() == now.year() => then.strftime("%-d %b").to_string(),
        _ => then.strftime("%-d %b %Y").to_string(),
    }
}

/// Days since a fixed day, by the calendar.
fn day_number(zoned: &ZonedDateTime) -> i64 {
    let epoch = jiff::civil::date(1970, 1, 1);
    epoch.until((Unit::Day, zoned.date())).map(|span| i64::from(span.get_days())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn formatted(text: &str, now: &str) -> String {
        ago(text, now.parse().expect("a moment"), &TimeZone::UTC)
    }

    const NOW: &str = "2026-11-20T20:00:00Z";

    #[test]
    fn titles_of_days_are_as_seen_from_today() {
        let title =
            |text: &str| day_title(text.parse().expect("a date"), NOW.parse().expect("a moment"), &TimeZone::UTC);
        let titles = ["2026-11-20", "2026-11-19", "2026-11-03", "2024-11-03"].map(title);
        assert_eq!(titles, ["Today", "Yesterday", "3 Nov", "3 Nov 2024"]);
    }

    #[test]
    fn past_times_are_phrased_idiomatically() {
        assert_eq!(formatted("2026-11-20T19:59:30Z", NOW), "just now");
        assert_eq!(formatted("2026-11-20T19:55:10.123456Z", NOW), "4 min ago");
        assert_eq!(formatted("2026-11-20T08:00:00Z", NOW), "12 h ago");
        assert_eq!(formatted("2026-11-19T22:00:00Z", NOW), "yesterday");
        assert_eq!(formatted("2026-11-03T10:00:00Z", NOW), "3 Nov");
        assert_eq!(formatted("2024-05-01T12:00:00+00:00", NOW), "1 May 2024");
    }

    #[test]
    fn shortly_after_midnight_hours_are_shown_instead_of_yesterday() {
        assert_eq!(formatted("2026-11-19T22:30:00Z", "2026-11-20T00:40:00Z"), "2 h ago");
    }

    #[test]
    fn future_times_are_phrased_too() {
        assert_eq!(formatted("2026-11-20T20:05:00Z", NOW), "in 5 min");
        assert_eq!(formatted("2026-11-20T23:00:00Z", NOW), "in 3 h");
        assert_eq!(formatted("2026-11-21T23:00:00Z", NOW), "tomorrow");
        assert_eq!(formatted("2027-01-02T23:00:00Z", NOW), "2 Jan 2027");
    }

    #[test]
    fn days_are_those_of_the_zone() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let now = NOW.parse().expect("a moment");
        assert_eq!(ago("2026-11-19T21:30:00Z", now, &zone), "yesterday");
        assert_eq!(ago("2026-11-19T22:30:00Z", now, &zone), "21 h ago");
        assert_eq!(exact("2026-11-19T22:30:00Z", &zone), "2026-11-20 00:30:00 +02:00");
        assert_eq!(clock(now, &zone), "22:00:00");
    }

    #[test]
    fn a_naive_time_is_taken_as_utc() {
        assert_eq!(formatted("2026-11-20T19:50:00", NOW), "10 min ago");
    }

    #[test]
    fn an_invalid_time_is_shown_verbatim() {
        for text in ["", "soon", "1700000000", "2026-13-40T99:00:00Z", "🕰"] {
            assert_eq!(formatted(text, NOW), text);
            assert_eq!(exact(text, &TimeZone::UTC), text);
        }
    }

    #[test]
    fn lengths_have_a_fitting_unit() {
        let formatted = |millis| length(Duration::from_millis(millis));
        assert_eq!(formatted(0), "0 ms");
        assert_eq!(length(Duration::from_micros(40)), "under 1 ms");
        assert_eq!(formatted(340), "340 ms");
        assert_eq!(formatted(4_210), "4.2 s");
        assert_eq!(formatted(750_000), "12 min");
        assert_eq!(formatted(12_000_000), "3 h 20 min");
        assert_eq!(formatted(7_200_000), "2 h");
        assert_eq!(formatted(432_000_000), "5 days");
    }
}
