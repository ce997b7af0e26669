//! A kind of change is a variant, a row of its table, and a planner; no other file lists the kinds.

use std::collections::BTreeSet;

use crate::source::{Source, below};

/// The files that may match all variants of `Change`: the table, and the planner.
const OWNERS: &[&str] = &["crates/lunette-inspector/src/change", "crates/lunette-inspector/src/write/plan"];

/// The file that makes the changes of the operations on many assets: it constructs variants, and matches none.
const OPERATIONS: &str = "crates/lunette-inspector/src/runs/operation.rs";

/// The variants of `Change`, as the source of its stored form lists them.
fn variants(sources: &[Source]) -> BTreeSet<String> {
    let source = sources.iter().find(|source| source.path.ends_with("src/change.rs")).expect("the source of `Change`");
    let begin = source.code.find("pub enum Change {").expect("the enum");
    let body = source.code[begin..].split("\n}").next().unwrap_or_default();
    let name = |line: &str| {
        line.strip_prefix("    ")?.strip_suffix(" {").filter(|name| !name.contains(' ')).map(str::to_owned)
    };
    body.lines().filter_map(name).collect()
}

#[test]
fn a_new_kind_of_change_touches_its_variant_its_row_and_its_planner() {
    let sources: Vec<Source> = ["crates/lunette-inspector/src", "src"].into_iter().flat_map(below).collect();
    let variants = variants(&sources);
    assert_eq!(variants.len(), 15, "{variants:?}");
    let most = variants.len() / 2;
    let other =
        |source: &&Source| !OWNERS.iter().any(|owner| source.path.starts_with(owner)) && source.path != OPERATIONS;
    for source in sources.iter().filter(other) {
        let words = source.code.split("Change::").skip(1);
        let word = |text: &str| text.split(|letter: char| !letter.is_alphanumeric()).next().map(str::to_owned);
        let named: BTreeSet<_> = words.filter_map(word).filter(|word| variants.contains(word)).collect();
        assert!(
            named.len() < most,
            "{} lists the kinds of changes instead of asking the table: {named:?}",
            source.path
        );
    }
}
