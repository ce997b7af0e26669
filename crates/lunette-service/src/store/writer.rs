//! The one thread that writes, and the queue before it.
//!
//! Changes that wait are run one after the other, each in a savepoint, and committed together: one sync of the disk
//! serves them all (group commit). What must hold: nobody is told of success before COMMIT has come back; what fails
//! or panics undoes itself alone; when COMMIT fails, all of that commit are told so. On a full disk the changes that free
//! space are run with the reserve, and only they are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::feed::{self, ChangeFeed, CommittedChanges};
use super::health::{Health, HealthStatus};
use super::{StoreError, checksum, search};
use recovery::WriterRecovery;

mod recovery;
mod space;

pub(super) use space::Space;

/// One commit takes at most this many changes, so that nobody waits long.
const MAX_CHANGES_PER_COMMIT: usize = 512;
/// A commit that has run this long takes no further change.
const MAX_COMMIT_TIME: Duration = Duration::from_millis(50);
/// How long after the last write the log is folded into the database, and how often what is not well is tried again.
const IDLE_INTERVAL: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_secs(2) };

pub(super) struct Writer {
    queue: Option<Queue>,
    thread: Option<JoinHandle<()>>,
}

/// Sends changes to the writer thread. All clones must be dropped before the writer, which waits until its queue closes.
#[derive(Clone)]
pub(super) struct Queue(mpsc::Sender<Box<dyn Change>>);

impl Writer {
    /// Starts the thread on this connection; `space` is that of its disk, None in memory. What it commits, the feed is
    /// told; how that goes, the standing.
    pub(super) fn start(
        connection: Arc<Mutex<Connection>>,
        space: Option<Space>,
        feed: Arc<ChangeFeed>,
        status: Arc<HealthStatus>,
    ) -> Result<Self, StoreError> {
        install_triggers(&connection.lock().unwrap_or_else(PoisonError::into_inner))?;
        let (queue, waiting) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("lunette-store".to_owned())
            .spawn(move || run_writer(&connection, &waiting, &feed, WriterRecovery::new(space, status)))
            .map_err(|error| StoreError::Broken(format!("cannot start the writer thread: {error}")))?;
        Ok(Self { queue: Some(Queue(queue)), thread: Some(thread) })
    }

    /// Lets another thread of the store write.
    pub(super) fn queue(&self) -> Option<Queue> {
        self.queue.clone()
    }

    /// Runs a change that adds: on a full disk it is refused.
    pub(super) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.queue.as_ref().ok_or_else(closed)?.write(change)
    }

    /// Runs a change that frees space: on a full disk it is done with the space of the reserve. It may run twice, the
    /// first time undone.
    pub(super) fn write_freeing<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.queue.as_ref().ok_or_else(closed)?.write_freeing(change)
    }

    /// Has the writer look at the file, without waiting for what it finds.
    pub(super) fn wake(&self) {
        if let Some(queue) = &self.queue {
            queue.send(Frees::No, recovery::probe_write).ok(); // A thread that has ended finds nothing more.
        }
    }
}

fn closed() -> StoreError {
    StoreError::Broken("the writer thread has ended".to_owned())
}

impl Queue {
    /// Runs a change that adds on the writer thread and waits until it is durable.
    pub(super) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.send(Frees::No, run_once(change))?.recv().map_err(|_| closed())?
    }

    /// The same for a change that frees space.
    pub(super) fn write_freeing<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.send(Frees::Yes, change)?.recv().map_err(|_| closed())?
    }

    fn send<T, F>(&self, frees: Frees, change: F) -> Result<Receiver<Result<T, StoreError>>, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        let (reply, result) = mpsc::sync_channel(1);
        let queued = Box::new(Queued { change, frees, result: None, reply });
        self.0.send(queued).map_err(|_| closed())?;
        Ok(result)
    }
}

/// Readies the connection that writes: it notes what it changes, and keeps the checksums of rows right.
fn install_triggers(connection: &Connection) -> Result<(), StoreError> {
    checksum::install_triggers(connection)?;
    feed::install_triggers(connection)
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

/// A change that runs at most once.
fn run_once<T, F>(change: F) -> impl FnMut(&Transaction) -> Result<T, StoreError>
where
    F: FnOnce(&Transaction) -> Result<T, StoreError>,
{
    let mut change = Some(change);
    move |transaction| match change.take() {
        Some(change) => change(transaction),
        None => Err(StoreError::Broken("a change ran twice".to_owned())),
    }
}

/// Whether a change frees space, and is therefore done on a full disk, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frees {
    Yes,
    No,
}

trait Change: Send {
    /// Does the work; fails when it is not to be kept.
    fn run(&mut self, transaction: &Transaction) -> Result<(), StoreError>;
    /// Whether it frees space. Only such a change may be run again.
    fn frees(&self) -> Frees;
    /// Whether it failed for want of space by itself.
    fn met_a_full_disk(&self) -> bool;
    /// Tells the one who waits.
    fn finish(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Queued<T, F> {
    change: F,
    frees: Frees,
    result: Option<Result<T, StoreError>>,
    reply: SyncSender<Result<T, StoreError>>,
}

impl<T, F> Change for Queued<T, F>
where
    T: Send,
    F: FnMut(&Transaction) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, transaction: &Transaction) -> Result<(), StoreError> {
        let result = catch_unwind(AssertUnwindSafe(|| (self.change)(transaction)))
            .unwrap_or_else(|_| Err(StoreError::Broken("a change panicked and was rolled back".to_owned())));
        let kept = result.as_ref().map(|_| ()).map_err(StoreError::clone);
        self.result = Some(result);
        kept
    }

