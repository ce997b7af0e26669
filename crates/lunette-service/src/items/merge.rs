//! How an update of a tag, a website or a workstream summary becomes a change: merged, never put in its place.
//!
//! The rules are those of an asset's update: a field in the body replaces, an absent or null one keeps, an unknown one is
//! kept as it is given and removed by a null; who and when, links and scores are not the body's to say. A text or an
//! address follows the rules of making. What must hold: every client can read what is kept (records, section 0).
//!
//! Our choice: lists of other records are kept as lists of their ids, and an update takes none away. What stands beside
//! an id is a copy of a record that lives elsewhere: it would grow old here.

use serde_json::{Map, Value};

use crate::bounds::{self, Bound};
use crate::normalize;
use crate::record::references;
use crate::store::StoreError;
use crate::store::item::{ItemChange, ItemKind, ItemRow};
use lunette_client::model::record::Record;

/// What an update never changes: it is ours to say, or has operations of its own.
const READ_ONLY_FIELDS: &[&str] =
    &["id", "created", "updated", "deleted", "assets", "mechanisms", "score", "annotations", "schema"];

/// Lists of other records.
const LIST_FIELDS: &[&str] = &["persons", "conversations", "summaries", "websites", "anchors", "events", "ranges"];

/// What the body makes of the item. Fails on an empty text.
pub(super) fn merge<R: Record>(before: &ItemRow, body: &R) -> Result<ItemChange, StoreError> {
    let mut change = ItemChange::default();
    let mut document: Map<String, Value> = serde_json::from_str(&before.document).unwrap_or_default();
    for (field, value) in body.tree().as_object().into_iter().flatten() {
        let known = R::FIELDS.iter().any(|known| known.name == field);
        match (before.kind, field.as_str()) {
            (_, kept) if READ_ONLY_FIELDS.contains(&kept) => {}
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
                let kept =
                    kept(before.kind, field, value).and_then(|value| normalize::normalized(R::FIELDS, field, value));
                document.extend(kept.map(|value| (field.clone(), value)));
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

/// What is kept of a field that has no column: words that every client knows.
fn kept(kind: ItemKind, field: &str, value: &Value) -> Option<Value> {
    Some(match (kind, field) {
        (ItemKind::Tag, "category") => value.as_str().filter(|word| normalize::TAG_CATEGORIES.contains(word))?.into(),
        (ItemKind::Tag, "relationship") => normalize::relationship(value.clone()),
        (ItemKind::Summary, "model") => normalize::model(value.clone()),
        (ItemKind::Summary, "applications") => normalize::applications(value.clone()),
        _ => value.clone(),
    })
}

/// Adds the ids of a list to those that are there.
fn merge_list(present: &mut Value, given: &Value) {
    let mut all: Vec<&str> = Vec::new();
    for id in ids(present).chain(ids(given)) {
        if !all.contains(&id) {
            all.push(id);
        }
    }
    *present = references(all.into_iter());
}

fn ids(list: &Value) -> impl Iterator<Item = &str> {
    let entries = list.get("iterable").and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(|entry| entry.get("id").and_then(Value::as_str))
}
