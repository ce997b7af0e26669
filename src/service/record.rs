//! Records made from what the store keeps, exactly as the clients of the interface read them (records, section 0).
//!
//! What must hold: `iterable` is always there, `mechanisms` too, every word is in the alphabet, and a field without a
//! value is absent, never null.

use serde_json::{Map, Value, json};

mod asset;
mod history;
mod linked;

pub(super) use asset::{asset, flattened_asset, formats};
pub(super) use history::{activities, conversations};
pub(super) use linked::{item, items};

use crate::store::asset::Score;

/// A moment of the store as clients read it: RFC 3339 in UTC, and the same for people.
pub(super) fn stamp(microseconds: i64) -> Value {
    let at = jiff::Timestamp::from_microsecond(microseconds).unwrap_or_default();
    json!({ "value": at.to_string(), "readable": at.strftime("%Y-%m-%d %H:%M UTC").to_string() })
}

/// A size; 1 KB is 1000 bytes, as the interface's own sample has it (records, 2.2).
pub(super) fn byte_descriptor(bytes: i64) -> Value {
    json!({ "value": bytes, "readable": readable_size(bytes) })
}

fn readable_size(bytes: i64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1000.0;
    let mut unit = 0;
    // What would be written as 1000.0 is one of the next unit.
    while size >= 999.95 && unit + 1 < UNITS.len() {
        size /= 1000.0;
        unit += 1;
    }
    let text = format!("{size:.1}");
    format!("{} {}", text.strip_suffix(".0").unwrap_or(&text), UNITS[unit])
}

fn score(score: &Score) -> Value {
    let Score { manual, automatic, priority, reuse, update, reference, searched } = *score;
    let mut tree = json!({ "manual": manual, "automatic": automatic });
    let counters = [
        ("priority", priority),
        ("reuse", reuse),
        ("update", update),
        ("reference", reference),
        ("searched", searched),
    ];
    for (name, counter) in counters {
        if let Some(count) = counter {
            tree[name] = count.into();
        }
    }
    tree
}

/// A JSON object of the store; what is none is empty, which the store does not write.
fn object(document: &str) -> Map<String, Value> {
    if document == "{}" {
        return Map::new();
    }
    serde_json::from_str(document).unwrap_or_default()
}

/// Records in order, and the place of each by its id.
pub(super) fn indexed(records: Vec<Value>) -> Value {
    let mut indices = Map::with_capacity(records.len());
    for (place, record) in records.iter().enumerate() {
        if let Some(id) = record.get("id").and_then(Value::as_str) {
            indices.insert(id.to_owned(), place.into());
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
    fn sizes_read_as_people_write_them() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1 KB"),
            (33_600, "33.6 KB"),
            (999_949, "999.9 KB"),
            (999_999, "1 MB"),
            (20_000_000, "20 MB"),
            (5_000_000_000_000_000, "5000 TB"),
        ];
        for (bytes, readable) in cases {
            assert_eq!(readable_size(bytes), readable, "{bytes}");
        }
    }

    #[test]
    fn a_moment_is_utc_with_z() {
        let at = stamp(1_714_564_800_000_001);
        assert_eq!(at, json!({ "value": "2024-05-01T12:00:00.000001Z", "readable": "2024-05-01 12:00 UTC" }));
    }
}
