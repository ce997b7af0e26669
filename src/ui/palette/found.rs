//! What the service finds for the typed text, in the sections of its search.
//!
//! What must hold: one request for each text that is typed, and none for a text that is shorter than a word; the next letter
//! cancels it.

use lunette_client::operation::Operation as _;
use lunette_client::operation::table::SearchAssets;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::search::{Hits, Search};
use lunette_inspector::{Action, Remote, State};

use super::entry::{Entry, Part};

/// The fewest letters of a text that the service searches for.
const SHORTEST: usize = 3;
/// Maximum number of hits shown in one section.
const MAX_PER_SECTION: usize = 5;

/// Returns whether the service searches for a text: not for a command, a part of the names or a UUID.
fn is_searched(query: &str, state: &State) -> bool {
    let query = query.trim();
    query.chars().count() >= SHORTEST
        && !query.starts_with(['>', '@', '#'])
        && uuid::Uuid::parse_str(query).is_err()
        && state.connection.offers(SearchAssets::INFO)
}

/// Asks for the hits of a text once; ends the search for a text that is not searched.
pub(super) fn ask(asked: &mut String, query: &str, state: &State, actions: &mut Vec<Action>) {
    let query = if is_searched(query, state) { query.trim() } else { "" };
    if asked != query {
        query.clone_into(asked);
        actions.push(AssetsAction::SearchForPalette(query.to_owned()).into());
    }
}

/// The search for this text, if its hits are there.
fn known<'a>(query: &str, state: &'a State) -> Option<(&'a Search, &'a Hits)> {
    let search = state.assets.palette_found.as_ref().filter(|search| search.text == query)?;
    match &search.hits {
        Remote::Known(hits) => Some((search, hits)),
        _ => None,
    }
}

/// Adds the hits that are not listed yet, and the words that were replaced.
pub(super) fn add(entries: &mut Vec<Entry>, query: &str, state: &State) {
    let Some((search, hits)) = known(query, state) else { return };
    let firsts: Vec<u32> = hits.titles().into_iter().map(|(_, first)| first).collect();
    let mut counts = vec![0; firsts.len().max(1)];
    for (id, rank) in hits.ranked().into_iter().filter_map(|id| hits.rank(&id).map(|rank| (id, rank))) {
        let section = firsts.partition_point(|first| *first <= rank).saturating_sub(1);
        let listed = || entries.iter().any(|entry| entry.part == Part::Assets && entry.is_of(&id));
        let Some(row) = state.assets.row(&id).filter(|_| counts[section] < MAX_PER_SECTION && !listed()) else {
            continue;
        };
        counts[section] += 1;
        let missing = hits.found_by(&id).map_or(&[][..], |found_by| &found_by.missing);
        entries.push(Entry::found(row, section, missing));
    }
    // Behind the hits, which Enter opens.
    let replaced = hits.steps.iter().flat_map(|steps| &steps.replaced);
    entries.extend(replaced.map(|(word, by)| Entry::as_typed(&search.text, word, by)));
}

/// Returns the heading of the section with this index.
pub(super) fn heading(section: usize, query: &str, state: &State) -> Option<String> {
    let (_, hits) = known(query, state)?;
    let titles = hits.titles();
    let (title, first) = titles.get(section)?;
    let lead = hits.sections.iter().find(|section| section.first == *first).and_then(|section| section.lead.as_ref());
    Some(lead.map_or_else(|| (*title).to_owned(), |lead| format!("{lead} {title}")))
}
