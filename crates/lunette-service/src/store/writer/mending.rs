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
use super::{Health, Standing};
use crate::store::file::LogLimits;
use crate::store::{StoreError, file, migration};

/// After a look at the file, the next one waits this many times as long as the look took: a small file is looked at for
/// each write that comes, so that none is refused once it is sound; a large one seldom.
const PAUSE: u32 = 10;
/// How often it is tried to take a reserve that the disk has no room for.
const TAKE_PAUSE: Duration = Duration::from_secs(1);
/// However long the look took, the next one waits no longer than this.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How the writer's connection stands.
pub(super) struct WriterRecovery {
    /// None in memory, where there is nothing to open anew.
    space: Option<Space>,
    standing: Arc<Standing>,
    /// Why the connection is not to be trusted.
    untrusted: Option<StoreError>,
    /// When the file may be looked at again.
    again: Instant,
    /// When it may be tried again to take the reserve.
    take_again: Instant,
    /// Whether the log holds something that is not in the database.
    unfolded: bool,
}

impl WriterRecovery {
    pub(super) fn new(space: Option<Space>, standing: Arc<Standing>) -> Self {
        // A crash may have left a log.
        let unfolded = space.is_some();
        let now = Instant::now();
        Self { space, standing, untrusted: None, again: now, take_again: now, unfolded }
    }

    /// Whether an idle moment is of use.
    pub(super) fn has_work(&self) -> bool {
        let troubled = self.standing.health() != Health::Well || self.standing.has_doubt();
        self.space.is_some() && (self.unfolded || troubled)
    }

    /// Makes the connection one that can be trusted. Fails while it is not to be.
    pub(super) fn ready(&mut self, connection: &mut Connection) -> Result<(), StoreError> {
        let Some(space) = &self.space else { return Ok(()) };
        if self.standing.take_doubt() && self.untrusted.is_none() {
            self.untrusted = Some(StoreError::Disk("a read failed".to_owned()));
        }
        let Some(untrusted) = &self.untrusted else { return Ok(()) };
        if Instant::now() < self.again {
            return Err(untrusted.clone());
        }
        let began = Instant::now();
        let reopened = reopen(connection, space.database(), space.log_limits());
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

    /// Whether only changes that free space are taken.
    pub(super) fn is_full(&self) -> bool {
        self.standing.health() == Health::Full
    }

    /// Admits a change that adds. Fails with [`StoreError::Full`] where the disk has no room for it.
    pub(super) fn admit(&mut self, connection: &Connection) -> Result<(), StoreError> {
        if self.is_full() && !self.recover(connection)? {
            return Err(StoreError::Full);
        }
        let Some(space) = &self.space else { return Ok(()) };
        if self.unfolded && space.is_low() {
            // What fails here fails at the commit again, and is judged there.
            self.unfolded = !space.fold(connection).unwrap_or(false);
        }
        if space.has_room(connection)? {
            return Ok(());
        }
        self.standing.set(Health::Full);
        Err(StoreError::Full)
    }

    /// Fails where a transaction could not be folded into the database once it is committed.
    pub(super) fn require_room_to_fold(&self, transaction: &Connection) -> Result<(), StoreError> {
        self.space.as_ref().map_or(Ok(()), |space| space.require_room_to_fold(transaction))
    }

    /// Does this with the space of the reserve, and takes that again. The log is folded in before and afterwards.
    pub(super) fn with_reserve<T>(
        &mut self,
        connection: &mut Connection,
        work: impl FnOnce(&mut Connection) -> T,
    ) -> T {
        let Some(space) = &self.space else { return work(connection) };
        let folded = |error| tracing::warn!(%error, "could not checkpoint the write-ahead log");
        if self.unfolded {
            space.fold(connection).map_err(folded).ok();
        }
        space.reserve().give_up();
        let done = work(connection);
        self.unfolded = !space.fold(connection).map_err(folded).unwrap_or(false);
        // What was deleted may have made room.
        self.take_again = Instant::now();
        done
    }

    /// Finds out whether a full disk has room again; it is well then.
    fn recover(&mut self, connection: &Connection) -> Result<bool, StoreError> {
        let Some(space) = &mut self.space else { return Ok(true) };
        if self.unfolded {
            self.unfolded = !space.fold(connection)?;
        }
        if Instant::now() < self.take_again {
            return Ok(false);
        }
        let whole = space.has_ample_room(connection)? && space.take_reserve();
        if !whole && !space.take_half_of_the_reserve(connection)? {
            self.take_again = Instant::now() + TAKE_PAUSE;
            return Ok(false);
        }
        self.standing.set(Health::Well);
        Ok(true)
    }

    /// Tells a used-up quota from a disk that fails: SQLite reports both as a failed write.
    pub(super) fn explain(&self, error: StoreError) -> StoreError {
        match (&error, &self.space) {
            (StoreError::Disk(_), Some(space)) if space.is_over_quota() => StoreError::Full,
            _ => error,
        }
    }

    /// Draws from a commit how the store stands; `met` is what one of its changes met that undid itself alone.
    pub(super) fn judge<T>(&mut self, committed: &Result<T, StoreError>, met: Option<&StoreError>) {
        if self.space.is_none() {
            return;
        }
        self.unfolded = true;
        let Some(error) = committed.as_ref().err().or(met) else {
            return self.judge_done();
        };
        let health = health_after(error);
        if let Some(health) = health {
            self.standing.set(health);
        }
        match health {
            Some(Health::Full) => {} // The next change that adds finds out whether there is room again.
            Some(_) => self.untrusted = Some(error.clone()),
            None if matches!(error, StoreError::Broken(_)) => self.untrusted = Some(error.clone()),
            None => {}
        }
    }

    /// Says that something was judged or tried, for who waits for it.
    pub(super) fn turn(&self) {
        self.standing.turn();
    }

    /// A commit went well. On a full disk that says nothing, since it may have been a deletion.
    fn judge_done(&mut self) {
        if self.is_full() {
            return;
        }
        let Some(space) = &mut self.space else { return };
        space.grow_reserve();
        let take = !space.reserve().is_whole() && Instant::now() >= self.take_again;
        if take && !space.reserve().take(0) {
            self.take_again = Instant::now() + TAKE_PAUSE;
            return self.standing.set(Health::Full);
        }
        self.standing.set(Health::Well);
    }

    /// Uses a moment in which nobody writes: tries out what was not well, and folds the log into the database.
    pub(super) fn idle(&mut self, connection: &mut Connection) {
        if self.ready(connection).is_err() {
            return;
        }
        let tried = match self.standing.health() {
            Health::Well => Ok(()),
            Health::Full => self.recover(connection).map(drop),
            Health::ReadOnly | Health::Failed => {
                let tried = try_commit(connection);
                self.judge(&tried, None);
                tried
            }
        };
        if let Err(error) = tried {
            tracing::debug!(%error, "the store has not recovered yet");
        }
        if self.untrusted.is_none()
            && self.unfolded
            && let Some(space) = &self.space
        {
            match space.fold(connection) {
                Ok(folded) => self.unfolded = !folded,
                Err(error) => {
                    tracing::warn!(%error, "could not checkpoint the write-ahead log");
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
    super::watch(&fresh)?;
    *connection = fresh;
    tracing::warn!("reopened the database after a failure; it is intact");
    Ok(())
}
