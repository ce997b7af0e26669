//! What a search finds that does not have every word as typed: where the exact search finds few assets, it goes on with
//! any of the words, their other forms, words spelt alike, words of the same meaning, and pieces of words.
//!
//! Our choice: the order is that of `lunette_words::rank`; of equals, the asset comes first that was used more often, then
//! the one that was updated later. Words that almost every sentence has are left out unless there are no others, and so are
//! words that very many assets have, unless these have another word.
//!
//! What must hold: exact hits come first and are not repeated; the work is bounded for any query and any store.

use std::collections::{HashMap, HashSet};

use super::hit::{self, Hit};
use super::{Candidate, Finder, Search};
use crate::store::StoreError;
use crate::store::interrupt::InterruptToken;
use lunette_client::model::search_terms::SearchTerms;
use lunette_words::units::Units;
use lunette_words::{FoundBy, Steps};

mod matches;
mod rank;

use matches::Matches;

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
        let matches = Matches::of(self.db, &mut units, self.synonyms, interrupt)?;
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
