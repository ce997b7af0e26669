//! What happened, to assets above all. The ranks of these events add up to an asset's scores `manual` and `automatic`.
//!
//! What must hold: the scores of an asset are the sums of the ranks of its activities, whatever becomes of those; a link
//! that was made and removed again leaves them as they were.
//! Names, sentences and ranks are fixed by the clients of the interface, which refuse any other (records, 2.4).

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::{StoreError, now};
use crate::model::event::FixedEvent;

mod change;
mod read;

pub(crate) use change::{ActivityChange, NewActivity};
pub(crate) use read::{ActivityRow, Scope, WholeActivity};

/// A kind of change that the store remembers by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Created,
    /// Also a workstream summary or a conversation linked or unlinked. Our choice: the fixed list has no event for those.
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
    Rename { previous: Option<&'a str>, current: Option<&'a str> },
    Reclassification { previous: (&'a str, &'a str), current: (&'a str, &'a str) },
    Tag(&'a str),
    Website(&'a str),
    Person(&'a str),
    Anchor(&'a str),
    Hint(&'a str),
    Annotation(&'a str),
}

impl Metadata<'_> {
    fn document(&self) -> Option<Value> {
        let classification = |(generic, specific)| json!({ "generic": generic, "specific": specific });
        match *self {
            Self::None => None,
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

fn record_ranked(db: &Connection, asset: i64, event: Event, rank: i64, metadata: &Metadata) -> Result<(), StoreError> {
    let metadata = metadata.document().map(|document| document.to_string());
    db.prepare_cached(
        "INSERT INTO activity (id, asset, created, updated, event, mechanism, rank, origin, metadata)
         SELECT ?1, ?2, ?3, ?3, ?4, 'MANUAL', ?5, origin, ?6 FROM format WHERE asset = ?2 AND place = 0",
    )?
    .execute(params![new_id(), asset, now(), event.key(), rank, metadata])?;
    score(db, Some(asset), "MANUAL", rank)
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
