//! How often the assets of a connection were used.

use rusqlite::Connection;

use crate::db::rows::ASSET_USE;
use crate::db::{Database, DatabaseError};

/// Our choice: the uses of so many assets of a connection are kept; those of the assets that were not used for longest
/// are dropped.
const MOST: usize = 10_000;

impl Database {
    /// The assets of a connection that were used, each with how often; damaged rows are skipped. Blocks.
    pub(crate) fn asset_uses(&self, connection: &str) -> Result<Vec<(String, u16)>, DatabaseError> {
        let found = self.read(|db| ASSET_USE.read(db, "connection = ?1", [connection]))?;
        let used = found.rows.into_iter().filter_map(|(_, columns)| {
            let [_, asset, uses] = <[String; 3]>::try_from(columns).ok()?;
            Some((asset, uses.parse().ok()?))
        });
        Ok(used.collect())
    }

    /// Counts one more use of an asset. Blocks.
    pub(crate) fn count_asset_use(&self, connection: &str, asset: &str) -> Result<(), DatabaseError> {
        self.write_unsynced(|db| {
            let uses = uses(db, connection, asset)?.saturating_add(1).to_string();
            // A replaced row gets a new id, so that the ids are in the order in which assets were used last.
            ASSET_USE.insert(db, &[connection, asset, &uses])?;
            let surplus = "DELETE FROM asset_use WHERE id IN
                (SELECT id FROM asset_use WHERE connection = ?1 ORDER BY id DESC LIMIT -1 OFFSET ?2)";
            db.prepare_cached(surplus)?.execute((connection, MOST as i64)).map(drop)
        })
    }
}

fn uses(db: &Connection, connection: &str, asset: &str) -> rusqlite::Result<u16> {
    let rows = ASSET_USE.read(db, "connection = ?1 AND asset = ?2", [connection, asset])?.rows;
    let uses = rows.into_iter().next().and_then(|(_, columns)| columns.into_iter().nth(2));
    Ok(uses.and_then(|uses| uses.parse().ok()).unwrap_or_default())
}
