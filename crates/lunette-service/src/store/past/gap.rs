//! Times in which no versions are kept.

use rusqlite::{Connection, OptionalExtension as _};

use crate::store::StoreError;

/// A time in which no versions were kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) began: i64,
    /// None if it lasts.
    pub(super) ended: Option<i64>,
    /// Whether assets that changed in it have a version that says so.
    pub(super) is_marked: bool,
}

/// All gaps, newest first.
pub(super) fn all(db: &Connection) -> Result<Vec<Gap>, StoreError> {
    let mut statement = db.prepare_cached("SELECT began, ended, marked FROM past_gap ORDER BY began DESC")?;
    let gaps =
        statement.query_map([], |row| Ok(Gap { began: row.get(0)?, ended: row.get(1)?, is_marked: row.get(2)? }))?;
    Ok(gaps.collect::<Result<_, _>>()?)
}

/// The gap that lasts; None while versions are kept.
pub(super) fn open(db: &Connection) -> Result<Option<Gap>, StoreError> {
    let mut statement = db.prepare_cached("SELECT began, marked FROM past_gap WHERE ended IS NULL")?;
    let gap = statement.query_row([], |row| Ok(Gap { began: row.get(0)?, ended: None, is_marked: row.get(1)? }));
    Ok(gap.optional()?)
}

/// Whether versions of an asset are kept from before this gap.
pub(super) fn has_kept(db: &Connection, asset: i64) -> Result<bool, StoreError> {
    let mut statement =
        db.prepare_cached("SELECT EXISTS (SELECT 1 FROM past WHERE asset = ?1 AND pieces IS NOT NULL)")?;
    Ok(statement.query_row([asset], |row| row.get(0))?)
}
