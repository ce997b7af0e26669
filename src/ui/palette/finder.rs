//! Finds entries by parts of their names, in any list however long.
//!
//! What must hold: a frame looks through names for a few milliseconds and goes on in the next; what is found stands by
//! its part, and the part with the best match first.

use std::time::{Duration, Instant};

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::app::State;
use lunette_client::model::id::AssetId;

use super::commands;
use super::entry::{Entry, Part};
use super::names::Names;

/// How long names are looked through in one frame: about half of it, so that the rest of the window is drawn in time.
const A_FRAME: Duration = Duration::from_millis(8);

/// How many names are looked at between two looks at the clock.
const STEP: usize = 1_000;

/// How many entries of one part are shown.
const MOST: usize = 8;

/// More characters of a name are not looked at.
const LONGEST: usize = 256;

/// The search for what was typed, as far as it came.
#[derive(Default)]
pub(super) struct Finder {
    matcher: Option<Matcher>,
    text: Vec<char>,
    query: String,
    hunts: [SearchJob; Names::PARTS.len()],
    done: bool,
}

/// The search through one list of names.
#[derive(Default)]
struct SearchJob {
    names: Option<Names>,
    /// How many were looked at.
    looked_at: usize,
    /// The best places found so far, best first.
    best: Vec<(u32, usize)>,
}

impl Finder {
    /// Whether every name was looked at.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Looks through some more names; true while there are more to look at.
    pub fn search(&mut self, query: &str, state: &State) -> bool {
        let (only, query) = wanted(query);
        let changed = self.query != query;
        if changed {
            query.clone_into(&mut self.query);
        }
        for (hunt, part) in self.hunts.iter_mut().zip(Names::PARTS) {
            let now = Names::of(part, state).filter(|_| only.is_none_or(|only| only == part));
            let same = match (&now, &hunt.names) {
                (Some(now), Some(then)) => now.same(then),
                (None, None) => true,
                _ => false,
            };
            if changed || !same {
                *hunt = SearchJob { names: now, ..SearchJob::default() };
            }
        }
        self.done = query.is_empty() || self.look(query);
        !self.done
    }

    /// Looks at names until the time of this frame is over; true when there are none left.
    fn look(&mut self, query: &str) -> bool {
        let (pattern, begun) = (pattern(query), Instant::now());
        let matcher = self.matcher.get_or_insert_with(matcher);
        for hunt in &mut self.hunts {
            while hunt.step(&pattern, matcher, &mut self.text) {
                if begun.elapsed() >= A_FRAME {
                    return self.hunts.iter().all(SearchJob::is_over);
                }
            }
        }
        true
    }

    /// The entries for what was typed: an asset's UUID, then each part that matches, the one with the best match first.
    pub fn entries(&mut self, query: &str, state: &State) -> Vec<Entry> {
        let (only, query) = wanted(query);
        if query.is_empty() && only.is_none() {
            return commands::at_first(state);
        }
        let mut parts: Vec<(u32, Vec<Entry>)> = Vec::new();
        if only.is_none_or(|only| only == Part::Commands) {
            parts.extend(self.commands(query, state));
        }
        for hunt in &self.hunts {
            let names = hunt.names.iter().filter(|_| !hunt.best.is_empty());
            let found = |names: &Names| hunt.best.iter().filter_map(|(_, place)| names.entry(*place)).collect();
            parts.extend(names.map(|names| (hunt.best[0].0, found(names))));
        }
        // The sort keeps the order of those that match alike.
        parts.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let mut entries: Vec<Entry> = uuid(query).map(Entry::by_id).into_iter().collect();
        entries.extend(tag(query).filter(|_| only.is_none()).and_then(|text| Entry::tag(text, state)));
        entries.extend(parts.into_iter().flat_map(|(_, entries)| entries));
        if only.is_none() && state.connection.offers("searchAssets") {
            entries.push(Entry::content_search(query));
        }
        entries
    }

    /// The commands that match, best first, with the score of the best; all of them while nothing is typed.
    fn commands(&mut self, query: &str, state: &State) -> Option<(u32, Vec<Entry>)> {
        let all = commands::commands(state);
        if query.is_empty() {
            return Some((0, all));
        }
        let (pattern, matcher) = (pattern(query), self.matcher.get_or_insert_with(matcher));
        let text = &mut self.text;
        let mut scored: Vec<(u32, Entry)> =
            all.into_iter().filter_map(|entry| Some((score(&pattern, &entry.title, matcher, text)?, entry))).collect();
        // Of those that match alike the one comes first that can be done.
        scored.sort_by_key(|(score, entry)| (std::cmp::Reverse(*score), !entry.able));
        scored.truncate(MOST);
        let best = scored.first()?.0;
        Some((best, scored.into_iter().map(|(_, entry)| entry).collect()))
    }

    /// The places of the characters of a title that match what was typed, in order.
    pub fn marks(&mut self, title: &str) -> Vec<u32> {
        if self.query.is_empty() {
            return Vec::new();
        }
        let letters: Vec<char> = title.chars().collect();
        let matcher = self.matcher.get_or_insert_with(matcher);
        let mut places = Vec::new();
        if pattern(&self.query).indices(Utf32Str::Unicode(&letters), matcher, &mut places).is_none() {
            places.clear();
        }
        places.sort_unstable();
        places.dedup();
        places
    }
}

