//! Items: tags, websites and workstream summaries, which assets are linked to. They share a table, since they are
//! linked alike.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::annotation::{self, AnnotationRow, NewAnnotation, Subject};
use super::asset::{Counted, Counter, Score};
use super::link;
use crate::store::checksum::{self, summed};
use crate::store::{Store, StoreError, now};

mod change;
mod shared;

pub(crate) use crate::store::item_kind::ItemKind;
pub(crate) use change::ItemChange;
pub(crate) use shared::{LinkedItem, SharedItem};
pub(in crate::store) use shared::{SharedItems, of_asset, of_assets};

/// One item. A tag's text and a website's address are its `key`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ItemRow {
    pub(in crate::store) row: i64,
    pub(crate) kind: ItemKind,
    pub(crate) id: String,
    pub(crate) key: Option<String>,
    pub(crate) name: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// Its counters. Activities never belong to an item alone, so the two sums stay 0.
    pub(crate) score: Score,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

macro_rules! columns {
    () => {
        concat!(
            "item.row, kind, id, key, name, item.created, updated, document, score_priority, score_reuse, \
             score_update, score_reference, score_searched, ",
            summed!(item)
        )
    };
}
use columns;

/// The assets of an item, in order of creation.
const LINKED_ASSETS: &str =
    "SELECT asset.id, link.mechanism FROM link JOIN asset ON asset.row = link.asset WHERE item = ?1 ORDER BY asset";

/// An item that is read; its assets are read when they are asked for.
pub(crate) struct ListedItem<'a> {
    pub(crate) item: ItemRow,
    pub(crate) annotations: Vec<AnnotationRow>,
    db: &'a Connection,
}

impl ListedItem<'_> {
    /// How many assets it is linked to.
    pub(crate) fn asset_count(&self) -> Result<i64, StoreError> {
        let mut statement = self.db.prepare_cached("SELECT COUNT(*) FROM link WHERE item = ?1")?;
        Ok(statement.query_row([self.item.row], |row| row.get(0))?)
    }

    /// When an asset that it is linked to was last updated; None where there is none.
    pub(crate) fn asset_updated(&self) -> Result<Option<i64>, StoreError> {
        let latest = "SELECT MAX(asset.updated) FROM link JOIN asset ON asset.row = link.asset WHERE item = ?1";
        let mut statement = self.db.prepare_cached(latest)?;
        Ok(statement.query_row([self.item.row], |row| row.get(0))?)
    }

    /// Calls `each` with the id of each asset and the mechanism of its link, in order of creation, until it has enough.
    pub(crate) fn each_asset(&self, mut each: impl FnMut(&str, &str) -> ControlFlow<()>) -> Result<(), StoreError> {
        let mut statement = self.db.prepare_cached(LINKED_ASSETS)?;
        let mut rows = statement.query([self.item.row])?;
        while let Some(row) = rows.next()? {
            let (asset, mechanism): (String, String) = (row.get(0)?, row.get(1)?);
            if each(&asset, &mechanism).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// A new item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewItem {
    pub(crate) kind: ItemKind,
    /// The id that a new one keeps, if it is free; None for a new id.
    pub(crate) id: Option<String>,
    /// The key that identifies an existing one; None is always new.
    pub(crate) key: Option<String>,
    pub(crate) name: String,
    pub(crate) document: String,
    pub(crate) annotations: Vec<NewAnnotation>,
    /// Counters of its score, if it had any in an archive.
    pub(crate) counters: Vec<(Counter, i64)>,
    /// How it comes to be linked to an asset that it is created with.
    pub(crate) mechanism: String,
}

impl ItemRow {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        let kind = ItemKind::of(row.get_ref(1)?.as_str().unwrap_or_default());
        checksum::verify(row, 13, kind.as_str(), 2)?;
        Ok(Self {
            row: row.get(0)?,
            kind,
            id: row.get(2)?,
            key: row.get(3)?,
            name: row.get(4)?,
            created: row.get(5)?,
            updated: row.get(6)?,
            document: row.get(7)?,
            score: Score {
                priority: row.get(8)?,
                reuse: row.get(9)?,
                update: row.get(10)?,
                reference: row.get(11)?,
                searched: row.get(12)?,
                ..Score::default()
            },
        })
    }
}

/// Only workstream summaries carry annotations.
fn annotations(db: &Connection, item: &ItemRow) -> Result<Vec<AnnotationRow>, StoreError> {
    match item.kind {
        ItemKind::Summary => annotation::of_item(db, item.row),
        ItemKind::Tag | ItemKind::Website => Ok(Vec::new()),
    }
}

