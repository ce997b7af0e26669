//! Compares a response with the schema of its record: differences, and fields that the interface does not have.

use std::collections::BTreeSet;

use serde_json::Value;

use lunette_client::model::record::{Schema, SchemaError, kind_name};
use lunette_client::model::registry;

use super::Difference;

/// The maximum number of each that is reported for one response.
const TOLD: usize = 20;

/// The findings on a response.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub differences: Vec<Difference>,
    /// JSON paths, with `[*]` for any index of a list.
    pub unknown: BTreeSet<String>,
}

/// Checks a response that should be this record. Without a known schema there are no findings.
pub(super) fn look(name: &str, tree: &Value) -> Found {
    let mut look = Look { path: String::from("$"), found: Found::default() };
    look.record(name, tree);
    look.found
}

/// The traversal of a response. Its depth is that of the records, which are looked up by name, and limited by the depth
/// of JSON that can be read.
struct Look {
    /// The current path, with the index in each list.
    path: String,
    found: Found,
}

impl Look {
    fn record(&mut self, name: &str, tree: &Value) {
        let Some(table) = registry::record(name) else { return };
        let Value::Object(object) = tree else {
            return self.differ(format!("expected an object ({name}), got {}", kind_name(tree)));
        };
        for field in table.fields {
            match object.get(field.name) {
                None | Some(Value::Null) if field.required => {
                    self.at(field.name, |look| look.differ(format!("required field of {name} is missing")));
                }
                None | Some(Value::Null) => {}
                Some(value) => self.at(field.name, |look| look.shape(field.schema, field.check, value)),
            }
        }
        let added = registry::added_fields(name);
        let known = |key: &str| added.contains(&key) || table.fields.iter().any(|field| field.name == key);
        let unknown = object.keys().filter(|key| !known(key));
        for key in unknown.take(TOLD) {
            let path = format!("{}.{key}", self.path);
            self.found.unknown.insert(everywhere(&path));
        }
    }

    fn shape(&mut self, shape: Schema, check: fn(&Value) -> Result<(), SchemaError>, tree: &Value) {
        match (shape, tree) {
            (Schema::Record(name), _) => self.record(name, tree),
            (Schema::List(Schema::Record(name)), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.at(&format!("[{index}]"), |look| look.record(name, item));
                }
            }
            // Values without records are checked as a client would.
            _ => {
                if let Err(wrong) = check(tree) {
                    let path = wrong.path();
                    let below = path.trim_start_matches('$').to_owned();
                    self.at(&below, |look| look.differ(wrong.problem().to_owned()));
                }
            }
        }
    }

    fn differ(&mut self, problem: String) {
        if self.found.differences.len() < TOLD {
            self.found.differences.push(Difference { path: self.path.clone(), problem });
        }
    }

    /// Calls a function one level deeper.
    fn at(&mut self, step: &str, work: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if !step.starts_with(['[', '.']) && !step.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(step);
        work(self);
        self.path.truncate(length);
    }
}

/// A path with every index as `[*]`.
fn everywhere(path: &str) -> String {
    let mut parts = path.split('[');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                whole.push_str("[*]");
                whole.push_str(rest);
            }
            _ => {
                whole.push('[');
                whole.push_str(part);
            }
        }
    }
    whole
}

/// The difference if another text was expected at a JSON pointer; `None` if it is equal, or if there is no response.
pub(super) fn other(answer: Option<&Value>, pointer: &str, wanted: Option<&str>) -> Option<String> {
    let (answer, wanted) = (answer?, wanted?);
    match answer.pointer(pointer) {
        Some(Value::String(text)) if text == wanted => None,
        Some(found) => Some(format!("expected {wanted:?}, got {}", short(found))),
        None => Some(format!("expected {wanted:?}, got nothing")),
    }
}

/// The beginning of a value, for display.
pub(super) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{} {}…", kind_name(value), &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_differing_field_is_named() {
        let tag =
            json!({ "id": 1, "text": "a", "created": { "value": "2026-01-01T00:00:00Z" }, "category": "UNKNOWN" });
        let found = look("Tags", &json!({ "iterable": [tag, 3], "indices": { "a": 1.5 } }));
        let paths: Vec<&str> = found.differences.iter().map(|difference| difference.path.as_str()).collect();
        assert_eq!(paths, ["$.iterable[0].id", "$.iterable[0].updated", "$.iterable[1]", "$.indices.a"]);
    }

    #[test]
    fn unknown_fields_are_reported_once_for_all_entries_of_a_list() {
        let found = look("Applications", &json!({ "iterable": [{ "mood": 1 }, { "mood": 2 }], "[0]": 1 }));
        assert_eq!(found.unknown.into_iter().collect::<Vec<_>>(), ["$.[*]", "$.iterable[*].mood"]);
    }
}
