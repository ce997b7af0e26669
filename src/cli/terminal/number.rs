//! Whole numbers on the command line, with errors in plain words.

use std::fmt::Display;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses a whole number; the error says what it must be.
pub(in crate::cli) fn number<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => "the number is too large".to_owned(),
        _ => "it must be a whole number, such as 20".to_owned(),
    })
}

/// Returns a parser of the whole numbers of a range.
pub(in crate::cli) fn number_in<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr<Err = ParseIntError> + PartialOrd + Display + Clone,
{
    move |text| {
        let parsed = text.parse().ok().filter(|number| range.contains(number));
        parsed.ok_or_else(|| format!("it must be a whole number from {} to {}", range.start(), range.end()))
    }
}
