//! A database file: its application id, its integrity check, and the setup of its connections.
//!
//! What must hold: a commit is on disk when it returns; a file is inspected before SQLite opens it, which would create
//! files beside it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Result};

/// How long a connection waits for another one's lock.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Files up to this size are checked from end to end at every start, larger ones only after an unclean end.
pub const CHECKED_BYTES: u64 = 64 << 20;

/// The encoding of texts, as a header has it.
const UTF_8: i32 = 1;

/// The header of a database file (<https://sqlite.org/fileformat.html>, 1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its application id (`application_id`).
    pub application: i32,
    /// Its version (`user_version`).
    pub version: i32,
}

impl Header {
    /// Reads it; returns `None` if the file cannot be read or is not a writable database. No connection of this process
    /// may be open on the file: closing it here would give up their locks (<https://sqlite.org/howtocorrupt.html>,
    /// 2.2).
    pub fn read(path: &Path) -> Option<Self> {
        let mut bytes = [0; 72];
        File::open(path).and_then(|mut file| file.read_exact(&mut bytes)).ok()?;
        let number = |at: usize| bytes[at..].first_chunk().copied().map(i32::from_be_bytes);
        let header = Self { application: number(68)?, version: number(60)? };
        // SQLite treats a file of a later format as read-only.
        let known = bytes[18..20].iter().all(|format| matches!(format, 1 | 2));
        // It takes an unknown encoding of texts for UTF-8 when it opens a file, and refuses it when it reads the schema again.
        let known = known && number(56)? == UTF_8;
        (known && bytes.starts_with(b"SQLite format 3\0")).then_some(header)
    }
}

/// Sets up a writing connection, so that its commits survive a power cut and readers do not block it.
pub fn set_durable(connection: &Connection) -> Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // For an in-memory database the result is "memory", which is correct.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Only macOS knows these two; there, fsync alone does not flush the drive cache.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // The journal of savepoints is kept in memory: it is small, and of no use after a crash.
    connection.pragma_update(None, "temp_store", "MEMORY")
}

/// Keeps so many statements of a connection prepared. Without stable plans SQLite prepares a statement again whenever a
/// parameter that its planner looked at is bound anew.
pub fn keep_statements(connection: &Connection, count: usize) -> Result<()> {
    connection.set_prepared_statement_cache_capacity(count);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// Makes SQLite read every page and compare every index with its table, since an index with a flipped bit returns wrong
/// rows. Returns the problems. It takes about 1.5 times as long as reading the pages alone.
pub fn integrity_problem(connection: &Connection) -> Result<Option<String>> {
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    Ok((found != "ok").then_some(found))
}
