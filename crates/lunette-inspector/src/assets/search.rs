//! The search by the service: the query, its hits, and their order.
//!
//! What must hold: the list and the palette have one search at a time; a new one cancels the previous one, and a late
//! response is dropped. A query is one request, also to a service that does not go on by itself where it finds few assets:
//! then the rows that are loaded are searched. The data of hits is checked before it is shown: it may come from any service.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::Remote;
use crate::listing::rows::AssetRow;
use crate::listing::{Groups, RowList};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::search_result::MAX_HITS;
use lunette_client::model::search_terms::{Range, SearchTerms};
use lunette_client::model::seed::SearchedAssets;

mod loaded;
mod request;
mod steps;

pub use loaded::LoadedRows;
pub use lunette_words::typed::{any_as_typed, with_marks, without_marks};
pub use steps::{FoundBy, Section, Steps, replacement};

/// The name of the sections of hits by what they lack.
pub const SECTIONS: &str = "search";
/// The title of the hits that have every word as typed.
const EXACT: &str = "With every word";
/// The title of the hits of a service that does not say what these have.
const OF_SERVICE: &str = "Found by the service";
/// What is said where such a service has no hits.
const NOTHING: &str = "The service found nothing; the assets in the list were compared.";

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
    /// Whether some were found among the loaded rows, since the service does not go on by itself.
    among_loaded: bool,
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
        hits.divide();
        hits
    }

    /// The hits of a search by ourselves: assets that have every word, best first.
    pub fn exact(ids: impl IntoIterator<Item = AssetId>) -> Self {
        let hit = |rank| Hit { rank, ..Hit::default() };
        Self { assets: ids.into_iter().zip((0..).map(hit)).collect(), ..Self::default() }
    }

    /// Adds hits behind the others, and what was done for them.
    fn go_on(&mut self, steps: Steps, later: impl IntoIterator<Item = (AssetId, FoundBy)>) {
        let first = self.assets.values().map(|hit| hit.rank + 1).max().unwrap_or_default();
        for ((id, found_by), rank) in later.into_iter().zip(first..) {
            self.assets.entry(id).or_insert(Hit { rank, passage: None, found_by: Some(found_by) });
        }
        (self.steps, self.among_loaded) = (Some(steps), true);
        self.divide();
    }

    /// Divides the hits by what they lack.
    fn divide(&mut self) {
        let Some(steps) = &self.steps else { return };
        let mut ranked: Vec<&Hit> = self.assets.values().collect();
        ranked.sort_unstable_by_key(|hit| hit.rank);
        self.sections = steps.sections(ranked.into_iter().map(|hit| (hit.rank, hit.found_by.as_ref())));
        // A loaded row may have every word; it is not known what the service compares.
        for lead in self.sections.iter_mut().filter_map(|section| section.lead.as_mut()).filter(|_| self.among_loaded) {
            NOTHING.clone_into(lead);
        }
    }

    /// The titles of the sections, and the rank at which each begins; none if all hits have every word as typed.
    pub fn titles(&self) -> Vec<(&str, u32)> {
        let exact = if self.among_loaded { OF_SERVICE } else { EXACT };
        let exact = self.sections.first().filter(|section| section.first > 0).map(|_| (exact, 0));
        exact.into_iter().chain(self.sections.iter().map(|section| (&*section.title, section.first))).collect()
    }

    /// The sections of rows, best first, by the words that they lack; `None` if all have every word as typed.
    pub(super) fn sections(&self, rows: &RowList<AssetRow>, order: &[u32]) -> Option<Arc<Groups>> {
        self.sections.first()?;
        let rank = |index: &u32| rows.get(*index as usize).and_then(|row| self.rank(&row.id())).unwrap_or(u32::MAX);
        let start = |from: u32| order.partition_point(|index| rank(index) < from);
        let titles = self.titles().into_iter().map(|(title, first)| (title.to_owned(), start(first)));
        Some(Arc::new(Groups::sections(SECTIONS, titles.collect(), order)))
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
