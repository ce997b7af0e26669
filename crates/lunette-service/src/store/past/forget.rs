//! Forgets the past of an asset, or one version of it, so that its bytes are gone from the file.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::arrange::{arrange, replace, waiting, whole_pieces};
use super::entry::{self, Chain, Reading};
use super::piece::{Piece, What};
use super::{CHANGE, list};
use crate::store::records::activity::Event;
use crate::store::{Store, StoreError, search};

/// The row of an asset, deleted or not.
fn row_of(db: &Connection, id: &str) -> Result<i64, StoreError> {
    db.prepare_cached("SELECT row FROM asset WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| StoreError::not_found("asset", id))
}

/// Deletes the versions of an asset but for what it is now. What is left says up to which number they are gone.
fn forget(db: &Transaction, id: &str) -> Result<(), StoreError> {
    let asset = row_of(db, id)?;
    let chain = entry::chain(db, asset)?;
    let gone = chain.current() - 1;
    let texts = texts(db, asset, &chain)?;
    db.prepare_cached("DELETE FROM past_log WHERE asset = ?1")?.execute([asset])?;
    db.prepare_cached("DELETE FROM past WHERE asset = ?1")?.execute([asset])?;
    if gone > 0 {
        db.prepare_cached("INSERT INTO past (asset, version, at) VALUES (?1, ?2, ?3)")?.execute(params![
            asset,
            gone,
            CHANGE.get().at
        ])?;
    }
    // What it was called before.
    db.prepare_cached("UPDATE activity SET metadata = NULL WHERE asset = ?1 AND event = ?2")?
        .execute(params![asset, Event::Renamed.key()])?;
    search::forget_words(db, &texts)
}

/// Deletes what one version was, and leaves that it was there. The one before it hung on it, and is stored whole.
fn forget_one(db: &Transaction, id: &str, number: i64) -> Result<(), StoreError> {
    let asset = row_of(db, id)?;
    while waiting(db)?.is_some() {
        arrange(db)?;
    }
    let chain = entry::chain(db, asset)?;
    if number == chain.current() {
        return Err(StoreError::Conflict(format!(
            "version {number} is what the asset is now: change or delete the asset, and forget the version then"
        )));
    }
    let Some(entry) = chain.entries.iter().find(|entry| entry.version == number) else {
        return Err(list::no_version(id, number, &chain));
    };
    let read = |number| entry::read(db, asset, number, true, &chain);
    if let Some(before) = chain.entries.iter().find(|entry| entry.version == number - 1)
        && let Some(reading) = read(before.version)?
        && let Some(pieces) = whole_pieces(&reading, None)
    {
        replace(db, asset, before, &pieces)?;
    }
    let mut texts = Vec::new();
    if let Some(reading) = read(number)? {
        add_texts(&reading, &mut texts);
        if let Ok(state) = &reading.state {
            // The activities that say that it got or lost this name.
            db.prepare_cached(
                "UPDATE activity SET metadata = NULL
                 WHERE asset = ?1 AND event = ?2 AND instr(metadata, json_quote(?3))
                   AND ?3 IS NOT (SELECT name FROM asset WHERE row = ?1)",
            )?
            .execute(params![asset, Event::Renamed.key(), state.name])?;
        }
    }
    replace(db, asset, entry, &[Piece { what: What::Forgotten, bytes: Vec::new() }])?;
    search::forget_words(db, &texts)
}

/// The texts of the versions of an asset.
fn texts(db: &Transaction, asset: i64, chain: &Chain) -> Result<Vec<String>, StoreError> {
    let mut texts = Vec::new();
    entry::walk(db, asset, true, chain, |_, reading| {
        add_texts(reading, &mut texts);
        ControlFlow::Continue(())
    })?;
    Ok(texts)
}

fn add_texts(reading: &Reading, texts: &mut Vec<String>) {
    if let Ok(state) = &reading.state {
        texts.extend(state.name.clone());
        texts.extend(state.annotations.values().map(|annotation| annotation.text.clone()));
    }
    if let Ok(Some(content)) = &reading.content
        && !content.binary
    {
        texts.push(String::from_utf8_lossy(&content.bytes).into_owned());
    }
}

/// Writes the whole file anew without what was deleted, and empties its log: bytes that were deleted are in neither then.
pub(in crate::store) fn rebuild(db: &Connection) -> Result<(), StoreError> {
    db.execute_batch("VACUUM")?;
    let busy: i64 = db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    match busy {
        0 => Ok(()),
        _ => Err(StoreError::Broken("the log of the database is being read; try again".to_owned())),
    }
}

impl Store {
    /// Forgets the versions of an asset, deleted or not, but for what it is now. Their bytes are gone from the database
    /// then: it is written anew, for which other writes wait. Backups keep what they have.
    pub(crate) fn forget_versions(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| forget(db, &id))?;
        self.rebuild()
    }

    /// Forgets one version of an asset as [`Self::forget_versions`] does; those before and after it stay. Fails for what the
    /// asset is now.
    pub(crate) fn forget_version(&self, id: &str, number: i64) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |db| forget_one(db, &id, number))?;
        self.rebuild()
    }
}
