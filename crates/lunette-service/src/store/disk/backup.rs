//! Backups of the database: manual, daily, and before each migration.
//!
//! What must hold: a backup is made by SQLite (`VACUUM INTO`), never byte by byte; it gets its name only once it has
//! been verified, is on disk and has its checksum beside it; backups are in another folder than the data; only daily
//! ones are ever deleted, and only those of the database that was just backed up.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use lunette_storage::{atomic, owner_only, schema, system};
use rusqlite::{Connection, OpenFlags};
use sha2::{Digest as _, Sha256};

use super::folder::{self, Folder};
use super::{file, free_space, migration, replacement};
use crate::store::interrupt::InterruptToken;
use crate::store::{StoreError, now};

/// How many daily backups are kept.
const DAILY_KEPT: usize = 5;
/// A backup is due after this long without one: a day, in microseconds.
const DAY_MICROS: u64 = 24 * 60 * 60 * 1_000_000;
/// A backup dated further ahead than this was made with a wrong clock and is ignored.
const MAX_CLOCK_SKEW: i64 = 60 * 60 * 1_000_000;

/// Why a backup was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The daily backup.
    Daily,
    /// The user requested it.
    ByHand,
    /// Before a migration.
    Migration,
}

/// A backup of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Its path. Its checksum is beside it, in a file with `.sha256` appended to the name.
    pub path: PathBuf,
    /// When it was taken, in microseconds since 1970 UTC.
    pub taken: i64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Why it was taken.
    pub cause: Cause,
}

impl Backup {
    /// The backup at this path, if the name is that of a backup.
    fn of(path: PathBuf) -> Option<Self> {
        let (cause, taken) = read_name(path.file_name()?.to_str()?)?;
        let found = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        Some(Self { taken, bytes: found.len(), cause, path })
    }
}

/// Parses the cause and time from a file name.
fn read_name(name: &str) -> Option<(Cause, i64)> {
    let (cause, stamp) = name.strip_suffix(".sqlite3")?.rsplit_once('-')?;
    let cause = match cause {
        "daily" => Cause::Daily,
        "by-hand" => Cause::ByHand,
        _ if cause.starts_with("version-") => Cause::Migration,
        _ => return None,
    };
    Some((cause, folder::read_stamp(stamp)?))
}

/// The backups of this data folder, newest first.
pub fn backups(data: &Path) -> Vec<Backup> {
    let entries = folders(data).into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut found: Vec<_> = entries.flatten().filter_map(|entry| Backup::of(entry.path())).collect();
    found.sort_by(|a, b| (b.taken, &b.path).cmp(&(a.taken, &a.path)));
    found
}

/// The candidate folders for backups of this data folder; the first writable one is used.
///
/// Our choice: a folder beside it, `DATA-backups`, so that losing one does not lose the other. If nothing can be
/// created beside it, `backups` in the folder itself.
fn folders(data: &Path) -> Vec<PathBuf> {
    let whole = system::whole_path(data).or_else(|_| std::path::absolute(data)).unwrap_or_else(|_| data.to_owned());
    let beside = whole.file_name().map(|name| {
        let mut name = name.to_owned();
        name.push("-backups");
        whole.with_file_name(name)
    });
    beside.into_iter().chain([whole.join("backups")]).collect()
}

/// Takes a backup into the folder of backups; a daily one rotates out the oldest daily ones.
pub(in crate::store) fn take(
    source: &Connection,
    data: &Path,
    cause: Cause,
    interrupt: &InterruptToken,
) -> Result<Backup, StoreError> {
    let folder = folder_to_write(data)?;
    let kind = match cause {
        Cause::Daily => "daily".to_owned(),
        Cause::ByHand => "by-hand".to_owned(),
        Cause::Migration => format!("version-{}", migration::version(source)?),
    };
    if cause != Cause::Migration {
        free_space::ensure_free(source, &folder)?;
    }
    let taken = now();
    let path = folder.join(format!("{kind}-{}.sqlite3", folder::stamp(taken)));
    let bytes = copy_to(source, &path, interrupt)?;
    if cause == Cause::Daily {
        delete_old(data, &path, taken);
    }
    tracing::info!(path = %path.display(), bytes, "backed up the database");
    Ok(Backup { path, taken, bytes, cause })
}

