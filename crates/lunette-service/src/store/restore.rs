//! Bringing a backup back.
//!
//! What must hold: a backup is checked before anything is touched; what is there is moved aside whole and never deleted;
//! however it is interrupted, the next start has the old database or the new one. From the moment the new one has the
//! name it waits under, it is the one: a start finishes what was begun.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::atomic;
use rusqlite::{Connection, OpenFlags};

use super::ballast::Ballast;
use super::file;
use super::folder::Folder;
use super::interrupt::InterruptToken;
use super::quarantine::QuarantineReason;
use super::{StoreError, backup, migration, quarantine, with_room};

/// What became of what was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Where the database that was there is now, `before-restore-TIME` in the data folder; None where there was none.
    pub previous: Option<PathBuf>,
    /// Whether a checksum stood beside the backup, and agreed.
    pub summed: bool,
}

/// Brings this backup back as the database of the folder. Fails, and changes nothing, where another instance has the
/// folder, and where the backup is damaged, foreign or of a later version.
pub fn restore(data: &Path, backup: &Path) -> Result<Restored, StoreError> {
    let folder = Folder::take(data)?;
    finish(data)?;
    refuse_itself(&folder, backup)?;
    let summed = backup::verify_sum(backup)?;
    let source = opened(backup)?;
    let (waiting, unfinished) = (waiting(data), unfinished(data));
    let copied = backup::copy_checked(&source, &unfinished, &InterruptToken::default());
    let failed = |error: io::Error| StoreError::of_file("restore the backup", &waiting, &error);
    // On a full disk what was copied so far is in the way of everything else.
    copied
        .and_then(|()| atomic::rename(&unfinished, &waiting).map_err(failed))
        .inspect_err(|_| remove_unfinished(data))?;
    let previous = finish(data).map_err(|error| given_up(data, &waiting, error))?;
    folder.mark();
    Ok(Restored { previous, summed })
}

/// What a failure comes to that leaves the new database waiting: where the old one is still in its place, it stays there.
fn given_up(data: &Path, waiting: &Path, error: StoreError) -> StoreError {
    if file::database(data).exists() && fs::remove_file(waiting).is_ok() {
        return error;
    }
    StoreError::unusable("finish the restore", data, format!("{error}; the next start finishes it"))
}

/// Finishes what was begun, where something was: the new database waits, whole, to take the place of the old one.
pub(super) fn finish(data: &Path) -> Result<Option<PathBuf>, StoreError> {
    with_room(&Ballast::of(data), || finish_moving(data))
}

fn finish_moving(data: &Path) -> Result<Option<PathBuf>, StoreError> {
    let waiting = waiting(data);
    let failed = |error: io::Error| StoreError::of_file("restore the backup", &waiting, &error);
    if !waiting.try_exists().map_err(failed)? {
        remove_unfinished(data);
        return Ok(None);
    }
    let previous = quarantine::move_aside(data, QuarantineReason::Restored)?;
    atomic::rename(&waiting, &file::database(data)).map_err(failed)?;
    tracing::info!(previous = ?previous, "restored a backup");
    Ok(previous)
}

/// Removes a copy that was not finished: the backup it was made of is where it was.
fn remove_unfinished(data: &Path) {
    let unfinished = unfinished(data);
    // Where it cannot be removed now, the next start tries it again.
    fs::remove_file(unfinished.with_extension("restoring-journal")).ok();
    fs::remove_file(unfinished).ok();
}

fn unfinished(data: &Path) -> PathBuf {
    data.join("lunette.sqlite3.restoring")
}

fn waiting(data: &Path) -> PathBuf {
    data.join("lunette.sqlite3.restored")
}

/// The database itself is no backup of it: it would be moved away from under its own copy.
fn refuse_itself(folder: &Folder, backup: &Path) -> Result<(), StoreError> {
    let found = fs::canonicalize(backup).map_err(|error| StoreError::unusable("read the backup", backup, error))?;
    if fs::canonicalize(folder.database()).is_ok_and(|database| database == found) {
        return Err(StoreError::unusable("restore", backup, "this is the database itself, not a backup"));
    }
    Ok(())
}

/// Opens a backup that was looked at from end to end.
fn opened(backup: &Path) -> Result<Connection, StoreError> {
    let no_backup = |error| match error {
        StoreError::Corrupt { problem, path, .. } => StoreError::unusable("restore", &path, problem),
        other => other,
    };
    file::look_at(backup, file::Depth::Whole).map_err(no_backup)?;
    let source = Connection::open_with_flags(backup, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|error| StoreError::at(backup, error))?;
    migration::version(&source)?;
    Ok(source)
}
