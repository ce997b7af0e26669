//! A pool of read-only connections.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::{StoreError, file};

/// How many idle connections are pooled.
const KEPT: usize = 8;

pub(super) enum Readers {
    /// Readers of a file work concurrently with the writer.
    File { path: PathBuf, idle: Mutex<Vec<Connection>> },
    /// A database in memory has one connection, which readers and the writer take in turn.
    Memory(Arc<Mutex<Connection>>),
}

impl Readers {
    pub(super) fn of_file(path: PathBuf) -> Self {
        Self::File { path, idle: Mutex::default() }
    }

    pub(super) fn of_memory(connection: Arc<Mutex<Connection>>) -> Self {
        Self::Memory(connection)
    }

    /// Runs queries in one read transaction, so that they see one snapshot.
    pub(super) fn read<T>(&self, queries: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match self {
            Self::Memory(shared) => in_transaction(&shared.lock().unwrap_or_else(PoisonError::into_inner), queries),
            Self::File { path, idle } => {
                let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let connection = match taken {
                    Some(connection) => connection,
                    None => file::open_reader(path)?,
                };
                let result = in_transaction(&connection, queries);
                // After a failed read the connection is discarded.
                if !matches!(&result, Err(error) if error.is_of_the_disk() || matches!(error, StoreError::Broken(_))) {
                    let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
                    if idle.len() < KEPT {
                        idle.push(connection);
                    }
                }
                result
            }
        }
    }
}

fn in_transaction<T>(
    connection: &Connection,
    queries: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.prepare_cached("BEGIN DEFERRED")?.execute([])?;
    let open = OpenRead(connection);
    let result = queries(connection);
    drop(open);
    result
}

/// Ends the read transaction however the queries end.
struct OpenRead<'a>(&'a Connection);

impl Drop for OpenRead<'_> {
    fn drop(&mut self) {
        // Nothing was changed, so a failure loses nothing; SQLite has ended the transaction itself then.
        self.0.prepare_cached("COMMIT").and_then(|mut statement| statement.execute([])).ok();
    }
}
