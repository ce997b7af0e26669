//! The order of the assets that do not have every word as typed.

use std::cmp::Reverse;
use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

use super::super::parts;
use super::super::{Candidate, Finder};
use super::matches::{Matches, Place};
use super::units::{Unit, Units};
use super::{FoundBy, MOST, Ranked, check};
use crate::store::interrupt::InterruptToken;
use crate::store::{StoreError, checksum};

/// How many assets are read at a time for their order.
const CHUNK: usize = 200;
/// The weights of name, tags, websites and description, and of content.
const WEIGHTS: [f64; 4] = [5.0, 3.5, 1.5, 2.5];
const CONTENT: f64 = 1.0;
/// The usual parameters of bm25: how fast more occurrences stop to count, and how much the length of a text counts.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.4;
/// The usual length of a content, in bytes.
const USUAL_BYTES: f64 = 1_000.0;
/// The most words of a variant that are marked in a passage.
const MARKED: usize = 8;

/// How much of the query an asset has, in halves of words; then how well.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Score {
    halves: usize,
    bm25: f64,
}

/// An asset with what orders it.
struct Scored {
    asset: i64,
    score: Score,
    used: i64,
    updated: i64,
}

/// The assets that pass the filter and are no exact hits, best first.
pub(super) fn ranked(
    finder: &Finder,
    units: &Units,
    matches: &Matches,
    exact: &HashSet<i64>,
    interrupt: &InterruptToken,
) -> Result<Vec<Ranked>, StoreError> {
    let ranking = Ranking { finder, units, matches, texts: texts(finder)? };
    let mut assets: Vec<(Score, i64)> = matches
        .assets
        .iter()
        .filter(|(asset, _)| !exact.contains(asset))
        .map(|(asset, places)| (ranking.rough(places), *asset))
        .collect();
    assets.sort_by_key(|(score, asset)| Reverse((score.halves, score.bm25.to_bits(), *asset)));
    let mut scored = Vec::new();
    for chunk in assets.chunks(CHUNK) {
        check(interrupt)?;
        scored.extend(ranking.scored(&chunk.iter().map(|(_, asset)| *asset).collect::<Vec<_>>())?);
        if scored.len() >= MOST {
            break;
        }
    }
    // A score is not negative, so that its bits are in its order.
    scored.sort_by_key(|one| Reverse((one.score.halves, one.score.bm25.to_bits(), one.used, one.updated, one.asset)));
    scored.truncate(MOST.min(finder.search.limit.saturating_sub(exact.len())));
    Ok(scored.iter().map(|one| ranking.explained(one.asset)).collect())
}

/// About how many texts there are.
fn texts(finder: &Finder) -> Result<f64, StoreError> {
    let query = "SELECT coalesce((SELECT max(row) FROM search_text), 0) + coalesce((SELECT max(row) FROM format), 0)";
    let count: i64 = finder.db.prepare_cached(query)?.query_row([], |row| row.get(0))?;
    Ok(count.max(1) as f64)
}

struct Ranking<'a> {
    finder: &'a Finder<'a>,
    units: &'a Units,
    matches: &'a Matches,
    /// How many texts there are.
    texts: f64,
}

