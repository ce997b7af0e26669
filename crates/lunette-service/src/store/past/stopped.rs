//! Changes while no versions are kept.
//!
//! What must hold: nothing is recorded of what an asset is in such a time. What is still kept of it from before stays
//! readable: at the first change in a gap its newest kept version is stored whole, since it hung on what is replaced now, and
//! a version without content says that one was not recorded.

use rusqlite::{Transaction, params};

use super::arrange::{arrange, replace, waiting, whole_pieces};
use super::entry::{self, Chain, Entry};
use super::gap::open;
use super::piece::{self, Piece, What};
use super::{CHANGE, CurrentChange};
use crate::store::StoreError;

/// Keeps versions or none from this change on, and records when none are kept. In a gap the log has nothing but what the
/// change that runs appended.
pub(super) fn keep(db: &Transaction, keeps: bool) -> Result<(), StoreError> {
    let open = open(db)?;
    // What is left open by an earlier program ends, since its changes are not marked.
    if let Some(gap) = open.filter(|gap| keeps || !gap.is_marked) {
        db.execute("UPDATE past_gap SET ended = ?2 WHERE began = ?1", [gap.began, CHANGE.get().at])?;
    }
    if !keeps && open.is_none_or(|gap| !gap.is_marked) {
        while waiting(db)?.is_some() {
            arrange(db)?;
        }
        db.execute("INSERT OR REPLACE INTO past_gap (began, marked) VALUES (?1, 1)", [CHANGE.get().at])?;
    }
    Ok(())
}

/// Ends a change. While no versions are kept, what it appended to the log goes again, once nothing hangs on it.
pub(in crate::store) fn end_change(db: &Transaction) -> Result<(), StoreError> {
    let CurrentChange { at, keeps, .. } = CHANGE.get();
    if keeps {
        return Ok(());
    }
    let mut statement = db.prepare_cached("SELECT DISTINCT asset FROM past_log WHERE at = ?1")?;
    let changed: Vec<i64> = statement.query_map([at], |row| row.get(0))?.collect::<Result<_, _>>()?;
    changed.into_iter().try_for_each(|asset| mark(db, asset))
}

/// Marks that an asset was changed in the gap that lasts, unless an earlier change did, and removes what the change appended.
fn mark(db: &Transaction, asset: i64) -> Result<(), StoreError> {
    let CurrentChange { at, saves_space, .. } = CHANGE.get();
    let chain = entry::chain(db, asset)?;
    let began = open(db)?.map(|gap| gap.began);
    let (changes, kept): (Vec<_>, Vec<_>) = chain.entries.iter().partition(|entry| entry.at == at);
    let (Some(replaced), Some(newest)) = (changes.first(), kept.first()) else { return forget_log(db, asset) };
    if newest.is_unrecorded() && began.is_some_and(|began| newest.at > began) {
        return forget_log(db, asset);
    }
    if !saves_space {
        store_whole(db, asset, newest, &chain)?;
    }
    forget_log(db, asset)?;
    let pieces = [Piece { what: What::Unrecorded, bytes: Vec::new() }];
    db.prepare_cached("INSERT INTO past (asset, version, at, pieces) VALUES (?1, ?2, ?3, ?4)")?.execute(params![
        asset,
        replaced.version,
        at,
        piece::pack(asset, replaced.version, at, &pieces)
    ])?;
    Ok(())
}

/// Stores the newest kept version of an asset whole, unless that cannot be read.
fn store_whole(db: &Transaction, asset: i64, newest: &Entry, chain: &Chain) -> Result<(), StoreError> {
    if let Some(reading) = entry::read(db, asset, newest.version, true, chain)?
        && let Some(pieces) = whole_pieces(&reading, None)
    {
        replace(db, asset, newest, &pieces)?;
    }
    Ok(())
}

fn forget_log(db: &Transaction, asset: i64) -> Result<(), StoreError> {
    db.prepare_cached("DELETE FROM past_log WHERE asset = ?1")?.execute([asset])?;
    Ok(())
}
