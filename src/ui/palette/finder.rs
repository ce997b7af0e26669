//! Finds entries by parts of their names, in any list however long.

use std::sync::Arc;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::app::rows::{ApplicationRow, AssetRow};
use crate::app::state::Panel;
use crate::app::{Action, State};
use crate::model::id::AssetId;
use crate::ui::theme::Icon;

use super::{Deed, Entry, commands};

/// How many assets are looked at in one frame.
const ASSETS_A_FRAME: usize = 20_000;

/// How many entries of one kind are shown.
const MOST: usize = 8;

/// A search through the assets, as far as it came.
#[derive(Default)]
pub(super) struct Finder {
    matcher: Option<Matcher>,
    query: String,
    rows: Option<Arc<Vec<Arc<AssetRow>>>>,
    /// How many rows were looked at.
    looked_at: usize,
    /// The best places found so far, best first.
    best: Vec<(u32, usize)>,
}

impl Finder {
    /// Looks through some more assets; true while there are more to look at.
    pub(super) fn search(&mut self, query: &str, state: &State) -> bool {
        let rows = state.assets.rows.value();
        let same = match (rows, &self.rows) {
            (Some(now), Some(then)) => Arc::ptr_eq(now, then),
            (None, None) => true,
            _ => false,
        };
        if !same || self.query != query {
            self.query = query.to_owned();
            self.rows = rows.cloned();
            self.looked_at = 0;
            self.best.clear();
        }
        let Some(rows) = self.rows.clone() else { return false };
        if query.trim().is_empty() {
            return false;
        }
        let end = rows.len().min(self.looked_at + ASSETS_A_FRAME);
        let pattern = pattern(query);
        for place in self.looked_at..end {
            if let Some(score) = self.score(&pattern, &rows[place].name) {
                self.best.push((score, place));
            }
        }
        self.looked_at = end;
        self.best.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        self.best.truncate(MOST);
        end < rows.len()
    }

    /// The entries for what was typed, best first: an asset's UUID, then panels and commands, applications, assets.
    pub(super) fn entries(&mut self, query: &str, state: &State) -> Vec<Entry> {
        let query = query.trim();
        let mut entries: Vec<Entry> = uuid(query).into_iter().collect();
        if query.is_empty() {
            entries.extend(commands::commands(state));
            return entries;
        }
        let pattern = pattern(query);
        entries.extend(self.ranked(&pattern, commands::commands(state), |entry| &entry.title));
        let applications = state.applications.rows.value().map_or(&[][..], |rows| rows.as_slice());
        let found = self.ranked(&pattern, applications.iter().collect(), |row| &row.name);
        entries.extend(found.into_iter().map(|row| application(row)));
        let assets = self.rows.iter().flat_map(|rows| self.best.iter().filter_map(|(_, place)| rows.get(*place)));
        entries.extend(assets.map(|row| asset(row)));
        if state.connection.offers("searchAssets") {
            entries.push(content_search(query));
        }
        entries
    }

    /// Those that match, best first, and not more than are shown.
    fn ranked<T>(&mut self, pattern: &Pattern, items: Vec<T>, name: impl Fn(&T) -> &str) -> Vec<T> {
        let scored = items.into_iter().filter_map(|item| Some((self.score(pattern, name(&item))?, item)));
        let mut scored: Vec<(u32, T)> = scored.collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        scored.truncate(MOST);
        scored.into_iter().map(|(_, item)| item).collect()
    }

    fn score(&mut self, pattern: &Pattern, name: &str) -> Option<u32> {
        let matcher = self.matcher.get_or_insert_with(|| Matcher::new(Config::DEFAULT));
        // A name of ten thousand characters is found by its beginning.
        let end = name.char_indices().nth(256).map_or(name.len(), |(end, _)| end);
        pattern.score(Utf32Str::new(&name[..end], &mut Vec::new()), matcher)
    }
}

fn pattern(query: &str) -> Pattern {
    Pattern::parse(query.trim(), CaseMatching::Ignore, Normalization::Smart)
}

/// The asset whose UUID was pasted.
fn uuid(query: &str) -> Option<Entry> {
    uuid::Uuid::parse_str(query).ok()?;
    let id: AssetId = query.parse().ok()?;
    let deed = Deed::Act(vec![Action::OpenAsset(id)]);
    Some(Entry { icon: Icon::ASSETS, title: format!("Open asset {query}"), hint: "Asset".to_owned(), deed })
}

/// Lets the service search the content of assets.
fn content_search(query: &str) -> Entry {
    Entry {
        icon: Icon::SEARCH,
        title: format!("Search the content of assets for “{query}”"),
        hint: String::new(),
        deed: Deed::Act(vec![Action::Show(Panel::Assets), Action::Search(query.to_owned())]),
    }
}

fn application(row: &ApplicationRow) -> Entry {
    let deed = Deed::Act(vec![Action::Show(Panel::Applications), Action::OpenApplication(row.id.clone())]);
    Entry { icon: Icon::APPLICATIONS, title: row.name.clone(), hint: "Application".to_owned(), deed }
}

fn asset(row: &AssetRow) -> Entry {
    let title = if row.name.is_empty() { row.id.to_string() } else { row.name.clone() };
    let hint = if row.language.is_empty() { "Asset".to_owned() } else { format!("Asset · {}", row.language) };
    Entry { icon: Icon::ASSETS, title, hint, deed: Deed::Act(vec![Action::OpenAsset(row.id.clone())]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Remote;

    fn state(count: usize) -> State {
        let rows = (0..count).map(|place| Arc::new(AssetRow::sample(place))).collect();
        let mut state = State::default();
        state.assets.rows = Remote::Known(Arc::new(rows));
        state
    }

    #[test]
    fn the_last_of_many_assets_is_found_after_some_frames() {
        let state = state(50_000);
        let mut finder = Finder::default();
        let frames = 1 + (0..10).take_while(|_| finder.search("asset_0049999", &state)).count();
        assert_eq!(frames, 3);
        let entries = finder.entries("asset_0049999", &state);
        assert_eq!(entries[0].title, "asset_0049999.rs");
    }

    #[test]
    fn a_pasted_uuid_comes_first() {
        let entries = Finder::default().entries(" 00000000-0000-4000-8000-000000000001 ", &state(0));
        assert_eq!(entries[0].title, "Open asset 00000000-0000-4000-8000-000000000001");
    }

    #[test]
    fn commands_are_found_by_parts_of_their_words() {
        let entries = Finder::default().entries("thm drk", &state(0));
        assert_eq!(entries[0].title, "Theme: dark");
    }
}
