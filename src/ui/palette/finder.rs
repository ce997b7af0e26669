//! Finds entries by parts of their names, in lists of any length.
//!
//! What must hold: a frame searches for a few milliseconds and the next one continues; results are grouped by part, and
//! the part with the best match comes first.

use std::time::{Duration, Instant};

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::SearchAssets;
use lunette_inspector::State;
use lunette_inspector::filter::Field;

use super::entry::{Entry, EntryAction, Part};
use super::names::Names;
use super::{commands, found};

/// Time for searching in one frame: about half of it, so that the rest of the window is drawn in time.
const FRAME_BUDGET: Duration = Duration::from_millis(8);

/// Number of names searched between two checks of the clock.
const STEP: usize = 1_000;

/// Maximum number of entries shown of one part.
const MAX_PER_PART: usize = 8;

/// Only this many characters of a name are searched.
const MAX_NAME: usize = 256;

/// The progress of the search for the current text.
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
    /// Number of names searched so far.
    scanned: usize,
    /// The best matches so far, best first: how good each is, and the index of its name.
    best: Vec<(Match, usize)>,
}

/// How well a name matches.
type Match = (Kind, u32);

/// How a name matches, best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Its letters are in the name.
    Letters,
    /// The name begins with it.
    Prefix,
    /// It is the whole name.
    Exact,
}

impl Finder {
    /// Returns whether every name was searched.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Continues the search; returns whether there is more to search.
    pub fn search(&mut self, query: &str, state: &State) -> bool {
        let (only, query) = part_prefix(query);
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
            let grew = now.as_ref().zip(hunt.names.as_ref()).is_some_and(|(now, then)| then.grew_to(now));
            if changed || !same && !grew {
                *hunt = SearchJob { names: now, ..SearchJob::default() };
            } else if grew {
                hunt.names = now;
            }
        }
        self.done = query.is_empty() || self.scan(query);
        !self.done
    }

    /// Searches names until the frame budget is used up; returns whether all are searched.
    fn scan(&mut self, query: &str) -> bool {
        let (pattern, begun) = (pattern(query), Instant::now());
        let matcher = self.matcher.get_or_insert_with(matcher);
        for hunt in &mut self.hunts {
            while hunt.step(query, &pattern, matcher, &mut self.text) {
                if begun.elapsed() >= FRAME_BUDGET {
                    return self.hunts.iter().all(SearchJob::is_finished);
                }
            }
        }
        true
    }

    /// Returns the entries for the text: an asset's id, then each part that matches, the one with the best match first.
    pub fn entries(&mut self, query: &str, state: &State) -> Vec<Entry> {
        let (only, query) = part_prefix(query);
        if query.is_empty() && only.is_none() {
            return commands::initial_entries(state);
        }
        let mut parts: Vec<(u32, Vec<Entry>)> = Vec::new();
        if only.is_none_or(|only| only == Part::Commands) {
            parts.extend(self.commands(query, state));
        }
        for hunt in &self.hunts {
            let names = hunt.names.iter().filter(|_| !hunt.best.is_empty());
            let found = |names: &Names| hunt.best.iter().filter_map(|(_, index)| names.entry(*index)).collect();
            parts.extend(names.map(|names| (hunt.best_score(), found(names))));
        }
        // A part where the letters are only scattered says nothing where another one has them together.
        let best = parts.iter().map(|(score, _)| *score).max().unwrap_or_default();
        parts.retain(|(score, _)| score * 3 >= best * 2);
        // The sort is stable, so equal matches keep their order.
        parts.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let mut entries: Vec<Entry> = uuid(query).map(Entry::by_id).into_iter().collect();
        if only.is_none() {
            entries.extend(field(query).into_iter().flat_map(|(field, text)| begun_filter(field, text, state)));
        }
        entries.extend(parts.into_iter().flat_map(|(_, entries)| entries));
        if only.is_none() && state.connection.offers(SearchAssets::INFO) {
            found::add(&mut entries, query, state);
            entries.push(Entry::content_search(query));
        }
        entries
    }

    /// Returns the matching commands, best first, and the best score; all commands while nothing is typed.
    fn commands(&mut self, query: &str, state: &State) -> Option<(u32, Vec<Entry>)> {
        let all = commands::commands(state);
        if query.is_empty() {
            return Some((0, all));
        }
        let (pattern, matcher) = (pattern(query), self.matcher.get_or_insert_with(matcher));
        let text = &mut self.text;
        let match_of = |entry: Entry| {
            // What it acts on now, and its title in the help sheet; a typed name finds the asset, not what can be done
            // with it.
            let title = entry.without_name.as_deref().unwrap_or(&entry.title);
            let as_listed = match entry.action {
                EntryAction::Run(command) => rank(query, &pattern, command.title(), matcher, text),
                _ => None,
            };
            Some((rank(query, &pattern, title, matcher, text).max(as_listed)?, entry))
        };
        let mut ranked: Vec<(Match, Entry)> = all.into_iter().filter_map(match_of).collect();
        // Among equal matches, available commands come first.
        ranked.sort_by_key(|(found, entry)| (std::cmp::Reverse(*found), !entry.available));
        ranked.truncate(MAX_PER_PART);
        let best = ranked.iter().map(|((_, score), _)| *score).max()?;
        Some((best, ranked.into_iter().map(|(_, entry)| entry).collect()))
    }

    /// Returns the positions of the matching characters of a title, in order.
    pub fn match_positions(&mut self, title: &str) -> Vec<u32> {
        if self.query.is_empty() {
            return Vec::new();
        }
        let letters: Vec<char> = title.chars().collect();
        let matcher = self.matcher.get_or_insert_with(matcher);
        let mut indices = Vec::new();
        if pattern(&self.query).indices(Utf32Str::Unicode(&letters), matcher, &mut indices).is_none() {
            indices.clear();
        }
        indices.sort_unstable();
        indices.dedup();
        indices
    }
}

