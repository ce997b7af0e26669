//! Reads what the seed of an asset from an archive says beyond the interface: the record that a service returned for the
//! asset, its conversations, and its activities.
//!
//! Our choice: a seed may have a field `archived` with `record`, `conversations` and `activities`, as `docs/export.md`
//! describes them. What must hold: all of it has the bounds of what clients send; an entry that cannot be read is left
//! out, since the asset matters more than what hangs on it.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::ServiceError;
use crate::input::{bounds, extra_fields, normalize};
use crate::resources::activities::{self, SeededEvent, seeded_event};
use crate::resources::related::seed as seeds;
use crate::resources::{annotations, conversations};
use crate::store::records::activity::{ArchivedActivity, NewActivity};
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::archived::Archived;
use crate::store::records::asset::Counter;
use crate::store::records::conversation::ConversationSeed;
use crate::store::records::create::{KeptId, OnTaken};
use crate::store::records::item::{ItemKind, NewItem};
use crate::store::records::related::NewRelated;
use lunette_client::model::conversation::SeededConversation;
use lunette_client::model::record::Record;
use lunette_client::model::related::{SeededAnchor, SeededHint, SeededPerson};

/// The most entries that are read of each list. Our choice: more than any asset has that people work with.
const MOST_ENTRIES: usize = 2_000;
/// The most activities that are read.
const MOST_ACTIVITIES: usize = 20_000;
/// The longest id that is taken over, in bytes.
const LONGEST_ID: usize = 128;
/// The largest rank and its negation. Those of the fixed list are far below it, and the sum of all fits the score.
const LARGEST_RANK: i64 = 1_000_000;

/// What the seed of an asset says of it, if it comes from an archive.
pub(super) fn read(asset: &Value) -> Option<Archived> {
    let archived = asset.get("archived")?.as_object()?;
    let record = archived.get("record").unwrap_or(&Value::Null);
    let id = record.get("id").and_then(Value::as_str).unwrap_or_default();
    let persons = identified(record, "persons", |person| self::person(person, id));
    let hints = identified(record, "hints", |hint| self::hint(hint, id));
    let anchors = identified(record, "anchors", anchor);
    let conversations = archived.get("conversations").and_then(Value::as_array);
    let activities = archived.get("activities").and_then(Value::as_array);
    Some(Archived {
        id: id.to_owned(),
        summaries: identified(record, "summaries", summary),
        related: persons.into_iter().chain(hints).chain(anchors).collect(),
        conversations: each(conversations.into_iter().flatten(), conversation),
        counters: counters(&record["score"]),
        // Every asset has at least the activity of its creation, so an empty list says nothing.
        activities: activities
            .map(|list| list.iter().take(MOST_ACTIVITIES).filter_map(activity).collect())
            .filter(|list: &Vec<_>| !list.is_empty()),
    })
}

/// The id that the asset of a seed keeps, if the seed comes from an archive and asks for it.
///
/// Our choice: `archived.ids` says so: `keep` gives the asset another id where its own is taken, `skip` creates nothing
/// then. Without it, as in archives that are read by earlier versions, the asset has a new id.
pub(super) fn kept_id(asset: &Value) -> Option<KeptId> {
    let archived = asset.get("archived")?;
    let taken = match archived.get("ids")?.as_str()? {
        "keep" => OnTaken::NewId,
        "skip" => OnTaken::Skip,
        _ => return None,
    };
    let id = archived["record"]["id"].as_str().filter(|id| is_id(id))?;
    Some(KeptId { id: id.to_owned(), taken })
}

