//! Which items are similar, tested with tags that developers use.

use super::*;

fn tag(text: &str) -> Item {
    Item::new(LinkKind::Tag, text, text, None)
}

fn website(url: &str) -> Item {
    Item::new(LinkKind::Website, url, "a site", Some(url.to_owned()))
}

fn similar(one: &Item, other: &Item) -> bool {
    key(one) == key(other)
}

/// Tags that developers use. No two are similar.
const WORDS: [&str; 50] = [
    "rust",
    "query",
    "cache",
    "class",
    "box",
    "cookie",
    "status",
    "redis",
    "analysis",
    "node.js",
    "web socket",
    "to-do",
    "unit_test",
    "release",
    "branch",
    "config file",
    "c",
    "c++",
    "c#",
    "go",
    "sql",
    "css",
    "js",
    "aws",
    "dns",
    "docker",
    "container",
    "kubernetes",
    "index",
    "parser",
    "bug",
    "feature request",
    "api",
    "http/2",
    "v1.2",
    "v12",
    "python 3",
    "python 2",
    "macos",
    "series",
    "news",
    "error",
    "log entry",
    "policy",
    "key",
    "address",
    "bus",
    "lens",
    "proxy",
    "hash",
];

/// Other spellings of a word.
fn variants(word: &str) -> Vec<String> {
    let mut variants = vec![word.to_uppercase(), format!(" {word}")];
    if word.contains(' ') {
        variants.extend([word.replace(' ', "-"), word.replace(' ', "_"), word.replace(' ', "")]);
    }
    if word.contains('-') {
        variants.extend([word.replace('-', " "), word.replace('-', "")]);
    }
    let plurals = [
        ("query", "queries"),
        ("cache", "caches"),
        ("class", "classes"),
        ("box", "boxes"),
        ("cookie", "cookies"),
        ("release", "releases"),
        ("branch", "branches"),
        ("container", "containers"),
        ("parser", "parsers"),
        ("bug", "bugs"),
        ("feature request", "feature-requests"),
        ("api", "APIs"),
        ("error", "Errors"),
        ("policy", "policies"),
        ("key", "keys"),
        ("proxy", "proxies"),
        ("hash", "hashes"),
        ("unit_test", "unit tests"),
        ("web socket", "WebSockets"),
        ("config file", "config_files"),
        ("log entry", "log entries"),
        ("node.js", "NodeJS"),
    ];
    variants.extend(plurals.iter().filter(|(one, _)| *one == word).map(|(_, many)| (*many).to_owned()));
    variants
}

#[test]
fn recall_and_precision_over_500_pairs_are_at_least_90_percent() {
    let same: Vec<(Item, Item)> = WORDS
        .iter()
        .flat_map(|word| variants(word).into_iter().map(|variant| (tag(word), tag(&variant))))
        .chain([
            (website("https://docs.rs/tokio"), website("http://www.docs.rs/tokio/")),
            (website("https://a.example/x?utm_source=mail&p=1"), website("https://a.example/x?p=1")),
            (website("https://a.example/x#part"), website("https://a.example:443/x")),
            (website("https://A.example"), website("https://a.example/")),
        ])
        .collect();
    let others = WORDS
        .iter()
        .enumerate()
        .flat_map(|(index, word)| WORDS[index + 1..].iter().map(move |other| (tag(word), tag(other))));
    let other_sites = [
        (website("https://a.example/x?p=1"), website("https://a.example/x?p=2")),
        (website("https://a.example/x"), website("https://a.example/y")),
        (website("https://a.example/#/one"), website("https://a.example/#/two")),
        (website("https://a.example:8080/"), website("https://a.example/")),
    ];
    let different: Vec<(Item, Item)> =
        others.step_by(3).take(500 - same.len() - other_sites.len()).chain(other_sites).collect();
    assert_eq!(same.len() + different.len(), 500);

    let found = same.iter().filter(|(one, other)| similar(one, other)).count();
    let wrong = different.iter().filter(|(one, other)| similar(one, other)).count();
    let missed: Vec<_> = same.iter().filter(|(one, other)| !similar(one, other)).map(|pair| &pair.1.text).collect();
    assert!(found * 10 >= same.len() * 9, "recall {found} of {}: {missed:?}", same.len());
    assert!(found * 10 >= (found + wrong) * 9, "precision {found} of {}", found + wrong);
}

#[test]
fn no_two_names_of_languages_and_versions_are_similar() {
    for names in [["c", "c++", "c#"], ["v1.2", "v12", "v1-2"], ["css", "cs", "js"], ["new", "news", "newer"]] {
        for (index, one) in names.iter().enumerate() {
            for other in &names[index + 1..] {
                assert!(!similar(&tag(one), &tag(other)), "{one:?} and {other:?}");
            }
        }
    }
}

#[test]
fn each_row_of_a_group_names_the_item_with_the_most_assets_and_that_item_names_the_next() {
    let row = |text: &str, assets| LinkRow::new(tag(text), assets, String::new(), String::new());
    let mut rows =
        [row("Rust", Some(2)), row("python", Some(9)), row("rust", Some(7)), row("RUST ", None), row("", None)];
    mark_similar(&mut rows);
    let named: Vec<_> = rows.iter().map(|row| row.similar.as_ref().map(|item| item.text.as_str())).collect();
    assert_eq!(named, [Some("rust"), None, Some("Rust"), Some("rust"), None]);
}
