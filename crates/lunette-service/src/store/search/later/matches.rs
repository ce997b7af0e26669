//! Which assets have which parts of a query, and how.

use rusqlite::{Connection, params};

use super::super::vocabulary::{COMMON, Vocabulary, expression};
use super::{ByAsset, check};
use crate::store::StoreError;
use crate::store::interrupt::InterruptToken;
use lunette_words::Synonyms;
use lunette_words::rank::Place;
use lunette_words::units::{Units, Variant};

/// The most texts that are read of common words together.
const TOGETHER: usize = 1_000;
/// The most common words that are looked for together.
const COMBINED: usize = 6;

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
    pub(super) fn of(
        db: &Connection,
        units: &mut Units,
        synonyms: &Synonyms,
        interrupt: &InterruptToken,
    ) -> Result<Self, StoreError> {
        let counts = units.expand(&Vocabulary(db), synonyms, || check(interrupt))?;
        let mut matches = Self { assets: ByAsset::new(), formats: ByAsset::new(), counts };
        matches.read_rare(db, units, interrupt)?;
        matches.read_common(db, units, interrupt)?;
        Ok(matches)
    }

    /// The texts that have a variant which is not common.
    fn read_rare(&mut self, db: &Connection, units: &Units, interrupt: &InterruptToken) -> Result<(), StoreError> {
        for (index, variant, found) in variants(units) {
            check(interrupt)?;
            if (1..COMMON).contains(&self.counts[index][variant]) {
                self.add(db, units, &[(index, variant)], &expression(found), COMMON)?;
            }
        }
        Ok(())
    }

    /// The texts that have a common variant and another part; of common parts alone, those that have all but one.
    fn read_common(&mut self, db: &Connection, units: &Units, interrupt: &InterruptToken) -> Result<(), StoreError> {
        let rare: Vec<String> = variants(units)
            .filter(|(index, variant, _)| (1..COMMON).contains(&self.counts[*index][*variant]))
            .map(|(_, _, found)| expression(found))
            .collect();
        let common: Vec<(usize, usize, String)> = variants(units)
            .filter(|(index, variant, _)| self.counts[*index][*variant] >= COMMON)
            .map(|(index, variant, found)| (index, variant, expression(found)))
            .collect();
        for (index, variant, common) in &common {
            check(interrupt)?;
            if !rare.is_empty() {
                let with = format!("{common} AND ({})", rare.join(" OR "));
                self.add(db, units, &[(*index, *variant)], &with, COMMON)?;
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
                self.add(db, units, &parts, &expressions.join(" AND "), TOGETHER)?;
            }
        }
        Ok(())
    }

    /// Adds the newest assets whose texts match, with these variants of parts.
    fn add(
        &mut self,
        db: &Connection,
        units: &Units,
        parts: &[(usize, usize)],
        expression: &str,
        most: usize,
    ) -> Result<(), StoreError> {
        for (asset, format) in rows(db, expression, most)? {
            let places = self.assets.entry(asset).or_insert_with(|| vec![Place::default(); units.units.len()]);
            for (unit, variant) in parts {
                places[*unit].add(*variant, format.is_some());
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

/// The newest assets with matching texts; with the format, if that is its content.
fn rows(db: &Connection, expression: &str, most: usize) -> Result<Vec<(i64, Option<i64>)>, StoreError> {
    let mut rows = Vec::new();
    for query in [
        "SELECT -rowid, NULL FROM search_form WHERE search_form MATCH ?1 AND rowid < 0 ORDER BY rowid LIMIT ?2",
        "SELECT format.asset, format.row FROM (
           SELECT rowid AS found FROM search_form WHERE search_form MATCH ?1 AND rowid > 0
           ORDER BY rowid DESC LIMIT ?2) CROSS JOIN format ON format.row = found",
    ] {
        let mut query = db.prepare_cached(query)?;
        let found = query.query_map(params![expression, most as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.extend(found.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(rows)
}
