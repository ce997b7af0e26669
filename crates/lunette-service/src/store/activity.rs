//! What happened, to assets above all. The ranks of these events add up to an asset's scores `manual` and `automatic`.
//!
//! What must hold: the scores of an asset are the sums of the ranks of its activities, whatever becomes of those; a link
//! that was made and removed again leaves them as they were.
//! Names, sentences and ranks are fixed by the clients of the interface, which refuse any other (records, 2.4).

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::asset::Counter;
use super::{StoreError, now};
use lunette_client::model::event::FixedEvent;

mod change;
mod read;

pub(crate) use change::{ActivityChange, NewActivity};
pub(crate) use read::{ActivityRow, Scope, WholeActivity};

/// A kind of change that the store remembers by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Created,
    /// Also a workstream summary or a conversation linked or unlinked, and an asset restored. Our choice: the fixed list
    /// has no event for those, so that a sentence beside it says which it was ([`Metadata::Described`]).
    Updated,
    Renamed,
    Described,
    Reclassified,
    ValueEdited,
    TagAdded,
    TagDeleted,
    WebsiteAdded,
    WebsiteDeleted,
    PersonAdded,
    PersonDeleted,
    AnchorAdded,
    AnchorDeleted,
    HintAdded,
    HintDeleted,
    AnnotationAdded,
    AnnotationUpdated,
    AnnotationDeleted,
    Deleted,
}

impl Event {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 20] = [
        Self::Created,
        Self::Updated,
        Self::Renamed,
        Self::Described,
        Self::Reclassified,
        Self::ValueEdited,
        Self::TagAdded,
        Self::TagDeleted,
        Self::WebsiteAdded,
        Self::WebsiteDeleted,
        Self::PersonAdded,
        Self::PersonDeleted,
        Self::AnchorAdded,
        Self::AnchorDeleted,
        Self::HintAdded,
        Self::HintDeleted,
        Self::AnnotationAdded,
        Self::AnnotationUpdated,
        Self::AnnotationDeleted,
        Self::Deleted,
    ];

    /// Its name in the fixed list, by which it is stored too.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Created => "asset_created",
            Self::Updated => "asset_updated",
            Self::Renamed => "asset_name_updated",
            Self::Described => "asset_description_updated",
            Self::Reclassified => "asset_format_specific_classification_updated",
            Self::ValueEdited => "asset_format_value_edited",
            Self::TagAdded => "asset_tag_added",
            Self::TagDeleted => "asset_tag_deleted",
            Self::WebsiteAdded => "asset_link_added",
            Self::WebsiteDeleted => "asset_link_deleted",
            Self::PersonAdded => "asset_person_added",
            Self::PersonDeleted => "asset_person_deleted",
            Self::AnchorAdded => "asset_anchor_added",
            Self::AnchorDeleted => "asset_anchor_deleted",
            Self::HintAdded => "asset_hint_added",
            Self::HintDeleted => "asset_hint_deleted",
            Self::AnnotationAdded => "asset_annotation_added",
            Self::AnnotationUpdated => "asset_annotation_updated",
            Self::AnnotationDeleted => "asset_annotation_deleted",
            Self::Deleted => "asset_deleted",
        }
    }

    /// What it counts for in its asset's score, by the clients' table of ranks.
    pub(crate) fn rank(self) -> i64 {
        FixedEvent::find("asset", self.key()).map_or(0, |event| event.rank)
    }
}

