//! The pace of one service, shared by all runs that call it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::{Admission, CallOutcome, LONGEST_WAIT, Pace, PaceView};

/// Hands out permits for calls to one service. Clones share it.
#[derive(Clone)]
pub struct Limiter(Arc<Shared>);

struct Shared {
    pace: Mutex<Pace>,
    changed: Notify,
}

/// Permits one call to run, until it is dropped.
#[derive(Debug)]
pub struct Permit {
    limiter: Limiter,
    outcome: CallOutcome,
}

impl Limiter {
    /// Creates a limiter for another service: one call at the start, and at most `max`.
    pub fn new(max: usize) -> Self {
        Self(Arc::new(Shared { pace: Mutex::new(Pace::new(max)), changed: Notify::new() }))
    }

    /// Changes the maximum, also for runs in progress.
    pub fn set_max(&self, max: usize) {
        self.pace().set_max(max);
        self.0.changed.notify_waiters();
    }

    /// The state of the pace.
    pub fn view(&self) -> PaceView {
        self.pace().view(Instant::now())
    }

    /// Waits until a call may be sent. Fails with the pause that the service requested if it is longer than
    /// [`LONGEST_WAIT`].
    pub async fn acquire(&self) -> Result<Permit, Duration> {
        loop {
            let changed = self.0.changed.notified();
            let mut changed = std::pin::pin!(changed);
            // Registered before checking, so that a call that ends meanwhile is not missed.
            changed.as_mut().enable();
            // The lock is not held while waiting.
            let admission = self.pace().try_start(Instant::now());
            match admission {
                Admission::Admitted => return Ok(Permit { limiter: self.clone(), outcome: CallOutcome::NotSent }),
                Admission::AtLimit => changed.await,
                Admission::Paused(pause) if pause > LONGEST_WAIT => return Err(pause),
                Admission::Paused(pause) => tokio::time::sleep(pause).await,
            }
        }
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        // No code panics while holding it, so poisoning is ignored.
        self.0.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Limiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Limiter").field(&self.view()).finish()
    }
}

impl Permit {
    /// Records the outcome of the call, which the pace depends on.
    pub fn record(&mut self, outcome: CallOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.limiter.pace().finish(self.outcome, Instant::now());
        self.limiter.0.changed.notify_waiters();
    }
}
