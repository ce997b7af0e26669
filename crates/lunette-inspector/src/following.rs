//! Follows what other programs, the service inside, and this window write to the inspector's database.
//!
//! What must hold: one task looks whether something was written, and tells all who follow; while nobody writes, it reads two
//! numbers each time, in the background, and the window is not woken.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;
use tokio::time::sleep;

use crate::CallError;
use crate::db::{Database, DatabaseError};
use crate::journal::JournalError;
use crate::tasks::{Ended, blocking, log_panic, spawn_supervised};

/// Tells when a database was written to, by anyone. Clones share one task, which ends when the last one is dropped.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseWatch {
    runtime: Handle,
    every: Duration,
    /// Changes with every write that was seen, and at each look that failed.
    writes: watch::Receiver<u64>,
    _task: Arc<WatchTask>,
}

#[derive(Debug)]
struct WatchTask(AbortHandle);

impl Drop for WatchTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl DatabaseWatch {
    /// Looks at a database this often, from now on.
    pub fn start(database: &Arc<Database>, every: Duration, runtime: &Handle) -> Self {
        let (seen, writes) = watch::channel(0);
        let database = Arc::clone(database);
        let look = async move {
            let mut last = None;
            loop {
                let database = Arc::clone(&database);
                let now = blocking(move || database.change_counts()).await.ok().and_then(Result::ok);
                // Those who follow read a database that cannot be looked at themselves, and say why that fails.
                if now.is_none() || now != last {
                    last = now;
                    seen.send_modify(|count| *count += 1);
                }
                sleep(every).await;
            }
        };
        let task = spawn_supervised(runtime, look, log_panic("looking for what was written to the database"));
        Self { runtime: runtime.clone(), every, writes, _task: Arc::new(WatchTask(task)) }
    }
}

/// The task that reads what was written; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Following {
    task: AbortHandle,
    read_now: Arc<Notify>,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Following {
    /// Reads at once, also if nobody wrote: the user asked for it.
    pub fn read_now(&self) {
        self.read_now.notify_one();
    }
}

/// Why what others write is not known.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FollowError {
    /// The database cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Reading it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
    /// The work that follows it panicked; the message of the panic.
    #[error("{0}")]
    Panicked(String),
}

impl From<FollowError> for CallError {
    fn from(error: FollowError) -> Self {
        Self::Internal { target: None, problem: error.to_string() }
    }
}

/// What reading a database found.
pub(crate) struct Found<T> {
    /// What is new.
    pub news: Option<T>,
    /// Whether it is read again after a while, also if nobody writes.
    pub again: bool,
}

impl<T> From<Option<T>> for Found<T> {
    fn from(news: Option<T>) -> Self {
        Self { news, again: false }
    }
}

/// Calls `read` on another thread now, whenever something was written to the database, and when it is asked for. It is told
/// whether somebody waits for what it finds: at first, if it was asked for, and after a failure. What is new is sent. A
/// failure is sent once, and again if somebody asks.
pub(crate) fn follow<T: Send + 'static>(
    database: &DatabaseWatch,
    mut read: impl FnMut(bool) -> Result<Found<T>, FollowError> + Send + 'static,
    send: impl Fn(Result<T, FollowError>) + Clone + Send + 'static,
) -> Following {
    let read_now = Arc::new(Notify::new());
    let (asked, halted, database) = (Arc::clone(&read_now), send.clone(), database.clone());
    let runtime = database.runtime.clone();
    let follow = async move {
        let mut writes = database.writes.clone();
        let (mut reported, mut awaited) = (None, true);
        loop {
            // Seen before it is read: what is written after this is read the next time.
            writes.borrow_and_update();
            let looked = blocking(move || {
                let found = read(awaited);
                (read, found)
            });
            let found = match looked.await {
                Ok((again, found)) => {
                    read = again;
                    found
                }
                Err(ended) => return send(Err(ended.into())),
            };
            if reported != found.as_ref().err().cloned() {
                reported = found.as_ref().err().cloned();
                reported.iter().for_each(|why| send(Err(why.clone())));
            }
            // Who waits was sent the failure, and must see its end too.
            awaited = found.is_err();
            let again = found.as_ref().map_or(true, |found| found.again);
            if let Ok(Found { news: Some(news), .. }) = found {
                send(Ok(news));
            }
            tokio::select! {
                () = asked.notified() => (reported, awaited) = (None, true),
                // The task that looks panicked, which is logged.
                seen = writes.changed() => if seen.is_err() { return },
                () = sleep(database.every), if again => {}
            }
        }
    };
    let task = spawn_supervised(&runtime, follow, move |panic| halted(Err(FollowError::Panicked(panic))));
    Following { task, read_now }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tempfile::TempDir;

    use super::*;
    use crate::assistants::Assistants;

    /// Long enough for a busy machine.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test(flavor = "multi_thread")]
    async fn all_who_follow_are_told_of_what_this_window_and_others_write_and_of_nothing_else() {
        let folder = TempDir::new().expect("a folder");
        let opened = || Database::open(folder.path()).expect("opened").database;
        let (own, other) = (opened(), opened());
        let watch = DatabaseWatch::start(&own, Duration::from_millis(5), &Handle::current());
        let following = [0, 1].map(|_| {
            let ((told, news), database) = (channel(), Arc::clone(&own));
            let read = move |_| Ok(Some(database.assistants()?.len()).into());
            let send = move |found: Result<usize, FollowError>| told.send(found.expect("read")).expect("heard");
            (follow(&watch, read, send), news)
        });
        let until = |wanted: usize| {
            for (_, news) in &following {
                while news.recv_timeout(PATIENCE).expect("told") != wanted {}
            }
        };
        until(0);
        let decide = |database: &Arc<Database>, name: &str| {
            Assistants::of(Arc::clone(database)).decide(name, |_| {}).expect("written");
        };
        decide(&own, "a");
        until(1);
        decide(&other, "b");
        until(2);
        let mut writes = watch.writes.clone();
        // Each look is 5 ms after the one before.
        while tokio::time::timeout(Duration::from_millis(500), writes.changed()).await.is_ok() {}
        assert!(following.iter().all(|(_, news)| news.try_iter().all(|count| count == 2)));
        following[0].0.read_now();
        assert_eq!(following[0].1.recv_timeout(PATIENCE), Ok(2), "it was asked for");
        assert!(following[1].1.try_recv().is_err(), "and of it alone");
    }
}
