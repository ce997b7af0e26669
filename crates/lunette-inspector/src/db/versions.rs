//! Versions of the assets of a service of others: of each asset the newest state whole, and each earlier one as its
//! difference from the next; when somebody watched; and named moments. `local_versions` decides about the content of the
//! rows.
//!
//! What must hold: the states of an asset are read and written in one transaction, so that two windows that see the same
//! state store it once.

use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};

use crate::db::rows::{Table, VERSION_ASSET, VERSION_CHECKPOINT, VERSION_PAST, VERSION_WATCH};
use crate::db::{Database, DatabaseError};

/// The tables of version 6.
pub(super) const TABLES: &str = "
    CREATE TABLE version_asset (
      id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, asset TEXT NOT NULL, print INTEGER NOT NULL,
      number INTEGER NOT NULL, at INTEGER NOT NULL, facts INTEGER NOT NULL, record BLOB NOT NULL, content BLOB NOT NULL,
      seal BLOB NOT NULL, UNIQUE (connection, asset)
    );
    CREATE INDEX version_asset_print ON version_asset (connection, asset, print);
    CREATE TABLE version_past (
      id INTEGER PRIMARY KEY AUTOINCREMENT, of INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL,
      facts INTEGER NOT NULL, record BLOB NOT NULL, content BLOB NOT NULL, seal BLOB NOT NULL, UNIQUE (of, number)
    );
    CREATE TABLE version_watch (
      id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER NOT NULL,
      seal BLOB NOT NULL
    );
    CREATE INDEX version_watch_connection ON version_watch (connection, ended);
    CREATE TABLE version_checkpoint (
      id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL,
      assets TEXT NOT NULL, automatic INTEGER NOT NULL, seal BLOB NOT NULL
    );
    CREATE INDEX version_checkpoint_connection ON version_checkpoint (connection, at);";

/// What a query returns.
pub(crate) type RowResult<T> = rusqlite::Result<T>;

/// A stored version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredVersion {
    /// Counted from 1 for each asset.
    pub number: i64,
    /// When it was seen or written, in microseconds.
    pub at: i64,
    /// Who, how, and what of it is there.
    pub facts: i64,
    /// The record: whole, or its difference from the next version's; empty if it is the same.
    pub record: Vec<u8>,
    /// The content, in the same way; empty where it was not read.
    pub content: Vec<u8>,
}

/// An asset with its newest version.
#[derive(Clone, Debug)]
pub(crate) struct StoredAsset {
    pub id: i64,
    pub asset: String,
    pub newest: StoredVersion,
}

/// A named moment; one that was not stored yet has the id 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredCheckpoint {
    pub id: i64,
    pub name: String,
    pub at: i64,
    /// The ids of its assets as JSON; empty for all.
    pub assets: String,
    /// Whether it was made by itself: then it keeps no versions.
    pub is_automatic: bool,
}

/// The rows of a connection, within a transaction or a read.
pub(crate) struct VersionRows<'a> {
    db: &'a Connection,
    connection: &'a str,
}