    fn frees(&self) -> Frees {
        self.frees
    }

    fn met_a_full_disk(&self) -> bool {
        matches!(self.result, Some(Err(StoreError::Full)))
    }

    fn finish(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { result, reply, .. } = *self;
        let result = match (result, committed) {
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(StoreError::Broken("a change did not run".to_owned())),
        };
        // One who no longer waits needs no answer.
        reply.send(result).ok();
    }
}

fn run_writer(
    connection: &Mutex<Connection>,
    waiting: &Receiver<Box<dyn Change>>,
    feed: &ChangeFeed,
    mut recovery: WriterRecovery,
) {
    loop {
        let next = match recovery.has_work() {
            true => waiting.recv_timeout(IDLE_INTERVAL),
            false => waiting.recv().map_err(RecvTimeoutError::from),
        };
        if matches!(next, Err(RecvTimeoutError::Disconnected)) {
            return;
        }
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        match next {
            Ok(first) => match recovery.reopen_if_suspect(&mut connection) {
                Ok(()) => commit_batch(&mut connection, first, waiting, feed, &mut recovery),
                Err(error) => first.finish(Err(error)),
            },
            Err(_) => recovery.idle(&mut connection),
        }
        recovery.record_check();
    }
}

/// Runs the first change and those that wait behind it, commits, and tells of it.
fn commit_batch(
    connection: &mut Connection,
    first: Box<dyn Change>,
    waiting: &Receiver<Box<dyn Change>>,
    feed: &ChangeFeed,
    recovery: &mut WriterRecovery,
) {
    let mut done = Batch::default();
    let mut changes = next_changes(first, waiting);
    if let Err(refusal) = recovery.admit(connection) {
        for change in changes {
            match change.frees() {
                Frees::Yes => done.changes.push(change),
                Frees::No => change.finish(Err(refusal.clone())),
            }
        }
        return commit_freeing(connection, done.changes, feed, recovery);
    }
    let committed = run_changes(connection, &mut changes, &mut done, |transaction| {
        recovery.require_room_to_checkpoint(transaction)
    });
    drop(changes);
    let committed = publish_and_assess(committed, &done, feed, recovery);
    let mut retry = Vec::new();
    for change in done.changes {
        let full = committed == Err(StoreError::Full) || change.met_a_full_disk();
        match change.frees() {
            Frees::Yes if full => retry.push(change),
            Frees::Yes | Frees::No => change.finish(committed.clone()),
        }
    }
    commit_freeing(connection, retry, feed, recovery);
}

/// Runs changes that free space with the space of the reserve, commits, and tells of it.
fn commit_freeing(
    connection: &mut Connection,
    changes: Vec<Box<dyn Change>>,
    feed: &ChangeFeed,
    recovery: &mut WriterRecovery,
) {
    if changes.is_empty() {
        return;
    }
    let (mut done, mut changes) = (Batch::default(), changes.into_iter());
    let committed =
        recovery.with_ballast(connection, |connection| run_changes(connection, &mut changes, &mut done, |_| Ok(())));
    done.changes.extend(changes);
    let committed = publish_and_assess(committed, &done, feed, recovery);
    for change in done.changes {
        change.finish(committed.clone());
    }
}

/// Publishes what was committed, and draws from it how the store stands. Before anyone is told, so that who asks then is
/// told the same.
fn publish_and_assess(
    committed: Result<CommittedChanges, StoreError>,
    done: &Batch,
    feed: &ChangeFeed,
    recovery: &mut WriterRecovery,
) -> Result<(), StoreError> {
    let committed = committed.map(|noted| feed.publish(noted)).map_err(|error| recovery.explain(error));
    if let Err(error) = &committed {
        tracing::error!(%error, changes = done.changes.len(), "a commit failed; nothing was saved");
    }
    recovery.assess(&committed, done.disk_failure.as_ref());
    committed
}

/// What one commit did.
#[derive(Default)]
struct Batch {
    changes: Vec<Box<dyn Change>>,
    /// What one of them met that tells of the disk, though it undid itself alone.
    disk_failure: Option<StoreError>,
}

/// The changes of one commit: the first, and those that wait while it runs.
fn next_changes(first: Box<dyn Change>, waiting: &Receiver<Box<dyn Change>>) -> impl Iterator<Item = Box<dyn Change>> {
    let (began, mut first, mut taken) = (Instant::now(), Some(first), 0);
    std::iter::from_fn(move || {
        taken += 1;
        let more = taken <= MAX_CHANGES_PER_COMMIT && began.elapsed() < MAX_COMMIT_TIME;
        first.take().or_else(|| if more { waiting.try_recv().ok() } else { None })
    })
}

fn run_changes(
    connection: &mut Connection,
    changes: &mut dyn Iterator<Item = Box<dyn Change>>,
    done: &mut Batch,
    check: impl FnOnce(&Transaction) -> Result<(), StoreError>,
) -> Result<CommittedChanges, StoreError> {
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            done.changes.extend(changes.next());
            return Err(error.into());
        }
    };
    for mut change in changes {
        let result = in_savepoint(&transaction, change.as_mut());
        done.changes.push(change);
        done.disk_failure = result?.filter(recovery::is_disk_failure).or(done.disk_failure.take());
    }
    search::refresh(&transaction)?;
    let noted = feed::take_changes(&transaction)?;
    check(&transaction)?;
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
