//! What the fields of a record may be. What is something else, and so has no place in an item, is reported.
//!
//! What must hold: a value of a field that a reader uses is either part of the item or of a warning.

use serde_json::Value;

use crate::candidate::{Candidate, Library};
use crate::date;
use crate::json::scalar;
use crate::warning::{Warning, Warnings};

/// What a field may be. Each may be absent, null or empty.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// A text, a number or a boolean.
    Scalar,
    /// A text.
    Text,
    /// Texts, numbers or booleans, one or several in lists.
    Scalars,
    /// Whether something is so, as a boolean or a number.
    Flag,
    /// A point in time.
    Date,
    /// Addresses of the web, one or several in lists.
    Addresses,
    /// Records of these fields.
    Records(Fields),
    /// A record of these fields.
    Record(Fields),
}

/// The fields of a record that a reader uses.
pub(crate) type Fields = &'static [(&'static str, Shape)];

impl Shape {
    fn name(self) -> &'static str {
        match self {
            Self::Scalar | Self::Text | Self::Scalars => "text",
            Self::Flag => "yes or no",
            Self::Date => "a date",
            Self::Addresses => "an address that begins with http:// or https://",
            Self::Records(_) => "a list",
            Self::Record(_) => "an object",
        }
    }
}

/// Returns a warning for each value in a record that is not of the shape of its field.
pub(crate) fn unread(record: &Value, fields: Fields, location: &str) -> Vec<Warning> {
    let mut unread = Unread { location, warnings: Warnings::default() };
    unread.fields(record, fields, "");
    unread.warnings.finish(location)
}

impl Library {
    /// Adds a candidate, with a warning for each value of its record that is not of the shape of its field.
    pub(crate) fn add_of(&mut self, record: &Value, fields: Fields, mut candidate: Candidate, location: &str) {
        candidate.warnings.extend(unread(record, fields, location));
        self.add(candidate, location);
    }

    /// Reports each value in a record that is not of the shape of its field.
    pub(crate) fn check(&mut self, record: &Value, fields: Fields, location: &str) {
        self.report(unread(record, fields, location));
    }
}

/// Returns whether a text is an address of the web.
pub(crate) fn is_address(text: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|start| text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)))
}

struct Unread<'a> {
    location: &'a str,
    warnings: Warnings,
}

impl Unread<'_> {
    fn fields(&mut self, record: &Value, fields: Fields, path: &str) {
        if !record.is_object() {
            return self.add(path, record, "an object");
        }
        for (name, shape) in fields {
            if let Some(value) = record.get(*name) {
                let path = if path.is_empty() { (*name).to_owned() } else { format!("{path}.{name}") };
                self.value(value, *shape, &path);
            }
        }
    }

    fn value(&mut self, value: &Value, shape: Shape, path: &str) {
        let fits = match (shape, value) {
            (Shape::Scalar | Shape::Scalars, value) if scalar(value).is_some() => true,
            (Shape::Text, value) => value.is_string(),
            (Shape::Flag, value) => value.is_boolean() || value.is_number(),
            (Shape::Date, value) => value.as_i64() == Some(0) || date::of_json(Some(value)).is_some(),
            (Shape::Addresses, value) if scalar(value).is_some_and(|text| is_address(&text)) => true,
            (Shape::Scalars | Shape::Addresses, Value::Array(list)) => {
                return list.iter().for_each(|value| self.value(value, shape, path));
            }
            (Shape::Records(fields), Value::Array(list)) => {
                return list.iter().for_each(|value| self.fields(value, fields, path));
            }
            (Shape::Record(fields), Value::Object(_)) => return self.fields(value, fields, path),
            _ => false,
        };
        if !fits {
            self.add(path, value, shape.name());
        }
    }

    fn add(&mut self, path: &str, value: &Value, expected: &str) {
        let is_empty = match value {
            Value::Null => true,
            Value::String(text) => text.trim().is_empty(),
            Value::Array(list) => list.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            Value::Bool(_) | Value::Number(_) => false,
        };
        if !is_empty {
            let path = if path.is_empty() { "item" } else { path };
            self.warnings.add(Warning::of_value(self.location, path, value, expected));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_value_of_another_shape_is_in_a_warning_and_others_are_not() {
        const FIELDS: Fields = &[
            ("name", Shape::Scalar),
            ("id", Shape::Text),
            ("tags", Shape::Scalars),
            ("on", Shape::Flag),
            ("at", Shape::Date),
            ("parts", Shape::Records(&[("code", Shape::Scalar)])),
        ];
        let good = json!({ "name": 1, "id": "", "tags": ["a", [2, [true]], null], "on": 1, "at": 0, "parts": [{ "code": "x" }, {}] });
        assert_eq!(unread(&good, FIELDS, "x"), []);
        assert_eq!(unread(&json!({ "name": null, "tags": {}, "parts": "", "on": " ", "more": [1] }), FIELDS, "x"), []);
        let bad = json!({ "name": ["n"], "id": 3, "tags": ["a", { "t": 1 }], "on": "no", "at": "x", "parts": [{ "code": ["c"] }, 7] });
        let found: Vec<_> = unread(&bad, FIELDS, "x").into_iter().map(|warning| warning.message).collect();
        for (field, value) in [
            ("name", "[\"n\"]"),
            ("id", "3"),
            ("tags", "{\"t\":1}"),
            ("on", "\"no\""),
            ("at", "\"x\""),
            ("parts.code", "[\"c\"]"),
            ("parts", "7"),
        ] {
            let begin = format!("\"{field}\" has {value} instead of ");
            assert!(found.iter().any(|message| message.starts_with(&begin)), "{begin}: {found:?}");
        }
        assert_eq!(found.len(), 7);
    }

    #[test]
    fn a_long_value_is_shown_in_part() {
        let warnings = unread(&json!({ "a": ["ä".repeat(10_000)] }), &[("a", Shape::Scalar)], "x");
        assert!(warnings[0].message.len() < 300, "{warnings:?}");
    }
}
