//! Related records: persons, anchors and hints, and their links to assets. They share a table, since they are linked
//! alike.
//!
//! What must hold: each exists in its own row only. Sending back an asset that contains one neither links it again nor
//! stores a copy of it, even if it was unlinked or deleted meanwhile.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::{Map, Value};

use super::activity::{self, Event, Metadata};
use super::annotation::{self, AnnotationRow, NewAnnotation, Subject};
use super::{asset, trash};
use crate::store::checksum::{self, summed};
use crate::store::link_change::LinkAction;
use crate::store::{Store, StoreError, now};

mod of_assets;

pub(in crate::store) use of_assets::{of_asset, of_assets};

/// The three kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RelatedKind {
    Person,
    Anchor,
    Hint,
}

impl RelatedKind {
    pub(crate) const ALL: [Self; 3] = [Self::Person, Self::Hint, Self::Anchor];

    /// The display name of the kind, which is also how it is stored.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Anchor => "anchor",
            Self::Hint => "hint",
        }
    }

    /// The field of an asset that lists them.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Person => "persons",
            Self::Anchor => "anchors",
            Self::Hint => "hints",
        }
    }

    /// The activity that an asset records when one is unlinked.
    fn unlinked(self, id: &str) -> (Event, Metadata<'_>) {
        match self {
            Self::Person => (Event::PersonDeleted, Metadata::Person(id)),
            Self::Anchor => (Event::AnchorDeleted, Metadata::Anchor(id)),
            Self::Hint => (Event::HintDeleted, Metadata::Hint(id)),
        }
    }

    fn of(stored: &str) -> Self {
        match stored {
            "person" => Self::Person,
            "anchor" => Self::Anchor,
            _ => Self::Hint,
        }
    }
}

/// One of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RelatedRow {
    row: i64,
    pub(crate) kind: RelatedKind,
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// A JSON object: its record without the fields above and its assets.
    pub(crate) document: String,
}

/// A link to an asset, with its metadata.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RelatedLink {
    pub(crate) asset: String,
    pub(crate) mechanism: String,
    /// A JSON object; of a person `access` and `model`.
    pub(crate) document: String,
}

/// One with links: only that link inside an asset, all links when read by itself.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RelatedRecord {
    pub(crate) related_record: RelatedRow,
    /// In order of creation of the assets.
    pub(crate) links: Vec<RelatedLink>,
    pub(crate) annotations: Vec<AnnotationRow>,
}

/// A new one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewRelated {
    pub(crate) kind: RelatedKind,
    pub(crate) document: String,
    /// The mechanism of its link, if it is created for an asset.
    pub(crate) mechanism: String,
    /// The document of its link.
    pub(crate) link: String,
    pub(crate) annotations: Vec<NewAnnotation>,
}

impl RelatedRow {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        let kind = RelatedKind::of(row.get_ref(1)?.as_str().unwrap_or_default());
        checksum::verify(row, 6, kind.as_str(), 2)?;
        Ok(Self {
            row: row.get(0)?,
            kind,
            id: row.get(2)?,
            created: row.get(3)?,
            updated: row.get(4)?,
            document: row.get(5)?,
        })
    }
}

/// Its annotations; hints have none.
fn annotations(db: &Connection, related_record: &RelatedRow) -> Result<Vec<AnnotationRow>, StoreError> {
    match related_record.kind {
        RelatedKind::Person => annotation::of_person(db, &related_record.id),
        RelatedKind::Anchor => annotation::of_anchor(db, &related_record.id),
        RelatedKind::Hint => Ok(Vec::new()),
    }
}

fn find(db: &Connection, kind: RelatedKind, id: &str) -> Result<RelatedRow, StoreError> {
    let found = db
        .prepare_cached(concat!(
            "SELECT row, kind, id, created, updated, document, ",
            summed!(aside),
            ", deleted FROM aside
             WHERE kind = ?1 AND id = ?2"
        ))?
        .query_row([kind.as_str(), id], |row| Ok((RelatedRow::of(row)?, row.get::<_, Option<i64>>(7)?)))
        .optional()?;
    match found {
        Some((related_record, None)) => Ok(related_record),
        Some((_, Some(_))) => Err(StoreError::gone(kind.as_str(), id)),
        None => Err(StoreError::not_found(kind.as_str(), id)),
    }
}

/// Creates one, always a new one; returns its row.
pub(in crate::store) fn insert(db: &Connection, new: &NewRelated) -> Result<i64, StoreError> {
    insert_as(db, &uuid::Uuid::new_v4().to_string(), new)
}

/// The one of this kind and id, which is created if there is none; returns its row. One that was deleted stays so, and
/// another is created.
pub(in crate::store) fn make_with_id(db: &Connection, id: &str, new: &NewRelated) -> Result<i64, StoreError> {
    match find(db, new.kind, id) {
        Ok(found) => Ok(found.row),
        Err(StoreError::NotFound { .. }) => insert_as(db, id, new),
        Err(StoreError::Gone { .. }) => insert(db, new),
        Err(error) => Err(error),
    }
}

