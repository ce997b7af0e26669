//! Formats of assets, and their content.
//!
//! What must hold: content is in its own table and is read only on request.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sha2::{Digest as _, Sha256};

use super::asset::{AssetSet, ByAsset, Transfer};
use crate::store::StoreError;
use crate::store::checksum::{self, summed};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT format.row, format.id, role, generic, specific, origin.document, binary, size, format.created,
             format.updated, ",
            summed!(format),
            ", asset.row, asset.id
             FROM format JOIN origin ON origin.row = format.origin
             JOIN asset ON asset.row = format.asset WHERE ",
            $rest
        )
    };
}

mod change;
mod largest;
mod read;

pub(in crate::store) use change::replace_original;
pub(in crate::store) use largest::LargestContent;
pub(crate) use read::WholeFormat;

/// A format, with its content on request.
pub(crate) struct FormatRow {
    pub(in crate::store) row: i64,
    pub(crate) id: String,
    pub(crate) role: String,
    pub(crate) generic: String,
    pub(crate) specific: String,
    /// The record of the application it came from, as JSON.
    pub(crate) application: String,
    pub(crate) binary: bool,
    pub(crate) size_bytes: i64,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) content: Option<Content>,
}

/// The content of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Text(String),
    Bytes(Vec<u8>),
}

impl Content {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    pub(in crate::store) fn sha256(&self) -> [u8; 32] {
        Sha256::digest(self.as_bytes()).into()
    }
}

impl FormatRow {
    /// Reads the columns from the first on: those of a format, and whether its checksum holds.
    fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 10, "format", 1)?;
        Ok(Self {
            row: row.get(0)?,
            id: row.get(1)?,
            role: row.get(2)?,
            generic: row.get(3)?,
            specific: row.get(4)?,
            application: row.get(5)?,
            binary: row.get(6)?,
            size_bytes: row.get(7)?,
            created: row.get(8)?,
            updated: row.get(9)?,
            content: None,
        })
    }

    fn with_content(mut self, db: &Connection, transfer: Transfer) -> Result<Self, StoreError> {
        if transfer == Transfer::Full {
            self.content = Some(content(db, &self)?);
        }
        Ok(self)
    }

    /// With content if that is intact.
    fn with_sound_content(mut self, db: &Connection, transfer: Transfer) -> Result<Self, StoreError> {
        if transfer == Transfer::Full {
            self.content = checksum::skip_if_damaged(content(db, &self))?;
        }
        Ok(self)
    }
}

/// The formats of an asset, the original first. Fails if content is read and damaged.
pub(in crate::store) fn of_asset(
    db: &Connection,
    asset: i64,
    transfer: Transfer,
) -> Result<Vec<FormatRow>, StoreError> {
    rows_of(db, asset)?.into_iter().map(|format| format.with_content(db, transfer)).collect()
}

/// The formats of an asset of a list, the original first, without content that is damaged.
pub(in crate::store) fn of_listed_asset(
    db: &Connection,
    asset: i64,
    transfer: Transfer,
) -> Result<Vec<FormatRow>, StoreError> {
    with_sound_contents(db, rows_of(db, asset)?, transfer)
}

/// The formats of assets, the original of each first, without content. An asset with a damaged one has none: its record
/// would have another original.
pub(in crate::store) fn of_assets(db: &Connection, assets: &AssetSet) -> Result<ByAsset<FormatRow>, StoreError> {
    let query = concat!(
        "SELECT format.row, id, role, generic, specific, origin.document, binary, size, created, updated, ",
        summed!(format),
        ", asset FROM format JOIN origin ON origin.row = format.origin
         WHERE asset IN (SELECT value FROM json_each(?1)) ORDER BY asset, place"
    );
    let read = |row: &Row| checksum::skip_if_damaged(FormatRow::of(row));
    let found = assets.read(db, query, 11, |row| Ok(read(row)))?;
    let mut sound = ByAsset::new();
    for (asset, formats) in found {
        let formats: Vec<Option<_>> = formats.into_iter().collect::<Result<_, _>>()?;
        if let Some(formats) = formats.into_iter().collect() {
            sound.insert(asset, formats);
        }
    }
    Ok(sound)
}

/// Formats with their content, as far as it is intact.
pub(in crate::store) fn with_sound_contents(
    db: &Connection,
    formats: Vec<FormatRow>,
    transfer: Transfer,
) -> Result<Vec<FormatRow>, StoreError> {
    formats.into_iter().map(|format| format.with_sound_content(db, transfer)).collect()
}

fn rows_of(db: &Connection, asset: i64) -> Result<Vec<FormatRow>, StoreError> {
    let mut statement = db.prepare_cached(concat!(
        "SELECT format.row, id, role, generic, specific, origin.document, binary, size, created, updated, ",
        summed!(format),
        " FROM format JOIN origin ON origin.row = format.origin WHERE asset = ?1 ORDER BY place"
    ))?;
    let rows = statement.query_map([asset], FormatRow::of)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A format and its asset.
pub(crate) struct FoundFormat {
    pub(crate) format: FormatRow,
    pub(in crate::store) asset: i64,
    pub(crate) asset_id: String,
}

impl FoundFormat {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        Ok(Self { format: FormatRow::of(row)?, asset: row.get(11)?, asset_id: row.get(12)? })
    }
}