impl Ranking<'_> {
    /// The score by where the words are, without the fields.
    fn rough(&self, places: &[Place]) -> Score {
        let bm25 = places.iter().enumerate().map(|(index, place)| {
            let metadata = place.metadata.map(|variant| (variant, WEIGHTS[0]));
            let content = place.content.map(|variant| (variant, CONTENT));
            self.bm25(index, metadata.into_iter().chain(content), 1.0)
        });
        Score { halves: self.halves(places), bm25: bm25.sum() }
    }

    /// The bm25 of the occurrences of a part: which variant, and the weight of the field.
    fn bm25(&self, unit: usize, occurrences: impl Iterator<Item = (u8, f64)>, length: f64) -> f64 {
        let (mut weights, mut best) = (0.0, None);
        for (variant, weight) in occurrences {
            weights += weight * self.units.units[unit].variants[usize::from(variant)].step.weight();
            best = Some(best.map_or(variant, |best: u8| best.min(variant)));
        }
        let Some(best) = best else { return 0.0 };
        // Rare words are worth more than common ones.
        let found = self.matches.counts[unit][usize::from(best)] as f64;
        let rare = (1.0 + (self.texts - found + 0.5).max(0.5) / (found + 0.5)).ln();
        rare * weights * (SATURATION + 1.0) / (weights + SATURATION * length)
    }

    /// How much of the words an asset has, in halves.
    fn halves(&self, places: &[Place]) -> usize {
        (0..self.units.words.len()).map(|word| self.halves_of(word, places)).sum()
    }

    fn halves_of(&self, word: usize, places: &[Place]) -> usize {
        let units = self.units.units.iter().zip(places).filter(|(unit, _)| unit.word == word);
        let halves: Vec<usize> = units
            .map(|(unit, place)| best(place).map_or(0, |variant| unit.variants[usize::from(variant)].step.halves()))
            .collect();
        if self.units.words[word].spaceless {
            let had = halves.iter().filter(|halves| **halves > 0).count();
            return if had * 2 >= halves.len() { 2 } else { usize::from(had > 0) };
        }
        halves.iter().sum::<usize>() / halves.len().max(1)
    }

    /// Whether an asset lacks a part of a word; of a word without spaces, most pairs.
    fn lacks(&self, word: usize, places: &[Place]) -> bool {
        if self.units.words[word].spaceless {
            return self.halves_of(word, places) < 2;
        }
        let mut units = self.units.units.iter().zip(places).filter(|(unit, _)| unit.word == word);
        units.any(|(_, place)| best(place).is_none())
    }

    /// These assets with their scores, as far as they pass the filter.
    fn scored(&self, assets: &[i64]) -> Result<Vec<Scored>, StoreError> {
        let (filter, mut values) = self.finder.filter()?;
        let listed = serde_json::Value::from(assets.to_vec()).to_string();
        values.insert(0, Value::from(listed));
        let query = format!(
            "SELECT asset.row, coalesce(asset.score_reuse, 0), asset.updated, name_text, tag, website, description,
               coalesce((SELECT size FROM format WHERE format.asset = asset.row AND place = 0), 0)
             FROM json_each(?) AS wanted
             CROSS JOIN (SELECT row AS text_row, name AS name_text, tag, website,
               substr(description, 1, 4096) AS description FROM search_text) ON text_row = wanted.value
             CROSS JOIN asset ON asset.row = wanted.value WHERE {filter}"
        );
        let mut query = self.finder.db.prepare_cached(&query)?;
        let mut rows = query.query(params_from_iter(values))?;
        let mut scored = Vec::new();
        while let Some(row) = rows.next()? {
            scored.push(self.score(row)?);
        }
        Ok(scored)
    }

    fn score(&self, row: &Row) -> rusqlite::Result<Scored> {
        let asset: i64 = row.get(0)?;
        let places = &self.matches.assets[&asset];
        let fields: Vec<HashSet<String>> =
            (3..7).map(|column| Ok(parts::words(&checksum::lossy(row, column)?))).collect::<rusqlite::Result<_>>()?;
        let long = row.get::<_, i64>(7)? as f64 / USUAL_BYTES;
        let length = 1.0 - LENGTH + LENGTH * (1.0 + long).ln().max(0.5);
        let bm25 = self.units.units.iter().enumerate().map(|(index, unit)| {
            let in_fields = fields.iter().zip(WEIGHTS);
            let in_fields = in_fields.filter_map(|(words, weight)| Some((variant_in(unit, words)?, weight)));
            self.bm25(index, in_fields.chain(places[index].content.map(|variant| (variant, CONTENT))), length)
        });
        let score = Score { halves: self.halves(places), bm25: bm25.sum() };
        Ok(Scored { asset, score, used: row.get(1)?, updated: row.get(2)? })
    }

    /// An asset with how it was found.
    fn explained(&self, asset: i64) -> Ranked {
        let places = &self.matches.assets[&asset];
        let found = self
            .units
            .units
            .iter()
            .zip(places)
            .filter_map(|(unit, place)| best(place).map(|variant| &unit.variants[usize::from(variant)]));
        let step = found.clone().map(|variant| variant.step).max().unwrap_or(super::Step::Any);
        let terms = found.flat_map(|variant| variant.terms.iter().take(MARKED)).cloned().collect();
        let missing = (0..self.units.words.len()).filter(|word| self.lacks(*word, places));
        let missing = missing.map(|word| self.units.words[word].text.clone()).collect();
        let in_content = places.iter().any(|place| place.metadata.is_none() && place.content.is_some());
        let format = in_content.then(|| self.matches.formats.get(&asset).copied()).flatten();
        Ranked { candidate: Candidate { asset, format }, found_by: FoundBy { step, missing }, terms }
    }
}

/// The closest variant of a place.
fn best(place: &Place) -> Option<u8> {
    place.metadata.into_iter().chain(place.content).min()
}

/// The closest variant of a part that a field has.
fn variant_in(unit: &Unit, words: &HashSet<String>) -> Option<u8> {
    let has = |term: &String| words.contains(term);
    let at = unit
        .variants
        .iter()
        .position(|variant| if variant.all { variant.terms.iter().all(has) } else { variant.terms.iter().any(has) });
    at.and_then(|at| u8::try_from(at).ok())
}
