//! Texts about an asset, a workstream summary, a conversation, a person, an anchor, or nothing; an asset's description
//! is one of them.
//!
//! What must hold: a change affects the subject of the annotation: an asset, a summary or a conversation gets a new
//! `updated`, and an asset records it in its history.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::activity::{self, Event, Metadata};
use super::asset::{self, AssetSet, ByAsset};
use super::conversation;
use super::item::{self, ItemKind};
use crate::store::checksum::{self, summed};
use crate::store::{Store, StoreError, new_id, now};
use lunette_client::model::import_path::import_path;

mod describe;

pub(in crate::store) use describe::describe;

/// The kind that an asset's description is of.
const DESCRIPTION: &str = "DESCRIPTION";

/// One annotation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnnotationRow {
    row: i64,
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) about: About,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

/// What an annotation is about, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) asset: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) conversation: Option<String>,
    /// Our choice: persons and anchors are only named, and need not exist.
    pub(crate) person: Option<String>,
    pub(crate) anchor: Option<String>,
}

/// A new annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewAnnotation {
    pub(crate) kind: String,
    pub(crate) text: String,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

/// An update of an annotation; None keeps the stored value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AnnotationChange {
    pub(crate) kind: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) document: Option<String>,
}

/// What an annotation is about, as the store keeps it.
#[derive(Clone, Copy, Default)]
pub(in crate::store) struct Subject<'a> {
    pub(in crate::store) asset: Option<i64>,
    pub(in crate::store) item: Option<i64>,
    pub(in crate::store) conversation: Option<i64>,
    pub(in crate::store) person: Option<&'a str>,
    pub(in crate::store) anchor: Option<&'a str>,
}

impl Subject<'static> {
    pub(in crate::store) fn asset(row: i64) -> Self {
        Self { asset: Some(row), ..Self::default() }
    }

    pub(in crate::store) fn item(row: i64) -> Self {
        Self { item: Some(row), ..Self::default() }
    }

    pub(in crate::store) fn conversation(row: i64) -> Self {
        Self { conversation: Some(row), ..Self::default() }
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT row, id, kind, text, created, updated, document, person, anchor,
             (SELECT asset.id FROM asset WHERE asset.row = annotation.asset),
             (SELECT item.id FROM item WHERE item.row = annotation.item),
             (SELECT conversation.id FROM conversation WHERE conversation.row = annotation.conversation), ",
            summed!(annotation),
            ", annotation.asset, annotation.item FROM annotation WHERE ",
            $rest
        )
    };
}

impl AnnotationRow {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 12, "annotation", 1)?;
        Ok(Self {
            row: row.get(0)?,
            id: row.get(1)?,
            kind: row.get(2)?,
            text: row.get(3)?,
            created: row.get(4)?,
            updated: row.get(5)?,
            document: row.get(6)?,
            about: About {
                person: row.get(7)?,
                anchor: row.get(8)?,
                asset: row.get(9)?,
                summary: row.get(10)?,
                conversation: row.get(11)?,
            },
        })
    }

    /// Whether it is the emptied description of an asset.
    fn is_empty_description(&self) -> bool {
        self.about.asset.is_some() && self.kind == DESCRIPTION && self.text.is_empty()
    }
}

