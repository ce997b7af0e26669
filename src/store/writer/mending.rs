//! What the writer does when the disk fails, is full or cannot be written: refuses, looks again, and goes on.
//!
//! What must hold: after a failure nothing is written before the file has been opened anew and read from end to end; a
//! store that is not well is tried again by itself, so that it is well again without a restart.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::{Health, Place, Standing};
use crate::store::{StoreError, feed, file, migration};

/// After a look at the file that failed, the next one waits at least so long, and ten times as long as the look took.
const PAUSE: Duration = Duration::from_secs(1);
/// However long the look took, the next one waits no longer than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How the writer's connection stands.
pub(super) struct Mending {
    /// None in memory, where there is nothing to open anew.
    place: Option<Place>,
    standing: Arc<Standing>,
    /// Why the connection is not to be trusted.
    untrusted: Option<StoreError>,
    /// When the file may be looked at again.
    again: Instant,
    /// Whether the log holds something that is not in the database.
    unfolded: bool,
}

impl Mending {
    pub(super) fn new(place: Option<Place>, standing: Arc<Standing>) -> Self {
        // A crash may have left a log.
        let unfolded = place.is_some();
        Self { place, standing, untrusted: None, again: Instant::now(), unfolded }
    }

    /// Whether an idle moment is of use.
    pub(super) fn has_work(&self) -> bool {
        self.place.is_some() && (self.unfolded || self.standing.health() != Health::Well)
    }

    /// Makes the connection one that can be trusted. Fails while it is not to be.
    pub(super) fn ready(&mut self, connection: &mut Connection) -> Result<(), StoreError> {
        let Some(place) = &self.place else { return Ok(()) };
        if self.untrusted.is_none() && Instant::now() >= self.again && self.standing.take_doubt() {
            self.untrusted = Some(StoreError::Disk("a read failed".to_owned()));
        }
        let Some(untrusted) = &self.untrusted else { return Ok(()) };
        if Instant::now() < self.again {
            return Err(untrusted.clone());
        }
        let began = Instant::now();
        let reopened = reopen(connection, &place.database);
        self.again = Instant::now() + (began.elapsed() * 10).clamp(PAUSE, LONGEST_PAUSE);
        match reopened {
            Ok(()) => self.untrusted = None,
            Err(error) => {
                self.standing.set(health_after(&error).unwrap_or(Health::Failed));
                self.untrusted = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Draws from a commit how the store stands; `full` when a change of it found the disk full.
    pub(super) fn judge<T>(&mut self, committed: &Result<T, StoreError>, full: bool) {
        let Some(place) = &self.place else { return };
        self.unfolded = true;
        match committed {
            Ok(_) if full => self.is_full(),
            // Our choice: it is well once the room for the next time is kept again.
            Ok(_) if place.reserve.keep().is_ok() => self.standing.set(Health::Well),
            Ok(_) => self.standing.set(Health::Full),
            Err(StoreError::Full) => self.is_full(),
            Err(error) => {
                if let Some(health) = health_after(error) {
                    self.standing.set(health);
                }
                if matches!(error, StoreError::Broken(_)) || health_after(error).is_some() {
                    self.untrusted = Some(error.clone());
                }
            }
        }
    }

    fn is_full(&self) {
        self.standing.set(Health::Full);
        if let Some(place) = &self.place
            && place.reserve.give_up()
        {
            tracing::info!("gave up the room kept for a full disk, so that things can be deleted");
        }
    }

    /// Uses a moment in which nobody writes: tries out what was not well, and folds the log into the database.
    pub(super) fn idle(&mut self, connection: &mut Connection) {
        if self.ready(connection).is_err() {
            return;
        }
        if self.standing.health() != Health::Well {
            let tried = try_commit(connection);
            self.judge(&tried, false);
        }
        if self.untrusted.is_none() {
            match fold(connection) {
                Ok(folded) => self.unfolded = !folded,
                Err(error) => {
                    tracing::warn!(%error, "the log could not be folded into the database");
                    self.judge::<()>(&Err(error), false);
                }
            }
        }
    }
}

/// How a store stands that failed so; None where the failure says nothing of the disk.
fn health_after(error: &StoreError) -> Option<Health> {
    match error {
        StoreError::Full => Some(Health::Full),
        StoreError::ReadOnly { .. } => Some(Health::ReadOnly),
        StoreError::Disk(_) | StoreError::Corrupt { .. } | StoreError::Unusable { .. } => Some(Health::Failed),
        _ => None,
    }
}

/// Writes a page that then holds what it held.
pub(super) fn try_out(transaction: &Transaction) -> Result<(), StoreError> {
    transaction.execute("UPDATE identity SET folder = folder", [])?;
    Ok(())
}

fn try_commit(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    try_out(&transaction)?;
    Ok(transaction.commit()?)
}

/// Folds the log into the database and empties it; false where a reader is in the way.
fn fold(connection: &Connection) -> Result<bool, StoreError> {
    // A slow reader is not waited for: who writes would wait as well.
    connection.busy_timeout(Duration::ZERO)?;
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    connection.busy_timeout(file::PATIENCE)?;
    Ok(busy? == 0)
}

/// After a failed read or sync a connection may believe what is not on the disk; a new one sees what is. The old one is
/// closed before.
fn reopen(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    *connection = Connection::open_in_memory()?;
    let fresh = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    file::prepare_writer(&fresh)?;
    migration::check(&fresh, path)?;
    if fresh.is_readonly("main")? {
        return Err(StoreError::ReadOnly { problem: "the database can only be read".to_owned() });
    }
    feed::watch(&fresh)?;
    *connection = fresh;
    tracing::warn!("opened the database anew after a failure, and found it sound");
    Ok(())
}
