//! A pool of read-only connections.
//!
//! What must hold: connections that only a burst of readers needed do not keep the pages that they read.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;

use super::{StoreError, file};

/// How many idle connections are pooled.
const KEPT: usize = 8;
/// How many of these keep pages in memory: what a window and a few clients use between bursts.
const WARM: usize = 4;

/// Connections that nobody uses.
#[derive(Default)]
pub(super) struct Idle {
    /// These are used first.
    warm: Vec<Connection>,
    /// These keep no pages in memory.
    cold: Vec<Connection>,
}

pub(super) enum Readers {
    /// Readers of a file work concurrently with the writer.
    File { path: PathBuf, idle: Mutex<Idle> },
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
                let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).take();
                let connection = match taken {
                    Some(connection) => connection,
                    None => file::open_reader(path)?,
                };
                let result = in_transaction(&connection, queries);
                // After a failed read the connection is discarded.
                if !matches!(&result, Err(error) if error.is_of_the_disk() || matches!(error, StoreError::Broken(_))) {
                    keep(idle, connection);
                }
                result
            }
        }
    }
}

impl Idle {
    fn take(&mut self) -> Option<Connection> {
        self.warm.pop().or_else(|| self.cold.pop())
    }
}

/// Pools a connection.
fn keep(idle: &Mutex<Idle>, connection: Connection) {
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    {
        let mut idle = lock();
        if idle.warm.len() < WARM {
            return idle.warm.push(connection);
        }
    }
    // The pages in memory; nothing is lost if they stay.
    connection.execute_batch("PRAGMA shrink_memory").ok();
    let mut idle = lock();
    if idle.warm.len() + idle.cold.len() < KEPT {
        idle.cold.push(connection);
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rusqlite::trace::{TraceEvent, TraceEventCodes};

    use super::*;
    use crate::store::Store;

    thread_local! {
        static SHRUNK: Cell<usize> = const { Cell::new(0) };
    }

    fn count(event: TraceEvent<'_>) {
        if let TraceEvent::Stmt(_, sql) = event
            && sql.contains("shrink_memory")
        {
            SHRUNK.set(SHRUNK.get() + 1);
        }
    }

    /// Reads with so many connections at the same time.
    fn at_once(readers: &Readers, depth: usize) {
        let read = |_: &Connection| {
            if depth > 1 {
                at_once(readers, depth - 1);
            }
            Ok(())
        };
        readers.read(read).expect("a read");
    }

    #[test]
    fn connections_that_only_a_burst_of_readers_needed_keep_no_pages() {
        let data = tempfile::tempdir().expect("a folder");
        let _store = Store::open(data.path()).expect("a store");
        let readers = Readers::of_file(data.path().join("lunette.sqlite3"));
        at_once(&readers, KEPT);
        let Readers::File { idle, .. } = &readers else { panic!("a file") };
        let mut idle = idle.lock().expect("no panic");
        assert_eq!((idle.warm.len(), idle.cold.len()), (WARM, KEPT - WARM));
        let Idle { warm, cold } = &mut *idle;
        for connection in warm.iter_mut().chain(cold) {
            connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count)).expect("traced");
        }
        drop(idle);
        at_once(&readers, WARM);
        at_once(&readers, 1);
        let few = SHRUNK.replace(0);
        at_once(&readers, KEPT);
        assert_eq!((few, SHRUNK.get()), (0, KEPT - WARM));
    }
}
