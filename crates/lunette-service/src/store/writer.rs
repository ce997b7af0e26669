//! The writer thread and its queue.
//!
//! Queued changes run one after the other, each in a savepoint, and are committed together with one disk sync (group
//! commit); links that wait one behind the other are made together. A large change has a commit of its own, in which it
//! needs no savepoint. What must hold: success is reported only after
//! COMMIT has returned; a change that fails or panics is rolled back alone; if COMMIT fails, all its changes fail. On a
//! full disk only changes that free space run, using the ballast.

use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, Transaction};

use super::feed::{self, ChangeFeed, CommittedChanges};
use super::health::{Health, HealthStatus};
use super::link_change::LinkChange;
use super::{StoreError, checksum, past, search};
use background::Background;
use batch::{Batch, next_changes, run_changes};
use queue::{Change, Frees, Shares, Waiting, Work, closed};
use recovery::WriterRecovery;

mod background;
mod batch;
mod queue;
mod recovery;
mod space;

pub(crate) use queue::PendingChange;
pub(super) use queue::Queue;
pub(super) use space::Space;

/// How long after the last write the log is checkpointed, and how often recovery is retried.
const IDLE_INTERVAL: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_secs(2) };

pub(super) struct Writer {
    queue: Option<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread on this connection; `space` is that of its disk, None in memory. It publishes commits to the
    /// feed and reports its health to the status, and keeps earlier versions of assets or none.
    pub(super) fn start(
        connection: Arc<Mutex<Connection>>,
        space: Option<Space>,
        keeps_versions: bool,
        feed: Arc<ChangeFeed>,
        status: Arc<HealthStatus>,
    ) -> Result<Self, StoreError> {
        install_triggers(&connection.lock().unwrap_or_else(PoisonError::into_inner))?;
        let (queue, mut waiting) = Queue::new();
        let thread = std::thread::Builder::new()
            .name("lunette-store".to_owned())
            .spawn(move || {
                begin_past(&connection, keeps_versions);
                run_writer(&connection, &mut waiting, &feed, WriterRecovery::new(space, status));
            })
            .map_err(|error| StoreError::Broken(format!("cannot start the writer thread: {error}")))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
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

    /// Runs a change that adds data in a commit of its own: rejected on a full disk.
    pub(super) fn write_alone<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction) -> Result<T, StoreError> + Send + 'static,
    {
        self.queue.as_ref().ok_or_else(closed)?.write_alone(change)
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

    /// Sends a change that adds data, without waiting for it.
    pub(super) fn queue_change<F>(&self, change: F) -> Result<PendingChange, StoreError>
    where
        F: FnOnce(&Transaction) -> Result<(), StoreError> + Send + 'static,
    {
        self.queue.as_ref().ok_or_else(closed)?.queue(change)
    }

    /// Sends a link to be added or removed, without waiting for it. Removing frees space.
    pub(super) fn queue_link(&self, change: LinkChange) -> Result<PendingChange, StoreError> {
        self.queue.as_ref().ok_or_else(closed)?.queue_link(change)
    }

    /// Writes the whole file anew, without what was deleted. Other changes wait for it.
    pub(super) fn rebuild(&self) -> Result<(), StoreError> {
        let queue = self.queue.as_ref().ok_or_else(closed)?;
        queue.send(Frees::No, Shares::Nothing, Work::Rebuild)?.wait().map(drop)
    }

    /// Lets the writer check the file, without waiting for the result.
    pub(super) fn wake(&self) {
        if let Some(queue) = &self.queue {
            queue.wake();
        }
    }
}

/// Installs the triggers of the change feed, of the row checksums and of earlier versions.
pub(super) fn install_triggers(connection: &Connection) -> Result<(), StoreError> {
    search::register(connection)?;
    checksum::install_triggers(connection)?;
    past::install_triggers(connection)?;
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

/// Prepares this thread to keep versions. Without the row that says that none are kept, they are.
fn begin_past(connection: &Mutex<Connection>, keeps: bool) {
    let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
    if let Err(error) = past::start(&connection, keeps) {
        tracing::warn!(%error, "could not record whether versions of assets are kept");
    }
}

fn run_writer(connection: &Mutex<Connection>, waiting: &mut Waiting, feed: &ChangeFeed, mut recovery: WriterRecovery) {
    let mut background = [Background::indexing(), Background::arranging()];
    let locked = connection.lock().unwrap_or_else(PoisonError::into_inner);
    background.iter_mut().for_each(|work| work.look(&locked));
    drop(locked);
    loop {
        let next = waiting.next(
            background.iter().filter_map(Background::wait).min().or(recovery.has_work().then_some(IDLE_INTERVAL)),
        );
        if matches!(next, Err(RecvTimeoutError::Disconnected)) {
            return;
        }
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        let mut commit = |first: Change| match recovery.reopen_if_suspect(&mut connection) {
            Ok(()) if matches!(first.work, Work::Rebuild) => first.finish_alone(past::rebuild(&connection)),
            Ok(()) => commit_batch(&mut connection, first, waiting, feed, &mut recovery),
            Err(error) => first.finish(Err(error)),
        };
        let idle = next.is_err();
        next.into_iter().for_each(&mut commit);
        let mut stepped = false;
        for work in &mut background {
            stepped |= work.is_due() && work.step(&mut commit);
        }
        if idle && !stepped {
            recovery.idle(&mut connection);
        }
        background.iter_mut().for_each(|work| work.look(&connection));
        recovery.record_check();
    }
}

/// Runs the first change and those queued behind it, commits, and publishes the changes.
fn commit_batch(
    connection: &mut Connection,
    first: Change,
    waiting: &mut Waiting,
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
    let committed = recovery.with_ballast(connection, |connection| {
        past::saving_space(|| run_changes(connection, &mut changes, &mut done, |_| Ok(())))
    });
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
