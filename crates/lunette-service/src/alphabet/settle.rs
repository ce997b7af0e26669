//! Any value that came from outside, as every client can read it back: what the registry knows of its record decides.
//!
//! What must hold: a word outside its list, or a moment that is none, would make the oldest clients refuse the whole
//! record that holds it (records, section 0, surprise 2). So such a value is taken out: an optional field goes, a
//! required word becomes the word for the unknown, a required moment the beginning of 1970, and what is unsound without
//! it goes with it.

use serde_json::{Map, Value, json};

use lunette_client::model::alphabet::ClosedEnum;
use lunette_client::model::record::{Field, Kind as _, Record, Shape};
use lunette_client::model::registry;
use lunette_client::model::value::GroupedTimestamp;

/// A record as every client can read it.
pub(crate) fn settled_record<R: Record>(mut tree: Value) -> Value {
    is_sound(R::SHAPE, &mut tree);
    tree
}

/// A field's value as every client can read it; None where nothing of it can be kept. `fields` are those of the record
/// it belongs to; one that they do not name is kept as it is.
pub(crate) fn settled(fields: &[Field], name: &str, mut value: Value) -> Option<Value> {
    let shape = fields.iter().find(|field| field.name == name).map_or(Shape::Json, |field| field.shape);
    is_sound(shape, &mut value).then_some(value)
}

/// Makes a value sound as far as that goes; false where it is not.
fn is_sound(shape: Shape, value: &mut Value) -> bool {
    match (shape, value) {
        (Shape::Moment, value) => value.as_str().is_some_and(is_moment),
        (Shape::Uuid, value) => value.as_str().is_some_and(|text| uuid::Uuid::try_parse(text).is_ok()),
        (Shape::Word(alphabet), value) => value.as_str().is_some_and(|word| (alphabet.words)().contains(&word)),
        (Shape::List(item), Value::Array(items)) => {
            items.retain_mut(|entry| is_sound(*item, entry));
            true
        }
        (Shape::Keyed(item), Value::Object(entries)) => {
            entries.retain(|_, entry| is_sound(*item, entry));
            true
        }
        (Shape::Record(name), Value::Object(entries)) => {
            let fields = registry::record(name).map_or(&[][..], |record| record.fields);
            fields.iter().fold(true, |sound, field| settle_field(entries, field) & sound)
        }
        _ => true,
    }
}

/// Settles one field of a record; false where the record cannot be without it.
fn settle_field(entries: &mut Map<String, Value>, field: &Field) -> bool {
    let Some(value) = entries.get_mut(field.name).filter(|value| !value.is_null()) else { return !field.required };
    if is_sound(field.shape, value) {
        return true;
    }
    match (field.required, field.shape) {
        (true, Shape::Word(alphabet)) => {
            *value = unknown(alphabet).into();
            true
        }
        (true, Shape::Record(GroupedTimestamp::NAME)) => {
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
        settled(Asset::FIELDS, name, value)
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
        let settled = json!({ "value": "2026-01-01T00:00:00Z",
            "schema": { "migration": 0, "semantic": "MAJOR_0_MINOR_0_PATCH_1" } });
        assert_eq!(kept("synced", moment), Some(settled));
    }

    #[test]
    fn a_moment_that_is_none_is_not_kept() {
        assert_eq!(kept("synced", json!({ "value": "yesterday" })), None);
    }

    #[test]
    fn a_moment_that_a_record_needs_is_the_beginning_of_1970() {
        let model = json!({ "id": "m", "created": { "value": "yesterday" }, "type": "NEW", "usage": "OCR" });
        let settled = settled_record::<Model>(model);
        assert_eq!(settled["created"], json!({ "value": "1970-01-01T00:00:00Z" }));
        assert_eq!(settled["type"], "BALANCED");
    }

    #[test]
    fn what_no_record_of_ours_names_is_kept_as_it_came() {
        let value = json!({ "type": ["NEW", null, 1.50] });
        assert_eq!(kept("invented", value.clone()), Some(value));
    }
}
