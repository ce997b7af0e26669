//! Interrupts long work on a database: because the store closes, or because nobody waits for the result.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, InterruptHandle};

use super::StoreError;

/// Cancels work, including a statement that SQLite is running.
#[derive(Default)]
pub(crate) struct InterruptToken {
    interrupted: AtomicBool,
    running: Mutex<Option<InterruptHandle>>,
}

impl fmt::Debug for InterruptToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InterruptToken").field("interrupted", &self.is_interrupted()).finish_non_exhaustive()
    }
}

impl InterruptToken {
    /// Interrupts the work. Call it repeatedly until the work has ended: a statement that is about to begin misses it.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
        if let Some(running) = &*self.running.lock().unwrap_or_else(PoisonError::into_inner) {
            running.interrupt();
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Runs the work on the connection so that it can be interrupted.
    pub(super) fn run_interruptible<T>(
        &self,
        connection: &Connection,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.set_running(Some(connection.get_interrupt_handle()));
        let result =
            if self.is_interrupted() { Err(StoreError::Broken("it was interrupted".to_owned())) } else { work() };
        self.set_running(None);
        result
    }

    fn set_running(&self, running: Option<InterruptHandle>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }
}
