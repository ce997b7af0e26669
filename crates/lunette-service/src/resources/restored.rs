//! Reads records as another service returned them, and stores them with their ids, times, counters and links.
//!
//! What must hold: all of it has the bounds of what clients send; one record that cannot be read or stored does not affect
//! the others. What this service has no place for is left out of the store; whoever calls this keeps the whole record.

use serde_json::{Map, Value, json};

use crate::input::{bounds, normalize};
use crate::resources::extensions::archived::{self, entries, seeded};
use crate::resources::extensions::{item_seed, read_seed};
use crate::resources::{annotations, messages};
use crate::store::StoreError;
use crate::store::records::activity::NewActivity;
use crate::store::records::annotation::About;
use crate::store::records::archived::Archived;
use crate::store::records::conversation::ConversationSeed;
use crate::store::records::create::{KeptId, NewAsset, OnTaken};
use crate::store::records::item::{ItemKind, NewItem};
use crate::store::records::related::{NewRelated, RelatedKind};
use crate::store::records::restored::{LinkedKind, Outcome, Restored, RestoredLink, Stamp};
use crate::{Service, ServiceError};
use lunette_client::model::conversation::SeededConversationMessage;
use lunette_client::model::language::language;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;

/// A kind of record that is stored under the id that it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RestoredKind {
    /// A tracked application.
    Application,
    /// A tag.
    Tag,
    /// A website.
    Website,
    /// A workstream summary.
    Summary,
    /// A person.
    Person,
    /// An anchor.
    Anchor,
    /// A hint.
    Hint,
    /// A conversation, with the messages that its record has whole.
    Conversation,
    /// A message of a conversation.
    Message,
    /// An asset with the content of its original format.
    Asset,
    /// An annotation.
    Annotation,
    /// An activity.
    Activity,
}

/// Stores records of a kind; returns what became of each, or why it was not stored.
pub(crate) fn restore(
    service: &Service,
    kind: RestoredKind,
    records: &[Value],
) -> Result<Vec<Result<Outcome, ServiceError>>, StoreError> {
    let mut outcomes: Vec<Result<Outcome, ServiceError>> = Vec::with_capacity(records.len());
    let (mut stored, mut parts) = (Vec::new(), Vec::new());
    for record in records {
        match read(kind, record) {
            Ok(new) => {
                outcomes.push(Ok(Outcome::Existing));
                stored.push((outcomes.len() - 1, new));
                parts.extend(self::parts(kind, record));
            }
            Err(error) => outcomes.push(Err(error)),
        }
    }
    let (places, stored): (Vec<usize>, Vec<_>) = stored.into_iter().unzip();
    for (place, outcome) in places.into_iter().zip(service.store.restore(stored)?) {
        outcomes[place] = outcome.map_err(ServiceError::from);
    }
    // A part that cannot be stored is in the record that has it, which is kept whole.
    service.store.restore(parts)?;
    Ok(outcomes)
}

/// Replaces what stored records of a kind say; returns for each whether that was done, or why not.
pub(crate) fn change(
    service: &Service,
    kind: RestoredKind,
    records: &[Value],
) -> Result<Vec<Result<(), ServiceError>>, StoreError> {
    let read: Vec<_> = records.iter().map(|record| read(kind, record)).collect();
    let new = read.iter().filter_map(|new| new.as_ref().ok().cloned()).collect();
    let mut changed = service.store.change_restored(new)?.into_iter();
    let outcomes = read.into_iter().map(|new| {
        new?;
        let outcome = changed.next().unwrap_or_else(|| Err(StoreError::Broken("no outcome".to_owned())));
        outcome.map_err(ServiceError::from)
    });
    Ok(outcomes.collect())
}

/// Links what records of a kind name; both ends are stored before. Returns the links that were not made, as the id of the
/// asset, that of the other end, and why.
pub(crate) fn restore_links(
    service: &Service,
    kind: RestoredKind,
    records: &[Value],
) -> Result<Vec<(String, String, String)>, StoreError> {
    let links: Vec<RestoredLink> = records.iter().flat_map(|record| links(kind, record)).collect();
    let outcomes = service.store.restore_links(links.clone())?;
    let failed = links.into_iter().zip(outcomes).filter_map(|(link, outcome)| {
        let error = outcome.err()?;
        Some((link.asset, link.other, error.to_string()))
    });
    Ok(failed.collect())
}

