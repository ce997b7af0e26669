//! Links between assets and items: one row each, so both sides agree.

use rusqlite::{Connection, OptionalExtension as _};

use super::activity::{self, Event, Metadata};
use super::item::{self, ItemKind};
use super::{Store, StoreError, asset, now};

/// Links an item to an asset; does nothing if it is already linked.
pub(super) fn add(db: &Connection, asset: &str, item: i64) -> Result<(), StoreError> {
    add_to_row(db, asset::row_of(db, asset)?, item)
}

pub(super) fn add_to_row(db: &Connection, asset: i64, item: i64) -> Result<(), StoreError> {
    let linked = db
        .prepare_cached(
            "INSERT INTO link (asset, item, mechanism, created) VALUES (?1, ?2, 'MANUAL', ?3) ON CONFLICT DO NOTHING",
        )?
        .execute([asset, item, now()])?;
    if linked == 0 { Ok(()) } else { changed(db, asset, item, Change::Added) }
}

/// Removes a link of an asset; does nothing without one.
pub(super) fn remove(db: &Connection, asset: i64, item: i64) -> Result<(), StoreError> {
    let unlinked = db.prepare_cached("DELETE FROM link WHERE asset = ?1 AND item = ?2")?.execute([asset, item])?;
    if unlinked == 0 { Ok(()) } else { changed(db, asset, item, Change::Deleted) }
}

#[derive(Clone, Copy)]
enum Change {
    Added,
    Deleted,
}

/// Records a change of a link on both sides.
fn changed(db: &Connection, asset: i64, item: i64, change: Change) -> Result<(), StoreError> {
    let (kind, id, name): (String, String, String) = db
        .prepare_cached("UPDATE item SET updated = max(?2, updated + 1) WHERE row = ?1 RETURNING kind, id, name")?
        .query_row([item, now()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?
        .ok_or_else(|| StoreError::Broken("a link has no item".to_owned()))?;
    let (event, metadata) = match (kind.as_str(), change) {
        ("tag", Change::Added) => (Event::TagAdded, Metadata::Tag(&id)),
        ("tag", Change::Deleted) => (Event::TagDeleted, Metadata::Tag(&id)),
        ("website", Change::Added) => (Event::WebsiteAdded, Metadata::Website(&id)),
        ("website", Change::Deleted) => (Event::WebsiteDeleted, Metadata::Website(&id)),
        (_, Change::Added) => (Event::Updated, summary(&name, "linked")),
        (_, Change::Deleted) => (Event::Updated, summary(&name, "unlinked")),
    };
    match change {
        Change::Added => activity::record(db, asset, event, &metadata)?,
        Change::Deleted => activity::record_removal(db, asset, event, &metadata)?,
    }
    asset::touch(db, asset)
}

/// The sentence that records a workstream summary's link.
pub(super) fn summary(name: &str, verb: &str) -> Metadata<'static> {
    Metadata::Described(activity::link_sentence("Summary", name, verb))
}

impl Store {
    /// Links an item to an asset, durably. Idempotent. Fails if either does not exist.
    pub(crate) fn link(&self, asset: &str, kind: ItemKind, item: &str) -> Result<(), StoreError> {
        let (asset, item) = (asset.to_owned(), item.to_owned());
        self.write(move |db| add_to_row(db, asset::row_of(db, &asset)?, item::row_of(db, kind, &item)?))
    }

    /// Removes a link, durably. Does nothing without one. Fails if either does not exist.
    pub(crate) fn unlink(&self, asset: &str, kind: ItemKind, item: &str) -> Result<(), StoreError> {
        let (asset, item) = (asset.to_owned(), item.to_owned());
        self.write_freeing(move |db| remove(db, asset::row_of(db, &asset)?, item::row_of(db, kind, &item)?))
    }
}