impl Database {
    /// Reads rows of a connection, beside the reads and writes of others. Blocks.
    pub(crate) fn read_versions<T>(
        &self,
        connection: &str,
        work: impl FnOnce(&VersionRows<'_>) -> RowResult<T>,
    ) -> Result<T, DatabaseError> {
        let read = || {
            let db = Connection::open_with_flags(self.path(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            db.busy_timeout(lunette_storage::database::BUSY_TIMEOUT)?;
            work(&VersionRows { db: &db, connection })
        };
        read().map_err(|error| DatabaseError::from(error).at(&self.path()))
    }

    /// Changes rows of a connection in one transaction, which survives the end of the program. Blocks.
    pub(crate) fn change_versions<T>(
        &self,
        connection: &str,
        work: impl FnOnce(&VersionRows<'_>) -> RowResult<T>,
    ) -> Result<T, DatabaseError> {
        self.write_unsynced(|db| work(&VersionRows { db, connection }))
    }

    /// Writes the log into the file and empties it, so that no deleted bytes stay in it. Returns whether that was
    /// possible: not while another program reads. Blocks.
    pub(crate) fn truncate_log(&self) -> Result<bool, DatabaseError> {
        self.read(|db| db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| Ok(row.get::<_, i64>(0)? == 0)))
    }
}

impl VersionRows<'_> {
    /// The fingerprints of the newest records of all assets that are known.
    pub fn prints(&self) -> RowResult<Vec<(String, i64)>> {
        let mut statement = self.db.prepare_cached("SELECT asset, print FROM version_asset WHERE connection = ?1")?;
        statement.query_map([self.connection], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// An asset with its newest version; None if it is not known, or its row is damaged.
    pub fn asset(&self, asset: &str) -> RowResult<Option<StoredAsset>> {
        let mut found = None;
        let condition = "connection = ?1 AND asset = ?2";
        VERSION_ASSET.read_values(self.db, condition, [self.connection, asset], |id, columns| {
            found = asset_of(id, columns);
            found.is_some()
        })?;
        Ok(found)
    }

    /// An asset of this connection by the number of its row.
    pub fn asset_of_row(&self, id: i64) -> RowResult<Option<StoredAsset>> {
        let mut found = None;
        VERSION_ASSET.read_values(
            self.db,
            "id = ?1 AND connection = ?2",
            params![id, self.connection],
            |id, columns| {
                found = asset_of(id, columns);
                found.is_some()
            },
        )?;
        Ok(found)
    }

    /// Calls `each` with every asset and its newest version.
    pub fn each_asset(&self, mut each: impl FnMut(StoredAsset)) -> RowResult<()> {
        VERSION_ASSET.read_values(self.db, "connection = ?1", [self.connection], |id, columns| {
            asset_of(id, columns).map(&mut each).is_some()
        })?;
        Ok(())
    }

    /// The earlier versions of an asset, the newest first; damaged rows are left out.
    pub fn past(&self, of: i64) -> RowResult<Vec<StoredVersion>> {
        let mut found = Vec::new();
        VERSION_PAST.read_values(self.db, "of = ?1", [of], |_, columns| {
            version_of(columns).map(|(_, version)| found.push(version)).is_some()
        })?;
        found.sort_by_key(|version| std::cmp::Reverse(version.number));
        Ok(found)
    }

    /// Stores the newest version of an asset; `id` is the number of its row, if it has one. Returns that number.
    pub fn put_asset(&self, id: Option<i64>, asset: &str, print: i64, newest: &StoredVersion) -> RowResult<i64> {
        let StoredVersion { number, at, facts, record, content } = newest.clone();
        let texts = [self.connection, asset].map(|text| Value::Text(text.to_owned()));
        let numbers = [print, number, at, facts].map(Value::Integer);
        let columns = texts.into_iter().chain(numbers).chain([Value::Blob(record), Value::Blob(content)]);
        VERSION_ASSET.insert_values(self.db, id, columns.collect())
    }

    /// Stores an earlier version of an asset, in place of one with its number.
    pub fn put_past(&self, of: i64, version: &StoredVersion) -> RowResult<()> {
        let StoredVersion { number, at, facts, record, content } = version.clone();
        let numbers = [of, number, at, facts].map(Value::Integer);
        let columns = numbers.into_iter().chain([Value::Blob(record), Value::Blob(content)]);
        VERSION_PAST.insert_values(self.db, None, columns.collect()).map(drop)
    }

    /// Deletes the versions of an asset up to this number. Returns how many there were.
    pub fn delete_past(&self, of: i64, up_to: i64) -> RowResult<usize> {
        self.db.prepare_cached("DELETE FROM version_past WHERE of = ?1 AND number <= ?2")?.execute([of, up_to])
    }

    /// Deletes an asset with all its versions, and its name in checkpoints of some assets.
    pub fn delete_asset(&self, id: i64) -> RowResult<()> {
        self.delete_past(id, i64::MAX)?;
        self.db.prepare_cached("DELETE FROM version_asset WHERE id = ?1")?.execute([id]).map(drop)
    }

    /// The assets in these rows that have versions which were replaced before a time, each with the number of the last.
    pub fn replaced_before(&self, time: i64, (after, up_to): (i64, i64)) -> RowResult<Vec<(i64, i64)>> {
        let mut statement = self.db.prepare_cached(
            "SELECT of, max(number) FROM version_past
             WHERE of > ?1 AND of <= ?2 AND coalesce(
               (SELECT later.at FROM version_past AS later
                WHERE later.of = version_past.of AND later.number = version_past.number + 1),
               (SELECT version_asset.at FROM version_asset WHERE version_asset.id = version_past.of)) < ?3
             GROUP BY of",
        )?;
        statement.query_map([after, up_to, time], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// The number of the last row of an asset, of any connection.
    pub fn last_row(&self) -> RowResult<i64> {
        self.db.query_row("SELECT coalesce(max(id), 0) FROM version_asset", [], |row| row.get(0))
    }

    /// A time until which the oldest of all earlier versions were replaced: one of so many parts, and at least one version;
    /// `None` if there are few.
    pub fn oldest(&self, parts: i64) -> RowResult<Option<i64>> {
        let query =
            "SELECT at FROM version_past ORDER BY at LIMIT 1 OFFSET (SELECT count(*) / ?1 + 1 FROM version_past)";
        self.db.query_row(query, [parts], |row| row.get(0)).optional()
    }

    /// How many bytes the versions of all connections take, without what the database adds.
    pub fn bytes(&self) -> RowResult<i64> {
        let sum = |table: &Table| {
            let query = format!("SELECT coalesce(sum(length(record) + length(content)), 0) FROM {}", table.name);
            self.db.query_row(&query, [], |row| row.get::<_, i64>(0))
        };
        Ok(sum(&VERSION_ASSET)? + sum(&VERSION_PAST)?)
    }

    /// Begins a time in which somebody watches. Returns the number of its row.
    pub fn begin_watch(&self, at: i64) -> RowResult<i64> {
        self.put_watch(None, at, at)
    }

    /// Sets the end of a time in which somebody watched.
    pub fn put_watch(&self, id: Option<i64>, began: i64, ended: i64) -> RowResult<i64> {
        let columns = vec![Value::Text(self.connection.to_owned()), Value::Integer(began), Value::Integer(ended)];
        VERSION_WATCH.insert_values(self.db, id, columns)
    }

    /// The times in which somebody watched, the earliest first.
    pub fn watches(&self) -> RowResult<Vec<(i64, i64)>> {
        let mut found = Vec::new();
        VERSION_WATCH.read_values(self.db, "connection = ?1", [self.connection], |_, columns| {
            let [_, Value::Integer(began), Value::Integer(ended)] = columns.as_slice() else { return false };
            found.push((*began, *ended));
            true
        })?;
        found.sort_unstable();
        Ok(found)
    }

    /// Deletes what ended before a time.
    pub fn delete_watches(&self, before: i64) -> RowResult<()> {
        let delete = "DELETE FROM version_watch WHERE connection = ?1 AND ended < ?2";
        self.db.prepare_cached(delete)?.execute(params![self.connection, before]).map(drop)
    }

    /// Stores a named moment.
    pub fn add_checkpoint(&self, checkpoint: &StoredCheckpoint) -> RowResult<i64> {
        let StoredCheckpoint { name, at, assets, is_automatic, .. } = checkpoint;
        let text = |text: &str| Value::Text(text.to_owned());
        let automatic = Value::Integer(i64::from(*is_automatic));
        let columns = vec![text(self.connection), text(name), Value::Integer(*at), text(assets), automatic];
        VERSION_CHECKPOINT.insert_values(self.db, None, columns)
    }

    /// The named moments, the newest first.
    pub fn checkpoints(&self) -> RowResult<Vec<StoredCheckpoint>> {
        let mut found = Vec::new();
        VERSION_CHECKPOINT.read_values(self.db, "connection = ?1", [self.connection], |id, columns| {
            let [_, Value::Text(name), Value::Integer(at), Value::Text(assets), Value::Integer(automatic)] =
                columns.as_slice()
            else {
                return false;
            };
            let (name, assets) = (name.clone(), assets.clone());
            found.push(StoredCheckpoint { id, name, at: *at, assets, is_automatic: *automatic != 0 });
            true
        })?;
        found.reverse();
        Ok(found)
    }

    /// Deletes the moments before a time that were named by themselves.
    pub fn delete_automatic_checkpoints(&self, before: i64) -> RowResult<()> {
        let delete = "DELETE FROM version_checkpoint WHERE connection = ?1 AND automatic = 1 AND at < ?2";
        self.db.prepare_cached(delete)?.execute(params![self.connection, before]).map(drop)
    }

    /// Deletes a named moment. Returns whether there was one.
    pub fn delete_checkpoint(&self, id: i64) -> RowResult<bool> {
        let delete = "DELETE FROM version_checkpoint WHERE connection = ?1 AND id = ?2";
        Ok(self.db.prepare_cached(delete)?.execute(params![self.connection, id])? > 0)
    }
}

fn asset_of(id: i64, columns: Vec<Value>) -> Option<StoredAsset> {
    let [
        _,
        Value::Text(asset),
        _,
        Value::Integer(number),
        Value::Integer(at),
        Value::Integer(facts),
        Value::Blob(record),
        Value::Blob(content),
    ] = <[Value; 8]>::try_from(columns).ok()?
    else {
        return None;
    };
    Some(StoredAsset { id, asset, newest: StoredVersion { number, at, facts, record, content } })
}

fn version_of(columns: Vec<Value>) -> Option<(i64, StoredVersion)> {
    let [
        Value::Integer(of),
        Value::Integer(number),
        Value::Integer(at),
        Value::Integer(facts),
        Value::Blob(record),
        Value::Blob(content),
    ] = <[Value; 6]>::try_from(columns).ok()?
    else {
        return None;
    };
    Some((of, StoredVersion { number, at, facts, record, content }))
}
