//! The languages an asset may be said to be in: the closed list of the interface, with human names.
//!
//! The values are those of `ClassificationSpecificEnum` (records, 2.1), names and syntaxes are ours; both are in
//! `assets/languages.tsv`. What must hold: every value occurs once, and no two have the same name, so that a user can
//! choose one by typing.

use std::collections::HashMap;
use std::sync::LazyLock;

mod groups;

pub use groups::{LANGUAGE_GROUPS, LanguageGroup};

/// One value of the list of languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// The value on the wire, as `rs`; case matters.
    pub specific: &'static str,
    /// What people call it, as `Rust`; unique.
    pub name: &'static str,
    /// The kind of thing it is: `CODE`, `TEXT`, `IMAGE`, `VIDEO`, `FILE`, `EXTERNAL_RESOURCE_REFERENCE` or `UNKNOWN`.
    pub generic: &'static str,
    /// Whether content of it is text that can be shown and edited.
    pub text: bool,
    /// The token by which the bundled syntaxes know it (a file extension); None where none of them does.
    pub syntax: Option<&'static str>,
    /// Whether it may be given out. False for the few values that clients of version 2.7.0 would refuse, and with them
    /// the whole response (records, 0, surprise 2).
    pub emitted: bool,
}

/// Every language, in the order of the interface's list.
pub static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let table = include_str!("../../../assets/languages.tsv");
    table.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
});

static INDICES: LazyLock<HashMap<&'static str, usize>> =
    LazyLock::new(|| LANGUAGES.iter().enumerate().map(|(index, language)| (language.specific, index)).collect());

/// The language of a value on the wire; None if it is unknown.
pub fn language(specific: &str) -> Option<&'static Language> {
    INDICES.get(specific).and_then(|index| LANGUAGES.get(*index))
}

/// The name of a language for people; the value itself if the language is unknown.
pub fn language_name(specific: &str) -> &str {
    language(specific).map_or(specific, |language| language.name)
}

fn row(line: &'static str) -> Option<Language> {
    let mut columns = line.split('\t');
    Some(Language {
        specific: columns.next()?,
        name: columns.next()?,
        generic: columns.next()?,
        text: columns.next()? == "text",
        syntax: columns.next().filter(|syntax| *syntax != "-"),
        emitted: columns.next()? == "yes",
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use lunette_syntax::Syntax;

    #[test]
    fn every_row_of_the_table_is_a_language() {
        let rows = include_str!("../../../assets/languages.tsv").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(LANGUAGES.len(), rows);
        assert_eq!(rows, 506);
    }

    #[test]
    fn values_and_names_are_unique() {
        let values: HashSet<_> = LANGUAGES.iter().map(|language| language.specific).collect();
        let names: HashSet<_> = LANGUAGES.iter().map(|language| language.name.to_lowercase()).collect();
        assert_eq!((values.len(), names.len()), (506, 506));
    }

    #[test]
    fn the_values_are_those_of_the_interface() {
        let listed: HashSet<_> =
            include_str!("../../../../../tests/examples/ClassificationSpecificEnum.txt").lines().collect();
        let ours: HashSet<_> = LANGUAGES.iter().map(|language| language.specific).collect();
        assert_eq!(ours, listed);
    }

    #[test]
    fn all_but_four_values_may_be_returned() {
        let kept: Vec<_> = LANGUAGES.iter().filter(|language| !language.emitted).map(|l| l.specific).collect();
        assert_eq!(kept, ["luau", "nim", "cara", "jql"]);
    }

    #[test]
    fn generics_are_values_of_the_enum() {
        let alphabet = ["UNKNOWN", "CODE", "TEXT", "IMAGE", "VIDEO", "EXTERNAL_RESOURCE_REFERENCE", "FILE"];
        for language in LANGUAGES.iter() {
            assert!(alphabet.contains(&language.generic), "{language:?}");
            assert!(!language.name.is_empty(), "{language:?}");
        }
    }

    #[test]
    fn every_syntax_is_bundled() {
        for language in LANGUAGES.iter() {
            // Plain text has no grammar.
            let known = language.syntax.is_none_or(|token| token == "txt" || Syntax::find(token).is_some());
            assert!(known, "{language:?}");
        }
    }

    #[test]
    fn a_value_is_found_by_its_exact_spelling() {
        assert_eq!(language("rs").map(|language| language.name), Some("Rust"));
        assert_eq!(["rs", "no such language", ""].map(language_name), ["Rust", "no such language", ""]);
        assert_eq!(language("Gemfile").map(|language| language.name), Some("Ruby (Gemfile)"));
        assert_eq!(language("RS"), None);
        assert_eq!(language(""), None);
    }
}
