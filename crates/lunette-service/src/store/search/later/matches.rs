//! Which assets have which parts of a query, and how.

use rusqlite::{Connection, params};

use super::super::vocabulary::Vocabulary;
use super::units::{self, ALIKE, Units, Variant};
use super::{ByAsset, check};
use crate::store::StoreError;
use crate::store::interrupt::InterruptToken;

/// A variant that more texts have is common: it is looked for only together with others.
const COMMON: usize = 2_000;
/// The most texts that are read of common words together.
const TOGETHER: usize = 1_000;
/// The most common words that are looked for together.
const COMBINED: usize = 6;
/// The most words spelt alike that are counted.
const COUNTED: usize = 16;

/// Where an asset has a part: the index of the variant, in what is said of it and in its content.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) metadata: Option<u8>,
    pub(super) content: Option<u8>,
}

/// The assets that have a part of the query.
pub(super) struct Matches {
    /// A place for each part.
    pub(super) assets: ByAsset<Vec<Place>>,
    /// The format whose content has a part.
    pub(super) formats: ByAsset<i64>,
    /// How many texts have each variant of each part, as far as they are counted.
    pub(super) counts: Vec<Vec<usize>>,
}

impl Matches {
    /// Looks for each part in more and more ways; the variants are added to the parts.
    pub(super) fn of(db: &Connection, units: &mut Units, interrupt: &InterruptToken) -> Result<Self, StoreError> {
        let vocabulary = Vocabulary(db);
        let looked = Lookup { db };
        let mut counts = Vec::new();
        for index in 0..units.units.len() {
            check(interrupt)?;
            units.units[index].variants = units.direct(index, &vocabulary)?;
            let mut found = looked.counts(&units.units[index].variants)?;
            // What it is made of may be a coincidence.
            let own = units.units[index].variants.iter().zip(&found).filter(|(variant, _)| !variant.all);
            if own.into_iter().all(|(_, count)| *count == 0) {
                let alike = looked.most_frequent(vocabulary.spelt_alike(&units.units[index].text)?)?;
                units.correct(index, alike, &vocabulary)?;
            }
            let text = units.units[index].text.clone();
            units.units[index].variants.extend(units::of_same_meaning(&text, &vocabulary)?);
            found = looked.counts(&units.units[index].variants)?;
            if found.iter().all(|count| *count == 0) {
                units.units[index].variants.extend(units::by_pieces(&text, &vocabulary)?);
                found = looked.counts(&units.units[index].variants)?;
            }
            counts.push(found);
        }
        let mut matches = Self { assets: ByAsset::new(), formats: ByAsset::new(), counts };
        matches.read_rare(&looked, units, interrupt)?;
        matches.read_common(&looked, units, interrupt)?;
        Ok(matches)
    }

    /// The texts that have a variant which is not common.
    fn read_rare(&mut self, looked: &Lookup, units: &Units, interrupt: &InterruptToken) -> Result<(), StoreError> {
        for (index, variant, found) in variants(units) {
            check(interrupt)?;
            if (1..COMMON).contains(&self.counts[index][variant]) {
                self.add(looked, units, &[(index, variant)], &found.expression(), COMMON)?;
            }
        }
        Ok(())
    }

    /// The texts that have a common variant and another part; of common parts alone, those that have all but one.
    fn read_common(&mut self, looked: &Lookup, units: &Units, interrupt: &InterruptToken) -> Result<(), StoreError> {
        let rare: Vec<String> = variants(units)
            .filter(|(index, variant, _)| (1..COMMON).contains(&self.counts[*index][*variant]))
            .map(|(_, _, found)| found.expression())
            .collect();
        let common: Vec<(usize, usize, String)> = variants(units)
            .filter(|(index, variant, _)| self.counts[*index][*variant] >= COMMON)
            .map(|(index, variant, found)| (index, variant, found.expression()))
            .collect();
        for (index, variant, expression) in &common {
            check(interrupt)?;
            if !rare.is_empty() {
                let with = format!("{expression} AND ({})", rare.join(" OR "));
                self.add(looked, units, &[(*index, *variant)], &with, COMMON)?;
            }
        }
        let mut direct = common;
        direct.retain(|(_, variant, _)| *variant == 0);
        direct.truncate(COMBINED);
        for left_out in 0..=direct.len() {
            check(interrupt)?;
            let (parts, expressions): (Vec<_>, Vec<_>) = direct
                .iter()
                .enumerate()
                .filter(|(at, _)| *at != left_out)
                .map(|(_, (index, variant, expression))| ((*index, *variant), expression.as_str()))
                .unzip();
            if !parts.is_empty() {
                self.add(looked, units, &parts, &expressions.join(" AND "), TOGETHER)?;
            }
        }
        Ok(())
    }

