//! Activities, mostly of assets. The ranks of these events add up to an asset's scores `manual` and `automatic`.
//!
//! What must hold: the scores of an asset are the sums of the ranks of its activities, at all times; linking and
//! unlinking again leaves them unchanged. Names, sentences and ranks are fixed by the clients of the interface, which
//! reject any other (records, 2.4).

use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::{Value, json};

use super::asset::Counter;
use crate::store::{StoreError, new_id, now};
use lunette_client::model::event::FixedEvent;

mod change;
mod read;

pub(crate) use change::{ActivityChange, ArchivedActivity, NewActivity};
pub(in crate::store) use change::{insert_at, replace_all};
pub(crate) use read::{ActivityRow, Scope, WholeActivity};

/// A kind of event that the store records by itself.
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

    /// Its name in the fixed list, which is also how it is stored.
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

    /// Its rank in its asset's score, by the clients' table of ranks.
    pub(crate) fn rank(self) -> i64 {
        FixedEvent::find("asset", self.key()).map_or(0, |event| event.rank)
    }
}

/// The metadata of an event.
pub(in crate::store) enum Metadata<'a> {
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
pub(in crate::store) fn link_sentence(what: &str, name: &str, verb: &str) -> String {
    let short: String = name.chars().take(NAME_CHARS).collect();
    let dots = if short.len() < name.len() { "…" } else { "" };
    match name.trim() {
        "" => format!("{what} {verb}"),
        _ => format!("{what} “{short}{dots}” {verb}"),
    }
}

impl Metadata<'_> {
    /// The metadata as JSON.
    fn text(&self) -> Option<String> {
        let reference = |field, id: &str| Some(format!("{{\"{field}\":{{\"id\":{}}}}}", Value::from(id)));
        let classification = |(generic, specific)| json!({ "generic": generic, "specific": specific });
        match *self {
            Self::None | Self::Described(_) => None,
            Self::Rename { previous, current } => Some(
                json!({
                    "rename": { "previous": previous.unwrap_or_default(), "current": current.unwrap_or_default() }
                })
                .to_string(),
            ),
            Self::Reclassification { previous, current } => Some(
                json!({
                    "reclassification": { "previous": classification(previous), "current": classification(current) }
                })
                .to_string(),
            ),
            Self::Tag(id) => reference("tag", id),
            Self::Website(id) => reference("website", id),
            Self::Person(id) => reference("person", id),
            Self::Anchor(id) => reference("anchor", id),
            Self::Hint(id) => reference("hint", id),
            Self::Annotation(id) => reference("annotation", id),
        }
    }
}

/// Records what a user did to an asset and adds its rank to the asset's score. Our choice: it is attributed to the
/// application that the asset came from.
pub(in crate::store) fn record(
    db: &Connection,
    asset: i64,
    event: Event,
    metadata: &Metadata,
) -> Result<(), StoreError> {
    record_ranked(db, asset, event, event.rank(), metadata)
}

/// The rank of the removal of a link. Our choice: the score counts current links, so that linking and unlinking leave it
/// unchanged in either order: the rank of a removal is the negated rank of the addition.
pub(in crate::store) fn removal_rank(event: Event) -> i64 {
    -event.rank()
}

/// Records that a link was removed, and takes its rank from the asset's score.
pub(in crate::store) fn record_removal(
    db: &Connection,
    asset: i64,
    event: Event,
    metadata: &Metadata,
) -> Result<(), StoreError> {
    record_ranked(db, asset, event, removal_rank(event), metadata)
}

/// Records that a format of an asset was reclassified. Our choice: a way back does not count: a reclassification that
/// reverts the last one has its negated rank, so that undoing one leaves the score unchanged, and so does undoing that.
pub(in crate::store) fn record_reclassification(
    db: &Connection,
    asset: i64,
    previous: (&str, &str),
    current: (&str, &str),
) -> Result<(), StoreError> {
    let event = Event::Reclassified;
    let last = db
        .prepare_cached(
            "SELECT rank, metadata FROM activity WHERE asset = ?1 AND event = ?2 ORDER BY row DESC LIMIT 1",
        )?
        .query_row(params![asset, event.key()], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?)))
        .optional()?;
    let way_back = Metadata::Reclassification { previous: current, current: previous }.text();
    let rank = match last {
        Some((rank, reverted)) if reverted == way_back => -rank,
        Some(_) | None => event.rank(),
    };
    record_ranked(db, asset, event, rank, &Metadata::Reclassification { previous, current })
}

