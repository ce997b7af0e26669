//! Lists read one element at a time, so that a long answer costs its text and one record, not a tree of all of them.
//!
//! What must hold: what a list of the wrong shape is refused with is what the record of the list says; an element over
//! its budget is told apart from one of another shape, so that a reader can leave it out.

use serde::de::IgnoredAny;
use serde_json::Value;

use crate::model::record::kind_name;
use crate::model::{Record, SchemaError};
use lunette_json::budget;
use lunette_json::token::{Token, Tokens, elements};

use super::DecodeError;

/// The field that holds the elements of every list of the interface.
const FIELD: &str = "iterable";

/// An element of a list.
#[derive(Clone, Copy, Debug)]
pub struct Element<'a> {
    /// Its index in the list, from 0.
    pub index: usize,
    /// Its JSON.
    pub text: &'a [u8],
}

impl Element<'_> {
    /// The element as a record, which is any object; over its budget, or no object, it fails.
    pub fn record<R: Record>(&self) -> Result<R, DecodeError> {
        let tree = budget::parse(self.text)?;
        R::from_any(tree).map_err(|wrong| self.wrong(wrong))
    }

    /// The element as a record that has no other fields than these, which costs less where it has many; over its budget, or
    /// no object, it fails.
    pub fn record_of<R: Record>(&self, fields: &'static [&'static str]) -> Result<R, DecodeError> {
        let tree = budget::parse_fields(self.text, fields)?;
        R::from_any(tree).map_err(|wrong| self.wrong(wrong))
    }

    /// The text of a field of the element, where it is an object that has it, without a tree of the element.
    pub fn field(&self, name: &str) -> Option<String> {
        let (mut depth, mut wanted) = (0_usize, false);
        let read = |range| serde_json::from_slice::<String>(self.text.get(range)?).ok();
        for token in Tokens::new(self.text) {
            match token {
                Token::Open { .. } => depth += 1,
                Token::Close { .. } => depth = depth.checked_sub(1)?,
                Token::Key(range) if depth == 1 => wanted = read(range)? == name,
                Token::Text(range) if depth == 1 && wanted => return read(range),
                _ => {}
            }
        }
        None
    }

    /// What is wrong with the element, seen from the whole response.
    pub fn wrong(&self, wrong: SchemaError) -> DecodeError {
        DecodeError::Schema(wrong.within(format!("[{}]", self.index)).within(FIELD))
    }
}

/// Hands each element of a list to a reader; `name` is the record of the list. Gives how many there are. Fails where the
/// text is no such list, and with what the reader fails with.
pub fn each(
    text: &[u8],
    name: &str,
    mut read: impl FnMut(Element<'_>) -> Result<(), DecodeError>,
) -> Result<usize, DecodeError> {
    serde_json::from_slice::<IgnoredAny>(text).map_err(|error| DecodeError::NotJson(error.to_string()))?;
    let Some(found) = elements(text, FIELD) else { return Err(no_list(text, name)) };
    let mut count = 0;
    for text in found {
        read(Element { index: count, text })?;
        count += 1;
    }
    Ok(count)
}

/// How many elements a list has, without reading them; 0 of a text that is not a list.
pub fn count(text: &[u8]) -> usize {
    elements(text, FIELD).map_or(0, Iterator::count)
}

/// Why a text is not a list.
fn no_list(text: &[u8], name: &str) -> DecodeError {
    let tree = match budget::parse(text) {
        Ok(tree) => tree,
        Err(error) => return error.into(),
    };
    let wrong = match (&tree, tree.get(FIELD)) {
        (Value::Object(_), None | Some(Value::Null)) => {
            SchemaError::new(format!("required field of {name} is missing")).within(FIELD)
        }
        (Value::Object(_), Some(other)) => {
            SchemaError::new(format!("expected an array, got {}", kind_name(other))).within(FIELD)
        }
        (other, _) => SchemaError::new(format!("expected an object ({name}), got {}", kind_name(other))),
    };
    DecodeError::Schema(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, DecodeError> {
        let mut all = Vec::new();
        each(text.as_bytes(), "Tags", |element| {
            all.push(String::from_utf8_lossy(element.text).into_owned());
            Ok(())
        })?;
        Ok(all)
    }

    #[test]
    fn a_list_is_read_element_by_element() {
        assert_eq!(read(r#"{"iterable": [{"a": 1}, 2], "more": [3]}"#), Ok(vec![r#"{"a": 1}"#.into(), "2".into()]));
    }

    #[test]
    fn text_that_is_not_a_list_is_rejected_with_path_and_reason() {
        for (text, message) in [
            ("[]", "expected an object (Tags), got an array at $"),
            ("{}", "required field of Tags is missing at $.iterable"),
            (r#"{"iterable": null}"#, "required field of Tags is missing at $.iterable"),
            (r#"{"iterable": {}}"#, "expected an array, got an object at $.iterable"),
        ] {
            assert_eq!(read(text).expect_err(text).to_string(), message, "{text}");
        }
        for text in ["", "{\"iterable\": [1, 2", "{\"iterable\": [1,,2]}"] {
            assert!(matches!(read(text), Err(DecodeError::NotJson(_))), "{text}");
        }
    }

    #[test]
    fn a_field_is_found_without_parsing_the_element() {
        let field = |text: &str| Element { index: 0, text: text.as_bytes() }.field("id");
        assert_eq!(field(r#"{"x": {"id": "no"}, "name": "id", "id": "\u0061b"}"#).as_deref(), Some("ab"));
        assert_eq!((field("[]"), field(r#"{"id": 7, "name": "b"}"#), field("\"id\"")), (None, None, None));
    }
}
