//! The Trash: deleted assets, which can be restored until they are deleted permanently.
//!
//! An asset in the Trash keeps its row, formats, content and history in place, so that deleting and restoring write
//! little however large it is; its links and annotations are moved to the tables of the Trash and back. What must hold:
//! nothing but this module shows an asset of the Trash; one that is restored has the id, content, score and history it
//! had, and every link whose other end is still there; a permanent deletion leaves only the row, the name and the
//! history, so that the id can be distinguished from an unknown one.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Transaction};

use super::activity::{self, Event, Metadata};
use super::asset::{self, AssetRow, Transfer, WholeAsset};
use super::item::ItemKind;
use super::{conversation, format, link};
use crate::store::checksum::{self, summed};
use crate::store::{Store, StoreError, now, past};
use lunette_client::model::trash::KEPT_DAYS;

/// How long a deleted asset is kept, in microseconds.
const KEPT: i64 = KEPT_DAYS * 24 * 60 * 60 * 1_000_000;
/// One transaction deletes at most this many assets permanently, so that other writers do not wait long and the log
/// stays small.
pub(in crate::store) const MAX_PER_TRANSACTION: i64 = 64;

/// An asset in the Trash.
pub(crate) struct TrashedAsset {
    /// The asset with its formats, without content, links and annotations.
    pub(crate) whole: WholeAsset,
    /// When it was deleted, in microseconds since 1970 UTC.
    pub(crate) deleted: i64,
}

impl TrashedAsset {
    /// When it will be deleted permanently, in microseconds since 1970 UTC.
    pub(crate) fn expires(&self) -> i64 {
        self.deleted.saturating_add(KEPT)
    }
}

/// The state of an asset.
enum State {
    /// Not deleted.
    Present,
    Trashed,
    /// Deleted permanently.
    Purged,
}

fn state(db: &Connection, id: &str) -> Result<(i64, State), StoreError> {
    let found = db
        .prepare_cached(
            "SELECT row, asset.deleted IS NOT NULL, trash.asset IS NOT NULL
             FROM asset LEFT JOIN trash ON trash.asset = asset.row WHERE id = ?1",
        )?
        .query_row([id], |row| Ok((row.get(0)?, row.get::<_, bool>(1)?, row.get::<_, bool>(2)?)))
        .optional()?;
    match found {
        Some((row, false, _)) => Ok((row, State::Present)),
        Some((row, true, true)) => Ok((row, State::Trashed)),
        Some((row, true, false)) => Ok((row, State::Purged)),
        None => Err(StoreError::not_found("asset", id)),
    }
}

/// Moves an asset that is not deleted to the Trash.
fn move_to_trash(db: &Transaction, asset: i64) -> Result<(), StoreError> {
    db.prepare_cached("INSERT INTO trash (asset, deleted) VALUES (?1, ?2)")?.execute([asset, now()])?;
    for statement in [
        "INSERT INTO trash_link (asset, item, mechanism, created)
         SELECT asset, item, mechanism, created FROM link WHERE asset = ?1",
        "DELETE FROM link WHERE asset = ?1",
        "INSERT INTO trash_aside_link (asset, aside, mechanism, document)
         SELECT asset, aside, mechanism, document FROM aside_link WHERE asset = ?1",
        "DELETE FROM aside_link WHERE asset = ?1",
        "INSERT INTO trash_conversation_asset (conversation, asset)
         SELECT conversation, asset FROM conversation_asset WHERE asset = ?1",
        "DELETE FROM conversation_asset WHERE asset = ?1",
        "INSERT INTO trash_annotation (id, asset, item, conversation, person, anchor, kind, text, folded_text, created,
           updated, document)
         SELECT id, asset, item, conversation, person, anchor, kind, text, folded_text, created, updated, document
         FROM annotation WHERE asset = ?1 ORDER BY row",
        "DELETE FROM annotation WHERE asset = ?1",
        "UPDATE asset SET deleted = updated WHERE row = ?1",
    ] {
        db.prepare_cached(statement)?.execute([asset])?;
    }
    Ok(())
}

