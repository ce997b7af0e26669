//! The open connections: their limit, and which one is evicted when there are too many.
//!
//! What must hold: clients that send nothing, or very slowly, cannot block others. When the table is full, a connection
//! is evicted for a new one: first one whose request is not complete and makes no progress, then one that is idle between
//! two requests, then one that has stalled. A connection that is sending its body or reading its response stays.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::progress::Progress;

/// How often to look for an evictable connection while the table is full.
const RECHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The table of open connections.
#[derive(Debug)]
pub(super) struct Connections {
    table: Mutex<Table>,
    /// Notified when a connection ends.
    ended: Notify,
    max_open: usize,
}

#[derive(Debug, Default)]
struct Table {
    next: u64,
    open: BTreeMap<u64, Open>,
}

#[derive(Debug)]
struct Open {
    /// None until its task is spawned.
    task: Option<AbortHandle>,
    progress: Progress,
}

impl Table {
    /// Evicts one connection. Returns false if none is evictable.
    fn close_one(&mut self) -> bool {
        let spawned = self.open.iter().filter(|(_, open)| open.task.is_some());
        let ranked = spawned.filter_map(|(id, open)| Some((open.progress.evictable()?, *id)));
        let closed = ranked.min().and_then(|(_, id)| self.open.remove(&id));
        closed.inspect(Open::abort).is_some()
    }
}

impl Open {
    fn abort(&self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

impl Connections {
    pub(super) fn new(max_open: usize) -> Self {
        Self { table: Mutex::default(), ended: Notify::new(), max_open }
    }

    /// Waits for a free slot, evicting a connection if possible.
    pub(super) async fn wait_for_room(&self) {
        loop {
            let ended = self.ended.notified();
            if self.has_room() {
                return;
            }
            // A stalled connection sends no notification.
            tokio::time::timeout(RECHECK_INTERVAL, ended).await.ok();
        }
    }

    fn has_room(&self) -> bool {
        let mut table = self.lock();
        table.open.len() < self.max_open || table.close_one()
    }

    /// Evicts a connection for one that could not be accepted.
    pub(super) fn close_one(&self) {
        self.lock().close_one();
    }

    /// Runs a connection as a task of its own.
    pub(super) fn spawn(self: &Arc<Self>, run: impl Future<Output = ()> + Send + 'static, progress: Progress) {
        let entry = self.enter(progress);
        let id = entry.id;
        // Do not hold the lock here: a runtime that is shutting down drops the task and its entry at once.
        let task = tokio::spawn(async move {
            let _entry = entry;
            run.await;
        });
        match self.lock().open.get_mut(&id) {
            Some(open) => open.task = Some(task.abort_handle()),
            // It ended already, or all were closed meanwhile.
            None => task.abort(),
        }
    }

    /// Enters a connection in the table; it stays there until its entry is dropped.
    fn enter(self: &Arc<Self>, progress: Progress) -> Entry {
        let mut table = self.lock();
        let id = table.next;
        table.next += 1;
        table.open.insert(id, Open { task: None, progress });
        Entry { connections: Arc::clone(self), id }
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
        open.values().for_each(Open::abort);
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An entry of the table, removed when the connection's task ends in any way.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_is_accepted_while_the_runtime_shuts_down_does_not_hang_it() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let connections = Arc::new(Connections::new(1));
        let handle = runtime.handle().clone();
        drop(runtime);
        let _entered = handle.enter();
        connections.spawn(std::future::pending(), Progress::new());
        assert!(connections.lock().open.is_empty());
    }
}
