//! The feed publishes everything that was committed, nothing else, and never more than its bounds.

use futures_util::FutureExt as _;

use super::*;
use crate::store::records::create::{NewAsset, OnDuplicate};
use crate::store::records::format::Content;
use crate::store::records::item::{ItemKind, NewItem};
use crate::store::{NewConversation, now};

const LIMIT: usize = 10;

fn store() -> Store {
    Store::in_memory().expect("a store")
}

/// What there is to hear without waiting.
fn next_event(subscription: &mut Subscription) -> Option<FeedEvent> {
    subscription.next().now_or_never()
}

/// The records heard of, where nothing was left out.
fn records(subscription: &mut Subscription) -> Vec<(String, bool)> {
    match next_event(subscription) {
        Some(FeedEvent::Changed { records, behind: false }) => records,
        None => Vec::new(),
        other => panic!("{other:?}"),
    }
}

fn changed(id: &str) -> Vec<(String, bool)> {
    vec![(id.to_owned(), false)]
}

fn gone(id: &str) -> Vec<(String, bool)> {
    vec![(id.to_owned(), true)]
}

fn sql(store: &Store, statement: &'static str) -> Result<(), StoreError> {
    store.write(move |db| Ok(db.execute_batch(statement)?))
}

fn asset(store: &Store, name: &str) -> String {
    let new = NewAsset {
        id: None,
        name: Some(name.to_owned()),
        name_is_derived: false,
        mechanism: "MANUAL".to_owned(),
        application: r#"{"id":"a"}"#.to_owned(),
        generic: "TEXT".to_owned(),
        specific: "txt".to_owned(),
        favorited: false,
        created: None,
        updated: None,
        content: Content::Text(name.to_owned()),
        document: "{}".to_owned(),
        items: Vec::new(),
        annotations: Vec::new(),
        related: Vec::new(),
        archived: None,
    };
    store.create_asset(new, OnDuplicate::Create).expect("an asset").id
}

fn tag(store: &Store, text: &str) -> String {
    let new = NewItem {
        id: None,
        kind: ItemKind::Tag,
        key: Some(text.to_owned()),
        name: text.to_owned(),
        document: "{}".to_owned(),
        annotations: Vec::new(),
        counters: Vec::new(),
        mechanism: "MANUAL".to_owned(),
    };
    store.make_item(new, Vec::new()).expect("a tag").id
}

