//! The thread of the background maintenance: it backs the database up each day and deletes permanently what has been in
//! the Trash for its time, without holding the writer up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::backup::{self, Backup, Cause};
use super::halt::Halt;
use super::health::Standing;
use super::writer::Queue;
use super::{StoreError, file, trash};

/// How long after the start it is looked whether a copy is due; a start has other things to do first.
const FIRST: Duration = Duration::from_secs(5);
/// How often it is looked afterwards; after a failure at first so, then each time half as often.
const LOOK: Duration = Duration::from_secs(600);
/// After how long one that failed is tried again at the latest.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// How often work is asked to end when the store closes.
const ASK: Duration = Duration::from_millis(1);

/// Takes daily copies until it is dropped.
pub(super) struct Keeper {
    stop: Option<mpsc::Sender<()>>,
    halt: Arc<Halt>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread; it writes through `queue`. A system that gives no thread has no daily copies, and is told so.
    pub(super) fn start(data: PathBuf, standing: Arc<Standing>, queue: Option<Queue>) -> Self {
        let (stop, stopped) = mpsc::channel();
        let halt = Arc::<Halt>::default();
        let heard = Arc::clone(&halt);
        let thread = std::thread::Builder::new()
            .name("lunette-backup".to_owned())
            .spawn(move || watch(&data, &stopped, &heard, &standing, queue.as_ref()));
        if let Err(error) = &thread {
            tracing::warn!(%error, "could not start a thread; there will be no daily backups");
        }
        Self { stop: Some(stop), halt, thread: thread.ok() }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            while !thread.is_finished() {
                self.halt.call();
                std::thread::sleep(ASK);
            }
            thread.join().ok(); // Had it panicked, there is nobody left to tell.
        }
    }
}

fn watch(data: &Path, stopped: &mpsc::Receiver<()>, halt: &Halt, standing: &Standing, queue: Option<&Queue>) {
    let (mut wait, mut after_failure) = (FIRST, LOOK);
    while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
        (wait, after_failure) = match look(data, halt, standing) {
            true => (LOOK, LOOK),
            // What fills a disk each time it fails must not do so all day long.
            false => (after_failure, (after_failure * 2).min(LONGEST)),
        };
        if let Some(queue) = queue
            && let Err(error) = purge_expired(queue, super::now(), halt)
        {
            tracing::warn!(%error, "could not purge the Trash; retrying later");
        }
    }
}

/// Deletes permanently what has been in the Trash for its time at this moment; gives how many assets that were.
pub(super) fn purge_expired(queue: &Queue, now: i64, halt: &Halt) -> Result<usize, StoreError> {
    let (mut purged, mut most) = (0, trash::TOGETHER);
    while !halt.is_called() {
        match queue.write_freeing(move |db| trash::purge_expired(db, now, most)) {
            Ok(0) => break,
            Ok(part) => purged += part,
            // On a small disk that is full the log has no room for many of them.
            Err(StoreError::Full) if most > 1 => most /= 2,
            Err(error) => return Err(error),
        }
    }
    if purged > 0 {
        tracing::info!(purged, "permanently deleted expired assets in the Trash");
    }
    Ok(purged)
}

/// Takes a copy where one is due, and notes how that went; false where it failed.
pub(super) fn look(data: &Path, halt: &Halt, standing: &Standing) -> bool {
    let failure = daily(data, halt).err().filter(|_| !halt.is_called());
    if let Some(error) = &failure {
        tracing::warn!(%error, "the daily backup failed; retrying later");
    }
    let well = failure.is_none();
    standing.note_daily(failure.map(|error| error.to_string()));
    well
}

/// Takes a copy where one is due.
pub(super) fn daily(data: &Path, halt: &Halt) -> Result<Option<Backup>, StoreError> {
    if !backup::is_due(data, super::now()) {
        return Ok(None);
    }
    let source = file::open_source(&file::database(data))?;
    backup::take(&source, data, Cause::Daily, halt).map(Some)
}
