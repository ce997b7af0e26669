//! Links between assets and items: one row each, so both sides agree.
//!
//! What must hold: a link that was made or removed advances `updated` on both sides, is in the history of the asset and
//! in its score.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::activity::{self, Event, Metadata};
use super::asset;
use super::item::ItemKind;
use crate::store::link_change::{LinkAction, LinkChange};
use crate::store::{PendingChange, Store, StoreError, now};

mod batch;
mod room;

pub(in crate::store) use batch::apply;

/// Links an item to an asset with this mechanism; does nothing if it is already linked.
pub(in crate::store) fn add(db: &Connection, asset: &str, item: (i64, &str)) -> Result<(), StoreError> {
    add_to_row(db, asset::row_of(db, asset)?, item)
}

pub(in crate::store) fn add_to_row(
    db: &Connection,
    asset: i64,
    (item, mechanism): (i64, &str),
) -> Result<(), StoreError> {
    let linked = db
        .prepare_cached(
            "INSERT INTO link (asset, item, mechanism, created) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        )?
        .execute(params![asset, item, mechanism, now()])?;
    if linked == 0 { Ok(()) } else { changed(db, asset, item, LinkAction::Added) }
}

/// Removes a link of an asset; does nothing without one.
pub(in crate::store) fn remove(db: &Connection, asset: i64, item: i64) -> Result<(), StoreError> {
    let unlinked = db.prepare_cached("DELETE FROM link WHERE asset = ?1 AND item = ?2")?.execute([asset, item])?;
    if unlinked == 0 { Ok(()) } else { changed(db, asset, item, LinkAction::Deleted) }
}

impl LinkAction {
    /// The event that the asset records, and its metadata.
    fn event<'a>(self, kind: ItemKind, id: &'a str, name: &str) -> (Event, Metadata<'a>) {
        match (kind, self) {
            (ItemKind::Tag, Self::Added) => (Event::TagAdded, Metadata::Tag(id)),
            (ItemKind::Tag, Self::Deleted) => (Event::TagDeleted, Metadata::Tag(id)),
            (ItemKind::Website, Self::Added) => (Event::WebsiteAdded, Metadata::Website(id)),
            (ItemKind::Website, Self::Deleted) => (Event::WebsiteDeleted, Metadata::Website(id)),
            (ItemKind::Summary, Self::Added) => (Event::Updated, summary(name, "linked")),
            (ItemKind::Summary, Self::Deleted) => (Event::Updated, summary(name, "unlinked")),
        }
    }

    /// What it adds to the score of the asset.
    fn rank(self, event: Event) -> i64 {
        match self {
            Self::Added => event.rank(),
            Self::Deleted => activity::removal_rank(event),
        }
    }
}

/// Records a change of a link on both sides.
fn changed(db: &Connection, asset: i64, item: i64, change: LinkAction) -> Result<(), StoreError> {
    let (kind, id, name): (String, String, String) = db
        .prepare_cached("UPDATE item SET updated = max(?2, updated + 1) WHERE row = ?1 RETURNING kind, id, name")?
        .query_row([item, now()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?
        .ok_or_else(|| StoreError::Broken("a link has no item".to_owned()))?;
    let (event, metadata) = change.event(ItemKind::of(&kind), &id, &name);
    let rank = change.rank(event);
    activity::insert_event(db, asset, event, rank, &metadata)?;
    asset::touch_and_score(db, asset, rank)
}

/// The sentence that records a workstream summary's link.
pub(in crate::store) fn summary(name: &str, verb: &str) -> Metadata<'static> {
    Metadata::Described(activity::link_sentence("Summary", name, verb))
}

impl Store {
    /// Begins to link an item to an asset. Idempotent. Fails if either does not exist. With a limit it does nothing if the
    /// record of the asset may be larger than that many bytes.
    pub(crate) fn begin_link(
        &self,
        asset: &str,
        kind: ItemKind,
        item: &str,
        record_bytes: Option<usize>,
    ) -> Result<PendingChange, StoreError> {
        self.writer.queue_link(LinkChange::add(asset, kind, item, record_bytes))
    }

    /// Begins to remove a link. Does nothing without one. Fails if either does not exist.
    pub(crate) fn begin_unlink(&self, asset: &str, kind: ItemKind, item: &str) -> Result<PendingChange, StoreError> {
        self.writer.queue_link(LinkChange::remove(asset, kind, item))
    }

    /// Links an item, and waits until that is durable.
    #[cfg(test)]
    pub(crate) fn link(&self, asset: &str, kind: ItemKind, item: &str) -> Result<(), StoreError> {
        self.begin_link(asset, kind, item, None)?.wait().map(drop)
    }

    /// Removes a link, and waits until that is durable.
    #[cfg(test)]
    pub(crate) fn unlink(&self, asset: &str, kind: ItemKind, item: &str) -> Result<(), StoreError> {
        self.begin_unlink(asset, kind, item)?.wait().map(drop)
    }
}
