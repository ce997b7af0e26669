//! The promises of the asset side: counters add up, links are one row, content is left alone, deletion leaves a trace.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::store::records::activity::{ActivityRow, Event, Scope, WholeActivity};
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::asset::{AssetChange, Counter, Transfer, Which, WholeAsset};
use crate::store::records::create::{NewAsset, OnDuplicate};
use crate::store::records::format::Content;
use crate::store::records::item::{ItemKind, NewItem};
use crate::store::search::{Search, SearchMatches};
use crate::store::{Store, StoreError};
use lunette_client::model::event::FixedEvent;
use lunette_client::model::search_terms::SearchTerms;

pub(in crate::store) fn store() -> Store {
    Store::in_memory().expect("a store")
}

pub(in crate::store) fn new_asset(name: &str, content: Content) -> NewAsset {
    NewAsset {
        id: None,
        name: Some(name.to_owned()),
        name_is_derived: false,
        mechanism: "MANUAL".to_owned(),
        application: r#"{"id":"a"}"#.to_owned(),
        generic: "TEXT".to_owned(),
        specific: "txt".to_owned(),
        content,
        favorited: false,
        created: None,
        updated: None,
        document: "{}".to_owned(),
        items: Vec::new(),
        annotations: Vec::new(),
        related: Vec::new(),
        archived: None,
    }
}

/// A visitor that wants all.
pub(super) fn all<T>(mut each: impl FnMut(T)) -> impl FnMut(T) -> ControlFlow<()> {
    move |one| {
        each(one);
        ControlFlow::Continue(())
    }
}

/// The ids of these assets.
pub(super) fn asset_ids(store: &Store, which: Which) -> Result<Vec<String>, StoreError> {
    let mut ids = Vec::new();
    store.each_asset_id(which, |id| {
        ids.push(id.to_owned());
        ControlFlow::Continue(())
    })?;
    Ok(ids)
}

/// The first ten assets.
pub(super) fn listed(store: &Store, transfer: Transfer) -> Vec<WholeAsset> {
    let mut page = Vec::new();
    store.each_asset(Which::All, (0, 10), transfer, all(|whole| page.push(whole))).expect("a list");
    page
}

pub(in crate::store) fn add(store: &Store, name: &str, text: &str) -> String {
    store.create_asset(new_asset(name, Content::Text(text.to_owned())), OnDuplicate::Create).expect("an asset").id
}

pub(super) fn new_tag(text: &str) -> NewItem {
    NewItem {
        id: None,
        kind: ItemKind::Tag,
        key: Some(text.to_owned()),
        name: text.to_owned(),
        document: "{}".to_owned(),
        annotations: Vec::new(),
        counters: Vec::new(),
        mechanism: "MANUAL".to_owned(),
    }
}

pub(in crate::store) fn add_tag(store: &Store, text: &str) -> String {
    store.make_item(new_tag(text), Vec::new()).expect("a tag").id
}

pub(super) fn activities(store: &Store, asset: &str) -> Vec<ActivityRow> {
    let mut found = Vec::new();
    store
        .each_activity(Scope::Asset(asset), all(|whole: WholeActivity| found.push(whole.activity)))
        .expect("activities");
    found
}

pub(super) fn count(store: &Store, query: &'static str) -> i64 {
    store.read(|db| Ok(db.query_row(query, [], |row| row.get(0))?)).expect("a count")
}

#[test]
fn sixty_four_threads_increment_to_the_exact_sum() {
    let store = Arc::new(store());
    let id = add(&store, "a", "x");
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                for _ in 0..50 {
                    store.increment(&id, Counter::Reuse).expect("incremented");
                }
            });
        }
    });
    let score = store.asset(&id, Transfer::Withheld).expect("the asset").asset.score;
    assert_eq!((score.reuse, score.manual, score.priority), (Some(3200), 0, None));
}

#[test]
fn an_increment_at_the_maximum_is_refused_and_changes_nothing() {
    let store = store();
    let id = add(&store, "a", "x");
    store.write(|db| Ok(db.execute("UPDATE asset SET score_update = 9223372036854775807", [])?)).expect("set");
    assert!(matches!(store.increment(&id, Counter::Update), Err(StoreError::Invalid(_))));
    let score = store.asset(&id, Transfer::Withheld).expect("the asset").asset.score;
    assert_eq!(score.update, Some(i64::MAX));
}

#[test]
fn linking_from_many_threads_keeps_one_link_and_one_activity() {
    let store = Arc::new(store());
    let (id, tag) = (add(&store, "a", "x"), add_tag(&store, "t"));
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| store.link(&id, ItemKind::Tag, &tag).expect("linked"));
        }
    });
    assert_eq!(count(&store, "SELECT count(*) FROM link"), 1);
    let events: Vec<_> = activities(&store, &id).into_iter().map(|one| one.event).collect();
    assert_eq!(events, [Event::Created, Event::TagAdded].map(Event::key));
}

#[test]
fn a_link_of_another_kind_is_not_found() {
    let store = store();
    let (id, tag) = (add(&store, "a", "x"), add_tag(&store, "t"));
    assert_eq!(store.link(&id, ItemKind::Website, &tag), Err(StoreError::not_found("website", tag)));
}