/// The row of the one of this kind and id.
pub(in crate::store) fn row_of(db: &Connection, kind: RelatedKind, id: &str) -> Result<i64, StoreError> {
    Ok(find(db, kind, id)?.row)
}

/// Creates one with this id, which no other has; returns its row.
pub(in crate::store) fn insert_as(db: &Connection, id: &str, new: &NewRelated) -> Result<i64, StoreError> {
    db.prepare_cached("INSERT INTO aside (kind, id, created, updated, document) VALUES (?1, ?2, ?3, ?3, ?4)")?
        .execute(params![new.kind.as_str(), id, now(), new.document])?;
    let row = db.last_insert_rowid();
    let subject = match new.kind {
        RelatedKind::Person => Subject { person: Some(id), ..Subject::default() },
        RelatedKind::Anchor => Subject { anchor: Some(id), ..Subject::default() },
        RelatedKind::Hint => Subject::default(),
    };
    for text in &new.annotations {
        annotation::insert(db, subject, text)?;
    }
    Ok(row)
}

/// Links one to an asset; does nothing if it is already linked.
pub(in crate::store) fn add(
    db: &Connection,
    asset: i64,
    related_record: i64,
    mechanism: &str,
    document: &str,
) -> Result<(), StoreError> {
    let linked = db
        .prepare_cached(
            "INSERT INTO aside_link (asset, aside, mechanism, document) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        )?
        .execute(params![asset, related_record, mechanism, document])?;
    if linked == 0 { Ok(()) } else { changed(db, asset, related_record, LinkAction::Added) }
}

fn remove(db: &Connection, asset: i64, related_record: i64) -> Result<(), StoreError> {
    let unlinked = db
        .prepare_cached("DELETE FROM aside_link WHERE asset = ?1 AND aside = ?2")?
        .execute([asset, related_record])?;
    if unlinked == 0 { Ok(()) } else { changed(db, asset, related_record, LinkAction::Deleted) }
}

/// Records a change of a link on both sides.
fn changed(db: &Connection, asset: i64, related_record: i64, action: LinkAction) -> Result<(), StoreError> {
    let (kind, id) = db
        .prepare_cached("UPDATE aside SET updated = max(?2, updated + 1) WHERE row = ?1 RETURNING kind, id")?
        .query_row([related_record, now()], |row| {
            Ok((RelatedKind::of(row.get_ref(0)?.as_str()?), row.get::<_, String>(1)?))
        })
        .optional()?
        .ok_or_else(|| StoreError::Broken("a link has no other end".to_owned()))?;
    let (event, metadata) = match (kind, action) {
        (RelatedKind::Person, LinkAction::Added) => (Event::PersonAdded, Metadata::Person(&id)),
        (RelatedKind::Anchor, LinkAction::Added) => (Event::AnchorAdded, Metadata::Anchor(&id)),
        (RelatedKind::Hint, LinkAction::Added) => (Event::HintAdded, Metadata::Hint(&id)),
        (_, LinkAction::Deleted) => kind.unlinked(&id),
    };
    match action {
        LinkAction::Added => activity::record(db, asset, event, &metadata)?,
        LinkAction::Deleted => activity::record_removal(db, asset, event, &metadata)?,
    }
    asset::touch(db, asset)
}

fn whole(db: &Connection, related_record: RelatedRow) -> Result<RelatedRecord, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT asset.id, aside_link.mechanism, aside_link.document
         FROM aside_link JOIN asset ON asset.row = aside_link.asset WHERE aside = ?1 ORDER BY asset",
    )?;
    let links = statement.query_map([related_record.row], |row| link_at(row, 0))?.collect::<Result<_, _>>()?;
    Ok(RelatedRecord { annotations: annotations(db, &related_record)?, related_record, links })
}

fn link_at(row: &Row, column: usize) -> rusqlite::Result<RelatedLink> {
    Ok(RelatedLink { asset: row.get(column)?, mechanism: row.get(column + 1)?, document: row.get(column + 2)? })
}

/// Removes copies of records that have, or had, their own row from an asset's document.
pub(in crate::store) fn without_own(db: &Connection, document: String) -> Result<String, StoreError> {
    if !RelatedKind::ALL.iter().any(|kind| document.contains(kind.field())) {
        return Ok(document);
    }
    let mut fields: Map<String, Value> = serde_json::from_str(&document).unwrap_or_default();
    let mut taken_out = false;
    for kind in RelatedKind::ALL {
        let Some(list) = fields.get_mut(kind.field()).and_then(Value::as_object_mut) else { continue };
        let Some(Value::Array(entries)) = list.get_mut("iterable") else { continue };
        let mut foreign = Vec::with_capacity(entries.len());
        for entry in entries.iter() {
            if !is_known(db, kind, entry)? {
                foreign.push(entry.clone());
            }
        }
        if foreign.len() == entries.len() {
            continue;
        }
        taken_out = true;
        *entries = foreign;
        if entries.is_empty() {
            fields.shift_remove(kind.field());
        } else {
            list.shift_remove("indices");
        }
    }
    Ok(if taken_out { Value::Object(fields).to_string() } else { document })
}

