//! The versions of the database: an append-only list, counted by `user_version`.
//!
//! What must hold: an entry that has been released is never edited, moved or removed; each runs in one transaction
//! together with the count, so that a file is of the old version or of the new one, never between. Before the first
//! change of an existing file there is a copy that has been read back (`file::open_checked`).

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

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
];

/// The latest version known here.
pub(super) fn known() -> i64 {
    MIGRATIONS.len() as i64
}

/// The version of a database.
pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Migrates a database to the latest version, one transaction per version.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    checksum::register(connection)?;
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

/// Lets SQLite read every page and compare every index with its table (`integrity_check`): a flipped bit in an index
/// yields the wrong record. It costs about half as much again as reading the pages alone.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found: String =
        connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(
            |error| match StoreError::at(path, error) {
                // A document that is no JSON any more, for one: SQLite meets it when it looks at an index of it.
                StoreError::Broken(problem) => StoreError::corrupt(path, format!("it is damaged ({problem})")),
                other => other,
            },
        )?;
    if found == "ok" { Ok(()) } else { Err(StoreError::corrupt(path, format!("it is damaged ({found})"))) }
}

#[cfg(test)]
mod tests;
