//! Parses the value that a field is compared with.

use std::ops::Range;

use super::error::{ParseError, nearest};
use super::field::{Field, FieldKind, Flag, List};
use super::version::numbers;
use super::{Comparison, Op, Value, When};

/// The text of a value, and its position in the filter.
pub(super) struct Piece {
    pub text: String,
    pub span: Range<usize>,
}

/// Units of sizes, and the bytes in one; 1 KB = 1000 bytes as the lists show it.
const SIZES: [(&str, u64); 14] = [
    ("", 1),
    ("b", 1),
    ("k", 1_000),
    ("kb", 1_000),
    ("kib", 1 << 10),
    ("m", 1_000_000),
    ("mb", 1_000_000),
    ("mib", 1 << 20),
    ("g", 1_000_000_000),
    ("gb", 1_000_000_000),
    ("gib", 1 << 30),
    ("t", 1_000_000_000_000),
    ("tb", 1_000_000_000_000),
    ("tib", 1 << 40),
];

/// Units of durations, and the milliseconds in one.
const TIMES: [(&str, u64); 5] = [("", 1), ("ms", 1), ("s", 1_000), ("min", 60_000), ("h", 3_600_000)];

/// Parses a value for its field.
pub(super) fn value(field: Field, list: List, op: Op, piece: &Piece) -> Result<Comparison, ParseError> {
    let Piece { text, span } = piece;
    let fault = |problem: String| ParseError::new(span.clone(), problem);
    let wrong = |what: &str| fault(format!("{text:?} is {what}: “{}:” takes {}", field.name(), field.example()));
    let value = match field.kind() {
        FieldKind::Text | FieldKind::Word | FieldKind::Folder => Value::Text(text.clone()),
        FieldKind::Number => Value::Number(text.parse().map_err(|_| wrong("not a whole number"))?),
        FieldKind::Bytes => Value::Bytes(measured(text, &SIZES).ok_or_else(|| wrong("not a size"))?),
        FieldKind::Millis => Value::Millis(measured(text, &TIMES).ok_or_else(|| wrong("not a duration"))?),
        FieldKind::Version if numbers(text).is_empty() => return Err(wrong("not a version")),
        FieldKind::Version => Value::Version(text.clone()),
        FieldKind::When => Value::When(When::read(text).map_err(wrong)?),
        FieldKind::Flag => Value::Flag(flag(list, piece)?),
    };
    Ok(Comparison { op, value })
}

/// A number with a unit, in the smallest unit; `None` if it is invalid or too large.
fn measured(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = unit.to_ascii_lowercase();
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    if let Ok(whole) = digits.parse::<u64>() {
        return whole.checked_mul(*factor);
    }
    let value = digits.parse::<f64>().ok()? * *factor as f64;
    // Larger ones are not exact, and no file is as large.
    (value < (1_u64 << 53) as f64).then_some(value.round() as u64)
}

fn flag(list: List, piece: &Piece) -> Result<Flag, ParseError> {
    let known = list.flags();
    if let Some(flag) = Flag::of(&piece.text).filter(|flag| known.contains(flag)) {
        return Ok(flag);
    }
    let near = nearest(&piece.text, known.iter().map(|flag| flag.word()));
    let all: Vec<String> = known.iter().map(|flag| format!("“{}”", flag.word())).collect();
    let problem = match near {
        Some(near) => format!("unknown value {:?}: did you mean “{near}”?", piece.text),
        None => format!("unknown value {:?}: “is:” takes {}", piece.text, all.join(", ")),
    };
    Err(ParseError { instead: near.map(str::to_owned), ..ParseError::new(piece.span.clone(), problem) })
}
