//! How much highlighting may cost, and how it is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many bytes regular expressions may search in one text.
///
/// Ordinary code takes 100 to 900 for each of its bytes, so a megabyte of it stays within.
const MAX_WORK: u64 = 1_000_000_000;
/// How long one text may take. Work is counted as well, so that a slow machine alone reaches this.
const MAX_TIME: Duration = Duration::from_secs(8);
/// What a search costs beside the bytes it reads.
const SEARCH: u64 = 64;
/// The clock is read once per this many searches.
const CLOCK_INTERVAL: u32 = 16;

/// Why highlighting ended before the text did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It took more work or more time than one text may take.
    Budget,
    /// Nobody needs the result any more.
    Cancelled,
}

/// Tells work on another thread to stop. Clones share the state.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work is to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is left of the work that highlighting one text may take.
#[derive(Debug)]
pub struct Budget {
    work: u64,
    searches: u32,
    deadline: Option<Instant>,
    cancel: CancelToken,
}

impl Budget {
    /// The budget of one text; it ends early if `cancel` says so.
    pub fn new(cancel: CancelToken) -> Self {
        Budget { work: MAX_WORK, searches: 0, deadline: Instant::now().checked_add(MAX_TIME), cancel }
    }

    /// A budget of so much work and any time.
    pub fn of_work(work: u64) -> Self {
        Budget { work, searches: 0, deadline: None, cancel: CancelToken::default() }
    }

    /// The work that is left, in bytes searched.
    pub fn work_left(&self) -> u64 {
        self.work
    }

    /// Takes the cost of one search over so many bytes, for other work under the same budget as well. Fails once the
    /// budget is used up or the work was cancelled.
    pub fn charge(&mut self, bytes: usize) -> Result<(), Stopped> {
        if self.cancel.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        let cost = SEARCH + bytes as u64;
        self.work = self.work.checked_sub(cost).ok_or(Stopped::Budget)?;
        self.searches = self.searches.wrapping_add(1);
        let late = self.searches.is_multiple_of(CLOCK_INTERVAL)
            && self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        if late { Err(Stopped::Budget) } else { Ok(()) }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(CancelToken::default())
    }
}
