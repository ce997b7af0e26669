//! JSON with comments and trailing commas, as editors write it, and views of values.

use serde_json::{Error, Value};

/// Parses a document. Comments and trailing commas are replaced by spaces, so that error positions refer to the text.
pub(crate) fn parse(text: &str) -> Result<Value, Error> {
    match serde_json::from_str(text) {
        Ok(value) => Ok(value),
        Err(error) => match blank(text) {
            Some(blanked) => serde_json::from_str(&blanked),
            None => Err(error),
        },
    }
}

/// Returns the text with comments and trailing commas replaced by spaces, or `None` if it has none.
fn blank(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut blanked = bytes.to_vec();
    let (mut at, mut comma) = (0, None);
    while at < bytes.len() {
        let end = match bytes[at] {
            b'"' => {
                comma = None;
                end_of_string(bytes, at)
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length);
                blanked[at..end].fill(b' ');
                end
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let rest = bytes.get(at + 2..).unwrap_or_default();
                let length = rest.windows(2).position(|two| two == b"*/");
                let end = length.map_or(bytes.len(), |length| at + length + 4);
                blanked[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
                end
            }
            byte => {
                match byte {
                    b',' => comma = Some(at),
                    b']' | b'}' => {
                        if let Some(comma) = comma.take() {
                            blanked[comma] = b' ';
                        }
                    }
                    byte if byte.is_ascii_whitespace() => {}
                    _ => comma = None,
                }
                at + 1
            }
        };
        at = end;
    }
    // Only whole comments and commas were replaced.
    (blanked != bytes).then(|| String::from_utf8(blanked).ok()).flatten()
}

/// Returns the end of a string that begins here.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The text of a field; empty if it has none.
pub(crate) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the text of a field, or `None` if it has none.
pub(crate) fn some_text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
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

/// A text or a list of texts.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(list)) => list.iter().filter_map(scalar).collect(),
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
        assert_eq!(error.line(), 3);
    }
}
