//! The versions of a database, counted by SQLite's `user_version`: the statements of a starting schema, and an
//! append-only list of those that lead from each version to the next.
//!
//! What must hold: a released entry is never edited, moved or removed; each runs in one transaction together with the
//! count, so that a file always has either the old or the new version.

use rusqlite::{Connection, Result, TransactionBehavior};

/// The version of a database; 0 for an empty one.
pub fn version(connection: &Connection) -> Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// The versions that a program can read.
#[derive(Clone, Copy, Debug)]
pub struct Migrations<'a> {
    /// The version of the starting schema. Earlier ones were never released, and are refused.
    pub first: i64,
    /// The starting schema, then the changes to each later version.
    pub statements: &'a [&'a str],
}

impl Migrations<'_> {
    /// The latest version.
    pub const fn latest(self) -> i64 {
        self.first + self.statements.len() as i64 - 1
    }

    /// Those that create a database of this version; None if there is no such version.
    pub fn up_to(self, version: i64) -> Option<Self> {
        let count = usize::try_from(version.checked_sub(self.first)?).ok()? + 1;
        Some(Self { statements: self.statements.get(..count)?, ..self })
    }

    /// Creates an empty database or migrates an existing one to the latest version, one transaction per version. A
    /// database of a version before the first is left as it is. Two programs may do this at once.
    pub fn run(self, connection: &mut Connection) -> Result<()> {
        for (next, statements) in (self.first..).zip(self.statements) {
            let previous = if next == self.first { 0 } else { next - 1 };
            if version(connection)? != previous {
                continue;
            }
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
            // Another program may have been first.
            if version(&transaction)? == previous {
                transaction.execute_batch(statements)?;
                transaction.pragma_update(None, "user_version", next)?;
            }
            transaction.commit()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept');";
    const SECOND: &str = "ALTER TABLE note ADD COLUMN more TEXT;";

    fn from_ten<'a>(statements: &'a [&'a str]) -> Migrations<'a> {
        Migrations { first: 10, statements }
    }

    #[test]
    fn migrations_run_in_order_and_keep_the_data() {
        let mut db = Connection::open_in_memory().expect("a database");
        let both = from_ten(&[FIRST, SECOND]);
        both.up_to(10).expect("the first").run(&mut db).expect("created");
        assert_eq!(version(&db), Ok(10));
        both.run(&mut db).expect("migrated");
        assert_eq!((version(&db), both.latest()), (Ok(11), 11));
        let text: String = db.query_row("SELECT text FROM note", [], |row| row.get(0)).expect("the row");
        assert_eq!(text, "kept");
        assert!([9, 12, i64::MIN].iter().all(|other| both.up_to(*other).is_none()));
    }

    #[test]
    fn a_failed_migration_leaves_the_previous_version() {
        let mut db = Connection::open_in_memory().expect("a database");
        let broken = "CREATE TABLE half (a); THIS IS NOT SQL;";
        assert!(from_ten(&[FIRST, broken]).run(&mut db).is_err());
        assert_eq!(version(&db), Ok(10));
        let halves = "SELECT count(*) FROM sqlite_schema WHERE name = 'half'";
        assert_eq!(db.query_row(halves, [], |row| row.get(0)), Ok(0));
    }

    #[test]
    fn a_database_of_a_version_before_the_first_or_after_the_latest_is_left_as_it_is() {
        for other in [9, 12] {
            let mut db = Connection::open_in_memory().expect("a database");
            db.pragma_update(None, "user_version", other).expect("a version");
            from_ten(&[FIRST, SECOND]).run(&mut db).expect("nothing to do");
            let tables = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0));
            assert_eq!((version(&db), tables), (Ok(other), Ok(0)));
        }
    }
}
