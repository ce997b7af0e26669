//! The folder and its database file: who owns it, whether it is sound, and how it is opened.
//!
//! What must hold: the file is made whole under another name and then renamed, so that an empty file is always a
//! damaged one; nothing is written to a file before it has been looked at; nothing is ever replaced or deleted.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::{StoreError, migration};

/// Marks a file as ours (SQLite's `application_id`): "LUNE".
const APPLICATION: i32 = 0x4C55_4E45;
/// The first version without the WAL-reset bug (<https://sqlite.org/wal.html>, "The WAL-Reset Bug").
const OLDEST_SQLITE: i32 = 3_051_003;
/// Files up to this size are checked page by page at every start, larger ones only after an unclean end.
const CHECKED_BYTES: u64 = 64 << 20;

/// A data folder that this process owns, until it is dropped.
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Makes the folder where needed and takes it. Fails with the holder when another instance has it.
    pub(super) fn take(path: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(path).map_err(|error| StoreError::unusable("make the data folder", path, error))?;
        let lock_path = path.join("lunette.lock");
        let mut lock =
            File::options().read(true).write(true).create(true).truncate(false).open(&lock_path).map_err(|error| {
                match error.kind() {
                    std::io::ErrorKind::StorageFull => StoreError::Full,
                    _ => StoreError::unusable("open the lock file of the data folder", &lock_path, error),
                }
            })?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { folder: path.to_owned(), pid: written_pid(&mut lock) });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::unusable("lock the data folder", path, error)),
        }
        // The number is for the message of a second instance only; without it the lock holds all the same.
        lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id())).ok();
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The database file.
    pub(super) fn database(&self) -> PathBuf {
        self.path.join("lunette.sqlite3")
    }

    /// Where copies are put before a migration.
    pub(super) fn backups(&self) -> PathBuf {
        self.path.join("backups")
    }
}

fn written_pid(lock: &mut File) -> Option<u32> {
    let mut text = String::new();
    lock.rewind().ok()?;
    lock.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Refuses a linked SQLite that has known bugs in what we rely on.
pub(super) fn require_version(linked: i32) -> Result<(), StoreError> {
    if linked >= OLDEST_SQLITE {
        return Ok(());
    }
    Err(StoreError::Broken(format!("SQLite {linked} is linked, at least {OLDEST_SQLITE} is needed")))
}

/// Opens the folder's database for writing: looks at it, makes it where it is not there, backs it up and migrates it
/// where it is old.
pub(super) fn open_checked(folder: &Folder) -> Result<Connection, StoreError> {
    let path = folder.database();
    if !path.try_exists().map_err(|error| StoreError::unusable("look for the database", &path, error))? {
        make(&path)?;
    }
    look_at(&path)?;
    let mut connection =
        Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
            .map_err(|error| StoreError::at(&path, error))?;
    prepare_writer(&connection).map_err(|error| match error {
        StoreError::Broken(problem) => StoreError::unusable("open the database for writing", &path, problem),
        other => other,
    })?;
    if migration::version(&connection)? < migration::known() {
        migration::back_up(&connection, &folder.backups())?;
        migration::run(&mut connection)?;
    }
    Ok(connection)
}

/// Makes an empty database of the current version, whole or not at all.
fn make(path: &Path) -> Result<(), StoreError> {
    let unfinished = path.with_extension("sqlite3.new");
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::StorageFull => StoreError::Full,
        _ => StoreError::unusable("make the database", path, error),
    };
    if unfinished.try_exists().map_err(failed)? {
        fs::remove_file(&unfinished).map_err(failed)?;
    }
    let mut connection = Connection::open(&unfinished).map_err(|error| StoreError::at(&unfinished, error))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    migration::run(&mut connection)?;
    connection.close().map_err(|(_, error)| StoreError::from(error))?;
    fs::rename(&unfinished, path).map_err(failed)?;
    // A rename is durable once the folder is; where folders cannot be synced, the system does it by itself.
    path.parent().and_then(|folder| File::open(folder).ok()).and_then(|folder| folder.sync_all().ok());
    Ok(())
}

/// Looks at an existing file without changing it: is it ours, of a version we know, and sound?
fn look_at(path: &Path) -> Result<(), StoreError> {
    let size = fs::metadata(path).map_err(|error| StoreError::unusable("look at the database", path, error))?.len();
    if size == 0 {
        return Err(StoreError::corrupt(path, "it is empty"));
    }
    let unclean = path.with_extension("sqlite3-wal").try_exists().unwrap_or(true);
    let at = |error| StoreError::at(path, error);
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(at)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(at)?;
    let found = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(at)?;
    if application != APPLICATION {
        return Err(StoreError::corrupt(path, "it belongs to another program"));
    }
    if found > migration::known() {
        return Err(StoreError::Newer { found, known: migration::known(), path: path.to_owned() });
    }
    if unclean || size <= CHECKED_BYTES || found < migration::known() {
        migration::check(&connection, path)?;
    }
    Ok(())
}

/// Sets what holds for the one connection that writes.
pub(super) fn prepare_writer(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(128);
    // In memory the answer is "memory", which is right there.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Only macOS knows these two; there fsync alone does not reach the platter.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.query_row("PRAGMA journal_size_limit = 8388608", [], |_| Ok(()))?;
    // The log is folded in when the writer is idle; under load seldom, since folding costs a sync of its own. 16 MiB.
    connection.query_row("PRAGMA wal_autocheckpoint = 4000", [], |_| Ok(()))?;
    // What a savepoint would undo is kept in memory: it is small, and of no use after a crash.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

/// Opens a connection that can only read.
pub(super) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| StoreError::at(path, error))?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(128);
    connection.pragma_update(None, "query_only", true)?;
    // Pages are read from the system's cache without a copy.
    connection.query_row("PRAGMA mmap_size = 268435456", [], |_| Ok(()))?;
    Ok(connection)
}
