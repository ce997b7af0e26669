//! Words that are taken for one another, found by any of their forms.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::stem::stem;

/// Groups of words, by the stems of their words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Groups(HashMap<String, Vec<String>>);

/// Forms of the same word without a common stem.
pub(crate) static IRREGULAR: LazyLock<Groups> = LazyLock::new(|| {
    let lines = include_str!("irregular.txt").lines().filter(|line| !line.starts_with('#'));
    Groups::of(lines.map(|line| line.split_whitespace().map(str::to_owned).collect()))
});

impl Groups {
    /// The groups of these words.
    pub(crate) fn of(lines: impl Iterator<Item = Vec<String>>) -> Self {
        let mut groups: HashMap<String, Vec<String>> = HashMap::new();
        for line in lines {
            for word in &line {
                let others = groups.entry(stem(word)).or_default();
                for other in line.iter().filter(|other| *other != word) {
                    if !others.contains(other) {
                        others.push(other.clone());
                    }
                }
            }
        }
        Self(groups)
    }

    /// The others of the groups that a word is in.
    pub(crate) fn others(&self, word: &str) -> &[String] {
        self.0.get(&stem(word)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_by_its_forms() {
        assert!(IRREGULAR.others("children").contains(&"child".to_owned()));
        assert!(IRREGULAR.others("xylophone").is_empty());
    }
}
