//! The database file: checks, creates and opens it.
//!
//! What must hold: the file is created whole under another name and then renamed, so that an empty file is always a
//! damaged one; nothing is written to a file before it has been checked, except to a large one of this version that was
//! not closed cleanly, which is checked while it is in use; nothing is ever replaced or deleted.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use lunette_storage::database::{self, CHECKED_BYTES, Header};
use lunette_storage::{atomic, owner_only, schema};
use rusqlite::{Connection, OpenFlags};

use super::ballast::Ballast;
use super::folder::Folder;
use super::migration;
use crate::store::interrupt::InterruptToken;
use crate::store::{StoreError, checksum};

/// Marks a file as ours (SQLite's `application_id`): "LUNE".
const APPLICATION: i32 = 0x4C55_4E45;
/// The first version without the WAL-reset bug (<https://sqlite.org/wal.html>, "The WAL-Reset Bug").
const OLDEST_SQLITE: i32 = 3_051_003;

/// How thoroughly a file is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Depth {
    /// Application id and version.
    Head,
    /// The whole file if it is small or was not closed cleanly; a large one later.
    AtStart,
    /// The whole file.
    Whole,
}

/// Whether all of a file still has to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum WholeCheck {
    /// It was checked, or was closed cleanly.
    NotNeeded,
    /// It was not closed cleanly, and is so large that nobody should wait for the check.
    Pending,
}

/// The largest file that is checked before it is used after it was not closed cleanly, in bytes: about a second's work.
///
/// Our choice: SQLite loses nothing in a crash, and each row is checked when it is read; the check looks for what a disk
/// did wrong in a power cut. A million assets would be waited for 36 s.
const CHECKED_BEFORE_USE: u64 = 64 << 20;

/// How long a connection waits for another one's lock.
pub(in crate::store) const PATIENCE: std::time::Duration = database::BUSY_TIMEOUT;

/// How many prepared statements a connection keeps: more than there are in this module, so that a search, whose
/// statements depend on its filters, displaces none of those that every request needs.
const PREPARED: usize = 512;

/// How much of the database the writer's connection keeps in memory, in KiB: the pages of its indexes that each of many
/// new records changes. It is given back at rest.
pub(in crate::store) const WRITER_CACHE_KIB: u64 = 8192;
/// How much of the database a reader's connection keeps in memory, in KiB: a page of the list of assets, whose rows are
/// anywhere in a large file.
const READER_CACHE_KIB: u64 = 6144;

/// Rejects SQLite versions with known bugs that affect us.
pub(in crate::store) fn require_version(linked: i32) -> Result<(), StoreError> {
    if linked >= OLDEST_SQLITE {
        return Ok(());
    }
    Err(StoreError::Broken(format!("SQLite {linked} is too old; version {OLDEST_SQLITE} or later is required")))
}

/// The file that says that the database is yet to be checked, for a store that is closed before the check ends, and
/// closes the database cleanly. It has a content if damage was found: the next start checks the database before it is
/// used, and so can say what to do.
fn unchecked_mark(database: &Path) -> PathBuf {
    database.with_extension("unchecked")
}

/// Notes whether all of the file is yet to be checked.
pub(super) fn mark_unchecked(database: &Path, whole_check: WholeCheck) -> Result<(), StoreError> {
    let mark = unchecked_mark(database);
    let marked = match whole_check {
        WholeCheck::Pending => owner_only::replace(&mark).map(drop),
        WholeCheck::NotNeeded => match fs::remove_file(&mark) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        },
    };
    marked.map_err(|error| StoreError::of_file("note that the database is to be checked", &mark, &error))
}

/// Checks all of a database that is in use. Fails if it is damaged, and if it is interrupted.
pub(in crate::store) fn check_in_use(database: &Path, interrupt: &InterruptToken) -> Result<(), StoreError> {
    let source = open_source(database)?;
    checksum::register(&source)?;
    let checked = interrupt.run_interruptible(&source, || migration::check(&source, database));
    match &checked {
        Ok(()) => mark_unchecked(database, WholeCheck::NotNeeded)?,
        Err(StoreError::Corrupt { .. }) => {
            let mark = unchecked_mark(database);
            atomic::write(&mark, b"damaged")
                .map_err(|error| StoreError::of_file("note that the database is damaged", &mark, &error))?;
        }
        Err(_) => {}
    }
    checked
}

