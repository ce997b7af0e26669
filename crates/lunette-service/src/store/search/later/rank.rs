//! The order of the assets that do not have every word as typed.

use std::cmp::Reverse;
use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

use super::super::{Candidate, Finder};
use super::matches::Matches;
use super::{Ranked, check};
use crate::store::interrupt::InterruptToken;
use crate::store::{StoreError, checksum};
use lunette_words::rank::{FieldWords, Rank, Ranking};
use lunette_words::units::Units;
use lunette_words::{MOST, parts};

/// How many assets are read at a time for their order.
const CHUNK: usize = 200;

/// The assets that pass the filter and are not exact hits, best first.
pub(super) fn ranked(
    finder: &Finder,
    units: &Units,
    matches: &Matches,
    exact: &HashSet<i64>,
    interrupt: &InterruptToken,
) -> Result<Vec<Ranked>, StoreError> {
    let ranking = Ranking { units, counts: &matches.counts, texts: texts(finder)? };
    let mut assets: Vec<i64> = matches.assets.keys().filter(|asset| !exact.contains(asset)).copied().collect();
    assets.sort_by_cached_key(|asset| Reverse(ranking.rough(&matches.assets[asset]).rough_rank(*asset)));
    let mut scored: Vec<(Rank, i64)> = Vec::new();
    for chunk in assets.chunks(CHUNK) {
        check(interrupt)?;
        read_scored(finder, &ranking, matches, chunk, &mut scored)?;
        if scored.len() >= MOST {
            break;
        }
    }
    scored.sort_by_key(|(rank, _)| Reverse(*rank));
    scored.truncate(MOST.min(finder.search.limit.saturating_sub(exact.len())));
    Ok(scored.iter().map(|(_, asset)| explained(&ranking, matches, *asset)).collect())
}

/// About how many texts there are.
fn texts(finder: &Finder) -> Result<f64, StoreError> {
    let query = "SELECT coalesce((SELECT max(row) FROM search_text), 0) + coalesce((SELECT max(row) FROM format), 0)";
    let count: i64 = finder.db.prepare_cached(query)?.query_row([], |row| row.get(0))?;
    Ok(count.max(1) as f64)
}

/// Adds these assets with their ranks, as far as they pass the filter.
fn read_scored(
    finder: &Finder,
    ranking: &Ranking,
    matches: &Matches,
    assets: &[i64],
    scored: &mut Vec<(Rank, i64)>,
) -> Result<(), StoreError> {
    let (filter, mut values) = finder.filter()?;
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
    let mut query = finder.db.prepare_cached(&query)?;
    let mut rows = query.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        let asset: i64 = row.get(0)?;
        let score = ranking.score(&matches.assets[&asset], &field_words(row)?, row.get(7)?);
        scored.push((score.rank(row.get(1)?, row.get(2)?, asset), asset));
    }
    Ok(())
}

fn field_words(row: &Row) -> rusqlite::Result<FieldWords> {
    let words = |column| Ok::<_, rusqlite::Error>(parts::words(&checksum::lossy(row, column)?));
    Ok([words(3)?, words(4)?, words(5)?, words(6)?])
}

/// An asset with how it was found.
fn explained(ranking: &Ranking, matches: &Matches, asset: i64) -> Ranked {
    let places = &matches.assets[&asset];
    let in_content = places.iter().any(lunette_words::rank::Place::in_content_alone);
    let format = in_content.then(|| matches.formats.get(&asset).copied()).flatten();
    let candidate = Candidate { asset, format };
    Ranked { candidate, found_by: ranking.found_by(places), terms: ranking.terms(places) }
}
