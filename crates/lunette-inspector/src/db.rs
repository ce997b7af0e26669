//! The storage of the inspector, one SQLite database per data folder: settings, drafts, history, ledgers of bulk
//! runs, what was imported from other programs, how the lists of applications changed, how often assets were used, and
//! versions of the assets of services of others.
//!
//! What must hold: a write is on disk when it returns. Several windows may use one database. Its files are owner-only.
//! A database of a later version is left unchanged. A damaged one is quarantined, and its readable rows are recovered.
//! SQL occurs only in this module and its submodules. Every call
//! blocks, and none is made while drawing.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lunette_storage::database::{keep_statements, set_durable};
use lunette_storage::migration::{self, Migrations};
use lunette_storage::owner_only;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

pub(crate) mod asset_copy;
pub(crate) mod asset_use;
pub(crate) mod assistants;
pub(crate) mod drafts;
mod error;
pub(crate) mod inventory;
pub(crate) mod journal;
pub(crate) mod lock;
mod recovery;
mod rows;
pub(crate) mod runs;
pub(crate) mod settings;
pub(crate) mod source_items;
pub(crate) mod versions;

use recovery::Checked;

pub use error::DatabaseError;
pub use runs::{Durability, RunStore};

/// The database's name in its folder.
pub const FILE: &str = "inspector.sqlite3";

/// The file locked by every process that has the database open.
const LOCK: &str = "inspector.lock";

/// How many statements the connection keeps prepared.
const PREPARED: usize = 64;

/// Marks a file as ours (SQLite's `application_id`): "LUNI".
const APPLICATION: i32 = 0x4C55_4E49;

/// The starting schema, and what leads from each version to the next. Append only, and each changes the schema.
const MIGRATIONS: Migrations<'static> = Migrations {
    first: 3,
    statements: &[
        include_str!("db/schema.sql"),
        "DROP TABLE imported;",
        ASSET_USE,
        ASSISTANTS,
        versions::TABLES,
        assistants::WAITING_INDEX,
    ],
};

/// How often assets were used.
const ASSET_USE: &str = "
    CREATE TABLE asset_use (
      id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, asset TEXT NOT NULL, uses TEXT NOT NULL,
      seal BLOB NOT NULL, UNIQUE (connection, asset)
    );";

/// What assistants proposed, who they are, and what they called.
const ASSISTANTS: &str = "
    CREATE TABLE proposal (
      id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, number TEXT NOT NULL, proposal TEXT NOT NULL,
      seal BLOB NOT NULL, UNIQUE (connection, number)
    );
    CREATE TABLE assistant (
      id INTEGER PRIMARY KEY AUTOINCREMENT, client TEXT NOT NULL UNIQUE, assistant TEXT NOT NULL, seal BLOB NOT NULL
    );
    CREATE TABLE assistant_call (
      id INTEGER PRIMARY KEY AUTOINCREMENT, connection TEXT NOT NULL, call TEXT NOT NULL, seal BLOB NOT NULL
    );
    CREATE INDEX assistant_call_connection ON assistant_call (connection, id);";

/// An open database.
#[derive(Debug)]
pub struct Database {
    connection: Mutex<Connection>,
    folder: PathBuf,
    /// Prevents others from moving the file. It is unlocked after the connection is closed.
    _lock: File,
}

/// A database that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The database.
    pub database: Arc<Database>,
    /// A message about its recovery, if there was one.
    pub problem: Option<String>,
}

