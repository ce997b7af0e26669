//! Missing or damaged databases: reported, left untouched, and quarantined on request.
//!
//! What must hold: nothing is deleted; the database and its log are moved together, and an interrupted move is finished
//! by the next one; an empty database replaces another only on request.

use std::fs;
use std::path::{Path, PathBuf};

use lunette_storage::schema;

use super::ballast::Ballast;
use super::folder::{self, Folder};
use super::replacement::{self, DATABASE_FILES, QuarantineReason};
use super::{backup, file};
use crate::store::{StoreError, with_room};

/// Fails if there was a database and it is missing, instead of creating an empty one.
pub(in crate::store) fn refuse_if_missing(folder: &Folder) -> Result<(), StoreError> {
    let gone = |still_there: &str| {
        Err(StoreError::corrupt(&folder.database(), format!("it is missing, although {still_there}")))
    };
    let exists = |name: &str| folder.path().join(name).symlink_metadata().is_ok();
    if let Some(left) = DATABASE_FILES[1..].iter().find(|name| exists(name)) {
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

/// Checks the folder's database, changing nothing. Fails if it is unusable: damaged, foreign, of a later version, or
/// missing although there was one.
pub(in crate::store) fn check(folder: &Folder, depth: file::Depth) -> Result<file::WholeCheck, StoreError> {
    let path = folder.database();
    match path.try_exists() {
        Ok(true) => file::check_file(&path, depth),
        Ok(false) => refuse_if_missing(folder).map(|()| file::WholeCheck::NotNeeded),
        Err(error) => Err(StoreError::unusable("find the database", &path, error)),
    }
}

/// Whether the history of the inspector tells of writes to the service of this folder. Where that cannot be told, it does
/// not: the service runs without an inspector as well.
fn has_history(data: &Path) -> bool {
    let path = data.join("inspector.sqlite3");
    let steps = || {
        schema::open_foreign(&path)?.query_row(
            "SELECT EXISTS (SELECT 1 FROM step_line WHERE connection = 'embedded')",
            [],
            |row| row.get(0),
        )
    };
    steps().unwrap_or(false)
}

/// Whether a data folder has no database and never had one: a service would create an empty one there.
pub fn never_used(data: &Path) -> bool {
    let exists = |name: &&str| data.join(name).symlink_metadata().is_ok();
    let lock = fs::read_to_string(data.join("lunette.lock")).unwrap_or_default();
    !DATABASE_FILES.iter().any(exists)
        && !lock.lines().any(|line| line == folder::HAD_DATABASE)
        && backup::backups(data).is_empty()
        && !has_history(data)
}

/// Adds the newest backup to the error of an unusable database.
pub(in crate::store) fn with_backup_advice(error: StoreError, data: &Path) -> StoreError {
    match error {
        StoreError::Corrupt { problem, path, newest: None } => {
            let newest = backup::backups(data).into_iter().next().map(|backup| backup.path);
            StoreError::Corrupt { problem, path, newest }
        }
        other => other,
    }
}

/// Quarantines a damaged database with its log, and creates an empty one in its place. Returns the folder it was moved
/// to, `corrupt-TIME` in the data folder; None if there was nothing to move. Fails if another instance owns the folder,
/// and if the database is intact.
pub fn quarantine(data: &Path) -> Result<Option<PathBuf>, StoreError> {
    let folder = Folder::take(data)?;
    replacement::finish(data)?;
    match check(&folder, file::Depth::Whole) {
        Err(StoreError::Corrupt { .. }) => {}
        Err(other) => return Err(other),
        Ok(_) => {
            return Err(StoreError::invalid("nothing was moved because the database is intact or does not exist"));
        }
    }
    // Created before anything is moved: on a full disk nothing changes.
    let prepared = with_room(&Ballast::of(data), || file::prepare(&folder))?;
    let quarantined = replacement::move_aside(data, QuarantineReason::Damaged)?;
    file::install(&folder, &prepared)?;
    if let Some(quarantined) = &quarantined {
        tracing::info!(path = %quarantined.display(), "moved the damaged database and created an empty one");
    }
    Ok(quarantined)
}
