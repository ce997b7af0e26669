//! A copy of assets as a separate database, for other programs to query. It is not part of the inspector's storage.

use std::path::Path;

use rusqlite::{Connection, params};

use crate::db::DatabaseError;

/// The tables of a copy.
const SCHEMA: &str = "
    CREATE TABLE asset (
        id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, created TEXT NOT NULL,
        updated TEXT NOT NULL, favourite INTEGER NOT NULL, content, record TEXT NOT NULL
    );
    CREATE TABLE tag (asset TEXT NOT NULL REFERENCES asset (id), text TEXT NOT NULL);
    CREATE TABLE website (asset TEXT NOT NULL REFERENCES asset (id), url TEXT NOT NULL, name TEXT NOT NULL);
    CREATE TABLE annotation (asset TEXT NOT NULL REFERENCES asset (id), type TEXT NOT NULL, text TEXT NOT NULL);
";

/// An asset of a copy.
pub(crate) struct CopiedAsset<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub language: &'a str,
    pub created: &'a str,
    pub updated: &'a str,
    pub favourite: bool,
    /// A text, or bytes.
    pub content: Result<&'a str, &'a [u8]>,
    pub tags: Vec<&'a str>,
    /// Addresses and names.
    pub websites: Vec<(&'a str, &'a str)>,
    /// Types and texts.
    pub annotations: Vec<(&'a str, &'a str)>,
    /// The record as JSON.
    pub record: &'a str,
}

/// A copy that is being written, in one transaction.
pub(crate) struct AssetCopy(Connection);

impl AssetCopy {
    /// Creates it in a new file. Blocks, as all of this does.
    pub fn create(path: &Path) -> Result<Self, DatabaseError> {
        let db = Connection::open(path)?;
        // It is not read before it is finished, and an unfinished file is deleted.
        db.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;")?;
        db.execute_batch(SCHEMA)?;
        Ok(Self(db))
    }

    /// Adds an asset.
    pub fn add(&mut self, asset: &CopiedAsset<'_>) -> Result<(), DatabaseError> {
        let CopiedAsset { id, name, language, created, updated, favourite, content, .. } = asset;
        let mut insert = self.0.prepare_cached("INSERT INTO asset VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
        match content {
            Ok(text) => insert.execute(params![id, name, language, created, updated, favourite, text, asset.record])?,
            Err(bytes) => {
                insert.execute(params![id, name, language, created, updated, favourite, bytes, asset.record])?
            }
        };
        let mut insert = self.0.prepare_cached("INSERT INTO tag VALUES (?1, ?2)")?;
        asset.tags.iter().try_for_each(|text| insert.execute(params![id, text]).map(drop))?;
        let mut insert = self.0.prepare_cached("INSERT INTO website VALUES (?1, ?2, ?3)")?;
        asset.websites.iter().try_for_each(|(url, name)| insert.execute(params![id, url, name]).map(drop))?;
        let mut insert = self.0.prepare_cached("INSERT INTO annotation VALUES (?1, ?2, ?3)")?;
        asset.annotations.iter().try_for_each(|(kind, text)| insert.execute(params![id, kind, text]).map(drop))?;
        Ok(())
    }

    /// Commits it.
    pub fn finish(self) -> Result<(), DatabaseError> {
        self.0.execute_batch("COMMIT; CREATE INDEX tag_asset ON tag (asset);")?;
        self.0.close().map_err(|(_, error)| error.into())
    }
}
