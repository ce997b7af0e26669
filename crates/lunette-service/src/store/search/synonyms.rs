//! Words that are taken for one another: of the same meaning, or forms of one word without a common stem.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::vocabulary::stem;

/// Groups of words, by the stems of their words.
pub(super) struct Groups(HashMap<String, Vec<&'static str>>);

/// Words of the same meaning.
pub(super) static SYNONYMS: LazyLock<Groups> = LazyLock::new(|| Groups::of(include_str!("synonyms.txt")));
/// Forms of the same word.
pub(super) static IRREGULAR: LazyLock<Groups> = LazyLock::new(|| Groups::of(include_str!("irregular.txt")));

impl Groups {
    /// Reads a group a line; a line that begins with `#` is a comment.
    fn of(text: &'static str) -> Self {
        let mut groups: HashMap<String, Vec<&'static str>> = HashMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            for word in line.split_whitespace() {
                let others = groups.entry(stem(word)).or_default();
                for other in line.split_whitespace().filter(|other| *other != word) {
                    if !others.contains(&other) {
                        others.push(other);
                    }
                }
            }
        }
        Self(groups)
    }

    /// The others of the groups that a word is in.
    pub(super) fn others(&self, word: &str) -> &[&'static str] {
        self.0.get(&stem(word)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_its_forms() {
        assert!(SYNONYMS.others("deleting").contains(&"prune"));
        assert!(IRREGULAR.others("children").contains(&"child"));
        assert_eq!(SYNONYMS.others("xylophone"), [""; 0]);
    }
}
