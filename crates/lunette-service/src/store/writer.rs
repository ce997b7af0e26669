//! The writer thread and its queue.
//!
//! Queued changes run one after the other, each in a savepoint, and are committed together with one disk sync (group
//! commit). What must hold: success is reported only after COMMIT has returned; a change that fails or panics is rolled
//! back alone; if COMMIT fails, all its changes fail. On a full disk only changes that free space run, using the
//! ballast.

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

/// The most changes per commit, so that none waits long.
const MAX_CHANGES_PER_COMMIT: usize = 512;
/// A commit running this long takes no further change.
const MAX_COMMIT_TIME: Duration = Duration::from_millis(50);
/// How long after the last write the log is checkpointed, and how often recovery is retried.
const IDLE_INTERVAL: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_secs(2) };

pub(super) struct Writer {
    queue: Option<Queue>,
    thread: Option<JoinHandle<()>>,
}

/// Sends changes to the writer thread. All clones must be dropped before the writer, which waits until its queue closes.
#[derive(Clone)]
pub(super) struct Queue(mpsc::Sender<Change>);

impl Writer {
    /// Starts the thread on this connection; `space` is that of its disk, None in memory. It publishes commits to the
    /// feed and reports its health to the status.
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

    /// Runs a change that adds data: rejected on a full disk.
    pub(super) fn write<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.queue.as_ref().ok_or_else(closed)?.write(change)
    }

    /// Runs a change that frees space: works on a full disk, using the ballast. It may run twice; the first run is then
    /// rolled back.
    pub(super) fn write_freeing<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.queue.as_ref().ok_or_else(closed)?.write_freeing(change)
    }

    /// Lets the writer check the file, without waiting for the result.
    pub(super) fn wake(&self) {
        if let Some(queue) = &self.queue {
            queue.send(Frees::No, Box::new(recovery::probe_write)).ok(); // A thread that has ended cannot check.
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
        self.run(Frees::No, run_once(change))
    }

    /// The same for a change that frees space.
    pub(super) fn write_freeing<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.run(Frees::Yes, change)
    }

    /// A thin typed shell: the value of the change waits in a slot, and everything else is compiled once.
    fn run<T, F>(&self, frees: Frees, mut change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnMut(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        let value = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&value);
        let run = Box::new(move |transaction: &Transaction| {
            let value = change(transaction)?;
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            Ok(())
        });
        self.send(frees, run)?.recv().map_err(|_| closed())??;
        value.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(not_run)
    }

    fn send(&self, frees: Frees, run: Run) -> Result<Receiver<Result<(), StoreError>>, StoreError> {
        let (reply, result) = mpsc::sync_channel(1);
        self.0.send(Change { run, frees, result: None, reply }).map_err(|_| closed())?;
        Ok(result)
    }
}

/// Installs the triggers of the change feed and the row checksums.
fn install_triggers(connection: &Connection) -> Result<(), StoreError> {
    checksum::install_triggers(connection)?;
    feed::install_triggers(connection)
}

/// Accepts no further change, finishes queued ones, and closes the connection.
impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches panics of changes; a panic of its own has been logged.
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

/// Whether a change frees space, and is therefore allowed on a full disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frees {
    Yes,
    No,
}

/// Runs a change; fails if it must be rolled back.
type Run = Box<dyn FnMut(&Transaction) -> Result<(), StoreError> + Send>;

/// A queued change.
struct Change {
    run: Run,
    /// Only a change that frees space may be retried.
    frees: Frees,
    result: Option<Result<(), StoreError>>,
    reply: SyncSender<Result<(), StoreError>>,
}

fn not_run() -> StoreError {
    StoreError::Broken("a change did not run".to_owned())
}

impl Change {
    /// Runs the change; fails if it must be rolled back.
    fn run(&mut self, transaction: &Transaction) -> Result<(), StoreError> {
        let result = catch_unwind(AssertUnwindSafe(|| (self.run)(transaction)))
            .unwrap_or_else(|_| Err(StoreError::Broken("a change panicked and was rolled back".to_owned())));
        self.result = Some(result.clone());
        result
    }

