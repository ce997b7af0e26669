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

fn id(item: &Value) -> Option<&str> {
    item.get("id").and_then(Value::as_str)
}

/// Removes volatile parts, at any depth.
fn still(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !VOLATILE.contains(&name.as_str()) && name != "indices");
            fields.values_mut().for_each(still);
        }
        Value::Array(items) => {
            items.iter_mut().for_each(still);
            if items.iter().all(|item| id(item).is_some()) {
                items.sort_by(|one, other| id(one).cmp(&id(other)));
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
        let part = if record.is_object() { Part::Record } else { Part::Whole };
        let mut text = Vec::new();
        add(&mut text, record, part);
        Self(crate::files::hex(&Sha256::digest(&text)))
    }
}

/// What a value is within a record, and with it what of it is volatile: the rules of [`lasting`], without a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Record,
    /// A part in which nothing is volatile, such as an unknown field.
    Whole,
    Known,
    Formats,
    FormatList,
    Format,
}

impl Part {
    fn keeps(self, name: &str) -> bool {
        match self {
            Self::Whole => true,
            Self::Record => !VOLATILE.contains(&name),
            Self::Known | Self::Formats | Self::FormatList => !VOLATILE.contains(&name) && name != "indices",
            Self::Format => !VOLATILE.contains(&name) && name != "indices" && name != "asset",
        }
    }

    fn field(self, name: &str) -> Self {
        match (self, name) {
            (Self::Whole, _) => Self::Whole,
            (Self::Record, "formats") => Self::Formats,
            (Self::Record, _) if Asset::FIELDS.iter().any(|known| known.name == name) => Self::Known,
            (Self::Record, _) => Self::Whole,
            (Self::Formats, "iterable") => Self::FormatList,
            (Self::Known | Self::Formats | Self::FormatList | Self::Format, _) => Self::Known,
        }
    }

    fn item(self) -> Self {
        match self {
            Self::Whole => Self::Whole,
            Self::FormatList => Self::Format,
            Self::Record | Self::Known | Self::Formats | Self::Format => Self::Known,
        }
    }
}

/// Adds a value as text in which the names of fields are sorted, and so are the entries of a list that all have ids.
fn add(text: &mut Vec<u8>, value: &Value, part: Part) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().filter(|(name, _)| part.keeps(name)).collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            text.push(b'{');
            for (name, value) in fields {
                add_scalar(text, name);
                add(text, value, part.field(name));
            }
            text.push(b'}');
        }
        Value::Array(items) => {
            let mut items: Vec<&Value> = items.iter().collect();
            if part != Part::Whole && items.iter().all(|item| id(item).is_some()) {
                items.sort_by_key(|item| id(item));
            }
            text.push(b'[');
            items.into_iter().for_each(|item| add(text, item, part.item()));
            text.push(b']');
        }
        scalar => add_scalar(text, scalar),
    }
    // Two adjacent values must not read like a single one.
    text.push(b',');
}

fn add_scalar(text: &mut Vec<u8>, scalar: &impl Serialize) {
    serde_json::to_writer(text, scalar).ok(); // A text in memory takes everything, and these values are JSON.
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// Values with the names that matter, at any depth.
    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i8>().prop_map(Value::from),
            "[a-c\"\u{e9}]{0,2}".prop_map(Value::from),
            Just(json!({ "id": "b" })),
            Just(json!({ "id": "a", "asset": { "id": "a" } })),
        ];
        leaf.prop_recursive(5, 40, 5, |inner| {
            let name = proptest::sample::select(vec![
                "id", "updated", "score", "formats", "iterable", "asset", "indices", "tags", "mine", "name",
            ]);
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::vec((name, inner), 0..6)
                    .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
            ]
        })
    }

    fn text(value: &Value, part: Part) -> String {
        let mut text = Vec::new();
        add(&mut text, value, part);
        String::from_utf8(text).expect("a text")
    }

    proptest! {
        #[test]
        fn a_fingerprint_is_that_of_the_record_without_volatile_parts(record in value()) {
            let part = if record.is_object() { Part::Record } else { Part::Whole };
            prop_assert_eq!(text(&record, part), text(&lasting(&record), Part::Whole));
        }
    }

    /// Fingerprints are stored: what was made before is found to be unchanged by the next version too.
    #[test]
    fn a_fingerprint_does_not_change_with_the_program() {
        let record = json!({
            "id": "a", "name": "é\"", "updated": 1, "mine": { "score": [2, 1.5, null, true] },
            "formats": { "indices": { "f": 0 }, "iterable": [{ "id": "g", "asset": { "id": "a" } }, { "id": "f" }] },
        });
        assert_eq!(Fingerprint::of(&record).0, "104a6e46e25b753797a924611fe112dc30e5240a9dd7df67ca3539275aa94558");
    }

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
