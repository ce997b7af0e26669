//! The languages to choose from, likely ones first: recently chosen, in use, then all others.
//!
//! What must hold: a language is listed once, by its display name; a value that is not listed is found by typing its
//! full name or the value itself.

use std::collections::HashMap;

use crate::ui::widgets::grouped;
use lunette_client::model::language::{LANGUAGE_GROUPS, LANGUAGES, Language, LanguageGroup};
use lunette_inspector::State;
use lunette_inspector::change::Change;
use lunette_inspector::journal::EntryKind;

/// Maximum number of recently chosen languages at the top.
const RECENT: usize = 4;

/// One language of the list.
#[derive(Clone, Debug)]
pub(in crate::ui::panels::assets) struct LanguageChoice {
    /// Its name.
    pub name: &'static str,
    /// The language it assigns.
    pub language: &'static Language,
    /// Why it comes before others; empty for most.
    pub why: String,
}

/// What is known about the languages when the dialog opens.
pub(in crate::ui::panels::assets) struct LanguageChoices {
    /// Every group, likely ones first.
    all: Vec<(&'static LanguageGroup, String)>,
}

impl LanguageChoices {
    pub fn new(state: &State) -> Self {
        let mut indices: HashMap<&str, usize> = HashMap::new();
        for (index, group) in LANGUAGE_GROUPS.iter().enumerate() {
            indices.insert(group.main.specific, index);
            indices.extend(group.others.iter().map(|other| (other.specific, index)));
        }
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for (specific, count) in state.assets.values().specifics() {
            if let Some(index) = indices.get(specific) {
                *counts.entry(*index).or_default() += count;
            }
        }
        let mut order = recent(state, &indices);
        let mut used: Vec<(usize, usize)> = counts.iter().map(|(index, count)| (*index, *count)).collect();
        used.sort_by_key(|(index, count)| (std::cmp::Reverse(*count), *index));
        order.extend(used.into_iter().map(|(index, _)| index));
        order.extend(0..LANGUAGE_GROUPS.len());
        let mut seen = vec![false; LANGUAGE_GROUPS.len()];
        order.retain(|index| !std::mem::replace(&mut seen[*index], true));
        let lately = recent(state, &indices);
        let why = |index: usize| match (lately.contains(&index), counts.get(&index)) {
            (_, Some(1)) => "1 asset".to_owned(),
            (_, Some(count)) => format!("{} assets", grouped(*count as u64)),
            (true, None) => "recent".to_owned(),
            (false, None) => String::new(),
        };
        Self { all: order.into_iter().map(|index| (&LANGUAGE_GROUPS[index], why(index))).collect() }
    }

    /// Returns the unlisted languages with exactly this name or value.
    pub fn unlisted(&self, text: &str) -> Vec<LanguageChoice> {
        let text = text.trim().to_lowercase();
        let exact = LANGUAGES.iter().filter(|one| {
            let named = [one.name.to_lowercase(), one.specific.to_lowercase()].contains(&text);
            named && !self.all.iter().any(|(group, _)| group.main.specific == one.specific)
        });
        exact.map(|language| LanguageChoice { name: language.name, language, why: String::new() }).collect()
    }

    /// Returns the languages that match: exact matches, then prefixes, then substrings; among equals, likely ones
    /// first, and unlisted ones last.
    pub fn matching(&self, text: &str) -> Vec<LanguageChoice> {
        let unlisted = self.unlisted(text).into_iter();
        let mut found: Vec<(u8, usize, LanguageChoice)> = unlisted.map(|choice| (0, usize::MAX, choice)).collect();
        let text = text.trim().to_lowercase();
        for (index, (group, why)) in self.all.iter().enumerate() {
            if let Some(rank) = rank(group, &text) {
                let choice = LanguageChoice { name: group.name, language: group.main, why: why.clone() };
                found.push((rank, index, choice));
            }
        }
        found.sort_by_key(|(rank, index, _)| (*rank, *index));
        found.into_iter().map(|(.., choice)| choice).collect()
    }
}

/// Returns how well a language matches, lowest first; `None` if it does not.
fn rank(group: &LanguageGroup, text: &str) -> Option<u8> {
    let (name, specific) = (group.name.to_lowercase(), group.main.specific.to_lowercase());
    let mut others = group.others.iter().flat_map(|other| [other.specific.to_lowercase(), other.name.to_lowercase()]);
    Some(match () {
        () if name == text || specific == text || group.main.name.to_lowercase() == text => 0,
        () if name.starts_with(text) => 1,
        () if specific.starts_with(text) => 2,
        () if name.contains(text) || specific.contains(text) => 3,
        () if others.any(|other| other.contains(text)) => 4,
        () => return None,
    })
}

/// Returns the recently chosen languages, newest first.
fn recent(state: &State, indices: &HashMap<&str, usize>) -> Vec<usize> {
    let chosen = state.history.entries.iter().rev().filter_map(|entry| match &entry.kind {
        EntryKind::Change(Change::Reclassify { to, .. }) => indices.get(to.as_str()).copied(),
        EntryKind::Change(_) | EntryKind::Batch { .. } | EntryKind::Call { .. } => None,
    });
    let mut lately: Vec<usize> = Vec::new();
    for index in chosen {
        if lately.len() < RECENT && !lately.contains(&index) {
            lately.push(index);
        }
    }
    lately
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(typed: &str) -> Vec<&'static str> {
        LanguageChoices::new(&State::default()).matching(typed).into_iter().map(|choice| choice.name).collect()
    }

    #[test]
    fn each_language_is_listed_once_by_its_plain_name() {
        let all = names("");
        assert_eq!(all.len(), LANGUAGE_GROUPS.len());
        assert!(all.iter().all(|name| !name.contains("highlight.js")), "{all:?}");
        assert_eq!(names("python").first(), Some(&"Python"));
        // `markdown` is also the value of an unlisted language.
        assert_eq!(names("markdown").first(), Some(&"Markdown"));
        assert_eq!(names("rus").first(), Some(&"Rust"));
    }

    #[test]
    fn every_value_is_reached_by_its_whole_name_and_by_itself() {
        let choices = LanguageChoices::new(&State::default());
        for language in LANGUAGES.iter() {
            for typed in [language.name, language.specific] {
                let reached =
                    choices.matching(typed).iter().any(|choice| choice.language.specific == language.specific);
                assert!(reached, "{typed}");
            }
        }
    }
}
