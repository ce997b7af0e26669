//! How an update of a tag, a website or a workstream summary becomes a change: merged, never replacing the stored item.
//!
//! The rules are those of an asset's update: a field in the body replaces, an absent or null one keeps, an unknown one
//! is kept as it is given and removed by a null; authors, timestamps, links and scores are ignored. Texts and addresses
//! follow the rules of creation. What must hold: every client can read what is stored (records, section 0).
//!
//! Our choice: lists of other records are stored as lists of their ids, and an update removes none. Anything beside an
//! id is a copy of another record and would become stale.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::input::bounds::{self, Bound};
use crate::input::normalize;
use crate::record::references;
use crate::store::StoreError;
use crate::store::records::item::{ItemChange, ItemKind, ItemRow};
use lunette_client::model::record::Record;

/// Fields that an update never changes: the service sets them, or they have their own operations.
const READ_ONLY_FIELDS: &[&str] =
    &["id", "created", "updated", "deleted", "assets", "mechanisms", "score", "annotations", "schema"];

/// Lists of other records.
const LIST_FIELDS: &[&str] = &["persons", "conversations", "summaries", "websites", "anchors", "events", "ranges"];

/// Merges the body into the item. Fails on an empty text.
pub(super) fn merge<R: Record>(before: &ItemRow, body: &R) -> Result<ItemChange, StoreError> {
    let mut change = ItemChange::default();
    let mut document: Map<String, Value> = serde_json::from_str(&before.document).unwrap_or_default();
    for (field, value) in body.tree().as_object().into_iter().flatten() {
        let known = R::FIELDS.iter().any(|known| known.name == field);
        match (before.kind, field.as_str()) {
            (_, stored_field) if READ_ONLY_FIELDS.contains(&stored_field) => {}
            _ if value.is_null() => {
                if !known && document.get(field).is_some_and(|present| !present.is_null()) {
                    document.shift_remove(field);
                }
            }
            (ItemKind::Tag, "text") => {
                let text = text(field, value, bounds::TAG, &before.name)?;
                (change.key, change.name) = (Some(text.clone()), Some(text));
            }
            (ItemKind::Website, "url") => {
                change.key = Some(text(field, value, bounds::ADDRESS, before.key.as_deref().unwrap_or_default())?);
            }
            (ItemKind::Website, "name") => {
                let name = value.as_str().unwrap_or_default();
                change.name = Some(if name == before.name { name } else { bounds::NAME.check(name)? }.to_owned());
            }
            (ItemKind::Summary, "name") => change.name = Some(text(field, value, bounds::NAME, &before.name)?),
            (_, list) if known && LIST_FIELDS.contains(&list) => {
                merge_list(document.entry(list).or_insert(Value::Null), value)
            }
            (_, _) => {
                let stored_field = stored_field(before.kind, field, value)
                    .and_then(|value| normalize::normalized(R::FIELDS, field, value));
                document.extend(stored_field.map(|value| (field.clone(), value)));
            }
        }
    }
    if let (ItemKind::Website, Some(name)) = (before.kind, &change.name)
        && name.trim().is_empty()
    {
        change.name = change.key.clone();
    }
    change.document = Some(bounds::grown(&before.document, Value::Object(document).to_string())?);
    Ok(change)
}

/// A text that must not be blank, as in making, nor longer than this unless it was so before.
fn text(field: &str, value: &Value, bound: Bound, before: &str) -> Result<String, StoreError> {
    match value.as_str().unwrap_or_default().trim() {
        "" => Err(StoreError::invalid(format!("the field `{field}` is empty"))),
        text if text == before => Ok(text.to_owned()),
        text => bound.check(text).map(str::to_owned),
    }
}

/// The stored form of a field without a column: values that every client knows.
fn stored_field(kind: ItemKind, field: &str, value: &Value) -> Option<Value> {
    Some(match (kind, field) {
        (ItemKind::Tag, "category") => value.as_str().filter(|word| normalize::TAG_CATEGORIES.contains(word))?.into(),
        (ItemKind::Tag, "relationship") => normalize::relationship(value.clone()),
        (ItemKind::Summary, "model") => normalize::model(value.clone()),
        (ItemKind::Summary, "applications") => normalize::applications(value.clone()),
        _ => value.clone(),
    })
}

/// Adds the ids of a list to the stored ones.
fn merge_list(present: &mut Value, given: &Value) {
    let mut seen: HashSet<&str> = HashSet::new();
    let all: Vec<&str> = ids(present).chain(ids(given)).filter(|id| seen.insert(id)).collect();
    *present = references(all.into_iter());
}

fn ids(list: &Value) -> impl Iterator<Item = &str> {
    let entries = list.get("iterable").and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(|entry| entry.get("id").and_then(Value::as_str))
}