fn read(kind: RestoredKind, record: &Value) -> Result<(Stamp, Restored), ServiceError> {
    let stamp = stamp(record);
    if !archived::is_id(&stamp.id) {
        return Err(ServiceError::bad_request(format!("its id cannot be used: {:?}", stamp.id)));
    }
    let restored = match kind {
        RestoredKind::Application => match normalize::application(record.clone()) {
            Value::Object(document) => Restored::Application(document),
            _ => return Err(ServiceError::bad_request("the record is not an object")),
        },
        RestoredKind::Tag => Restored::Item(item(ItemKind::Tag, record)?),
        RestoredKind::Website => Restored::Item(item(ItemKind::Website, record)?),
        RestoredKind::Summary => Restored::Item(NewItem { annotations: Vec::new(), ..archived::summary(record)? }),
        RestoredKind::Person => Restored::Related(alone(archived::person(record, "")?)),
        RestoredKind::Anchor => Restored::Related(alone(archived::anchor(record)?)),
        RestoredKind::Hint => Restored::Related(alone(archived::hint(record, "")?)),
        RestoredKind::Conversation => {
            // Its messages may be named only; those that it has whole are parts of it.
            let mut bare = record.as_object().cloned().unwrap_or_default();
            bare.shift_remove("messages");
            let seed = archived::conversation(&Value::Object(bare))?;
            Restored::Conversation(ConversationSeed { annotations: Vec::new(), ..seed })
        }
        RestoredKind::Message => message(record, record["conversation"]["id"].as_str().unwrap_or_default())?,
        RestoredKind::Asset => {
            let (new, format) = asset(record)?;
            Restored::Asset(Box::new(new), format)
        }
        RestoredKind::Annotation => Restored::Annotation(about(record), annotations::new(record)?),
        RestoredKind::Activity => Restored::Activity(activity(record)?),
    };
    Ok((stamp, restored))
}

/// The id and the times of a record.
fn stamp(record: &Value) -> Stamp {
    let time = |field: &str| {
        let text = record[field]["value"].as_str().or(record[field].as_str())?;
        Some(text.parse::<jiff::Timestamp>().ok()?.as_microsecond())
    };
    Stamp {
        id: record["id"].as_str().unwrap_or_default().to_owned(),
        created: time("created"),
        updated: time("updated"),
    }
}

fn item(kind: ItemKind, record: &Value) -> Result<NewItem, ServiceError> {
    let text = |field: &str| record[field].as_str().unwrap_or_default();
    let new = match kind {
        ItemKind::Tag => item_seed::tag(text("text"), record["category"].as_str(), None)?,
        _ => item_seed::website(text("url"), text("name"), None)?,
    };
    Ok(NewItem { counters: archived::counters(&record["score"]), ..new })
}

fn alone(new: NewRelated) -> NewRelated {
    NewRelated { annotations: Vec::new(), ..new }
}

fn message(record: &Value, conversation: &str) -> Result<Restored, ServiceError> {
    let mut seed = record.as_object().cloned().unwrap_or_default();
    seed.shift_remove("annotations");
    let seed: SeededConversationMessage = seeded(Value::Object(seed))?;
    Ok(Restored::Message(conversation.to_owned(), messages::new(seed.view())?))
}

fn about(record: &Value) -> About {
    let id = |field: &str| record[field]["id"].as_str().map(str::to_owned);
    About {
        asset: id("asset"),
        summary: id("summary").or_else(|| id("workstream_summary")),
        conversation: id("conversation"),
        person: id("person"),
        anchor: id("anchor"),
    }
}

fn activity(record: &Value) -> Result<NewActivity, ServiceError> {
    let unknown = || ServiceError::bad_request("its event or its application is not known here");
    let new = archived::activity(record).ok_or_else(unknown)?.new;
    let id = |field: &str| record[field]["id"].as_str().map(str::to_owned);
    Ok(NewActivity { asset: id("asset"), format: id("format"), ..new })
}

/// The records that belong to a record and that it has whole.
fn parts(kind: RestoredKind, record: &Value) -> Vec<(Stamp, Restored)> {
    let id = record["id"].as_str().unwrap_or_default();
    let whole =
        |field: &str| entries(&record[field]).filter(|part| archived::is_id(part["id"].as_str().unwrap_or_default()));
    let mut parts = Vec::new();
    if kind == RestoredKind::Conversation {
        let messages = whole("messages").filter(|message| message.get("fragment").is_some());
        parts.extend(messages.filter_map(|part| Some((stamp(part), message(part, id).ok()?))));
    }
    let of_it = |mut about: About| {
        let subject = match kind {
            RestoredKind::Asset => &mut about.asset,
            RestoredKind::Conversation => &mut about.conversation,
            RestoredKind::Summary => &mut about.summary,
            RestoredKind::Person => &mut about.person,
            RestoredKind::Anchor => &mut about.anchor,
            _ => return about,
        };
        subject.get_or_insert_with(|| id.to_owned());
        about
    };
    let texts = whole("annotations").filter(|text| text.get("text").is_some());
    parts.extend(texts.filter_map(|part| {
        let new = annotations::new(part).ok()?;
        Some((stamp(part), Restored::Annotation(of_it(about(part)), new)))
    }));
    parts
}

