//! Formats by themselves: each with the asset it is of.

use rusqlite::Connection;

use super::{FormatRow, FoundFormat, find};
use crate::store::asset::{self, AssetRow, Transfer};
use crate::store::{Store, StoreError, sums};

/// A format, the asset it is of, and the ids of all formats of that.
pub(crate) struct WholeFormat {
    pub(crate) format: FormatRow,
    pub(crate) asset: AssetRow,
    pub(crate) format_ids: Vec<String>,
}

fn whole(db: &Connection, found: FoundFormat) -> Result<WholeFormat, StoreError> {
    let asset = asset::find(db, &found.asset_id)?;
    let mut ids = db.prepare_cached("SELECT id FROM format WHERE asset = ?1 ORDER BY place")?;
    let format_ids = ids.query_map([found.asset], |row| row.get(0))?.collect::<Result<_, _>>()?;
    Ok(WholeFormat { format: found.format, asset, format_ids })
}

impl Store {
    /// Gives the formats of all assets to `each`, in the order they were made.
    pub(crate) fn each_format(&self, transfer: Transfer, mut each: impl FnMut(WholeFormat)) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(select!("asset.deleted IS NULL ORDER BY format.row"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let mut found = FoundFormat::of(row)?;
                found.format = found.format.with_sound_content(db, transfer)?;
                if let Some(found) = sums::if_sound(whole(db, found))? {
                    each(found);
                }
            }
            Ok(())
        })
    }

    /// One format. Fails with [`StoreError::NotFound`].
    pub(crate) fn format(&self, id: &str, transfer: Transfer) -> Result<WholeFormat, StoreError> {
        self.read(|db| {
            let found = find(db, id, transfer)?.ok_or_else(|| StoreError::not_found("format", id))?;
            whole(db, found)
        })
    }
}
