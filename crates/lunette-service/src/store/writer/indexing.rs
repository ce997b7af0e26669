//! Indexes the content of large batches for searches, behind their commits.
//!
//! What must hold: what waits is in the database, so that nothing is left out after a restart; each step is a commit of
//! its own, between which other changes run; nothing is done at rest.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::queue::{Change, Frees, Shares, Work};
use crate::store::search;

/// How long after the last batch it begins. Our choice: an import sends its next batch sooner, and does not wait for the
/// index of the last one.
const DELAY: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_millis(300) };
/// How long after a failure it is tried again.
const RETRY: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_secs(2) };

/// What waits to be indexed, and when that begins.
#[derive(Debug, Default)]
pub(super) struct Indexing {
    /// The newest content that waits.
    newest: Option<i64>,
    due: Option<Instant>,
}

impl Indexing {
    /// How long the writer may wait for a change; None if nothing waits.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.due.map(|due| due.saturating_duration_since(Instant::now()))
    }

    /// Whether a step is due.
    pub(super) fn is_due(&self) -> bool {
        self.wait() == Some(Duration::ZERO)
    }

    /// Takes the next step; returns whether it succeeded. `run` commits a change.
    pub(super) fn step(&mut self, run: impl FnOnce(Change)) -> bool {
        let (change, reply) = Change::new(Frees::No, Shares::Nothing, Work::Run(Box::new(search::index_waiting)));
        run(change);
        let done = reply.wait();
        if let Err(error) = &done {
            tracing::debug!(%error, "could not index content; it is tried again");
            self.due = Some(Instant::now() + RETRY);
        }
        done.is_ok()
    }

    /// Looks at what waits, after a commit.
    pub(super) fn look(&mut self, connection: &Connection) {
        // An error recurs at the next commit, and is assessed there.
        let newest = search::newest_waiting(connection).unwrap_or(self.newest);
        if newest != self.newest {
            self.due = newest.map(|_| Instant::now() + DELAY);
        }
        self.newest = newest;
    }
}
