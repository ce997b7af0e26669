//! What assistants proposed and called, and the choices of the user about them.
//!
//! What must hold: a proposal has one number; it is changed in one transaction that reads it first, so that two windows
//! never carry out the same one.

use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::db::rows::{ASSISTANT, ASSISTANT_CALL, PROPOSAL};
use crate::db::{Database, DatabaseError};

/// Our choice: so many proposals of a connection are kept; the oldest are dropped.
const PROPOSALS_KEPT: usize = 1_000;

/// How the text of a proposal ends that waits for a decision: the status is its last field. The same expression is in
/// the index, so that SQLite uses that.
const WAITING: &str = r#"substr(proposal, -19) = '"status":"waiting"}'"#;

/// Counts the proposals that wait without reading the others.
pub(super) const WAITING_INDEX: &str =
    r#"CREATE INDEX proposal_waiting ON proposal (connection) WHERE substr(proposal, -19) = '"status":"waiting"}';"#;

/// What is not dropped, however old it is: what waits, and what is being sent.
const OPEN: &str = r#"substr(proposal, -19) IN ('"status":"waiting"}', '"status":"sending"}')"#;

/// After how many calls of assistants the oldest are dropped.
const TRIMMED_EVERY: i64 = 64;

/// Our choice: so many calls of the assistants of a connection are kept; the oldest are dropped.
const CALLS_KEPT: usize = 20_000;

impl Database {
    /// The proposals of a connection with their numbers, oldest first; damaged rows are skipped. Blocks.
    pub(crate) fn proposals(&self, connection: &str) -> Result<Vec<(u64, String)>, DatabaseError> {
        let rows = self.read(|db| PROPOSAL.read(db, "connection = ?1", [connection]))?.rows;
        Ok(rows.into_iter().filter_map(|(_, columns)| numbered(columns)).collect())
    }

    /// A proposal of a connection; `None` if there is none with this number, or it is damaged. Blocks.
    pub(crate) fn proposal(&self, connection: &str, number: u64) -> Result<Option<String>, DatabaseError> {
        let of_number = "connection = ?1 AND number = ?2";
        let rows = self.read(|db| PROPOSAL.read(db, of_number, [connection, &number.to_string()]))?.rows;
        Ok(rows.into_iter().next().and_then(|(_, columns)| numbered(columns)).map(|(_, text)| text))
    }

