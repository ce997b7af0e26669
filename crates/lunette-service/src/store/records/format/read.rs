//! Reads formats with their assets.

use std::ops::ControlFlow;

use rusqlite::Connection;

use super::{FormatRow, FoundFormat, find};
use crate::store::records::asset::{self, AssetRow, Transfer};
use crate::store::{Store, StoreError, checksum, checksum::summed};

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

pub(super) fn bytes(size: Option<i64>) -> u64 {
    size.and_then(|size| u64::try_from(size).ok()).unwrap_or_default()
}

impl Store {
    /// The size of the largest content of this asset, or of this format; 0 if there is none.
    pub(crate) fn content_size(&self, id: &str) -> Result<u64, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT max(size) FROM (SELECT size FROM format WHERE asset = (SELECT row FROM asset WHERE id = ?1)
                 UNION ALL SELECT size FROM format WHERE id = ?1)",
            )?;
            Ok(bytes(statement.query_row([id], |row| row.get(0))?))
        })
    }

    /// Calls `each` with the formats of all assets, in order of creation, until it has enough.
    pub(crate) fn each_format(
        &self,
        transfer: Transfer,
        mut each: impl FnMut(WholeFormat) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(select!("asset.deleted IS NULL ORDER BY format.row"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let Some(mut found) = checksum::skip_if_damaged(FoundFormat::of(row))? else { continue };
                found.format = found.format.with_sound_content(db, transfer)?;
                if let Some(found) = checksum::skip_if_damaged(whole(db, found))?
                    && each(found).is_break()
                {
                    break;
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
