//! The usage of applications by day: the counters at the end of each day on which they changed.
//!
//! What must hold: 365 days of 500 applications fit into 5 MB, even if each is used every day. So the counters of a day
//! are one list of short numbers, five per application.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use jiff::civil::Date;

use crate::listing::rows::Usage;

/// The counters of one day, by application number.
pub(super) type Day = BTreeMap<i64, Usage>;

/// The counters of each day on which they changed, by application key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsageHistory(BTreeMap<String, BTreeMap<Date, Usage>>);

impl UsageHistory {
    /// Creates a history from the counters of days; `keys` maps application numbers to keys.
    pub(super) fn new(days: &[(String, String)], keys: &BTreeMap<i64, String>) -> Self {
        let mut history: BTreeMap<String, BTreeMap<Date, Usage>> = BTreeMap::new();
        for (day, counters) in days {
            let Ok(day) = day.parse::<Date>() else { continue };
            for (number, usage) in parsed(counters) {
                if let Some(key) = keys.get(&number) {
                    history.entry(key.clone()).or_default().insert(day, usage);
                }
            }
        }
        Self(history)
    }

    /// Creates a history of one application.
    pub fn of(key: &str, days: BTreeMap<Date, Usage>) -> Self {
        Self([(key.to_owned(), days)].into())
    }

    /// Returns the usage of an application since a day. Usage before the first stored day is not counted. Returns
    /// `None` if nothing is stored.
    pub fn since(&self, key: &str, day: Date) -> Option<Usage> {
        let days = self.0.get(key)?;
        let before = days.range(..day).next_back().or_else(|| days.first_key_value());
        let (last, before) = (days.last_key_value()?.1, before?.1);
        Some(last.since(*before))
    }

    /// Returns the usage on each stored day, oldest first. The first stored day is left out, since it has no previous
    /// counters.
    pub fn days(&self, key: &str) -> Vec<(Date, Usage)> {
        let Some(days) = self.0.get(key) else { return Vec::new() };
        let pairs = days.iter().zip(days.iter().skip(1));
        pairs.map(|((_, before), (day, usage))| (*day, usage.since(*before))).collect()
    }
}

/// Encodes the counters of a day: base64 of LEB128 numbers (seven bits a byte, lowest bits first; the highest bit means
/// that another byte follows).
pub(super) fn text(day: &Day) -> String {
    let mut bytes = Vec::new();
    for (number, usage) in day {
        let Usage { sessions, interactions, keyboard, open_seconds } = *usage;
        for number in [number.unsigned_abs(), sessions, interactions, keyboard, open_seconds] {
            push(&mut bytes, number);
        }
    }
    STANDARD_NO_PAD.encode(bytes)
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Decodes the counters of a day; invalid text has none.
pub(super) fn parsed(text: &str) -> Day {
    let bytes = STANDARD_NO_PAD.decode(text).unwrap_or_default();
    let (mut numbers, mut number, mut bits) = (Vec::new(), 0_u64, 0);
    for byte in bytes {
        number |= u64::from(byte & 0x7F).checked_shl(bits).unwrap_or_default();
        bits += 7;
        if byte & 0x80 == 0 {
            numbers.push(number);
            (number, bits) = (0, 0);
        }
    }
    let entries = numbers.chunks_exact(5).filter_map(|entry| {
        let [number, sessions, interactions, keyboard, open_seconds] = *<&[u64; 5]>::try_from(entry).ok()?;
        Some((i64::try_from(number).ok()?, Usage { sessions, interactions, keyboard, open_seconds }))
    });
    entries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(sessions: u64) -> Usage {
        Usage { sessions, interactions: 10 * sessions, keyboard: 100 * sessions, open_seconds: 60 * sessions }
    }

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn history() -> UsageHistory {
        let day = |day: &str, counts: &[(i64, u64)]| {
            (day.to_owned(), text(&counts.iter().map(|(number, count)| (*number, usage(*count))).collect()))
        };
        let days = [day("2026-11-01", &[(7, 5), (9, 1)]), day("2026-11-03", &[(7, 6)]), day("2026-11-08", &[(7, 9)])];
        UsageHistory::new(&days, &BTreeMap::from([(7, "editor".to_owned())]))
    }

    #[test]
    fn counters_round_trip() {
        let day: Day = [(1, usage(1)), (42, usage(0))].into();
        assert_eq!(parsed(&text(&day)), day);
        assert_eq!(parsed(""), Day::new());
        let largest = Usage { sessions: u64::MAX, ..usage(u64::from(u32::MAX)) };
        let day = Day::from([(i64::MAX, largest)]);
        assert_eq!(parsed(&text(&day)), day);
        for broken in ["no base64!", "////////////////", "gICAgICAgICAgICAgICAgIA"] {
            assert_eq!(parsed(broken), Day::new(), "{broken}");
        }
    }

    #[test]
    fn usage_since_a_day_is_compared_with_the_last_day_before_it() {
        let since = |day: &str| history().since("editor", date(day)).map(|usage| usage.sessions);
        assert_eq!(since("2026-11-04"), Some(3));
        assert_eq!(since("2026-11-03"), Some(4));
        assert_eq!(since("2020-01-01"), Some(4), "what came before the first day is not known");
        assert_eq!(since("2026-12-01"), Some(0));
        assert_eq!(history().since("other", date("2026-11-04")), None);
    }

    #[test]
    fn each_day_has_its_own_usage() {
        let days: Vec<(Date, u64)> =
            history().days("editor").iter().map(|(day, usage)| (*day, usage.sessions)).collect();
        assert_eq!(days, [(date("2026-11-03"), 1), (date("2026-11-08"), 3)]);
    }

    #[test]
    fn a_counter_that_decreased_is_not_usage() {
        assert_eq!(usage(3).since(usage(9)), Usage::default());
    }
}