#[test]
fn creation_change_and_deletion_are_published_for_their_kind_only() {
    let store = store();
    sql(&store, "INSERT INTO origin (row, document) VALUES (1, '{}')").expect("an origin");
    asset(&store, "an asset");
    let rows: [(FeedKind, &'static str, &'static str, &'static str); 6] = [
        (
            FeedKind::Tag,
            "INSERT INTO item (kind, id, name, folded_name, created, updated) VALUES ('tag', 'x', '', '', 0, 0)",
            "UPDATE item SET name = 'b' WHERE id = 'x'",
            "DELETE FROM item WHERE id = 'x'",
        ),
        (
            FeedKind::Website,
            "INSERT INTO item (kind, id, name, folded_name, created, updated) VALUES ('website', 'x', '', '', 0, 0)",
            "UPDATE item SET name = 'b' WHERE id = 'x'",
            "DELETE FROM item WHERE id = 'x'",
        ),
        (
            FeedKind::Summary,
            "INSERT INTO item (kind, id, name, folded_name, created, updated) VALUES ('summary', 'x', '', '', 0, 0)",
            "UPDATE item SET name = 'b' WHERE id = 'x'",
            "DELETE FROM item WHERE id = 'x'",
        ),
        (
            FeedKind::Conversation,
            "INSERT INTO conversation (id, created, updated) VALUES ('x', 0, 0)",
            "UPDATE conversation SET name = 'b' WHERE id = 'x'",
            "DELETE FROM conversation WHERE id = 'x'",
        ),
        (
            FeedKind::Application,
            "INSERT INTO application (id, document) VALUES ('x', '{}')",
            "UPDATE application SET document = '[]' WHERE id = 'x'",
            "DELETE FROM application WHERE id = 'x'",
        ),
        (
            FeedKind::Asset,
            "INSERT INTO asset (id, mechanism, created, updated) VALUES ('x', 'MANUAL', 0, 0)",
            "UPDATE asset SET name = 'b' WHERE id = 'x'",
            "UPDATE asset SET deleted = 1 WHERE id = 'x'",
        ),
    ];
    for (kind, make, change, delete) in rows {
        let mut all = FeedKind::ALL.map(|kind| store.subscribe(kind, LIMIT));
        for (statement, reported) in [(make, changed("x")), (change, changed("x")), (delete, gone("x"))] {
            sql(&store, statement).expect(statement);
            for (index, followed) in FeedKind::ALL.into_iter().enumerate() {
                let expected = if followed == kind { reported.clone() } else { Vec::new() };
                assert_eq!(records(&mut all[index]), expected, "{statement} for {followed:?}");
            }
        }
    }
}

#[test]
fn an_activity_is_published_under_its_own_id() {
    let store = store();
    let asset = asset(&store, "a");
    let mut activities = store.subscribe(FeedKind::Activity, LIMIT);
    store.delete_asset(&asset).expect("deleted");
    let made = records(&mut activities);
    assert_eq!(made.len(), 1);
    sql(&store, "DELETE FROM activity").expect("deleted");
    assert!(records(&mut activities).contains(&(made[0].0.clone(), true)));
}

#[test]
fn a_link_is_published_on_both_sides_and_a_deleted_tag_on_its_assets() {
    let store = store();
    let (asset, tag) = (asset(&store, "a"), tag(&store, "t"));
    let (mut assets, mut tags) = (store.subscribe(FeedKind::Asset, LIMIT), store.subscribe(FeedKind::Tag, LIMIT));
    store.link(&asset, ItemKind::Tag, &tag).expect("linked");
    assert_eq!((records(&mut assets), records(&mut tags)), (changed(&asset), changed(&tag)));
    store.link(&asset, ItemKind::Tag, &tag).expect("linked");
    assert_eq!((records(&mut assets), records(&mut tags)), (Vec::new(), Vec::new()), "nothing changed");
    sql(&store, "DELETE FROM item").expect("deleted");
    assert_eq!((records(&mut assets), records(&mut tags)), (changed(&asset), gone(&tag)));
}

#[test]
fn changes_of_parts_count_as_changes_of_the_record() {
    let store = store();
    let asset = asset(&store, "a");
    let talk = NewConversation { name: None, messages: vec![("USER".into(), "?".into())], assets: vec![asset.clone()] };
    let talk = store.make_conversation(talk).expect("a conversation");
    let application: String = store
        .write(|db| {
            db.execute("INSERT INTO application (id, document) VALUES ('App', '{}')", [])?;
            db.execute("INSERT INTO registration (user_agent, application) SELECT 'me', row FROM application", [])?;
            Ok("App".to_owned())
        })
        .expect("an application");
    let mut assets = store.subscribe(FeedKind::Asset, LIMIT);
    let mut talks = store.subscribe(FeedKind::Conversation, LIMIT);
    let mut applications = store.subscribe(FeedKind::Application, LIMIT);
    sql(&store, "UPDATE content SET text = 'other'").expect("changed");
    assert_eq!(records(&mut assets), changed(&asset));
    sql(&store, "UPDATE format SET specific = 'md'").expect("changed");
    assert_eq!(records(&mut assets), changed(&asset));
    sql(&store, "UPDATE conversation_message SET text = '!'").expect("changed");
    assert_eq!((records(&mut talks), records(&mut assets)), (changed(&talk), Vec::new()));
    sql(&store, "DELETE FROM conversation_asset").expect("changed");
    assert_eq!((records(&mut talks), records(&mut assets)), (changed(&talk), changed(&asset)));
    store.open_session(Some("me".to_owned()), now()).expect("a session");
    assert_eq!(records(&mut applications), changed(&application));
}

#[test]
fn repeated_changes_of_a_record_are_published_once() {
    let store = store();
    let mut tags = store.subscribe(FeedKind::Tag, LIMIT);
    let (first, second) = (tag(&store, "first"), tag(&store, "second"));
    sql(&store, "UPDATE item SET name = 'x' WHERE key = 'first'; DELETE FROM item WHERE key = 'first'")
        .expect("changed");
    assert_eq!(records(&mut tags), [(second, false), (first, true)]);
}

#[test]
fn rolled_back_changes_are_not_published() {
    let store = store();
    let mut tags = store.subscribe(FeedKind::Tag, LIMIT);
    let insert = "INSERT INTO item (kind, id, name, folded_name, created, updated) VALUES ('tag', 'no', '', '', 0, 0)";
    let refused = store.write(move |db| -> Result<(), StoreError> {
        db.execute(insert, [])?;
        Err(StoreError::invalid("no"))
    });
    assert!(refused.is_err());
    let panicked = store.write(move |db| -> Result<(), StoreError> {
        db.execute(insert, [])?;
        panic!("a fault");
    });
    assert!(panicked.is_err());
    assert_eq!(next_event(&mut tags), None);
    let kept = tag(&store, "kept");
    assert_eq!(records(&mut tags), changed(&kept));
}

#[test]
fn a_failed_commit_publishes_nothing_and_the_next_one_is_published() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let mut tags = store.subscribe(FeedKind::Tag, LIMIT);
    let failed = sql(
        &store,
        "PRAGMA defer_foreign_keys = ON;
         INSERT INTO item (row, kind, id, name, folded_name, created, updated) VALUES (1, 'tag', 'no', '', '', 0, 0);
         INSERT INTO link (asset, item, mechanism, created) VALUES (99, 1, 'MANUAL', 0);",
    );
    assert!(matches!(failed, Err(StoreError::Broken(_))), "{failed:?}");
    assert_eq!(next_event(&mut tags), None);
    // The writer has another connection now.
    let kept = tag(&store, "kept");
    assert_eq!(records(&mut tags), changed(&kept));
}

