//! Deletes the versions that are too old, too many or too large, in small parts between which other changes run.
//!
//! What must hold: only the oldest versions of an asset go, so that no other hangs on them; what goes leaves a row that
//! says up to which number.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, params};

use super::{PastBounds, checkpoint};
use crate::store::StoreError;
use crate::store::disk::file;
use crate::store::interrupt::InterruptToken;
use crate::store::writer::Queue;

const HOUR: i64 = 60 * 60 * 1_000_000;
const DAY: i64 = 24 * HOUR;
/// How long one part may take, for which other writes wait.
const PART_TIME: Duration = Duration::from_millis(5);
/// What a row takes beside its pieces, in bytes.
const ROW_BYTES: u64 = 32;

/// The oldest versions of an asset, up to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Oldest {
    asset: i64,
    up_to: i64,
}

/// Deletes what is beyond the bounds, by the time `now`, if that was not done within a day; returns of how many assets
/// versions went. Ends early when it is interrupted.
pub(in crate::store) fn prune(
    database: &std::path::Path,
    queue: &Queue,
    bounds: PastBounds,
    now: i64,
    interrupt: &InterruptToken,
) -> Result<usize, StoreError> {
    let source = file::open_source(database)?;
    let pruned: i64 = source.query_row("SELECT pruned FROM past_status", [], |row| row.get(0))?;
    // A clock that was ahead is no reason to wait.
    if (pruned..pruned.saturating_add(DAY)).contains(&now) {
        return Ok(0);
    }
    let beyond = beyond(&source, bounds, now)?;
    drop(source);
    let (assets, mut rest) = (beyond.len(), beyond);
    while !rest.is_empty() && !interrupt.is_interrupted() {
        rest = queue.write_freeing({
            let rest = rest.clone();
            move |db| delete_some(db, &rest)
        })?;
    }
    if !interrupt.is_interrupted() {
        queue.write_freeing(move |db| Ok(db.execute("UPDATE past_status SET pruned = ?1", [now]).map(drop)?))?;
    }
    Ok(assets)
}

/// Deletes versions for some milliseconds; returns what is left to delete.
fn delete_some(db: &Transaction, oldest: &[Oldest]) -> Result<Vec<Oldest>, StoreError> {
    let began = Instant::now();
    for (index, Oldest { asset, up_to }) in oldest.iter().enumerate() {
        if began.elapsed() > PART_TIME {
            return Ok(oldest[index..].to_vec());
        }
        end_at(db, *asset, *up_to)?;
    }
    Ok(Vec::new())
}

/// Deletes the versions of an asset up to a number, which has a row.
pub(super) fn end_at(db: &Transaction, asset: i64, up_to: i64) -> Result<(), StoreError> {
    db.prepare_cached("DELETE FROM past WHERE asset = ?1 AND version < ?2")?.execute([asset, up_to])?;
    db.prepare_cached("UPDATE past SET pieces = NULL, client = NULL WHERE asset = ?1 AND version = ?2")?
        .execute([asset, up_to])?;
    Ok(())
}

/// The versions that are beyond the bounds.
fn beyond(db: &Connection, bounds: PastBounds, now: i64) -> Result<Vec<Oldest>, StoreError> {
    let newest_gone = now.saturating_sub(i64::from(bounds.days).saturating_mul(DAY));
    let held = checkpoint::earliest(db)?.unwrap_or(i64::MAX);
    let too_much = too_much(db, bounds.bytes)?;
    let mut beyond: Vec<Oldest> = Vec::new();
    let mut statement = db.prepare(
        "SELECT asset, version, at, pieces IS NULL, (SELECT max(version) FROM past AS newest WHERE newest.asset = past.asset)
         FROM past ORDER BY asset, version",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (asset, version, at, newest) =
            (row.get(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?, row.get::<_, i64>(4)?);
        let too_many = newest - version >= i64::from(bounds.versions);
        let gone = at <= too_much || at <= held && (at < newest_gone || too_many);
        if row.get(3)? || !gone {
            continue;
        }
        match beyond.last_mut().filter(|last| last.asset == asset) {
            // The oldest go, and none behind one that stays.
            Some(last) if last.up_to + 1 == version => last.up_to = version,
            Some(_) => {}
            None if is_first(db, asset, version)? => beyond.push(Oldest { asset, up_to: version }),
            None => {}
        }
    }
    Ok(beyond)
}

/// Whether a version is the oldest that is kept.
fn is_first(db: &Connection, asset: i64, version: i64) -> Result<bool, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM past WHERE asset = ?1 AND version < ?2 AND pieces IS NOT NULL)",
    )?;
    Ok(!statement.query_row(params![asset, version], |row| row.get::<_, bool>(0))?)
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
