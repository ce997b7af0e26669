//! Ends long work on a database early, because the store closes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, InterruptHandle};

use super::StoreError;

/// Whether work is to end, and how to end what SQLite does just now.
#[derive(Default)]
pub(super) struct Halt {
    called: AtomicBool,
    running: Mutex<Option<InterruptHandle>>,
}

impl Halt {
    /// Ends the work. To be called again until it has ended: what is just about to begin does not hear it.
    pub(super) fn call(&self) {
        self.called.store(true, Ordering::Relaxed);
        if let Some(running) = &*self.running.lock().unwrap_or_else(PoisonError::into_inner) {
            running.interrupt();
        }
    }

    pub(super) fn is_called(&self) -> bool {
        self.called.load(Ordering::Relaxed)
    }

    /// Does this with the connection, and ends it early when that is called for.
    pub(super) fn watched<T>(
        &self,
        connection: &Connection,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.note(Some(connection.get_interrupt_handle()));
        let done = if self.is_called() { Err(StoreError::Broken("the store closes".to_owned())) } else { work() };
        self.note(None);
        done
    }

    fn note(&self, running: Option<InterruptHandle>) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = running;
    }
}
