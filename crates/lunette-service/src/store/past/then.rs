//! All assets as they were at a time, with what a list shows of them.

use std::collections::HashMap;

use rusqlite::Connection;

use super::piece::{self, Piece, What};
use super::state::{self, Deletion, PastState};
use crate::store::{Store, StoreError};

/// An asset as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AssetThen {
    pub(crate) id: String,
    pub(crate) version: i64,
    pub(crate) name: Option<String>,
    /// The two words of its language.
    pub(crate) language: Option<(String, String)>,
    /// When it had last changed; None if that is not recorded.
    pub(crate) updated: Option<i64>,
    /// Whether it is known that it was so at that time.
    pub(crate) recorded: bool,
}

/// What a list shows of an asset, while it goes back in time.
struct Then {
    row: i64,
    asset: AssetThen,
    deletion: Deletion,
    created: i64,
}

impl Then {
    /// Goes back to a time over the changes that the log has, oldest first.
    fn back_in_log(&mut self, logged: &[(i64, Vec<Piece>)], at: i64) -> Found {
        let mut found = Found::default();
        for (changed, pieces) in logged.iter().rev() {
            if *changed <= at {
                found.written = Some(*changed);
                break;
            }
            pieces.iter().rev().for_each(|piece| self.back(piece.what, &piece.bytes));
            found.undone += 1;
        }
        found
    }

    /// Goes back over a version that is in order, if it was changed after a time.
    fn back_in_order(&mut self, stored: &Stored<'_>, at: i64, found: &mut Found) {
        found.newest = found.newest.max(stored.version);
        if found.ended || found.written.is_some() {
            return;
        }
        let Some(packed) = stored.packed else {
            found.ended = true;
            return;
        };
        if stored.at <= at {
            found.written = Some(stored.at);
            return;
        }
        found.undone += 1;
        match piece::parts(self.row, stored.version, stored.at, packed) {
            Some(parts) => parts.iter().rev().for_each(|(what, bytes)| self.back(*what, bytes)),
            None => self.asset.recorded = false,
        }
    }

    /// Goes back over a piece of a change, as far as a list shows it. What cannot be read is not recorded, up to a version
    /// that hangs on no later one.
    fn back(&mut self, what: What, bytes: &[u8]) {
        let is_read = match what {
            What::Fields => state::fields(bytes).map(|(name, _, _)| self.asset.name = name).is_some(),
            What::Deleted => {
                self.deletion = if bytes.first() == Some(&0) { Deletion::Present } else { Deletion::Trashed };
                true
            }
            What::Language => serde_json::from_slice(bytes).map(|language| self.asset.language = language).is_ok(),
            What::State => return self.begin_again(bytes),
            What::Forgotten | What::Unrecorded => false,
            _ => true,
        };
        self.asset.recorded &= is_read;
    }

    fn begin_again(&mut self, state: &[u8]) {
        let state = serde_json::from_slice::<PastState>(state).map(|state| {
            (self.deletion, self.asset.name, self.asset.language) = (state.deletion, state.name, state.language);
        });
        self.asset.recorded = state.is_ok();
    }
}

/// A version that is in order.
struct Stored<'a> {
    version: i64,
    at: i64,
    /// None in place of versions that are no longer kept.
    packed: Option<&'a [u8]>,
}

/// Every asset that there was at a time, and what a list shows of it, in order of creation.
fn all_at(db: &Connection, at: i64) -> Result<Vec<AssetThen>, StoreError> {
    let unrecorded: i64 = db.query_row("SELECT unrecorded_row FROM past_status", [], |row| row.get(0))?;
    let unwatched = "SELECT EXISTS (SELECT 1 FROM past_gap WHERE ended IS NULL OR ended > ?1)";
    let unwatched: bool = db.query_row(unwatched, [at], |row| row.get(0))?;
    let mut assets = present(db, at)?;
    let log = logged(db)?;
    // Both are read from the last asset to the first, and the versions of each from the newest on.
    let mut statement = db.prepare("SELECT asset, version, at, pieces FROM past ORDER BY asset DESC, version DESC")?;
    let mut rows = statement.query([])?;
    let mut row = rows.next()?;
    for then in assets.iter_mut().rev() {
        let logged = log.get(&then.row).map(Vec::as_slice).unwrap_or_default();
        let mut found = then.back_in_log(logged, at);
        while let Some(stored) = row {
            let asset: i64 = stored.get(0)?;
            if asset < then.row {
                break;
            }
            if asset == then.row {
                let (version, changed) = (stored.get(1)?, stored.get(2)?);
                let stored = Stored { version, at: changed, packed: piece::blob(stored, 3)? };
                then.back_in_order(&stored, at, &mut found);
            }
            row = rows.next()?;
        }
        let from_creation = then.row > unrecorded && !found.ended;
        let untouched = then.asset.updated.filter(|updated| found.undone == 0 && *updated <= at);
        then.asset.version = found.newest + logged.len() as i64 + 1 - found.undone;
        then.asset.updated = found.written.or(from_creation.then_some(then.created)).or(untouched);
        then.asset.recorded &= then.asset.updated.is_some() && !(unwatched && untouched.is_none());
    }
    Ok(assets.into_iter().filter(|then| then.deletion == Deletion::Present).map(|then| then.asset).collect())
}

/// What the way back to a time has found of an asset.
#[derive(Default)]
struct Found {
    /// How many changes were undone.
    undone: i64,
    /// When the asset was written as it was then.
    written: Option<i64>,
    /// The newest version in order.
    newest: i64,
    /// Earlier versions are no longer kept.
    ended: bool,
}

/// What a list shows of the assets that had been created by a time, as they are now.
fn present(db: &Connection, at: i64) -> Result<Vec<Then>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT asset.row, asset.id, name, asset.created, asset.updated, generic, specific, asset.deleted IS NOT NULL
         FROM asset LEFT JOIN format ON format.asset = asset.row AND place = 0
         WHERE asset.created <= ?1 ORDER BY asset.row",
    )?;
    let assets = statement.query_map([at], |row| {
        let asset = AssetThen {
            id: row.get(1)?,
            version: 0,
            name: row.get(2)?,
            language: row.get::<_, Option<String>>(5)?.zip(row.get(6)?),
            updated: Some(row.get(4)?),
            recorded: true,
        };
        let deletion = if row.get(7)? { Deletion::Trashed } else { Deletion::Present };
        Ok(Then { row: row.get(0)?, asset, deletion, created: row.get(3)? })
    })?;
    Ok(assets.collect::<Result<_, _>>()?)
}

/// The changes of each asset, oldest first: when each was made, and what it replaced.
type Logged = HashMap<i64, Vec<(i64, Vec<Piece>)>>;

/// The changes that the log still has.
fn logged(db: &Connection) -> Result<Logged, StoreError> {
    let mut logged = Logged::new();
    let mut statement = db.prepare_cached("SELECT asset, at, what, piece FROM past_log ORDER BY row")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let changes = logged.entry(row.get(0)?).or_default();
        let (at, piece) = (row.get(1)?, Piece::of_log(row.get(2)?, row.get_ref(3)?)?);
        match changes.last_mut().filter(|(last, _)| *last == at) {
            Some((_, pieces)) => pieces.push(piece),
            None => changes.push((at, vec![piece])),
        }
    }
    Ok(logged)
}

impl Store {
    /// The assets that there were at a time, in microseconds since 1970 UTC, in order of creation.
    pub(crate) fn assets_at(&self, at: i64) -> Result<Vec<AssetThen>, StoreError> {
        self.read(|db| all_at(db, at))
    }
}
