//! Formats of assets, and what they hold.
//!
//! What must hold: content stands in its own table and is read only where it was asked for.

use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use super::activity::{self, Event, Metadata};
use super::asset::{self, Transfer};
use super::{Store, StoreError, now};

/// A format, with what it holds where that was asked for.
pub(crate) struct FormatRow {
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

/// What a format holds.
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

    pub(super) fn sha256(&self) -> [u8; 32] {
        Sha256::digest(self.as_bytes()).into()
    }
}

/// The formats of an asset, the original first.
pub(super) fn of_asset(db: &Connection, asset: i64, transfer: Transfer) -> Result<Vec<FormatRow>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT format.row, id, role, generic, specific, origin.document, binary, size, created, updated
         FROM format JOIN origin ON origin.row = format.origin WHERE asset = ?1 ORDER BY place",
    )?;
    let rows = statement.query_map([asset], |row| {
        let format = FormatRow {
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
        };
        Ok((row.get::<_, i64>(0)?, format))
    })?;
    let mut formats = Vec::new();
    for pair in rows {
        let (row, mut format) = pair?;
        if transfer == Transfer::Full {
            format.content = Some(content(db, row)?);
        }
        formats.push(format);
    }
    Ok(formats)
}

fn content(db: &Connection, format: i64) -> Result<Content, StoreError> {
    let found = db.prepare_cached("SELECT text, bytes FROM content WHERE format = ?1")?.query_row([format], |row| {
        let text: Option<String> = row.get(0)?;
        Ok(match text {
            Some(text) => Content::Text(text),
            None => Content::Bytes(row.get(1)?),
        })
    })?;
    Ok(found)
}

/// A format as it is made.
pub(super) struct NewFormat<'a> {
    pub(super) id: &'a str,
    pub(super) asset: i64,
    pub(super) generic: &'a str,
    pub(super) specific: &'a str,
    pub(super) origin: i64,
    pub(super) content: &'a Content,
    pub(super) created: i64,
}

/// Keeps an asset's original, which is the base of its preview too.
pub(super) fn insert(db: &Connection, new: &NewFormat) -> Result<(), StoreError> {
    let NewFormat { id, asset, generic, specific, origin, content, created } = *new;
    let bytes = content.as_bytes();
    db.prepare_cached(
        "INSERT INTO format (id, asset, place, role, generic, specific, origin, binary, size, sha256, created, updated)
         VALUES (?1, ?2, 0, 'BOTH', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
    )?
    .execute(params![
        id,
        asset,
        generic,
        specific,
        origin,
        matches!(content, Content::Bytes(_)),
        bytes.len() as i64,
        content.sha256(),
        created
    ])?;
    let format = db.last_insert_rowid();
    match content {
        Content::Text(text) => {
            db.prepare_cached("INSERT INTO content (format, text) VALUES (?1, ?2)")?.execute(params![format, text])?
        }
        Content::Bytes(bytes) => {
            db.prepare_cached("INSERT INTO content (format, bytes) VALUES (?1, ?2)")?.execute(params![format, bytes])?
        }
    };
    Ok(())
}

/// The id of an asset with this name whose original holds the same, the oldest where there are several.
pub(super) fn twin(db: &Connection, name: Option<&str>, sha256: [u8; 32]) -> Result<Option<String>, StoreError> {
    Ok(db
        .prepare_cached(
            "SELECT asset.id FROM format JOIN asset ON asset.row = format.asset
             WHERE sha256 = ?2 AND place = 0 AND asset.name IS ?1 AND deleted IS NULL ORDER BY asset.row LIMIT 1",
        )?
        .query_row(params![name, sha256], |row| row.get(0))
        .optional()?)
}

/// Keeps a record of an application once; gives its row.
pub(super) fn origin(db: &Connection, document: &str) -> Result<i64, StoreError> {
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

impl Store {
    /// Makes an asset's formats one of this language; nothing changes when they are already.
    pub(crate) fn reclassify(&self, id: &str, generic: &str, specific: &str) -> Result<(), StoreError> {
        let (id, generic, specific) = (id.to_owned(), generic.to_owned(), specific.to_owned());
        self.write(move |db| {
            let asset = asset::row_of(db, &id)?;
            let previous = db
                .prepare_cached("SELECT generic, specific FROM format WHERE asset = ?1 AND place = 0")?
                .query_row([asset], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            if previous == (generic.clone(), specific.clone()) {
                return Ok(());
            }
            db.prepare_cached(
                "UPDATE format SET generic = ?2, specific = ?3, updated = max(?4, updated + 1) WHERE asset = ?1",
            )?
            .execute(params![asset, generic, specific, now()])?;
            let metadata =
                Metadata::Reclassification { previous: (&previous.0, &previous.1), current: (&generic, &specific) };
            activity::record(db, asset, Event::Reclassified, &metadata)?;
            asset::touch(db, asset)
        })
    }
}