/// What is told of an event beside its name.
pub(super) enum Metadata<'a> {
    None,
    Rename {
        previous: Option<&'a str>,
        current: Option<&'a str>,
    },
    Reclassification {
        previous: (&'a str, &'a str),
        current: (&'a str, &'a str),
    },
    Tag(&'a str),
    Website(&'a str),
    Person(&'a str),
    Anchor(&'a str),
    Hint(&'a str),
    Annotation(&'a str),
    /// A sentence, for what has neither an event nor a field of metadata of its own. Our choice: it is the `description`
    /// of an `interaction` beside the event of the asset, which every client of the interface reads.
    Described(String),
}

/// The most characters of a name in a sentence.
const NAME_CHARS: usize = 80;

/// A sentence on something that was linked or unlinked, such as "Summary “Morning” linked".
pub(super) fn link_sentence(what: &str, name: &str, verb: &str) -> String {
    let short: String = name.chars().take(NAME_CHARS).collect();
    let dots = if short.len() < name.len() { "…" } else { "" };
    match name.trim() {
        "" => format!("{what} {verb}"),
        _ => format!("{what} “{short}{dots}” {verb}"),
    }
}

impl Metadata<'_> {
    fn document(&self) -> Option<Value> {
        let classification = |(generic, specific)| json!({ "generic": generic, "specific": specific });
        match *self {
            Self::None | Self::Described(_) => None,
            Self::Rename { previous, current } => Some(json!({
                "rename": { "previous": previous.unwrap_or_default(), "current": current.unwrap_or_default() }
            })),
            Self::Reclassification { previous, current } => Some(json!({
                "reclassification": { "previous": classification(previous), "current": classification(current) }
            })),
            Self::Tag(id) => Some(json!({ "tag": { "id": id } })),
            Self::Website(id) => Some(json!({ "website": { "id": id } })),
            Self::Person(id) => Some(json!({ "person": { "id": id } })),
            Self::Anchor(id) => Some(json!({ "anchor": { "id": id } })),
            Self::Hint(id) => Some(json!({ "hint": { "id": id } })),
            Self::Annotation(id) => Some(json!({ "annotation": { "id": id } })),
        }
    }
}

/// Remembers what a user did to an asset and adds its rank to the asset's score. Our choice: it is told of the
/// application that the asset came from.
pub(super) fn record(db: &Connection, asset: i64, event: Event, metadata: &Metadata) -> Result<(), StoreError> {
    record_ranked(db, asset, event, event.rank(), metadata)
}

/// Remembers that a link was removed. Our choice: the score counts what is linked now, so that a link and its removal
/// leave it as it was, in either order: the rank of a removal is that of the addition, taken off.
pub(super) fn record_removal(db: &Connection, asset: i64, event: Event, metadata: &Metadata) -> Result<(), StoreError> {
    record_ranked(db, asset, event, -event.rank(), metadata)
}

/// Remembers what happened to an asset without counting it in the score.
pub(super) fn record_without_rank(
    db: &Connection,
    asset: i64,
    event: Event,
    metadata: &Metadata,
) -> Result<(), StoreError> {
    record_ranked(db, asset, event, 0, metadata)
}

/// Remembers that a counter of an asset's score was incremented. Our choice: that is an interaction and no event of the
/// asset, since counting is no edit; it has no rank, since the counter is in the score by itself.
pub(super) fn record_increment(db: &Connection, asset: i64, counter: Counter) -> Result<(), StoreError> {
    let event = json!({ "interaction": { "description": format!("Score: {} incremented", counter.name()) } });
    insert(db, asset, "", Some(event), 0, None)
}

fn record_ranked(db: &Connection, asset: i64, event: Event, rank: i64, metadata: &Metadata) -> Result<(), StoreError> {
    let event_json =
        if let Metadata::Described(sentence) = metadata { Some(described(db, asset, event, sentence)?) } else { None };
    insert(db, asset, event.key(), event_json, rank, metadata.document())?;
    score(db, Some(asset), "MANUAL", rank)
}

/// An event of an asset with a sentence beside it.
fn described(db: &Connection, asset: i64, event: Event, sentence: &str) -> Result<Value, StoreError> {
    let id: String = db.prepare_cached("SELECT id FROM asset WHERE row = ?1")?.query_row([asset], |row| row.get(0))?;
    let fixed = FixedEvent::find("asset", event.key()).map_or("", |fixed| fixed.sentence);
    Ok(json!({
        "asset": { "asset": { "id": id }, "identifier_description_pair": { event.key(): fixed } },
        "interaction": { "description": sentence },
    }))
}

fn insert(
    db: &Connection,
    asset: i64,
    event: &str,
    event_json: Option<Value>,
    rank: i64,
    metadata: Option<Value>,
) -> Result<(), StoreError> {
    let text = |value: Option<Value>| value.map(|value| value.to_string());
    db.prepare_cached(
        "INSERT INTO activity (id, asset, created, updated, event, told, mechanism, rank, origin, metadata)
         SELECT ?1, ?2, ?3, ?3, ?4, ?5, 'MANUAL', ?6, origin, ?7 FROM format WHERE asset = ?2 AND place = 0",
    )?
    .execute(params![new_id(), asset, now(), event, text(event_json), rank, text(metadata)])?;
    Ok(())
}

/// Adds a rank to an asset's score; ranks of mechanisms other than these two are in none (records, 2.2).
fn score(db: &Connection, asset: Option<i64>, mechanism: &str, rank: i64) -> Result<(), StoreError> {
    let statement = match mechanism {
        _ if rank == 0 => return Ok(()),
        "MANUAL" => "UPDATE asset SET score_manual = score_manual + ?2 WHERE row = ?1",
        "AUTOMATIC" => "UPDATE asset SET score_automatic = score_automatic + ?2 WHERE row = ?1",
        _ => return Ok(()),
    };
    db.prepare_cached(statement)?.execute(params![asset, rank])?;
    Ok(())
}

fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}
