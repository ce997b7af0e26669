//! What the writer does when the disk fails, is full or cannot be written: refuses, looks again, and goes on.
//!
//! What must hold: after a failure nothing is written before the file has been opened anew and read from end to end; a
//! store that is not well is tried again by itself, so that it is well again without a restart; on a full disk every
//! change that adds is refused, until the reserve is whole and there is room beside it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::space::Space;
use super::{Health, HealthStatus};
use crate::store::file::LogLimits;
use crate::store::{StoreError, file, migration};

/// After a look at the file, the next one waits this many times as long as the look took: a small file is looked at for
/// each write that comes, so that none is refused once it is sound; a large one seldom.
const REOPEN_BACKOFF: u32 = 10;
/// How often it is tried to take a reserve that the disk has no room for.
const RESERVE_RETRY: Duration = Duration::from_secs(1);
/// However long the look took, the next one waits no longer than this.
const MAX_REOPEN_BACKOFF: Duration = Duration::from_secs(60);

/// How the writer's connection stands.
pub(super) struct WriterRecovery {
    /// None in memory, where there is nothing to open anew.
    space: Option<Space>,
    status: Arc<HealthStatus>,
    /// Why the connection is not to be trusted.
    suspect: Option<StoreError>,
    /// When the file may be looked at again.
    retry_at: Instant,
    /// When it may be tried again to take the reserve.
    retake_at: Instant,
    /// Whether the log holds something that is not in the database.
    needs_checkpoint: bool,
}

impl WriterRecovery {
    pub(super) fn new(space: Option<Space>, status: Arc<HealthStatus>) -> Self {
        // A crash may have left a log.
        let needs_checkpoint = space.is_some();
        let now = Instant::now();
        Self { space, status, suspect: None, retry_at: now, retake_at: now, needs_checkpoint }
    }

    /// Whether an idle moment is of use.
    pub(super) fn has_work(&self) -> bool {
        let troubled = self.status.health() != Health::Healthy || self.status.is_suspect();
        self.space.is_some() && (self.needs_checkpoint || troubled)
    }