/// Sets what the archived record of an asset says of the tags and websites of its seed: the mechanism of each link, the
/// counters of the item, and its id if ids are kept. The store uses the counters for items that it creates; an existing item keeps its own.
pub(super) fn restore_items(items: &mut [NewItem], asset: &Value) {
    let record = &asset["archived"]["record"];
    let (id, keeps) = (record["id"].as_str().unwrap_or_default(), kept_id(asset).is_some());
    let entries = |field: &str, key: &str| -> HashMap<&str, &Value> {
        let entries = entries(&record[field]).take(MOST_ENTRIES);
        entries.filter_map(|entry| Some((entry[key].as_str()?.trim(), entry))).collect()
    };
    let (tags, websites) = (entries("tags", "text"), entries("websites", "url"));
    for item in items {
        let of_kind = if item.kind == ItemKind::Tag { &tags } else { &websites };
        let Some(entry) = item.key.as_deref().and_then(|key| of_kind.get(key)) else { continue };
        item.counters = counters(&entry["score"]);
        item.id = entry["id"].as_str().filter(|id| keeps && is_id(id)).map(str::to_owned);
        let mechanism = entry["mechanisms"][id].as_str();
        item.mechanism = normalize::word(mechanism, normalize::MECHANISMS, &item.mechanism).to_owned();
    }
}

/// Reads the entries of a list of a record, each with its id.
fn identified<T>(record: &Value, field: &str, read: impl Fn(&Value) -> Result<T, ServiceError>) -> Vec<(String, T)> {
    each(entries(&record[field]), read)
}

fn each<'a, T>(
    entries: impl Iterator<Item = &'a Value>,
    read: impl Fn(&Value) -> Result<T, ServiceError>,
) -> Vec<(String, T)> {
    let with_id = |entry: &Value| {
        let id = entry["id"].as_str().filter(|id| is_id(id))?;
        Some((id.to_owned(), read(entry).ok()?))
    };
    entries.take(MOST_ENTRIES).filter_map(with_id).collect()
}

/// The entries of a list of a record: the records themselves, or each in a `reference`.
pub(crate) fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    let entries = list["iterable"].as_array().into_iter().flatten();
    entries.map(|entry| entry.get("reference").filter(|whole| whole.is_object()).unwrap_or(entry))
}

/// Whether an id can stand in a path and needs little room.
pub(crate) fn is_id(id: &str) -> bool {
    id.len() <= LONGEST_ID && id.parse::<lunette_client::model::id::TagId>().is_ok()
}

/// The model of a summary with what every model must say: another service may leave it out, and clients send it back with
/// the assets of the summary.
fn whole_model(summary: &Value) -> Value {
    let mut model = summary["model"].as_object().cloned().unwrap_or_default();
    let created = match summary["created"]["value"].as_str() {
        Some(_) => summary["created"].clone(),
        None => json!({ "value": "1970-01-01T00:00:00Z" }),
    };
    let unknown = [
        ("id", json!("00000000-0000-0000-0000-000000000000")),
        ("version", json!("")),
        ("created", created),
        ("name", json!("unknown")),
        ("cloud", json!(false)),
    ];
    for (field, value) in unknown {
        let told = model.get(field).is_some_and(|told| !told.is_null());
        if !told {
            model.insert(field.to_owned(), value);
        }
    }
    Value::Object(model)
}

pub(crate) fn summary(record: &Value) -> Result<NewItem, ServiceError> {
    let name = super::filled("name", record["name"].as_str().unwrap_or_default(), bounds::NAME)?;
    let document = json!({ "model": normalize::model(whole_model(record)) });
    Ok(NewItem {
        kind: ItemKind::Summary,
        id: None,
        key: None,
        name: name.to_owned(),
        document: bounds::FIELDS.check(document.to_string())?,
        annotations: texts(record)?,
        counters: counters(&record["score"]),
        mechanism: super::MANUAL.to_owned(),
    })
}

pub(crate) fn person(record: &Value, asset: &str) -> Result<NewRelated, ServiceError> {
    let mut seed = Map::new();
    seed.insert("type".to_owned(), record["type"].clone());
    for (field, of_record) in [("mechanism", "mechanisms"), ("access", "access"), ("model", "models")] {
        if let Some(value) = record.get(of_record).and_then(|map| map.get(asset)) {
            seed.insert(field.to_owned(), value.clone());
        }
    }
    let seed: SeededPerson = seeded(Value::Object(seed))?;
    Ok(NewRelated { annotations: texts(record)?, ..seeds::person(seed.view())? })
}

pub(crate) fn hint(record: &Value, asset: &str) -> Result<NewRelated, ServiceError> {
    let mut seed = json!({ "type": record["type"], "text": record["text"] });
    if let Some(model) = record["model"]["id"].as_str() {
        seed["model"] = model.into();
    }
    if let Some(mechanism) = record["mechanisms"][asset].as_str() {
        seed["mechanism"] = mechanism.into();
    }
    seeds::hint(seeded::<SeededHint>(seed)?.view())
}