fn is_known(db: &Connection, kind: RelatedKind, entry: &Value) -> Result<bool, StoreError> {
    entry.get("id").and_then(Value::as_str).map_or(Ok(false), |id| is_known_id(db, kind, id))
}

/// Whether one of this kind and id is or was stored.
pub(in crate::store) fn is_known_id(db: &Connection, kind: RelatedKind, id: &str) -> Result<bool, StoreError> {
    Ok(db.prepare_cached("SELECT 1 FROM aside WHERE kind = ?1 AND id = ?2")?.exists([kind.as_str(), id])?)
}

impl Store {
    /// Calls `each` with all of a kind, oldest first, each with its links, until it has enough.
    pub(crate) fn each_related(
        &self,
        kind: RelatedKind,
        mut each: impl FnMut(RelatedRecord) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(concat!(
                "SELECT row, kind, id, created, updated, document, ",
                summed!(aside),
                " FROM aside
                 WHERE kind = ?1 AND deleted IS NULL ORDER BY row"
            ))?;
            let mut rows = statement.query([kind.as_str()])?;
            while let Some(row) = rows.next()? {
                if let Some(related_record) = checksum::skip_if_damaged(RelatedRow::of(row))?
                    && each(whole(db, related_record)?).is_break()
                {
                    break;
                }
            }
            Ok(())
        })
    }

    /// One with all assets it is linked to.
    pub(crate) fn related_record(&self, kind: RelatedKind, id: &str) -> Result<RelatedRecord, StoreError> {
        self.read(|db| whole(db, find(db, kind, id)?))
    }

    /// Creates one, and links it to an asset if one is named. Fails, and creates nothing, if the asset does not exist.
    pub(crate) fn make_related(&self, new: NewRelated, asset: Option<&str>) -> Result<RelatedRecord, StoreError> {
        let asset = asset.map(str::to_owned);
        self.write(move |db| {
            let row = insert(db, &new)?;
            if let Some(asset) = &asset {
                add(db, asset::row_of(db, asset)?, row, &new.mechanism, &new.link)?;
            }
            let related_record = db
                .prepare_cached(concat!(
                    "SELECT row, kind, id, created, updated, document, ",
                    summed!(aside),
                    " FROM aside WHERE row = ?1"
                ))?
                .query_row([row], RelatedRow::of)?;
            whole(db, related_record)
        })
    }

    /// Deletes one with its links and its own annotations; the assets stay, and each records an unlinking.
    pub(crate) fn delete_related(&self, kind: RelatedKind, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let related_record = find(db, kind, &id)?.row;
            let assets: Vec<i64> = db
                .prepare_cached("SELECT asset FROM aside_link WHERE aside = ?1 ORDER BY asset")?
                .query_map([related_record], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            for asset in assets {
                remove(db, asset, related_record)?;
            }
            let (event, metadata) = kind.unlinked(&id);
            trash::unlink_related(db, related_record, event, &metadata)?;
            db.prepare_cached("UPDATE aside SET deleted = ?2, document = '{}' WHERE row = ?1")?
                .execute([related_record, now()])?;
            let about_nothing_else = match kind {
                RelatedKind::Person => {
                    "DELETE FROM annotation WHERE person = ?1 AND coalesce(asset, item, conversation, anchor) IS NULL"
                }
                RelatedKind::Anchor => {
                    "DELETE FROM annotation WHERE anchor = ?1 AND coalesce(asset, item, conversation, person) IS NULL"
                }
                RelatedKind::Hint => return Ok(()),
            };
            db.prepare_cached(about_nothing_else)?.execute([&id])?;
            Ok(())
        })
    }

    /// Links one to an asset, durably. Idempotent. Fails if either does not exist.
    pub(crate) fn link_related(&self, asset: &str, kind: RelatedKind, id: &str) -> Result<(), StoreError> {
        let (asset, id) = (asset.to_owned(), id.to_owned());
        self.write(move |db| add(db, asset::row_of(db, &asset)?, find(db, kind, &id)?.row, "MANUAL", "{}"))
    }

    /// Removes a link, durably. Does nothing without one. Fails if either does not exist.
    pub(crate) fn unlink_related(&self, asset: &str, kind: RelatedKind, id: &str) -> Result<(), StoreError> {
        let (asset, id) = (asset.to_owned(), id.to_owned());
        self.write_freeing(move |db| remove(db, asset::row_of(db, &asset)?, find(db, kind, &id)?.row))
    }
}
