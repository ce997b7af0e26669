//! Limits the concurrent calls of runs to one service: one at the start, more while responses are quick.
//!
//! What must hold: the limit is never exceeded, and never exceeds the maximum; it does not grow while responses are
//! slow; an overloaded service gets no call for as long as it requests; a call is never sent twice. The decisions are
//! made by a plain value ([`Pace`]) that takes the time as an argument.

use std::time::{Duration, Instant};

mod limiter;
#[cfg(test)]
mod tests;

pub use limiter::{Limiter, Permit};

/// Our choice: the default maximum of concurrent calls of runs to other services.
pub const DEFAULT_CONCURRENCY: usize = 4;
/// The highest maximum that can be chosen.
pub const MAX_CONCURRENCY: usize = 8;
/// Our choice: after this many quick responses in a row, the limit grows by one.
const QUICK_ANSWERS: usize = 4;
/// Our choice: a response within this time is always quick.
const ALWAYS_QUICK: Duration = Duration::from_millis(100);
/// Our choice: a response that takes longer is never quick, and one that takes twice as long is slow.
const NEVER_QUICK: Duration = Duration::from_millis(500);
/// Our choice: the pause after 429 or 503 without `Retry-After`.
const USUAL_PAUSE: Duration = Duration::from_secs(1);
/// Our choice: the maximum wait of a call; if the service requests a longer pause, the run stops and reports it.
pub const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Longer pauses are cut, so that no clock overflows.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// The outcome of a call, as far as the pace depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The service responded after this time.
    Answered(Duration),
    /// The service is overloaded (429 or 503); with the time from `Retry-After`, if any.
    Overloaded(Option<Duration>),
    /// No response, or an incomplete one.
    NoResponse,
    /// Nothing was sent.
    NotSent,
}

impl CallOutcome {
    pub(super) fn of(status: Option<u16>, retry_after: Option<Duration>, elapsed: Duration) -> Self {
        match status {
            Some(429 | 503) => Self::Overloaded(retry_after),
            Some(_) => Self::Answered(elapsed),
            None => Self::NoResponse,
        }
    }
}

/// The limit of concurrent calls to one service, and its pause.
#[derive(Clone, Debug)]
pub struct Pace {
    limit: usize,
    max: usize,
    running: usize,
    /// The number of quick responses in a row since the limit changed.
    quick: usize,
    /// The quickest response so far.
    quickest: Option<Duration>,
    paused_until: Option<Instant>,
}

/// Whether the next call may be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It is sent now, and counts as running.
    Admitted,
    /// It waits until another one ends.
    AtLimit,
    /// It waits for this long.
    Paused(Duration),
}

/// The state of the pace, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaceView {
    /// How many calls may run concurrently now.
    pub limit: usize,
    /// The maximum of the limit.
    pub max: usize,
    /// For how long no call is sent.
    pub pause: Option<Duration>,
}

impl Pace {
    /// Starts with a limit of one call; it grows to at most `max`.
    pub fn new(max: usize) -> Self {
        let max = max.clamp(1, MAX_CONCURRENCY);
        Self { limit: 1, max, running: 0, quick: 0, quickest: None, paused_until: None }
    }

    /// Changes the maximum. Calls that already run are not cancelled.
    pub fn set_max(&mut self, max: usize) {
        self.max = max.clamp(1, MAX_CONCURRENCY);
        self.limit = self.limit.min(self.max);
    }

    /// Whether one more call may be sent; if so, it counts as running until [`Self::finish`].
    pub fn try_start(&mut self, now: Instant) -> Admission {
        match self.pause(now) {
            Some(pause) => Admission::Paused(pause),
            None if self.running >= self.limit => Admission::AtLimit,
            None => {
                self.running += 1;
                Admission::Admitted
            }
        }
    }

    /// Records that a call ended.
    pub fn finish(&mut self, outcome: CallOutcome, now: Instant) {
        self.running = self.running.saturating_sub(1);
        match outcome {
            CallOutcome::NotSent => {}
            CallOutcome::Answered(elapsed) => self.record_response(elapsed),
            CallOutcome::NoResponse => self.back_off(1),
            CallOutcome::Overloaded(asked) => {
                self.back_off(1);
                let until = now + asked.unwrap_or(USUAL_PAUSE).min(LONGEST_PAUSE);
                self.paused_until = Some(self.paused_until.map_or(until, |known| known.max(until)));
            }
        }
    }

    /// The state of the pace.
    pub fn view(&self, now: Instant) -> PaceView {
        PaceView { limit: self.limit, max: self.max, pause: self.pause(now) }
    }

    fn pause(&self, now: Instant) -> Option<Duration> {
        self.paused_until.map(|until| until.saturating_duration_since(now)).filter(|left| !left.is_zero())
    }

    fn record_response(&mut self, elapsed: Duration) {
        // Relative to what is usual for this service: a distant one is not slow.
        let quickest = self.quickest.map_or(elapsed, |known| known.min(elapsed));
        self.quickest = Some(quickest);
        let quick = (quickest * 3).clamp(ALWAYS_QUICK, NEVER_QUICK);
        if elapsed > quick * 2 {
            self.back_off(self.limit / 2);
        } else if elapsed > quick {
            self.quick = 0;
        } else {
            self.quick += 1;
            if self.quick >= QUICK_ANSWERS && self.limit < self.max {
                self.limit += 1;
                self.quick = 0;
            }
        }
    }

    fn back_off(&mut self, limit: usize) {
        self.limit = limit.max(1);
        self.quick = 0;
    }
}

/// Returns the delay of a `Retry-After` header: a number of seconds, or a date (RFC 9110, 10.2.3).
pub(super) fn retry_after(text: &str, now: jiff::Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(Duration::try_from(date.timestamp().duration_since(now)).unwrap_or_default())
}
