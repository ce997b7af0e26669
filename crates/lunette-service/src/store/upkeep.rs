//! The background maintenance thread: checks a large database that was not closed cleanly, takes daily backups,
//! permanently deletes expired assets in the Trash, and old versions of assets, without blocking the writer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::StoreError;
use super::disk::backup::{self, Backup, Cause};
use super::disk::file::{self, WholeCheck};
use super::disk::folder;
use super::health::{Health, HealthStatus};
use super::interrupt::InterruptToken;
use super::past::{self, CurrentBounds};
use super::records::trash;
use super::writer::Queue;

/// Delay of the first check after the start, which has other things to do first.
const FIRST_CHECK: Duration = Duration::from_secs(5);
/// Interval of checks, and first retry delay after a failure; doubled with each further failure (exponential backoff).
const CHECK_INTERVAL: Duration = Duration::from_secs(600);
/// The longest retry delay.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How often running work is interrupted when the store closes.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(1);

/// Does all of that until it is dropped.
pub(super) struct Upkeep {
    stop: Option<mpsc::Sender<()>>,
    interrupt: Arc<InterruptToken>,
    thread: Option<JoinHandle<()>>,
}

impl Upkeep {
    /// Starts the thread; it writes through the queue, and keeps versions of assets within the bounds. If the thread cannot
    /// start, there are no daily backups, which is logged.
    pub(super) fn start(
        data: PathBuf,
        status: Arc<HealthStatus>,
        writes: Option<(Queue, Arc<CurrentBounds>)>,
        whole_check: WholeCheck,
    ) -> Self {
        let (stop, stopped) = mpsc::channel();
        let interrupt = Arc::<InterruptToken>::default();
        let token = Arc::clone(&interrupt);
        let thread = std::thread::Builder::new().name("lunette-backup".to_owned()).spawn(move || {
            if whole_check == WholeCheck::Pending {
                check_in_use(&data, &token, &status, writes.as_ref().map(|(queue, _)| queue));
            }
            run(&data, &stopped, &token, &status, writes.as_ref());
        });
        if let Err(error) = &thread {
            tracing::warn!(%error, "could not start a thread; there will be no daily backups");
        }
        Self { stop: Some(stop), interrupt, thread: thread.ok() }
    }
}

impl Drop for Upkeep {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            while !thread.is_finished() {
                self.interrupt.interrupt();
                std::thread::sleep(INTERRUPT_INTERVAL);
            }
            thread.join().ok(); // A panic of the thread has been logged.
        }
    }
}

/// Checks a database that is in use, before any backup of it is taken. From the moment that damage is found every write
/// is rejected.
fn check_in_use(data: &Path, interrupt: &InterruptToken, status: &HealthStatus, queue: Option<&Queue>) {
    match file::check_in_use(&folder::database(data), interrupt) {
        Ok(()) => tracing::info!("checked the database, which was not closed cleanly: it is intact"),
        Err(_) if interrupt.is_interrupted() => {}
        Err(error) => {
            tracing::error!(%error, "the check of the database, which was not closed cleanly, failed");
            status.set(Health::Failed);
            status.record_failure(&error);
            if let Some(queue) = queue {
                queue.wake();
            }
        }
    }
}

fn run(
    data: &Path,
    stopped: &mpsc::Receiver<()>,
    interrupt: &InterruptToken,
    status: &HealthStatus,
    writes: Option<&(Queue, Arc<CurrentBounds>)>,
) {
    let (mut delay, mut retry_delay) = (FIRST_CHECK, CHECK_INTERVAL);
    while stopped.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
        (delay, retry_delay) = match run_once(data, interrupt, status, writes) {
            true => (CHECK_INTERVAL, CHECK_INTERVAL),
            // A backup that fills the disk on each failure must not retry often.
            false => (retry_delay, (retry_delay * 2).min(MAX_RETRY_DELAY)),
        };
    }
}

/// Takes a backup if one is due, purges the Trash and deletes versions of assets that are beyond the bounds; returns false
/// if the backup failed.
pub(super) fn run_once(
    data: &Path,
    interrupt: &InterruptToken,
    status: &HealthStatus,
    writes: Option<&(Queue, Arc<CurrentBounds>)>,
) -> bool {
    let backed_up = run_daily(data, interrupt, status);
    if let Some((queue, bounds)) = writes {
        if let Err(error) = purge_expired(queue, super::now(), interrupt) {
            tracing::warn!(%error, "could not purge the Trash; retrying later");
        }
        if let Err(error) = past::prune(&folder::database(data), queue, bounds, super::now(), interrupt) {
            tracing::warn!(%error, "could not delete old versions of assets; retrying later");
        }
    }
    backed_up
}

/// Permanently deletes the assets in the Trash that have expired; returns how many.
pub(super) fn purge_expired(queue: &Queue, now: i64, interrupt: &InterruptToken) -> Result<usize, StoreError> {
    let (mut purged, mut limit) = (0, trash::MAX_PER_TRANSACTION);
    while !interrupt.is_interrupted() {
        match queue.write_freeing(move |db| trash::purge_expired(db, now, limit)) {
            Ok(0) => break,
            Ok(part) => purged += part,
            // On a small full disk the log has no space for many of them.
            Err(StoreError::Full) if limit > 1 => limit /= 2,
            Err(error) => return Err(error),
        }
    }
    if purged > 0 {
        tracing::info!(purged, "permanently deleted expired assets in the Trash");
    }
    Ok(purged)
}

/// Takes a backup if one is due, and records the result; returns false on failure.
pub(super) fn run_daily(data: &Path, interrupt: &InterruptToken, status: &HealthStatus) -> bool {
    let failure = back_up_if_due(data, interrupt).err().filter(|_| !interrupt.is_interrupted());
    if let Some(error) = &failure {
        tracing::warn!(%error, "the daily backup failed; retrying later");
    }
    let succeeded = failure.is_none();
    status.record_daily(failure.map(|error| error.to_string()));
    succeeded
}

/// Takes a backup if one is due.
pub(super) fn back_up_if_due(data: &Path, interrupt: &InterruptToken) -> Result<Option<Backup>, StoreError> {
    if !backup::is_due(data, super::now()) {
        return Ok(None);
    }
    let source = file::open_source(&folder::database(data))?;
    backup::take(&source, data, Cause::Daily, interrupt).map(Some)
}
