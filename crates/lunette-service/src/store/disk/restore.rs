//! Restores backups.
//!
//! What must hold: a backup is checked before anything is touched, its tables before any of them is read, and all rows of
//! the copy that replaces the database; the current database is moved as a whole and never
//! deleted; however it is interrupted, the next start has the old database or the new one. Once the new one has its
//! waiting name the restore is decided: the next start completes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::atomic;
use rusqlite::Connection;

use super::folder::{self, Folder};
use super::{backup, file, replacement};
use crate::store::interrupt::InterruptToken;
use crate::store::{StoreError, checksum};

/// The result of a restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The folder of the previous database, `before-restore-TIME` in the data folder; None if there was none.
    pub previous: Option<PathBuf>,
    /// Whether the backup had a checksum, which matched.
    pub summed: bool,
    /// How many damaged records the database had when the backup was taken.
    pub damaged_records: usize,
}

/// Restores this backup as the database of the folder. Fails, and changes nothing, if another instance owns the folder,
/// or if the backup is damaged, foreign or of a later
/// version, or has tables, indices, views or triggers that are not those of its version.
pub fn restore(data: &Path, backup: &Path) -> Result<Restored, StoreError> {
    let folder = Folder::take(data)?;
    replacement::finish(data)?;
    refuse_other_files(&folder, backup)?;
    let summed = backup::verify_sum(backup)?;
    let source = opened(backup)?;
    let (waiting, unfinished) = (replacement::waiting(data), replacement::unfinished(data));
    let copied = backup::copy_checked(&source, &unfinished, &InterruptToken::default());
    let failed = |error: io::Error| StoreError::of_file("restore the backup", &waiting, &error);
    // On a full disk a partial copy would only take up space.
    let damaged_records = copied
        .and_then(|()| damaged_records(backup, &unfinished, summed))
        .and_then(|damaged| atomic::rename(&unfinished, &waiting).map(|()| damaged).map_err(failed))
        .inspect_err(|_| replacement::remove_unfinished(data))?;
    let previous = replacement::finish(data).map_err(|error| abandon(data, &waiting, error))?;
    folder.mark();
    Ok(Restored { previous, summed, damaged_records })
}

/// Reads every row of the copy with a checksum, and returns how many do not match theirs.
///
/// Our choice: a backup that matches its own checksum is as the database was, which goes on with damaged records, so that
/// it is restored with them. In any other file they are damage of the backup, and it is refused.
fn damaged_records(backup: &Path, copy: &Path, summed: bool) -> Result<usize, StoreError> {
    let (connection, _) = file::open_file(copy, file::Depth::Head)?;
    let damaged = checksum::damaged_records(&connection)?;
    match damaged.first() {
        Some(StoreError::Damaged { what, id }) if !summed => {
            let problem = format!("the backup is damaged: the {what} with the id {id:?} does not match its checksum");
            Err(StoreError::unusable("restore", backup, problem))
        }
        _ => Ok(damaged.len()),
    }
}

/// Handles a failure that leaves the new database waiting: if the old one is still in place, the restore is abandoned.
fn abandon(data: &Path, waiting: &Path, error: StoreError) -> StoreError {
    if folder::database(data).exists() && fs::remove_file(waiting).is_ok() {
        return error;
    }
    StoreError::unusable("finish the restore", data, format!("{error}; the next start finishes it"))
}

/// Rejects what is not a regular file, since opening a named pipe waits for its other end, and the database itself as the
/// backup: it would be moved away while it is copied.
fn refuse_other_files(folder: &Folder, backup: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::unusable("read the backup", backup, error);
    for path in [backup.to_owned(), backup::sum_path(backup)] {
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(StoreError::unusable("restore", &path, "this is not a regular file"));
        }
    }
    let found = fs::canonicalize(backup).map_err(failed)?;
    if fs::canonicalize(folder.database()).is_ok_and(|database| database == found) {
        return Err(StoreError::unusable("restore", backup, "this is the database itself, not a backup"));
    }
    Ok(())
}

/// Opens a backup after a full check.
fn opened(backup: &Path) -> Result<Connection, StoreError> {
    match file::open_file(backup, file::Depth::Whole) {
        Ok((source, _)) => Ok(source),
        Err(StoreError::Corrupt { problem, path, .. }) => Err(StoreError::unusable("restore", &path, problem)),
        Err(other) => Err(other),
    }
}