/// An anchor with all its points, where a seed of the interface has one.
pub(crate) fn anchor(record: &Value) -> Result<NewRelated, ServiceError> {
    let points: Vec<Value> = entries(&record["points"]).take(MOST_ENTRIES).map(point).collect();
    let first = points.first().map_or(&Value::Null, |point| &point["fullpath"]);
    let mut seed = json!({ "type": record["type"], "fullpath": first });
    for field in ["name", "watch"] {
        if let Some(value) = record.get(field).filter(|value| !value.is_null()) {
            seed[field] = value.clone();
        }
    }
    let mut new = seeds::anchor(seeded::<SeededAnchor>(seed)?.view())?;
    let mut document: Value = serde_json::from_str(&new.document).unwrap_or_else(|_| json!({}));
    document["points"] = points.into();
    new.document = bounds::FIELDS.check(document.to_string())?;
    Ok(NewRelated { annotations: texts(record)?, ..new })
}

fn point(record: &Value) -> Value {
    let mut point = json!({ "id": uuid::Uuid::new_v4().to_string(), "fullpath": record["fullpath"] });
    if let Some(platform) = record["platform"].as_str().filter(|word| normalize::PLATFORMS.contains(word)) {
        point["platform"] = platform.into();
    }
    point
}

/// A conversation with its messages. What it says of its assets is left out: each asset links it again.
pub(crate) fn conversation(record: &Value) -> Result<ConversationSeed, ServiceError> {
    let messages = entries(&record["messages"]).take(MOST_ACTIVITIES).cloned().collect();
    let mut seed = record.as_object().cloned().unwrap_or_default();
    for field in ["annotations", "assets", "anchors"] {
        seed.shift_remove(field);
    }
    seed.insert("messages".to_owned(), Value::Array(messages));
    let seed = conversations::seed(&seeded::<SeededConversation>(Value::Object(seed))?)?;
    Ok(ConversationSeed { annotations: texts(record)?, counters: counters(&record["score"]), ..seed })
}

/// The annotations of a record.
fn texts(record: &Value) -> Result<Vec<NewAnnotation>, ServiceError> {
    entries(&record["annotations"]).take(MOST_ENTRIES).map(annotations::new).collect()
}

pub(crate) fn counters(score: &Value) -> Vec<(Counter, i64)> {
    let count = |counter: Counter| Some((counter, score[counter.name()].as_i64().filter(|count| *count >= 0)?));
    Counter::ALL.into_iter().filter_map(count).collect()
}

/// An activity under the rank that it had. One of an event that no client knows, or of no application, is left out.
pub(crate) fn activity(record: &Value) -> Option<ArchivedActivity> {
    let application = record.get("application").filter(|application| application.is_object())?;
    let SeededEvent { key, rank, tree, asset, .. } = seeded_event(&record["event"]).ok()?;
    let rank = record["rank"].as_i64().unwrap_or(rank).clamp(-LARGEST_RANK, LARGEST_RANK);
    let mut document = Map::new();
    extra_fields::merge(&mut document, record, activities::FIELD_POLICIES);
    let created = record["created"]["value"].as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
    let new = NewActivity {
        event: key,
        event_json: bounds::FIELDS.check(tree.to_string()).ok()?,
        rank,
        mechanism: normalize::word(record["mechanism"].as_str(), normalize::MECHANISMS, "AUTOMATIC").to_owned(),
        application: bounds::FIELDS.check(normalize::application(application.clone()).to_string()).ok()?,
        asset: None,
        named: asset,
        // The formats of the asset have new ids.
        format: None,
        document: bounds::FIELDS.check(Value::Object(document).to_string()).ok()?,
    };
    Some(ArchivedActivity { new, created: created.map(|at| at.as_microsecond()) })
}

pub(crate) fn seeded<T: Record>(tree: Value) -> Result<T, ServiceError> {
    T::from_tree(tree).map_err(|wrong| ServiceError::bad_request(format!("the archived record is not valid: {wrong}")))
}
