//! The start of the shown changes.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _, ZonedDateTime};

/// The start of the shown changes: the beginning of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Since {
    /// The day before today.
    Yesterday,
    /// Seven days ago.
    #[default]
    Week,
    /// Thirty days ago.
    Month,
    /// This day.
    Day(Date),
    /// The first stored change.
    Always,
}

/// A text that names no beginning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a day; use “yesterday”, “7d”, “2w”, “all” or a day such as 2026-01-31")]
pub struct UnknownDay(String);

impl Since {
    /// The choices with a name.
    pub const NAMED: [Self; 4] = [Self::Yesterday, Self::Week, Self::Month, Self::Always];

    /// Parses `yesterday`, `7d`, `2w` or a day such as `2026-01-31`. The error lists the valid forms.
    pub fn parse(text: &str, now: &ZonedDateTime) -> Result<Self, UnknownDay> {
        let days = |count: &str, factor: i32| count.parse::<i32>().ok()?.checked_mul(factor);
        let back = match text {
            "today" => return Ok(Self::Day(now.date())),
            "yesterday" => return Ok(Self::Yesterday),
            "all" => return Ok(Self::Always),
            text => match text.strip_suffix('d') {
                Some(count) => days(count, 1),
                None => text.strip_suffix('w').and_then(|count| days(count, 7)),
            },
        };
        match back.filter(|days| (0..=36_500).contains(days)) {
            Some(back) => Ok(Self::Day(now.date().saturating_sub(back.days()))),
            None => text.parse().map(Self::Day).map_err(|_| UnknownDay(text.to_owned())),
        }
    }

    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::Yesterday => "Since yesterday".to_owned(),
            Self::Week => "Last 7 days".to_owned(),
            Self::Month => "Last 30 days".to_owned(),
            Self::Day(day) => format!("Since {day}"),
            Self::Always => "All changes".to_owned(),
        }
    }

    /// The day.
    pub fn day(self, now: &ZonedDateTime) -> Date {
        let back = |days: i32| now.date().saturating_sub(days.days());
        match self {
            Self::Yesterday => back(1),
            Self::Week => back(7),
            Self::Month => back(30),
            Self::Day(day) => day,
            Self::Always => Date::MIN,
        }
    }

    /// Its beginning.
    pub fn start(self, now: &ZonedDateTime) -> Timestamp {
        let start = self.day(now).to_zoned_datetime(now.time_zone().clone());
        start.map_or(Timestamp::MIN, |start| start.timestamp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> ZonedDateTime {
        "2026-11-24T04:00:00+01:00[Europe/Zurich]".parse().expect("a timestamp")
    }

    #[test]
    fn days_are_parsed_as_people_write_them() {
        let day = |text: &str| Since::parse(text, &now()).map(|since| since.day(&now()).to_string());
        assert_eq!(day("yesterday").as_deref(), Ok("2026-11-23"));
        assert_eq!(day("7d").as_deref(), Ok("2026-11-17"));
        assert_eq!(day("2w").as_deref(), Ok("2026-11-10"));
        assert_eq!(day("2026-01-31").as_deref(), Ok("2026-01-31"));
        for wrong in ["", "d", "-1d", "999999999w", "2026-02-31", "soon"] {
            assert!(day(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_day_begins_at_midnight_in_the_time_zone_of_the_user() {
        assert_eq!(Since::Yesterday.start(&now()).to_string(), "2026-11-22T23:00:00Z");
        assert_eq!(Since::Always.start(&now()), Timestamp::MIN);
    }
}
