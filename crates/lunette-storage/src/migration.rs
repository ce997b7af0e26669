//! The versions of a database: an append-only list of statements, counted by SQLite's `user_version`.
//!
//! What must hold: a released entry is never edited, moved or removed; each runs in one transaction together with the
//! count, so that a file always has either the old or the new version.

use rusqlite::{Connection, Result, TransactionBehavior};

/// The version of a database: the number of entries that were run.
pub fn version(connection: &Connection) -> Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Runs the entries that a database is missing. Two programs may do this at once.
pub fn run(connection: &mut Connection, migrations: &[&str]) -> Result<()> {
    for (index, statements) in migrations.iter().enumerate() {
        let next = index as i64 + 1;
        if version(connection)? >= next {
            continue;
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
        // Another program may have been first.
        if version(&transaction)? < next {
            transaction.execute_batch(statements)?;
            transaction.pragma_update(None, "user_version", next)?;
        }
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept');";
    const SECOND: &str = "ALTER TABLE note ADD COLUMN more TEXT;";

    #[test]
    fn migrations_run_in_order_and_keep_the_data() {
        let mut db = Connection::open_in_memory().expect("a database");
        run(&mut db, &[FIRST]).expect("the first");
        run(&mut db, &[FIRST, SECOND]).expect("the second");
        assert_eq!(version(&db), Ok(2));
        let text: String = db.query_row("SELECT text FROM note", [], |row| row.get(0)).expect("the row");
        assert_eq!(text, "kept");
    }

    #[test]
    fn a_failed_migration_leaves_the_previous_version() {
        let mut db = Connection::open_in_memory().expect("a database");
        let broken = "CREATE TABLE half (a); THIS IS NOT SQL;";
        assert!(run(&mut db, &[FIRST, broken]).is_err());
        assert_eq!(version(&db), Ok(1));
        let halves = "SELECT count(*) FROM sqlite_schema WHERE name = 'half'";
        assert_eq!(db.query_row(halves, [], |row| row.get(0)), Ok(0));
    }
}
