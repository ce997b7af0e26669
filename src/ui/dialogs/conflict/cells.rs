//! A value in short: one line for its cell, more of it on hover.
//!
//! What must hold: of a value of any size only its beginning is written out, up to [`MOST`] bytes.

use std::io;

use serde_json::Value;

use crate::ui::widgets::shown_short;

/// How much of a value is looked at, in bytes.
const MOST: usize = 16 * 1024;
/// How much of it stands in its cell, in characters.
const CELL: usize = 120;
/// How much of it is laid out on hover, in characters.
const HOVERED: usize = 2_000;
/// Where texts differ only behind so many characters, what all begin with is left out.
const SAME: usize = 32;

/// A value as it is drawn.
pub struct Cell {
    /// One line, from shortly before where the versions differ.
    pub short: String,
    /// More of it; None where there is nothing.
    pub whole: Option<String>,
}

/// The versions of one place.
pub fn cells(versions: [Option<&Value>; 3]) -> [Cell; 3] {
    let texts = versions.map(|version| version.map(bounded_json));
    let present: Vec<_> = texts.iter().flatten().map(String::as_str).collect();
    let same = common_prefix(&present);
    texts.map(|text| match text {
        None => Cell { short: "absent".to_owned(), whole: None },
        Some(text) => {
            let sign = if same > 0 { "…" } else { "" };
            let short = format!("{sign}{}", shown_short(&text[same..], CELL));
            Cell { short, whole: Some(shown_short(&text, HOVERED).into_owned()) }
        }
    })
}

/// The value as JSON, as far as it is looked at.
fn bounded_json(value: &Value) -> String {
    let mut text = BoundedWriter::default();
    if serde_json::to_writer(&mut text, value).is_ok() {
        return String::from_utf8_lossy(&text.0).into_owned();
    }
    // It was cut, maybe within a character.
    let whole = text.0.utf8_chunks().next().map(|chunk| chunk.valid().to_owned()).unwrap_or_default();
    whole + "…"
}

/// Takes so many bytes, then fails.
#[derive(Default)]
struct BoundedWriter(Vec<u8>);

impl io::Write for BoundedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(MOST - self.0.len());
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How many bytes may be left out at the start of all texts so that what differs comes in sight.
fn common_prefix(texts: &[&str]) -> usize {
    let [first, rest @ ..] = texts else { return 0 };
    let same = |text: &&str| first.chars().zip(text.chars()).take_while(|(one, other)| one == other).count();
    match rest.iter().map(same).min() {
        Some(same) if same > SAME => first.char_indices().nth(same - SAME / 2).map_or(0, |(start, _)| start),
        Some(_) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shorts(versions: [Option<Value>; 3]) -> [String; 3] {
        cells(versions.each_ref().map(Option::as_ref)).map(|cell| cell.short)
    }

    #[test]
    fn a_difference_far_behind_comes_in_sight() {
        let long = "é".repeat(300);
        let text = |end: &str| Some(Value::from(format!("{long}{end}")));
        let [base, yours, theirs] = shorts([text("a"), text("b"), text("")]);
        assert!(base.starts_with('…') && base.ends_with("éa\"") && yours.ends_with("éb\"") && theirs.ends_with("é\""));
    }

    #[test]
    fn nothing_is_told_from_null_and_from_an_empty_text() {
        assert_eq!(shorts([None, Some(Value::Null), Some(json!(""))]), ["absent", "null", "\"\""]);
    }

    #[test]
    fn hidden_characters_are_shown_as_escapes() {
        assert_eq!(shorts([None, None, Some(json!("a\u{202e}b"))])[2], "\"a<U+202E>b\"");
    }

    #[test]
    fn of_a_large_value_only_the_beginning_is_written() {
        let large = json!({ "text": "é".repeat(MOST * 4) });
        let text = bounded_json(&large);
        assert!(text.len() <= MOST + '…'.len_utf8() && text.ends_with("é…"), "{}", text.len());
    }
}
