//! A row that the disk changed is noticed when it is read, fails by itself, and is left out of lists.

use std::ops::ControlFlow;

use super::assets::{all, listed, new_asset, new_tag};
use super::*;
use crate::store::checksum::summed;
use crate::store::records::annotation::{About, NewAnnotation};
use crate::store::records::asset::{AssetChange, Description, Transfer};
use crate::store::records::create::OnDuplicate;
use crate::store::records::format::{Content, WholeFormat};
use crate::store::records::item::{ItemKind, ListedItem};

/// A store with two assets that have all that is summed; gives their ids.
fn filled(data: &Path) -> [String; 2] {
    let store = Store::open(data).expect("a store");
    ["first", "second"].map(|name| {
        let mut new = new_asset(name, Content::Text(format!("content of {name}")));
        new.items.push(new_tag(&format!("tag of {name}")));
        new.annotations.push(note(&format!("note on {name}")));
        let id = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
        let talk = NewConversation {
            name: Some(format!("talk of {name}")),
            messages: vec![("USER".to_owned(), format!("message of {name}"))],
            assets: vec![id.clone()],
        };
        store.make_conversation(talk).expect("a conversation");
        id
    })
}

fn note(text: &str) -> NewAnnotation {
    NewAnnotation { kind: "COMMENT".to_owned(), text: text.to_owned(), document: "{}".to_owned() }
}

/// Changes rows as a disk does: past the program that keeps their sums.
fn damage(data: &Path, statement: &str) {
    let db = Connection::open(database(data)).expect("a database");
    checksum::register(&db).expect("functions");
    assert!(db.execute(statement, []).expect("changed") > 0, "{statement}");
}

fn names(store: &Store) -> Vec<String> {
    let listed = listed(store, Transfer::Full);
    listed.into_iter().filter_map(|whole| whole.asset.name).collect()
}

#[test]
fn a_damaged_asset_fails_alone_is_not_listed_and_can_be_deleted() {
    let folder = folder();
    let [first, second] = filled(folder.path());
    damage(folder.path(), "UPDATE asset SET name = 'fIrst' WHERE name = 'first'");
    let store = Store::open(folder.path()).expect("a store");
    let refused = store.asset(&first, Transfer::Withheld).err();
    assert_eq!(refused, Some(StoreError::Damaged { what: "asset", id: first.clone() }));
    assert_eq!(names(&store), ["second"]);
    assert!(store.asset(&second, Transfer::Full).is_ok());
    assert_eq!(store.damaged_records(), 1, "it is told, and once");
    store.delete_asset(&first).expect("deleted");
    assert!(matches!(store.asset(&first, Transfer::Withheld), Err(StoreError::Gone { .. })));
}

#[test]
fn damaged_content_is_not_listed_and_fails_alone() {
    let folder = folder();
    let [first, second] = filled(folder.path());
    damage(folder.path(), "UPDATE content SET text = 'Content of first' WHERE text = 'content of first'");
    let store = Store::open(folder.path()).expect("a store");
    let listed = listed(&store, Transfer::Full);
    let contents: Vec<_> = listed.iter().map(|whole| (&whole.asset.id, whole.formats[0].content.is_some())).collect();
    assert_eq!(contents.len(), 2);
    assert!(contents.contains(&(&first, false)) && contents.contains(&(&second, true)), "{contents:?}");
    assert!(matches!(store.asset(&first, Transfer::Full), Err(StoreError::Damaged { what: "format", .. })));
    assert!(store.asset(&first, Transfer::Withheld).is_ok());
    assert_eq!(store.damaged_records(), 1);
    let mut formats = 0;
    store
        .each_format(Transfer::Full, all(|whole: WholeFormat| formats += usize::from(whole.format.content.is_some())))
        .expect("formats");
    assert_eq!(formats, 1);
}

#[test]
fn damaged_items_of_an_asset_are_omitted() {
    for (statement, what) in [
        ("UPDATE item SET name = 'Tag of first' WHERE name = 'tag of first'", "tag"),
        ("UPDATE annotation SET text = 'Note on first' WHERE text = 'note on first'", "annotation"),
        ("UPDATE conversation SET name = 'Talk of first' WHERE name = 'talk of first'", "conversation"),
        ("UPDATE conversation_message SET text = '' WHERE text = 'message of first'", "message"),
        // Not even text any more.
        ("UPDATE annotation SET text = CAST(x'ff' AS TEXT) WHERE text = 'note on first'", "annotation"),
    ] {
        let folder = folder();
        let [first, second] = filled(folder.path());
        damage(folder.path(), statement);
        let store = Store::open(folder.path()).expect("a store");
        let parts = |id: &str| {
            let whole = store.asset(id, Transfer::Full).expect("an asset");
            let messages: usize = whole.conversations.iter().map(|talk| talk.messages.len()).sum();
            [
                ("tag", whole.items.len()),
                ("annotation", whole.annotations.len()),
                ("conversation", whole.conversations.len()),
                ("message", messages),
            ]
        };
        assert_eq!(parts(&second).map(|(_, count)| count), [1; 4], "{what}");
        for (part, count) in parts(&first) {
            let with_its_conversation = what == "conversation" && part == "message";
            assert_eq!(count, usize::from(part != what && !with_its_conversation), "{part} where {what} is damaged");
        }
        assert_eq!(store.damaged_records(), 1, "{what}");
        assert_eq!(names(&store).len(), 2, "{what}");
        let mut count = 0;
        let each = |_: &ListedItem| {
            count += 1;
            Ok(ControlFlow::Continue(()))
        };
        store.each_item(ItemKind::Tag, each).expect("tags");
        assert_eq!(count, if what == "tag" { 1 } else { 2 }, "{what}");
    }
}

