//! The texts that a person reads, as a list by feature: `cargo test --test shape texts -- --nocapture` prints them.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Source, below};

/// Where the texts of the window and of the command line stand.
const ROOTS: &[&str] = &["crates/lunette-inspector/src", "src/ui", "src/cli"];

/// Whether `text` is for a person: a sentence, a label, or a part of one.
fn is_for_a_person(text: &str) -> bool {
    let mut words = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic));
    let (first, second) = (words.next(), words.next());
    let sentence = second.is_some() || first.is_some_and(|word| word.starts_with(char::is_uppercase));
    let statement = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "PRAGMA ", "WITH ", "ALTER ", "DROP "];
    sentence && !statement.iter().any(|word| text.trim_start().starts_with(word))
}

/// The feature that a file belongs to: the folder or file below `panels`, `dialogs` and the like, or below its root.
fn feature(path: &str) -> String {
    let root = ROOTS.iter().find(|root| path.starts_with(**root)).copied().unwrap_or_default();
    let parts = path[root.len()..].trim_matches('/').trim_end_matches(".rs");
    let deep = ["panels/", "dialogs/", "bars/", "widgets/"].iter().any(|folder| parts.starts_with(folder));
    let below = parts.split('/').take(if deep { 2 } else { 1 }).collect::<Vec<_>>().join("/");
    format!("{root}/{below}")
}

/// The texts of every feature, each once.
fn texts() -> BTreeMap<String, BTreeSet<String>> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in ROOTS.iter().copied().flat_map(below).filter(|source| !source.path.contains("tests")) {
        let Source { path, texts: own, .. } = source;
        texts.entry(feature(&path)).or_default().extend(own.into_iter().filter(|text| is_for_a_person(text)));
    }
    texts
}

#[test]
fn the_texts_are_listed_by_feature() {
    let texts = texts();
    for (feature, texts) in &texts {
        println!("\n{feature}");
        for text in texts {
            println!("    {text}");
        }
    }
    let of = |feature: &str| texts.get(feature).map_or(0, BTreeSet::len);
    assert!(of("src/ui/panels/assets") > 50 && of("src/ui/dialogs/import") > 20, "the features are not found");
}

/// Files with Markdown, with a text file that names commands to type, and with expressions for tests.
const WITH_BACK_QUOTES: &[&str] = &[
    "crates/lunette-inspector/src/check/report.rs",
    "crates/lunette-inspector/src/export/library/archive.rs",
    "crates/lunette-inspector/src/files/disk.rs",
];

#[test]
fn messages_quote_with_quotation_marks() {
    for source in below("crates/lunette-inspector/src").into_iter().filter(|source| !source.path.contains("tests")) {
        if WITH_BACK_QUOTES.contains(&source.path.as_str()) {
            continue;
        }
        let quoted = |text: &&String| {
            let inside = text.split('`').nth(1).unwrap_or_default();
            is_for_a_person(text) && inside.chars().any(char::is_alphanumeric)
        };
        let found: Vec<&String> = source.texts.iter().filter(quoted).collect();
        assert!(found.is_empty(), "{}: “ and ” are for people, back quotes are not: {found:?}", source.path);
    }
}
