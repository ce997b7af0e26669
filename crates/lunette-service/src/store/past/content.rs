//! What happens to content: it is replaced, or deleted for good.

use lunette_versions::encode;
use rusqlite::{Connection, OptionalExtension as _};
use sha2::{Digest as _, Sha256};

use super::{CHANGE, What, append, content_lost, is_kept, piece};
use crate::store::StoreError;

/// Appends the content of a format that is about to be replaced by this one.
pub(in crate::store) fn replaced(db: &Connection, asset: i64, format: i64, new: &[u8]) -> Result<(), StoreError> {
    append_content(db, asset, format, Some(new))
}

/// Appends the content of an asset that is about to be deleted for good; on a full disk, only that it was.
pub(in crate::store) fn gone(db: &Connection, asset: i64) -> Result<(), StoreError> {
    if CHANGE.get().saves_space {
        return if is_kept(asset) { content_lost(db, asset) } else { Ok(()) };
    }
    let format = db
        .prepare_cached("SELECT row FROM format WHERE asset = ?1 AND place = 0")?
        .query_row([asset], |row| row.get(0))
        .optional()?;
    format.map_or(Ok(()), |format| append_content(db, asset, format, None))
}

/// Content that does not match its checksum is not kept: no version is to be what was never stored.
fn append_content(db: &Connection, asset: i64, format: i64, next: Option<&[u8]>) -> Result<(), StoreError> {
    if !is_kept(asset) {
        return Ok(());
    }
    let mut statement = db.prepare_cached(
        "SELECT place, sha256, CAST(text AS BLOB), bytes FROM format JOIN content ON content.format = format.row
         WHERE format.row = ?1",
    )?;
    let mut rows = statement.query([format])?;
    let Some(row) = rows.next()? else { return content_lost(db, asset) };
    if row.get::<_, i64>(0)? != 0 {
        return Ok(());
    }
    let text = piece::blob(row, 2)?;
    let content = text.or(piece::blob(row, 3)?).unwrap_or_default();
    if piece::blob(row, 1)? != Some(Sha256::digest(content).as_slice()) {
        return content_lost(db, asset);
    }
    let mut piece = vec![u8::from(text.is_none())];
    piece.extend(encode(content, next));
    append(db, asset, What::Content, piece)
}
