//! The versions of the database: an append-only list, counted by `user_version`.
//!
//! What must hold: an entry that has been released is never edited, moved or removed; each runs in one transaction
//! together with the count, so that a file is of the old version or of the new one, never between. Before the first
//! change of an existing file there is a copy that has been read back (`file::open_checked`).

use std::path::Path;

use lunette_storage::database::integrity_problem;
use lunette_storage::migration;
use rusqlite::Connection;

use super::{StoreError, checksum};

/// Every version's statements, oldest first. Append only.
const MIGRATIONS: &[&str] = &[
    include_str!("schema/0001-assets.sql"),
    include_str!("schema/0002-applications.sql"),
    include_str!("schema/0003-items.sql"),
    include_str!("schema/0004-conversations.sql"),
    include_str!("schema/0005-search.sql"),
    include_str!("schema/0006-trash.sql"),
    include_str!("schema/0007-sums.sql"),
    include_str!("schema/0008-content-stale.sql"),
    include_str!("schema/0009-content-waiting.sql"),
];

/// The latest version known here.
pub(super) fn known() -> i64 {
    MIGRATIONS.len() as i64
}

/// The version of a database.
pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(migration::version(connection)?)
}

/// Migrates a database to the latest version, one transaction per version.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    checksum::register(connection)?;
    Ok(migration::run(connection, MIGRATIONS)?)
}

/// Checks every page and every index.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let damaged = |problem| StoreError::corrupt(path, format!("it is damaged ({problem})"));
    match integrity_problem(connection) {
        Ok(None) => Ok(()),
        Ok(Some(problem)) => Err(damaged(problem)),
        Err(error) => match StoreError::at(path, error) {
            // A document that is no JSON any more, for one: SQLite meets it when it looks at an index of it.
            StoreError::Broken(problem) => Err(damaged(problem)),
            other => Err(other),
        },
    }
}

#[cfg(test)]
mod tests;
