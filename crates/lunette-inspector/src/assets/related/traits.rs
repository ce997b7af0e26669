//! What two assets have in common, as data and as a sentence.

use lunette_client::model::View;
use lunette_client::model::field_type::{Items, Text};
use lunette_client::model::search_result;

/// How many names are said of tags and the like.
const NAMED: usize = 3;

/// What two assets have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedTraits {
    /// How many rare words.
    pub words: u64,
    /// The texts of tags.
    pub tags: Vec<String>,
    /// The addresses of websites.
    pub websites: Vec<String>,
    /// The names of workstream summaries.
    pub summaries: Vec<String>,
    /// How many persons.
    pub persons: u64,
    /// How many anchors.
    pub anchors: u64,
    /// How many conversations.
    pub conversations: u64,
    /// The folder that they were imported from.
    pub folder: bool,
    /// The shape of their names.
    pub name: bool,
    /// The language; told only where the window compares what it has loaded.
    pub language: bool,
}

impl SharedTraits {
    /// What a service says.
    pub(super) fn of(traits: View<'_, search_result::SharedTraits>) -> Self {
        let count = |number: Option<i64>| number.and_then(|number| u64::try_from(number).ok()).unwrap_or_default();
        let texts = |list: Option<Items<'_, Text>>| -> Vec<String> {
            list.map(|list| list.iter().map(str::to_owned).collect()).unwrap_or_default()
        };
        Self {
            words: count(traits.words()),
            tags: texts(traits.tags()),
            websites: texts(traits.websites()),
            summaries: texts(traits.summaries()),
            persons: count(traits.persons()),
            anchors: count(traits.anchors()),
            conversations: count(traits.conversations()),
            folder: traits.folder().unwrap_or_default(),
            name: traits.name().unwrap_or_default(),
            language: false,
        }
    }

    /// Each of them in words: `shares 6 rare words`, `same tag “batch”`.
    pub(super) fn phrases(&self) -> Vec<String> {
        let words = match self.words {
            0 => None,
            1 => Some("shares a rare word".to_owned()),
            count => Some(format!("shares {count} rare words")),
        };
        let lists = [("tag", &self.tags), ("website", &self.websites), ("summary", &self.summaries)];
        let counts = [("person", self.persons), ("anchor", self.anchors), ("conversation", self.conversations)];
        let so = [("same folder", self.folder), ("similar name", self.name), ("same language", self.language)];
        words
            .into_iter()
            .chain(lists.into_iter().filter_map(|(one, texts)| named(one, texts)))
            .chain(counts.into_iter().filter_map(|(one, count)| counted(one, count)))
            .chain(so.into_iter().filter(|(_, is_so)| *is_so).map(|(phrase, _)| phrase.to_owned()))
            .collect()
    }
}

fn plural(one: &str) -> String {
    one.strip_suffix('y').map_or_else(|| format!("{one}s"), |stem| format!("{stem}ies"))
}

fn named(one: &str, texts: &[String]) -> Option<String> {
    let names: Vec<String> = texts.iter().take(NAMED).map(|text| format!("“{text}”")).collect();
    let more = match texts.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match texts.len() {
        0 => None,
        1 => Some(format!("same {one} {}", names[0])),
        _ => Some(format!("same {} {}{more}", plural(one), names.join(", "))),
    }
}

fn counted(one: &str, count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("same {one}")),
        _ => Some(format!("{count} of the same {}", plural(one))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_said_in_one_sentence() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let shared = SharedTraits {
            words: 6,
            tags: texts(&["batch"]),
            summaries: texts(&["a", "b", "c", "d", "e"]),
            conversations: 2,
            anchors: 1,
            folder: true,
            name: true,
            ..SharedTraits::default()
        };
        assert_eq!(
            shared.phrases().join("; "),
            "shares 6 rare words; same tag “batch”; same summaries “a”, “b”, “c” and 2 more; same anchor; \
             2 of the same conversations; same folder; similar name"
        );
        assert_eq!(SharedTraits { words: 1, ..SharedTraits::default() }.phrases(), ["shares a rare word"]);
        assert!(SharedTraits::default().phrases().is_empty());
    }
}
