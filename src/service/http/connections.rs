//! The open connections: how many there may be, and which one goes when there are too many.
//!
//! What must hold: clients that send nothing, or very slowly, cannot keep others out. When the table is full, the most
//! dispensable connection is closed in favour of a new one: one that never sent a byte, then one that is idle between two
//! requests, then one that makes no progress. A connection whose body is arriving, or that takes its answer, stays.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::progress::Progress;

/// How often a full table is looked through while all its connections make progress.
const AGAIN: Duration = Duration::from_millis(250);

/// The table of open connections.
#[derive(Debug)]
pub(super) struct Connections {
    table: Mutex<Table>,
    /// Told whenever a connection ends.
    ended: Notify,
    most: usize,
}

#[derive(Debug, Default)]
struct Table {
    next: u64,
    open: BTreeMap<u64, Open>,
}

#[derive(Debug)]
struct Open {
    task: AbortHandle,
    progress: Progress,
}

impl Table {
    /// Closes the most dispensable one. Gives back false when there is none.
    fn close_one(&mut self) -> bool {
        let ranked = self.open.iter().filter_map(|(id, open)| Some((open.progress.dispensable()?, *id)));
        let closed = ranked.min().and_then(|(_, id)| self.open.remove(&id));
        closed.inspect(|open| open.task.abort()).is_some()
    }
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        Self { table: Mutex::default(), ended: Notify::new(), most }
    }

    /// Waits until there is room for one more, making it where that is fair.
    pub(super) async fn room(&self) {
        loop {
            let ended = self.ended.notified();
            if self.has_room() {
                return;
            }
            // Nothing tells that one has ceased to make progress.
            tokio::time::timeout(AGAIN, ended).await.ok();
        }
    }

    fn has_room(&self) -> bool {
        let mut table = self.lock();
        table.open.len() < self.most || table.close_one()
    }

    /// Closes the most dispensable connection, for one that could not be accepted.
    pub(super) fn close_one(&self) {
        self.lock().close_one();
    }

    /// Runs a connection as a task of its own.
    pub(super) fn spawn(self: &Arc<Self>, run: impl Future<Output = ()> + Send + 'static, progress: Progress) {
        // The task cannot end before it stands in the table: it needs this lock for it.
        let mut table = self.lock();
        let id = table.next;
        table.next += 1;
        let entry = Entry { connections: Arc::clone(self), id };
        let task = tokio::spawn(async move {
            let _entry = entry;
            run.await;
        });
        table.open.insert(id, Open { task: task.abort_handle(), progress });
    }

    /// Waits until all have ended.
    pub(super) async fn all_ended(&self) {
        loop {
            let ended = self.ended.notified();
            if self.lock().open.is_empty() {
                return;
            }
            ended.await;
        }
    }

    /// Closes what is still open.
    pub(super) fn abort_all(&self) {
        let open = std::mem::take(&mut self.lock().open);
        open.into_values().for_each(|open| open.task.abort());
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the table, given free when the connection's task ends in whatever way.
struct Entry {
    connections: Arc<Connections>,
    id: u64,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.connections.lock().open.remove(&self.id);
        self.connections.ended.notify_waiters();
    }
}