/// The row of the item of this kind and id.
pub(in crate::store) fn row_of(db: &Connection, kind: ItemKind, id: &str) -> Result<i64, StoreError> {
    db.prepare_cached("SELECT row FROM item WHERE kind = ?1 AND id = ?2")?
        .query_row([kind.stored(), id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| StoreError::not_found(kind.as_str(), id))
}

/// Creates an item, or finds the existing one; returns its row.
pub(in crate::store) fn make(db: &Connection, new: &NewItem) -> Result<i64, StoreError> {
    let same = db
        .prepare_cached("SELECT row FROM item WHERE kind = ?1 AND key = ?2")?
        .query_row(params![new.kind.stored(), new.key], |row| row.get(0))
        .optional()?;
    match same {
        Some(row) => Ok(row),
        None => insert(db, &free_id(db, new)?, new),
    }
}

/// The id of a new item: the one that it keeps, if that is free.
fn free_id(db: &Connection, new: &NewItem) -> Result<String, StoreError> {
    let kept = new.id.as_ref().map(|id| (id, row_of(db, new.kind, id)));
    match kept {
        Some((id, Err(StoreError::NotFound { .. }))) => Ok(id.clone()),
        Some((_, Err(error))) => Err(error),
        Some((_, Ok(_))) | None => Ok(uuid::Uuid::new_v4().to_string()),
    }
}

/// The item of this kind and id, which is created if there is none; returns its row.
pub(in crate::store) fn make_with_id(db: &Connection, id: &str, new: &NewItem) -> Result<i64, StoreError> {
    match row_of(db, new.kind, id) {
        Err(StoreError::NotFound { .. }) => insert(db, id, new),
        found => found,
    }
}

fn insert(db: &Connection, id: &str, new: &NewItem) -> Result<i64, StoreError> {
    db.prepare_cached(
        "INSERT INTO item (kind, id, key, name, folded_name, created, updated, document)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)",
    )?
    .execute(params![
        new.kind.stored(),
        id,
        new.key,
        new.name,
        searched(new.kind, &new.name, new.key.as_deref()),
        now(),
        new.document
    ])?;
    let row = db.last_insert_rowid();
    for annotation in &new.annotations {
        annotation::insert(db, Subject::item(row), annotation)?;
    }
    for (counter, count) in &new.counters {
        counter.set(db, Counted::Item, row, *count)?;
    }
    Ok(row)
}

/// Replaces what an item says; its annotations, counters and times stay.
pub(in crate::store) fn replace(db: &Connection, row: i64, new: &NewItem) -> Result<(), StoreError> {
    let searched = searched(new.kind, &new.name, new.key.as_deref());
    db.prepare_cached("UPDATE item SET key = ?2, name = ?3, folded_name = ?4, document = ?5 WHERE row = ?1")?
        .execute(params![row, new.key, new.name, searched, new.document])?;
    Ok(())
}

/// The searchable text of an item.
fn searched(kind: ItemKind, name: &str, key: Option<&str>) -> String {
    match kind {
        ItemKind::Website => format!("{name} {}", key.unwrap_or_default()).to_lowercase(),
        ItemKind::Tag | ItemKind::Summary => name.to_lowercase(),
    }
}

/// The item of this row.
fn of_row(db: &Connection, row: i64) -> Result<ItemRow, StoreError> {
    let mut statement = db.prepare_cached(concat!("SELECT ", columns!(), " FROM item WHERE row = ?1"))?;
    Ok(statement.query_row([row], ItemRow::of)?)
}

impl Store {
    /// Calls `each` with all items of a kind, oldest first, until it has enough.
    pub(crate) fn each_item(
        &self,
        kind: ItemKind,
        mut each: impl FnMut(&ListedItem) -> Result<ControlFlow<()>, StoreError>,
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement =
                db.prepare_cached(concat!("SELECT ", columns!(), " FROM item WHERE kind = ?1 ORDER BY row"))?;
            let mut rows = statement.query([kind.stored()])?;
            while let Some(row) = rows.next()? {
                let Some(item) = checksum::skip_if_damaged(ItemRow::of(row))? else { continue };
                if each(&ListedItem { annotations: annotations(db, &item)?, item, db })?.is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Calls `read` with one item.
    pub(crate) fn with_item<T>(
        &self,
        kind: ItemKind,
        id: &str,
        read: impl FnOnce(&ListedItem) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read(|db| {
            let item = of_row(db, row_of(db, kind, id)?)?;
            read(&ListedItem { annotations: annotations(db, &item)?, item, db })
        })
    }

    /// Creates an item, or returns the existing one; links it to these assets.
    pub(crate) fn make_item(&self, new: NewItem, assets: Vec<String>) -> Result<ItemRow, StoreError> {
        self.write(move |db| {
            let row = make(db, &new)?;
            for asset in &assets {
                link::add(db, asset, (row, &new.mechanism))?;
            }
            of_row(db, row)
        })
    }
}
