//! The search by the service: the query, its hits, and their order.
//!
//! What must hold: there is one search at a time; a new one cancels the previous one, and a late response is dropped.
//! The data of hits is checked before it is shown: it may come from any service.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::assets::{Assets, Output};
use crate::context::Context;
use crate::listing::rows::AssetRow;
use crate::listing::{Groups, Query, RowList};
use crate::{CallError, Remote};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::search_result::MAX_HITS;
use lunette_client::model::search_terms::{Range, SearchTerms};
use lunette_client::model::seed::SearchedAssets;
use lunette_client::operation::table::SearchAssets;

mod steps;

pub use steps::{FoundBy, Section, Steps};

/// The name of the sections of hits by what they lack.
pub const SECTIONS: &str = "search";
/// The title of the hits that have every word as typed.
const EXACT: &str = "With every word";

/// The maximum length of a passage.
const PASSAGE_LETTERS: usize = 400;

/// A search by the service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// The search text.
    pub text: String,
    /// Its words, to highlight them.
    pub words: SearchTerms,
    /// The hits.
    pub hits: Remote<Arc<Hits>>,
    /// The number of the search.
    pub(crate) number: u64,
}

/// The hits of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hits {
    /// What is known of each asset.
    assets: HashMap<AssetId, Hit>,
    /// Whether any has a passage.
    pub passages: bool,
    /// How many contents the service did not search because they are not indexed yet, as after a large import.
    pub unindexed: u64,
    /// What the service did after the exact search, if it went on.
    pub steps: Option<Steps>,
    /// The hits that do not have every word as typed, by what they lack.
    pub sections: Vec<Section>,
}

/// A hit of a search.
#[derive(Clone, Debug, Default, PartialEq)]
struct Hit {
    rank: u32,
    /// The passage that matched, if it is not the name.
    passage: Option<Passage>,
    /// How it was found, if it does not have every word as typed.
    found_by: Option<FoundBy>,
}

/// A passage of an asset's metadata or content, with its matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Where it is from: `tag`, `website`, `description` or `content`.
    pub field: String,
    /// The text, on one line.
    pub text: String,
    /// The matches, in Unicode scalar values.
    pub ranges: Vec<Range>,
}

impl Hits {
    /// The hits of a response.
    pub fn of(found: &SearchedAssets) -> Self {
        let unindexed = found.tree().get("unindexed").and_then(Value::as_u64).unwrap_or_default();
        let mut hits = Self { unindexed, steps: Steps::of(found), ..Self::default() };
        for (index, hit) in found.view().iterable().iter().enumerate() {
            let Ok(id) = hit.identifier().parse::<AssetId>() else { continue };
            let passage = Passage::of(hit.tree().get("highlights"));
            hits.passages |= passage.is_some();
            let rank = u32::try_from(index).unwrap_or(u32::MAX);
            hits.assets.entry(id).or_insert(Hit { rank, passage, found_by: FoundBy::of(hit.tree()) });
        }
        if let Some(steps) = &hits.steps {
            let mut ranked: Vec<&Hit> = hits.assets.values().collect();
            ranked.sort_unstable_by_key(|hit| hit.rank);
            hits.sections = steps.sections(ranked.into_iter().map(|hit| (hit.rank, hit.found_by.as_ref())));
        }
        hits
    }

    /// The sections of rows, best first, by the words that they lack; `None` if all have every word as typed.
    pub(super) fn sections(&self, rows: &RowList<AssetRow>, order: &[u32]) -> Option<Arc<Groups>> {
        let first = self.sections.first()?.first;
        let rank = |index: &u32| rows.get(*index as usize).and_then(|row| self.rank(&row.id())).unwrap_or(u32::MAX);
        let start = |from: u32| order.partition_point(|index| rank(index) < from);
        let exact = (first > 0).then(|| (EXACT.to_owned(), 0));
        let later = self.sections.iter().map(|section| (section.title.clone(), start(section.first)));
        Some(Arc::new(Groups::sections(SECTIONS, exact.into_iter().chain(later).collect(), order)))
    }

    /// The number of hits.
    pub fn count(&self) -> usize {
        self.assets.len()
    }

    /// Whether there may be more: these are as many as Lunette's own service returns at most.
    pub fn may_be_more(&self) -> bool {
        self.count() == MAX_HITS
    }

    /// The rank of an asset, if it is a hit.
    pub fn rank(&self, id: &AssetId) -> Option<u32> {
        self.assets.get(id).map(|hit| hit.rank)
    }

    /// The found assets, best first.
    pub fn ranked(&self) -> Vec<AssetId> {
        let mut ranked: Vec<_> = self.assets.iter().map(|(id, hit)| (hit.rank, id)).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, id)| id.clone()).collect()
    }

    /// The passage that matched, if it is not the name.
    pub fn passage(&self, id: &AssetId) -> Option<&Passage> {
        self.assets.get(id)?.passage.as_ref()
    }

    /// How an asset was found, if it does not have every word as typed.
    pub fn found_by(&self, id: &AssetId) -> Option<&FoundBy> {
        self.assets.get(id)?.found_by.as_ref()
    }
}

impl Passage {
    /// The first passage that is not from the name; `None` if the name matched.
    fn of(highlights: Option<&Value>) -> Option<Self> {
        let highlights = highlights?.as_array()?;
        let field = |one: &Value| one.get("field").and_then(Value::as_str).unwrap_or_default().to_owned();
        let best = highlights.first().filter(|first| field(first) != "name")?;
        let text: String = best.get("text")?.as_str()?.chars().take(PASSAGE_LETTERS).collect();
        let letters = text.chars().count();
        let mut ranges: Vec<Range> = Vec::new();
        for range in best.get("ranges").and_then(Value::as_array).into_iter().flatten() {
            let at = |index: usize| range.get(index).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
            let (Some(from), Some(to)) = (at(0), at(1)) else { continue };
            if from < to && to <= letters && ranges.last().is_none_or(|(_, end)| *end <= from) {
                ranges.push((from, to));
            }
        }
        Some(Self { field: field(best), text, ranges })
    }
}

