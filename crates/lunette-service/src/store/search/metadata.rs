//! Finds and ranks assets by their metadata: name, tags, websites, descriptions.
//!
//! The matches are found in one pass over the index, and ranked by their texts: SQLite's bm25 would pass over the index
//! twice more, for how many rows have each word.
//!
//! Our choice: all words of a query weigh the same. Of very many matches only the newest [`RANKED`] are ranked, by field
//! alone; so are matches of a word too short for the index. Of a long description the first [`READ`] characters rank.

use std::cmp::Reverse;
use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

use super::expression::{Index, expression, is_short};
use super::{Candidate, Finder, RANKED, limit};
use crate::store::{StoreError, checksum};
use lunette_client::model::search_terms::{Folded, SearchTerms};

/// How many of the newest assets are looked through for a short word before the index is used.
const LOOKED_THROUGH: usize = 4 * RANKED;
/// How many characters of a description are ranked.
const READ: usize = 4_096;

/// The weight of an occurrence in each field, in the order of the fields.
const WEIGHTS: [f64; 4] = [10.0, 5.0, 4.0, 2.0];
/// The usual parameters of bm25: how fast more occurrences stop to count, and how much the length of a text counts.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// An asset, and how its texts match.
struct Match {
    asset: i64,
    updated: i64,
    /// The index of the first field that has all words; the number of fields if none has.
    field: usize,
    /// Each word's occurrences, weighted by their fields.
    weights: Vec<f64>,
    /// How long its texts are.
    bytes: f64,
}

impl Finder<'_> {
    /// Assets whose metadata has every term, best first.
    pub(super) fn by_metadata(&self, found: &mut Vec<Candidate>) -> Result<(), StoreError> {
        let words = &self.search.words;
        if words.iter().any(is_short) {
            let newest = self.newest_with_short_words()?;
            // As many as are ranked: the index would give the same.
            if newest.len() == RANKED {
                self.add(by_field(newest), found);
                return Ok(());
            }
        }
        let Some(wanted) = expression(self.db, Index::Part, words.iter())? else { return Ok(()) };
        let matches = self.newest_matches(wanted.text)?;
        let common = wanted.short || matches.len() == RANKED;
        self.add(if common { by_field(matches) } else { by_occurrences(matches) }, found);
        Ok(())
    }

    /// The newest matches in the index.
    fn newest_matches(&self, wanted: String) -> Result<Vec<Match>, StoreError> {
        let (filter, mut values) = self.filter()?;
        values.insert(0, wanted.into());
        self.matches(
            &format!(
                "SELECT asset.row AS asset, asset.updated AS updated
                 FROM search_part CROSS JOIN asset ON asset.row = search_part.rowid
                 WHERE search_part MATCH ? AND {filter} ORDER BY search_part.rowid DESC LIMIT ?"
            ),
            values,
            RANKED,
            |_| true,
        )
    }

    /// The newest matches among the newest assets: almost every asset has a short word, and the index would first have to
    /// count how many have each term that begins with it.
    fn newest_with_short_words(&self) -> Result<Vec<Match>, StoreError> {
        let (filter, values) = self.filter()?;
        let matches = |found: &Match| found.weights.iter().all(|weight| *weight > 0.0);
        self.matches(
            &format!(
                "SELECT asset.row AS asset, asset.updated AS updated FROM asset
                 WHERE asset.row > (SELECT max(row) FROM search_text) - {LOOKED_THROUGH}
                   AND {filter} ORDER BY asset.row DESC LIMIT ?"
            ),
            values,
            LOOKED_THROUGH,
            matches,
        )
    }

    /// The texts of the assets of a statement, at most so many; the first [`RANKED`] of those that are wanted.
    fn matches(
        &self,
        assets: &str,
        mut values: Vec<Value>,
        most: usize,
        wanted: impl Fn(&Match) -> bool,
    ) -> Result<Vec<Match>, StoreError> {
        values.push(limit(most));
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT asset, updated, name, tag, website,
               iif(octet_length(description) > {READ}, substr(description, 1, {READ}), description)
             FROM ({assets}) CROSS JOIN search_text ON search_text.row = asset"
        ))?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut matches = Vec::new();
        while let Some(row) = rows.next()? {
            let found = Match::of(row, &self.search.words)?;
            if wanted(&found) {
                matches.push(found);
            }
            if matches.len() == RANKED {
                break;
            }
        }
        Ok(matches)
    }

    /// Adds the matches that are not there yet.
    fn add(&self, matches: Vec<Match>, found: &mut Vec<Candidate>) {
        let known: HashSet<i64> = found.iter().map(|candidate| candidate.asset).collect();
        let new = matches.into_iter().filter(|found| !known.contains(&found.asset));
        let room = self.search.limit.saturating_sub(found.len());
        found.extend(new.take(room).map(|found| Candidate { asset: found.asset, format: None }));
    }
}

impl Match {
    fn of(row: &Row, words: &SearchTerms) -> rusqlite::Result<Self> {
        let text = |column| Ok::<_, rusqlite::Error>(Folded::of(&checksum::lossy(row, column)?));
        let texts = [text(2)?, text(3)?, text(4)?, text(5)?];
        let weight_of = |word: &str| -> f64 {
            let weighted = texts.iter().zip(WEIGHTS);
            weighted.map(|(text, weight)| weight * text.as_str().matches(word).count() as f64).sum()
        };
        Ok(Self {
            asset: row.get(0)?,
            updated: row.get(1)?,
            field: texts.iter().position(|text| words.all_in(text)).unwrap_or(WEIGHTS.len()),
            weights: words.iter().map(weight_of).collect(),
            bytes: texts.iter().map(|text| text.as_str().len() as f64).sum(),
        })
    }

    /// Its bm25 against texts of a mean length.
    fn score(&self, mean: f64) -> f64 {
        let length = SATURATION * (1.0 - LENGTH + LENGTH * self.bytes / mean);
        self.weights.iter().map(|weight| weight * (SATURATION + 1.0) / (weight + length)).sum()
    }
}

/// Those with all words in their name first, then in tags, websites, the description, and in several of these.
fn by_field(mut matches: Vec<Match>) -> Vec<Match> {
    matches.sort_by_key(|found| (found.field, Reverse((found.updated, found.asset))));
    matches
}

/// By bm25 with a weight for each field, against the mean length of the matches.
fn by_occurrences(mut matches: Vec<Match>) -> Vec<Match> {
    let mean = matches.iter().map(|found| found.bytes).sum::<f64>() / matches.len().max(1) as f64;
    // A score is not negative, so that its bits are in its order.
    matches.sort_by_cached_key(|found| Reverse((found.score(mean.max(1.0)).to_bits(), found.updated, found.asset)));
    matches
}