/// The annotations of an asset. Our choice: a description without text does not count; its row stays, so that restoring
/// the text restores the same annotation.
pub(in crate::store) fn of_asset(db: &Connection, asset: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement =
        db.prepare_cached(select!("asset = ?1 AND NOT (kind = 'DESCRIPTION' AND text = '') ORDER BY row"))?;
    let rows = statement.query_map([asset], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

/// The annotations of several assets, without descriptions that have no text.
pub(in crate::store) fn of_assets(db: &Connection, assets: &AssetSet) -> Result<ByAsset<AnnotationRow>, StoreError> {
    let query = select!(
        "asset IN (SELECT value FROM json_each(?1)) AND NOT (kind = 'DESCRIPTION' AND text = '') ORDER BY asset, row"
    );
    assets.read(db, query, 13, AnnotationRow::of)
}

/// The paths that several assets were imported from: what each of their descriptions says, the oldest first.
pub(in crate::store) fn import_paths(
    db: &Connection,
    assets: &AssetSet,
) -> Result<ByAsset<Option<String>>, StoreError> {
    let query = concat!(
        "SELECT asset, id, ",
        summed!(annotation),
        ", text FROM annotation WHERE asset IN (SELECT value FROM json_each(?1)) AND kind = 'DESCRIPTION' AND text <> ''
         ORDER BY asset, row"
    );
    assets.read(db, query, 0, |row| {
        checksum::verify(row, 2, "annotation", 1)?;
        Ok(import_path(row.get_ref(3)?.as_str()?).map(str::to_owned))
    })
}

/// The texts of the descriptions of assets, in their order.
pub(in crate::store) fn descriptions(db: &Connection, assets: &AssetSet) -> Result<ByAsset<String>, StoreError> {
    let query = concat!(
        "SELECT asset, id, ",
        summed!(annotation),
        ", text FROM annotation WHERE asset IN (SELECT value FROM json_each(?1)) AND kind = 'DESCRIPTION'
         ORDER BY asset, row"
    );
    assets.read(db, query, 0, |row| {
        checksum::verify(row, 2, "annotation", 1)?;
        row.get(3)
    })
}

pub(in crate::store) fn of_item(db: &Connection, item: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("item = ?1 ORDER BY row"))?;
    let rows = statement.query_map([item], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

/// The annotations of several items, by item; `items` is JSON.
pub(in crate::store) fn of_items(db: &Connection, items: &str) -> Result<Grouped<i64>, StoreError> {
    grouped(db, select!("item IN (SELECT value FROM json_each(?1)) ORDER BY item, row"), items, |row| row.get(14))
}

/// Annotations by what they are about.
pub(in crate::store) type Grouped<K> = HashMap<K, Vec<AnnotationRow>>;

fn grouped<K: Eq + Hash>(
    db: &Connection,
    query: &str,
    about: &str,
    key: impl Fn(&Row) -> rusqlite::Result<K>,
) -> Result<Grouped<K>, StoreError> {
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([about], |row| Ok((key(row)?, AnnotationRow::of(row)?)))?;
    let mut annotations = Grouped::new();
    for (about, annotation) in checksum::skip_damaged(rows)? {
        annotations.entry(about).or_default().push(annotation);
    }
    Ok(annotations)
}

pub(in crate::store) fn of_conversation(db: &Connection, conversation: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("conversation = ?1 ORDER BY row"))?;
    let rows = statement.query_map([conversation], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

pub(in crate::store) fn of_person(db: &Connection, person: &str) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("person = ?1 ORDER BY row"))?;
    let rows = statement.query_map([person], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

pub(in crate::store) fn of_anchor(db: &Connection, anchor: &str) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("anchor = ?1 ORDER BY row"))?;
    let rows = statement.query_map([anchor], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

/// The annotations of several persons, by id; `persons` is JSON.
pub(in crate::store) fn of_persons(db: &Connection, persons: &str) -> Result<Grouped<String>, StoreError> {
    grouped(db, select!("person IN (SELECT value FROM json_each(?1)) ORDER BY person, row"), persons, |row| row.get(7))
}

/// The annotations of several anchors, by id; `anchors` is JSON.
pub(in crate::store) fn of_anchors(db: &Connection, anchors: &str) -> Result<Grouped<String>, StoreError> {
    grouped(db, select!("anchor IN (SELECT value FROM json_each(?1)) ORDER BY anchor, row"), anchors, |row| row.get(8))
}

/// Stores an annotation without touching its subject, which is being created or changed itself. Returns its id.
pub(in crate::store) fn insert(db: &Connection, subject: Subject, new: &NewAnnotation) -> Result<String, StoreError> {
    let Subject { asset, item, conversation, person, anchor } = subject;
    let NewAnnotation { kind, text, document } = new;
    let id = new_id();
    db.prepare_cached(
        "INSERT INTO annotation (id, asset, item, conversation, person, anchor, kind, text, folded_text, created,
         updated, document, sum) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11,
         row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?10, ?11))",
    )?
    .execute(params![
        id,
        asset,
        item,
        conversation,
        person,
        anchor,
        kind,
        text,
        text.to_lowercase(),
        now(),
        document
    ])?;
    Ok(id)
}

fn find(db: &Connection, id: &str) -> Result<AnnotationRow, StoreError> {
    db.prepare_cached(select!("id = ?1"))?
        .query_row([id], AnnotationRow::of)
        .optional()?
        .ok_or_else(|| StoreError::not_found("annotation", id))
}

/// The rows of the subjects; fails if an asset, summary or conversation does not exist.
pub(in crate::store) fn subject<'a>(db: &Connection, about: &'a About) -> Result<Subject<'a>, StoreError> {
    let About { asset, summary, conversation, person, anchor } = about;
    Ok(Subject {
        asset: asset.as_deref().map(|id| asset::row_of(db, id)).transpose()?,
        item: summary.as_deref().map(|id| item::row_of(db, ItemKind::Summary, id)).transpose()?,
        conversation: conversation.as_deref().map(|id| conversation::row_of(db, id)).transpose()?,
        person: person.as_deref(),
        anchor: anchor.as_deref(),
    })
}