    /// Makes the connection one that can be trusted. Fails while it is not to be.
    pub(super) fn reopen_if_suspect(&mut self, connection: &mut Connection) -> Result<(), StoreError> {
        let Some(space) = &self.space else { return Ok(()) };
        if self.status.take_suspicion() && self.suspect.is_none() {
            self.suspect = Some(StoreError::Disk("a read failed".to_owned()));
        }
        let Some(suspect) = &self.suspect else { return Ok(()) };
        if Instant::now() < self.retry_at {
            return Err(suspect.clone());
        }
        let began = Instant::now();
        let reopened = reopen(connection, space.database(), space.log_limits());
        self.retry_at = Instant::now() + (began.elapsed() * REOPEN_BACKOFF).min(MAX_REOPEN_BACKOFF);
        match reopened {
            Ok(()) => self.suspect = None,
            Err(error) => {
                self.status.set(health_after(&error).unwrap_or(Health::Failed));
                self.suspect = Some(error.clone());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Whether only changes that free space are taken.
    pub(super) fn is_full(&self) -> bool {
        self.status.health() == Health::Full
    }

    /// Admits a change that adds. Fails with [`StoreError::Full`] where the disk has no room for it.
    pub(super) fn admit(&mut self, connection: &Connection) -> Result<(), StoreError> {
        if self.is_full() && !self.recover(connection)? {
            return Err(StoreError::Full);
        }
        let Some(space) = &self.space else { return Ok(()) };
        if self.needs_checkpoint && space.is_low() {
            // What fails here fails at the commit again, and is judged there.
            self.needs_checkpoint = !space.checkpoint(connection).unwrap_or(false);
        }
        if space.has_room(connection)? {
            return Ok(());
        }
        self.status.set(Health::Full);
        Err(StoreError::Full)
    }

    /// Fails where a transaction could not be folded into the database once it is committed.
    pub(super) fn require_room_to_checkpoint(&self, transaction: &Connection) -> Result<(), StoreError> {
        self.space.as_ref().map_or(Ok(()), |space| space.require_room_to_checkpoint(transaction))
    }

    /// Does this with the space of the reserve, and takes that again. The log is folded in before and afterwards.
    pub(super) fn with_ballast<T>(
        &mut self,
        connection: &mut Connection,
        work: impl FnOnce(&mut Connection) -> T,
    ) -> T {
        let Some(space) = &self.space else { return work(connection) };
        let folded = |error| tracing::warn!(%error, "could not checkpoint the write-ahead log");
        if self.needs_checkpoint {
            space.checkpoint(connection).map_err(folded).ok();
        }
        space.ballast().release();
        let done = work(connection);
        self.needs_checkpoint = !space.checkpoint(connection).map_err(folded).unwrap_or(false);
        // What was deleted may have made room.
        self.retake_at = Instant::now();
        done
    }

    /// Finds out whether a full disk has room again; it is well then.
    fn recover(&mut self, connection: &Connection) -> Result<bool, StoreError> {
        let Some(space) = &mut self.space else { return Ok(true) };
        if self.needs_checkpoint {
            self.needs_checkpoint = !space.checkpoint(connection)?;
        }
        if Instant::now() < self.retake_at {
            return Ok(false);
        }
        let whole = space.has_ample_room(connection)? && space.refill_ballast();
        if !whole && !space.refill_half_of_ballast(connection)? {
            self.retake_at = Instant::now() + RESERVE_RETRY;
            return Ok(false);
        }
        self.status.set(Health::Healthy);
        Ok(true)
    }

    /// Tells a used-up quota from a disk that fails: SQLite reports both as a failed write.
    pub(super) fn explain(&self, error: StoreError) -> StoreError {
        match (&error, &self.space) {
            (StoreError::Disk(_), Some(space)) if space.is_over_quota() => StoreError::Full,
            _ => error,
        }
    }

    /// Draws from a commit how the store stands; `disk_failure` is what one of its changes met that undid itself alone.
    pub(super) fn assess<T>(&mut self, committed: &Result<T, StoreError>, disk_failure: Option<&StoreError>) {
        if self.space.is_none() {
            return;
        }
        self.needs_checkpoint = true;
        let Some(error) = committed.as_ref().err().or(disk_failure) else {
            return self.assess_success();
        };
        let health = health_after(error);
        if let Some(health) = health {
            self.status.set(health);
        }
        match health {
            Some(Health::Full) => {} // The next change that adds finds out whether there is room again.
            Some(_) => self.suspect = Some(error.clone()),
            None if matches!(error, StoreError::Broken(_)) => self.suspect = Some(error.clone()),
            None => {}
        }
    }

    /// Says that something was judged or tried, for who waits for it.
    pub(super) fn record_check(&self) {
        self.status.record_check();
    }

    /// A commit went well. On a full disk that says nothing, since it may have been a deletion.
    fn assess_success(&mut self) {
        if self.is_full() {
            return;
        }
        let Some(space) = &mut self.space else { return };
        space.grow_ballast();
        let take = !space.ballast().is_whole() && Instant::now() >= self.retake_at;
        if take && !space.ballast().take(0) {
            self.retake_at = Instant::now() + RESERVE_RETRY;
            return self.status.set(Health::Full);
        }
        self.status.set(Health::Healthy);
    }

    /// Uses a moment in which nobody writes: tries out what was not well, and folds the log into the database.
    pub(super) fn idle(&mut self, connection: &mut Connection) {
        if self.reopen_if_suspect(connection).is_err() {
            return;
        }
        let tried = match self.status.health() {
            Health::Healthy => Ok(()),
            Health::Full => self.recover(connection).map(drop),
            Health::ReadOnly | Health::Failed => {
                let tried = probe_commit(connection);
                self.assess(&tried, None);
                tried
            }
        };
        if let Err(error) = tried {
            tracing::debug!(%error, "the store has not recovered yet");
        }
        if self.suspect.is_none()
            && self.needs_checkpoint
            && let Some(space) = &self.space
        {
            match space.checkpoint(connection) {
                Ok(folded) => self.needs_checkpoint = !folded,
                Err(error) => {
                    tracing::warn!(%error, "could not checkpoint the write-ahead log");
                    self.assess::<()>(&Err(error), None);
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
pub(super) fn is_disk_failure(error: &StoreError) -> bool {
    health_after(error).is_some()
}

/// Writes a page that then holds what it held.
pub(super) fn probe_write(transaction: &Transaction) -> Result<(), StoreError> {
    transaction.execute("UPDATE identity SET folder = folder", [])?;
    Ok(())
}

fn probe_commit(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    probe_write(&transaction)?;
    Ok(transaction.commit()?)
}

/// After a failed read or sync a connection may believe what is not on the disk; a new one sees what is. The old one is
/// closed before.
fn reopen(connection: &mut Connection, path: &Path, log: LogLimits) -> Result<(), StoreError> {
    *connection = Connection::open_in_memory()?;
    let fresh = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    file::prepare_writer(&fresh, log)?;
    migration::check(&fresh, path)?;
    if fresh.is_readonly("main")? {
        return Err(StoreError::ReadOnly { problem: "the database is read-only".to_owned() });
    }
    super::install_triggers(&fresh)?;
    *connection = fresh;
    tracing::warn!("reopened the database after a failure; it is intact");
    Ok(())
}
