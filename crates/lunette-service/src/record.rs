//! Builds records from stored rows, exactly as the clients of the interface expect them (records, section 0).
//!
//! What must hold: `iterable` and `mechanisms` are always present, every enum value is known to all clients, and a
//! field without a value is absent, never null.

use serde_json::{Map, Value, json};

mod activity;
mod asset;
mod conversation;
mod fingerprint;
mod linked;
mod list;
mod listed;
mod related;
mod writer;

pub(super) use activity::activity_text;
pub(super) use asset::{asset, asset_answer, asset_text, format_text, formats, trashed_asset};
pub(super) use conversation::{conversation, conversations, message, messages};
pub(super) use linked::{ItemAssets, annotation, item_answer};
pub(super) use list::List;
pub(super) use related::related_record;

use super::classify;
use crate::store::records::format::Content;
use writer::Writer;

/// A moment of the store as clients read it: RFC 3339 in UTC, and the same for people.
pub(super) fn stamp(microseconds: i64) -> Value {
    tree(&Writer::default().stamp(microseconds).finish())
}

/// Parses text that was written here; null if it were invalid, which it never is.
fn tree(text: &[u8]) -> Value {
    serde_json::from_slice(text).unwrap_or_default()
}

/// The content of a format, to look at.
impl<'a> From<&'a Content> for classify::Content<'a> {
    fn from(content: &'a Content) -> Self {
        match content {
            Content::Text(text) => Self::Text(text),
            Content::Bytes(bytes) => Self::Bytes(bytes),
        }
    }
}

/// A JSON object from the store; anything else counts as empty, which the store does not write.
fn object(document: &str) -> Map<String, Value> {
    if document == "{}" {
        return Map::new();
    }
    serde_json::from_str(document).unwrap_or_default()
}

/// Records in order, and the index of each by its id.
pub(super) fn indexed(records: Vec<Value>) -> Value {
    let mut indices = Map::with_capacity(records.len());
    for (index, record) in records.iter().enumerate() {
        if let Some(id) = record.get("id").and_then(Value::as_str) {
            indices.insert(id.to_owned(), index.into());
        }
    }
    json!({ "iterable": records, "indices": indices })
}

/// References by id, as one record has them to others that hold it.
pub(super) fn references<'a>(ids: impl Iterator<Item = &'a str>) -> Value {
    indexed(ids.map(|id| json!({ "id": id })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_utc_with_z() {
        let at = stamp(1_714_564_800_000_001);
        assert_eq!(at, json!({ "value": "2024-05-01T12:00:00.000001Z", "readable": "2024-05-01 12:00 UTC" }));
    }

    #[test]
    fn timestamps_within_a_second_are_ordered_as_texts() {
        let value = |microseconds| stamp(microseconds)["value"].clone();
        assert_eq!(value(1_714_564_800_120_000), "2024-05-01T12:00:00.120000Z");
        assert_eq!(value(1_714_564_800_125_000), "2024-05-01T12:00:00.125000Z");
        assert_eq!(value(1_714_564_800_000_000), "2024-05-01T12:00:00Z");
    }
}