impl SearchJob {
    fn is_finished(&self) -> bool {
        self.names.as_ref().is_none_or(|names| self.scanned >= names.len())
    }

    /// Returns the best score so far.
    fn best_score(&self) -> u32 {
        self.best.iter().map(|((_, score), _)| *score).max().unwrap_or_default()
    }

    /// Searches the next names; returns whether there are more.
    fn step(&mut self, query: &str, pattern: &Pattern, matcher: &mut Matcher, text: &mut Vec<char>) -> bool {
        let Some(names) = &self.names else { return false };
        let end = names.len().min(self.scanned + STEP);
        for index in self.scanned..end {
            let (name, also) = names.name(index);
            let found = rank(query, pattern, &name, matcher, text);
            let found = found.max(also.and_then(|also| rank(query, pattern, also, matcher, text)));
            self.best.extend(found.map(|found| (found, index)));
        }
        self.scanned = end;
        self.best.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        self.best.truncate(MAX_PER_PART);
        end < names.len()
    }
}

fn matcher() -> Matcher {
    Matcher::new(Config::DEFAULT)
}

/// Returns how well a name matches; `None` if it does not.
fn rank(query: &str, pattern: &Pattern, name: &str, matcher: &mut Matcher, text: &mut Vec<char>) -> Option<Match> {
    // A very long name is matched by its beginning.
    let end = if name.len() > MAX_NAME { name.floor_char_boundary(MAX_NAME) } else { name.len() };
    let score = pattern.score(Utf32Str::new(&name[..end], text), matcher)?;
    Some((kind(query, name), score))
}

/// Returns how a matching name matches, whatever its case.
fn kind(query: &str, name: &str) -> Kind {
    let mut name = name.trim().chars().flat_map(char::to_lowercase);
    if !query.chars().flat_map(char::to_lowercase).all(|letter| name.next() == Some(letter)) {
        return Kind::Letters;
    }
    if name.next().is_none() { Kind::Exact } else { Kind::Prefix }
}

fn pattern(query: &str) -> Pattern {
    Pattern::parse(query, CaseMatching::Ignore, Normalization::Smart)
}

/// Returns the part that the prefix of the query selects, and the rest of the query.
fn part_prefix(query: &str) -> (Option<Part>, &str) {
    let query = query.trim();
    let part = match query.chars().next() {
        Some('>') => Part::Commands,
        Some('@') => Part::Applications,
        Some('#') => Part::Linked(lunette_inspector::change::LinkKind::Tag),
        _ => return (None, query),
    };
    (Some(part), query[1..].trim_start())
}

