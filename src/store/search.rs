//! Finding assets.
//!
//! Our choice: names, tags, websites and annotations are found by any part of them, content by the beginnings of its
//! words. The former are read through (100,000 names take a few milliseconds), for the latter SQLite keeps an index of
//! words (FTS5), so that no search reads content. The index covers the first mebibyte of a text.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::asset::{self, Transfer, WholeAsset};
use super::format::Content;
use super::{Store, StoreError};

/// So much of a text is indexed.
const INDEXED_BYTES: usize = 1 << 20;

/// Where a search found an asset, the best place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Matched {
    Title,
    Tag,
    Website,
    Annotation,
    Content,
}

/// One asset that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    row: i64,
    pub(crate) id: String,
    pub(crate) matched: Matched,
    /// The whole name, tag or address is what was searched for, not a part of it.
    pub(crate) exact: bool,
}

/// Adds an asset's text to the index of words.
pub(super) fn index(db: &Connection, asset: i64, content: &Content) -> Result<(), StoreError> {
    let Content::Text(text) = content else { return Ok(()) };
    let text = &text[..text.floor_char_boundary(INDEXED_BYTES)];
    db.prepare_cached("INSERT INTO content_word (rowid, text) VALUES (?1, ?2)")?.execute(params![asset, text])?;
    Ok(())
}

impl Store {
    /// The assets that a query finds, best first, each once; at most `limit`.
    pub(crate) fn search(&self, query: &str, limit: usize) -> Result<Vec<Found>, StoreError> {
        self.read(|db| find(db, query, limit))
    }

    /// The same with each asset's record.
    pub(crate) fn search_whole(
        &self,
        query: &str,
        limit: usize,
        transfer: Transfer,
    ) -> Result<Vec<(Found, WholeAsset)>, StoreError> {
        self.read(|db| {
            find(db, query, limit)?
                .into_iter()
                .map(|found| Ok((found.clone(), asset::whole(db, asset::find(db, &found.id)?, transfer)?)))
                .collect()
        })
    }
}

fn find(db: &Connection, query: &str, limit: usize) -> Result<Vec<Found>, StoreError> {
    let folded = query.to_lowercase();
    let mut best: HashMap<i64, (Matched, bool)> = HashMap::new();
    let mut keep = |row: i64, matched: Matched, exact: bool| {
        let rank = (!exact, matched);
        let known = best.entry(row).or_insert((matched, exact));
        if rank < (!known.1, known.0) {
            *known = (matched, exact);
        }
    };
    let places = [
        (Matched::Title, "SELECT row, folded_name = ?1 FROM asset WHERE deleted IS NULL AND instr(folded_name, ?1)"),
        (
            Matched::Tag,
            "SELECT asset, folded_name = ?1 FROM item CROSS JOIN link ON link.item = item.row
             WHERE kind = 'tag' AND instr(folded_name, ?1)",
        ),
        (
            Matched::Website,
            "SELECT asset, lower(key) = ?1 FROM item CROSS JOIN link ON link.item = item.row
             WHERE kind = 'website' AND instr(folded_name, ?1)",
        ),
        (Matched::Annotation, "SELECT asset, 0 FROM annotation WHERE asset IS NOT NULL AND instr(folded_text, ?1)"),
    ];
    for (matched, statement) in places {
        let mut statement = db.prepare_cached(statement)?;
        let mut rows = statement.query([&folded])?;
        while let Some(row) = rows.next()? {
            keep(row.get(0)?, matched, row.get(1)?);
        }
    }
    if let Some(words) = words(query) {
        let mut statement = db.prepare_cached("SELECT rowid FROM content_word WHERE content_word MATCH ?1")?;
        let mut rows = statement.query([&words])?;
        while let Some(row) = rows.next()? {
            keep(row.get(0)?, Matched::Content, false);
        }
    }
    ordered(db, best, limit)
}

/// Exact before partial, names before content, and among equals the newest updated first.
fn ordered(db: &Connection, best: HashMap<i64, (Matched, bool)>, limit: usize) -> Result<Vec<Found>, StoreError> {
    let mut found = Vec::with_capacity(best.len());
    let mut statement = db.prepare_cached("SELECT id, updated FROM asset WHERE row = ?1 AND deleted IS NULL")?;
    for (row, (matched, exact)) in best {
        let mut rows = statement.query([row])?;
        if let Some(asset) = rows.next()? {
            let updated: i64 = asset.get(1)?;
            found.push((updated, Found { row, id: asset.get(0)?, matched, exact }));
        }
    }
    found.sort_by_key(|(updated, found)| (!found.exact, found.matched, -updated, -found.row));
    Ok(found.into_iter().take(limit).map(|(_, found)| found).collect())
}

/// The query as FTS5 wants it: every word, each as a beginning; None without a word.
fn words(query: &str) -> Option<String> {
    let words: Vec<String> = query
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{word}\"*"))
        .collect();
    if words.is_empty() { None } else { Some(words.join(" ")) }
}
