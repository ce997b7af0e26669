//! The one thread that writes, and the queue before it.
//!
//! Changes that wait are run one after the other, each in a savepoint, and committed together: one sync of the disk
//! serves them all (group commit). What must hold: nobody is told of success before COMMIT has come back; what fails
//! or panics undoes itself alone; when COMMIT fails, all of that commit are told so.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::feed::{self, Feed, Noted};
use super::{StoreError, file, migration, search};

/// One commit takes at most this many changes, so that nobody waits long.
const TOGETHER: usize = 512;
/// A commit that has run this long takes no further change.
const LONGEST: Duration = Duration::from_millis(50);
/// How long after the last write the log is folded into the database.
const IDLE: Duration = Duration::from_secs(2);

pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Change>>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread on this connection; `path` is the file's, None in memory. What it commits, the feed is told.
    pub(super) fn start(
        connection: Arc<Mutex<Connection>>,
        path: Option<PathBuf>,
        feed: Arc<Feed>,
    ) -> Result<Self, StoreError> {
        feed::watch(&connection.lock().unwrap_or_else(PoisonError::into_inner))?;
        let (queue, waiting) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("lunette-store".to_owned())
            .spawn(move || serve(&connection, path.as_ref(), &waiting, &feed))
            .map_err(|error| StoreError::Broken(format!("cannot start the writer thread: {error}")))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    pub(super) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        let (answer, result) = mpsc::sync_channel(1);
        let queued = Box::new(Queued { change: Some(change), result: None, answer });
        let closed = || StoreError::Broken("the writer thread has ended".to_owned());
        self.queue.as_ref().ok_or_else(closed)?.send(queued).map_err(|_| closed())?;
        result.recv().map_err(|_| closed())?
    }
}

/// Takes no further change, finishes those that wait, and closes the connection.
impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of changes; had it panicked itself, there is nobody left to tell.
            thread.join().ok();
        }
    }
}

trait Change: Send {
    /// Does the work; fails when it is not to be kept.
    fn run(&mut self, transaction: &Transaction) -> Result<(), StoreError>;
    /// Tells the one who waits.
    fn finish(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Queued<T, F> {
    change: Option<F>,
    result: Option<Result<T, StoreError>>,
    answer: SyncSender<Result<T, StoreError>>,
}

impl<T, F> Change for Queued<T, F>
where
    T: Send,
    F: FnOnce(&Transaction) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, transaction: &Transaction) -> Result<(), StoreError> {
        let Some(change) = self.change.take() else { return Ok(()) };
        let result = catch_unwind(AssertUnwindSafe(|| change(transaction)))
            .unwrap_or_else(|_| Err(StoreError::Broken("a change panicked and was undone".to_owned())));
        let kept = result.as_ref().map(|_| ()).map_err(StoreError::clone);
        self.result = Some(result);
        kept
    }

    fn finish(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { result, answer, .. } = *self;
        let result = match (result, committed) {
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(StoreError::Broken("a change was not run".to_owned())),
        };
        // One who no longer waits needs no answer.
        answer.send(result).ok();
    }
}

fn serve(connection: &Mutex<Connection>, path: Option<&PathBuf>, waiting: &Receiver<Box<dyn Change>>, feed: &Feed) {
    let mut unfolded = false;
    let mut failed = false;
    loop {
        let next = if unfolded { waiting.recv_timeout(IDLE) } else { waiting.recv().map_err(RecvTimeoutError::from) };
        match next {
            Ok(first) => {
                let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(path) = path.filter(|_| failed)
                    && let Err(error) = reopen(&mut connection, path)
                {
                    first.finish(Err(error));
                    continue;
                }
                failed = commit_together(&mut connection, first, waiting, feed);
                unfolded = path.is_some();
            }
            Err(RecvTimeoutError::Timeout) => {
                let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
                // A reader in the way, or a full disk: the next idle moment tries again.
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).ok();
                unfolded = false;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Runs the first change and those that wait behind it, commits, and tells of it. True when the connection is not to be
/// trusted.
fn commit_together(
    connection: &mut Connection,
    first: Box<dyn Change>,
    waiting: &Receiver<Box<dyn Change>>,
    feed: &Feed,
) -> bool {
    let mut done = Vec::new();
    let committed = run_together(connection, first, waiting, &mut done);
    let committed = committed.map(|noted| feed.publish(noted));
    let broken = matches!(committed, Err(StoreError::Broken(_)));
    if let Err(error) = &committed {
        tracing::error!(%error, changes = done.len(), "a commit failed, nothing of it was stored");
    }
    for change in done {
        change.finish(committed.clone());
    }
    broken
}

fn run_together(
    connection: &mut Connection,
    first: Box<dyn Change>,
    waiting: &Receiver<Box<dyn Change>>,
    done: &mut Vec<Box<dyn Change>>,
) -> Result<Noted, StoreError> {
    let began = Instant::now();
    let mut next = Some(first);
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            done.extend(next);
            return Err(error.into());
        }
    };
    while let Some(mut change) = next {
        let result = in_savepoint(&transaction, change.as_mut());
        done.push(change);
        result?;
        let room = done.len() < TOGETHER && began.elapsed() < LONGEST;
        next = if room { waiting.try_recv().ok() } else { None };
    }
    search::refresh(&transaction)?;
    let noted = feed::take_noted(&transaction)?;
    transaction.commit()?;
    Ok(noted)
}

/// Runs one change. Fails when the whole transaction is lost, as SQLite may decide on a full disk or a failed
/// write; its error is then everybody's.
fn in_savepoint(transaction: &Transaction, change: &mut dyn Change) -> Result<(), StoreError> {
    transaction.prepare_cached("SAVEPOINT change")?.execute([])?;
    if let Err(error) = change.run(transaction) {
        if transaction.is_autocommit() {
            return Err(error);
        }
        transaction.prepare_cached("ROLLBACK TO change")?.execute([])?;
    }
    transaction.prepare_cached("RELEASE change")?.execute([])?;
    Ok(())
}

/// After a failed read or sync a connection may believe what is not on the disk; a new one sees what is.
fn reopen(connection: &mut Connection, path: &PathBuf) -> Result<(), StoreError> {
    let fresh = Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    file::prepare_writer(&fresh)?;
    migration::check(&fresh, path)?;
    feed::watch(&fresh)?;
    *connection = fresh;
    tracing::warn!("reopened the database after a failed commit");
    Ok(())
}