/// The indices of the found rows, best first.
pub(crate) fn in_rank(rows: &RowList<AssetRow>, hits: &Hits) -> Vec<u32> {
    let mut found: Vec<(u32, u32)> = rows
        .iter()
        .zip(0..)
        .filter_map(|(row, index): (_, u32)| hits.rank(&row.id()).map(|rank| (rank, index)))
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, index)| index).collect()
}

impl Assets {
    /// Starts a search of the service; an empty text ends the search.
    pub(crate) fn search(&mut self, text: String, cx: &mut Context<'_>) {
        if let Some(task) = self.searching.take() {
            cx.cancel(task);
        }
        self.searches += 1;
        if text.trim().is_empty() {
            self.found = None;
            self.apply_query(cx);
            return;
        }
        let mut found = self.found.take().unwrap_or_default();
        found.hits.start_loading();
        found.words = SearchTerms::of(&text);
        found.text.clone_from(&text);
        found.number = self.searches;
        let number = found.number;
        self.found = Some(found);
        let operation = SearchAssets {
            query: Some(text),
            transferables: Some(false),
            searchable_tags: None,
            pseudo: None,
            // Only Lunette's own service goes on where few assets have every word.
            exact: (cx.preferences.view.exact_search && cx.connection.vendor.is_lunette()).then_some(true),
        };
        let client = cx.client();
        let search = async move { client?.call(operation).await.map(|found| Hits::of(&found)) };
        self.searching = Some(cx.run(search, move |found| Output::Found(number, found)));
    }

    /// Shows the response of a search, unless a newer one was started.
    pub(crate) fn found(&mut self, number: u64, hits: Result<Hits, CallError>, cx: &mut Context<'_>) {
        let Some(found) = self.found.as_mut().filter(|found| found.number == number) else { return };
        found.hits.resolve(hits.map(Arc::new));
        self.searching = None;
        self.apply_query(cx);
    }

    /// The displayed hits of a search: the previous ones while a newer search is in progress.
    pub(crate) fn hits(&self) -> Option<Arc<Hits>> {
        self.found.as_ref()?.hits.value().cloned()
    }

    /// Whether an order that was computed in the background is for the current query and search.
    pub(crate) fn still_wanted(&self, query: &Query, hits: Option<&Arc<Hits>>) -> bool {
        let now = self.hits();
        let same = match (&now, hits) {
            (Some(now), Some(then)) => Arc::ptr_eq(now, then),
            (None, None) => true,
            _ => false,
        };
        same && *query == self.list.query
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "00000000-0000-4000-8000-000000000001";

    fn hits(highlights: Value) -> Hits {
        let hit = json!({ "exact": false, "score": 1, "match": "CONTENT", "identifier": ID, "highlights": highlights });
        let tree = json!({ "iterable": [hit], "suggested": 1, "exact": 0 });
        Hits::of(&SearchedAssets::from_tree(tree).expect("a record"))
    }

    #[test]
    fn as_many_hits_as_the_service_returns_at_most_may_not_be_all() {
        let of = |count: usize| Hits {
            assets: (0..count).map(|_| (AssetId::random(), Hit::default())).collect(),
            ..Hits::default()
        };
        assert_eq!([MAX_HITS - 1, MAX_HITS, MAX_HITS + 1].map(|count| of(count).may_be_more()), [false, true, false]);
    }

    #[test]
    fn a_passage_is_used_unless_it_matches_the_name() {
        let id = ID.parse().expect("an id");
        let found = hits(json!([{ "field": "content", "text": "a needle", "ranges": [[2, 8]] }]));
        let passage = Passage { field: "content".to_owned(), text: "a needle".to_owned(), ranges: vec![(2, 8)] };
        assert_eq!((found.passage(&id), found.rank(&id)), (Some(&passage), Some(0)));
        let named = hits(json!([{ "field": "name", "text": "a needle", "ranges": [[2, 8]] }]));
        assert_eq!((named.passage(&id), named.passages), (None, false));
    }

    #[test]
    fn only_a_number_reports_how_much_is_not_indexed_yet() {
        for (unindexed, expected) in [(json!(3), 3), (json!(null), 0), (json!(-1), 0), (json!("3"), 0)] {
            let tree = json!({ "iterable": [], "suggested": 0, "exact": 0, "unindexed": unindexed });
            assert_eq!(Hits::of(&SearchedAssets::from_tree(tree).expect("a record")).unindexed, expected);
        }
    }

    #[test]
    fn the_match_reported_by_the_service_is_preferred() {
        let id = ID.parse().expect("an id");
        for odd in [json!(null), json!(1), json!([]), json!([1]), json!([{ "field": 1 }]), json!([{ "text": [] }])] {
            assert_eq!(hits(odd).passage(&id), None);
        }
        let ranges = json!([[3, 2], [0, 9], [-1, 2], ["a", 1], [1], 7, [0, 1], [0, 2], [2, 3], [1e300, 2]]);
        let found = hits(json!([{ "field": "content", "text": "äöü", "ranges": ranges }]));
        assert_eq!(found.passage(&id).map(|passage| passage.ranges.clone()), Some(vec![(0, 1), (2, 3)]));
    }
}
