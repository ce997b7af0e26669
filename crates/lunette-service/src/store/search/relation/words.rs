//! Which assets have the rare words of one.
//!
//! What must hold: of a word no more than [`SHARING`] texts are read, however many have it; of a text with very many words
//! those with the smallest hashes are looked at, which are mostly the same in a copy that was edited.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, params};

use super::near::hash;
use super::{Candidates, SHARING, Subject};
use crate::store::StoreError;
use crate::store::interrupt::InterruptToken;
use crate::store::search::later::check;
use lunette_words::parts;

/// The most rare words that are compared: the rarest.
const RARE: usize = 20;
/// The most words of a text that are looked at.
const WORDS: usize = 512;
/// With fewer rare words, groups of common ones are looked for too.
const ENOUGH: usize = 8;
/// How many common words are counted, up to how many texts, and how many of them are combined.
const COUNTED: usize = 48;
const COUNTED_TEXTS: usize = 4_000;
const COMBINED: usize = 12;
/// How many words a group has.
const GROUP: usize = 3;

/// The words of an asset.
pub(super) struct Words {
    /// The rare ones: of each, how many other texts have it, and what it counts.
    rare: Vec<(usize, f64)>,
    /// The hashes of those that very many texts have.
    common: HashSet<u64>,
}

/// A word that other texts have too: their rows, without those of the asset.
struct Shared {
    word: String,
    texts: Vec<i64>,
}

impl Words {
    /// Finds the rare words of an asset, and adds who has them.
    pub(super) fn gather(
        db: &Connection,
        subject: &Subject,
        candidates: &mut Candidates,
        interrupt: &InterruptToken,
    ) -> Result<Self, StoreError> {
        let (mut rare, mut common) = (Vec::new(), Vec::new());
        for word in looked_at(subject) {
            check(interrupt)?;
            let mut texts = rows(db, &quoted(&word), SHARING + 1)?;
            if texts.len() > SHARING {
                common.push(word);
                continue;
            }
            texts.retain(|row| *row != -subject.row && !subject.formats.contains(row));
            if !texts.is_empty() {
                rare.push(Shared { word, texts });
            }
        }
        rare.sort_by(|one, other| (one.texts.len(), &one.word).cmp(&(other.texts.len(), &other.word)));
        rare.truncate(RARE);
        let assets = assets_of(db, rare.iter().flat_map(|shared| &shared.texts))?;
        for (index, shared) in rare.iter().enumerate() {
            for asset in shared.texts.iter().filter_map(|row| assets.get(row)) {
                candidates.of(*asset).words |= 1 << index;
            }
        }
        let hashes = common.iter().map(|word| hash(word)).collect();
        if rare.len() < ENOUGH {
            check(interrupt)?;
            add_groups(db, common, candidates)?;
        }
        let weighed = |shared: &Shared| (shared.texts.len(), subject.weight(shared.texts.len()));
        Ok(Self { rare: rare.iter().map(weighed).collect(), common: hashes })
    }

    /// How many rare words there are.
    pub(super) fn count(&self) -> usize {
        self.rare.len()
    }

    /// The hashes of the words that very many texts have.
    pub(super) fn common(&self) -> HashSet<u64> {
        self.common.clone()
    }

    /// What some of them count together.
    pub(super) fn weight(&self, which: u32) -> f64 {
        self.of(which).map(|(_, weight)| weight).sum()
    }

    /// How many texts have the rarest of these.
    pub(super) fn rarest(&self, which: u32) -> usize {
        self.of(which).map(|(texts, _)| *texts).min().unwrap_or(usize::MAX)
    }

    fn of(&self, which: u32) -> impl Iterator<Item = &(usize, f64)> {
        self.rare.iter().enumerate().filter(move |(index, _)| which & (1 << index) != 0).map(|(_, word)| word)
    }
}

/// The words of the name and the text, in an order that a copy has too.
fn looked_at(subject: &Subject) -> Vec<String> {
    let mut words: Vec<(u64, String)> = parts::words(&subject.name)
        .into_iter()
        .chain(parts::words(&subject.text))
        .map(|word| (hash(&word), word))
        .collect();
    words.sort_unstable();
    words.dedup();
    words.truncate(WORDS);
    words.into_iter().map(|(_, word)| word).collect()
}

/// Adds the assets that have three of the rarest common words together.
fn add_groups(db: &Connection, mut common: Vec<String>, candidates: &mut Candidates) -> Result<(), StoreError> {
    common.truncate(COUNTED);
    let mut counted = Vec::new();
    for word in common {
        counted.push((rows(db, &quoted(&word), COUNTED_TEXTS)?.len(), word));
    }
    counted.sort_unstable();
    counted.truncate(COMBINED);
    let words: Vec<String> = counted.iter().map(|(_, word)| quoted(word)).collect();
    for group in words.windows(GROUP.min(words.len().max(1))) {
        let texts = rows(db, &group.join(" AND "), SHARING)?;
        for asset in assets_of(db, texts.iter())?.into_values() {
            candidates.of(asset).groups += 1;
        }
    }
    Ok(())
}

/// A word as an expression of FTS5. A word has no quotation mark (see `parts`).
pub(super) fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

/// The newest texts that an expression finds, what is said of assets first.
pub(super) fn rows(db: &Connection, expression: &str, most: usize) -> Result<Vec<i64>, StoreError> {
    let query = "SELECT rowid FROM search_form WHERE search_form MATCH ?1 LIMIT ?2";
    let mut query = db.prepare_cached(query)?;
    let rows = query.query_map(params![expression, most as i64], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The assets of texts, by the row of the text.
pub(super) fn assets_of<'a>(
    db: &Connection,
    texts: impl Iterator<Item = &'a i64>,
) -> Result<HashMap<i64, i64>, StoreError> {
    let (said, contents): (Vec<i64>, Vec<i64>) = texts.partition(|row| **row < 0);
    let mut assets: HashMap<i64, i64> = said.into_iter().map(|row| (row, -row)).collect();
    let query = "SELECT format.row, asset FROM json_each(?1) AS wanted JOIN format ON format.row = wanted.value";
    let mut query = db.prepare_cached(query)?;
    let contents = serde_json::Value::from(contents).to_string();
    for found in query.query_map([contents], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (text, asset) = found?;
        assets.insert(text, asset);
    }
    Ok(assets)
}
