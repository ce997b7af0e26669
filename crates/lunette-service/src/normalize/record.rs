//! Any value that came from outside, as every client can read it back: what the registry knows of its record decides.
//!
//! What must hold: a word outside its list, or a moment that is none, would make the oldest clients refuse the whole
//! record that holds it (records, section 0, surprise 2). So such a value is taken out: an optional field goes, a
//! required word becomes the word for the unknown, a required moment the beginning of 1970, and what is unsound without
//! it goes with it.

use serde_json::{Map, Value, json};

use lunette_client::model::closed_enum::ClosedEnum;
use lunette_client::model::record::{Field, FieldType as _, Record, Schema};
use lunette_client::model::registry;
use lunette_client::model::value::GroupedTimestamp;

/// A record as every client can read it.
pub(crate) fn normalized_record<R: Record>(mut tree: Value) -> Value {
    is_sound(R::SCHEMA, &mut tree);
    tree
}

/// A field's value as every client can read it; None where nothing of it can be kept. `fields` are those of the record
/// it belongs to; one that they do not name is kept as it is.
pub(crate) fn normalized(fields: &[Field], name: &str, mut value: Value) -> Option<Value> {
    let schema = fields.iter().find(|field| field.name == name).map_or(Schema::Json, |field| field.schema);
    is_sound(schema, &mut value).then_some(value)
}

/// Makes a value sound as far as that goes; false where it is not.
fn is_sound(schema: Schema, value: &mut Value) -> bool {
    match (schema, value) {
        (Schema::Moment, value) => value.as_str().is_some_and(is_moment),
        (Schema::Uuid, value) => value.as_str().is_some_and(|text| uuid::Uuid::try_parse(text).is_ok()),
        (Schema::Enum(alphabet), value) => value.as_str().is_some_and(|word| (alphabet.words)().contains(&word)),
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

/// Settles one field of a record; false where the record cannot be without it.
fn normalize_field(entries: &mut Map<String, Value>, field: &Field) -> bool {
    let Some(value) = entries.get_mut(field.name).filter(|value| !value.is_null()) else { return !field.required };
    if is_sound(field.schema, value) {
        return true;
    }
    match (field.required, field.schema) {
        (true, Schema::Enum(alphabet)) => {
            *value = unknown(alphabet).into();
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

/// The word for the unknown, or the first.
fn unknown(alphabet: &ClosedEnum) -> &'static str {
    let words = (alphabet.words)();
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

    fn kept(name: &str, value: Value) -> Option<Value> {
        normalized(Asset::FIELDS, name, value)
    }

    #[test]
    fn a_word_that_is_optional_goes_and_one_that_is_needed_becomes_the_unknown() {
        let sensitive = json!({ "id": "s", "category": "NEW", "mechanism": "MANUAL", "severity": "LOW", "name": "n",
            "description": "", "text": "t", "created": { "value": "2026-01-01T00:00:00Z" },
            "updated": { "value": "yesterday" }, "deleted": { "value": "yesterday" }, "asset": {}, "kept": 1 });
        let list = kept("sensitives", json!({ "iterable": [sensitive] })).expect("a list");
        // Its asset is none, and it cannot be without one.
        assert_eq!(list, json!({ "iterable": [] }));
        let moment = json!({ "value": "2026-01-01T00:00:00Z", "schema": { "migration": 0, "semantic": "NEW" } });
        let normalized = json!({ "value": "2026-01-01T00:00:00Z",
            "schema": { "migration": 0, "semantic": "MAJOR_0_MINOR_0_PATCH_1" } });
        assert_eq!(kept("synced", moment), Some(normalized));
    }

    #[test]
    fn a_moment_that_is_none_is_not_kept() {
        assert_eq!(kept("synced", json!({ "value": "yesterday" })), None);
    }

    #[test]
    fn a_moment_that_a_record_needs_is_the_beginning_of_1970() {
        let model = json!({ "id": "m", "created": { "value": "yesterday" }, "type": "NEW", "usage": "OCR" });
        let normalized = normalized_record::<Model>(model);
        assert_eq!(normalized["created"], json!({ "value": "1970-01-01T00:00:00Z" }));
        assert_eq!(normalized["type"], "BALANCED");
    }

    #[test]
    fn what_no_record_of_ours_names_is_kept_as_it_came() {
        let value = json!({ "type": ["NEW", null, 1.50] });
        assert_eq!(kept("invented", value.clone()), Some(value));
    }
}