/// Records what happened to an asset without a rank.
pub(in crate::store) fn record_without_rank(
    db: &Connection,
    asset: i64,
    event: Event,
    metadata: &Metadata,
) -> Result<(), StoreError> {
    record_ranked(db, asset, event, 0, metadata)
}

/// Records that a counter of an asset's score was incremented. Our choice: that is an interaction and not an event of
/// the asset, since counting is not an edit; it has no rank, since the counter itself is in the score.
pub(in crate::store) fn record_increment(db: &Connection, asset: i64, counter: Counter) -> Result<(), StoreError> {
    let event = json!({ "interaction": { "description": format!("Score: {} incremented", counter.name()) } });
    insert(db, asset, "", Some(event), 0, None)
}

fn record_ranked(db: &Connection, asset: i64, event: Event, rank: i64, metadata: &Metadata) -> Result<(), StoreError> {
    insert_event(db, asset, event, rank, metadata)?;
    score(db, Some(asset), "MANUAL", rank)
}

/// Records an event of an asset without adding its rank to the score.
pub(in crate::store) fn insert_event(
    db: &Connection,
    asset: i64,
    event: Event,
    rank: i64,
    metadata: &Metadata,
) -> Result<(), StoreError> {
    let mut event_json = None;
    if let Metadata::Described(sentence) = metadata {
        let mut id = db.prepare_cached("SELECT id FROM asset WHERE row = ?1")?;
        event_json = Some(described(&id.query_row([asset], |row| row.get::<_, String>(0))?, event, sentence));
    }
    insert(db, asset, event.key(), event_json, rank, metadata.text())
}

/// An event of an asset whose id and application are known.
pub(in crate::store) struct NewEvent<'a> {
    pub(in crate::store) asset: i64,
    pub(in crate::store) asset_id: &'a str,
    pub(in crate::store) origin: i64,
    pub(in crate::store) event: Event,
    pub(in crate::store) rank: i64,
    pub(in crate::store) metadata: &'a Metadata<'a>,
}

impl NewEvent<'_> {
    /// Records it without adding its rank to the score.
    pub(in crate::store) fn insert(self, db: &Connection) -> Result<(), StoreError> {
        let Self { asset, asset_id, origin, event, rank, metadata } = self;
        let event_json = if let Metadata::Described(sentence) = metadata {
            Some(described(asset_id, event, sentence).to_string())
        } else {
            None
        };
        db.prepare_cached(
            "INSERT INTO activity (id, asset, created, updated, event, told, mechanism, rank, origin, metadata)
             VALUES (?1, ?2, ?3, ?3, ?4, ?5, 'MANUAL', ?6, ?7, ?8)",
        )?
        .execute(params![new_id(), asset, now(), event.key(), event_json, rank, origin, metadata.text()])?;
        Ok(())
    }
}

/// An event of an asset with a sentence beside it.
fn described(asset_id: &str, event: Event, sentence: &str) -> Value {
    let fixed = FixedEvent::find("asset", event.key()).map_or("", |fixed| fixed.sentence);
    json!({
        "asset": { "asset": { "id": asset_id }, "identifier_description_pair": { event.key(): fixed } },
        "interaction": { "description": sentence },
    })
}

fn insert(
    db: &Connection,
    asset: i64,
    event: &str,
    event_json: Option<Value>,
    rank: i64,
    metadata: Option<String>,
) -> Result<(), StoreError> {
    let event_json = event_json.map(|event| event.to_string());
    db.prepare_cached(
        "INSERT INTO activity (id, asset, created, updated, event, told, mechanism, rank, origin, metadata)
         SELECT ?1, ?2, ?3, ?3, ?4, ?5, 'MANUAL', ?6, origin, ?7 FROM format WHERE asset = ?2 AND place = 0",
    )?
    .execute(params![new_id(), asset, now(), event, event_json, rank, metadata])?;
    Ok(())
}

/// Adds a rank to an asset's score; ranks of other mechanisms than these two are ignored (records, 2.2).
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
