//! Applies the changes between two records to a third one.

use serde_json::{Map, Value};

use crate::change::fingerprint::VOLATILE;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;

/// Applies the changes from `from` to `to` to `onto`: unchanged values are taken from `onto`, at any depth. Entries of
/// a list are matched by their ids, or by their indices if the lists have the same length.
pub(super) fn rebase(from: &Value, to: &Value, onto: &Value) -> Value {
    match (from, to, onto) {
        _ if from == to => onto.clone(),
        (Value::Object(from), Value::Object(to), Value::Object(onto)) => Value::Object(rebase_fields(from, to, onto)),
        (Value::Array(from), Value::Array(to), Value::Array(onto)) => {
            let even = from.len() == to.len() && to.len() == onto.len();
            let entry = |(index, entry): (usize, &Value)| match (
                same(from, entry, index, even),
                same(onto, entry, index, even),
            ) {
                (Some(from), Some(onto)) => rebase(from, entry, onto),
                (Some(_) | None, Some(_) | None) => entry.clone(),
            };
            Value::Array(to.iter().enumerate().map(entry).collect())
        }
        _ => to.clone(),
    }
}

fn rebase_fields(from: &Map<String, Value>, to: &Map<String, Value>, onto: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = Map::with_capacity(to.len());
    for (name, value) in to {
        match (from.get(name), onto.get(name)) {
            (Some(from), Some(onto)) => fields.insert(name.clone(), rebase(from, value, onto)),
            // It was not changed by the user, and was removed.
            (Some(from), None) if from == value => None,
            (Some(_) | None, Some(_) | None) => fields.insert(name.clone(), value.clone()),
        };
    }
    let more = onto.iter().filter(|(name, _)| !from.contains_key(*name) && !to.contains_key(*name));
    fields.extend(more.map(|(name, value)| (name.clone(), value.clone())));
    fields
}

fn same<'a>(list: &'a [Value], entry: &Value, index: usize, even: bool) -> Option<&'a Value> {
    match entry.get("id") {
        Some(id) => list.iter().find(|known| known.get("id") == Some(id)),
        None => list.get(index).filter(|_| even),
    }
}

/// The record with the volatile fields of another one, except those named in `but`.
pub(super) fn without_volatile(record: Value, like: &Value, but: &[&str]) -> Value {
    let (Value::Object(mut fields), Value::Object(like)) = (record.clone(), like) else { return record };
    for name in VOLATILE.iter().filter(|name| !but.contains(name)) {
        put(&mut fields, name, like.get(*name));
    }
    for (name, value) in fields.iter_mut().filter(|(name, _)| Asset::FIELDS.iter().any(|known| known.name == **name)) {
        let Some(like) = like.get(name) else { continue };
        still(value, like, name == "formats");
    }
    Value::Object(fields)
}

fn still(value: &mut Value, like: &Value, formats: bool) {
    match (value, like) {
        (Value::Object(fields), Value::Object(like)) => {
            let copy = formats && like.contains_key("asset") && like.contains_key("classification");
            for name in VOLATILE.iter().chain(copy.then_some(&"asset")) {
                put(fields, name, like.get(*name));
            }
            for (name, value) in fields.iter_mut() {
                if let Some(like) = like.get(name) {
                    still(value, like, formats);
                }
            }
        }
        (Value::Array(items), Value::Array(like)) => {
            let even = items.len() == like.len();
            for (index, item) in items.iter_mut().enumerate() {
                if let Some(like) = same(like, item, index, even) {
                    still(item, like, formats);
                }
            }
        }
        _ => {}
    }
}

fn put(fields: &mut Map<String, Value>, name: &str, value: Option<&Value>) {
    match value {
        Some(value) => fields.insert(name.to_owned(), value.clone()),
        None => fields.shift_remove(name),
    };
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::change::fingerprint::lasting;

    #[test]
    fn only_changed_parts_are_merged() {
        let from = json!({ "name": "a", "updated": 1, "x": { "a": 1, "b": 2 }, "gone": 1 });
        let to = json!({ "name": "b", "updated": 1, "x": { "a": 1, "b": 3 }, "new": [1] });
        let onto = json!({ "name": "a", "updated": 7, "x": { "a": 1, "b": 2, "c": 9 }, "gone": 1, "score": 5 });
        let made = rebase(&from, &to, &onto);
        assert_eq!(made, json!({ "name": "b", "updated": 7, "x": { "a": 1, "b": 3, "c": 9 }, "new": [1], "score": 5 }));
    }

    #[test]
    fn entries_are_identified_by_their_ids() {
        let from = json!([{ "id": 1, "v": 1 }, { "id": 2, "v": 2 }]);
        let to = json!([{ "id": 2, "v": 3 }]);
        let onto = json!([{ "id": 1, "v": 1, "w": 1 }, { "id": 2, "v": 2, "w": 2 }]);
        assert_eq!(rebase(&from, &to, &onto), json!([{ "id": 2, "v": 3, "w": 2 }]));
    }

    #[test]
    fn volatile_fields_are_reset_to_those_of_the_reference_record() {
        let like = json!({ "name": "a", "updated": 1, "formats": { "iterable": [
            { "id": "f", "updated": 1, "classification": {}, "asset": { "name": "a", "updated": 1 } }] } });
        let record = json!({ "name": "b", "updated": 2, "score": 1, "formats": { "iterable": [
            { "id": "f", "updated": 2, "classification": {}, "asset": { "name": "b", "updated": 2 } }] } });
        let mut wanted = like.clone();
        wanted["name"] = "b".into();
        assert_eq!(without_volatile(record.clone(), &like, &[]), wanted);
        assert_eq!(lasting(&record), lasting(&wanted));
    }
}
