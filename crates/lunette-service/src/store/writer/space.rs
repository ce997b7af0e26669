//! Disk space: what is admitted while there is how much of it, and when the log is folded in.
//!
//! What must hold: a change that adds is refused while the disk has no room for it, before it takes the room that
//! deletions need; nothing is committed that could not be folded into the database afterwards; the log is folded in
//! before a change is refused, since that gives its file back to the disk.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;

use crate::store::StoreError;
use crate::store::disk::ballast::Ballast;
use crate::store::disk::file::{self, LogLimits};
use crate::store::disk::folder::database;

/// SQLite keeps at most this much of a transaction in memory before it writes it to the log.
const CACHE: u64 = file::WRITER_CACHE_KIB * 1024;

/// The disk of a data folder.
pub(in crate::store) struct Space {
    folder: PathBuf,
    database: PathBuf,
    ballast: Ballast,
    /// The free bytes on the disk of this folder, if the system reports them.
    free: fn(&Path) -> Option<u64>,
}

impl Space {
    /// The disk of this data folder.
    pub(in crate::store) fn of(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            database: database(folder),
            ballast: Ballast::of(folder),
            free: |folder| fs4::available_space(folder).ok(),
        }
    }

    /// The database file.
    pub(super) fn database(&self) -> &Path {
        &self.database
    }

    pub(super) fn ballast(&self) -> &Ballast {
        &self.ballast
    }

    pub(super) fn log_limits(&self) -> LogLimits {
        LogLimits::within(&self.ballast)
    }

    /// What must stay free beside the reserve: 4 MiB on an ordinary disk.
    fn margin(&self) -> u64 {
        self.ballast.bytes() / 6
    }

    /// Whether so little is left that the log is folded in before each commit, so that it never holds much.
    pub(super) fn is_low(&self) -> bool {
        let low = 2 * self.ballast.log_bytes() + self.margin();
        (self.free)(&self.folder).is_some_and(|free| free < low)
    }

    /// Whether there is room for a change that adds.
    ///
    /// Our choice: space within the database, which deletions made, counts as well. The file never gets smaller, so that
    /// otherwise nothing could be added to a full disk however much was deleted. The change's log needs some real space.
    pub(super) fn has_room(&self, connection: &Connection) -> Result<bool, StoreError> {
        self.has(self.margin(), connection)
    }

    /// Whether there is so much room that a full disk is over: more than [`Self::has_room`] asks for, so that a disk at
    /// the limit is not full and well in turns.
    pub(super) fn has_ample_room(&self, connection: &Connection) -> Result<bool, StoreError> {
        self.has(self.margin() / 2 * 3, connection)
    }

    fn has(&self, needed: u64, connection: &Connection) -> Result<bool, StoreError> {
        match (self.free)(&self.folder) {
            Some(free) if free < needed => Ok(free >= self.margin() / 2 && unused(connection)? >= needed),
            Some(_) | None => Ok(true),
        }
    }

    /// Fails where a transaction that is about to be committed could not be folded into the database.
    pub(super) fn require_room_to_checkpoint(&self, transaction: &Connection) -> Result<(), StoreError> {
        let growth = self.growth(transaction)?;
        let needed = growth + growth.min(CACHE) + self.margin() / 2;
        match (self.free)(&self.folder) {
            Some(free) if growth > 0 && free < needed => Err(StoreError::Full),
            Some(_) | None => Ok(()),
        }
    }

    /// By how much the database file has to grow until all of it is folded in.
    fn growth(&self, connection: &Connection) -> Result<u64, StoreError> {
        let there = std::fs::metadata(&self.database).map_or(0, |found| found.len());
        let wanted = pragma(connection, "PRAGMA page_count")? * pragma(connection, "PRAGMA page_size")?;
        Ok(wanted.saturating_sub(there))
    }

    /// Folds the log into the database, with the space of the reserve where there is no other. False where a reader is
    /// in the way.
    pub(super) fn checkpoint(&self, connection: &Connection) -> Result<bool, StoreError> {
        let folded = match checkpoint(connection) {
            Err(StoreError::Full) if self.ballast.release() => checkpoint(connection),
            folded => folded,
        };
        self.ballast.take(0);
        folded
    }

    /// Whether a write failure is an exceeded quota, which SQLite reports like any other failed write.
    pub(super) fn is_over_quota(&self) -> bool {
        self.ballast.is_over_quota(self.margin())
    }

    /// Takes the reserve where there is room for it and for a small change beside it.
    pub(super) fn refill_ballast(&mut self) -> bool {
        self.ballast.resize(self.ballast.bytes());
        self.ballast.take(self.margin() / 2)
    }

    /// Takes half of the reserve where deletions made more room within the database than the reserve is large. False, and
    /// as much as fits is kept, where there is no room for that either.
    ///
    /// Our choice: what is added then does not make the file larger, so that folding the log in needs no space, and half
    /// of it is enough for deletions.
    pub(super) fn refill_half_of_ballast(&mut self, connection: &Connection) -> Result<bool, StoreError> {
        if unused(connection)? < self.ballast.bytes() {
            return Ok(false);
        }
        self.ballast.resize(self.ballast.bytes() / 2);
        if self.ballast.take(0) && self.has_room(connection)? {
            return Ok(true);
        }
        self.ballast.resize(self.ballast.bytes());
        self.ballast.take(0);
        Ok(false)
    }

    /// Takes the whole reserve again where it was halved and the disk has much room by now.
    pub(super) fn grow_ballast(&mut self) {
        let needed = self.ballast.bytes() + self.margin();
        if self.ballast.is_reduced() && (self.free)(&self.folder).is_some_and(|free| free > needed) {
            self.ballast.resize(self.ballast.bytes());
            self.ballast.take(0);
        }
    }
}

