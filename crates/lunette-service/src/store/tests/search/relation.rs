//! What is related to an asset, why, and which assets are near duplicates.

use std::collections::HashMap;

use super::recorded::fill;
use super::recorded::made_assets::made;
use super::{found, store};
use crate::store::interrupt::InterruptToken;
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::conversation::NewConversation;
use crate::store::records::create::{NewAsset, OnDuplicate};
use crate::store::records::format::Content;
use crate::store::records::item::ItemKind;
use crate::store::search::{RelatedAsset, Why};
use crate::store::tests::assets::{add, add_tag, new_asset};
use crate::store::{Store, StoreError};

#[path = "../../../../../../tests/support/near_copies.rs"]
mod near_copies;

const TEXT: &str = "fn debounce(quiet: Duration, mut call: impl FnMut()) { let mut last = Instant::now();
    loop { if last.elapsed() > quiet { call(); last = Instant::now(); } park_timeout(quiet); } }";

fn related(store: &Store, id: &str) -> Vec<RelatedAsset> {
    store.related_assets(id, 20, &InterruptToken::default()).expect("related assets").assets
}

/// The names of related assets.
fn names(related: &[RelatedAsset]) -> Vec<&str> {
    related.iter().map(|asset| asset.name.as_deref().unwrap_or_default()).collect()
}

/// An asset that an import made of a file.
fn imported(store: &Store, path: &str, text: &str) -> String {
    let name = path.rsplit('/').next().expect("a name");
    let annotation = NewAnnotation {
        kind: "DESCRIPTION".to_owned(),
        text: format!("Imported from {path}"),
        document: "{}".to_owned(),
    };
    let new = NewAsset { annotations: vec![annotation], ..new_asset(name, Content::Text(text.to_owned())) };
    store.create_asset(new, OnDuplicate::Create).expect("an asset").id
}

#[test]
fn planted_near_copies_are_in_the_first_five_and_no_other_asset_is_called_one() {
    const ASSETS: usize = 2_000;
    const COPIES: usize = 50;
    let store = store();
    fill(&store, (0..ASSETS).map(made));
    let original = |number: usize| number * (ASSETS / COPIES);
    let mut copies = HashMap::new();
    for number in 0..COPIES {
        let text = near_copies::edited(number, &made(original(number)).content);
        copies.insert(number, add(&store, &near_copies::name(number), &text));
    }
    let id = |number: usize| found(&store, &made(number).name).remove(0);
    let (mut first_five, mut wrong) = (0, Vec::new());
    for (number, copy) in &copies {
        let found = related(&store, &id(original(*number)));
        first_five += usize::from(found.iter().take(5).any(|asset| asset.id == *copy));
        wrong.extend(found.into_iter().filter(|asset| asset.near_duplicate.is_some() && asset.id != *copy));
        let other = related(&store, &id(original(*number) + 7));
        wrong.extend(other.into_iter().filter(|asset| asset.near_duplicate.is_some()));
    }
    assert!(first_five * 100 >= COPIES * 95, "{first_five} of {COPIES} copies are in the first five");
    assert!(wrong.is_empty(), "{:?} are called near duplicates", names(&wrong));
}

#[test]
fn a_near_duplicate_comes_first_and_what_else_is_shared_is_said() {
    let store = store();
    let original = add(&store, "debounce.rs", TEXT);
    add(&store, "Untitled", &TEXT.replace("quiet", "pause"));
    let tagged = add(&store, "other.sql", "SELECT name FROM invoices");
    let tag = add_tag(&store, "batch");
    for asset in [&original, &tagged] {
        store.link(asset, ItemKind::Tag, &tag).expect("linked");
    }
    add(&store, "debounce (2).rs", "use crossbeam");
    add(&store, "poem.txt", "roses violets");
    let found = related(&store, &original);
    assert_eq!(names(&found), ["Untitled", "debounce (2).rs", "other.sql"]);
    assert!(found[0].near_duplicate.is_some_and(|near| (0.5..1.0).contains(&near)), "{:?}", found[0]);
    assert_eq!(found[2].why, Why { tags: vec!["batch".to_owned()], ..Why::default() });
    assert!(found[1].why.name && found[1].near_duplicate.is_none());
    assert!(found[0].why.words > 5);
}

#[test]
fn the_same_content_is_a_near_duplicate_whatever_it_is() {
    let store = store();
    let bytes = |name: &str| {
        let new = new_asset(name, Content::Bytes(vec![0, 159, 146, 150]));
        store.create_asset(new, OnDuplicate::Create).expect("an asset").id
    };
    let original = bytes("logo.png");
    bytes("other");
    assert_eq!(related(&store, &original)[0].near_duplicate, Some(1.0));
}

#[test]
fn folder_and_conversation_relate_assets_that_share_no_word() {
    let store = store();
    let original = imported(&store, "lib/net/socket.c", "int connect");
    imported(&store, "lib/net/resolver.c", "char hostname");
    imported(&store, "lib/gui/window.c", "void paint");
    let discussed = add(&store, "minutes.md", "agenda");
    let assets = vec![original.clone(), discussed];
    let new = NewConversation { name: Some("Sockets".to_owned()), messages: Vec::new(), assets };
    store.make_conversation(new).expect("a conversation");
    let found = related(&store, &original);
    assert_eq!(names(&found), ["minutes.md", "resolver.c"]);
    assert_eq!((found[0].why.conversations, found[1].why.folder), (1, true));
    assert_eq!(found[1].path.as_deref(), Some("lib/net/resolver.c"));
}

#[test]
fn deleted_assets_are_not_related_and_have_no_relations() {
    let store = store();
    let original = add(&store, "debounce.rs", TEXT);
    let copy = add(&store, "copy.rs", TEXT);
    store.delete_asset(&copy).expect("deleted");
    assert_eq!(related(&store, &original), []);
    assert!(matches!(store.related_assets(&copy, 20, &InterruptToken::default()), Err(StoreError::Gone { .. })));
}

#[test]
fn what_almost_every_text_begins_with_makes_no_near_duplicates() {
    let store = store();
    let licence = "Permission is hereby granted free of charge to any person obtaining a copy of this software and
        associated documentation files to deal in the software without restriction including the rights to use copy
        modify merge publish distribute sublicense and sell copies of the software ";
    let text = |number: usize| {
        format!("{licence}\n fn topic{number}x() -> Result{number}x {{ call{number}x(alpha{number}x) }}")
    };
    for number in 0..300 {
        add(&store, &format!("part{number}x.rs"), &text(number));
    }
    let original = add(&store, "main.rs", &format!("{} beta{}x", text(7), 7));
    let near: Vec<RelatedAsset> =
        related(&store, &original).into_iter().filter(|asset| asset.near_duplicate.is_some()).collect();
    assert_eq!(names(&near), ["part7x.rs"]);
}
