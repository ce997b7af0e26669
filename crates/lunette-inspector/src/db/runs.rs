//! The ledgers of bulk runs in the database: append-only lines.

use std::path::Path;
use std::sync::Arc;

use uuid::Uuid;

use crate::db::lock::NamedLock;
use crate::db::rows::RUN_LINE;
use crate::db::{Database, DatabaseError};

/// What written lines survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// The end of the program, but not a power cut.
    Written,
    /// A power cut too: they and all lines before them are on disk.
    Synced,
}

/// The ledgers of one connection. Clones share the database.
#[derive(Clone, Debug)]
pub struct RunStore {
    database: Arc<Database>,
    connection: Arc<str>,
}

/// The lines of a ledger, and the number of damaged ones.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub lines: Vec<String>,
    pub damaged: usize,
}

impl RunStore {
    /// The ledgers of a connection in the database of a data folder. Blocks.
    pub fn open(data: &Path, connection: &str) -> Result<Self, DatabaseError> {
        Ok(Self::of(Database::open(data)?.database, connection))
    }

    pub(crate) fn of(database: Arc<Database>, connection: &str) -> Self {
        Self { database, connection: connection.into() }
    }

    /// Whether there is a ledger of this run. Blocks.
    pub(crate) fn has(&self, run: Uuid) -> Result<bool, DatabaseError> {
        self.database.read(|db| {
            let mut known = db.prepare_cached("SELECT 1 FROM run_line WHERE run = ?1 LIMIT 1")?;
            known.exists([run.to_string()])
        })
    }

    /// Locks a ledger, so that no other program continues its run; `None` if it is locked. Blocks.
    pub(crate) fn lock(&self, run: Uuid) -> Result<Option<NamedLock>, DatabaseError> {
        let locked = NamedLock::try_take(self.database.folder(), &format!("run-{run}"));
        locked.map_err(|error| DatabaseError::from(error).at(self.database.folder()))
    }

    /// Adds lines, which are as durable as this when it returns. Blocks.
    pub(crate) fn add(&self, run: Uuid, lines: &[String], durability: Durability) -> Result<(), DatabaseError> {
        let run = run.to_string();
        let add = |transaction: &rusqlite::Transaction<'_>| {
            lines.iter().try_for_each(|line| RUN_LINE.insert(transaction, &[&self.connection, &run, line]).map(drop))
        };
        match (durability, lines.is_empty()) {
            (Durability::Synced, true) => self.database.sync(),
            (Durability::Synced, false) => self.database.write(add),
            (Durability::Written, _) => self.database.write_unsynced(add),
        }
    }

    /// The lines of a ledger. Blocks.
    pub(crate) fn lines(&self, run: Uuid) -> Result<Lines, DatabaseError> {
        let found = self.database.read(|db| RUN_LINE.read(db, "run = ?1", [run.to_string()]))?;
        let lines = found.rows.into_iter().filter_map(|(_, mut columns)| columns.pop()).collect();
        Ok(Lines { lines, damaged: found.damaged })
    }

    /// The runs of this connection, each with its last line; `None` if that is damaged. Blocks.
    pub(crate) fn last_lines(&self) -> Result<Vec<(Uuid, Option<String>)>, DatabaseError> {
        let runs: Vec<String> = self.database.read(|db| {
            let mut runs = db.prepare_cached("SELECT DISTINCT run FROM run_line WHERE connection = ?1")?;
            runs.query_map([&*self.connection], |row| row.get(0))?.collect()
        })?;
        let runs = runs.into_iter().filter_map(|run| Some((run.parse().ok()?, run)));
        let with_last = runs.map(|(id, run)| {
            let last = "id = (SELECT max(id) FROM run_line WHERE run = ?1)";
            let last = self.database.read(|db| RUN_LINE.read(db, last, [run]))?;
            Ok((id, last.rows.into_iter().next().and_then(|(_, mut columns)| columns.pop())))
        });
        with_last.collect()
    }
}
