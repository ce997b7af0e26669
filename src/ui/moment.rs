//! Moments and sizes as people read them: "4 min ago" and "2.1 KB", the exact value on hover.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// A moment (RFC 3339) seen from now: "4 min ago", "yesterday", "Mon", "12 Nov", "12 Nov 2024". A text that is no moment
/// comes back as it is.
pub fn ago(moment: &str) -> String {
    seen_from(moment, &Zoned::now())
}

/// A moment (RFC 3339) to the second, in the time zone of the machine. A text that is no moment comes back as it is.
pub fn exact(moment: &str) -> String {
    match moment.parse::<Timestamp>() {
        Ok(moment) => moment.to_zoned(TimeZone::system()).strftime("%A %-d %B %Y, %H:%M:%S %Z").to_string(),
        Err(_) => moment.to_owned(),
    }
}

/// A number of bytes: "880 B", "2.1 KB", "12 MB"; a KB is 1,000 bytes (records, 2.2).
pub fn size(bytes: i64) -> String {
    let mut amount = bytes.max(0) as f64;
    if amount < 1000.0 {
        return format!("{} B", bytes.max(0));
    }
    let mut unit = "";
    for next in ["KB", "MB", "GB", "TB"] {
        amount /= 1000.0;
        unit = next;
        if amount < 999.95 {
            break;
        }
    }
    if amount < 99.95 { format!("{amount:.1} {unit}") } else { format!("{amount:.0} {unit}") }
}

fn seen_from(moment: &str, now: &Zoned) -> String {
    let Ok(timestamp) = moment.parse::<Timestamp>() else { return moment.to_owned() };
    let then = timestamp.to_zoned(now.time_zone().clone());
    let seconds = now.timestamp().as_second() - timestamp.as_second();
    let (day, today) = (then.date(), now.date());
    match seconds {
        ..-60 => dated(day, today),
        -60..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600.. if day == today => format!("{} h ago", seconds / 3_600),
        3_600.. => days_ago(day, today),
    }
}

fn days_ago(day: Date, today: Date) -> String {
    let days = (today - day).get_days();
    match days {
        1 => "yesterday".to_owned(),
        2..=6 => day.strftime("%a").to_string(),
        _ => dated(day, today),
    }
}

fn dated(day: Date, today: Date) -> String {
    let format = if day.year() == today.year() { "%-d %b" } else { "%-d %b %Y" };
    day.strftime(format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_said_the_shorter_the_nearer_it_is() {
        let now: Zoned = "2026-11-20T12:00:00+00:00[UTC]".parse().expect("a moment");
        let said = |moment| seen_from(moment, &now);
        assert_eq!(said("2026-11-20T11:59:30Z"), "just now");
        assert_eq!(said("2026-11-20T11:38:00Z"), "22 min ago");
        assert_eq!(said("2026-11-20T02:00:00+01:00"), "11 h ago");
        assert_eq!(said("2026-11-19T23:00:00Z"), "yesterday");
        assert_eq!(said("2026-11-16T23:00:00Z"), "Mon");
        assert_eq!(said("2026-11-12T23:00:00Z"), "12 Nov");
        assert_eq!(said("2024-05-01T12:00:00.123456Z"), "1 May 2024");
        assert_eq!(said("2026-12-24T12:00:00Z"), "24 Dec");
        assert_eq!(said("soon"), "soon");
    }

    #[test]
    fn sizes_have_two_figures_where_they_are_small() {
        let said = [-1, 0, 880, 999, 1_000, 2_148, 99_949, 212_000, 999_949, 999_951, 12_000_000, i64::MAX].map(size);
        let wanted =
            ["0 B", "0 B", "880 B", "999 B", "1.0 KB", "2.1 KB", "99.9 KB", "212 KB", "1000 KB", "1.0 MB", "12.0 MB"];
        assert_eq!(said[..11], wanted);
        assert!(said[11].ends_with(" TB"));
    }
}
