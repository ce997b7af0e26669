//! What is related to an asset, why, and which assets are near duplicates.

use std::collections::HashMap;

use tempfile::TempDir;

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

/// A store in a folder: what is indexed behind a commit is awaited.
fn opened() -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    (folder, store)
}

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
    let (_folder, store) = opened();
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

#[test]
fn all_near_duplicates_are_found_in_groups_and_nothing_else() {
    const ASSETS: usize = 1_000;
    const COPIES: usize = 50;
    let (_folder, store) = opened();
    fill(&store, (0..ASSETS).map(made));
    let copy = |number: usize| {
        let original = made(number * (ASSETS / COPIES));
        // Six words that are edited are another text.
        let is_short = original.content.split(|letter: char| !letter.is_alphanumeric()).count() < 24;
        (!is_short).then(|| add(&store, &near_copies::name(number), &near_copies::edited(number, &original.content)))
    };
    let copies: Vec<(usize, String)> = (0..COPIES).filter_map(|number| Some((number, copy(number)?))).collect();
    let groups = store.near_duplicates(&InterruptToken::default()).expect("groups");
    let right = copies.iter().filter(|(number, copy)| {
        let original = found(&store, &made(number * (ASSETS / COPIES)).name).remove(0);
        groups.contains(&vec![copy.clone(), original])
    });
    assert!(right.count() * 100 >= copies.len() * 95, "{} groups of {}", groups.len(), copies.len());
    assert!(groups.len() <= copies.len(), "{} groups of {}", groups.len(), copies.len());
}

#[test]
fn a_group_has_the_last_updated_asset_first_and_the_same_bytes_are_one() {
    let store = store();
    let first = add(&store, "debounce.rs", TEXT);
    let second = add(&store, "copy", &TEXT.to_uppercase());
    let third = add(&store, "pause.rs", &TEXT.replace("quiet", "pause"));
    let bytes = |name: &str| {
        let new = new_asset(name, Content::Bytes(vec![0, 159, 146, 150]));
        store.create_asset(new, OnDuplicate::Create).expect("an asset").id
    };
    let pictures = [bytes("a.png"), bytes("b.png")];
    add(&store, "poem.txt", "roses are red and violets are blue, and so on");
    let deleted = add(&store, "deleted", TEXT);
    store.delete_asset(&deleted).expect("deleted");
    let groups = store.near_duplicates(&InterruptToken::default()).expect("groups");
    assert_eq!(groups, [vec![pictures[1].clone(), pictures[0].clone()], vec![third, second, first]]);
}