    /// Whether it failed because the disk is full.
    fn met_a_full_disk(&self) -> bool {
        matches!(self.result, Some(Err(StoreError::Full)))
    }

    /// Sends the result to the waiting caller.
    fn finish(self, committed: Result<(), StoreError>) {
        let result = match (self.result, committed) {
            (Some(Err(error)), _) | (_, Err(error)) => Err(error),
            (Some(Ok(())), Ok(())) => Ok(()),
            (None, Ok(())) => Err(not_run()),
        };
        // The caller may have stopped waiting.
        self.reply.send(result).ok();
    }
}

fn run_writer(
    connection: &Mutex<Connection>,
    waiting: &Receiver<Change>,
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

/// Runs the first change and those queued behind it, commits, and publishes the changes.
fn commit_batch(
    connection: &mut Connection,
    first: Change,
    waiting: &Receiver<Change>,
    feed: &ChangeFeed,
    recovery: &mut WriterRecovery,
) {
    let mut done = Batch::default();
    let mut changes = next_changes(first, waiting);
    if let Err(refusal) = recovery.admit(connection) {
        for change in changes {
            match change.frees {
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
        match change.frees {
            Frees::Yes if full => retry.push(change),
            Frees::Yes | Frees::No => change.finish(committed.clone()),
        }
    }
    commit_freeing(connection, retry, feed, recovery);
}

/// Runs changes that free space using the ballast, commits, and publishes the changes.
fn commit_freeing(connection: &mut Connection, changes: Vec<Change>, feed: &ChangeFeed, recovery: &mut WriterRecovery) {
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

/// Publishes the committed changes and assesses the health, before callers get their results, so that they see a
/// consistent health.
fn publish_and_assess(
    committed: Result<CommittedChanges, StoreError>,
    done: &Batch,
    feed: &ChangeFeed,
    recovery: &mut WriterRecovery,
) -> Result<(), StoreError> {
    let committed = match committed {
        Ok(changes) => {
            feed.publish(changes);
            Ok(())
        }
        Err(error) => {
            // A commit that failed may be on disk all the same.
            feed.versions().advance_all();
            Err(recovery.explain(error))
        }
    };
    if let Err(error) = &committed {
        tracing::error!(%error, changes = done.changes.len(), "a commit failed; nothing was saved");
    }
    recovery.assess(&committed, done.disk_failure.as_ref());
    committed
}

/// What one commit did.
#[derive(Default)]
struct Batch {
    changes: Vec<Change>,
    /// An error that indicates a disk failure, of a change that was rolled back alone.
    disk_failure: Option<StoreError>,
}

/// The changes of one commit: the first, and those queued while it runs.
fn next_changes(first: Change, waiting: &Receiver<Change>) -> impl Iterator<Item = Change> {
    let (began, mut first, mut taken) = (Instant::now(), Some(first), 0);
    std::iter::from_fn(move || {
        taken += 1;
        let more = taken <= MAX_CHANGES_PER_COMMIT && began.elapsed() < MAX_COMMIT_TIME;
        first.take().or_else(|| if more { waiting.try_recv().ok() } else { None })
    })
}

fn run_changes(
    connection: &mut Connection,
    changes: &mut dyn Iterator<Item = Change>,
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
        let result = in_savepoint(&transaction, &mut change);
        done.changes.push(change);
        done.disk_failure = result?.filter(recovery::is_disk_failure).or(done.disk_failure.take());
    }
    search::refresh(&transaction)?;
    let changed = feed::take_changes(&transaction)?;
    check(&transaction)?;
    transaction.commit()?;
    Ok(changed)
}

/// Runs one change; returns its error if it was rolled back alone. Fails if the whole transaction is lost, as SQLite
/// may decide on a full disk, or must be abandoned because the disk failed; the error then applies to all its changes.
fn in_savepoint(transaction: &Transaction, change: &mut Change) -> Result<Option<StoreError>, StoreError> {
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
