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
use super::health::{Health, Standing};
use super::reserve::Reserve;
use super::{StoreError, search};
use mending::Mending;

mod mending;

/// One commit takes at most this many changes, so that nobody waits long.
const TOGETHER: usize = 512;
/// A commit that has run this long takes no further change.
const LONGEST: Duration = Duration::from_millis(50);
/// How long after the last write the log is folded into the database, and how often what is not well is tried again.
const IDLE: Duration = Duration::from_secs(2);

pub(super) struct Writer {
    queue: Option<Queue>,
    thread: Option<JoinHandle<()>>,
}

/// Sends changes to the writer thread. All clones must be dropped before the writer, which waits until its queue closes.
#[derive(Clone)]
pub(super) struct Queue(mpsc::Sender<Box<dyn Change>>);

/// Where the database of a writer is, and the room kept beside it.
pub(super) struct Place {
    pub(super) database: PathBuf,
    pub(super) reserve: Reserve,
}

impl Writer {
    /// Starts the thread on this connection; `place` is the file's, None in memory. What it commits, the feed is told;
    /// how that goes, the standing.
    pub(super) fn start(
        connection: Arc<Mutex<Connection>>,
        place: Option<Place>,
        feed: Arc<Feed>,
        standing: Arc<Standing>,
    ) -> Result<Self, StoreError> {
        feed::watch(&connection.lock().unwrap_or_else(PoisonError::into_inner))?;
        let (queue, waiting) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("lunette-store".to_owned())
            .spawn(move || serve(&connection, &waiting, &feed, Mending::new(place, standing)))
            .map_err(|error| StoreError::Broken(format!("cannot start the writer thread: {error}")))?;
        Ok(Self { queue: Some(Queue(queue)), thread: Some(thread) })
    }

    /// Lets another thread of the store write.
    pub(super) fn queue(&self) -> Option<Queue> {
        self.queue.clone()
    }

    pub(super) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.queue.as_ref().ok_or_else(closed)?.write(change)
    }

    /// Has the writer look at the file, without waiting for what it finds.
    pub(super) fn wake(&self) {
        if let Some(queue) = &self.queue {
            queue.send(mending::try_out).ok(); // A thread that has ended finds nothing more.
        }
    }
}

fn closed() -> StoreError {
    StoreError::Broken("the writer thread has ended".to_owned())
}

impl Queue {
    /// Runs a change on the writer thread and waits until it is durable.
    pub(super) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.send(change)?.recv().map_err(|_| closed())?
    }

    fn send<T, F>(&self, change: F) -> Result<Receiver<Result<T, StoreError>>, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        let (answer, result) = mpsc::sync_channel(1);
        let queued = Box::new(Queued { change: Some(change), result: None, answer });
        self.0.send(queued).map_err(|_| closed())?;
        Ok(result)
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

fn serve(connection: &Mutex<Connection>, waiting: &Receiver<Box<dyn Change>>, feed: &Feed, mut mending: Mending) {
    loop {
        let next = match mending.has_work() {
            true => waiting.recv_timeout(IDLE),
            false => waiting.recv().map_err(RecvTimeoutError::from),
        };
        if matches!(next, Err(RecvTimeoutError::Disconnected)) {
            return;
        }
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        match next {
            Ok(first) => match mending.ready(&mut connection) {
                Ok(()) => commit_together(&mut connection, first, waiting, feed, &mut mending),
                Err(error) => first.finish(Err(error)),
            },
            Err(_) => mending.idle(&mut connection),
        }
    }
}

/// Runs the first change and those that wait behind it, commits, and tells of it.
fn commit_together(
    connection: &mut Connection,
    first: Box<dyn Change>,
    waiting: &Receiver<Box<dyn Change>>,
    feed: &Feed,
    mending: &mut Mending,
) {
    let mut done = Done::default();
    let committed = run_together(connection, first, waiting, &mut done);
    let committed = committed.map(|noted| feed.publish(noted));
    if let Err(error) = &committed {
        tracing::error!(%error, changes = done.changes.len(), "a commit failed, nothing of it was stored");
    }
    // Before anyone is told, so that who asks then is told the same.
    mending.judge(&committed, done.met.as_ref());
    for change in done.changes {
        change.finish(committed.clone());
    }
}

/// What one commit did.
#[derive(Default)]
struct Done {
    changes: Vec<Box<dyn Change>>,
    /// What one of them met that tells of the disk, though it undid itself alone.
    met: Option<StoreError>,
}

fn run_together(
    connection: &mut Connection,
    first: Box<dyn Change>,
    waiting: &Receiver<Box<dyn Change>>,
    done: &mut Done,
) -> Result<Noted, StoreError> {
    let began = Instant::now();
    let mut next = Some(first);
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            done.changes.extend(next);
            return Err(error.into());
        }
    };
    while let Some(mut change) = next {
        let result = in_savepoint(&transaction, change.as_mut());
        done.changes.push(change);
        done.met = result?.filter(mending::tells_of_the_disk).or(done.met.take());
        let room = done.changes.len() < TOGETHER && began.elapsed() < LONGEST;
        next = if room { waiting.try_recv().ok() } else { None };
    }
    search::refresh(&transaction)?;
    let noted = feed::take_noted(&transaction)?;
    transaction.commit()?;
    Ok(noted)
}

/// Runs one change; gives its error where it undid itself alone. Fails when the whole transaction is lost, as SQLite may
/// decide on a full disk, or not to be kept, since the disk failed under it; the error is then everybody's.
fn in_savepoint(transaction: &Transaction, change: &mut dyn Change) -> Result<Option<StoreError>, StoreError> {
    transaction.prepare_cached("SAVEPOINT change")?.execute([])?;
    let undone = change.run(transaction).err();
    if let Some(error) = &undone {
        if transaction.is_autocommit() || error.is_of_the_disk() {
            return Err(error.clone());
        }
        transaction.prepare_cached("ROLLBACK TO change")?.execute([])?;
    }
    transaction.prepare_cached("RELEASE change")?.execute([])?;
    Ok(undone)
}
