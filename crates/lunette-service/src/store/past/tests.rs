//! Every acknowledged change has its version, what was not recorded is said to be so, and what was forgotten is gone.

use super::entry::{PastContent, Reading};
use super::*;
use crate::store::Store;
use crate::store::records::asset::AssetChange;
use crate::store::records::format::Content;
use crate::store::records::item::ItemKind;
use crate::store::tests::assets::{add, add_tag};

mod bounds;
mod changes;
mod damage;
mod forgotten;
mod gaps;

/// What an asset is, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Whole {
    state: PastState,
    content: Option<(bool, Vec<u8>)>,
}

fn row_of(store: &Store, id: &str) -> i64 {
    let id = id.to_owned();
    store.read(|db| Ok(db.query_row("SELECT row FROM asset WHERE id = ?1", [id], |row| row.get(0))?)).expect("a row")
}

fn now_of(store: &Store, id: &str) -> Whole {
    let asset = row_of(store, id);
    let reading = store.read(|db| Reading::begin(db, asset, true)).expect("read");
    let content = reading.content.expect("content");
    Whole {
        state: reading.state.expect("a state"),
        content: content.map(|PastContent { binary, bytes }| (binary, bytes)),
    }
}

fn version(store: &Store, id: &str, number: i64) -> Result<Whole, StoreError> {
    let version = store.version_of(id, number, Read::Content)?;
    let content = version.content.map(|content| (matches!(content, Content::Bytes(_)), content.as_bytes().to_vec()));
    Ok(Whole { state: version.state, content })
}

/// Moves all that the log has into order.
fn arrange_all(store: &Store) {
    while store.read(waiting).expect("counted").is_some() {
        store.write(arrange).expect("moved");
    }
}

fn format_of(store: &Store, id: &str) -> String {
    let id = id.to_owned();
    let query = "SELECT format.id FROM format JOIN asset ON asset.row = format.asset WHERE asset.id = ?1";
    store.read(|db| Ok(db.query_row(query, [id], |row| row.get(0))?)).expect("a format")
}

fn edit(store: &Store, id: &str, text: &str) {
    store.replace_content(&format_of(store, id), Content::Text(text.to_owned())).expect("edited");
}

fn rename(store: &Store, id: &str, name: &str) {
    let change = AssetChange { name: Some(name.to_owned()), ..AssetChange::default() };
    store.update_asset(id, move |_| Ok(change)).expect("renamed");
}

fn numbers(store: &Store, id: &str) -> Vec<i64> {
    store.versions_of(id).expect("versions").entries.iter().map(|entry| entry.number).collect()
}

#[test]
fn an_asset_that_was_never_changed_has_the_version_that_it_was_created_as() {
    let store = Store::in_memory().expect("a store");
    let tag = add_tag(&store, "a");
    let id = add(&store, "one", "text");
    let versions = store.versions_of(&id).expect("versions");
    assert!(versions.from_creation && versions.ended.is_none() && versions.gaps.is_empty());
    let [only] = versions.entries.as_slice() else { panic!("one version: {versions:?}") };
    assert_eq!((only.number, only.changed.as_slice(), only.missing), (1, ["created"].as_slice(), None));
    assert!(only.at.is_some() && only.client.is_none());
    store.link(&id, ItemKind::Tag, &tag).expect("linked");
    assert_eq!(numbers(&store, &id), [2, 1]);
}

#[test]
fn a_version_says_who_wrote_it_what_changed_and_in_which_lines() {
    let store = Store::in_memory().expect("a store");
    let id = add(&store, "one", "a\nb\nc\n");
    as_client(Some("editor/2"), || edit(&store, &id, "a\nx\nc\nd\n"));
    rename(&store, &id, "two");
    let versions = store.versions_of(&id).expect("versions");
    let [renamed, edited, created] = versions.entries.as_slice() else { panic!("three versions: {versions:?}") };
    assert_eq!((renamed.changed.as_slice(), renamed.client.as_deref()), (["name"].as_slice(), None));
    assert_eq!((edited.changed.as_slice(), edited.client.as_deref()), (["content"].as_slice(), Some("editor/2")));
    let lines = edited.lines.clone().expect("lines");
    assert_eq!((lines.added, lines.removed, lines.first.as_str()), (2, 1, "x"));
    assert!(created.at < edited.at && edited.at < renamed.at);
    assert_eq!((edited.bytes, created.bytes), (Some(8), Some(6)));
}

#[test]
fn a_change_that_fails_and_one_that_changes_nothing_leave_no_version() {
    let store = Store::in_memory().expect("a store");
    let id = add(&store, "one", "text");
    let asset = row_of(&store, &id);
    let failed: Result<(), _> = store.write(move |db| {
        db.execute("UPDATE asset SET name = 'other' WHERE row = ?1", [asset])?;
        Err(StoreError::invalid("no"))
    });
    assert!(failed.is_err());
    edit(&store, &id, "text");
    rename(&store, &id, "one");
    assert_eq!(numbers(&store, &id), [1]);
}

#[test]
fn a_version_that_is_not_there_is_an_error_by_its_number() {
    let store = Store::in_memory().expect("a store");
    let id = add(&store, "one", "text");
    for number in [0, 2] {
        let error = version(&store, &id, number).expect_err("no version");
        assert!(matches!(error, StoreError::NoVersion { number: missing, .. } if missing == number), "{error}");
    }
    assert!(matches!(store.versions_of("unknown"), Err(StoreError::NotFound { .. })));
}
