//! The journals in the database: append-only lines.

use std::sync::Arc;

use crate::db::rows::{Rows, STEP_LINE};
use crate::db::{Database, DatabaseError};

/// The journal of one connection. Clones share the database.
#[derive(Clone, Debug)]
pub(crate) struct StepStore {
    pub(crate) database: Arc<Database>,
    connection: Arc<str>,
}

/// Lines that were read.
#[derive(Debug, Default)]
pub(crate) struct StepLines {
    /// Their numbers and texts, in order.
    pub lines: Vec<(i64, String)>,
    /// The number of damaged lines.
    pub damaged: usize,
}

impl StepStore {
    pub fn of(database: Arc<Database>, connection: &str) -> Self {
        Self { database, connection: connection.into() }
    }

    /// The newest lines, limited in number and in bytes together, but at least one. Blocks.
    pub fn newest(&self, count: usize, bytes: u64) -> Result<StepLines, DatabaseError> {
        self.database.read(|db| {
            let first =
                "SELECT min(id) FROM (SELECT id, sum(length(CAST(line AS BLOB))) OVER (ORDER BY id DESC) AS bytes,
                row_number() OVER (ORDER BY id DESC) AS place FROM step_line WHERE connection = ?1 ORDER BY id DESC
                LIMIT ?2) WHERE bytes <= ?3 OR place = 1";
            let limits = (&*self.connection, count as i64, i64::try_from(bytes).unwrap_or(i64::MAX));
            let first: Option<i64> = db.prepare_cached(first)?.query_row(limits, |row| row.get(0))?;
            let after = first.map_or(0, |first| first.saturating_sub(1));
            STEP_LINE.read(db, "connection = ?1 AND id > ?2", (&*self.connection, after)).map(StepLines::of)
        })
    }

    /// The lines after this number. Blocks.
    pub fn after(&self, number: i64) -> Result<StepLines, DatabaseError> {
        let behind = "connection = ?1 AND id > ?2";
        self.database.read(|db| STEP_LINE.read(db, behind, (&*self.connection, number)).map(StepLines::of))
    }

    /// Adds a line after `allow` has checked all lines after this number, in one transaction. Returns the number of the
    /// line, or why it was not added. It is on disk when this returns. Blocks.
    pub fn add(
        &self,
        line: &str,
        number: i64,
        allow: impl FnOnce(StepLines) -> Option<&'static str>,
    ) -> Result<Result<i64, &'static str>, DatabaseError> {
        self.database.write(|transaction| {
            let behind = "connection = ?1 AND id > ?2";
            let lines = STEP_LINE.read(transaction, behind, (&*self.connection, number))?;
            if let Some(refused) = allow(StepLines::of(lines)) {
                return Ok(Err(refused));
            }
            STEP_LINE.insert(transaction, &[&self.connection, line]).map(Ok)
        })
    }
}

impl StepLines {
    fn of(found: Rows) -> Self {
        let lines = found.rows.into_iter().filter_map(|(number, mut columns)| Some((number, columns.pop()?))).collect();
        Self { lines, damaged: found.damaged }
    }
}

#[cfg(test)]
impl StepStore {
    /// Changes texts in lines, as a damaged disk might.
    pub fn change(&self, from: &str, to: &str) {
        let change = "UPDATE step_line SET line = replace(line, ?1, ?2)";
        self.database.write(|transaction| transaction.execute(change, [from, to])).expect("changed");
    }

    /// How many lines there are.
    pub fn count(&self) -> i64 {
        let count = "SELECT count(*) FROM step_line";
        self.database.read(|db| db.query_row(count, [], |row| row.get(0))).expect("counted")
    }

    /// Makes every write fail from now on.
    pub fn refuse_writes(&self) {
        let refuse =
            "CREATE TRIGGER refuse BEFORE INSERT ON step_line BEGIN SELECT RAISE(ABORT, 'writes are refused'); END";
        self.database.write(|transaction| transaction.execute_batch(refuse)).expect("made");
    }
}
