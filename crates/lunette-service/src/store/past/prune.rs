//! Deletes the versions that are too old, too many or too large, in small parts between which other changes run.
//!
//! What must hold: only the oldest versions of an asset go, so that no other hangs on them; what goes leaves a row that
//! says up to which number; a part is bounded by its own clock, by versions and by bytes, and no write waits for more than
//! one part.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction};

use super::{CurrentBounds, PastBounds, checkpoint};
use crate::store::StoreError;
use crate::store::disk::file;
use crate::store::interrupt::InterruptToken;
use crate::store::writer::Queue;

const HOUR: i64 = 60 * 60 * 1_000_000;
const DAY: i64 = 24 * HOUR;
/// How many versions one statement deletes at most, and after how many bytes of them it deletes no more.
const STEP: i64 = 64;
const STEP_BYTES: i64 = 256 << 10;
/// How many versions a part deletes at most, and after how many bytes of them it deletes no more.
pub(super) const PART_VERSIONS: i64 = 1024;
pub(super) const PART_BYTES: i64 = 1 << 20;
/// How long a part deletes at most, and at least.
const MOST: Duration = Duration::from_millis(2);
const LEAST: Duration = Duration::from_micros(250);
/// How long a part may take with its commit. Our choice: a change that comes while it runs waits for it.
const PART: Duration = Duration::from_millis(4);
/// After so many parts the log is folded into the database.
const FOLDED_AFTER: usize = 4;
/// After a part the disk and the writer are left to others for so many times as long as it took, with its commit and
/// what was folded, and at most for so long. Our choice: without that, writes beside it waited for a disk that was
/// never done.
const RESTS: u32 = 2;
const MAX_REST: Duration = Duration::from_millis(50);
/// What a row takes beside its pieces, in bytes.
const ROW_BYTES: u64 = 32;

/// The oldest versions of an asset, up to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Oldest {
    asset: i64,
    up_to: i64,
}

/// What pruning did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct Pruned {
    /// Of how many assets versions went.
    pub(in crate::store) assets: usize,
    /// In how many commits.
    pub(in crate::store) parts: usize,
}

/// Deletes what is beyond the bounds, by the time `now`, if that was not done within a day. Ends early when it is interrupted
/// or the bounds are changed.
pub(in crate::store) fn prune(
    database: &std::path::Path,
    queue: &Queue,
    current: &Arc<CurrentBounds>,
    now: i64,
    interrupt: &InterruptToken,
) -> Result<Pruned, StoreError> {
    let bounds = current.get();
    let source = file::open_source(database)?;
    let pruned: i64 = source.query_row("SELECT pruned FROM past_status", [], |row| row.get(0))?;
    // A clock that was ahead is not a reason to wait.
    if (pruned..pruned.saturating_add(DAY)).contains(&now) {
        return Ok(Pruned::default());
    }
    let beyond = Arc::new(beyond(&source, bounds, now)?);
    drop(source);
    let folding = file::open_writer(database)?;
    let (mut done, mut pace) = (Pruned::default(), Pace::default());
    while done.assets < beyond.len() && !interrupt.is_interrupted() && current.get() == bounds {
        let began = Instant::now();
        let part = queue.write_freeing_alone({
            let (beyond, current) = (Arc::clone(&beyond), Arc::clone(current));
            let (from, time) = (done.assets, pace.time);
            move |db| match current.get() == bounds {
                true => delete_some(db, &beyond[from..], time),
                false => Ok(Part { began: Instant::now(), assets: 0 }),
            }
        })?;
        pace.adapt(part.began.elapsed());
        done.assets += part.assets;
        done.parts += 1;
        if done.parts.is_multiple_of(FOLDED_AFTER) {
            // Here, since other writes would wait for a commit that does it. If it fails, the writer does it later.
            folding.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).ok();
        }
        std::thread::sleep((began.elapsed() * RESTS).min(MAX_REST));
    }
    if !interrupt.is_interrupted() {
        let current = Arc::clone(current);
        queue.write_freeing(move |db| if current.get() == bounds { end(db, bounds, now) } else { Ok(()) })?;
    }
    Ok(done)
}

/// Records that nothing is beyond the bounds any more.
fn end(db: &Transaction, bounds: PastBounds, now: i64) -> Result<(), StoreError> {
    checkpoint::delete_old(db, newest_gone(bounds, now))?;
    Ok(db.execute("UPDATE past_status SET pruned = ?1", [now]).map(drop)?)
}

