//! The thread of the background maintenance: it backs the database up each day and deletes permanently what has been in
//! the Trash for its time, without holding the writer up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::backup::{self, Backup, Cause};
use super::health::HealthStatus;
use super::interrupt::InterruptToken;
use super::writer::Queue;
use super::{StoreError, file, trash};

/// How long after the start it is looked whether a copy is due; a start has other things to do first.
const FIRST_CHECK: Duration = Duration::from_secs(5);
/// How often it is looked afterwards; after a failure at first so, then each time half as often.
const CHECK_INTERVAL: Duration = Duration::from_secs(600);
/// After how long one that failed is tried again at the latest.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How often work is asked to end when the store closes.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(1);

/// Takes daily copies until it is dropped.
pub(super) struct BackupScheduler {
    stop: Option<mpsc::Sender<()>>,
    interrupt: Arc<InterruptToken>,
    thread: Option<JoinHandle<()>>,
}

impl BackupScheduler {
    /// Starts the thread; it writes through `queue`. A system that gives no thread has no daily copies, and is told so.
    pub(super) fn start(data: PathBuf, status: Arc<HealthStatus>, queue: Option<Queue>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let interrupt = Arc::<InterruptToken>::default();
        let token = Arc::clone(&interrupt);
        let thread = std::thread::Builder::new()
            .name("lunette-backup".to_owned())
            .spawn(move || run(&data, &stopped, &token, &status, queue.as_ref()));
        if let Err(error) = &thread {
            tracing::warn!(%error, "could not start a thread; there will be no daily backups");
        }
        Self { stop: Some(stop), interrupt, thread: thread.ok() }
    }
}

impl Drop for BackupScheduler {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            while !thread.is_finished() {
                self.interrupt.interrupt();
                std::thread::sleep(INTERRUPT_INTERVAL);
            }
            thread.join().ok(); // Had it panicked, there is nobody left to tell.
        }
    }
}

fn run(
    data: &Path,
    stopped: &mpsc::Receiver<()>,
    interrupt: &InterruptToken,
    status: &HealthStatus,
    queue: Option<&Queue>,
) {
    let (mut delay, mut retry_delay) = (FIRST_CHECK, CHECK_INTERVAL);
    while stopped.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
        (delay, retry_delay) = match run_daily(data, interrupt, status) {
            true => (CHECK_INTERVAL, CHECK_INTERVAL),
            // What fills a disk each time it fails must not do so all day long.
            false => (retry_delay, (retry_delay * 2).min(MAX_RETRY_DELAY)),
        };
        if let Some(queue) = queue
            && let Err(error) = purge_expired(queue, super::now(), interrupt)
        {
            tracing::warn!(%error, "could not purge the Trash; retrying later");
        }
    }
}

/// Deletes permanently what has been in the Trash for its time at this moment; gives how many assets that were.
pub(super) fn purge_expired(queue: &Queue, now: i64, interrupt: &InterruptToken) -> Result<usize, StoreError> {
    let (mut purged, mut limit) = (0, trash::MAX_PER_TRANSACTION);
    while !interrupt.is_interrupted() {
        match queue.write_freeing(move |db| trash::purge_expired(db, now, limit)) {
            Ok(0) => break,
            Ok(part) => purged += part,
            // On a small disk that is full the log has no room for many of them.
            Err(StoreError::Full) if limit > 1 => limit /= 2,
            Err(error) => return Err(error),
        }
    }
    if purged > 0 {
        tracing::info!(purged, "permanently deleted expired assets in the Trash");
    }
    Ok(purged)
}

/// Takes a copy where one is due, and notes how that went; false where it failed.
pub(super) fn run_daily(data: &Path, interrupt: &InterruptToken, status: &HealthStatus) -> bool {
    let failure = back_up_if_due(data, interrupt).err().filter(|_| !interrupt.is_interrupted());
    if let Some(error) = &failure {
        tracing::warn!(%error, "the daily backup failed; retrying later");
    }
    let succeeded = failure.is_none();
    status.record_daily(failure.map(|error| error.to_string()));
    succeeded
}

/// Takes a copy where one is due.
pub(super) fn back_up_if_due(data: &Path, interrupt: &InterruptToken) -> Result<Option<Backup>, StoreError> {
    if !backup::is_due(data, super::now()) {
        return Ok(None);
    }
    let source = file::open_source(&file::database(data))?;
    backup::take(&source, data, Cause::Daily, interrupt).map(Some)
}
