//! Normalizes a reported event to values that every client accepts (records, 2.4).
//!
//! Our choice: metadata is kept as far as all clients can read it: records by id, changes of a name or language,
//! origins, search queries. Figures of machine learning are not.

use serde_json::{Map, Value, json};

use crate::ServiceError;
use crate::input::extra_fields;
use lunette_client::model::event::FixedEvent;
use lunette_client::model::language::language;

/// The kinds of thing that clients of version 2.7.0 know events of, the one with ranks first.
const SUBJECTS: [&str; 8] =
    ["asset", "format", "conversation", "session", "assets", "adoption", "interaction", "keyboard"];
/// What metadata may name by id.
const REFERENCES: [&str; 8] = ["tag", "website", "person", "sensitive", "share", "annotation", "hint", "anchor"];

/// An event as it is kept.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct SeededEvent {
    /// Its name; empty where it has none, as those of clients of version 5 have.
    pub(crate) key: String,
    pub(crate) rank: i64,
    pub(crate) tree: Value,
    /// The asset it names.
    pub(crate) asset: Option<String>,
    /// The format it names.
    pub(crate) format: Option<String>,
}

/// Reads an event. Fails on one that is not in the fixed list.
pub(crate) fn seeded_event(event: &Value) -> Result<SeededEvent, ServiceError> {
    let mut seeded_event = SeededEvent::default();
    let mut tree = Map::new();
    for (subject, value) in event.as_object().into_iter().flatten() {
        if !SUBJECTS.contains(&subject.as_str()) {
            // Events of kinds that only later clients know are kept verbatim.
            if !["schema", "ml"].contains(&subject.as_str()) && !value.is_null() {
                tree.insert(subject.clone(), value.clone());
            }
        } else if value.is_object() {
            tree.insert(subject.clone(), of_subject(subject, value, &mut seeded_event)?);
        }
    }
    let id = |subject: &str| tree.get(subject)?.get(subject)?.get("id")?.as_str().map(str::to_owned);
    (seeded_event.asset, seeded_event.format) = (id("asset"), id("format"));
    seeded_event.tree = Value::Object(tree);
    Ok(seeded_event)
}

fn of_subject(subject: &str, value: &Value, seeded_event: &mut SeededEvent) -> Result<Value, ServiceError> {
    let mut tree = Map::new();
    for plain in ["description", "element", "shortcut"] {
        if let Some(value) = value.get(plain).filter(|value| !value.is_null()) {
            tree.insert(plain.to_owned(), value.clone());
        }
    }
    if let Some(reference) = value.get(subject).and_then(extra_fields::reference) {
        tree.insert(subject.to_owned(), reference);
    }
    match fixed(subject, &value["identifier_description_pair"])? {
        Some(event) => {
            tree.insert("identifier_description_pair".to_owned(), json!({ event.key: event.sentence }));
            if seeded_event.key.is_empty() || subject == "asset" {
                (seeded_event.key, seeded_event.rank) = (event.key.to_owned(), event.rank);
            }
        }
        // Only these must name an event.
        None if ["asset", "format", "conversation", "session"].contains(&subject) => return Err(unknown(subject)),
        None => {}
    }
    let metadata = metadata(&value["metadata"]);
    if !metadata.is_empty() {
        tree.insert("metadata".to_owned(), Value::Object(metadata));
    }
    Ok(Value::Object(tree))
}

/// The event of a pair, if it names one.
fn fixed(subject: &str, pair: &Value) -> Result<Option<&'static FixedEvent>, ServiceError> {
    let mut named = pair.as_object().into_iter().flatten().filter(|(key, value)| *key != "schema" && !value.is_null());
    let Some((key, sentence)) = named.next() else { return Ok(None) };
    let event = FixedEvent::find(subject, key).filter(|event| sentence.as_str() == Some(event.sentence));
    match (event, named.next()) {
        (Some(event), None) => Ok(Some(event)),
        _ => Err(unknown(subject)),
    }
}

fn unknown(subject: &str) -> ServiceError {
    ServiceError::bad_request(format!(
        "invalid `identifier_description_pair` in `{subject}` of the event: it must be one of the predefined pairs, \
         such as {{\"asset_viewed\": \"an_asset_was_viewed\"}} for an asset"
    ))
}

fn metadata(given: &Value) -> Map<String, Value> {
    let mut fields = Map::new();
    for (field, value) in given.as_object().into_iter().flatten() {
        let value = match field.as_str() {
            name if REFERENCES.contains(&name) => extra_fields::reference(value),
            "rename" => texts(value, &["previous", "current"]),
            "reclassification" => reclassification(value),
            "creation" => flags(value),
            "search" => search(value),
            _ => None,
        };
        if let Some(value) = value {
            fields.insert(field.clone(), value);
        }
    }
    fields
}

/// An object with these texts; None where one is missing.
fn texts(value: &Value, names: &[&str]) -> Option<Value> {
    let pair = |name: &&str| Some(((*name).to_owned(), Value::from(value.get(*name)?.as_str()?)));
    names.iter().map(pair).collect::<Option<Map<_, _>>>().map(Value::Object)
}

fn reclassification(value: &Value) -> Option<Value> {
    let classification = |name: &str| {
        let known = language(value.get(name)?.get("specific")?.as_str()?).filter(|language| language.emitted)?;
        Some((name.to_owned(), json!({ "generic": known.generic, "specific": known.specific })))
    };
    let fields: Map<_, _> = ["previous", "current"].into_iter().filter_map(classification).collect();
    (!fields.is_empty()).then_some(Value::Object(fields))
}

/// How something was made: by the clipboard or a file, and with what.
fn flags(value: &Value) -> Option<Value> {
    let mut kept = Map::new();
    for way in ["clipboard", "file"] {
        let Some(fields) = value.get(way).and_then(Value::as_object) else { continue };
        let flags: Map<_, _> = fields
            .iter()
            .filter(|(_, flag)| flag.is_boolean())
            .map(|(name, flag)| (name.clone(), flag.clone()))
            .collect();
        kept.insert(way.to_owned(), Value::Object(flags));
    }
    (!kept.is_empty()).then_some(Value::Object(kept))
}

fn search(value: &Value) -> Option<Value> {
    let mut fields = Map::new();
    if let Some(query) = value.get("query").filter(|query| query.is_string()) {
        fields.insert("query".to_owned(), query.clone());
    }
    let counts: Map<_, _> = ["fuzzy", "exact"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), value.get("results")?.get(name)?.as_i64()?.into())))
        .collect();
    if !counts.is_empty() {
        fields.insert("results".to_owned(), Value::Object(counts));
    }
    (!fields.is_empty()).then_some(Value::Object(fields))
}