/// Takes a manual backup of a data folder, whether a service runs on it or not: into the folder of backups, or to a
/// path that does not exist yet. Fails if there is no database or it is damaged.
pub fn back_up(data: &Path, to: Option<&Path>) -> Result<Backup, StoreError> {
    let (source, _folder) = open_to_copy(data)?;
    let Some(path) = to else { return take(&source, data, Cause::ByHand, &InterruptToken::default()) };
    let (path, taken) = (path.to_owned(), now());
    free_space::ensure_free(&source, owner_only::folder_of(&path))?;
    Ok(Backup { bytes: copy_to(&source, &path, &InterruptToken::default())?, path, taken, cause: Cause::ByHand })
}

/// Copies the database of a data folder to a path that does not exist yet, whether a service runs on it or not. The
/// copy is neither read back nor synced to disk, which takes longer than copying: it is for what is thrown away again.
/// Fails if there is no database or the disk does.
pub fn copy(data: &Path, to: &Path) -> Result<(), StoreError> {
    let (source, _folder) = open_to_copy(data)?;
    free_space::ensure_free(&source, owner_only::folder_of(to))?;
    copy_unchecked(&source, to, &InterruptToken::default())
}

/// Opens the database of a data folder to be copied; the lock of the folder is kept with it, if no service has it.
fn open_to_copy(data: &Path) -> Result<(Connection, Option<Folder>), StoreError> {
    let database = folder::database(data);
    if !data.is_dir() {
        return Err(StoreError::unusable("back up", data, "the folder does not exist"));
    }
    // Keep the lock, so that nothing is restored or quarantined meanwhile. A running service is not affected: SQLite
    // allows concurrent readers.
    let folder = match Folder::take(data) {
        Err(StoreError::Locked { .. }) => None,
        Err(other) => return Err(other),
        Ok(folder) => {
            replacement::finish(data)?;
            Some(folder)
        }
    };
    file::check_file(&database, file::Depth::Head)?;
    Ok((file::open_source(&database)?, folder))
}

fn folder_to_write(data: &Path) -> Result<PathBuf, StoreError> {
    let mut refused = None;
    for folder in folders(data) {
        match owner_only::create_folder(&folder).and_then(|()| takes_files(&folder)) {
            Ok(()) => return Ok(folder),
            Err(error) => {
                refused.get_or_insert_with(|| StoreError::of_file("create the backup folder", &folder, &error));
            }
        }
    }
    Err(refused.unwrap_or_else(|| StoreError::invalid("there is no folder for backups")))
}

/// Checks that files can be created in a folder: it may belong to another user.
fn takes_files(folder: &Path) -> io::Result<()> {
    let tried = folder.join(".tried");
    owner_only::replace(&tried)?;
    fs::remove_file(tried)
}

/// Copies a database to this path, with its checksum beside it; returns its size. Fails if the path exists.
pub(in crate::store) fn copy_to(
    source: &Connection,
    path: &Path,
    interrupt: &InterruptToken,
) -> Result<u64, StoreError> {
    let (unfinished, sum) = (with_suffix(path, ".new"), sum_path(path));
    for taken in [path, &sum, &unfinished] {
        if fs::symlink_metadata(taken).is_ok() {
            return Err(StoreError::unusable("write the backup", taken, "a file of this name already exists"));
        }
    }
    let copied = copy_checked(source, &unfinished, interrupt).and_then(|()| {
        let failed = |error: io::Error| StoreError::of_file("write the backup", path, &error);
        let digest = sha256(&unfinished, interrupt).map_err(failed)?;
        write_sum(path, &digest).map_err(failed)?;
        let bytes = fs::metadata(&unfinished).map_err(failed)?.len();
        atomic::rename(&unfinished, path).map_err(failed)?;
        Ok(bytes)
    });
    if copied.is_err() {
        // A partial file left by a crash is marked as unfinished, and is deleted with a later daily backup.
        fs::remove_file(&unfinished).ok();
        fs::remove_file(&sum).ok();
    }
    copied
}

/// Lets SQLite copy a database to a new file; the copy is verified and synced to disk.
pub(in crate::store) fn copy_checked(
    source: &Connection,
    path: &Path,
    interrupt: &InterruptToken,
) -> Result<(), StoreError> {
    copy_unchecked(source, path, interrupt)?;
    let failed = |error: io::Error| StoreError::of_file("write the copy", path, &error);
    let at = |error| StoreError::at(path, error);
    let copy = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(at)?;
    interrupt.run_interruptible(&copy, || migration::check(&copy, path))?;
    if migration::version(&copy)? != migration::version(source)? {
        return Err(StoreError::corrupt(path, "the backup differs from the database"));
    }
    copy.close().map_err(|(_, error)| at(error))?;
    File::options().write(true).open(path).and_then(|file| file.sync_all()).map_err(failed)
}