/// Moves an asset of the Trash back.
fn restore(db: &Transaction, asset: i64) -> Result<(), StoreError> {
    for statement in [
        "UPDATE asset SET deleted = NULL WHERE row = ?1",
        "INSERT INTO link (asset, item, mechanism, created)
         SELECT asset, item, mechanism, created FROM trash_link WHERE asset = ?1",
        "INSERT INTO aside_link (asset, aside, mechanism, document)
         SELECT asset, aside, mechanism, document FROM trash_aside_link WHERE asset = ?1",
        "INSERT INTO conversation_asset (conversation, asset)
         SELECT conversation, asset FROM trash_conversation_asset WHERE asset = ?1",
        "INSERT INTO annotation (id, asset, item, conversation, person, anchor, kind, text, folded_text, created,
           updated, document)
         SELECT id, asset, item, conversation, person, anchor, kind, text, folded_text, created, updated, document
         FROM trash_annotation WHERE asset = ?1 ORDER BY row",
        // The rows that were copied go with it.
        "DELETE FROM trash WHERE asset = ?1",
    ] {
        db.prepare_cached(statement)?.execute([asset])?;
    }
    Ok(())
}

/// Permanently deletes an asset in the Trash; does nothing if it is not there.
fn purge(db: &Transaction, asset: i64) -> Result<(), StoreError> {
    let is_there = "SELECT EXISTS (SELECT 1 FROM trash WHERE asset = ?1)";
    if !db.prepare_cached(is_there)?.query_row([asset], |row| row.get::<_, bool>(0))? {
        return Ok(());
    }
    past::state_replaced(db, asset)?;
    past::content_gone(db, asset)?;
    db.prepare_cached("DELETE FROM trash WHERE asset = ?1")?.execute([asset])?;
    // The content goes with the formats.
    db.prepare_cached("DELETE FROM format WHERE asset = ?1")?.execute([asset])?;
    db.prepare_cached("UPDATE asset SET document = '{}' WHERE row = ?1")?.execute([asset])?;
    Ok(())
}

