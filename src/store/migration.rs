//! The versions of the database: an append-only list, counted by `user_version`.
//!
//! What must hold: an entry that has been released is never edited, moved or removed; each runs in one transaction
//! together with the count, so that a file is of the old version or of the new one, never between; before the first
//! change of an existing file there is a copy that has been read back.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::StoreError;

/// Every version's statements, oldest first. Append only.
const MIGRATIONS: &[&str] = &[
    include_str!("schema/0001-assets.sql"),
    include_str!("schema/0002-applications.sql"),
    include_str!("schema/0003-items.sql"),
    include_str!("schema/0004-conversations.sql"),
    include_str!("schema/0005-search.sql"),
];

/// The latest version known here.
pub(super) fn known() -> i64 {
    MIGRATIONS.len() as i64
}

/// The version of a database.
pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Brings a database to the latest version, a transaction a version.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    run_list(connection, MIGRATIONS)
}

fn run_list(connection: &mut Connection, migrations: &[&str]) -> Result<(), StoreError> {
    let done = usize::try_from(version(connection)?).unwrap_or_default();
    for (place, statements) in migrations.iter().enumerate().skip(done) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
        transaction.execute_batch(statements)?;
        transaction.pragma_update(None, "user_version", place as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Copies the database into the folder of backups and reads the copy back; gives its path.
pub(super) fn back_up(connection: &Connection, folder: &Path) -> Result<PathBuf, StoreError> {
    fs::create_dir_all(folder).map_err(|error| StoreError::unusable("make the folder of backups", folder, error))?;
    let from = version(connection)?;
    let at = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%6fZ");
    let path = folder.join(format!("version-{from}-{at}.sqlite3"));
    connection.execute("VACUUM INTO ?1", [path.to_string_lossy()])?;
    let copy = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .map_err(|error| StoreError::at(&path, error))?;
    check(&copy, &path)?;
    if version(&copy)? != from {
        return Err(StoreError::corrupt(&path, "the backup is not what was copied"));
    }
    tracing::info!(from, to = known(), "backed up the database before its migration");
    Ok(path)
}

/// Has SQLite read every page.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found: String = connection
        .query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
        .map_err(|error| StoreError::at(path, error))?;
    if found == "ok" { Ok(()) } else { Err(StoreError::corrupt(path, format!("it is damaged ({found})"))) }
}

#[cfg(test)]
mod tests;
