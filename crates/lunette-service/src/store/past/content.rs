//! What happens to content: it is replaced, or deleted for good.
//!
//! What must hold: the writer is not held for as long as it takes to compare large contents. Their difference is made before
//! the write, from what is stored then; if another was stored meanwhile, that is appended as it is.

use lunette_versions::{WHOLE_EVERY, encode, encode_uncompressed};
use rusqlite::{Connection, OptionalExtension as _};
use sha2::{Digest as _, Sha256};

use super::entry::{self, PastContent};
use super::piece::Piece;
use super::{CHANGE, What, append, content_lost, is_appended, piece};
use crate::store::StoreError;

/// Content from this size on is compared before the write that replaces it, in bytes.
pub(in crate::store) const PREPARED_FROM: usize = 64 << 10;
/// Content that is deleted for good is compressed below this size, in bytes.
const COMPRESSED_BELOW: usize = 256 << 10;

/// The difference of a content from what will replace it.
pub(in crate::store) struct Prepared {
    /// The SHA-256 of the content.
    sha256: [u8; 32],
    bytes: Vec<u8>,
}

/// Compares the content of a format with what will replace it, if one of them is large. Without a format of this id there is
/// nothing to compare.
pub(in crate::store) fn prepare(db: &Connection, format: &str, new: &[u8]) -> Result<Option<Prepared>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT sha256, coalesce(bytes, CAST(text AS BLOB)), asset FROM format JOIN content ON content.format = format.row
         WHERE id = ?1 AND place = 0 AND max(size, ?2) >= ?3",
    )?;
    let mut rows = statement.query((format, new.len() as i64, PREPARED_FROM as i64))?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let content = piece::blob(row, 1)?.unwrap_or_default();
    let sha256 = <[u8; 32]>::from(Sha256::digest(content));
    if piece::blob(row, 0)? != Some(sha256.as_slice()) {
        return Ok(None);
    }
    let is_whole_due = entry::chain(db, row.get(2)?)?.content_steps() + 1 >= WHOLE_EVERY;
    Ok(Some(Prepared { sha256, bytes: encode(content, Some(new).filter(|_| !is_whole_due)) }))
}

/// How the content that is replaced is stored.
enum Next<'a> {
    /// As its difference from this.
    Difference(&'a [u8]),
    /// As it was prepared.
    Prepared(Prepared),
    /// Whole: nothing follows it.
    Nothing,
}

/// Appends the content of a format that is about to be replaced by this one.
pub(in crate::store) fn replaced(
    db: &Connection,
    asset: i64,
    format: i64,
    new: &[u8],
    prepared: Option<Prepared>,
) -> Result<(), StoreError> {
    append_content(db, asset, format, prepared.map_or(Next::Difference(new), Next::Prepared))
}

/// Appends the content of an asset that is about to be deleted for good; on a full disk, only that it was.
pub(in crate::store) fn gone(db: &Connection, asset: i64) -> Result<(), StoreError> {
    if CHANGE.get().saves_space {
        return if is_appended(db, asset)? { content_lost(db, asset) } else { Ok(()) };
    }
    let format = db
        .prepare_cached("SELECT row FROM format WHERE asset = ?1 AND place = 0")?
        .query_row([asset], |row| row.get(0))
        .optional()?;
    format.map_or(Ok(()), |format| append_content(db, asset, format, Next::Nothing))
}

/// Content that does not match its checksum is not kept: no version is to be what was never stored.
fn append_content(db: &Connection, asset: i64, format: i64, next: Next<'_>) -> Result<(), StoreError> {
    if !is_appended(db, asset)? {
        return Ok(());
    }
    let mut statement = db.prepare_cached(
        "SELECT place, sha256, CAST(text AS BLOB), bytes, binary FROM format JOIN content ON content.format = format.row
         WHERE format.row = ?1",
    )?;
    let mut rows = statement.query([format])?;
    let Some(row) = rows.next()? else { return content_lost(db, asset) };
    if row.get::<_, i64>(0)? != 0 {
        return Ok(());
    }
    let sha256 = piece::blob(row, 1)?;
    if let Next::Prepared(prepared) = &next
        && sha256 == Some(prepared.sha256.as_slice())
    {
        return append_piece(db, asset, row.get(4)?, &prepared.bytes);
    }
    let text = piece::blob(row, 2)?;
    let content = text.or(piece::blob(row, 3)?).unwrap_or_default();
    if sha256 != Some(Sha256::digest(content).as_slice()) {
        return content_lost(db, asset);
    }
    let stored = match next {
        Next::Difference(new) if content.len().max(new.len()) < PREPARED_FROM => encode(content, Some(new)),
        Next::Nothing if content.len() < COMPRESSED_BELOW => encode(content, None),
        Next::Difference(_) | Next::Prepared(_) | Next::Nothing => encode_uncompressed(content),
    };
    append_piece(db, asset, text.is_none(), &stored)
}

fn append_piece(db: &Connection, asset: i64, binary: bool, stored: &[u8]) -> Result<(), StoreError> {
    append(db, asset, What::Content, piece_of(binary, stored))
}

fn piece_of(binary: bool, stored: &[u8]) -> Vec<u8> {
    let mut piece = Vec::with_capacity(stored.len() + 1);
    piece.push(u8::from(binary));
    piece.extend_from_slice(stored);
    piece
}

/// Content as a piece that hangs on no other.
pub(super) fn whole_piece(content: &PastContent) -> Piece {
    Piece { what: What::Content, bytes: piece_of(content.binary, &encode(&content.bytes, None)) }
}
