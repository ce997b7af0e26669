//! A time as a service wrote it, in eight bytes.
//!
//! What must hold: the text that comes out is the text that went in; a text that cannot be kept so is refused, and kept
//! as it is by whoever asked.

use std::num::NonZeroI64;

use jiff::Timestamp;

/// How many bits hold the number of decimal places, plus one.
const BITS: u32 = 4;
/// More decimal places than these are not kept.
const MOST_PLACES: usize = 6;

/// A time in UTC with up to six decimal places, as RFC 3339 text with a `Z`. Times are ordered as moments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompactTime(NonZeroI64);

impl CompactTime {
    /// Reads a text; None where another text would come out.
    pub fn of(text: &str) -> Option<Self> {
        let at: Timestamp = text.parse().ok()?;
        let places = match text.split_once('.') {
            Some((_, decimals)) => decimals.len().checked_sub(1)?,
            None => 0,
        };
        if places > MOST_PLACES {
            return None;
        }
        let time = Self::at(at, places)?;
        (time.to_string() == text).then_some(time)
    }

    fn at(at: Timestamp, places: usize) -> Option<Self> {
        let time = at.as_microsecond().checked_mul(1 << BITS)?;
        NonZeroI64::new(time + i64::try_from(places + 1).ok()?).map(Self)
    }

    /// Returns the moment.
    pub fn timestamp(self) -> Option<Timestamp> {
        Timestamp::from_microsecond(self.0.get() >> BITS).ok()
    }
}

impl std::fmt::Display for CompactTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let places = usize::try_from((self.0.get() & ((1 << BITS) - 1)) - 1).unwrap_or_default();
        match self.timestamp() {
            Some(at) => write!(f, "{at:.places$}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "2026-11-20T12:00:00Z",
            "2026-11-20T12:00:00.5Z",
            "2026-11-20T12:00:00.000Z",
            "2026-11-20T12:00:00.123456Z",
            "1969-12-31T23:59:59.900000Z",
            "0001-01-01T00:00:00Z",
            "9999-12-30T00:00:00Z",
        ] {
            assert_eq!(CompactTime::of(text).map(|time| time.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_text_with_a_different_spelling_is_rejected() {
        for text in [
            "",
            "yesterday",
            "2026-11-20",
            "2026-11-20T12:00:00",
            "2026-11-20T12:00:00.Z",
            "2026-11-20T12:00:00+01:00",
            "2026-11-20t12:00:00z",
            "2026-11-20T12:00:00.123456789Z",
            " 2026-11-20T12:00:00Z",
        ] {
            assert_eq!(CompactTime::of(text), None, "{text:?}");
        }
    }

    #[test]
    fn times_are_ordered_as_moments_are() {
        let time = |text| CompactTime::of(text).expect("a time");
        assert!(time("2026-11-20T12:00:00Z") < time("2026-11-20T12:00:00.5Z"));
        assert!(time("2026-11-20T12:00:00.500000Z") < time("2026-11-20T12:00:01Z"));
        assert!(time("1960-01-01T00:00:00.25Z") < time("1960-01-01T00:00:01Z"));
    }
}
