//! What a run tells the window while it goes on: the events of its ledger, and the writes that were applied.
//!
//! What must hold: no event is lost; what waits for a window that is not drawn has a bound, but for the events.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::runs::LedgerEvent;
use crate::write::own_writes::RowWrite;

/// What is on its way to the window: several events for each wake.
#[derive(Default)]
pub struct Inbox(Mutex<Received>);

#[derive(Default)]
pub(super) struct Received {
    pub lines: Vec<LedgerEvent>,
    /// The last writes, for the pages of their assets. A window that is not drawn takes none.
    pub writes: VecDeque<RowWrite>,
}

/// How many writes wait for the window; it takes those of a frame.
const WAITING_WRITES: usize = 256;

impl Inbox {
    /// Adds an event; returns whether the window must be woken.
    pub(super) fn put(&self, line: LedgerEvent) -> bool {
        let mut received = self.lock();
        received.lines.push(line);
        received.lines.len() == 1
    }

    /// Adds a write; the event that ends its row wakes the window.
    pub(super) fn put_write(&self, write: RowWrite) {
        let writes = &mut self.lock().writes;
        if writes.len() == WAITING_WRITES {
            writes.pop_front();
        }
        writes.push_back(write);
    }

    pub(super) fn take(&self) -> Received {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Received> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
