//! Work that waits in the database until the writer has nothing else to do: indexing the content of large batches for
//! searches, and moving earlier versions of assets into order.
//!
//! What must hold: what waits is in the database, so that nothing is left out after a restart; each step is a commit of
//! its own, between which other changes run; nothing is done at rest.

use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction};

use super::queue::{Change, Frees, Shares, Work};
use crate::store::{StoreError, past, search};

/// How long after the last change it begins. Our choice: an import sends its next batch sooner, and does not wait for the
/// index of the last one.
const DELAY: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_millis(300) };
/// How long after a failure it is tried again.
const RETRY: Duration = if cfg!(test) { Duration::from_millis(10) } else { Duration::from_secs(2) };
/// How many pieces of versions wait at most while changes go on: reading a version looks through them.
const MAX_PIECES: i64 = 20_000;

/// What waits: the newest of it, and whether it is so much that it does not wait any longer.
type Waiting = Option<(i64, bool)>;

/// One kind of work that waits.
pub(super) struct Background {
    /// What it does, for the log.
    name: &'static str,
    find: fn(&Connection) -> Result<Waiting, StoreError>,
    run: fn(&Transaction) -> Result<(), StoreError>,
    newest: Option<i64>,
    due: Option<Instant>,
}

impl Background {
    /// Indexes content.
    pub(super) fn indexing() -> Self {
        let find = |db: &Connection| Ok(search::newest_waiting(db)?.map(|newest| (newest, false)));
        Self { name: "index content", find, run: search::index_waiting, newest: None, due: None }
    }

    /// Moves versions into order.
    pub(super) fn arranging() -> Self {
        let find = |db: &Connection| Ok(past::waiting(db)?.map(|(newest, count)| (newest, count > MAX_PIECES)));
        Self { name: "move versions into order", find, run: past::arrange, newest: None, due: None }
    }

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
        let (change, reply) = Change::new(Frees::No, Shares::Nothing, Work::Run(Box::new(self.run)));
        run(change);
        let done = reply.wait();
        if let Err(error) = &done {
            tracing::debug!(%error, "could not {}; it is tried again", self.name);
            self.due = Some(Instant::now() + RETRY);
        }
        done.is_ok()
    }

    /// Looks at what waits, after a commit.
    pub(super) fn look(&mut self, connection: &Connection) {
        // An error recurs at the next commit, and is assessed there.
        let Ok(waiting) = (self.find)(connection) else { return };
        let newest = waiting.map(|(newest, _)| newest);
        match waiting {
            Some((_, true)) if self.due.is_none_or(|due| due > Instant::now()) => self.due = Some(Instant::now()),
            _ if newest != self.newest => self.due = newest.map(|_| Instant::now() + DELAY),
            _ => {}
        }
        self.newest = newest;
    }
}
