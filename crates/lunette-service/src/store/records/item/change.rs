//! Finds, changes, counts and deletes items.
//!
//! What must hold: no two tags have the same text, no two websites the same address; deleting an item leaves every
//! asset as unlinking would, with the same activity.

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::{ItemKind, ItemRow, of_row, row_of, searched};
use crate::store::records::asset::{Counted, Counter};
use crate::store::records::{link, trash};
use crate::store::{PendingChange, Store, StoreError, now};

/// An update of an item; None keeps the stored value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ItemChange {
    pub(crate) key: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) document: Option<String>,
}

impl Store {
    /// The id of the item with this key, if any.
    pub(crate) fn item_of_key(&self, kind: ItemKind, key: &str) -> Result<Option<String>, StoreError> {
        self.read(|db| of_key(db, kind, key).map(|found| found.map(|(_, id)| id)))
    }

    /// Changes an item by what `decide` makes of its present state, in one transaction. Fails with
    /// [`StoreError::Conflict`] where another item has the new key. Our choice: the assets it is linked to stay untouched,
    /// since nothing was done to them.
    pub(crate) fn update_item(
        &self,
        kind: ItemKind,
        id: &str,
        decide: impl FnOnce(&ItemRow) -> Result<ItemChange, StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let before = of_row(db, row_of(db, kind, &id)?)?;
            let change = decide(&before)?;
            apply(db, &before, change)
        })
    }

    /// Deletes an item and its links; the assets stay, and each records an unlinking.
    pub(crate) fn delete_item(&self, kind: ItemKind, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let item = row_of(db, kind, &id)?;
            let assets: Vec<i64> = db
                .prepare_cached("SELECT asset FROM link WHERE item = ?1 ORDER BY asset")?
                .query_map([item], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            for asset in assets {
                link::remove(db, asset, item)?;
            }
            trash::unlink_item(db, kind, item, &id)?;
            db.prepare_cached("DELETE FROM item WHERE row = ?1")?.execute([item])?;
            Ok(())
        })
    }

    /// Begins to increment a counter of an item. As with assets, `updated` is unchanged: counting is not an edit.
    pub(crate) fn begin_increment_item(
        &self,
        kind: ItemKind,
        id: &str,
        counter: Counter,
    ) -> Result<PendingChange, StoreError> {
        let id = id.to_owned();
        self.queue_change(move |db| counter.one_more(db, Counted::Item, row_of(db, kind, &id)?))
    }
}

fn of_key(db: &Connection, kind: ItemKind, key: &str) -> Result<Option<(i64, String)>, StoreError> {
    Ok(db
        .prepare_cached("SELECT row, id FROM item WHERE kind = ?1 AND key = ?2")?
        .query_row([kind.stored(), key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?)
}

fn apply(db: &Transaction, before: &ItemRow, change: ItemChange) -> Result<(), StoreError> {
    let ItemChange { key, name, document } = change;
    let key = key.or_else(|| before.key.clone());
    let name = name.unwrap_or_else(|| before.name.clone());
    let document = document.unwrap_or_else(|| before.document.clone());
    if (&key, &name, &document) == (&before.key, &before.name, &before.document) {
        return Ok(());
    }
    if let Some(key) = &key
        && let Some((row, id)) = of_key(db, before.kind, key)?
        && row != before.row
    {
        let words = before.kind.as_str();
        return Err(StoreError::taken(format!("another {words} {key:?} already exists, with the id {id:?}")));
    }
    db.prepare_cached(
        "UPDATE item SET key = ?2, name = ?3, folded_name = ?4, document = ?5, updated = max(?6, updated + 1)
         WHERE row = ?1",
    )?
    .execute(params![before.row, key, name, searched(before.kind, &name, key.as_deref()), document, now()])?;
    Ok(())
}