#[test]
fn a_slow_subscriber_must_reread_and_gets_every_deletion() {
    let store = store();
    let mut tags = store.subscribe(FeedKind::Tag, LIMIT);
    let first = tag(&store, "first");
    for number in 0..100 {
        tag(&store, &number.to_string());
    }
    sql(&store, "DELETE FROM item WHERE key = 'first'").expect("deleted");
    assert_eq!(next_event(&mut tags), Some(FeedEvent::Changed { records: gone(&first), behind: true }));
    assert_eq!(next_event(&mut tags), None);
    let next = tag(&store, "next");
    assert_eq!(records(&mut tags), changed(&next));
}

#[test]
fn a_subscription_ends_if_more_deletions_are_pending_than_buffered() {
    let store = store();
    for number in 0..50 {
        tag(&store, &number.to_string());
    }
    let mut tags = store.subscribe(FeedKind::Tag, LIMIT);
    sql(&store, "DELETE FROM item").expect("deleted");
    tag(&store, "next");
    assert_eq!(next_event(&mut tags), Some(FeedEvent::End(FeedEnd::TooFarBehind)));
}

#[test]
fn dropped_subscribers_are_removed_and_closing_the_store_ends_the_rest() {
    let store = store();
    for _ in 0..10 {
        drop(store.subscribe(FeedKind::Tag, LIMIT));
    }
    let mut tags = store.subscribe(FeedKind::Tag, LIMIT);
    assert_eq!(store.feed.lock().len(), 1);
    drop(store);
    assert_eq!(next_event(&mut tags), Some(FeedEvent::End(FeedEnd::Closed)));
}

#[test]
fn pages_of_ids_cover_everything_newest_first() {
    let store = store();
    let ids: Vec<String> = (0..7).map(|number| asset(&store, &number.to_string())).collect();
    store.delete_asset(&ids[3]).expect("deleted");
    let (mut below, mut found) = (i64::MAX, Vec::new());
    loop {
        let page = store.page_of_ids(FeedKind::Asset, below, 2).expect("a page");
        let Some((last, _)) = page.last() else { break };
        below = *last;
        found.extend(page.into_iter().map(|(_, id)| id));
    }
    let expected: Vec<String> = ids.iter().rev().filter(|id| **id != ids[3]).cloned().collect();
    assert_eq!(found, expected);
}