/// Returns the field and the value in "tag NAME", "language NAME" and "application NAME".
fn field(query: &str) -> Option<(Field, &str)> {
    let (word, value) = query.split_once(char::is_whitespace)?;
    let fields = [Field::Tag, Field::Language, Field::Application];
    let field = fields.into_iter().find(|field| word.eq_ignore_ascii_case(field.name()))?;
    let value = value.trim();
    (!value.is_empty()).then_some((field, value))
}

/// Returns the entries for a field and a value: a filter, and the tag for the assets that commands act on.
fn begun_filter(field: Field, value: &str, state: &State) -> Vec<Entry> {
    let add = if field == Field::Tag { Entry::tag(value, state) } else { None };
    add.into_iter().chain([Entry::filter(field, value)]).collect()
}

/// Returns the asset whose id was pasted.
fn uuid(query: &str) -> Option<AssetId> {
    uuid::Uuid::parse_str(query).ok()?;
    query.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use lunette_inspector::Remote;
    use lunette_inspector::change::{Item, LinkKind};
    use lunette_inspector::listing::rows::AssetRow;

    fn state(count: usize) -> State {
        let rows = (0..count).map(|index| Arc::new(AssetRow::sample(index))).collect();
        let mut state = State::default();
        state.assets.list.rows = Remote::Known(rows);
        state
    }

    fn found(query: &str, state: &State) -> Vec<Entry> {
        let mut finder = Finder::default();
        while finder.search(query, state) {}
        finder.entries(query, state)
    }

    #[test]
    fn the_last_of_many_assets_is_found_incrementally() {
        let state = state(50_000);
        let mut finder = Finder::default();
        let mut scanned = 0;
        while finder.search("asset_0049999", &state) {
            assert!(finder.hunts[1].scanned > scanned);
            scanned = finder.hunts[1].scanned;
        }
        let entries = finder.entries("asset_0049999", &state);
        assert_eq!(entries[0].title, "asset_0049999.rs");
    }

    #[test]
    fn a_list_that_grows_is_searched_on_and_one_that_changed_is_searched_again() {
        let mut state = state(20_000);
        let mut finder = Finder::default();
        while finder.search("asset_00", &state) {}
        let rows = |state: &State| state.assets.list.rows.value().cloned().expect("rows");
        let more = [Arc::new(AssetRow::sample(90_000))];
        let grown = rows(&state).iter().cloned().chain(more).collect();
        state.assets.list.rows = Remote::Loading { previous: Some(grown) };
        finder.search("asset_00", &state);
        assert_eq!((finder.hunts[1].scanned, finder.is_done()), (20_001, true));

        let first = [Arc::new(AssetRow::sample(7).renamed("asset_00"))];
        let changed = first.into_iter().chain(rows(&state).iter().skip(1).cloned()).collect();
        state.assets.list.rows = Remote::Known(changed);
        while finder.search("asset_00", &state) {}
        assert_eq!(finder.entries("asset_00", &state)[0].title, "asset_00");
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
        let item = |kind, text: &str, url: Option<&str>| Item::new(kind, "id", text, url.map(str::to_owned));
        let tags = vec![item(LinkKind::Tag, "quarterly", None)];
        let sites = vec![item(LinkKind::Website, "Docs", Some("https://docs.rs/quux"))];
        state.assets.linkable.insert(LinkKind::Tag, Remote::Known(Arc::new(tags)));
        state.assets.linkable.insert(LinkKind::Website, Remote::Known(Arc::new(sites)));
        assert_eq!(found("qrtrly", &state)[0].part, Part::Linked(LinkKind::Tag));
        assert_eq!(found("docs.rs/quux", &state)[0].title, "Docs");
        assert!(found("#quart", &state).iter().all(|entry| entry.part == Part::Linked(LinkKind::Tag)));
        assert!(found(">refresh", &state).iter().all(|entry| entry.part == Part::Commands));
    }

    #[test]
    fn recent_entries_come_first_while_nothing_is_typed() {
        let mut state = state(0);
        state.preferences.settings.used("theme-dark");
        let entries = found("", &state);
        assert_eq!((entries[0].part, entries[0].title.as_str()), (Part::Recent, "Theme: dark"));
        assert!(entries.iter().all(|entry| entry.available));
    }

    #[test]
    fn matching_letters_are_highlighted() {
        let mut finder = Finder::default();
        finder.search("drk", &state(0));
        assert_eq!(finder.match_positions("Theme: dark"), [7, 9, 10]);
        assert!(finder.match_positions("nothing").is_empty());
    }
}
