//! Dates in a filter: an age, or a day, a month, a year, relative to a given `now`.

use std::fmt;

use jiff::civil::Date;
use jiff::{Span, Timestamp, ToSpan as _, ZonedDateTime};

use super::Op;

/// A period of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// From this long ago until now.
    Ago(u32, Age),
    /// Today.
    Today,
    /// Yesterday.
    Yesterday,
    /// One day.
    Day(Date),
    /// One month, by its first day.
    Month(Date),
    /// One year, by its first day.
    Year(Date),
}

/// A unit of ages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the unit of its name")]
pub enum Age {
    Seconds,
    Minutes,
    Hours,
    Days,
    Weeks,
    Months,
    Years,
}

impl Age {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Seconds, Self::Minutes, Self::Hours, Self::Days, Self::Weeks, Self::Months, Self::Years];

    fn unit(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Minutes => "min",
            Self::Hours => "h",
            Self::Days => "d",
            Self::Weeks => "w",
            Self::Months => "mo",
            Self::Years => "y",
        }
    }

    fn span(self, count: u32) -> Result<Span, jiff::Error> {
        let (span, count) = (Span::new(), i64::from(count));
        match self {
            Self::Seconds => span.try_seconds(count),
            Self::Minutes => span.try_minutes(count),
            Self::Hours => span.try_hours(count),
            Self::Days => span.try_days(count),
            Self::Weeks => span.try_weeks(count),
            Self::Months => span.try_months(count),
            Self::Years => span.try_years(count),
        }
    }
}

impl When {
    /// Parses a unit; fails with the text.
    pub(super) fn read(text: &str) -> Result<Self, &'static str> {
        let lower = text.to_ascii_lowercase();
        match lower.as_str() {
            "today" => return Ok(Self::Today),
            "yesterday" => return Ok(Self::Yesterday),
            _ => {}
        }
        let end = lower.find(|c: char| !c.is_ascii_digit()).unwrap_or(lower.len());
        let (digits, unit) = lower.split_at(end);
        if let Some(age) = Age::ALL.into_iter().find(|age| age.unit() == unit) {
            return digits.parse().map(|count| Self::Ago(count, age)).map_err(|_| "not a duration");
        }
        if unit == "m" && !digits.is_empty() {
            return Err("unclear (“min” is minutes, “mo” is months)");
        }
        let parts: Vec<&str> = lower.split('-').collect();
        let [year, rest @ ..] = parts.as_slice() else { return Err("not a date or an age") };
        if year.len() != 4 || rest.iter().any(|part| part.len() != 2) {
            return Err("not a date or an age");
        }
        let number = |part: &str| part.parse::<i8>().map_err(|_| "not a date");
        let year = year.parse::<i16>().map_err(|_| "not a date")?;
        let date = |month, day| Date::new(year, month, day).map_err(|_| "not a calendar date");
        match rest {
            [] => date(1, 1).map(Self::Year),
            [month] => date(number(month)?, 1).map(Self::Month),
            [month, day] => date(number(month)?, number(day)?).map(Self::Day),
            _ => Err("not a date"),
        }
    }

    /// The half-open interval in which a time must be for a comparison; `None` is not a bound. Ages compare by length:
    /// `<7d` is within the last seven days, `>7d` before them. A date is its whole period: `>2026-01` is after January.
    pub(super) fn bounds(self, op: Op, now: &ZonedDateTime) -> (Option<Timestamp>, Option<Timestamp>) {
        if let Self::Ago(count, age) = self {
            // An age that is out of range is before all times.
            let since = age.span(count).and_then(|span| now.checked_sub(span));
            let since = since.map_or(Timestamp::MIN, |since| since.timestamp());
            return match op {
                Op::Has | Op::Is | Op::Less | Op::AtMost => (Some(since), None),
                Op::More | Op::AtLeast => (None, Some(since)),
            };
        }
        let (first, next) = self.days(now);
        let start = |date: Date| date.to_zoned_datetime(now.time_zone().clone()).map(|start| start.timestamp());
        let first = start(first).unwrap_or(Timestamp::MIN);
        let next = next.and_then(|next| start(next).ok()).unwrap_or(Timestamp::MAX);
        match op {
            Op::Has | Op::Is => (Some(first), Some(next)),
            Op::Less => (None, Some(first)),
            Op::AtMost => (None, Some(next)),
            Op::More => (Some(next), None),
            Op::AtLeast => (Some(first), None),
        }
    }

    /// Its first day, and the first day after it; `None` at the end of the calendar.
    fn days(self, now: &ZonedDateTime) -> (Date, Option<Date>) {
        let today = now.date();
        let (first, length) = match self {
            Self::Today | Self::Ago(..) => (today, 1.day()),
            Self::Yesterday => (today.yesterday().unwrap_or(today), 1.day()),
            Self::Day(date) => (date, 1.day()),
            Self::Month(date) => (date, 1.month()),
            Self::Year(date) => (date, 1.year()),
        };
        (first, first.checked_add(length).ok())
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ago(count, age) => write!(f, "{count}{}", age.unit()),
            Self::Today => f.write_str("today"),
            Self::Yesterday => f.write_str("yesterday"),
            Self::Day(date) => write!(f, "{date}"),
            Self::Month(date) => write!(f, "{:04}-{:02}", date.year(), date.month()),
            Self::Year(date) => write!(f, "{:04}", date.year()),
        }
    }
}
