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

/// After a look at the file, the next one waits this many times as long as the look took: a small file is looked at for
/// each write that comes, so that none is refused once it is sound; a large one seldom.
const PAUSE: u32 = 10;
/// How often it is tried to keep the room for a full disk again.
const KEEP_PAUSE: Duration = Duration::from_secs(1);
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
    /// When the room for a full disk may be tried to be kept again.
    keep_again: Instant,
    /// Whether the log holds something that is not in the database.
    unfolded: bool,
}

impl Mending {
    pub(super) fn new(place: Option<Place>, standing: Arc<Standing>) -> Self {
        // A crash may have left a log.
        let unfolded = place.is_some();
        let now = Instant::now();
        Self { place, standing, untrusted: None, again: now, keep_again: now, unfolded }
    }

    /// Whether an idle moment is of use.
    pub(super) fn has_work(&self) -> bool {
        let troubled = self.standing.health() != Health::Well || self.standing.has_doubt();
        self.place.is_some() && (self.unfolded || troubled)
    }

    /// Makes the connection one that can be trusted. Fails while it is not to be.
    pub(super) fn ready(&mut self, connection: &mut Connection) -> Result<(), StoreError> {
        let Some(place) = &self.place else { return Ok(()) };
        if self.standing.take_doubt() && self.untrusted.is_none() {
            self.untrusted = Some(StoreError::Disk("a read failed".to_owned()));
        }
        let Some(untrusted) = &self.untrusted else { return Ok(()) };
        if Instant::now() < self.again {
            return Err(untrusted.clone());
        }
        let began = Instant::now();
        let reopened = reopen(connection, &place.database);
        self.again = Instant::now() + (began.elapsed() * PAUSE).min(LONGEST_PAUSE);
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

    /// Draws from a commit how the store stands; `met` is what one of its changes met that undid itself alone.
    pub(super) fn judge<T>(&mut self, committed: &Result<T, StoreError>, met: Option<&StoreError>) {
        if self.place.is_none() {
            return;
        }
        self.unfolded = true;
        let Some(error) = committed.as_ref().err().or(met) else {
            let health = if self.has_room() { Health::Well } else { Health::Full };
            return self.standing.set(health);
        };
        let health = health_after(error);
        if let Some(health) = health {
            self.standing.set(health);
        }
        match health {
            Some(Health::Full) => self.give_up_the_reserve(),
            Some(_) => self.untrusted = Some(error.clone()),
            None if matches!(error, StoreError::Broken(_)) => self.untrusted = Some(error.clone()),
            None => {}
        }
    }

    /// Whether the room for a full disk is kept.
    ///
    /// Our choice: a store whose disk was full is well once there is that room again. On a disk that is almost full this
    /// is not tried at each commit, since for a moment it takes what room there is.
    fn has_room(&mut self) -> bool {
        let Some(place) = &self.place else { return true };
        if place.reserve.is_kept() {
            return true;
        }
        if Instant::now() < self.keep_again {
            return self.standing.health() != Health::Full;
        }
        self.keep_again = Instant::now() + KEEP_PAUSE;
        place.reserve.keep()
    }

    fn give_up_the_reserve(&self) {
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
            self.judge(&tried, None);
        }
        if self.untrusted.is_none() {
            match fold(connection) {
                Ok(folded) => self.unfolded = !folded,
                Err(error) => {
                    tracing::warn!(%error, "the log could not be folded into the database");
                    self.judge::<()>(&Err(error), None);
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

/// Whether a change that failed so says something of the disk.
pub(super) fn tells_of_the_disk(error: &StoreError) -> bool {
    health_after(error).is_some()
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
