//! Moves what the log has into the order of assets and versions, when the writer has nothing else to do.

use std::collections::HashMap;
use std::time::Instant;

use lunette_versions::WHOLE_EVERY;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::PART_TIME;
use super::content::{PREPARED_FROM, whole_piece};
use super::entry::{self, Entry, PastContent, Reading};
use super::piece::{self, Piece, What};
use crate::store::StoreError;

/// How many pieces one step moves at most, and after how many bytes of them it moves no more.
const STEP: i64 = 256;
const STEP_BYTES: usize = 1 << 20;

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
    /// The rows of the log that they are from.
    rows: Vec<i64>,
}

/// Moves the oldest pieces of the log, for some milliseconds.
pub(in crate::store) fn arrange(db: &Transaction) -> Result<(), StoreError> {
    let (began, mut clients, mut last) = (Instant::now(), HashMap::new(), i64::MIN);
    for group in oldest(db)? {
        let client = match &group.client {
            Some(name) => Some(client_row(db, &mut clients, name)?),
            None => None,
        };
        last = last.max(group.at);
        let asset = group.asset;
        let mut moved = db.prepare_cached("DELETE FROM past_log WHERE row = ?1")?;
        for row in &group.rows {
            moved.execute([row])?;
        }
        // Only now, when no piece is in both.
        if let Some(version) = place(db, group, client)?.filter(|version| version % WHOLE_EVERY as i64 == 0) {
            make_whole(db, asset, version)?;
        }
        if began.elapsed() > PART_TIME {
            break;
        }
    }
    db.prepare_cached("UPDATE past_status SET last = max(last, ?1)")?.execute([last])?;
    Ok(())
}

/// The oldest pieces of the log by change and asset.
fn oldest(db: &Transaction) -> Result<Vec<Group>, StoreError> {
    let mut statement =
        db.prepare_cached("SELECT row, asset, at, client, what, piece FROM past_log ORDER BY row LIMIT ?1")?;
    let mut rows = statement.query([STEP])?;
    let (mut groups, mut bytes): (Vec<Group>, usize) = (Vec::new(), 0);
    let mut places: HashMap<(i64, i64), usize> = HashMap::new();
    while bytes < STEP_BYTES
        && let Some(row) = rows.next()?
    {
        let (number, asset, at) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let piece = Piece::of_log(row.get(4)?, row.get_ref(5)?)?;
        bytes += piece.bytes.len();
        let place = *places.entry((asset, at)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => {
                group.pieces.push(piece);
                group.rows.push(number);
            }
            None => groups.push(Group { asset, at, client: row.get(3)?, pieces: vec![piece], rows: vec![number] }),
        }
    }
    Ok(groups)
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

/// Stores a version whole if it can be read, so that it and those before it hang on no later one. Large content stays a
/// difference: it is stored whole when it is replaced, outside the writer.
fn make_whole(db: &Transaction, asset: i64, version: i64) -> Result<(), StoreError> {
    let chain = entry::chain(db, asset)?;
    let Some(entry) = chain.entries.iter().find(|entry| entry.version == version) else { return Ok(()) };
    let Some(reading) = entry::read(db, asset, version, true, &chain)? else { return Ok(()) };
    match whole_pieces(&reading, Some(entry)) {
        Some(pieces) => replace(db, asset, entry, &pieces),
        None => Ok(()),
    }
}

/// Replaces the pieces of a version in order.
pub(super) fn replace(db: &Transaction, asset: i64, entry: &Entry, pieces: &[Piece]) -> Result<(), StoreError> {
    let Entry { version, at, .. } = entry;
    db.prepare_cached("UPDATE past SET pieces = ?3 WHERE asset = ?1 AND version = ?2")?.execute(params![
        asset,
        version,
        piece::pack(asset, *version, *at, pieces)
    ])?;
    Ok(())
}

/// The pieces of a version that hang on no later one; None if it cannot be read. With an entry, the pieces of its content
/// stay if that is large.
pub(super) fn whole_pieces(reading: &Reading, entry: Option<&Entry>) -> Option<Vec<Piece>> {
    let (Ok(state), Ok(content)) = (&reading.state, &reading.content) else { return None };
    let mut pieces = vec![Piece { what: What::State, bytes: state.to_json().into_bytes() }];
    match (content, entry) {
        (Some(PastContent { bytes, .. }), Some(entry)) if bytes.len() >= PREPARED_FROM => {
            pieces.extend(entry.pieces.iter().flatten().filter(|piece| piece.what == What::Content).cloned());
        }
        (Some(content), _) => pieces.push(whole_piece(content)),
        (None, _) => {}
    }
    Some(pieces)
}