/// How many rows do not agree with their sums.
fn disagreeing(store: &Store) -> i64 {
    let queries = [
        concat!("SELECT count(*) FROM asset WHERE NOT (", summed!(asset), ")"),
        concat!("SELECT count(*) FROM format WHERE NOT (", summed!(format), ")"),
        concat!("SELECT count(*) FROM item WHERE NOT (", summed!(item), ")"),
        concat!("SELECT count(*) FROM aside WHERE NOT (", summed!(aside), ")"),
        concat!("SELECT count(*) FROM annotation WHERE NOT (", summed!(annotation), ")"),
        concat!("SELECT count(*) FROM conversation WHERE NOT (", summed!(conversation), ")"),
        concat!("SELECT count(*) FROM conversation_message WHERE NOT (", summed!(message), ")"),
    ];
    let count = |db: &Connection, query| Ok::<i64, StoreError>(db.query_row(query, [], |row| row.get(0))?);
    store.read(|db| queries.into_iter().map(|query| count(db, query)).sum()).expect("counted")
}

#[test]
fn every_write_keeps_the_checksums_of_rows_correct() {
    let folder = folder();
    let [first, second] = filled(folder.path());
    let store = Store::open(folder.path()).expect("a store");
    assert_eq!(disagreeing(&store), 0, "as made");
    let described = AssetChange {
        name: Some("renamed".to_owned()),
        document: Some(r#"{"more":1}"#.to_owned()),
        descriptions: vec![Description { id: None, text: "a description".to_owned() }],
        ..AssetChange::default()
    };
    store.update_asset(&first, |_| Ok(described)).expect("updated");
    let about = About { asset: Some(first.clone()), ..About::default() };
    let made = store.make_annotation(about, note("another")).expect("an annotation");
    store.delete_annotation(&made.id).expect("deleted");
    store.reclassify(&first, "CODE", "rs").expect("reclassified");
    store.delete_asset(&first).expect("deleted");
    store.restore_asset(&first).expect("restored");
    store.delete_asset(&second).expect("deleted");
    store.purge_asset(&second).expect("purged");
    assert_eq!(disagreeing(&store), 0);
    assert_eq!(names(&store), ["renamed"]);
    assert_eq!(store.damaged_records(), 0);
}

#[test]
fn a_format_that_is_damaged_in_any_column_fails_with_its_asset_and_is_not_listed() {
    for change in [
        "role = 'BOTI'",
        "generic = 'TEXU'",
        "specific = 'tyt'",
        "binary = 1",
        "size = size + 1",
        "created = created + 1",
        "id = replace(id, '0', '1')",
        "sha256 = zeroblob(32)",
        "origin = origin + 1024",
    ] {
        let folder = folder();
        let [first, second] = filled(folder.path());
        let db = Connection::open(database(folder.path())).expect("a database");
        db.execute_batch(
            "PRAGMA foreign_keys = OFF; INSERT INTO origin SELECT row + 1024, document || ' ' FROM origin",
        )
        .expect("as a disk does");
        drop(db);
        damage(
            folder.path(),
            &format!("UPDATE format SET {change} WHERE asset = (SELECT row FROM asset WHERE name = 'first')"),
        );
        let store = Store::open(folder.path()).expect("a store");
        let refused = store.asset(&first, Transfer::Withheld).err();
        assert!(matches!(refused, Some(StoreError::Damaged { what: "format", .. })), "{change}: {refused:?}");
        assert!(matches!(store.listed_asset(&first, Transfer::Full), Err(StoreError::Damaged { .. })), "{change}");
        assert_eq!(names(&store), ["second"], "{change}");
        let mut formats = 0;
        let mut count = |_: WholeFormat| {
            formats += 1;
            ControlFlow::Continue(())
        };
        store.each_format(Transfer::Withheld, &mut count).expect("formats");
        assert_eq!(formats, 1, "{change}");
        let mut listed = Vec::new();
        let collect = |asset: &crate::store::records::asset::ListedAsset| {
            listed.push(asset.id.clone());
            ControlFlow::Continue(())
        };
        store.each_listed_asset(None, 100, collect).expect("assets");
        assert_eq!(listed, [second], "{change}");
        // Neither does a change make its checksum right.
        assert!(store.reclassify(&first, "CODE", "rs").is_err(), "{change}");
        store.delete_asset(&first).expect("deleted");
    }
}
