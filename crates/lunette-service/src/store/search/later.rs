//! What a search finds that does not have every word as typed: where the exact search finds few assets, it goes on with
//! any of the words, their other forms, words spelt alike, words of the same meaning, and pieces of words.
//!
//! Our choice: hits that have more of the words come first, where a piece of a word counts half; then
//! by bm25 with a weight for each field and for how the word was found; then by how often the asset was used, by the most
//! recent update, and by row. So the order is a function of what is stored. Words that almost every sentence has are left
//! out unless there are no others, and so are words that very many assets have, unless these have another word.
//!
//! What must hold: exact hits come first and are not repeated; the work is bounded for any query and any store.

use std::collections::{HashMap, HashSet};

use super::hit::{self, Hit};
use super::step::{FoundBy, Step};
use super::{Candidate, Finder, Search};
use crate::store::StoreError;
use crate::store::interrupt::InterruptToken;
use lunette_client::model::search_terms::SearchTerms;

mod matches;
mod rank;
mod units;

use matches::Matches;
use units::Units;

/// With at least so many exact hits, a search does not go on.
pub(super) const ENOUGH: usize = 5;
/// The most hits that do not have every word as typed.
const MOST: usize = 50;

/// What a search did after the exact one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// The words that were looked for, as typed.
    pub(crate) words: Vec<String>,
    /// The words that were left out, since almost every sentence has them.
    pub(crate) ignored: Vec<String>,
    /// Words that were taken for others, spelt alike, by those.
    pub(crate) replaced: Vec<(String, Vec<String>)>,
}

/// An asset that is to be listed.
struct Ranked {
    candidate: Candidate,
    found_by: FoundBy,
    /// The words that it was found by.
    terms: Vec<String>,
}

impl Finder<'_> {
    /// The hits after the exact ones, and what was done for them; None if there is nothing to look for.
    pub(super) fn later(
        &self,
        exact: &[Candidate],
        interrupt: &InterruptToken,
    ) -> Result<Option<(Steps, Vec<Hit>)>, StoreError> {
        let mut units = Units::of(&self.search.query);
        if units.is_empty() {
            return Ok(None);
        }
        let exact: HashSet<i64> = exact.iter().map(|candidate| candidate.asset).collect();
        let matches = Matches::of(self.db, &mut units, interrupt)?;
        let ranked = rank::ranked(self, &units, &matches, &exact, interrupt)?;
        let mut budget = hit::READ_BYTES;
        let mut hits = Vec::with_capacity(ranked.len());
        for Ranked { candidate, found_by, terms } in ranked {
            let search = Search { words: SearchTerms::of(&terms.join(" ")), ..Search::default() };
            for mut hit in hit::hits(self.db, &search, &[candidate], &mut budget)? {
                hit.found_by = Some(found_by.clone());
                hits.push(hit);
            }
        }
        Ok(Some((units.steps(), hits)))
    }
}

/// By asset.
type ByAsset<T> = HashMap<i64, T>;

/// Fails if nobody waits for the answer any more.
pub(super) fn check(interrupt: &InterruptToken) -> Result<(), StoreError> {
    if interrupt.is_interrupted() { Err(StoreError::Broken("the search was cancelled".to_owned())) } else { Ok(()) }
}
