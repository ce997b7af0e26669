//! Limits the concurrent calls of runs to one service: one at the start, more while responses are quick.
//!
//! What must hold: never more than the limit, and never more than the most; no growth while answers are slow; a service
//! that is overloaded is left alone for as long as it asks; a call is never sent twice. The decisions are a plain value
//! ([`Pace`]) that is told the time.

use std::time::{Duration, Instant};

mod limiter;
#[cfg(test)]
mod tests;

pub use limiter::{Limiter, Turn};

/// Our choice: the most calls of runs that are on their way to a service of others at once.
pub const USUAL_MOST: usize = 4;
/// The highest number that can be chosen.
pub const HIGHEST_MOST: usize = 8;
/// Our choice: after so many quick answers in a row there may be one call more.
const QUICK_ANSWERS: usize = 4;
/// Our choice: an answer within this time is always quick.
const ALWAYS_QUICK: Duration = Duration::from_millis(100);
/// Our choice: an answer that takes longer is never quick, and one that takes twice as long is slow.
const NEVER_QUICK: Duration = Duration::from_millis(500);
/// Our choice: the pause after 429 or 503 where the service does not say how long.
const USUAL_PAUSE: Duration = Duration::from_secs(1);
/// Our choice: a call waits for no longer than this; where the service asks for more, the run stops and says so.
pub const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Longer pauses are cut, so that no clock overflows.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 60 * 60);

/// The outcome of a call, as far as the pace depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// The service answered after this time.
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

/// How calls to one service are paced.
#[derive(Clone, Debug)]
pub struct Pace {
    limit: usize,
    most: usize,
    running: usize,
    /// The quick answers in a row since the limit changed.
    quick: usize,
    /// The quickest answer so far.
    quickest: Option<Duration>,
    paused_until: Option<Instant>,
}

/// Whether the next call may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// It is sent now.
    Now,
    /// It waits until another one ends.
    Full,
    /// It waits for this long.
    Paused(Duration),
}

/// The state of the pace, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaceView {
    /// How many calls may be on their way now.
    pub limit: usize,
    /// How many at most.
    pub most: usize,
    /// For how long no call leaves.
    pub pause: Option<Duration>,
}

impl Pace {
    /// The start: one at a time, and never more than `most`.
    pub fn new(most: usize) -> Self {
        let most = most.clamp(1, HIGHEST_MOST);
        Self { limit: 1, most, running: 0, quick: 0, quickest: None, paused_until: None }
    }

    /// Changes how many there are at most. Of those that are too many each ends.
    pub fn set_most(&mut self, most: usize) {
        self.most = most.clamp(1, HIGHEST_MOST);
        self.limit = self.limit.min(self.most);
    }

    /// Whether one more call leaves; if so it is counted until [`Self::ended`].
    pub fn leave(&mut self, now: Instant) -> Leave {
        match self.pause(now) {
            Some(pause) => Leave::Paused(pause),
            None if self.running >= self.limit => Leave::Full,
            None => {
                self.running += 1;
                Leave::Now
            }
        }
    }

    /// A call ended.
    pub fn ended(&mut self, heard: CallOutcome, now: Instant) {
        self.running = self.running.saturating_sub(1);
        match heard {
            CallOutcome::NotSent => {}
            CallOutcome::Answered(elapsed) => self.answered(elapsed),
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
        PaceView { limit: self.limit, most: self.most, pause: self.pause(now) }
    }

    fn pause(&self, now: Instant) -> Option<Duration> {
        self.paused_until.map(|until| until.saturating_duration_since(now)).filter(|left| !left.is_zero())
    }

    fn answered(&mut self, elapsed: Duration) {
        // What is usual for this service: one that is far away is no slow one.
        let quickest = self.quickest.map_or(elapsed, |known| known.min(elapsed));
        self.quickest = Some(quickest);
        let quick = (quickest * 3).clamp(ALWAYS_QUICK, NEVER_QUICK);
        if elapsed > quick * 2 {
            self.back_off(self.limit / 2);
        } else if elapsed > quick {
            self.quick = 0;
        } else {
            self.quick += 1;
            if self.quick >= QUICK_ANSWERS && self.limit < self.most {
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

/// How long a `Retry-After` asks to wait: a number of seconds, or a date (RFC 9110, 10.2.3).
pub(super) fn retry_after(text: &str, now: jiff::Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(Duration::try_from(date.timestamp().duration_since(now)).unwrap_or_default())
}
