//! The fingerprint of an asset's record without volatile fields, to detect later whether it was edited.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;

/// Fields of a record that change without an edit.
pub const VOLATILE: [&str; 4] = ["updated", "interacted", "score", "activities"];

/// The record without volatile parts: its volatile fields, those of the records within it (a tag is updated when
/// another asset is linked to it), the copies of the asset in its own formats, and the order of entries that have ids.
/// Unknown fields are kept.
pub fn lasting(record: &Value) -> Value {
    let Value::Object(fields) = record else { return record.clone() };
    let fields = fields.iter().filter(|(name, _)| !VOLATILE.contains(&name.as_str()));
    Value::Object(fields.map(|(name, value)| (name.clone(), lasting_field(name, value))).collect())
}

fn lasting_field(name: &str, value: &Value) -> Value {
    if !Asset::FIELDS.iter().any(|known| known.name == name) {
        return value.clone();
    }
    let mut value = value.clone();
    still(&mut value);
    for format in value.get_mut("iterable").and_then(Value::as_array_mut).into_iter().flatten() {
        if let (true, Some(format)) = (name == "formats", format.as_object_mut()) {
            format.shift_remove("asset");
        }
    }
    value
}

/// Removes volatile parts, at any depth.
fn still(value: &mut Value) {
    let id = |item: &Value| item.get("id").and_then(Value::as_str).map(str::to_owned);
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VOLATILE.contains(&name.as_str()) && name != "indices");
            fields.values_mut().for_each(still);
        }
        Value::Array(items) => {
            items.iter_mut().for_each(still);
            if items.iter().all(|item| id(item).is_some()) {
                items.sort_by_key(id);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The SHA-256 of a record without volatile parts, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of a record; the order of its fields does not matter.
    pub fn of(record: &Value) -> Self {
        let mut hash = Sha256::new();
        feed(&mut hash, &lasting(record));
        Self(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn feed(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => {
            hash.update(b"{");
            let mut names: Vec<_> = fields.keys().collect();
            names.sort_unstable();
            for name in names {
                hash.update(Value::from(name.as_str()).to_string());
                feed(hash, &fields[name.as_str()]);
            }
            hash.update(b"}");
        }
        Value::Array(items) => {
            hash.update(b"[");
            items.iter().for_each(|item| feed(hash, item));
            hash.update(b"]");
        }
        scalar => hash.update(scalar.to_string()),
    }
    // Two adjacent values must not hash like a single one.
    hash.update(b",");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_user_edits_count_as_changes() {
        let one = Fingerprint::of(&json!({ "name": "a", "tags": [1, 2], "updated": 1 }));
        assert_eq!(one, Fingerprint::of(&json!({ "updated": 2, "tags": [1, 2], "name": "a", "score": {} })));
        assert_ne!(one, Fingerprint::of(&json!({ "name": "a", "tags": [12] })));
    }

    #[test]
    fn tags_linked_by_other_clients_and_repeated_scores_are_not_changes() {
        let record = |updated: i64, score: i64| {
            json!({
                "tags": { "iterable": [{ "id": "t", "text": "rust", "updated": updated }] },
                "formats": { "iterable": [{ "id": "f", "asset": { "id": "a", "score": { "reuse": score } } }] },
                "score": { "reuse": score },
            })
        };
        assert_eq!(Fingerprint::of(&record(1, 1)), Fingerprint::of(&record(2, 2)));
    }

    #[test]
    fn a_change_of_an_unknown_field_counts_as_one() {
        assert_ne!(
            Fingerprint::of(&json!({ "mine": { "score": 1 } })),
            Fingerprint::of(&json!({ "mine": { "score": 2 } }))
        );
    }
}
