//! A database that is gone or damaged: told, left as it is, and moved aside where that is asked for.
//!
//! What must hold: nothing is deleted; the database and its log are moved together, and a move that was interrupted is
//! finished by the next one; an empty database takes the place of another only because somebody asked for it.

use std::fs;
use std::path::{Path, PathBuf};

use lunette_storage::quarantine::Quarantine;
use rusqlite::{Connection, OpenFlags};

use super::ballast::Ballast;
use super::file;
use super::folder::{self, Folder};
use super::{StoreError, backup, restore, with_room};

/// What belongs to a database, itself first: without it the others are never taken for whole.
const DATABASE_FILES: [&str; 4] =
    ["lunette.sqlite3", "lunette.sqlite3-wal", "lunette.sqlite3-shm", "lunette.sqlite3-journal"];

/// Refuses to begin anew where there was a database and it is gone.
pub(super) fn refuse_if_missing(folder: &Folder) -> Result<(), StoreError> {
    let gone = |still_there: &str| {
        Err(StoreError::corrupt(&folder.database(), format!("it is missing, although {still_there}")))
    };
    let there = |name: &str| folder.path().join(name).symlink_metadata().is_ok();
    if let Some(left) = DATABASE_FILES[1..].iter().find(|name| there(name)) {
        return gone(&format!("{left} exists"));
    }
    if !backup::backups(folder.path()).is_empty() {
        return gone("backups of it exist");
    }
    if folder.had_database() {
        return gone("this folder had one");
    }
    if has_history(folder.path()) {
        return gone("the history records changes to it");
    }
    Ok(())
}

/// Whether the history of the inspector tells of writes to the service of this folder. Where that cannot be told, it does
/// not: the service runs without an inspector as well.
fn has_history(data: &Path) -> bool {
    let path = data.join("inspector.sqlite3");
    let steps = || {
        let inspector = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        inspector
            .query_row("SELECT EXISTS (SELECT 1 FROM step_line WHERE connection = 'embedded')", [], |row| row.get(0))
    };
    steps().unwrap_or(false) || has_legacy_history(data)
}

/// The same of a journal of versions that kept it in a file.
fn has_legacy_history(data: &Path) -> bool {
    let kept = fs::read_dir(data.join("journal")).into_iter().flatten().flatten();
    let own = kept.filter(|entry| entry.file_name().to_string_lossy().starts_with("embedded-"));
    own.map(|entry| entry.path().join("journal.jsonl"))
        .any(|journal| fs::metadata(journal).is_ok_and(|found| found.len() > 0))
}

/// Whether a data folder holds no database and never held one: a service would begin with an empty one there.
pub fn never_used(data: &Path) -> bool {
    let there = |name: &&str| data.join(name).symlink_metadata().is_ok();
    let lock = fs::read_to_string(data.join("lunette.lock")).unwrap_or_default();
    !DATABASE_FILES.iter().any(there)
        && !lock.lines().any(|line| line == folder::HAD_DATABASE)
        && backup::backups(data).is_empty()
        && !has_history(data)
}

/// Says which backup could be restored, where the database cannot be used.
pub(super) fn with_backup_advice(error: StoreError, data: &Path) -> StoreError {
    match error {
        StoreError::Corrupt { problem, path, newest: None } => {
            let newest = backup::backups(data).into_iter().next().map(|backup| backup.path);
            StoreError::Corrupt { problem, path, newest }
        }
        other => other,
    }
}

/// Moves a database that cannot be used aside, with its log, and makes an empty one in its place. Gives the folder it
/// was moved to, `corrupt-TIME` in the data folder; None where nothing was left to move. Fails where another instance has
/// the folder, and where the database is sound.
pub fn quarantine(data: &Path) -> Result<Option<PathBuf>, StoreError> {
    let folder = Folder::take(data)?;
    restore::finish(data)?;
    match file::look(&folder, file::Depth::Whole) {
        Err(StoreError::Corrupt { .. }) => {}
        Err(other) => return Err(other),
        Ok(()) => {
            return Err(StoreError::invalid("nothing was moved because the database is intact or does not exist"));
        }
    }
    // Made before anything is moved: a disk that has no room for it leaves what is there in its place.
    let prepared = with_room(&Ballast::of(data), || file::prepare(&folder))?;
    let quarantined = move_aside(data, QuarantineReason::Damaged)?;
    file::install(&folder, &prepared)?;
    if let Some(quarantined) = &quarantined {
        tracing::info!(path = %quarantined.display(), "moved the damaged database and created an empty one");
    }
    Ok(quarantined)
}

/// Why a database is moved aside: it is damaged, or a backup takes its place. The folder it goes to is named so.
#[derive(Clone, Copy, Debug)]
pub(super) enum QuarantineReason {
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

/// Moves the database and what belongs to it into a folder of its own; None where there is nothing.
pub(super) fn move_aside(data: &Path, reason: QuarantineReason) -> Result<Option<PathBuf>, StoreError> {
    const QUARANTINE: Quarantine = Quarantine {
        pieces: &DATABASE_FILES,
        reasons: &[QuarantineReason::Damaged.name(), QuarantineReason::Restored.name()],
    };
    let moved = QUARANTINE.move_aside(data, reason.name(), &backup::stamp(super::now()));
    moved.map_err(|error| StoreError::of_file("move the database", data, &error))
}
