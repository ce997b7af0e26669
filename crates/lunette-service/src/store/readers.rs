//! A pool of read-only connections.
//!
//! What must hold: connections that only a burst of readers needed do not keep the pages that they read, and when nobody
//! has read for [`REST`], only one connection is left, which keeps none: the C library returns to the system what a
//! connection has allocated once it is closed, and not before. A program at rest stays at rest: one thread sleeps after
//! the last read, and ends.

use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use lunette_storage::freed_memory;
use rusqlite::Connection;

use super::StoreError;
use super::disk::file;

/// How many idle connections are pooled.
const KEPT: usize = 8;
/// How many of these keep pages in memory: what a window and a few clients use between bursts.
const WARM: usize = 4;
/// How long after the last read the connections are closed.
const REST: Duration = Duration::from_secs(5);

/// The connections to a file, and those that nobody uses.
pub(super) struct Pool {
    path: PathBuf,
    idle: Mutex<Idle>,
}

#[derive(Default)]
struct Idle {
    /// These are used first.
    warm: Vec<Connection>,
    /// These keep no pages in memory.
    cold: Vec<Connection>,
    /// How many reads there were.
    reads: u64,
    /// Whether a thread waits for the end of the reads.
    awaited: bool,
}

pub(super) enum Readers {
    /// Readers of a file work concurrently with the writer.
    File(Arc<Pool>),
    /// A database in memory has one connection, which readers and the writer take in turn.
    Memory(Arc<Mutex<Connection>>),
}

impl Readers {
    pub(super) fn of_file(path: PathBuf) -> Self {
        Self::File(Arc::new(Pool { path, idle: Mutex::default() }))
    }

    pub(super) fn of_memory(connection: Arc<Mutex<Connection>>) -> Self {
        Self::Memory(connection)
    }

    /// Runs queries in one read transaction, so that they see one snapshot.
    pub(super) fn read<T>(&self, queries: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match self {
            Self::Memory(shared) => in_transaction(&shared.lock().unwrap_or_else(PoisonError::into_inner), queries),
            Self::File(pool) => {
                let taken = pool.idle().take();
                let connection = match taken {
                    Some(connection) => connection,
                    None => file::open_reader(&pool.path)?,
                };
                let result = in_transaction(&connection, queries);
                // After a failed read the connection is discarded.
                if !matches!(&result, Err(error) if error.is_of_the_disk() || matches!(error, StoreError::Broken(_))) {
                    pool.keep(connection);
                    pool.await_rest();
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

impl Pool {
    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pools a connection.
    fn keep(&self, connection: Connection) {
        {
            let mut idle = self.idle();
            idle.reads += 1;
            if idle.warm.len() < WARM {
                return idle.warm.push(connection);
            }
        }
        self.keep_cold(connection);
    }

    /// Pools a connection without the pages that it has in memory.
    fn keep_cold(&self, connection: Connection) {
        // Nothing is lost if they stay.
        connection.execute_batch("PRAGMA shrink_memory").ok();
        let mut idle = self.idle();
        if idle.warm.len() + idle.cold.len() < KEPT {
            idle.cold.push(connection);
        }
    }

    /// Has the connections closed once nobody reads any more.
    fn await_rest(self: &Arc<Self>) {
        if mem::replace(&mut self.idle().awaited, true) {
            return;
        }
        let pool = Arc::downgrade(self);
        let waits = thread::Builder::new().name("readers-at-rest".to_owned()).spawn(move || rest(&pool));
        if waits.is_err() {
            // The next read tries again.
            self.idle().awaited = false;
        }
    }

    /// The idle connections, if nobody has read since there were so many reads; else how many there are now.
    fn rested(&self, reads: u64) -> Result<Vec<Connection>, u64> {
        let mut idle = self.idle();
        if idle.reads != reads {
            return Err(idle.reads);
        }
        idle.awaited = false;
        let Idle { warm, cold, .. } = &mut *idle;
        Ok(warm.drain(..).chain(cold.drain(..)).collect())
    }

    /// Closes connections at rest but for one, with which the next reader begins, also where no more files may be opened.
    fn close(&self, mut connections: Vec<Connection>) {
        connections.truncate(1);
        connections.into_iter().for_each(|connection| self.keep_cold(connection));
        freed_memory::schedule_trim();
    }
}

/// Waits until nobody reads, or the store is closed.
fn rest(pool: &Weak<Pool>) {
    let mut reads = 0;
    loop {
        thread::sleep(REST);
        let Some(pool) = pool.upgrade() else { return };
        match pool.rested(reads) {
            Ok(connections) => return pool.close(connections),
            Err(now) => reads = now,
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
        let Readers::File(pool) = &readers else { panic!("a file") };
        let mut idle = pool.idle();
        assert_eq!((idle.warm.len(), idle.cold.len()), (WARM, KEPT - WARM));
        let Idle { warm, cold, .. } = &mut *idle;
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

    #[test]
    fn idle_connections_are_closed_except_one_without_pages() {
        let data = tempfile::tempdir().expect("a folder");
        let _store = Store::open(data.path()).expect("a store");
        let readers = Readers::of_file(data.path().join("lunette.sqlite3"));
        at_once(&readers, KEPT);
        let Readers::File(pool) = &readers else { panic!("a file") };
        let reads = pool.idle().reads;
        at_once(&readers, 1);
        assert!(matches!(pool.rested(reads), Err(now) if now == reads + 1), "somebody read meanwhile");
        for connection in &mut pool.idle().warm {
            connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count)).expect("traced");
        }
        pool.close(pool.rested(reads + 1).expect("nobody read meanwhile"));
        let idle = pool.idle();
        assert_eq!((idle.warm.len(), idle.cold.len(), SHRUNK.get()), (0, 1, 1));
    }
}