/// Opens an existing database for writing. No connection has a mutex of its own: each is used by one thread at a time.
pub(in crate::store) fn open_writer(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Creates an empty database of the current version atomically.
pub(in crate::store) fn make(folder: &Folder) -> Result<(), StoreError> {
    let created = prepare(folder)?;
    install(folder, &created)
}

/// Moves a finished database to its final path.
pub(in crate::store) fn install(folder: &Folder, created: &Path) -> Result<(), StoreError> {
    atomic::rename(created, &folder.database())
        .map_err(|error| StoreError::of_file("create the database", &folder.database(), &error))
}

/// Creates an empty database of the current version under another name, and returns its path.
pub(in crate::store) fn prepare(folder: &Folder) -> Result<PathBuf, StoreError> {
    let path = folder.database();
    let unfinished = path.with_extension("sqlite3.new");
    let failed = |error: std::io::Error| StoreError::of_file("create the database", &path, &error);
    // Create it empty first, since SQLite would use default permissions.
    drop(owner_only::replace(&unfinished).map_err(failed)?);
    let mut connection = Connection::open(&unfinished).map_err(|error| StoreError::at(&unfinished, error))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    migration::create(&mut connection)?;
    // Now rather than on opening: a crash in the middle of that would leave a rollback journal.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.close().map_err(|(_, error)| StoreError::from(error))?;
    Ok(unfinished)
}

/// Checks an existing file: is it ours, of a known version, with the tables of that, and intact? Changes nothing, except
/// that SQLite rolls back a transaction cut off by a crash.
pub(in crate::store) fn check_file(path: &Path, depth: Depth) -> Result<WholeCheck, StoreError> {
    open_file(path, depth).map(|(_, whole_check)| whole_check)
}

/// Checks a database file, and returns the connection that read it.
pub(in crate::store) fn open_file(path: &Path, depth: Depth) -> Result<(Connection, WholeCheck), StoreError> {
    let size = fs::metadata(path).map_err(|error| StoreError::unusable("read the database", path, error))?.len();
    if size == 0 {
        return Err(StoreError::corrupt(path, "it is empty"));
    }
    // Before SQLite opens it: it would put files beside it.
    let header = Header::read(path).filter(|header| header.application == APPLICATION);
    if let Some(header) = header {
        migration::require_known(header.version.into(), path)?;
    }
    let left = |extension| path.with_extension(extension).try_exists().unwrap_or(true);
    let unclean = left("sqlite3-wal") || left("unchecked");
    let access = match left("sqlite3-journal") {
        true => OpenFlags::SQLITE_OPEN_READ_WRITE,
        false => OpenFlags::SQLITE_OPEN_READ_ONLY,
    };
    let at = |error| StoreError::at(path, error);
    let mut connection = Connection::open_with_flags(path, access).map_err(at)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(at)?;
    let found = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(at)?;
    if application != APPLICATION {
        return Err(StoreError::corrupt(path, "it belongs to another program"));
    }
    migration::require_known(found, path)?;
    migration::check_schema(&mut connection, path)?;
    let old = found < migration::known();
    let damaged = fs::metadata(unchecked_mark(path)).is_ok_and(|mark| mark.len() > 0);
    let at_start = old || damaged || size <= if unclean { CHECKED_BEFORE_USE } else { CHECKED_BYTES };
    if depth == Depth::Whole || depth == Depth::AtStart && at_start {
        schema::limit_steps(&mut connection, path).map_err(at)?;
        migration::check(&connection, path)?;
    }
    let pending = depth == Depth::AtStart && unclean && !at_start;
    check_identity(&connection, path)?;
    Ok((connection, if pending { WholeCheck::Pending } else { WholeCheck::NotNeeded }))
}

fn check_identity(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let count = connection.query_row("SELECT count(*) FROM identity", [], |row| row.get::<_, i64>(0));
    match count.map_err(|error| StoreError::corrupt(path, format!("it has no identity ({error})")))? {
        1 => Ok(()),
        _ => Err(StoreError::corrupt(path, "it has no identity")),
    }
}

/// How large the log of a database may grow.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct LogLimits {
    /// A commit checkpoints the log after this many pages.
    pages: u64,
    /// After a checkpoint the log file is truncated to this many bytes.
    kept_bytes: u64,
}

impl LogLimits {
    /// A log that the ballast has space to checkpoint: 16 MiB on an ordinary disk, less on a small one.
    pub(in crate::store) fn within(reserve: &Ballast) -> Self {
        Self { pages: reserve.log_bytes() / 4096, kept_bytes: reserve.log_bytes() / 2 }
    }

    /// A database in memory has no log.
    pub(in crate::store) fn of_memory() -> Self {
        Self { pages: 0, kept_bytes: 0 }
    }
}

/// Configures the writer's connection.
pub(in crate::store) fn prepare_writer(connection: &Connection, log: LogLimits) -> Result<(), StoreError> {
    database::set_durable(connection)?;
    database::keep_statements(connection, PREPARED)?;
    connection.pragma_update(None, "cache_size", format!("-{WRITER_CACHE_KIB}"))?;
    connection.query_row(&format!("PRAGMA journal_size_limit = {}", log.kept_bytes), [], |_| Ok(()))?;
    // The log is checkpointed when the writer is idle; under load seldom, since that costs an extra sync.
    connection.query_row(&format!("PRAGMA wal_autocheckpoint = {}", log.pages), [], |_| Ok(()))?;
    Ok(())
}

/// Opens a read-only connection.
pub(in crate::store) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = open_source(path)?;
    database::keep_statements(&connection, PREPARED)?;
    checksum::register(&connection)?;
    connection.pragma_update(None, "query_only", true)?;
    // Never mapped into memory: an I/O error under a mapping kills the process instead of being reported by SQLite.
    connection.query_row("PRAGMA mmap_size = 0", [], |_| Ok(()))?;
    connection.pragma_update(None, "cache_size", format!("-{READER_CACHE_KIB}"))?;
    Ok(connection)
}

/// Opens a connection to copy from.
pub(in crate::store) fn open_source(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| StoreError::at(path, error))?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}
