//! What happened to assets. The ranks of these events add up to an asset's scores `manual` and `automatic`.
//!
//! Names, sentences and ranks are fixed by the clients of the interface, which refuse any other (records, 2.4).

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::{Store, StoreError, asset, now};

/// A kind of change that is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Created,
    /// Also a workstream summary linked or unlinked. Our choice: the fixed list has no event for those.
    Updated,
    Renamed,
    Described,
    Reclassified,
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
    Deleted,
}

impl Event {
    pub(crate) const ALL: [Self; 16] = [
        Self::Created,
        Self::Updated,
        Self::Renamed,
        Self::Described,
        Self::Reclassified,
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
        Self::Deleted,
    ];

    /// The key of its pair on the wire, by which it is stored too.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Created => "asset_created",
            Self::Updated => "asset_updated",
            Self::Renamed => "asset_name_updated",
            Self::Described => "asset_description_updated",
            Self::Reclassified => "asset_format_specific_classification_updated",
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
            Self::Deleted => "asset_deleted",
        }
    }

    /// The one sentence that clients accept beside the key.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::Created => "an_asset_was_created",
            Self::Updated => "an_asset_was_updated",
            Self::Renamed => "an_asset_was_renamed_by_the_user",
            Self::Described => "an_asset_was_redescribed_by_the_user",
            Self::Reclassified => "a_specific_classification_was_changed_on_a_format_within_an_asset",
            Self::TagAdded => "a_tag_was_added_by_the_user",
            Self::TagDeleted => "a_tag_was_deleted_by_the_user",
            Self::WebsiteAdded => "a_link_was_added_by_the_user",
            Self::WebsiteDeleted => "a_link_was_deleted_by_the_user",
            Self::PersonAdded => "a_person_was_added_by_the_user",
            Self::PersonDeleted => "a_person_was_deleted_by_the_user",
            Self::AnchorAdded => "a_anchor_was_added_by_the_user",
            Self::AnchorDeleted => "a_anchor_was_deleted_by_the_user",
            Self::HintAdded => "a_hint_was_added_by_the_user",
            Self::HintDeleted => "a_hint_was_deleted_by_the_user",
            Self::Deleted => "an_asset_was_deleted",
        }
    }

    pub(crate) fn rank(self) -> i64 {
        match self {
            Self::Created | Self::Deleted | Self::AnchorAdded | Self::AnchorDeleted => 0,
            Self::Updated | Self::Renamed | Self::Described | Self::Reclassified => 1,
            Self::TagAdded
            | Self::TagDeleted
            | Self::PersonAdded
            | Self::PersonDeleted
            | Self::HintAdded
            | Self::HintDeleted => 2,
            Self::WebsiteAdded | Self::WebsiteDeleted => 3,
        }
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
        }
    }
}

/// One thing that happened.
pub(crate) struct ActivityRow {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) event: Event,
    pub(crate) mechanism: String,
    pub(crate) rank: i64,
    /// The record of the application, as JSON.
    pub(crate) application: String,
    pub(crate) metadata: Option<String>,
}

/// Remembers what a user did to an asset and adds its rank to the asset's score. Our choice: it is told of the
/// application that the asset came from.
pub(super) fn record(db: &Connection, asset: i64, event: Event, metadata: &Metadata) -> Result<(), StoreError> {
    let metadata = metadata.document().map(|document| document.to_string());
    db.prepare_cached(
        "INSERT INTO activity (id, asset, created, event, mechanism, rank, origin, metadata)
         SELECT ?1, ?2, ?3, ?4, 'MANUAL', ?5, origin, ?6 FROM format WHERE asset = ?2 AND place = 0",
    )?
    .execute(params![new_id(), asset, now(), event.key(), event.rank(), metadata])?;
    if event.rank() != 0 {
        db.prepare_cached("UPDATE asset SET score_manual = score_manual + ?2 WHERE row = ?1")?
            .execute([asset, event.rank()])?;
    }
    Ok(())
}

fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

impl Store {
    /// What happened to an asset, oldest first.
    pub(crate) fn activities(&self, id: &str) -> Result<Vec<ActivityRow>, StoreError> {
        self.read(|db| {
            let asset = asset::row_of(db, id)?;
            let mut statement = db.prepare_cached(
                "SELECT id, created, event, mechanism, rank, origin.document, metadata
                 FROM activity JOIN origin ON origin.row = activity.origin WHERE asset = ?1 ORDER BY activity.row",
            )?;
            let rows = statement.query_map([asset], |row| {
                let key: String = row.get(2)?;
                Ok(ActivityRow {
                    id: row.get(0)?,
                    created: row.get(1)?,
                    event: Event::ALL.into_iter().find(|event| event.key() == key).unwrap_or(Event::Updated),
                    mechanism: row.get(3)?,
                    rank: row.get(4)?,
                    application: row.get(5)?,
                    metadata: row.get(6)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}