/// Permanently deletes expired assets in the Trash, up to a limit; returns how many.
pub(in crate::store) fn purge_expired(db: &Transaction, now: i64, most: i64) -> Result<usize, StoreError> {
    let expired: Vec<i64> = db
        .prepare_cached("SELECT asset FROM trash WHERE deleted <= ?1 ORDER BY deleted LIMIT ?2")?
        .query_map([now.saturating_sub(KEPT), most], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for asset in &expired {
        purge(db, *asset)?;
    }
    Ok(expired.len())
}

/// Removes the links that assets of the Trash have to an item that is being deleted; each records an unlinking.
pub(in crate::store) fn unlink_item(db: &Connection, kind: ItemKind, item: i64, id: &str) -> Result<(), StoreError> {
    let (event, metadata) = match kind {
        ItemKind::Tag => (Event::TagDeleted, Metadata::Tag(id)),
        ItemKind::Website => (Event::WebsiteDeleted, Metadata::Website(id)),
        ItemKind::Summary => {
            let mut statement = db.prepare_cached("SELECT name FROM item WHERE row = ?1")?;
            let name: String = statement.query_row([item], |row| row.get(0))?;
            (Event::Updated, link::summary(&name, "unlinked"))
        }
    };
    let (linked, unlink) = ("SELECT asset FROM trash_link WHERE item = ?1", "DELETE FROM trash_link WHERE item = ?1");
    for asset in unlinked(db, linked, unlink, item)? {
        activity::record_removal(db, asset, event, &metadata)?;
    }
    Ok(())
}

/// Removes the links of a person, an anchor or a hint from the assets in the Trash, and records it in their histories.
pub(in crate::store) fn unlink_related(
    db: &Connection,
    related_record: i64,
    event: Event,
    metadata: &Metadata,
) -> Result<(), StoreError> {
    let linked = "SELECT asset FROM trash_aside_link WHERE aside = ?1";
    let unlink = "DELETE FROM trash_aside_link WHERE aside = ?1";
    for asset in unlinked(db, linked, unlink, related_record)? {
        activity::record_removal(db, asset, event, metadata)?;
    }
    Ok(())
}

/// Removes the links of a conversation from the assets in the Trash, and records it in their histories.
pub(in crate::store) fn unlink_conversation(db: &Connection, conversation: i64) -> Result<(), StoreError> {
    let metadata = conversation::link_metadata(db, conversation, "unlinked")?;
    let linked = "SELECT asset FROM trash_conversation_asset WHERE conversation = ?1";
    let unlink = "DELETE FROM trash_conversation_asset WHERE conversation = ?1";
    for asset in unlinked(db, linked, unlink, conversation)? {
        activity::record_removal(db, asset, Event::Updated, &metadata)?;
    }
    Ok(())
}

/// Removes the links of a table of the Trash that have this end; returns their assets.
fn unlinked(db: &Connection, linked: &str, unlink: &str, end: i64) -> Result<Vec<i64>, StoreError> {
    let mut statement = db.prepare_cached(linked)?;
    let assets: Vec<i64> = statement.query_map([end], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for asset in &assets {
        past::state_replaced(db, *asset)?;
    }
    db.prepare_cached(unlink)?.execute([end])?;
    Ok(assets)
}

impl Store {
    /// Deletes an asset: moves it to the Trash. Reading it then reports that it has been deleted.
    pub(crate) fn delete_asset(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let asset = asset::row_of(db, &id)?;
            activity::record(db, asset, Event::Deleted, &Metadata::None)?;
            asset::touch(db, asset)?;
            move_to_trash(db, asset)
        })
    }

    /// Restores an asset of the Trash. Our choice: one that is not deleted stays as it is, and that is a success. Fails
    /// with [`StoreError::Gone`] on one that was deleted permanently.
    pub(crate) fn restore_asset(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |db| match state(db, &id)? {
            (_, State::Present) => Ok(()),
            (_, State::Purged) => Err(StoreError::gone("asset", id)),
            (asset, State::Trashed) => {
                restore(db, asset)?;
                // Our choice: the fixed list has no event for this. An update without a rank leaves the score as it was.
                let restored = Metadata::Described("Restored from the Trash".to_owned());
                activity::record_without_rank(db, asset, Event::Updated, &restored)?;
                asset::touch(db, asset)
            }
        })
    }

    /// Deletes an asset of the Trash permanently. Fails with [`StoreError::Conflict`] on one that is not in the Trash, and
    /// with [`StoreError::Gone`] on one that was deleted permanently before.
    pub(crate) fn purge_asset(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| match state(db, &id)? {
            (asset, State::Trashed) => purge(db, asset),
            (_, State::Purged) => Err(StoreError::gone("asset", &id)),
            (_, State::Present) => {
                Err(StoreError::taken(format!("the asset with the id {id:?} is not in the Trash; delete it first")))
            }
        })
    }

    /// Deletes permanently everything that is in the Trash now. Fails with [`StoreError::Conflict`], and deletes nothing, if
    /// that are not `count` assets.
    pub(crate) fn empty_trash(&self, count: Option<u64>) -> Result<(), StoreError> {
        let trashed: Vec<i64> = self.read(|db| {
            let mut statement = db.prepare_cached("SELECT asset FROM trash ORDER BY deleted, asset")?;
            let assets = statement.query_map([], |row| row.get(0))?;
            Ok(assets.collect::<Result<_, _>>()?)
        })?;
        if let Some(count) = count.filter(|count| *count != trashed.len() as u64) {
            let held = trashed.len();
            let sentence =
                format!("nothing was deleted because the Trash now holds {held} assets, not {count}: list it again");
            return Err(StoreError::taken(sentence));
        }
        for part in trashed.chunks(MAX_PER_TRANSACTION as usize) {
            self.purge_part(part)?;
        }
        Ok(())
    }

    /// Deletes assets of the Trash permanently, in one transaction. On a small disk that is full the log has no room for
    /// many of them: then a half at a time.
    fn purge_part(&self, part: &[i64]) -> Result<(), StoreError> {
        let assets = part.to_vec();
        match self.write_freeing(move |db| assets.iter().try_for_each(|asset| purge(db, *asset))) {
            Err(StoreError::Full) if part.len() > 1 => {
                let (first, second) = part.split_at(part.len() / 2);
                self.purge_part(first)?;
                self.purge_part(second)
            }
            done => done,
        }
    }

    /// Calls `each` with a page of the Trash, deleted last first, until it has enough: `page` is offset and limit.
    pub(crate) fn each_trashed(
        &self,
        page: (u64, u64),
        mut each: impl FnMut(TrashedAsset) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let clip = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        self.read(|db| {
            let mut statement = db.prepare_cached(concat!(
                "SELECT ",
                asset::columns!(),
                ", trash.deleted FROM trash JOIN asset ON asset.row = trash.asset
                 ORDER BY trash.deleted DESC, trash.asset DESC LIMIT ?2 OFFSET ?1"
            ))?;
            let mut rows = statement.query([clip(page.0), clip(page.1)])?;
            while let Some(row) = rows.next()? {
                let Some(asset) = checksum::skip_if_damaged(AssetRow::of(row))? else { continue };
                let whole = WholeAsset {
                    formats: format::of_asset(db, asset.row, Transfer::Withheld)?,
                    asset,
                    items: Vec::new(),
                    annotations: Vec::new(),
                    conversations: Vec::new(),
                    related: Vec::new(),
                };
                if each(TrashedAsset { whole, deleted: row.get(16)? }).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}