#[test]
fn withheld_content_is_not_read() {
    let store = store();
    let id = add(&store, "a", "x");
    // Without the table every read of content fails.
    store.write(|db| Ok(db.execute_batch("ALTER TABLE content RENAME TO elsewhere")?)).expect("renamed");
    assert!(store.asset(&id, Transfer::Full).is_err());
    let whole = store.asset(&id, Transfer::Withheld).expect("the asset");
    assert_eq!(whole.formats[0].content, None);
    assert_eq!(whole.formats[0].size_bytes, 1);
    assert_eq!(listed(&store, Transfer::Withheld).len(), 1);
}

#[test]
fn a_deleted_asset_is_distinguished_from_an_unknown_one() {
    let store = store();
    let mut new = new_asset("a", Content::Text("needle".to_owned()));
    new.items.push(new_tag("t"));
    new.annotations.push(NewAnnotation {
        kind: "DESCRIPTION".to_owned(),
        text: "d".to_owned(),
        document: "{}".to_owned(),
    });
    let id = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
    store.delete_asset(&id).expect("deleted");
    store.purge_asset(&id).expect("deleted permanently");
    let error = |id: &str| store.asset(id, Transfer::Full).err();
    assert_eq!(error(&id), Some(StoreError::gone("asset", id.clone())));
    assert_eq!(error("other"), Some(StoreError::not_found("asset", "other")));
    for left in [
        "SELECT count(*) FROM content",
        "SELECT count(*) FROM format",
        "SELECT count(*) FROM link",
        "SELECT count(*) FROM annotation",
        "SELECT count(*) FROM trash",
        "SELECT count(*) FROM trash_link",
        "SELECT count(*) FROM trash_annotation",
    ] {
        assert_eq!(count(&store, left), 0, "{left}");
    }
    let needle =
        Search { words: SearchTerms::of("needle"), query: "needle".to_owned(), limit: 10, ..Search::default() };
    assert_eq!(store.search(&needle), Ok(SearchMatches::default()));
    assert_eq!(count(&store, "SELECT count(*) FROM item"), 1);
    assert_eq!(count(&store, "SELECT count(*) FROM activity WHERE event = 'asset_deleted'"), 1);
}

#[test]
fn an_update_that_changes_nothing_leaves_no_trace() {
    let store = store();
    let id = add(&store, "a", "x");
    let before = store.asset(&id, Transfer::Withheld).expect("the asset").asset;
    let same = AssetChange { name: Some("a".to_owned()), document: Some("{}".to_owned()), ..AssetChange::default() };
    store.update_asset(&id, |_| Ok(same)).expect("updated");
    assert_eq!(store.asset(&id, Transfer::Withheld).expect("the asset").asset, before);
    assert_eq!(activities(&store, &id).len(), 1);
}

#[test]
fn updated_never_moves_back() {
    let store = store();
    let (id, tag) = (add(&store, "a", "x"), add_tag(&store, "t"));
    store.write(|db| Ok(db.execute("UPDATE asset SET updated = 9000000000000000", [])?)).expect("a clock ahead");
    store.link(&id, ItemKind::Tag, &tag).expect("linked");
    let updated = store.asset(&id, Transfer::Withheld).expect("the asset").asset.updated;
    assert_eq!(updated, 9_000_000_000_000_001);
}

#[test]
fn the_same_application_is_stored_once() {
    let store = store();
    for name in ["a", "b", "c"] {
        add(&store, name, name);
    }
    assert_eq!(count(&store, "SELECT count(*) FROM origin"), 1);
}

#[test]
fn the_ranks_of_activities_add_up_to_the_score() {
    let store = store();
    let (id, tag) = (add(&store, "a", "x"), add_tag(&store, "t"));
    store.link(&id, ItemKind::Tag, &tag).expect("linked");
    store.reclassify(&id, "CODE", "py").expect("reclassified");
    store.reclassify(&id, "CODE", "py").expect("already so");
    let ranks: i64 = activities(&store, &id).iter().map(|one| one.rank).sum();
    assert_eq!(ranks, 3);
    assert_eq!(store.asset(&id, Transfer::Withheld).expect("the asset").asset.score.manual, ranks);
}

#[test]
fn a_reclassification_and_its_way_back_leave_the_score_unchanged() {
    let store = store();
    let id = add(&store, "a", "x");
    let score = || store.asset(&id, Transfer::Withheld).expect("the asset").asset.score.manual;
    let mut scores = Vec::new();
    for specific in ["py", "txt", "py", "rs", "py", "c"] {
        store.reclassify(&id, "TEXT", specific).expect("reclassified");
        scores.push(score());
    }
    assert_eq!(scores, [1, 0, 1, 2, 1, 2]);
    assert_eq!(activities(&store, &id).iter().map(|one| one.rank).sum::<i64>(), 2);
}

#[test]
fn every_event_the_store_remembers_is_in_the_fixed_list() {
    for event in Event::ALL {
        assert!(FixedEvent::find("asset", event.key()).is_some(), "{event:?}");
    }
}

#[test]
fn an_asset_is_created_completely_or_not_at_all() {
    let store = store();
    store.write(|db| Ok(db.execute_batch("ALTER TABLE activity RENAME TO elsewhere")?)).expect("renamed");
    assert!(store.create_asset(new_asset("a", Content::Bytes(vec![1])), OnDuplicate::Create).is_err());
    assert_eq!(count(&store, "SELECT count(*) FROM asset"), 0);
    assert_eq!(count(&store, "SELECT count(*) FROM content"), 0);
}
