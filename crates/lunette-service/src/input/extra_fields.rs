//! Extra fields: what is stored of a body beside the fields that have their own column.
//!
//! A field of a later client is stored verbatim. One that clients of version 2.7.0 know is stored in a form that they
//! accept, since an unknown value makes them reject the whole response (records, section 0, surprise 2): references are
//! stored by id.
//!
//! Our choice: a field unknown to us is removed where a body has it as null (RFC 7396); a known one that is null is
//! kept.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

/// What is stored of a known field.
#[derive(Clone, Copy)]
pub(crate) enum FieldPolicy {
    /// Nothing: it has its own column, or the service sets it.
    Managed,
    /// The value verbatim.
    Verbatim,
    /// One of these values, else nothing.
    Word(&'static [&'static str]),
    /// The id of the referenced record.
    Reference,
    /// The ids of the referenced records, added to the stored ones.
    References,
    /// An object of settings, without embedded records.
    Settings,
}

/// Merges the extra fields of a body into a document.
pub(crate) fn merge(document: &mut Map<String, Value>, body: &Value, known: &[(&str, FieldPolicy)]) {
    for (field, value) in body.as_object().into_iter().flatten() {
        let rule = known.iter().find(|(name, _)| name == field).map(|(_, rule)| *rule);
        match (rule, value) {
            (Some(FieldPolicy::Managed), _) => {}
            (Some(_), Value::Null) => {}
            (None, Value::Null) => {
                document.shift_remove(field);
            }
            (Some(FieldPolicy::References), _) => add_references(document, field, value),
            (rule, _) => {
                if let Some(retained) = retained(rule.unwrap_or(FieldPolicy::Verbatim), value) {
                    document.insert(field.clone(), retained);
                }
            }
        }
    }
}

/// The text of a document with the extra fields of a body merged into it.
pub(crate) fn merged(document: &str, body: &Value, known: &[(&str, FieldPolicy)]) -> String {
    let mut fields = serde_json::from_str(document).unwrap_or_default();
    merge(&mut fields, body, known);
    Value::Object(fields).to_string()
}

fn retained(rule: FieldPolicy, value: &Value) -> Option<Value> {
    match rule {
        FieldPolicy::Managed | FieldPolicy::References => None,
        FieldPolicy::Verbatim => Some(value.clone()),
        FieldPolicy::Word(words) => value.as_str().filter(|word| words.contains(word)).map(Value::from),
        FieldPolicy::Reference => reference(value),
        FieldPolicy::Settings => value.is_object().then(|| without_records(value)),
    }
}

/// What is referenced, by its id alone; None for what has none.
pub(crate) fn reference(value: &Value) -> Option<Value> {
    value.get("id").and_then(Value::as_str).map(|id| json!({ "id": id }))
}

fn add_references(document: &mut Map<String, Value>, field: &str, given: &Value) {
    let present = document.get(field).into_iter().chain([given]);
    let entries = present.flat_map(|list| list.get("iterable").and_then(Value::as_array).into_iter().flatten());
    let mut seen: HashSet<&str> = HashSet::new();
    let ids = entries.filter_map(|entry| entry.get("id").and_then(Value::as_str)).filter(|id| seen.insert(id));
    let list: Vec<Value> = ids.map(|id| json!({ "id": id })).collect();
    document.insert(field.to_owned(), crate::record::indexed(list));
}

fn without_records(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, value)| !["schema", "reference"].contains(&name.as_str()) && !value.is_null())
            .map(|(name, value)| (name.clone(), without_records(value)))
            .collect(),
        Value::Array(entries) => entries.iter().map(without_records).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_references_is_merged_in_time() {
        let list = |start: usize| (start..start + 50_000).map(|at| json!({ "id": at.to_string() })).collect::<Value>();
        let rules = [("websites", FieldPolicy::References)];
        let mut document = Map::new();
        for start in [0, 25_000] {
            merge(&mut document, &json!({ "websites": { "iterable": list(start) } }), &rules);
        }
        assert_eq!(document["websites"]["iterable"].as_array().map(Vec::len), Some(75_000));
    }

    #[test]
    fn extra_fields_are_stored_as_every_client_accepts_them() {
        let rules = [
            ("id", FieldPolicy::Managed),
            ("model", FieldPolicy::Reference),
            ("websites", FieldPolicy::References),
            ("mechanism", FieldPolicy::Word(&["MANUAL"])),
            ("pipeline", FieldPolicy::Settings),
        ];
        let body = json!({ "id": "x", "model": { "id": "m", "reference": { "type": "OF_TOMORROW" } },
            "websites": { "iterable": [{ "id": "w", "reference": {} }] }, "mechanism": "OF_TOMORROW",
            "pipeline": { "task": { "schema": {}, "code_fix": {} } }, "unknown": [null] });
        let first = merged("{}", &body, &rules);
        let expected = json!({ "model": { "id": "m" },
            "websites": { "iterable": [{ "id": "w" }], "indices": { "w": 0 } },
            "pipeline": { "task": { "code_fix": {} } }, "unknown": [null] });
        assert_eq!(serde_json::from_str::<Value>(&first).expect("JSON"), expected);
        let body = json!({ "model": null, "unknown": null, "websites": { "iterable": [{ "id": "v" }] } });
        let second: Value = serde_json::from_str(&merged(&first, &body, &rules)).expect("JSON");
        assert_eq!(second["websites"]["iterable"], json!([{ "id": "w" }, { "id": "v" }]));
        assert_eq!((&second["model"], second.get("unknown")), (&expected["model"], None));
    }
}
