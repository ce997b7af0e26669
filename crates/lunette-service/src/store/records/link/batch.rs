//! Links made and removed together: each side is read once and touched once, however many links it takes part in.
//!
//! What must hold: the same links and history as one after the other; scores and `updated` are those after the last.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::{Connection, OptionalExtension as _};

use super::room::{self, RecordBound};
use crate::store::item_kind::ItemKind;
use crate::store::link_change::{LinkAction, LinkChange, LinkOutcome};
use crate::store::records::activity::NewEvent;
use crate::store::records::asset;
use crate::store::{StoreError, now};

/// Makes and removes links: an outcome each. Fails if all of it must be rolled back.
pub(in crate::store) fn apply(
    db: &Connection,
    changes: &[&LinkChange],
) -> Result<Vec<Result<LinkOutcome, StoreError>>, StoreError> {
    let mut batch = LinkBatch { db, assets: HashMap::new(), items: HashMap::new() };
    let mut outcomes = Vec::with_capacity(changes.len());
    for change in changes {
        outcomes.push(match batch.apply(change) {
            Err(error @ (StoreError::NotFound { .. } | StoreError::Gone { .. })) => Err(error),
            outcome => Ok(outcome?),
        });
    }
    batch.touch()?;
    Ok(outcomes)
}

/// The assets and items of the links, by the ids that were given.
struct LinkBatch<'a> {
    db: &'a Connection,
    assets: HashMap<&'a str, LinkedAsset>,
    items: HashMap<(ItemKind, &'a str), LinkedItem>,
}

struct LinkedAsset {
    row: i64,
    id: String,
    /// The row of the application it came from.
    origin: Option<i64>,
    /// No smaller than its record; None until it is needed.
    bound: Option<RecordBound>,
    touched: bool,
    /// What is added to its score.
    rank: i64,
}

struct LinkedItem {
    row: i64,
    id: String,
    name: String,
    /// No smaller than what it adds to the record of an asset.
    bytes: i64,
    touched: bool,
}

impl<'a> LinkBatch<'a> {
    fn apply(&mut self, change: &'a LinkChange) -> Result<LinkOutcome, StoreError> {
        let LinkChange { asset, kind, item, action, record_bytes } = change;
        let db = self.db;
        let asset = match self.assets.entry(asset) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(unread) => unread.insert(LinkedAsset::find(db, asset)?),
        };
        let item = match self.items.entry((*kind, item)) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(unread) => unread.insert(LinkedItem::find(db, *kind, item)?),
        };
        if let Some(limit) = record_bytes
            && !asset.bound(db)?.fits(*limit)
        {
            return Ok(LinkOutcome::MeasureFirst);
        }
        let changed = match action {
            LinkAction::Added => db
                .prepare_cached(
                    "INSERT INTO link (asset, item, mechanism, created) VALUES (?1, ?2, 'MANUAL', ?3)
                     ON CONFLICT DO NOTHING",
                )?
                .execute([asset.row, item.row, now()])?,
            LinkAction::Deleted => {
                db.prepare_cached("DELETE FROM link WHERE asset = ?1 AND item = ?2")?.execute([asset.row, item.row])?
            }
        };
        if changed > 0 {
            asset.record(db, item, *kind, *action)?;
        }
        Ok(LinkOutcome::Done)
    }

    /// Advances `updated` on every side that changed, and the scores of the assets.
    fn touch(&self) -> Result<(), StoreError> {
        let mut statement = self.db.prepare_cached("UPDATE item SET updated = max(?2, updated + 1) WHERE row = ?1")?;
        for item in self.items.values().filter(|item| item.touched) {
            statement.execute([item.row, now()])?;
        }
        for side in self.assets.values().filter(|asset| asset.touched) {
            asset::touch_and_score(self.db, side.row, side.rank)?;
        }
        Ok(())
    }
}

impl LinkedAsset {
    fn find(db: &Connection, id: &str) -> Result<Self, StoreError> {
        let found = db
            .prepare_cached(
                "SELECT asset.row, asset.id, asset.deleted, format.origin
                 FROM asset LEFT JOIN format ON format.asset = asset.row AND place = 0 WHERE asset.id = ?1",
            )?
            .query_row([id], |row| {
                let side = Self {
                    row: row.get(0)?,
                    id: row.get(1)?,
                    origin: row.get(3)?,
                    bound: None,
                    touched: false,
                    rank: 0,
                };
                Ok((side, row.get::<_, Option<i64>>(2)?))
            })
            .optional()?;
        match found {
            Some((side, None)) => Ok(side),
            Some((_, Some(_))) => Err(StoreError::gone("asset", id)),
            None => Err(StoreError::not_found("asset", id)),
        }
    }

    fn bound(&mut self, db: &Connection) -> Result<RecordBound, StoreError> {
        match self.bound {
            Some(bound) => Ok(bound),
            None => Ok(*self.bound.insert(RecordBound::of(db, self.row)?)),
        }
    }

    /// Records a link that was made or removed.
    fn record(
        &mut self,
        db: &Connection,
        item: &mut LinkedItem,
        kind: ItemKind,
        change: LinkAction,
    ) -> Result<(), StoreError> {
        let (event, metadata) = change.event(kind, &item.id, &item.name);
        let rank = change.rank(event);
        if let Some(origin) = self.origin {
            NewEvent { asset: self.row, asset_id: &self.id, origin, event, rank, metadata: &metadata }.insert(db)?;
        }
        if let (LinkAction::Added, Some(bound)) = (change, &mut self.bound) {
            bound.add(item.bytes);
        }
        self.rank += rank;
        self.touched = true;
        item.touched = true;
        Ok(())
    }
}

impl LinkedItem {
    fn find(db: &Connection, kind: ItemKind, id: &str) -> Result<Self, StoreError> {
        db.prepare_cached(
            "SELECT row, id, name, coalesce(octet_length(key), 0) + octet_length(name), octet_length(document)
             FROM item WHERE kind = ?1 AND id = ?2",
        )?
        .query_row([kind.stored(), id], |row| {
            let bytes = room::item_bytes(row.get(3)?, row.get(4)?);
            Ok(Self { row: row.get(0)?, id: row.get(1)?, name: row.get(2)?, bytes, touched: false })
        })
        .optional()?
        .ok_or_else(|| StoreError::not_found(kind.as_str(), id))
    }
}
