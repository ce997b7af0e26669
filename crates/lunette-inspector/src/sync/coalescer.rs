//! Pending work of a task, combined while it is busy.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

/// Pending work. However often something is added, it is taken as one value.
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

    /// Waits until there is pending work, and does not take it: more may be added before it is begun.
    pub async fn filled(&self) {
        while self.pending.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            self.notify.notified().await;
        }
    }

    /// Takes the pending work.
    pub fn try_take(&self) -> Option<T> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
