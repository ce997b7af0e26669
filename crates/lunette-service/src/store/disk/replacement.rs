//! Replaces the database of a folder by another one that is complete and waits beside it.
//!
//! What must hold: the files of the database are moved together and never deleted; once the new one has its waiting name,
//! the next start completes what was interrupted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::atomic;
use lunette_storage::quarantine::Quarantine;

use super::ballast::Ballast;
use super::folder;
use crate::store::{StoreError, now, with_room};

/// The files of a database, the main file first: without it the others never count as complete.
pub(super) const DATABASE_FILES: [&str; 4] =
    ["lunette.sqlite3", "lunette.sqlite3-wal", "lunette.sqlite3-shm", "lunette.sqlite3-journal"];

/// Why a database is moved: it is damaged, or a backup replaces it. The folder is named after it.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) enum QuarantineReason {
    Damaged,
    Restored,
}

impl QuarantineReason {
    const fn name(self) -> &'static str {
        match self {
            Self::Damaged => "corrupt",
            Self::Restored => "before-restore",
        }
    }
}

/// Moves the database files into a folder of their own; None if there are none.
pub(in crate::store) fn move_aside(data: &Path, reason: QuarantineReason) -> Result<Option<PathBuf>, StoreError> {
    const QUARANTINE: Quarantine = Quarantine {
        pieces: &DATABASE_FILES,
        reasons: &[QuarantineReason::Damaged.name(), QuarantineReason::Restored.name()],
    };
    let moved = QUARANTINE.move_aside(data, reason.name(), &folder::stamp(now()));
    moved.map_err(|error| StoreError::of_file("move the database", data, &error))
}

/// Completes an interrupted restore, if any: the complete new database is waiting to replace the old one.
pub(in crate::store) fn finish(data: &Path) -> Result<Option<PathBuf>, StoreError> {
    with_room(&Ballast::of(data), || finish_moving(data))
}

fn finish_moving(data: &Path) -> Result<Option<PathBuf>, StoreError> {
    let waiting = waiting(data);
    let failed = |error: io::Error| StoreError::of_file("restore the backup", &waiting, &error);
    if !waiting.try_exists().map_err(failed)? {
        remove_unfinished(data);
        return Ok(None);
    }
    let previous = move_aside(data, QuarantineReason::Restored)?;
    atomic::rename(&waiting, &folder::database(data)).map_err(failed)?;
    tracing::info!(previous = ?previous, "restored a backup");
    Ok(previous)
}

/// Removes an unfinished copy: the backup itself is untouched.
pub(super) fn remove_unfinished(data: &Path) {
    let unfinished = unfinished(data);
    // If it cannot be removed now, the next start retries.
    fs::remove_file(unfinished.with_extension("restoring-journal")).ok();
    fs::remove_file(unfinished).ok();
}

/// The copy of a backup while it is made.
pub(super) fn unfinished(data: &Path) -> PathBuf {
    data.join("lunette.sqlite3.restoring")
}

/// The complete copy of a backup, which is to replace the database.
pub(super) fn waiting(data: &Path) -> PathBuf {
    data.join("lunette.sqlite3.restored")
}
