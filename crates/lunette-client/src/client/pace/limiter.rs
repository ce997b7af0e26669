//! The pace of one service, shared by all runs that call it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::{CallOutcome, LONGEST_WAIT, Leave, Pace, PaceView};

/// Lets calls leave at the pace of their service. Clones share it.
#[derive(Clone)]
pub struct Limiter(Arc<Shared>);

struct Shared {
    pace: Mutex<Pace>,
    changed: Notify,
}

/// The permission of one call to be on its way, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    limiter: Limiter,
    heard: CallOutcome,
}

impl Limiter {
    /// For a service of others: one call at the start, and never more than `most`.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Shared { pace: Mutex::new(Pace::new(most)), changed: Notify::new() }))
    }

    /// Changes how many there are at most, also for runs under way.
    pub fn set_most(&self, most: usize) {
        self.pace().set_most(most);
        self.0.changed.notify_waiters();
    }

    /// How the pace stands.
    pub fn view(&self) -> PaceView {
        self.pace().view(Instant::now())
    }

    /// Waits until a call may leave. Fails with the pause that the service asked for where it is longer than
    /// [`LONGEST_WAIT`].
    pub async fn turn(&self) -> Result<Turn, Duration> {
        loop {
            let changed = self.0.changed.notified();
            let mut changed = std::pin::pin!(changed);
            // A call that ends from here on is not missed.
            changed.as_mut().enable();
            // The lock is not held while waiting.
            let leave = self.pace().leave(Instant::now());
            match leave {
                Leave::Now => return Ok(Turn { limiter: self.clone(), heard: CallOutcome::NotSent }),
                Leave::Full => changed.await,
                Leave::Paused(pause) if pause > LONGEST_WAIT => return Err(pause),
                Leave::Paused(pause) => tokio::time::sleep(pause).await,
            }
        }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        // Nothing panics half-way through a change.
        self.0.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Limiter").field(&self.view()).finish()
    }
}

impl Turn {
    /// Says what the call told of its service.
    pub fn heard(&mut self, heard: CallOutcome) {
        self.heard = heard;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.limiter.pace().ended(self.heard, Instant::now());
        self.limiter.0.changed.notify_waiters();
    }
}
