//! Recovery of the writer when the disk fails, is full or read-only: rejects changes, retries with backoff, and
//! resumes.
//!
//! What must hold: after a failure nothing is written before the file has been reopened and fully checked; an unhealthy
//! store is retried automatically, so that it recovers without a restart; on a full disk every change that adds is
//! rejected until the ballast is whole and there is space beside it.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::space::Space;
use super::{Health, HealthStatus};
use crate::store::StoreError;
use crate::store::disk::file::{self, LogLimits};
use crate::store::disk::migration;

/// The backoff after a check of the file, as a multiple of its duration: a small file is checked for each write, so
/// that none is rejected once it is intact; a large one seldom.
const REOPEN_BACKOFF: u32 = 10;
/// How often to retry allocating a ballast that the disk had no space for.
const RESERVE_RETRY: Duration = Duration::from_secs(1);
/// The longest backoff.
const MAX_REOPEN_BACKOFF: Duration = Duration::from_secs(60);

/// The recovery state of the writer's connection.
pub(super) struct WriterRecovery {
    /// None in memory, where there is nothing to reopen.
    space: Option<Space>,
    status: Arc<HealthStatus>,
    /// Why the connection is not to be trusted.
    suspect: Option<StoreError>,
    /// When the file may be checked again.
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

    /// Reopens the connection if it is suspect. Fails while the file is not intact.
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

    /// Whether only changes that free space are accepted.
    pub(super) fn is_full(&self) -> bool {
        self.status.health() == Health::Full
    }

    /// Admits a change that adds data. Fails with [`StoreError::Full`] if the disk has no space for it.
    pub(super) fn admit(&mut self, connection: &Connection) -> Result<(), StoreError> {
        if self.is_full() && !self.recover(connection)? {
            return Err(StoreError::Full);
        }
        let Some(space) = &self.space else { return Ok(()) };
        if self.needs_checkpoint && space.is_low() {
            // An error here recurs at the commit, and is assessed there.
            self.needs_checkpoint = !space.checkpoint(connection).unwrap_or(false);
        }
        if space.has_room(connection)? {
            return Ok(());
        }
        self.status.set(Health::Full);
        Err(StoreError::Full)
    }

    /// Fails if a transaction could not be checkpointed after its commit.
    pub(super) fn require_room_to_checkpoint(&self, transaction: &Connection) -> Result<(), StoreError> {
        self.space.as_ref().map_or(Ok(()), |space| space.require_room_to_checkpoint(transaction))
    }

    /// Runs the work with the ballast released, and allocates it again. Checkpoints the log before and afterwards.
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
        // A deletion may have freed space.
        self.retake_at = Instant::now();
        done
    }

    /// Checks whether a full disk has space again; the store is healthy then.
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

    /// Distinguishes an exceeded quota from a disk failure: SQLite reports both as a failed write.
    pub(super) fn explain(&self, error: StoreError) -> StoreError {
        match (&error, &self.space) {
            (StoreError::Disk(_), Some(space)) if space.is_over_quota() => StoreError::Full,
            (_, Some(space)) => space.ballast().explain(error),
            (_, None) => error,
        }
    }

    /// Assesses the health after a commit; `disk_failure` is the error of a change that was rolled back alone.
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
            Some(Health::Full) => {} // The next change that adds checks for space again.
            Some(_) => self.suspect = Some(error.clone()),
            None if matches!(error, StoreError::Broken(_)) => self.suspect = Some(error.clone()),
            None => {}
        }
    }

    /// Records that an assessment was made.
    pub(super) fn record_check(&self) {
        self.status.record_check();
    }

    /// Assesses a successful commit. On a full disk it proves nothing, since it may have been a deletion.
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

    /// Uses idle time: retries recovery, and checkpoints the log.
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
                Ok(folded) => {
                    self.needs_checkpoint = !folded;
                    // The pages in memory; nothing is lost if they stay.
                    connection.execute_batch("PRAGMA shrink_memory").ok();
                }
                Err(error) => {
                    tracing::warn!(%error, "could not checkpoint the write-ahead log");
                    self.assess::<()>(&Err(error), None);
                }
            }
        }
    }
}

/// The health after an error; None if the error says nothing about the disk.
fn health_after(error: &StoreError) -> Option<Health> {
    match error {
        StoreError::Full => Some(Health::Full),
        StoreError::ReadOnly { .. } => Some(Health::ReadOnly),
        StoreError::Disk(_) | StoreError::Corrupt { .. } | StoreError::Unusable { .. } => Some(Health::Failed),
        _ => None,
    }
}

/// Whether an error indicates a disk failure.
pub(super) fn is_disk_failure(error: &StoreError) -> bool {
    health_after(error).is_some()
}

/// Writes a page without changing it.
pub(super) fn probe_write(transaction: &Transaction) -> Result<(), StoreError> {
    transaction.execute("UPDATE identity SET folder = folder", [])?;
    Ok(())
}

fn probe_commit(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    probe_write(&transaction)?;
    Ok(transaction.commit()?)
}

/// After a failed read or sync a connection may cache what is not on disk; a new one reads the truth. The old one is
/// closed first.
fn reopen(connection: &mut Connection, path: &Path, log: LogLimits) -> Result<(), StoreError> {
    *connection = Connection::open_in_memory()?;
    let fresh = file::open_writer(path)?;
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
