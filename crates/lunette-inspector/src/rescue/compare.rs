//! Whether a record that was stored says what the received one said.
//!
//! What must hold: what the received record does not tell is not compared, and is not a difference; a list of links may
//! have grown, since the other end may have named a link that this one left out.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::rescue::Kind;
use crate::rescue::ledger::hash;

/// The fields in which a stored record differs from the received one.
pub(super) fn differences(kind: Kind, received: &Value, stored: &Value) -> Vec<&'static str> {
    let mut fields: Vec<_> = texts(kind)
        .iter()
        .filter(|(_, path)| told(received, path).is_some_and(|value| told(stored, path) != Some(value)))
        .map(|(name, _)| *name)
        .collect();
    for field in ["created", "updated"] {
        if let Some(at) = time(received, field).filter(|_| has_times(kind))
            && time(stored, field) != Some(at)
        {
            fields.push(field);
        }
    }
    for (name, field) in links(kind) {
        if !ids(received, field).is_subset(&ids(stored, field)) {
            fields.push(*name);
        }
    }
    let counted = |record: &Value, counter: &str| record["score"][counter].as_i64().filter(|count| *count > 0);
    if has_counters(kind) && COUNTERS.iter().any(|name| counted(received, name) > counted(stored, name)) {
        fields.push("score");
    }
    if kind == Kind::Assets && content(received).is_some_and(|received| content(stored) != Some(received)) {
        fields.push("content");
    }
    fields
}

/// Whether an asset says something else in a list than its record that was received before. What one of them leaves out
/// says nothing: a service whose lists always say more would be read whole again and again.
pub(super) fn changed(received: &Value, listed: &Value) -> bool {
    let kind = Kind::Assets;
    let texts = texts(kind).iter().any(|(_, path)| differ(told(received, path), told(listed, path)));
    let times = ["created", "updated"].iter().any(|field| differ(time(received, field), time(listed, field)));
    let counter = |record: &Value, name: &str| record["score"][name].as_i64();
    let counters = COUNTERS.iter().any(|name| differ(counter(received, name), counter(listed, name)));
    let has = |record: &Value, field: &str| record[field]["iterable"].is_array();
    let links = links(kind)
        .iter()
        .any(|(_, field)| has(received, field) && has(listed, field) && ids(received, field) != ids(listed, field));
    texts || times || counters || links
}

/// Whether both are there and differ.
fn differ<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one != other)
}

/// The counters of a score that are not sums of activities.
const COUNTERS: [&str; 5] = ["priority", "reuse", "update", "reference", "searched"];

/// The fields with a single value, by name and path.
fn texts(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::Applications => &[("name", "/name"), ("version", "/version"), ("platform", "/platform")],
        Kind::Tags => &[("text", "/text"), ("category", "/category")],
        Kind::Websites => &[("url", "/url"), ("name", "/name")],
        Kind::Summaries => &[("name", "/name")],
        Kind::Persons => &[("type", "/type/platform/id"), ("type", "/type/basic/email"), ("type", "/type/basic/name")],
        Kind::Anchors => &[("type", "/type"), ("name", "/name")],
        Kind::Hints => &[("type", "/type"), ("text", "/text")],
        Kind::Conversations => &[("name", "/name"), ("favorited", "/favorited")],
        Kind::Messages => &[("role", "/role"), ("text", "/fragment/string/raw"), ("conversation", "/conversation/id")],
        Kind::Assets => &[("name", "/name"), ("favorited", "/favorited"), ("format", "/original/id")],
        Kind::Annotations => &[
            ("type", "/type"),
            ("text", "/text"),
            ("asset", "/asset/id"),
            ("conversation", "/conversation/id"),
            ("person", "/person/id"),
            ("anchor", "/anchor/id"),
        ],
        Kind::Activities => &[("rank", "/rank"), ("mechanism", "/mechanism"), ("asset", "/asset/id")],
        Kind::Models | Kind::Ranges | Kind::Events | Kind::Sensitives | Kind::Shares => &[],
    }
}

/// The lists of other records, by name and field.
fn links(kind: Kind) -> &'static [(&'static str, &'static str)] {
    match kind {
        Kind::Assets => &[
            ("tags", "tags"),
            ("websites", "websites"),
            ("summaries", "summaries"),
            ("persons", "persons"),
            ("anchors", "anchors"),
            ("hints", "hints"),
            ("conversations", "conversations"),
            ("annotations", "annotations"),
        ],
        Kind::Tags | Kind::Websites | Kind::Summaries | Kind::Persons | Kind::Anchors | Kind::Hints => {
            &[("assets", "assets")]
        }
        Kind::Conversations => &[("assets", "assets"), ("messages", "messages")],
        _ => &[],
    }
}

fn has_times(kind: Kind) -> bool {
    !matches!(kind, Kind::Applications)
}

fn has_counters(kind: Kind) -> bool {
    matches!(kind, Kind::Assets | Kind::Tags | Kind::Websites | Kind::Summaries | Kind::Conversations)
}

fn told<'a>(record: &'a Value, path: &str) -> Option<&'a Value> {
    // An empty text and one that is not told are the same to every client.
    record.pointer(path).filter(|value| !value.is_null() && value.as_str() != Some(""))
}

fn time(record: &Value, field: &str) -> Option<i64> {
    let text = record[field]["value"].as_str()?;
    Some(text.parse::<jiff::Timestamp>().ok()?.as_millisecond())
}

/// The ids in a list, without those that were removed from it.
fn ids<'a>(record: &'a Value, field: &str) -> BTreeSet<&'a str> {
    let list = &record[field];
    let named = list["iterable"].as_array().into_iter().flatten();
    let ids = named.filter_map(|entry| entry["id"].as_str().or(entry.as_str()));
    ids.filter(|id| list["indices"][*id].as_f64().is_none_or(|index| index >= 0.0)).collect()
}

/// The hash of the content of the original format, if the record has it.
fn content(asset: &Value) -> Option<String> {
    if let Some(hash) = asset["original"]["sha256"].as_str() {
        return Some(hash.to_owned());
    }
    let original = asset["original"]["id"].as_str();
    let places = [&asset["original"]["reference"], &asset["preview"]["base"]["reference"]];
    let formats = places.into_iter().chain(asset["formats"]["iterable"].as_array().into_iter().flatten());
    let mut formats = formats.map(|format| format.get("reference").unwrap_or(format));
    formats.find_map(|format| {
        let is_original = original.is_none_or(|id| format["id"] == id);
        bytes(format).filter(|_| is_original).map(|bytes| hash(&bytes))
    })
}

/// An asset with the hash of its content in place of its formats.
pub(super) fn without_content(asset: &Value) -> Value {
    let mut fields = asset.as_object().cloned().unwrap_or_default();
    for field in ["formats", "preview", "original"] {
        fields.shift_remove(field);
    }
    fields.insert("original".to_owned(), json!({ "id": asset["original"]["id"], "sha256": content(asset) }));
    Value::Object(fields)
}

fn bytes(format: &Value) -> Option<Vec<u8>> {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    ["fragment", "file"].iter().find_map(|field| {
        let content = &format[*field];
        if let Some(text) = content["string"]["raw"].as_str() {
            return Some(text.as_bytes().to_vec());
        }
        if let Some(text) = content["string"]["base64"].as_str() {
            return STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok();
        }
        let numbers = content["bytes"]["raw"].as_array()?;
        numbers.iter().map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok())).collect()
    })
}