    /// The proposals of all connections, oldest first: the connection and the number of each, and a checksum that
    /// changes with it. Blocks.
    pub(crate) fn proposal_seals(&self) -> Result<Vec<(String, u64, Vec<u8>)>, DatabaseError> {
        self.read(|db| {
            let mut statement =
                db.prepare_cached("SELECT connection, CAST(number AS INTEGER), seal FROM proposal ORDER BY id")?;
            let seal = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs(), row.get(2)?));
            statement.query_map([], seal)?.collect()
        })
    }

    /// Adds a proposal, made for its number and for how many wait, and returns the number; `None` if `make` does.
    /// Blocks.
    pub(crate) fn add_proposal(
        &self,
        connection: &str,
        make: impl FnOnce(u64, usize) -> Option<String>,
    ) -> Result<Option<u64>, DatabaseError> {
        self.write(|db| {
            let number = last_number(db, connection)? + 1;
            let Some(text) = make(number, waiting(db, connection)?) else { return Ok(None) };
            PROPOSAL.insert(db, &[connection, &number.to_string(), &text])?;
            trim(db, "proposal", connection, (PROPOSALS_KEPT, OPEN))?;
            Ok(Some(number))
        })
    }

    /// Replaces a proposal by what `change` returns for it, and returns that; `None` if there is no such proposal or
    /// `change` returns none. Blocks.
    pub(crate) fn change_proposal(
        &self,
        connection: &str,
        number: u64,
        change: impl FnOnce(&str) -> Option<String>,
    ) -> Result<Option<String>, DatabaseError> {
        self.write(|db| {
            let number = number.to_string();
            let rows = PROPOSAL.read(db, "connection = ?1 AND number = ?2", [connection, &number])?.rows;
            let Some((id, columns)) = rows.into_iter().next() else { return Ok(None) };
            let Some(text) = columns.into_iter().nth(2).and_then(|text| change(&text)) else { return Ok(None) };
            PROPOSAL.insert_at(db, Some(id), &[connection, &number, &text])?;
            Ok(Some(text))
        })
    }

    /// What is kept of each assistant, by its name; damaged rows are skipped. Blocks.
    pub(crate) fn assistants(&self) -> Result<Vec<(String, String)>, DatabaseError> {
        let rows = self.read(|db| ASSISTANT.read(db, "TRUE", []))?.rows;
        let pair =
            |(_, columns): (i64, Vec<String>)| <[String; 2]>::try_from(columns).ok().map(<(String, String)>::from);
        Ok(rows.into_iter().filter_map(pair).collect())
    }

    /// What is kept of one assistant; `None` if nothing is. Blocks.
    pub(crate) fn assistant(&self, client: &str) -> Result<Option<String>, DatabaseError> {
        let rows = self.read(|db| ASSISTANT.read(db, "client = ?1", [client]))?.rows;
        Ok(rows.into_iter().next().and_then(|(_, columns)| columns.into_iter().nth(1)))
    }

    /// Replaces what is kept of an assistant by what `change` returns for it, and records a call if one is given.
    /// Blocks.
    pub(crate) fn change_assistant(
        &self,
        client: &str,
        change: impl FnOnce(Option<&str>) -> String,
        call: Option<(&str, &str)>,
    ) -> Result<(), DatabaseError> {
        self.write_unsynced(|db| {
            let rows = ASSISTANT.read(db, "client = ?1", [client])?.rows;
            let known = rows.into_iter().next().and_then(|(_, columns)| columns.into_iter().nth(1));
            ASSISTANT.insert(db, &[client, &change(known.as_deref())])?;
            let Some((connection, call)) = call else { return Ok(()) };
            // Counting what is kept takes longer than keeping it.
            match ASSISTANT_CALL.insert(db, &[connection, call])? % TRIMMED_EVERY {
                0 => trim(db, "assistant_call", connection, (CALLS_KEPT, "FALSE")),
                _ => Ok(()),
            }
        })
    }

    /// The calls of assistants at a connection, oldest first; damaged rows are skipped. Blocks.
    pub(crate) fn assistant_calls(&self, connection: &str) -> Result<Vec<String>, DatabaseError> {
        let rows = self.read(|db| ASSISTANT_CALL.read(db, "connection = ?1", [connection]))?.rows;
        Ok(rows.into_iter().filter_map(|(_, columns)| columns.into_iter().nth(1)).collect())
    }
}

fn numbered(columns: Vec<String>) -> Option<(u64, String)> {
    let [_, number, proposal] = <[String; 3]>::try_from(columns).ok()?;
    Some((number.parse().ok()?, proposal))
}

/// The highest number that a proposal of the connection has, damaged ones included; 0 if there is none.
fn last_number(db: &Connection, connection: &str) -> rusqlite::Result<u64> {
    let last = "SELECT MAX(CAST(number AS INTEGER)) FROM proposal WHERE connection = ?1";
    let last: Option<Option<i64>> = db.prepare_cached(last)?.query_row([connection], |row| row.get(0)).optional()?;
    Ok(last.flatten().and_then(|last| u64::try_from(last).ok()).unwrap_or_default())
}

/// How many proposals of a connection wait.
fn waiting(db: &Connection, connection: &str) -> rusqlite::Result<usize> {
    let count = format!("SELECT COUNT(*) FROM proposal WHERE connection = ?1 AND {WAITING}");
    let count: i64 = db.prepare_cached(&count)?.query_row([connection], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Deletes the oldest rows of a connection beyond a number, apart from those for which a condition holds.
fn trim(db: &Connection, table: &str, connection: &str, (kept, spared): (usize, &str)) -> rusqlite::Result<()> {
    let surplus = format!(
        "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE connection = ?1 ORDER BY id DESC LIMIT -1 OFFSET \
         {kept}) AND NOT ({spared})"
    );
    db.prepare_cached(&surplus)?.execute([connection]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_proposals_that_wait_are_counted_without_reading_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Database::open(folder.path()).expect("opened").database;
        let plan = format!("EXPLAIN QUERY PLAN SELECT COUNT(*) FROM proposal WHERE connection = ?1 AND {WAITING}");
        let plan: String = database.read(|db| db.query_row(&plan, ["a"], |row| row.get(3))).expect("planned");
        assert!(plan.contains("USING INDEX proposal_waiting"), "{plan}");
    }
}
