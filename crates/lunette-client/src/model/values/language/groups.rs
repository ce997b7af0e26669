//! The languages as people choose them: each once, by its plain name.
//!
//! The interface has several values for many languages: one for each ending of a file, and one for highlight.js. What
//! must hold: every value is in exactly one group, and no two groups have the same name.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::{LANGUAGES, Language};

/// A language with all of its values.
#[derive(Clone, Debug)]
pub struct LanguageGroup {
    /// What it is called: `Python`.
    pub name: &'static str,
    /// The value that is given where the language is chosen.
    pub main: &'static Language,
    /// Its other values, such as the one for `.cpy`.
    pub others: Vec<&'static Language>,
}

impl LanguageGroup {
    /// Whether this value is one of the language's.
    pub fn has(&self, specific: &str) -> bool {
        self.main.specific == specific || self.others.iter().any(|other| other.specific == specific)
    }
}

/// Every language once, by name.
pub static LANGUAGE_GROUPS: LazyLock<Vec<LanguageGroup>> = LazyLock::new(|| {
    let plain: HashMap<&str, &'static Language> =
        LANGUAGES.iter().filter(|language| !language.name.contains(" (")).map(|one| (one.name, one)).collect();
    let marked = LANGUAGES.iter().filter_map(|language| language.name.rsplit_once(" ("));
    let bases: HashSet<&str> = marked.filter(|(_, mark)| is_mark(mark)).map(|(name, _)| name).collect();
    let mut groups: Vec<LanguageGroup> = Vec::new();
    let mut indices: HashMap<&str, usize> = HashMap::new();
    for language in LANGUAGES.iter() {
        let name = plain_name(language, |name| plain.contains_key(name) || bases.contains(name));
        match indices.get(name) {
            Some(index) => groups[*index].others.push(language),
            None => {
                indices.insert(name, groups.len());
                groups.push(LanguageGroup { name, main: language, others: Vec::new() });
            }
        }
    }
    for group in &mut groups {
        if let Some(main) = plain.get(group.name).filter(|main| main.specific != group.main.specific) {
            group.others.retain(|other| other.specific != main.specific);
            group.others.insert(0, std::mem::replace(&mut group.main, main));
        }
    }
    groups.sort_by_key(|group| group.name.to_lowercase());
    groups
});

/// The name without the suffix that distinguishes values of a language: `(.cpy)`, `(highlight.js class)`, and a file
/// name after the name of a language, as in `Ruby (Gemfile)`.
fn plain_name(language: &'static Language, known: impl Fn(&str) -> bool) -> &'static str {
    match language.name.rsplit_once(" (") {
        Some((name, mark)) if is_mark(mark) || known(name) => name,
        _ => language.name,
    }
}

/// Whether this suffix only distinguishes values of one language.
fn is_mark(mark: &str) -> bool {
    mark.starts_with('.') || mark == "highlight.js class)"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str) -> &'static LanguageGroup {
        LANGUAGE_GROUPS.iter().find(|group| group.name == name).expect("a group")
    }

    #[test]
    fn every_value_is_in_one_group_and_every_name_unique() {
        let values = |group: &'static LanguageGroup| [group.main].into_iter().chain(group.others.iter().copied());
        let all: Vec<&str> = LANGUAGE_GROUPS.iter().flat_map(values).map(|language| language.specific).collect();
        assert_eq!(all.len(), LANGUAGES.len());
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), LANGUAGES.len());
        let names: HashSet<_> = LANGUAGE_GROUPS.iter().map(|group| group.name.to_lowercase()).collect();
        assert_eq!(names.len(), LANGUAGE_GROUPS.len());
    }

    #[test]
    fn similar_grammars_are_one_language() {
        assert_eq!(group("Python").main.specific, "py");
        assert!(group("Python").has("cpy"));
        assert!(group("Puppet").has("hljs-puppet"));
        assert!(group("Ruby").has("rb") && group("Ruby").main.specific == "rb");
        assert!(LANGUAGE_GROUPS.iter().all(|group| !group.name.contains("highlight.js") && !group.name.contains("(.")));
    }
}
