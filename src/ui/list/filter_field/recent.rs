//! What is suggested in the empty field of the list of assets: recent searches, and saved filters behind them.

use lunette_inspector::State;
use lunette_inspector::filter::{Choice, List};

/// Maximum number of recent searches, and of saved filters, that are suggested.
const SEARCHES: usize = 8;
const SAVED: usize = 4;

/// The suggestions, and which of them search the contents.
#[derive(Default)]
pub(super) struct Recent {
    pub choices: Vec<Choice>,
    contents: Vec<bool>,
}

impl Recent {
    /// Returns whether a suggestion is a search of the contents.
    pub fn searches_contents(&self, index: usize) -> bool {
        self.contents.get(index).copied().unwrap_or_default()
    }

    fn add(&mut self, text: &str, about: &str, contents: bool) {
        if self.choices.iter().all(|known| known.text != text) {
            self.choices.push(Choice { text: text.to_owned(), about: about.to_owned() });
            self.contents.push(contents);
        }
    }
}

/// Returns what is suggested in the empty field of a list; nothing for others than that of assets.
pub(super) fn choices(list: List, state: &State) -> Recent {
    let mut recent = Recent::default();
    if list != List::Assets {
        return recent;
    }
    for search in state.searches().iter().take(SEARCHES) {
        recent.add(&search.text, if search.contents { "Recent search" } else { "Recent filter" }, search.contents);
    }
    for saved in state.preferences.settings.filters.get(list.key()).into_iter().flatten().take(SAVED) {
        recent.add(&saved.filter, &saved.name, false);
    }
    recent
}
