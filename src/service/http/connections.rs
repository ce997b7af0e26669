//! The open connections: how many there may be, and which one goes when there are too many.
//!
//! What must hold: clients that send nothing, or very slowly, cannot keep others out. When the table is full, the
//! oldest connection that is not at work for its client is closed in favour of a new one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::task::AbortHandle;

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
    work: Work,
}

impl Table {
    /// Gives back false when all are at work.
    fn close_idle(&mut self) -> bool {
        let idle = self.open.iter().find(|(_, open)| open.work.0.load(Ordering::Relaxed) == 0).map(|(id, _)| *id);
        let closed = idle.and_then(|id| self.open.remove(&id));
        closed.inspect(|open| open.task.abort()).is_some()
    }
}

/// How many requests of a connection are being worked on.
#[derive(Clone, Debug, Default)]
pub(super) struct Work(Arc<AtomicUsize>);

impl Work {
    /// Marks work until the guard is dropped.
    pub(super) fn begin(&self) -> WorkGuard {
        self.0.fetch_add(1, Ordering::Relaxed);
        WorkGuard(self.clone())
    }
}

/// Work on one request.
#[derive(Debug)]
pub(super) struct WorkGuard(Work);

impl Drop for WorkGuard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
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
            ended.await;
        }
    }

    fn has_room(&self) -> bool {
        let mut table = self.lock();
        table.open.len() < self.most || table.close_idle()
    }

    /// Closes the oldest connection that is not at work, for one that could not be accepted.
    pub(super) fn close_idle(&self) {
        self.lock().close_idle();
    }

    /// Runs a connection as a task of its own.
    pub(super) fn spawn(self: &Arc<Self>, run: impl Future<Output = ()> + Send + 'static, work: Work) {
        // The task cannot end before it stands in the table: it needs this lock for it.
        let mut table = self.lock();
        let id = table.next;
        table.next += 1;
        let entry = Entry { connections: Arc::clone(self), id };
        let task = tokio::spawn(async move {
            let _entry = entry;
            run.await;
        });
        table.open.insert(id, Open { task: task.abort_handle(), work });
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
