//! The promises of batches: one commit, and each asset created whole or not at all.

use super::assets::{listed, new_asset, store};
use crate::store::StoreError;
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::asset::Transfer;
use crate::store::records::create::{NewAsset, OnDuplicate};
use crate::store::records::format::Content;

fn text(name: &str) -> NewAsset {
    new_asset(name, Content::Text(format!("the text of {name}")))
}

#[test]
fn a_batch_is_one_commit() {
    let store = store();
    let before = store.versions().current();
    let new = (0..100).map(|number| text(&number.to_string())).collect();
    let created = store.create_assets(new, OnDuplicate::Create).expect("a batch");
    assert_eq!(created.iter().filter(|outcome| outcome.is_ok()).count(), 100);
    assert_eq!(store.versions().current() - before, 1);
    assert_eq!(store.create_assets(Vec::new(), OnDuplicate::Create), Ok(Vec::new()));
    assert_eq!(store.versions().current() - before, 1, "an empty batch commits nothing");
}

#[test]
fn an_asset_that_fails_half_way_leaves_nothing_and_the_others_are_created() {
    let store = store();
    store
        .write(|db| {
            db.execute_batch(
                "CREATE TEMP TRIGGER fail BEFORE INSERT ON annotation WHEN NEW.text = 'fail'
                 BEGIN SELECT RAISE(ABORT, 'no'); END",
            )?;
            Ok(())
        })
        .expect("a trigger");
    let mut bad = text("b");
    let annotation =
        |text: &str| NewAnnotation { kind: "DESCRIPTION".to_owned(), text: text.to_owned(), document: "{}".to_owned() };
    bad.annotations = vec![annotation("stored first"), annotation("fail")];
    let created = store.create_assets(vec![text("a"), bad, text("c")], OnDuplicate::Reuse).expect("a batch");
    assert!(matches!(created.as_slice(), [Ok(_), Err(StoreError::Broken(_)), Ok(_)]), "{created:?}");
    let names: Vec<_> = listed(&store, Transfer::Full).into_iter().filter_map(|whole| whole.asset.name).collect();
    assert_eq!(names, ["c", "a"]);
    let left: i64 = store
        .read(|db| {
            Ok(db.query_row("SELECT (SELECT count(*) FROM annotation) + (SELECT count(*) FROM format)", [], |row| {
                row.get(0)
            })?)
        })
        .expect("a count");
    assert_eq!(left, 2, "the formats of the two that were created");
}

#[test]
fn seeds_that_are_equal_are_created_once_within_a_batch() {
    let store = store();
    let created = store.create_assets(vec![text("a"), text("a"), text("b")], OnDuplicate::Reuse).expect("a batch");
    let created: Vec<_> = created.into_iter().map(|outcome| outcome.expect("an asset")).collect();
    assert_eq!(created[0].id, created[1].id);
    assert_eq!(created.iter().map(|asset| asset.existing).collect::<Vec<_>>(), [false, true, false]);
    let separate = store.create_assets(vec![text("a"), text("a")], OnDuplicate::Create).expect("a batch");
    assert!(separate.iter().all(|outcome| outcome.as_ref().is_ok_and(|asset| !asset.existing)));
}

#[test]
fn an_asset_from_before_names_were_derived_is_found_again() {
    let store = store();
    let old = store.create_asset(NewAsset { name: None, ..text("a") }, OnDuplicate::Create).expect("an asset");
    let derived = NewAsset { name_is_derived: true, ..text("a") };
    let found = store.create_asset(derived.clone(), OnDuplicate::Reuse).expect("found");
    assert_eq!((found.id, found.existing), (old.id.clone(), true));
    let given = store.create_asset(text("a"), OnDuplicate::Reuse).expect("an asset");
    assert!(!given.existing, "a name that is given is not that of an asset without one");
    let found = store.create_asset(derived, OnDuplicate::Reuse).expect("found");
    assert_eq!(found.id, given.id, "the same name is preferred");
}
