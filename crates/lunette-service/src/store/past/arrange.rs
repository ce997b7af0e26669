//! Moves what the log has into the order of assets and versions, when the writer has nothing else to do.

use std::collections::HashMap;
use std::ops::ControlFlow;

use lunette_versions::{WHOLE_EVERY, encode};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::entry::{self, Reading};
use super::piece::{self, Piece, What};
use crate::store::StoreError;

/// How many pieces one step moves: some milliseconds, for which other writes wait.
const STEP: i64 = 256;

/// The newest piece that waits to be moved, and how many wait at most.
pub(in crate::store) fn waiting(db: &Connection) -> Result<Option<(i64, i64)>, StoreError> {
    let newest = db
        .prepare_cached("SELECT max(row), max(row) - (SELECT min(row) FROM past_log) + 1 FROM past_log")?
        .query_row([], |row| Ok(row.get::<_, Option<i64>>(0)?.zip(row.get(1)?)))?;
    Ok(newest)
}

/// What one change replaced of one asset, as far as a step has it.
struct Group {
    asset: i64,
    at: i64,
    client: Option<String>,
    pieces: Vec<Piece>,
}

/// Moves the oldest pieces of the log.
pub(in crate::store) fn arrange(db: &Transaction) -> Result<(), StoreError> {
    let Some((groups, last)) = oldest(db)? else { return Ok(()) };
    let mut clients = HashMap::new();
    let mut due = Vec::new();
    for group in groups {
        let client = match &group.client {
            Some(name) => Some(client_row(db, &mut clients, name)?),
            None => None,
        };
        let asset = group.asset;
        let placed = place(db, group, client)?;
        due.extend(placed.filter(|version| version % WHOLE_EVERY as i64 == 0).map(|version| (asset, version)));
    }
    db.prepare_cached("UPDATE past_status SET last = max(last, (SELECT max(at) FROM past_log WHERE row <= ?1))")?
        .execute([last])?;
    db.prepare_cached("DELETE FROM past_log WHERE row <= ?1")?.execute([last])?;
    // Only now, when no piece is in both.
    due.into_iter().try_for_each(|(asset, version)| make_whole(db, asset, version))
}

/// The oldest pieces of the log by change and asset, and the row of the last one.
fn oldest(db: &Transaction) -> Result<Option<(Vec<Group>, i64)>, StoreError> {
    let mut statement =
        db.prepare_cached("SELECT row, asset, at, client, what, piece FROM past_log ORDER BY row LIMIT ?1")?;
    let mut rows = statement.query([STEP])?;
    let (mut groups, mut last): (Vec<Group>, _) = (Vec::new(), None);
    let mut places: HashMap<(i64, i64), usize> = HashMap::new();
    while let Some(row) = rows.next()? {
        last = Some(row.get(0)?);
        let (asset, at) = (row.get(1)?, row.get(2)?);
        let piece = Piece::of_log(row.get(4)?, row.get_ref(5)?)?;
        let place = *places.entry((asset, at)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.pieces.push(piece),
            None => groups.push(Group { asset, at, client: row.get(3)?, pieces: vec![piece] }),
        }
    }
    Ok(last.map(|last| (groups, last)))
}

fn client_row(db: &Transaction, known: &mut HashMap<String, i64>, name: &str) -> Result<i64, StoreError> {
    if let Some(row) = known.get(name) {
        return Ok(*row);
    }
    let find = || -> Result<Option<i64>, StoreError> {
        let mut statement = db.prepare_cached("SELECT row FROM past_client WHERE name = ?1")?;
        Ok(statement.query_row([name], |row| row.get(0)).optional()?)
    };
    let row = match find()? {
        Some(row) => row,
        None => {
            db.prepare_cached("INSERT INTO past_client (name) VALUES (?1)")?.execute([name])?;
            db.last_insert_rowid()
        }
    };
    known.insert(name.to_owned(), row);
    Ok(row)
}

/// Stores what a change replaced as the newest version of an asset, and returns its number; or adds it to what a step before
/// stored of it.
fn place(db: &Transaction, group: Group, client: Option<i64>) -> Result<Option<i64>, StoreError> {
    let Group { asset, at, mut pieces, .. } = group;
    let newest = db
        .prepare_cached("SELECT version, at, pieces FROM past WHERE asset = ?1 ORDER BY version DESC LIMIT 1")?
        .query_row([asset], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, Option<Vec<u8>>>(2)?)))
        .optional()?;
    if let Some((version, before, Some(packed))) = &newest
        && *before == at
    {
        let Some(mut begun) = piece::unpack(asset, *version, at, packed) else { return Ok(None) };
        begun.append(&mut pieces);
        db.prepare_cached("UPDATE past SET pieces = ?3 WHERE asset = ?1 AND version = ?2")?.execute(params![
            asset,
            version,
            piece::pack(asset, *version, at, &begun)
        ])?;
        return Ok(None);
    }
    let version = newest.map_or(0, |(version, _, _)| version) + 1;
    db.prepare_cached("INSERT INTO past (asset, version, at, client, pieces) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![asset, version, at, client, piece::pack(asset, version, at, &pieces)])?;
    Ok(Some(version))
}

/// Stores a version whole if it can be read, so that it and those before it hang on no later one.
fn make_whole(db: &Transaction, asset: i64, version: i64) -> Result<(), StoreError> {
    let chain = entry::chain(db, asset)?;
    let mut pieces = None;
    entry::walk(db, asset, true, &chain, |number, reading| {
        if number > version {
            return ControlFlow::Continue(());
        }
        pieces = whole_pieces(reading);
        ControlFlow::Break(())
    })?;
    let at = chain.entries.iter().find(|entry| entry.version == version).map(|entry| entry.at);
    let (Some(pieces), Some(at)) = (pieces, at) else { return Ok(()) };
    db.prepare_cached("UPDATE past SET pieces = ?3 WHERE asset = ?1 AND version = ?2")?.execute(params![
        asset,
        version,
        piece::pack(asset, version, at, &pieces)
    ])?;
    Ok(())
}

fn whole_pieces(reading: &Reading) -> Option<Vec<Piece>> {
    let (Ok(state), Ok(content)) = (&reading.state, &reading.content) else { return None };
    let mut pieces = vec![Piece { what: What::State, bytes: state.to_json().into_bytes() }];
    if let Some(content) = content {
        let mut bytes = vec![u8::from(content.binary)];
        bytes.extend(encode(&content.bytes, None));
        pieces.push(Piece { what: What::Content, bytes });
    }
    Some(pieces)
}
