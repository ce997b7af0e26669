//! Ends long work on a database early, because the store closes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, InterruptHandle};

use super::StoreError;

/// Whether work is to end, and how to end what SQLite does just now.
#[derive(Default)]
pub(super) struct InterruptToken {
    interrupted: AtomicBool,
    running: Mutex<Option<InterruptHandle>>,
}

impl InterruptToken {
    /// Ends the work. To be called again until it has ended: what is just about to begin does not hear it.
    pub(super) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        if let Some(running) = &*self.running.lock().unwrap_or_else(PoisonError::into_inner) {
            running.interrupt();
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Does this with the connection, and ends it early when that is called for.
    pub(super) fn run_interruptible<T>(
        &self,
        connection: &Connection,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.set_running(Some(connection.get_interrupt_handle()));
        let result =
            if self.is_interrupted() { Err(StoreError::Broken("the store closes".to_owned())) } else { work() };
        self.set_running(None);
        result
    }

    fn set_running(&self, running: Option<InterruptHandle>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }
}
