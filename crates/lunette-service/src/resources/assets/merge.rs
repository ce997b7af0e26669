//! How an update becomes a change: the body is merged into the stored asset and never replaces it.
//!
//! A client sends back only what its version knows, and one that read without content sends none (records, section 0,
//! surprise 7). So: a field in the body replaces the stored one, an absent or null one keeps it; authors and timestamps
//! are unchanged; formats, links, history, scores and content are changed by their own operations only; lists in the
//! body never remove entries; unknown fields are kept verbatim. Descriptions can be edited and added.
//!
//! Our choice: a field the interface does not know is removed where the body has it as null (RFC 7396), and a
//! description where its text is empty; otherwise nothing could be undone. An already stored null is kept.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::str::FromStr as _;

use serde_json::{Map, Value};

use crate::input::bounds;
use crate::input::normalize::{MECHANISMS, normalized};
use crate::store::StoreError;
use crate::store::records::asset::{AssetChange, Description, WholeAsset};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::model::value::GroupedTimestamp;

/// Fields that an update never changes: the service sets them, or they have their own operation. The last two occur
/// only in our responses.
const READ_ONLY_FIELDS: &[&str] = &[
    "id",
    "creator",
    "created",
    "updated",
    "deleted",
    "formats",
    "preview",
    "original",
    "score",
    "websites",
    "tags",
    "activities",
    "conversations",
    "summaries",
    "messages",
    "schema",
    "accessor",
    "existing",
];

/// Lists of which an update adds and edits entries and removes none. Persons, hints and anchors with their own rows are
/// changed by their own operations only; the store removes their copies.
const LIST_FIELDS: &[&str] = &["shares", "sensitives", "persons", "hints", "anchors"];

/// Merges the body into the asset. Fails on a timestamp that no client could read back.
pub(super) fn merge(before: &WholeAsset, body: &Asset) -> Result<AssetChange, StoreError> {
    let mut change = AssetChange::default();
    let mut document: Map<String, Value> = serde_json::from_str(&before.asset.document).unwrap_or_default();
    for (field, value) in body.tree().as_object().into_iter().flatten() {
        match field.as_str() {
            entries if READ_ONLY_FIELDS.contains(&entries) => {}
            _ if value.is_null() => {
                let known = Asset::FIELDS.iter().any(|known| known.name == field);
                if !known && document.get(field).is_some_and(|present| !present.is_null()) {
                    document.shift_remove(field);
                }
            }
            "name" if value.as_str() == before.asset.name.as_deref() => {}
            "name" => change.name = value.as_str().map(|name| bounds::NAME.check(name.to_owned())).transpose()?,
            "favorited" => change.favorited = value.as_bool(),
            "mechanism" => {
                change.mechanism = value.as_str().filter(|word| MECHANISMS.contains(word)).map(str::to_owned)
            }
            "annotations" => change.descriptions = descriptions(before, body)?,
            "synced" | "interacted" => {
                document.extend(
                    normalized(Asset::FIELDS, field, moment(field, value)?).map(|value| (field.clone(), value)),
                );
            }
            _ => match normalized(Asset::FIELDS, field, value.clone()) {
                Some(list) if LIST_FIELDS.contains(&field.as_str()) => {
                    merge_list(document.entry(field).or_insert(Value::Null), &list);
                }
                normalized => document.extend(normalized.map(|value| (field.clone(), value))),
            },
        }
    }
    change.document = Some(bounds::grown(&before.asset.document, Value::Object(document).to_string())?);
    Ok(change)
}

/// The descriptions of a body. An unchanged one is not measured, so that an old, longer one does not fail the update.
fn descriptions(before: &WholeAsset, body: &Asset) -> Result<Vec<Description>, StoreError> {
    let Some(annotations) = body.view().annotations() else { return Ok(Vec::new()) };
    let known: HashMap<&str, &str> = before.annotations.iter().map(|known| (&*known.id, &*known.text)).collect();
    let present: HashSet<&str> = known.values().copied().collect();
    let texts = annotations.iterable().iter().filter(|annotation| annotation.kind() == "DESCRIPTION");
    let mut room = bounds::RoomForTexts::beside(before.annotations.iter().map(|known| known.text.as_str()));
    texts
        .map(|annotation| {
            let (id, text) = (annotation.id(), annotation.text());
            let added = match known.get(id) {
                Some(before) => text.len().saturating_sub(before.len()),
                // A text that is present under another id is not stored again.
                None if text.is_empty() || present.contains(text) => 0,
                None => bounds::ITEM_BYTES + text.len(),
            };
            if known.get(id) != Some(&text) {
                room.take(added)?;
                bounds::TEXT.check(text)?;
            }
            Ok(Description { id: Some(id.to_owned()), text: text.to_owned() })
        })
        .collect()
}

/// A timestamp as every client reads it: RFC 3339 in UTC. Without a zone, UTC is assumed.
fn moment(field: &str, value: &Value) -> Result<Value, StoreError> {
    let text = lunette_client::model::View::<GroupedTimestamp>::of(value).value();
    let at = jiff::Timestamp::from_str(text).or_else(|_| {
        let local = jiff::civil::DateTime::from_str(text)?;
        local.to_zoned_datetime(jiff::tz::TimeZone::UTC).map(|zoned| zoned.timestamp())
    });
    let at = at.map_err(|_| {
        StoreError::invalid(format!("the field `{field}` must be a time such as 2024-05-01T12:00:00Z, not {text:?}"))
    })?;
    let mut moment = value.clone();
    moment["value"] = at.to_string().into();
    Ok(moment)
}

/// Merges the entries of a collection into the stored one by id.
fn merge_list(present: &mut Value, given: &Value) {
    let Some(entries) = given.get("iterable").and_then(Value::as_array) else { return };
    if present.get("iterable").is_none_or(|iterable| !iterable.is_array()) {
        *present = given.clone();
        return;
    }
    let Some(kept) = present.get_mut("iterable").and_then(Value::as_array_mut) else { return };
    let key = |entry: &Value| entry.get("id").map(Value::to_string);
    let mut places: HashMap<Option<String>, usize> = HashMap::new();
    for (index, entry) in kept.iter().enumerate() {
        places.entry(key(entry)).or_insert(index);
    }
    for entry in entries {
        match places.entry(key(entry)) {
            Entry::Occupied(same) => kept[*same.get()] = entry.clone(),
            Entry::Vacant(new) => {
                new.insert(kept.len());
                kept.push(entry.clone());
            }
        }
    }
}
