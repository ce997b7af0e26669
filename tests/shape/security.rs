//! docs/threats.md lists every threat once, by its number, and the documents on security name only tests and files that exist.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

use crate::source::below;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// How many threats there are.
const THREATS: usize = 65;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).expect("a document on security")
}

/// The texts between single backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_threat_is_described_exactly_once() {
    let text = read("docs/threats.md");
    let number = |line: &str| line.strip_prefix("| ")?.split(' ').next()?.parse::<usize>().ok();
    let mut numbers: Vec<_> = text.lines().filter_map(number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=THREATS).collect::<Vec<_>>());
}

#[test]
fn the_tests_and_files_named_in_the_security_document_exist() {
    let text = ["SECURITY.md", "docs/threats.md", "fuzz/README.md"].map(read).concat();
    let all: BTreeSet<_> = quoted(&text).collect();
    let paths = all
        .iter()
        .filter(|name| ["src/", "crates/", "tests/", "benches/", "fuzz/"].iter().any(|at| name.starts_with(at)));
    let missing: Vec<_> = paths.filter(|path| !Path::new(ROOT).join(path).exists()).collect();
    assert!(missing.is_empty(), "no such file: {missing:?}");

    let sources = ["src", "crates", "tests"].map(below);
    let code = sources.iter().flatten().flat_map(|source| source.text.lines());
    let tests: HashSet<_> = code.filter_map(|line| line.trim_start().split_once("fn ")?.1.split('(').next()).collect();
    let named = all
        .iter()
        .filter(|name| name.matches('_').count() >= 3 && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()));
    let missing: Vec<_> = named.filter(|name| !tests.contains(**name)).collect();
    assert!(missing.is_empty(), "no such test: {missing:?}");
}
