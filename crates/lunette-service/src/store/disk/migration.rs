//! The versions of the database: the starting schema and an append-only list of changes, counted by `user_version`.
//!
//! What must hold: an entry that has been released is never edited, moved or removed; each runs in one transaction
//! together with the count, so that a file is of the old version or of the new one, never between. Before the first
//! change of an existing file there is a copy that has been read back (`opening::open_checked`).

use std::path::Path;

use lunette_storage::database::integrity_problem;
use lunette_storage::migration::{self, Migrations};
use lunette_storage::schema::{self, Schema};
use rusqlite::Connection;

use crate::store::{StoreError, checksum};

/// The starting schema, and what leads from each version to the next. Append only.
pub(in crate::store) const MIGRATIONS: Migrations<'static> = Migrations {
    first: 10,
    statements: &[
        include_str!("schema.sql"),
        include_str!("forms.sql"),
        include_str!("past.sql"),
        include_str!("checkpoints.sql"),
        include_str!("gaps.sql"),
    ],
};

/// The digest of the schema of the latest version. A version of SQLite that writes statements in another way changes it, and
/// would refuse every file of an earlier one.
const LATEST: &str = "3a8013755498c2346f99459a800fa3daf813a5ff4c79772932492e5eab99f816";

/// The latest version known here.
pub(in crate::store) fn known() -> i64 {
    MIGRATIONS.latest()
}

/// Fails if a database of this version cannot be used: a later program created it, or one from before the first release.
pub(in crate::store) fn require_known(found: i64, path: &Path) -> Result<(), StoreError> {
    let path = || path.to_owned();
    match found {
        newer if newer > MIGRATIONS.latest() => Err(StoreError::Newer { found, known: known(), path: path() }),
        older if (1..MIGRATIONS.first).contains(&older) => {
            Err(StoreError::Older { found, first: MIGRATIONS.first, path: path() })
        }
        _ => Ok(()),
    }
}

/// The version of a database.
pub(in crate::store) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(migration::version(connection)?)
}

/// Creates the tables of an empty database.
pub(in crate::store) fn create(connection: &mut Connection) -> Result<(), StoreError> {
    checksum::register(connection)?;
    Ok(MIGRATIONS.run(connection)?)
}

/// The schema of a database that these migrations create.
fn schema_of(migrations: Migrations<'_>) -> rusqlite::Result<Schema> {
    let mut created = Connection::open_in_memory()?;
    checksum::register(&created)?;
    migrations.run(&mut created)?;
    Schema::read(&created)
}

/// Fails unless the tables, indices and triggers of a database are exactly those of its version. What a file defines runs
/// with every later statement, so that this comes before them.
pub(in crate::store) fn check_schema(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let at = |error| StoreError::at(path, error);
    let version = migration::version(connection).map_err(at)?;
    let Some(migrations) = MIGRATIONS.up_to(version) else {
        return Err(StoreError::corrupt(path, format!("its version is {version}, which does not exist")));
    };
    let digest = (version == known()).then_some(LATEST);
    match schema::verify(connection, digest, || schema_of(migrations)).map_err(at)? {
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
            // A document that is not JSON any more, for one: SQLite meets it when it looks at an index of it.
            StoreError::Broken(problem) => Err(damaged(problem)),
            other => Err(other),
        },
    }
}

#[cfg(test)]
mod tests;