/// The format of this id, if it is there; that of a deleted asset is not.
pub(in crate::store) fn find(db: &Connection, id: &str, transfer: Transfer) -> Result<Option<FoundFormat>, StoreError> {
    let found = db
        .prepare_cached(select!("format.id = ?1 AND asset.deleted IS NULL"))?
        .query_row([id], FoundFormat::of)
        .optional()?;
    let Some(mut found) = found else { return Ok(None) };
    found.format = found.format.with_content(db, transfer)?;
    Ok(Some(found))
}

/// The content of a format. Fails with [`StoreError::Damaged`] if it does not match its checksum.
fn content(db: &Connection, format: &FormatRow) -> Result<Content, StoreError> {
    let damaged = || StoreError::Damaged { what: "format", id: format.id.clone() };
    let query = "SELECT CAST(text AS BLOB), bytes, sha256 FROM content JOIN format ON row = format WHERE format = ?1";
    let stored = |row: &Row| -> rusqlite::Result<(_, _, Vec<u8>)> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
    let found = db.prepare_cached(query)?.query_row([format.row], stored).optional()?;
    let (content, sum) = match found {
        Some((Some(text), None, sum)) => (String::from_utf8(text).ok().map(Content::Text), sum),
        Some((None, Some(bytes), sum)) => (Some(Content::Bytes(bytes)), sum),
        _ => return Err(damaged()),
    };
    content.filter(|content| sum == content.sha256()).ok_or_else(damaged)
}

/// A new format.
pub(in crate::store) struct NewFormat<'a> {
    pub(in crate::store) id: &'a str,
    pub(in crate::store) asset: i64,
    pub(in crate::store) generic: &'a str,
    pub(in crate::store) specific: &'a str,
    pub(in crate::store) origin: i64,
    pub(in crate::store) content: Cow<'a, Content>,
    pub(in crate::store) sha256: [u8; 32],
    pub(in crate::store) created: i64,
}

/// Stores an asset's original, which is also the base of its preview.
pub(in crate::store) fn insert(db: &Connection, new: NewFormat) -> Result<(), StoreError> {
    let NewFormat { id, asset, generic, specific, origin, content, sha256, created } = new;
    db.prepare_cached(
        "INSERT INTO format (id, asset, place, role, generic, specific, origin, binary, size, sha256, created, updated, sum)
         VALUES (?1, ?2, 0, 'BOTH', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9,
           row_sum(?1, ?2, 0, 'BOTH', ?3, ?4, ?5, ?6, ?7, ?8, ?9))",
    )?
    .execute(params![
        id,
        asset,
        generic,
        specific,
        origin,
        matches!(*content, Content::Bytes(_)),
        content.as_bytes().len() as i64,
        sha256,
        created
    ])?;
    keep(db, db.last_insert_rowid(), content)
}

/// The row of the newest format; 0 without any.
pub(in crate::store) fn last_row(db: &Connection) -> Result<i64, StoreError> {
    Ok(db.prepare_cached("SELECT coalesce(max(row), 0) FROM format")?.query_row([], |row| row.get(0))?)
}

/// Stores the content of a new format. SQLite copies it when binding and again when writing, so a copy of ours is dropped
/// between the two.
fn keep(db: &Connection, format: i64, content: Cow<Content>) -> Result<(), StoreError> {
    let mut statement = db.prepare_cached(match *content {
        Content::Text(_) => "INSERT INTO content (format, text) VALUES (?1, ?2)",
        Content::Bytes(_) => "INSERT INTO content (format, bytes) VALUES (?1, ?2)",
    })?;
    statement.raw_bind_parameter(1, format)?;
    match &*content {
        Content::Text(text) => statement.raw_bind_parameter(2, text)?,
        Content::Bytes(bytes) => statement.raw_bind_parameter(2, bytes)?,
    }
    drop(content);
    statement.raw_execute()?;
    Ok(())
}

/// The id of an asset with this name whose original holds the same, the oldest where there are several.
pub(in crate::store) fn twin(
    db: &Connection,
    name: Option<&str>,
    sha256: [u8; 32],
) -> Result<Option<String>, StoreError> {
    Ok(db
        .prepare_cached(
            // By the content first: an import of sources has thousands of assets of one name.
            "SELECT asset.id FROM format INDEXED BY format_by_sha256 CROSS JOIN asset ON asset.row = format.asset
             WHERE sha256 = ?2 AND place = 0 AND asset.name IS ?1 AND deleted IS NULL ORDER BY asset.row LIMIT 1",
        )?
        .query_row(params![name, sha256], |row| row.get(0))
        .optional()?)
}

/// Stores the record of an application once; returns its row.
pub(in crate::store) fn origin(db: &Connection, document: &str) -> Result<i64, StoreError> {
    let found = db
        .prepare_cached("SELECT row FROM origin WHERE document = ?1")?
        .query_row([document], |row| row.get(0))
        .optional()?;
    if let Some(row) = found {
        return Ok(row);
    }
    db.prepare_cached("INSERT INTO origin (document) VALUES (?1)")?.execute([document])?;
    Ok(db.last_insert_rowid())
}