    /// Adds the newest assets whose texts match, with these variants of parts.
    fn add(
        &mut self,
        looked: &Lookup,
        units: &Units,
        parts: &[(usize, usize)],
        expression: &str,
        most: usize,
    ) -> Result<(), StoreError> {
        for (asset, format) in looked.rows(expression, most)? {
            let places = self.assets.entry(asset).or_insert_with(|| vec![Place::default(); units.units.len()]);
            for (unit, variant) in parts {
                let number = u8::try_from(*variant).unwrap_or(u8::MAX);
                let place = &mut places[*unit];
                let at = if format.is_some() { &mut place.content } else { &mut place.metadata };
                *at = Some(at.map_or(number, |before| before.min(number)));
            }
            if let Some(format) = format {
                self.formats.entry(asset).or_insert(format);
            }
        }
        Ok(())
    }
}

/// Each variant of each part, with their indices.
fn variants(units: &Units) -> impl Iterator<Item = (usize, usize, &Variant)> {
    units
        .units
        .iter()
        .enumerate()
        .flat_map(|(index, unit)| unit.variants.iter().enumerate().map(move |(variant, found)| (index, variant, found)))
}

/// Reads the index of forms.
struct Lookup<'a> {
    db: &'a Connection,
}

impl Lookup<'_> {
    /// How many texts have each variant, counted up to [`COMMON`].
    fn counts(&self, variants: &[Variant]) -> Result<Vec<usize>, StoreError> {
        variants.iter().map(|variant| self.count(&variant.expression())).collect()
    }

    fn count(&self, expression: &str) -> Result<usize, StoreError> {
        let query = "SELECT count(*) FROM (SELECT 1 FROM search_form WHERE search_form MATCH ?1 LIMIT ?2)";
        let count: i64 =
            self.db.prepare_cached(query)?.query_row(params![expression, COMMON as i64], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// The words that most texts have, of those that any has.
    fn most_frequent(&self, mut words: Vec<String>) -> Result<Vec<String>, StoreError> {
        words.truncate(COUNTED);
        let mut counted = Vec::new();
        for word in words {
            let count = self.count(&format!("\"{word}\""))?;
            counted.extend((count > 0).then_some((count, word)));
        }
        counted.sort_by(|(one, word), (other, other_word)| other.cmp(one).then_with(|| word.cmp(other_word)));
        counted.truncate(ALIKE);
        Ok(counted.into_iter().map(|(_, word)| word).collect())
    }

    /// The newest assets with matching texts; with the format, if that is its content.
    fn rows(&self, expression: &str, most: usize) -> Result<Vec<(i64, Option<i64>)>, StoreError> {
        let mut rows = Vec::new();
        for query in [
            "SELECT -rowid, NULL FROM search_form WHERE search_form MATCH ?1 AND rowid < 0 ORDER BY rowid LIMIT ?2",
            "SELECT format.asset, format.row FROM (
               SELECT rowid AS found FROM search_form WHERE search_form MATCH ?1 AND rowid > 0
               ORDER BY rowid DESC LIMIT ?2) CROSS JOIN format ON format.row = found",
        ] {
            let mut query = self.db.prepare_cached(query)?;
            let found = query.query_map(params![expression, most as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.extend(found.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(rows)
    }
}