impl SearchJob {
    fn is_over(&self) -> bool {
        self.names.as_ref().is_none_or(|names| self.looked_at >= names.len())
    }

    /// Looks at some names; true while there are more.
    fn step(&mut self, pattern: &Pattern, matcher: &mut Matcher, text: &mut Vec<char>) -> bool {
        let Some(names) = &self.names else { return false };
        let end = names.len().min(self.looked_at + STEP);
        for place in self.looked_at..end {
            let (name, also) = names.name(place);
            let score = score(pattern, name, matcher, text);
            let score = score.max(also.and_then(|also| self::score(pattern, also, matcher, text)));
            self.best.extend(score.map(|score| (score, place)));
        }
        self.looked_at = end;
        self.best.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        self.best.truncate(MOST);
        end < names.len()
    }
}

fn matcher() -> Matcher {
    Matcher::new(Config::DEFAULT)
}

fn score(pattern: &Pattern, name: &str, matcher: &mut Matcher, text: &mut Vec<char>) -> Option<u32> {
    // A name of ten thousand characters is found by its beginning.
    let end = if name.len() > LONGEST { name.floor_char_boundary(LONGEST) } else { name.len() };
    pattern.score(Utf32Str::new(&name[..end], text), matcher)
}

fn pattern(query: &str) -> Pattern {
    Pattern::parse(query, CaseMatching::Ignore, Normalization::Smart)
}

/// The part that the first sign of what was typed asks for alone, and the rest.
fn wanted(query: &str) -> (Option<Part>, &str) {
    let query = query.trim();
    let part = match query.chars().next() {
        Some('>') => Part::Commands,
        Some('@') => Part::Applications,
        Some('#') => Part::Linked(crate::app::change::LinkKind::Tag),
        _ => return (None, query),
    };
    (Some(part), query[1..].trim_start())
}

/// The tag that is named by “tag NAME”.
fn tag(query: &str) -> Option<&str> {
    let (word, rest) = query.split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("tag").then(|| rest.trim())
}

/// The asset whose UUID was pasted.
fn uuid(query: &str) -> Option<AssetId> {
    uuid::Uuid::parse_str(query).ok()?;
    query.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::Remote;
    use crate::app::change::{Item, LinkKind};
    use crate::app::listing::rows::AssetRow;

    fn state(count: usize) -> State {
        let rows = (0..count).map(|place| Arc::new(AssetRow::sample(place))).collect();
        let mut state = State::default();
        state.assets.rows = Remote::Known(Arc::new(rows));
        state
    }

    fn found(query: &str, state: &State) -> Vec<Entry> {
        let mut finder = Finder::default();
        while finder.search(query, state) {}
        finder.entries(query, state)
    }

    #[test]
    fn the_last_of_many_assets_is_found_a_part_at_a_time() {
        let state = state(50_000);
        let mut finder = Finder::default();
        let mut looked_at = 0;
        while finder.search("asset_0049999", &state) {
            assert!(finder.hunts[1].looked_at > looked_at);
            looked_at = finder.hunts[1].looked_at;
        }
        let entries = finder.entries("asset_0049999", &state);
        assert_eq!(entries[0].title, "asset_0049999.rs");
    }

    #[test]
    fn a_pasted_uuid_comes_first() {
        let entries = found(" 00000000-0000-4000-8000-000000000001 ", &state(0));
        assert_eq!(entries[0].title, "Open asset 00000000-0000-4000-8000-000000000001");
    }

    #[test]
    fn commands_are_found_by_parts_of_their_words() {
        assert_eq!(found("thm drk", &state(0))[0].title, "Theme: dark");
    }

    #[test]
    fn tags_and_websites_are_found_by_name_and_by_address() {
        let mut state = state(3);
        let item = |kind, text: &str, url: Option<&str>| Item {
            kind,
            id: "id".to_owned(),
            text: text.to_owned(),
            url: url.map(str::to_owned),
        };
        let tags = vec![item(LinkKind::Tag, "quarterly", None)];
        let sites = vec![item(LinkKind::Website, "Docs", Some("https://docs.rs/quux"))];
        state.linkable.insert(LinkKind::Tag, Remote::Known(Arc::new(tags)));
        state.linkable.insert(LinkKind::Website, Remote::Known(Arc::new(sites)));
        assert_eq!(found("qrtrly", &state)[0].part, Part::Linked(LinkKind::Tag));
        assert_eq!(found("docs.rs/quux", &state)[0].title, "Docs");
        assert!(found("#quart", &state).iter().all(|entry| entry.part == Part::Linked(LinkKind::Tag)));
        assert!(found(">refresh", &state).iter().all(|entry| entry.part == Part::Commands));
    }

    #[test]
    fn what_was_used_lately_comes_first_while_nothing_is_typed() {
        let mut state = state(0);
        state.settings.used("theme-dark");
        let entries = found("", &state);
        assert_eq!((entries[0].part, entries[0].title.as_str()), (Part::Recent, "Theme: dark"));
        assert!(entries.iter().all(|entry| entry.able));
    }

    #[test]
    fn the_letters_that_match_are_marked() {
        let mut finder = Finder::default();
        finder.search("drk", &state(0));
        assert_eq!(finder.marks("Theme: dark"), [7, 9, 10]);
        assert!(finder.marks("nothing").is_empty());
    }
}
