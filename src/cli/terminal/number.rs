//! Whole numbers on the command line, with errors in plain words.

use std::fmt::Display;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A text that is not the wanted number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::cli) enum NumberError {
    /// It has too many digits.
    #[error("the number is too large")]
    TooLarge,
    /// It is not a whole number.
    #[error("it must be a whole number, such as 20")]
    NotWhole,
    /// It is not between these two, each included.
    #[error("it must be a whole number from {0} to {1}")]
    OutOfRange(String, String),
}

/// Parses a whole number.
pub(in crate::cli) fn number<T: FromStr<Err = ParseIntError>>(text: &str) -> Result<T, NumberError> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => NumberError::TooLarge,
        _ => NumberError::NotWhole,
    })
}

/// Returns a parser of the whole numbers of a range.
pub(in crate::cli) fn number_in<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, NumberError> + Clone
where
    T: FromStr<Err = ParseIntError> + PartialOrd + Display + Clone,
{
    move |text| {
        let parsed = text.parse().ok().filter(|number| range.contains(number));
        parsed.ok_or_else(|| NumberError::OutOfRange(range.start().to_string(), range.end().to_string()))
    }
}
