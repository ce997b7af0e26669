//! Work for a task, gathered while it is busy with what came before.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

/// What is to be done next; however often something is put in, it is taken out as one.
#[derive(Default)]
pub(super) struct Coalescer<T> {
    pending: Mutex<Option<T>>,
    notify: Notify,
}

impl<T: Default> Coalescer<T> {
    /// Adds to the pending work.
    pub fn add(&self, add: impl FnOnce(&mut T)) {
        add(self.pending.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default());
        self.notify.notify_one();
    }

    /// Waits until there is something, and leaves it here: more may come before it is begun.
    pub async fn filled(&self) {
        while self.pending.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            self.notify.notified().await;
        }
    }

    /// What there is to be done.
    pub fn try_take(&self) -> Option<T> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