impl Database {
    /// Opens the database of a data folder, and creates both if they do not exist. Blocks.
    pub fn open(folder: &Path) -> Result<Opened, DatabaseError> {
        let path = folder.join(FILE);
        let failed = |error: io::Error| DatabaseError::of_file("cannot open the inspector's database", &error, &path);
        owner_only::create_folder(folder).map_err(failed)?;
        let lock = owner_only::open(&folder.join(LOCK)).map_err(failed)?;
        let Checked { problem, connection } = match lock.try_lock() {
            // No other process has it open, so it can be checked, and quarantined if it is damaged.
            // File systems without locks are supported.
            Ok(()) | Err(TryLockError::Error(_)) => recovery::check(folder)?,
            Err(TryLockError::WouldBlock) => Checked::default(),
        };
        // Unlocking fails on Windows if the file was not locked. The shared lock waits for another process that is
        // checking the database.
        lock.unlock().ok();
        lock.lock_shared().ok();
        let connection = connection.map_or_else(|| open(&path), Ok);
        let connection = connection.map_err(DatabaseError::from).and_then(set_up).map_err(|error| error.at(&path))?;
        let database = Self { connection: Mutex::new(connection), folder: folder.to_owned(), _lock: lock };
        Ok(Opened { database: Arc::new(database), problem })
    }

    /// Whether a data folder has a database.
    pub fn exists(folder: &Path) -> bool {
        folder.join(FILE).exists()
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of the file.
    pub fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    /// Runs queries.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DatabaseError> {
        work(&self.connection()).map_err(|error| DatabaseError::from(error).at(&self.path()))
    }

    /// Runs a change in an exclusive transaction. It is on disk when this returns.
    fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, DatabaseError> {
        self.commit("FULL", work)
    }

    /// The same for a change that must survive the end of the program, but not a power cut.
    fn write_unsynced<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, DatabaseError> {
        self.commit("NORMAL", work)
    }

    fn commit<T>(
        &self,
        synchronous: &str,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, DatabaseError> {
        let commit = |connection: &mut Connection| {
            connection.pragma_update(None, "synchronous", synchronous)?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        commit(&mut self.connection()).map_err(|error: rusqlite::Error| DatabaseError::from(error).at(&self.path()))
    }

    /// A value that changes whenever another connection writes to the database. Blocks.
    pub(crate) fn version(&self) -> Result<i64, DatabaseError> {
        self.read(|db| db.pragma_query_value(None, "data_version", |row| row.get(0)))
    }

    /// The number of changes by other connections that were seen, and of the rows that this one changed. Blocks.
    pub(crate) fn change_counts(&self) -> Result<(i64, u64), DatabaseError> {
        self.read(|db| {
            let others = db.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
            Ok((others, db.total_changes()))
        })
    }

    /// Syncs unsynced writes to disk.
    fn sync(&self) -> Result<(), DatabaseError> {
        // A commit syncs the whole log, and this changes nothing.
        self.write(|transaction| transaction.pragma_update(None, "user_version", MIGRATIONS.latest()))
    }

    /// Checkpoints the log into the file, as the last process does that closes the database.
    #[cfg(test)]
    pub(crate) fn checkpoint(&self) {
        self.read(|db| db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))).expect("folded");
    }

    /// A change that panicked was rolled back.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Connects to the file, which exists.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Prepares a connection for use, and migrates the file to this version.
fn set_up(mut connection: Connection) -> Result<Connection, DatabaseError> {
    connection.busy_timeout(lunette_storage::database::BUSY_TIMEOUT)?;
    let version = migration::version(&connection)?;
    require_known(version)?;
    set_durable(&connection)?;
    keep_statements(&connection, PREPARED)?;
    // Deleted rows must not be found by the recovery, which reads a damaged file byte by byte.
    connection.pragma_update(None, "secure_delete", true)?;
    MIGRATIONS.run(&mut connection)?;
    Ok(connection)
}

/// Fails if a database of this version cannot be used: a later program created it, or one from before the first release.
fn require_known(version: i64) -> Result<(), DatabaseError> {
    match version {
        older if (1..MIGRATIONS.first).contains(&older) => Err(DatabaseError::older(older)),
        known if (0..=MIGRATIONS.latest()).contains(&known) => Ok(()),
        newer => Err(DatabaseError::newer(newer)),
    }
}

#[cfg(test)]
mod tests;
