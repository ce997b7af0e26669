//! Normalizes any record from outside by its schema in the registry, so that every client can read it back.
//!
//! What must hold: an unknown enum value or a malformed timestamp would make the oldest clients reject the whole record
//! (records, section 0, surprise 2). So such a value is removed: an optional field is dropped, a required enum becomes
//! the unknown value, a required timestamp the beginning of 1970, and a record that cannot be valid without the field
//! is dropped with it.

use serde_json::{Map, Value, json};

use lunette_client::model::closed_enum::ClosedEnum;
use lunette_client::model::record::{Field, FieldType as _, Record, Schema};
use lunette_client::model::registry;
use lunette_client::model::value::GroupedTimestamp;

/// A normalized record.
pub(crate) fn normalized_record<R: Record>(mut tree: Value) -> Value {
    is_sound(R::SCHEMA, &mut tree);
    tree
}

/// A normalized field value; None if nothing of it can be kept. `fields` are those of its record; an unknown field is
/// kept verbatim.
pub(crate) fn normalized(fields: &[Field], name: &str, mut value: Value) -> Option<Value> {
    let schema = fields.iter().find(|field| field.name == name).map_or(Schema::Json, |field| field.schema);
    is_sound(schema, &mut value).then_some(value)
}

/// Normalizes a value in place; returns false if it stays invalid.
fn is_sound(schema: Schema, value: &mut Value) -> bool {
    match (schema, value) {
        (Schema::Moment, value) => value.as_str().is_some_and(is_moment),
        (Schema::Uuid, value) => value.as_str().is_some_and(|text| uuid::Uuid::try_parse(text).is_ok()),
        (Schema::Enum(allowed), value) => value.as_str().is_some_and(|word| (allowed.words)().contains(&word)),
        (Schema::List(item), Value::Array(items)) => {
            items.retain_mut(|entry| is_sound(*item, entry));
            true
        }
        (Schema::Keyed(item), Value::Object(entries)) => {
            entries.retain(|_, entry| is_sound(*item, entry));
            true
        }
        (Schema::Record(name), Value::Object(entries)) => {
            let fields = registry::record(name).map_or(&[][..], |record| record.fields);
            fields.iter().fold(true, |sound, field| normalize_field(entries, field) & sound)
        }
        _ => true,
    }
}

/// Normalizes one field of a record; returns false if a required field stays invalid.
fn normalize_field(entries: &mut Map<String, Value>, field: &Field) -> bool {
    let Some(value) = entries.get_mut(field.name).filter(|value| !value.is_null()) else { return !field.required };
    if is_sound(field.schema, value) {
        return true;
    }
    match (field.required, field.schema) {
        (true, Schema::Enum(allowed)) => {
            *value = unknown(allowed).into();
            true
        }
        (true, Schema::Record(GroupedTimestamp::NAME)) => {
            *value = json!({ "value": "1970-01-01T00:00:00Z" });
            true
        }
        (true, _) => false,
        (false, _) => {
            entries.shift_remove(field.name);
            true
        }
    }
}

/// The enum's unknown value, or its first.
fn unknown(allowed: &ClosedEnum) -> &'static str {
    let words = (allowed.words)();
    words.iter().find(|word| **word == "UNKNOWN").or(words.first()).copied().unwrap_or_default()
}

fn is_moment(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::model::asset::Asset;
    use lunette_client::model::value::Model;

    fn normalized_field(name: &str, value: Value) -> Option<Value> {
        normalized(Asset::FIELDS, name, value)
    }

    #[test]
    fn an_unknown_optional_value_is_dropped_and_a_required_one_becomes_unknown() {
        let sensitive = json!({ "id": "s", "category": "NEW", "mechanism": "MANUAL", "severity": "LOW", "name": "n",
            "description": "", "text": "t", "created": { "value": "2026-01-01T00:00:00Z" },
            "updated": { "value": "yesterday" }, "deleted": { "value": "yesterday" }, "asset": {}, "kept": 1 });
        let list = normalized_field("sensitives", json!({ "iterable": [sensitive] })).expect("a list");
        // Its asset is invalid, and the field is required.
        assert_eq!(list, json!({ "iterable": [] }));
        let moment = json!({ "value": "2026-01-01T00:00:00Z", "schema": { "migration": 0, "semantic": "NEW" } });
        let normalized = json!({ "value": "2026-01-01T00:00:00Z",
            "schema": { "migration": 0, "semantic": "MAJOR_0_MINOR_0_PATCH_1" } });
        assert_eq!(normalized_field("synced", moment), Some(normalized));
    }

    #[test]
    fn a_malformed_timestamp_is_dropped() {
        assert_eq!(normalized_field("synced", json!({ "value": "yesterday" })), None);
    }

    #[test]
    fn a_malformed_required_timestamp_becomes_1970() {
        let model = json!({ "id": "m", "created": { "value": "yesterday" }, "type": "NEW", "usage": "OCR" });
        let normalized = normalized_record::<Model>(model);
        assert_eq!(normalized["created"], json!({ "value": "1970-01-01T00:00:00Z" }));
        assert_eq!(normalized["type"], "BALANCED");
    }

    #[test]
    fn unknown_fields_are_kept_verbatim() {
        let value = json!({ "type": ["NEW", null, 1.50] });
        assert_eq!(normalized_field("invented", value.clone()), Some(value));
    }
}