/// How long parts delete.
#[derive(Debug, PartialEq, Eq)]
struct Pace {
    time: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { time: MOST / 2 }
    }
}

impl Pace {
    /// Shortens the next part if one took too long with its commit, as on a slow disk, and else makes it somewhat longer.
    fn adapt(&mut self, took: Duration) {
        let next = if took > PART { self.time / 2 } else { self.time * 9 / 8 };
        self.time = next.clamp(LEAST, MOST);
    }
}

/// What a part did.
struct Part {
    began: Instant,
    /// Of how many assets all that had to go is gone.
    assets: usize,
}

/// Deletes versions for so long, and no more of them than a part may.
fn delete_some(db: &Transaction, oldest: &[Oldest], time: Duration) -> Result<Part, StoreError> {
    let (began, mut versions, mut bytes) = (Instant::now(), 0, 0);
    for (assets, one) in oldest.iter().enumerate() {
        loop {
            let step = delete_oldest(db, *one)?;
            versions += step.versions;
            bytes += step.bytes;
            let is_over = began.elapsed() > time || versions >= PART_VERSIONS || bytes >= PART_BYTES;
            match (step.is_last, is_over) {
                (is_last, true) => return Ok(Part { began, assets: assets + usize::from(is_last) }),
                (true, false) => break,
                (false, false) => {}
            }
        }
    }
    Ok(Part { began, assets: oldest.len() })
}

/// What one statement deleted.
struct Step {
    versions: i64,
    bytes: i64,
    /// Whether all that had to go are gone.
    is_last: bool,
}

/// Deletes some of the oldest versions of an asset, and leaves a row that says up to which they are gone.
fn delete_oldest(db: &Transaction, Oldest { asset, up_to }: Oldest) -> Result<Step, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT version, coalesce(length(pieces), 0) FROM past WHERE asset = ?1 AND version <= ?2 ORDER BY version LIMIT ?3",
    )?;
    let mut rows = statement.query([asset, up_to, STEP])?;
    let (mut end, mut versions, mut bytes) = (None, 0, 0);
    while bytes < STEP_BYTES
        && let Some(row) = rows.next()?
    {
        end = Some(row.get(0)?);
        versions += 1;
        bytes += row.get::<_, i64>(1)?;
    }
    // Without a row its versions were forgotten meanwhile.
    let Some(end) = end else { return Ok(Step { versions, bytes, is_last: true }) };
    db.prepare_cached("DELETE FROM past WHERE asset = ?1 AND version < ?2")?.execute([asset, end])?;
    db.prepare_cached("UPDATE past SET pieces = NULL, client = NULL WHERE asset = ?1 AND version = ?2")?
        .execute([asset, end])?;
    Ok(Step { versions, bytes, is_last: end == up_to || versions < STEP && bytes < STEP_BYTES })
}

/// A stored version: its number, when it was replaced, and whether it is a row that says that those up to it are gone.
struct Stored {
    version: i64,
    at: i64,
    gone: bool,
}

/// What is beyond the bounds.
struct Beyond {
    /// Up to this time versions go, whatever else holds.
    too_much: i64,
    /// Up to this time versions may go for their age or number.
    held: i64,
    /// Versions from before this time are too old.
    newest_gone: i64,
    /// How many of each asset stay.
    versions: i64,
}

impl Beyond {
    /// The last version of an asset that goes, of all in order: the oldest go, and none behind one that stays.
    fn up_to(&self, stored: &[Stored]) -> Option<i64> {
        let newest = stored.last()?.version;
        let goes = |one: &&Stored| {
            let too_many = newest - one.version >= self.versions;
            one.at <= self.too_much || one.at <= self.held && (one.at < self.newest_gone || too_many)
        };
        stored.iter().filter(|one| !one.gone).take_while(goes).last().map(|one| one.version)
    }
}

/// What is from before this time is too old.
fn newest_gone(bounds: PastBounds, now: i64) -> i64 {
    now.saturating_sub(i64::from(bounds.days).saturating_mul(DAY))
}