/// Lets SQLite copy a database to a new file.
fn copy_unchecked(source: &Connection, path: &Path, interrupt: &InterruptToken) -> Result<(), StoreError> {
    let name = path.to_str().ok_or_else(|| StoreError::unusable("write the copy", path, "its name is not UTF-8"))?;
    let failed = |error: io::Error| StoreError::of_file("write the copy", path, &error);
    // Made empty first, since SQLite would give it the permissions of any file.
    drop(owner_only::replace(path).map_err(failed)?);
    interrupt.run_interruptible(source, || Ok(source.execute("VACUUM INTO ?1", [name])?))?;
    Ok(())
}

/// Whether a day has passed since the newest backup, or since the database was created if there is none.
pub(in crate::store) fn is_due(data: &Path, now: i64) -> bool {
    let created = || fs::metadata(folder::database(data)).and_then(|found| found.created()).ok();
    let created = || jiff::Timestamp::try_from(created()?).ok().map(|created| created.as_microsecond());
    let mut taken = backups(data).into_iter().map(|backup| backup.taken).filter(|taken| is_past(*taken, now));
    let newest = taken.next().or_else(|| created().filter(|created| is_past(*created, now)));
    newest.is_none_or(|newest| now.abs_diff(newest) >= DAY_MICROS)
}

fn is_past(moment: i64, now: i64) -> bool {
    moment <= now.saturating_add(MAX_CLOCK_SKEW)
}

/// Deletes old daily backups of the database that was just backed up, and unfinished files. Backups of another
/// database, which was quarantined from this folder, may be the last copies of it and are kept.
fn delete_old(data: &Path, just_taken: &Path, now: i64) {
    let own = identity(just_taken);
    let daily = backups(data).into_iter().filter(|backup| backup.cause == Cause::Daily && is_past(backup.taken, now));
    let of_this = daily.filter(|backup| own.is_some() && identity(&backup.path) == own);
    for old in of_this.skip(DAILY_KEPT) {
        // If it cannot be deleted now, the next day retries.
        fs::remove_file(&old.path).and_then(|()| fs::remove_file(sum_path(&old.path))).ok();
    }
    for left in folders(data).into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
        let name = left.file_name();
        let whole = name.to_str().and_then(|name| name.strip_suffix(".new").or(name.strip_suffix(".new-journal")));
        let begun = whole.and_then(read_name);
        // One of today may still be in progress in another process.
        if begun.is_some_and(|(_, begun)| now.abs_diff(begun) >= DAY_MICROS) {
            fs::remove_file(left.path()).ok();
        }
    }
}

/// The id of the database in a backup, if readable.
fn identity(copy: &Path) -> Option<String> {
    schema::open_foreign(copy).ok()?.query_row("SELECT folder FROM identity", [], |row| row.get(0)).ok()
}

/// Deletes a backup whose purpose did not happen.
pub(in crate::store) fn discard(backup: &Backup) {
    fs::remove_file(&backup.path).and_then(|()| fs::remove_file(sum_path(&backup.path))).ok();
}

/// The path of the checksum of a backup.
pub(in crate::store) fn sum_path(path: &Path) -> PathBuf {
    with_suffix(path, ".sha256")
}

/// Compares a backup with the checksum beside it; false if there is none.
pub(in crate::store) fn verify_sum(path: &Path) -> Result<bool, StoreError> {
    let sum = sum_path(path);
    let failed = |error: io::Error| StoreError::of_file("read the backup", path, &error);
    let stored = match fs::read_to_string(&sum) {
        Ok(stored) => stored,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => String::new(),
        Err(error) => return Err(failed(error)),
    };
    let found = sha256(path, &InterruptToken::default()).map_err(failed)?;
    if stored.split_whitespace().next() == Some(found.as_str()) {
        return Ok(true);
    }
    let problem = "the backup is damaged because it does not match its checksum; use another one";
    Err(StoreError::unusable("restore", path, problem))
}

/// In the format of `sha256sum`, so that `sha256sum --check` can read it.
fn write_sum(path: &Path, digest: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    atomic::write(&sum_path(path), format!("{digest}  {name}\n").as_bytes())
}

fn sha256(path: &Path, interrupt: &InterruptToken) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut block)?;
        if read == 0 {
            return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        if interrupt.is_interrupted() {
            return Err(io::Error::other("the store is closing"));
        }
        hash.update(&block[..read]);
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