/// The bytes of the database that nothing uses.
fn unused(connection: &Connection) -> Result<u64, StoreError> {
    Ok(pragma(connection, "PRAGMA freelist_count")? * pragma(connection, "PRAGMA page_size")?)
}

fn pragma(connection: &Connection, query: &str) -> Result<u64, StoreError> {
    let number: i64 = connection.prepare_cached(query)?.query_row([], |row| row.get(0))?;
    Ok(u64::try_from(number).unwrap_or_default())
}

/// Folds the log into the database and empties it; false where a reader is in the way.
fn checkpoint(connection: &Connection) -> Result<bool, StoreError> {
    // A slow reader is not waited for: who writes would wait as well.
    connection.busy_timeout(Duration::ZERO)?;
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    connection.busy_timeout(file::PATIENCE)?;
    Ok(busy? == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A database with room in it, and a disk with so much free.
    fn space(free: fn(&Path) -> Option<u64>) -> (tempfile::TempDir, Connection, Space) {
        let folder = tempfile::tempdir().expect("a folder");
        let space = Space { free, ..Space::of(folder.path()) };
        let connection = Connection::open(space.database()).expect("a database");
        connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (bytes)").expect("a table");
        (folder, connection, space)
    }

    fn fill(connection: &Connection, mebibytes: u64) {
        connection.execute("INSERT INTO t VALUES (zeroblob(?1))", [(mebibytes << 20) as i64]).expect("filled");
    }

    #[test]
    fn the_required_space_is_the_margin_or_half_of_it_plus_the_deleted_space() {
        let (_folder, connection, well) = space(|_| Some(4 << 20));
        assert_eq!((well.has_room(&connection), well.has_ample_room(&connection)), (Ok(true), Ok(false)));
        let (_folder, connection, full) = space(|_| Some(3 << 20));
        assert_eq!(full.has_room(&connection), Ok(false));
        fill(&connection, 7);
        connection.execute("DELETE FROM t", []).expect("deleted");
        assert_eq!((full.has_room(&connection), full.has_ample_room(&connection)), (Ok(true), Ok(true)));
        let (_folder, connection, none) = space(|_| Some(1 << 20));
        fill(&connection, 7);
        connection.execute("DELETE FROM t", []).expect("deleted");
        assert_eq!(none.has_room(&connection), Ok(false), "the log needs some of the disk itself");
    }

    #[test]
    fn half_of_the_reserve_suffices_if_the_database_has_free_pages() {
        for (free, filled, enough) in [(5_u64, 30, true), (5, 10, false), (1, 30, false)] {
            let free: fn(&Path) -> Option<u64> = if free == 5 { |_| Some(5 << 20) } else { |_| Some(1 << 20) };
            let (_folder, connection, mut space) = space(free);
            fill(&connection, filled);
            connection.execute("DELETE FROM t", []).expect("deleted");
            assert_eq!(space.refill_half_of_ballast(&connection), Ok(enough), "{filled} MiB deleted");
            assert_eq!(space.ballast().is_reduced(), enough);
        }
        let (_folder, connection, mut space) = space(|_| Some(100 << 20));
        fill(&connection, 30);
        connection.execute("DELETE FROM t", []).expect("deleted");
        assert_eq!(space.refill_half_of_ballast(&connection), Ok(true));
        space.grow_ballast();
        assert!(!space.ballast().is_reduced() && space.ballast().is_whole());
    }

    #[test]
    fn a_change_the_log_cannot_hold_is_refused_before_it_is_committed() {
        let (_folder, mut connection, space) = space(|_| Some(20 << 20));
        for (mebibytes, fits) in [(8, true), (40, false)] {
            let transaction = connection.transaction().expect("a transaction");
            fill(&transaction, mebibytes);
            assert_eq!(space.require_room_to_checkpoint(&transaction).is_ok(), fits, "{mebibytes} MiB");
            transaction.rollback().expect("undone");
        }
    }

    #[test]
    fn nothing_is_refused_in_advance_if_free_space_is_unknown() {
        let (_folder, connection, space) = space(|_| None);
        fill(&connection, 8);
        assert_eq!((space.has_room(&connection), space.is_low()), (Ok(true), false));
        assert_eq!(space.require_room_to_checkpoint(&connection), Ok(()));
    }
}