/// The versions that are beyond the bounds.
fn beyond(db: &Connection, bounds: PastBounds, now: i64) -> Result<Vec<Oldest>, StoreError> {
    let bounds = Beyond {
        too_much: too_much(db, bounds.bytes)?,
        held: checkpoint::earliest(db)?.unwrap_or(i64::MAX),
        newest_gone: newest_gone(bounds, now),
        versions: bounds.versions.into(),
    };
    let mut statement = db.prepare("SELECT asset, version, at, pieces IS NULL FROM past ORDER BY asset, version")?;
    let mut rows = statement.query([])?;
    let (mut beyond, mut asset, mut stored) = (Vec::new(), 0, Vec::new());
    let mut end = |asset: i64, stored: &mut Vec<Stored>| {
        beyond.extend(bounds.up_to(stored).map(|up_to| Oldest { asset, up_to }));
        stored.clear();
    };
    while let Some(row) = rows.next()? {
        let of: i64 = row.get(0)?;
        if of != asset {
            end(asset, &mut stored);
            asset = of;
        }
        stored.push(Stored { version: row.get(1)?, at: row.get(2)?, gone: row.get(3)? });
    }
    end(asset, &mut stored);
    Ok(beyond)
}

/// The time up to which versions have to go so that the rest takes at most so many bytes, to the hour; the earliest time
/// there is if none has to.
fn too_much(db: &Connection, bytes: u64) -> Result<i64, StoreError> {
    let mut by_hour: BTreeMap<i64, u64> = BTreeMap::new();
    let mut statement = db.prepare("SELECT at, length(pieces) FROM past WHERE pieces IS NOT NULL")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        *by_hour.entry(row.get::<_, i64>(0)?.div_euclid(HOUR)).or_default() +=
            row.get::<_, i64>(1)?.unsigned_abs() + ROW_BYTES;
    }
    let mut total: u64 = by_hour.values().sum();
    let mut up_to = i64::MIN;
    for (hour, size) in by_hour {
        if total <= bytes {
            break;
        }
        total -= size;
        up_to = (hour + 1).saturating_mul(HOUR) - 1;
    }
    Ok(up_to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    /// A store with so many versions of one asset, each of so many bytes.
    fn with_versions(count: i64, bytes: i64) -> Store {
        let store = Store::in_memory().expect("a store");
        store
            .write(move |db| {
                db.execute(
                    "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
                     INSERT INTO past (asset, version, at, pieces) SELECT 7, n, n, zeroblob(?2) FROM number",
                    [count, bytes],
                )?;
                Ok(())
            })
            .expect("made");
        store
    }

    /// How many versions a part of this time deletes, and whether that were all.
    fn deleted(store: &Store, up_to: i64, time: Duration) -> (i64, bool) {
        let count = "SELECT count(*) FROM past WHERE pieces IS NOT NULL";
        let count = || store.read(|db| Ok(db.query_row(count, [], |row| row.get::<_, i64>(0))?)).expect("counted");
        let before = count();
        let part = store.write(move |db| delete_some(db, &[Oldest { asset: 7, up_to }], time)).expect("deleted");
        (before - count(), part.assets == 1)
    }

    #[test]
    fn a_part_ends_with_its_time_and_after_as_many_versions_or_bytes_as_it_may_delete() {
        const LONG: Duration = Duration::from_secs(3600);
        assert_eq!(deleted(&with_versions(3000, 60), 3000, Duration::ZERO), (STEP, false));
        let (versions, all) = deleted(&with_versions(3000, 60), 3000, LONG);
        // The row that says what is gone is read by each statement.
        assert!((PART_VERSIONS - STEP..PART_VERSIONS + STEP).contains(&versions) && !all, "{versions}");
        // Of large versions one statement deletes one.
        assert_eq!(deleted(&with_versions(9, 300_000), 9, Duration::ZERO), (1, false));
        assert_eq!(deleted(&with_versions(9, 300_000), 9, LONG), (4, false));
        assert_eq!(deleted(&with_versions(9, 60), 9, LONG), (9, true));
        // Those of an asset that was forgotten meanwhile.
        assert_eq!(deleted(&Store::in_memory().expect("a store"), 900, LONG), (0, true));
    }

    #[test]
    fn parts_are_shorter_on_a_slow_disk_and_longer_again_on_a_quick_one() {
        let mut pace = Pace::default();
        (0..20).for_each(|_| pace.adapt(PART * 2));
        assert_eq!(pace.time, LEAST);
        (0..40).for_each(|_| pace.adapt(PART / 2));
        assert_eq!(pace.time, MOST);
    }
}
