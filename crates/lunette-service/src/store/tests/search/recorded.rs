//! Exact searches find the same in the same order, with the same passages, as was recorded.
//!
//! `UPDATE_RECORDED=1 cargo test -p lunette-service recorded` records the answers anew.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::search;
use crate::store::Store;
use crate::store::records::create::{NewAsset, OnDuplicate};
use crate::store::records::format::Content;
use crate::store::records::item::{ItemKind, NewItem};
use crate::store::tests::assets::{new_asset, new_tag};

#[path = "../../../../../../tests/support/made_assets.rs"]
pub(super) mod made_assets;

use made_assets::{Made, made};

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/search_questions/exact.txt");
const ASSETS: usize = 3_000;
const BATCH: usize = 100;
/// How many names of an answer are written out; the digest is of all of it.
const NAMED: usize = 5;

const QUERIES: [&str; 34] = [
    "nebabababa",
    "file",
    "usual",
    "tibarolene",
    "nebabababa tibabababa",
    "usual nebabababa",
    "tirol",
    "777.py",
    "b",
    "nowhere",
    "file 12",
    "12",
    "topic",
    "topic 0001",
    "site007",
    "https://site007.example/",
    "rs",
    ".rs",
    "insert into notes",
    "echo",
    "let value",
    "lene lemo",
    "NEBABABABA",
    "nebababábà",
    "\"nebabababa\"",
    "nebabababa nowhere",
    "ba ne ti",
    "file 2999",
    "value = \"",
    "moba",
    "suka usual",
    "topic 0001 file",
    "x",
    "sukaka roro",
];

fn new(made: Made) -> NewAsset {
    assert!(made.name.contains(&made.number.to_string()));
    let website = |url: String| NewItem { kind: ItemKind::Website, ..new_tag(&url) };
    let tags = made.tags.iter().map(|text| new_tag(text));
    NewAsset {
        items: tags.chain(made.website.map(website)).collect(),
        ..new_asset(&made.name, Content::Text(made.content))
    }
}

/// Stores these assets, and waits until their contents are indexed.
pub(super) fn fill(store: &Store, made: impl Iterator<Item = Made>) {
    let mut made = made.peekable();
    while made.peek().is_some() {
        let batch = made.by_ref().take(BATCH).map(new).collect();
        store.create_assets(batch, OnDuplicate::Create).expect("a batch");
    }
    assert!(store.status.wait_until(|| store.search(&search("usual")).expect("a search").unindexed == 0));
}

fn filled() -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    fill(&store, (0..ASSETS).map(made));
    (folder, store)
}

/// The answer to each query: how many hits, a digest of all that is told of them, and the names of the first.
fn answers(store: &Store) -> String {
    let mut answers = String::new();
    for query in QUERIES {
        let hits = store.search(&search(query)).expect("a search").hits;
        let (mut told, mut names) = (Sha256::new(), Vec::new());
        for hit in &hits {
            let name =
                store.asset(&hit.id, crate::store::records::asset::Transfer::Withheld).expect("an asset").asset.name;
            told.update(format!("{name:?} {:?} {} {} {:?}\n", hit.location, hit.exact, hit.pseudo, hit.marks));
            names.extend(name);
        }
        let digest: String = told.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        writeln!(answers, "{query} => {} {digest}", hits.len()).expect("written");
        names.iter().take(NAMED).for_each(|name| writeln!(answers, "    {name}").expect("written"));
    }
    answers
}

#[test]
fn exact_searches_give_the_recorded_answers() {
    let (_folder, store) = filled();
    let answers = answers(&store);
    if std::env::var_os("UPDATE_RECORDED").is_some() {
        std::fs::write(RECORDED, &answers).expect("written");
    }
    assert_eq!(answers, std::fs::read_to_string(RECORDED).expect("recorded"));
}
