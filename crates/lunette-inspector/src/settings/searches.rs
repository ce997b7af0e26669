//! The recent searches of the list of assets.
//!
//! Our choice: a text that is still being typed is not a search. It becomes one when it is confirmed with Enter, or when an
//! asset is opened from what it found.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Settings;

/// How many recent searches of a connection are kept, and the maximum length of each, in bytes.
const KEPT: usize = 20;
const LENGTH: usize = 500;

/// A recent search or filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentSearch {
    /// The text of the filter field.
    pub text: String,
    /// Whether the service searched the contents for it.
    pub contents: bool,
}

impl Settings {
    /// Records a search as the newest one of a connection; a very long one is not kept.
    pub(super) fn keep_search(&mut self, connection: &str, mut search: RecentSearch) {
        search.text = search.text.trim().to_owned();
        let searches = self.searches.entry(connection.to_owned()).or_default();
        searches.insert(0, search);
        correct(searches);
    }
}

/// Leaves each search once and drops the oldest of too many.
pub(super) fn correct(searches: &mut Vec<RecentSearch>) {
    let mut seen = BTreeSet::new();
    searches.retain(|search| {
        !search.text.trim().is_empty() && search.text.len() <= LENGTH && seen.insert(search.text.clone())
    });
    searches.truncate(KEPT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_searches_are_kept_once_each() {
        let mut settings = Settings::default();
        let search = |text: &str, contents| RecentSearch { text: text.to_owned(), contents };
        for text in ["one", " two ", "", "  ", "one", &"x".repeat(LENGTH + 1)] {
            settings.keep_search("here", search(text, false));
        }
        settings.keep_search("here", search("two", true));
        assert_eq!(settings.searches["here"], [search("two", true), search("one", false)]);
        (0..30).for_each(|number| settings.keep_search("here", search(&format!("search {number}"), true)));
        assert_eq!((settings.searches["here"].len(), settings.searches["here"][0].text.as_str()), (KEPT, "search 29"));
        assert_eq!(settings.searches.get("elsewhere"), None);
    }
}
