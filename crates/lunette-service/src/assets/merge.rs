//! How an update becomes a change: the body is merged into what is there, never put in its place.
//!
//! A client sends back only what its version knows, and one that read without content sends none (records, section 0,
//! surprise 7). So: a field in the body replaces, an absent or null one keeps; who and when stay as they are; formats,
//! links, history, scores and content are changed by their own operations only; lists that came along keep every entry;
//! unknown fields are kept as they are given. Descriptions can be edited and added.
//!
//! Our choice: a field the interface does not know is removed where the body has it as null (RFC 7396), and a description
//! where its text is empty; without that nothing could be taken back. A null that stands there already stays.

use std::str::FromStr as _;

use serde_json::{Map, Value};

use crate::bounds;
use crate::normalize::{MECHANISMS, normalized};
use crate::store::StoreError;
use crate::store::asset::{AssetChange, Description, WholeAsset};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::model::value::GroupedTimestamp;

/// What an update never changes: it is ours to say, or has an operation of its own. The last two are answers of ours.
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

/// Lists whose entries come and go one by one; an update adds and edits, and removes none. Persons, hints and anchors
/// that the store keeps by themselves are changed by their own operations only; it takes their copies out again.
const LIST_FIELDS: &[&str] = &["shares", "sensitives", "persons", "hints", "anchors"];

/// What the body makes of the asset. Fails on a moment that no client could read back.
pub(super) fn merge(before: &WholeAsset, body: &Asset) -> Result<AssetChange, StoreError> {
    let mut change = AssetChange::default();
    let mut document: Map<String, Value> = serde_json::from_str(&before.asset.document).unwrap_or_default();
    for (field, value) in body.tree().as_object().into_iter().flatten() {
        match field.as_str() {
            kept if READ_ONLY_FIELDS.contains(&kept) => {}
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

/// The descriptions of a body. One that is as it was is not measured, so that an old, longer one holds nothing up.
fn descriptions(before: &WholeAsset, body: &Asset) -> Result<Vec<Description>, StoreError> {
    let Some(annotations) = body.view().annotations() else { return Ok(Vec::new()) };
    let texts = annotations.iterable().iter().filter(|annotation| annotation.kind() == "DESCRIPTION");
    texts
        .map(|annotation| {
            let (id, text) = (annotation.id().to_owned(), annotation.text().to_owned());
            let known = before.annotations.iter().any(|known| known.id == id && known.text == text);
            Ok(Description { id: Some(id), text: if known { text } else { bounds::TEXT.check(text)? } })
        })
        .collect()
}

/// A moment as every client reads it: RFC 3339 in UTC. One without a zone is taken as UTC.
fn moment(field: &str, value: &Value) -> Result<Value, StoreError> {
    let text = lunette_client::model::View::<GroupedTimestamp>::of(value).value();
    let at = jiff::Timestamp::from_str(text).or_else(|_| {
        let local = jiff::civil::DateTime::from_str(text)?;
        local.to_zoned(jiff::tz::TimeZone::UTC).map(|zoned| zoned.timestamp())
    });
    let at = at.map_err(|_| {
        StoreError::invalid(format!("the field `{field}` must be a time such as 2024-05-01T12:00:00Z, not {text:?}"))
    })?;
    let mut moment = value.clone();
    moment["value"] = at.to_string().into();
    Ok(moment)
}

/// Puts the entries of a collection into the one that is there, each in the place of the one of its id.
fn merge_list(present: &mut Value, given: &Value) {
    let Some(entries) = given.get("iterable").and_then(Value::as_array) else { return };
    if present.get("iterable").is_none_or(|iterable| !iterable.is_array()) {
        *present = given.clone();
        return;
    }
    let Some(kept) = present.get_mut("iterable").and_then(Value::as_array_mut) else { return };
    for entry in entries {
        match kept.iter_mut().find(|kept| kept.get("id") == entry.get("id")) {
            Some(same) => *same = entry.clone(),
            None => kept.push(entry.clone()),
        }
    }
}