/// What was done to an annotation.
#[derive(Clone, Copy)]
enum Action {
    Added,
    Updated,
    Deleted,
}

/// Records a change on the subject of the annotation. A description is recorded like one in an update of its asset.
fn record_on_subject(
    db: &Connection,
    subject: Subject,
    id: &str,
    action: Action,
    describes: bool,
) -> Result<(), StoreError> {
    if let Some(asset) = subject.asset {
        let event = match action {
            _ if describes => Event::Described,
            Action::Added => Event::AnnotationAdded,
            Action::Updated => Event::AnnotationUpdated,
            Action::Deleted => Event::AnnotationDeleted,
        };
        // An update of the asset also records a description without its id.
        let metadata = if describes { Metadata::None } else { Metadata::Annotation(id) };
        activity::record(db, asset, event, &metadata)?;
        asset::touch(db, asset)?;
    }
    if let Some(item) = subject.item {
        db.prepare_cached("UPDATE item SET updated = max(?2, updated + 1) WHERE row = ?1")?.execute([item, now()])?;
    }
    if let Some(conversation) = subject.conversation {
        conversation::touch(db, conversation)?;
    }
    Ok(())
}

impl Store {
    /// Calls `each` with every annotation of a kind, or with all, oldest first, until it has enough.
    pub(crate) fn each_annotation(
        &self,
        kind: Option<&str>,
        mut each: impl FnMut(&AnnotationRow) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(select!(
                "(?1 IS NULL OR kind = ?1) AND NOT (kind = 'DESCRIPTION' AND text = '' AND asset IS NOT NULL) ORDER BY row"
            ))?;
            let mut rows = statement.query([kind])?;
            while let Some(row) = rows.next()? {
                if let Some(annotation) = checksum::skip_if_damaged(AnnotationRow::of(row))?
                    && each(&annotation).is_break()
                {
                    break;
                }
            }
            Ok(())
        })
    }

    /// One annotation. Fails with [`StoreError::NotFound`], also for an emptied description.
    pub(crate) fn annotation(&self, id: &str) -> Result<AnnotationRow, StoreError> {
        let found = self.read(|db| find(db, id))?;
        if found.is_empty_description() { Err(StoreError::not_found("annotation", id)) } else { Ok(found) }
    }

    /// Creates an annotation. Fails if its asset, summary or conversation does not exist.
    pub(crate) fn make_annotation(&self, about: About, new: NewAnnotation) -> Result<AnnotationRow, StoreError> {
        self.write(move |db| {
            let subject = subject(db, &about)?;
            let id = insert(db, subject, &new)?;
            record_on_subject(db, subject, &id, Action::Added, new.kind == DESCRIPTION)?;
            find(db, &id)
        })
    }

    /// Changes an annotation as `decide` says, given its current state. Its subject never changes.
    pub(crate) fn update_annotation(
        &self,
        id: &str,
        decide: impl FnOnce(&AnnotationRow) -> Result<AnnotationChange, StoreError> + Send + 'static,
    ) -> Result<AnnotationRow, StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let before = find(db, &id)?;
            let AnnotationChange { kind, text, document } = decide(&before)?;
            let kind = kind.unwrap_or_else(|| before.kind.clone());
            let text = text.unwrap_or_else(|| before.text.clone());
            let document = document.unwrap_or_else(|| before.document.clone());
            if (&kind, &text, &document) == (&before.kind, &before.text, &before.document) {
                return Ok(before);
            }
            db.prepare_cached(
                "UPDATE annotation SET kind = ?2, text = ?3, folded_text = ?4, document = ?5,
                 updated = max(?6, updated + 1) WHERE row = ?1",
            )?
            .execute(params![before.row, kind, text, text.to_lowercase(), document, now()])?;
            let describes = kind == DESCRIPTION || before.kind == DESCRIPTION;
            record_on_subject(db, subject(db, &before.about)?, &id, Action::Updated, describes)?;
            find(db, &id)
        })
    }

    /// Deletes an annotation.
    pub(crate) fn delete_annotation(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let before = find(db, &id)?;
            if before.is_empty_description() {
                return Err(StoreError::not_found("annotation", &id));
            }
            db.prepare_cached("DELETE FROM annotation WHERE row = ?1")?.execute([before.row])?;
            record_on_subject(db, subject(db, &before.about)?, &id, Action::Deleted, before.kind == DESCRIPTION)
        })
    }
}