/// An asset without what it is linked to, and the stamp of its original format.
fn asset(record: &Value) -> Result<(NewAsset, Stamp), ServiceError> {
    let format = original(record).ok_or_else(|| ServiceError::bad_request("it has no content"))?;
    let mut asset = json!({ "application": application(format), "format": {}, "metadata": metadata(record) });
    for field in ["fragment", "file"] {
        if let Some(content) = format.get(field).filter(|content| content.is_object()) {
            asset["format"][field] = content.clone();
        }
    }
    for field in ["favorited", "created", "updated", "discovered", "pseudo", "demo"] {
        if let Some(value) = record.get(field).filter(|value| !value.is_null()) {
            asset[field] = value.clone();
        }
    }
    let seed = Seed::from_tree(json!({ "type": "SEEDED_ASSET", "asset": asset }))
        .map_err(|wrong| ServiceError::bad_request(format!("the asset cannot be read: {wrong}")))?;
    let mut new = read_seed(&seed)?;
    let id = record["id"].as_str().unwrap_or_default().to_owned();
    new.archived = Some(Box::new(Archived {
        id: id.clone(),
        counters: archived::counters(&record["score"]),
        ..Archived::default()
    }));
    new.id = Some(KeptId { id, taken: OnTaken::NewId });
    if new.name_is_derived {
        (new.name, new.name_is_derived) = (None, false);
    }
    if let Some(known) = format["classification"]["specific"].as_str().and_then(language).filter(|known| known.emitted)
    {
        (new.generic, new.specific) = (known.generic.to_string(), known.specific.to_string());
    }
    bounds::of_new(&new)?;
    Ok((new, stamp(format)))
}

/// The record of the original format, wherever the asset has it with its content.
fn original(record: &Value) -> Option<&Value> {
    let id = record["original"]["id"].as_str().or(record["original"].as_str());
    let places = [&record["original"]["reference"], &record["preview"]["base"]["reference"]];
    let formats = places.into_iter().chain(entries(&record["formats"]));
    let has_content = |format: &&Value| ["fragment", "file"].iter().any(|field| format[*field].is_object());
    formats.filter(|format| id.is_none_or(|id| format["id"] == id)).find(has_content)
}

fn application(format: &Value) -> Value {
    let told = &format["application"];
    match told.get("name").is_some() {
        true => told.clone(),
        false => json!({
            "id": told["id"].as_str().unwrap_or("00000000-0000-0000-0000-000000000000"), "name": "UNKNOWN",
            "version": "0.0.0", "platform": "UNKNOWN", "onboarded": false, "privacy": "CLOSED",
        }),
    }
}

fn metadata(record: &Value) -> Value {
    let mut metadata = json!({ "mechanism": record["mechanism"].as_str().unwrap_or("MANUAL") });
    if let Some(name) = record["name"].as_str() {
        metadata["name"] = name.into();
    }
    metadata
}

/// What is linked to an asset, by the field of its record.
const LINKED: [(&str, LinkedKind); 7] = [
    ("tags", LinkedKind::Item(ItemKind::Tag)),
    ("websites", LinkedKind::Item(ItemKind::Website)),
    ("summaries", LinkedKind::Item(ItemKind::Summary)),
    ("persons", LinkedKind::Related(RelatedKind::Person)),
    ("anchors", LinkedKind::Related(RelatedKind::Anchor)),
    ("hints", LinkedKind::Related(RelatedKind::Hint)),
    ("conversations", LinkedKind::Conversation),
];

/// The links between assets and other records that a record names.
fn links(kind: RestoredKind, record: &Value) -> Vec<RestoredLink> {
    let id = record["id"].as_str().unwrap_or_default();
    let linked = match kind {
        RestoredKind::Tag => LINKED[0].1,
        RestoredKind::Website => LINKED[1].1,
        RestoredKind::Summary => LINKED[2].1,
        RestoredKind::Person => LINKED[3].1,
        RestoredKind::Anchor => LINKED[4].1,
        RestoredKind::Hint => LINKED[5].1,
        RestoredKind::Conversation => LinkedKind::Conversation,
        RestoredKind::Asset => {
            let ends = LINKED.iter().flat_map(|(field, kind)| others(&record[*field]).map(|other| (*kind, other)));
            return ends.map(|(kind, (other, whole))| link(id, kind, other, whole)).collect();
        }
        RestoredKind::Application | RestoredKind::Message | RestoredKind::Annotation | RestoredKind::Activity => {
            return Vec::new();
        }
    };
    others(&record["assets"]).map(|(asset, _)| link(asset, linked, id, record)).collect()
}

/// The ids in a list, each with its entry. One whose index is negative was removed from the list.
fn others(list: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let named = list["iterable"].as_array().into_iter().flatten();
    let ids = named.filter_map(|entry| Some((entry["id"].as_str()?, entry.get("reference").unwrap_or(entry))));
    ids.filter(|(id, _)| list["indices"][*id].as_f64().is_none_or(|index| index >= 0.0))
}

fn link(asset: &str, kind: LinkedKind, other: &str, record: &Value) -> RestoredLink {
    let said = match kind {
        LinkedKind::Related(RelatedKind::Person) => archived::person(record, asset).ok(),
        _ => None,
    };
    let mechanism = normalize::word(record["mechanisms"][asset].as_str(), normalize::MECHANISMS, "MANUAL").to_owned();
    let document = said.map_or_else(|| Value::Object(Map::new()).to_string(), |said| said.link);
    RestoredLink { asset: asset.to_owned(), kind, other: other.to_owned(), mechanism, document }
}
