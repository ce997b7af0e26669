//! The versions of the database: an append-only list, counted by `user_version`.
//!
//! What must hold: an entry that has been released is never edited, moved or removed; each runs in one transaction
//! together with the count, so that a file is of the old version or of the new one, never between. Before the first
//! change of an existing file there is a copy that has been read back (`file::open_checked`).

use std::path::Path;

use lunette_storage::database::integrity_problem;
use lunette_storage::migration;
use lunette_storage::schema::{self, Schema};
use rusqlite::Connection;

use crate::store::{StoreError, checksum};

/// Every version's statements, oldest first. Append only.
const MIGRATIONS: &[&str] = &[
    include_str!("../schema/0001-assets.sql"),
    include_str!("../schema/0002-applications.sql"),
    include_str!("../schema/0003-items.sql"),
    include_str!("../schema/0004-conversations.sql"),
    include_str!("../schema/0005-search.sql"),
    include_str!("../schema/0006-trash.sql"),
    include_str!("../schema/0007-sums.sql"),
    include_str!("../schema/0008-content-stale.sql"),
    include_str!("../schema/0009-content-waiting.sql"),
    include_str!("../schema/0010-format-sums.sql"),
];

/// The digest of the schema of the latest version. A version of SQLite that writes statements in another way changes it, and
/// would refuse every file of an earlier one.
const LATEST: &str = "d21de52044e1adc12bbff1babe9059c095e99b0d683b0f9ad7b42680873d3d81";

/// The latest version known here.
pub(in crate::store) fn known() -> i64 {
    MIGRATIONS.len() as i64
}

/// The version of a database.
pub(in crate::store) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(migration::version(connection)?)
}

/// Migrates a database to the latest version, one transaction per version.
pub(in crate::store) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    checksum::register(connection)?;
    Ok(migration::run(connection, MIGRATIONS)?)
}

/// The schema of a database that was created by the program of a version.
fn schema_of(version: usize) -> rusqlite::Result<Schema> {
    let mut created = Connection::open_in_memory()?;
    checksum::register(&created)?;
    migration::run(&mut created, &MIGRATIONS[..version])?;
    Schema::read(&created)
}

/// Fails unless the tables, indices and triggers of a database are exactly those of its version. What a file defines runs
/// with every later statement, so that this comes before them.
pub(in crate::store) fn check_schema(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let at = |error| StoreError::at(path, error);
    let found = migration::version(connection).map_err(at)?;
    let known = usize::try_from(found).ok().filter(|version| (1..=MIGRATIONS.len()).contains(version));
    let Some(version) = known else {
        return Err(StoreError::corrupt(path, format!("its version is {found}, which does not exist")));
    };
    let digest = (version == MIGRATIONS.len()).then_some(LATEST);
    match schema::verify(connection, digest, || schema_of(version)).map_err(at)? {
        None => Ok(()),
        Some(difference) => {
            Err(StoreError::corrupt(path, format!("its tables are not those of version {version}: {difference}")))
        }
    }
}

/// Checks every page and every index.
pub(in crate::store) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
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
pub(in crate::store) mod tests;
