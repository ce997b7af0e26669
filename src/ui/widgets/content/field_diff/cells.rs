//! Short forms of a value: one line for its cell, more of it on hover.
//!
//! What must hold: only the first [`MAX_BYTES`] bytes of a value are serialized, whatever its size.

use std::io;

use serde_json::Value;

use super::names::value_in_words;
use crate::ui::widgets::shown_short;

/// Maximum number of bytes of a value that are serialized.
const MAX_BYTES: usize = 16 * 1024;
/// Maximum number of characters in the cell.
const CELL: usize = 160;
/// Maximum number of characters shown on hover.
const HOVERED: usize = 2_000;
/// If texts first differ after this many characters, their common prefix is omitted.
const SAME: usize = 32;

/// A value as it is drawn.
pub struct Cell {
    /// One line, starting shortly before the versions differ.
    pub short: String,
    /// More of the value; `None` if there is no value.
    pub whole: Option<String>,
    /// More of the names in it, if it is read by them.
    pub words: Option<String>,
}

impl Cell {
    /// Whether there is no value.
    pub fn is_absent(&self) -> bool {
        self.whole.is_none()
    }
}

/// Returns the cells for the versions of one field. Lists and objects are read by the names in them, if all versions
/// can be, so that they can be compared.
pub fn cells<const N: usize>(versions: [Option<&Value>; N]) -> [Cell; N] {
    let texts = versions.map(|version| version.map(bounded_json));
    let present: Vec<_> = texts.iter().flatten().map(String::as_str).collect();
    let same = common_prefix(&present);
    let readable = versions.iter().flatten().all(|version| value_in_words(version).is_some());
    let mut words = versions.map(|version| version.filter(|_| readable).and_then(value_in_words)).into_iter();
    texts.map(|text| {
        let words = words.next().flatten();
        match text {
            None => Cell { short: "absent".to_owned(), whole: None, words: None },
            Some(text) => {
                let sign = if same > 0 { "…" } else { "" };
                let json = || format!("{sign}{}", shown_short(&text[same..], CELL));
                let short = words.as_ref().map_or_else(json, |words| shown_short(words, CELL).into_owned());
                let words = words.map(|words| shown_short(&words, HOVERED).into_owned());
                Cell { short, whole: Some(shown_short(&text, HOVERED).into_owned()), words }
            }
        }
    })
}

/// Returns the value as JSON, up to the limit.
fn bounded_json(value: &Value) -> String {
    let mut text = BoundedWriter::default();
    if serde_json::to_writer(&mut text, value).is_ok() {
        return String::from_utf8_lossy(&text.0).into_owned();
    }
    // It may have been cut within a character.
    let whole = text.0.utf8_chunks().next().map(|chunk| chunk.valid().to_owned()).unwrap_or_default();
    whole + "…"
}

/// Accepts this many bytes, then fails.
#[derive(Default)]
struct BoundedWriter(Vec<u8>);

impl io::Write for BoundedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(MAX_BYTES - self.0.len());
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns how many bytes to omit at the start of all texts so that the difference is visible.
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

    fn shorts<const N: usize>(versions: [Option<Value>; N]) -> [String; N] {
        cells(versions.each_ref().map(Option::as_ref)).map(|cell| cell.short)
    }

    #[test]
    fn a_distant_difference_is_scrolled_into_view() {
        let long = "é".repeat(300);
        let text = |end: &str| Some(Value::from(format!("{long}{end}")));
        let [base, yours, theirs] = shorts([text("a"), text("b"), text("")]);
        assert!(base.starts_with('…') && base.ends_with("éa\"") && yours.ends_with("éb\"") && theirs.ends_with("é\""));
    }

    #[test]
    fn absent_null_and_empty_values_are_distinguished() {
        assert_eq!(shorts([None, Some(Value::Null), Some(json!(""))]), ["absent", "null", "\"\""]);
    }

    #[test]
    fn hidden_characters_are_shown_as_escapes() {
        assert_eq!(shorts([None, None, Some(json!("a\u{202e}b"))])[2], "\"a<U+202E>b\"");
    }

    #[test]
    fn only_the_beginning_of_a_large_value_is_written() {
        let large = json!({ "text": "é".repeat(MAX_BYTES * 4) });
        let text = bounded_json(&large);
        assert!(text.len() <= MAX_BYTES + '…'.len_utf8() && text.ends_with("é…"), "{}", text.len());
    }

    #[test]
    fn digits_and_quotes_of_a_value_stay_as_they_are() {
        let number: Value = serde_json::from_str("1.10").expect("a number");
        assert_eq!(shorts([Some(number), Some("1.10".into())]), ["1.10", "\"1.10\""]);
    }

    #[test]
    fn lists_are_read_by_names_if_every_version_can_be() {
        let list = |names: &[&str]| Some(json!(names.iter().map(|name| json!({ "text": name })).collect::<Vec<_>>()));
        assert_eq!(shorts([list(&["a", "b"]), list(&[])]), ["a, b", "none"]);
        assert_eq!(shorts([list(&["a"]), Some(json!([1]))]), ["[{\"text\":\"a\"}]", "[1]"]);
    }
}
