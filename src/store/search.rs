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

/// Where to look, and how: each gives the best of its place, which are all that can be among the best of all.
const PLACES: [(Matched, &str); 4] = [
    (
        Matched::Title,
        "SELECT row, id, updated, folded_name = ?1 AS exact FROM asset
         WHERE deleted IS NULL AND instr(folded_name, ?1) ORDER BY exact DESC, updated DESC LIMIT ?2",
    ),
    (
        Matched::Tag,
        "SELECT asset.row, asset.id, asset.updated, item.folded_name = ?1 AS exact
         FROM item CROSS JOIN link ON link.item = item.row JOIN asset ON asset.row = link.asset
         WHERE kind = 'tag' AND instr(item.folded_name, ?1) ORDER BY exact DESC, asset.updated DESC LIMIT ?2",
    ),
    (
        Matched::Website,
        "SELECT asset.row, asset.id, asset.updated, lower(key) = ?1 AS exact
         FROM item CROSS JOIN link ON link.item = item.row JOIN asset ON asset.row = link.asset
         WHERE kind = 'website' AND instr(item.folded_name, ?1) ORDER BY exact DESC, asset.updated DESC LIMIT ?2",
    ),
    (
        Matched::Annotation,
        "SELECT asset.row, asset.id, asset.updated, 0 FROM annotation JOIN asset ON asset.row = annotation.asset
         WHERE instr(folded_text, ?1) ORDER BY asset.updated DESC LIMIT ?2",
    ),
];

/// Content's newest made, since an index of words knows nothing of later changes.
const CONTENT: &str = "SELECT row, id, updated, 0 FROM asset WHERE row IN
     (SELECT rowid FROM content_word WHERE content_word MATCH ?1 ORDER BY rowid DESC LIMIT ?2)";

fn find(db: &Connection, query: &str, limit: usize) -> Result<Vec<Found>, StoreError> {
    let folded = query.to_lowercase();
    let mut best: HashMap<i64, (i64, Found)> = HashMap::new();
    for (matched, statement) in PLACES {
        look(db, statement, matched, &folded, limit, &mut best)?;
    }
    if let Some(words) = words(query) {
        look(db, CONTENT, Matched::Content, &words, limit, &mut best)?;
    }
    // Exact before partial, names before content, and among equals the newest updated first.
    let mut found: Vec<_> = best.into_iter().collect();
    found.sort_by_key(|(row, (updated, found))| (!found.exact, found.matched, -updated, -row));
    Ok(found.into_iter().take(limit).map(|(_, (_, found))| found).collect())
}

fn look(
    db: &Connection,
    statement: &'static str,
    matched: Matched,
    text: &str,
    limit: usize,
    best: &mut HashMap<i64, (i64, Found)>,
) -> Result<(), StoreError> {
    let mut statement = db.prepare_cached(statement)?;
    let mut rows = statement.query(params![text, limit as i64])?;
    while let Some(row) = rows.next()? {
        let found = Found { id: row.get(1)?, matched, exact: row.get(3)? };
        let updated = row.get(2)?;
        let known = best.entry(row.get(0)?).or_insert_with(|| (updated, found.clone()));
        if (!found.exact, found.matched) < (!known.1.exact, known.1.matched) {
            known.1 = found;
        }
    }
    Ok(())
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
