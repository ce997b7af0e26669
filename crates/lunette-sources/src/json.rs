//! JSON with comments and trailing commas, as editors write it, and views of values.
//!
//! What must hold: the memory of a document is estimated before it is parsed, since a list of small numbers takes a hundred
//! times the size of its text.

use serde_json::{Error, Value};

use crate::Warning;
use lunette_json::budget;
use lunette_json::comments::blanked;
use lunette_json::duplicate_key::Duplicates;

/// The most memory that a document may take, in bytes.
const MOST_MEMORY: u64 = 112 << 20;

/// Why a document was not parsed.
#[derive(Debug)]
pub(crate) enum JsonError {
    /// It has too many values.
    TooLarge,
    Invalid(Error),
}

impl JsonError {
    /// Returns the warning about a document.
    pub fn at(&self, location: &str) -> Warning {
        match self {
            Self::TooLarge => {
                let message = "has so many values that it would take more than 112 MiB of memory, and was left out";
                Warning::new("limit.values", location, message)
            }
            Self::Invalid(error) => {
                let location = format!("{location}:{}:{}", error.line(), error.column());
                Warning::new("json.invalid", location, format!("is not valid JSON: {error}"))
            }
        }
    }
}

/// Parses a document. Comments and trailing commas are replaced by spaces, so that error positions refer to the text.
pub(crate) fn parse(text: &str) -> Result<Value, JsonError> {
    match parse_strict(text.as_bytes()) {
        Ok(value) => Ok(value),
        Err(error) => match blanked(text) {
            Some(strict) => parse_strict(strict.as_bytes()),
            None => Err(error),
        },
    }
}

/// Parses a document without comments and trailing commas.
pub(crate) fn parse_strict(text: &[u8]) -> Result<Value, JsonError> {
    parse_line(text, &mut 0)
}

/// Parses one of several documents that are kept together. Its memory is added to what they have used.
pub(crate) fn parse_line(text: &[u8], used: &mut u64) -> Result<Value, JsonError> {
    *used = used.saturating_add(memory(text));
    if *used > MOST_MEMORY {
        return Err(JsonError::TooLarge);
    }
    serde_json::from_slice(text).map_err(JsonError::Invalid)
}

/// Estimates the memory of the tree of a document; it is never far below the truth.
fn memory(text: &[u8]) -> u64 {
    let tree = budget::estimate(text);
    (tree.bytes + tree.growing) as u64
}

/// Returns the keys that an object of a valid document has more than once, of which the last one counts.
pub(crate) fn repeated_keys(text: &str) -> Vec<String> {
    Duplicates::new(text.as_bytes()).map(|duplicate| duplicate.key).collect()
}

/// The text of a field; empty if it has none.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the text of a field, or `None` if it has none.
pub(crate) fn some_text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
}

/// Returns the text, number or boolean of a field as text; empty if it has none.
pub(crate) fn string(value: &Value, field: &str) -> String {
    some_string(value, field).unwrap_or_default()
}

/// Returns the text, number or boolean of a field as text, or `None` if it has none.
pub(crate) fn some_string(value: &Value, field: &str) -> Option<String> {
    value.get(field).and_then(scalar)
}

/// Returns the values of a list; empty if it is not a list.
pub(crate) fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether a field is true, as a boolean or as a number.
pub(crate) fn flag(value: &Value, field: &str) -> bool {
    value
        .get(field)
        .is_some_and(|value| value.as_bool() == Some(true) || value.as_i64().is_some_and(|number| number != 0))
}

/// A text, or those in a list and in the lists within it. The parser bounds their depth.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().flat_map(|value| texts(Some(value))).collect(),
        Some(other) => scalar(other).into_iter().collect(),
        None => Vec::new(),
    }
}

/// A text, a number or a boolean as text.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The id in a field, a text or a number.
pub(crate) fn id(value: &Value, field: &str) -> Option<String> {
    value.get(field).and_then(scalar).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_allowed_and_texts_stay_as_they_are() {
        let text = "// first\n{ \"a\": [1, 2, /* , */ ], \"b // no comment\": \"x, ] /* y */ \\\" ,}\", }\n";
        let value = parse(text).expect("it is read");
        assert_eq!(value["a"], serde_json::json!([1, 2]));
        assert_eq!(value["b // no comment"], "x, ] /* y */ \" ,}");
    }

    #[test]
    fn an_error_names_its_location_behind_a_comment_of_several_lines() {
        let error = parse("{\n/* a\nb */ \"a\": tru }").expect_err("it is broken");
        assert!(error.at("x").location.starts_with("x:3:"), "{error:?}");
    }

    #[test]
    fn the_memory_of_many_small_values_is_that_of_their_tree_and_the_memory_of_a_text_is_its_size() {
        let per_byte = |text: String| memory(text.as_bytes()) / text.len() as u64;
        assert!(per_byte(format!("[{}0]", "0,".repeat(1_000_000))) >= 40);
        assert!(per_byte(format!("[{}0]", "[0],".repeat(1_000))) >= 60);
        assert!(per_byte(format!("[{}0]", r#"{"":0},"#.repeat(1_000))) >= 50);
        assert!((20..40).contains(&per_byte(format!("[{}0]", "[],".repeat(900)))), "an empty list takes no more");
        assert_eq!(per_byte(format!("\"{}\"", "x, [\\\"]: ".repeat(1000))), 1);
    }

    #[test]
    fn documents_that_are_kept_together_are_read_up_to_their_limit() {
        let mut used = MOST_MEMORY - 1_000;
        let read: Vec<bool> = (0..3).map(|_| parse_line(b"[1, 2, 3, 4]", &mut used).is_ok()).collect();
        assert_eq!(read, [true, true, false]);
    }

    #[test]
    fn a_quote_in_a_comment_hides_no_values() {
        let text = format!("/*\"*/[{}", "0,".repeat(1000));
        let strict = blanked(&text).expect("it has a comment");
        assert!(memory(strict.as_bytes()) > 50_000);
    }

    #[test]
    fn keys_that_an_object_has_again_are_found_and_those_of_another_object_are_not() {
        let text = r#"{ "a": {"b": "a", "c": "b:"}, /* "a": */ "b": [{"a": 1}, {"a": 2}], "a" : "\"a\":", "c": {"b": {}, "b": 1,}, }"#;
        assert!(parse(text).is_ok());
        assert_eq!(repeated_keys(text), ["a", "b"]);
    }
}
