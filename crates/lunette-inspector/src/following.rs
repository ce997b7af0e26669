//! Follows what other programs, and the service inside, write to the inspector's database.
//!
//! What must hold: while nobody writes, one number is read each time, in the background, and the window is not woken.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::CallError;
use crate::context::Context;
use crate::db::{Database, DatabaseError};
use crate::tasks::{Ended, blocking, spawn_supervised};

/// The task that follows the database; it ends when this is dropped.
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
    /// Reads at once, also if nobody else wrote: this window did, or the user asked for it.
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

/// What is followed, and how often it is looked at.
pub(crate) struct Followed {
    pub database: Arc<Database>,
    pub every: Duration,
    pub runtime: Handle,
}

/// How many times less often than the history it is looked for changes: each look takes processor time of an idle window.
const RARER: u32 = 5;

impl Followed {
    /// A database that is looked at in the background for what other programs write.
    pub fn of(database: &Arc<Database>, cx: &Context<'_>) -> Self {
        let (every, runtime) = (cx.setup().pace.journal * RARER, cx.setup().runtime.clone());
        Self { database: Arc::clone(database), every, runtime }
    }
}

/// Calls `read` on another thread now, whenever something was written to the database, and when it is asked for. It is told
/// whether somebody waits for what it finds: at first, if it was asked for, and after a failure. What it returns is sent;
/// `None` is nothing new. A failure is sent once, and again if somebody asks.
pub(crate) fn follow<T: Send + 'static>(
    followed: Followed,
    mut read: impl FnMut(bool) -> Result<Option<T>, DatabaseError> + Send + 'static,
    send: impl Fn(Result<T, FollowError>) + Clone + Send + 'static,
) -> Following {
    let read_now = Arc::new(Notify::new());
    let (asked, halted) = (Arc::clone(&read_now), send.clone());
    let Followed { database, every, runtime } = followed;
    let follow = async move {
        let (mut version, mut reported, mut awaited) = (None, None, true);
        loop {
            let database = Arc::clone(&database);
            let looked = blocking(move || {
                let (now, found) = look(&database, version, || read(awaited));
                (read, now, found)
            });
            let found = match looked.await {
                Ok((again, now, found)) => {
                    (read, version) = (again, now);
                    found
                }
                Err(ended) => return send(Err(ended.into())),
            };
            if reported != found.as_ref().err().cloned() {
                reported = found.as_ref().err().cloned();
                reported.iter().for_each(|why| send(Err(why.clone().into())));
            }
            // Who waits was sent the failure, and must see its end too.
            awaited = found.is_err();
            if let Ok(Some(found)) = found {
                send(Ok(found));
            }
            if timeout(every, asked.notified()).await.is_ok() {
                (version, reported, awaited) = (None, None, true);
            }
        }
    };
    let task = spawn_supervised(&runtime, follow, move |panic| halted(Err(FollowError::Panicked(panic))));
    Following { task, read_now }
}

/// Reads if the database is not at this version any more. Returns the version that was read, none if that failed.
fn look<T>(
    database: &Database,
    version: Option<(i64, u64)>,
    read: impl FnOnce() -> Result<Option<T>, DatabaseError>,
) -> (Option<(i64, u64)>, Result<Option<T>, DatabaseError>) {
    // Read first: what is written after this is read the next time.
    let now = match database.change_counts() {
        Ok(now) if version == Some(now) => return (version, Ok(None)),
        Ok(now) => now,
        Err(error) => return (None, Err(error)),
    };
    let found = read();
    (found.is_ok().then_some(now), found)
}
