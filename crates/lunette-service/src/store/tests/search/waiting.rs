//! The content of large batches is indexed behind their commits, and a search says how much is left.

use tempfile::TempDir;

use super::search;
use crate::store::Store;
use crate::store::records::create::OnDuplicate;
use crate::store::records::format::Content;
use crate::store::search::SearchMatches;
use crate::store::tests::assets::{add, new_asset};

/// A batch of so many assets whose content is indexed after the commit. Each has its own word and a common one.
fn import(store: &Store, count: usize) -> Vec<String> {
    let text = |number: usize| Content::Text(format!("common word{number} {}", "filler ".repeat(10_000)));
    let new = (0..count).map(|number| new_asset(&number.to_string(), text(number))).collect();
    let created = store.create_assets(new, OnDuplicate::Create).expect("a batch");
    created.into_iter().map(|created| created.expect("an asset").id).collect()
}

/// Lets nothing be indexed that waits, until [`go_on`]; or until the store is opened again.
fn hold(store: &Store) {
    let trigger = "CREATE TEMP TRIGGER hold BEFORE DELETE ON main.search_content_waiting BEGIN
                   SELECT RAISE(ABORT, 'not yet'); END";
    store.write(|db| Ok(db.execute_batch(trigger)?)).expect("a trigger");
}

fn go_on(store: &Store) {
    store.write(|db| Ok(db.execute_batch("DROP TRIGGER hold")?)).expect("dropped");
}

fn found(store: &Store, query: &str) -> (usize, usize) {
    let SearchMatches { hits, unindexed, .. } = store.search(&search(query)).expect("a search");
    (hits.len(), unindexed)
}

fn until_indexed(store: &Store) {
    assert!(store.status.wait_until(|| found(store, "common").1 == 0), "the writer does not index");
}

fn opened() -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    (folder, store)
}

#[test]
fn the_content_of_a_large_batch_is_indexed_without_another_write() {
    let (_folder, store) = opened();
    import(&store, 100);
    until_indexed(&store);
    assert_eq!((found(&store, "common"), found(&store, "word7").0), ((100, 0), 11));
}

#[test]
fn a_search_says_how_many_contents_are_not_indexed_yet_and_finds_their_names() {
    let (_folder, store) = opened();
    add(&store, "before", "common");
    hold(&store);
    let ids = import(&store, 20);
    assert_eq!(found(&store, "common"), (1, 20));
    let named = store.search(&search("13")).expect("a search");
    assert_eq!((named.hits[0].id.as_str(), named.hits[0].exact, named.unindexed), (ids[13].as_str(), true, 20));
    go_on(&store);
    until_indexed(&store);
    assert_eq!(found(&store, "common"), (21, 0));
}

#[test]
fn an_asset_that_is_created_alone_is_found_at_once_while_others_wait() {
    let (_folder, store) = opened();
    hold(&store);
    import(&store, 20);
    add(&store, "alone", &format!("lonely {}", "filler ".repeat(20_000)));
    assert_eq!(found(&store, "lonely"), (1, 20));
}

#[test]
fn a_small_batch_is_found_at_once() {
    let (_folder, store) = opened();
    hold(&store);
    let new = (0..20).map(|number| new_asset(&number.to_string(), Content::Text("common".to_owned()))).collect();
    store.create_assets(new, OnDuplicate::Create).expect("a batch");
    assert_eq!(found(&store, "common"), (20, 0));
}

#[test]
fn pending_content_is_indexed_after_a_restart() {
    let (folder, store) = opened();
    hold(&store);
    import(&store, 20);
    drop(store);
    let store = Store::open(folder.path()).expect("a store");
    until_indexed(&store);
    assert_eq!(found(&store, "common"), (20, 0));
}

#[test]
fn content_replaced_or_deleted_while_pending_is_indexed_in_its_final_state() {
    let (_folder, store) = opened();
    hold(&store);
    let ids = import(&store, 20);
    let format = |index: usize| {
        store.asset(&ids[index], crate::store::records::asset::Transfer::Withheld).expect("one").formats[0].id.clone()
    };
    let edited = format(13);
    go_on(&store);
    store.replace_content(&edited, Content::Text("common edited".to_owned())).expect("replaced");
    assert_eq!(found(&store, "edited").0, 1, "an edit is found at once");
    store.delete_asset(&ids[14]).expect("deleted");
    until_indexed(&store);
    assert_eq!((found(&store, "common"), found(&store, "word13"), found(&store, "word14")), ((19, 0), (0, 0), (0, 0)));
}
