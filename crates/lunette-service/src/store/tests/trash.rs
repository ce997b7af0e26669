//! What is deleted is hidden, comes back as it was, and is deleted permanently after its time.

use std::ops::ControlFlow;

use rusqlite::types::Value;

use super::assets::{activities, add, add_tag, all, asset_ids, count, listed, new_asset, new_tag, store};
use super::data;
use crate::store::feed::{FeedEvent, FeedKind};
use crate::store::interrupt::InterruptToken;
use crate::store::records::activity::{Scope, WholeActivity};
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::asset::{Counter, Transfer, Which};
use crate::store::records::conversation::NewConversation;
use crate::store::records::create::OnDuplicate;
use crate::store::records::format::Content;
use crate::store::records::item::{ItemKind, ListedItem};
use crate::store::records::related::{NewRelated, RelatedKind};
use crate::store::records::trash::TrashedAsset;
use crate::store::search::{Search, Texts};
use crate::store::{Store, StoreError, upkeep};
use lunette_client::model::search_terms::SearchTerms;
use lunette_client::model::trash::KEPT_DAYS;

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// An asset with everything an asset can have; its id, and that of its hint and conversation.
fn add_whole(store: &Store) -> (String, String, String) {
    let mut new = new_asset("whole", Content::Text("the needle in it".to_owned()));
    new.document = r#"{"curated":true}"#.to_owned();
    new.items.extend([new_tag("first"), new_tag("second")]);
    new.items.push(crate::store::records::item::NewItem { kind: ItemKind::Website, ..new_tag("https://a") });
    new.items.push(crate::store::records::item::NewItem { kind: ItemKind::Summary, key: None, ..new_tag("talk") });
    for text in ["one", "two"] {
        new.annotations.push(NewAnnotation {
            kind: "DESCRIPTION".to_owned(),
            text: text.to_owned(),
            document: r#"{"of_tomorrow":1}"#.to_owned(),
        });
    }
    let id = store.create_asset(new, OnDuplicate::Create).expect("an asset").id;
    let hint = NewRelated {
        kind: RelatedKind::Hint,
        document: "{}".to_owned(),
        mechanism: "MANUAL".to_owned(),
        link: r#"{"said":1}"#.to_owned(),
        annotations: Vec::new(),
    };
    let hint = store.make_related(hint, Some(&id)).expect("a hint").related_record.id;
    let talk = NewConversation { assets: vec![id.clone()], ..NewConversation::default() };
    let talk = store.make_conversation(talk).expect("a conversation");
    store.increment(&id, Counter::Reuse).expect("counted");
    (id, hint, talk)
}

/// Every row that is about assets, but for what may differ after an asset was deleted and restored.
fn rows(store: &Store) -> Vec<String> {
    let queries = [
        "SELECT json_array(id, name, mechanism, created, deleted, favorited, score_manual, score_automatic, score_reuse,
           document) FROM asset",
        "SELECT json_array(row, id, asset, place, specific, hex(sha256), created, updated) FROM format",
        "SELECT json_array(format, text, hex(bytes)) FROM content",
        "SELECT json_array(asset, item, mechanism, created) FROM link",
        "SELECT json_array(asset, aside, mechanism, document) FROM aside_link",
        "SELECT json_array(conversation, asset) FROM conversation_asset",
        "SELECT json_array(id, asset, item, kind, text, created, updated, document) FROM annotation",
        "SELECT json_array(row, name, tag, website, description) FROM search_text",
        "SELECT json_array(id, event, rank) FROM activity WHERE event NOT IN ('asset_deleted', 'asset_updated')",
    ];
    store
        .read(|db| {
            let mut lines = Vec::new();
            for query in queries {
                let mut statement = db.prepare(&format!("{query} ORDER BY 1"))?;
                let found = statement.query_map([], |row| row.get::<_, String>(0))?;
                lines.extend(found.collect::<Result<Vec<_>, _>>()?);
            }
            Ok(lines)
        })
        .expect("rows")
}

fn search(store: &Store, word: &str) -> usize {
    let search = Search { words: SearchTerms::of(word), query: word.to_owned(), limit: 10, ..Search::default() };
    store.search(&search).expect("a search").hits.len()
}

/// A page of the Trash.
fn page(store: &Store, offset: u64, limit: u64) -> Vec<TrashedAsset> {
    let mut page = Vec::new();
    store.each_trashed((offset, limit), all(|trashed| page.push(trashed))).expect("the Trash");
    page
}

fn trashed(store: &Store) -> Vec<String> {
    page(store, 0, u64::MAX).into_iter().map(|one| one.whole.asset.id).collect()
}

#[test]
fn restoring_an_asset_restores_content_links_history_and_score() {
    let store = store();
    let other = add(&store, "other", "y");
    let (id, ..) = add_whole(&store);
    let before = rows(&store);
    let updated = store.asset(&id, Transfer::Full).expect("the asset").asset.updated;
    store.delete_asset(&id).expect("deleted");
    assert_eq!(trashed(&store), [id.as_str()]);
    store.restore_asset(&id).expect("restored");
    assert_eq!(rows(&store), before);
    let whole = store.asset(&id, Transfer::Full).expect("the asset");
    assert!(whole.asset.updated > updated);
    assert_eq!(whole.formats[0].content, Some(Content::Text("the needle in it".to_owned())));
    assert_eq!((search(&store, "needle"), search(&store, "first")), (1, 1));
    let events: Vec<_> = activities(&store, &id).into_iter().map(|one| one.event).rev().take(2).collect();
    assert_eq!(events, ["asset_updated", "asset_deleted"]);
    assert_eq!(trashed(&store), [""; 0]);
    assert_eq!(asset_ids(&store, Which::All).expect("ids"), [id, other]);
}

#[test]
fn trashed_assets_appear_only_in_the_trash() {
    let store = store();
    let (id, hint, talk) = add_whole(&store);
    let whole = store.asset(&id, Transfer::Withheld).expect("the asset");
    let (format, annotation) = (whole.formats[0].id.clone(), whole.annotations[0].id.clone());
    store.delete_asset(&id).expect("deleted");
    assert_eq!(store.asset(&id, Transfer::Full).err(), Some(StoreError::gone("asset", id.clone())));
    assert_eq!(store.delete_asset(&id), Err(StoreError::gone("asset", id.clone())));
    assert_eq!(asset_ids(&store, Which::All), Ok(Vec::new()));
    assert_eq!(listed(&store, Transfer::Full).len(), 0);
    for word in ["needle", "whole", "first", "one"] {
        assert_eq!(search(&store, word), 0, "{word}");
    }
    assert_eq!(store.tagged(&["first".to_owned()], false, 9), Ok(Vec::new()));
    for kind in [ItemKind::Tag, ItemKind::Website, ItemKind::Summary] {
        let unlinked = |item: &ListedItem| {
            item.each_asset(|asset, _| panic!("{kind:?} of {asset}"))?;
            Ok(ControlFlow::Continue(()))
        };
        store.each_item(kind, unlinked).expect("items");
    }
    assert!(store.related_record(RelatedKind::Hint, &hint).expect("the hint").links.is_empty());
    assert!(store.conversation(&talk).expect("the conversation").assets.is_empty());
    assert_eq!(store.format(&format, Transfer::Full).err(), Some(StoreError::not_found("format", format.clone())));
    assert!(store.replace_content(&format, Content::Text("other".to_owned())).is_err());
    let mut formats = 0;
    store.each_format(Transfer::Withheld, all(|_| formats += 1)).expect("formats");
    assert_eq!(formats, 0);
    assert!(store.annotation(&annotation).is_err() && store.delete_annotation(&annotation).is_err());
    let mut texts = 0;
    store.texts(Texts::Annotations, |_, _| texts += 1).expect("texts");
    store
        .each_annotation(None, |_| {
            texts += 1;
            ControlFlow::Continue(())
        })
        .expect("annotations");
    assert_eq!(texts, 0);
    assert!(store.increment(&id, Counter::Reuse).is_err() && store.reclassify(&id, "CODE", "py").is_err());
    store
        .each_activity(Scope::All { pseudo: true }, all(|one: WholeActivity| assert!(one.asset.is_none())))
        .expect("activities");
    assert_eq!(store.page_of_ids(FeedKind::Asset, i64::MAX, 9), Ok(Vec::new()));
}

#[test]
fn deleting_writes_little_and_does_not_move_the_content() {
    let store = store();
    let large = "x".repeat(4 << 20);
    let id = add(&store, "large", &large);
    let before: i64 =
        store.write(|db| Ok(db.query_row("SELECT total_changes()", [], |row| row.get(0))?)).expect("a count");
    store.delete_asset(&id).expect("deleted");
    let after: i64 =
        store.write(|db| Ok(db.query_row("SELECT total_changes()", [], |row| row.get(0))?)).expect("a count");
    assert!(after - before < 40, "{} rows were written", after - before);
    assert_eq!(count(&store, "SELECT count(*) FROM content WHERE octet_length(text) = 4194304"), 1);
}

#[tokio::test]
async fn subscribers_see_the_deletion_and_the_restoration() {
    let store = store();
    let (id, ..) = add_whole(&store);
    let mut news = store.subscribe(FeedKind::Asset, 10);
    let changed = |deleted| FeedEvent::Changed { records: vec![(id.clone(), deleted)], behind: false };
    store.delete_asset(&id).expect("deleted");
    assert_eq!(news.next().await, changed(true));
    store.restore_asset(&id).expect("restored");
    assert_eq!(news.next().await, changed(false));
}

#[test]
fn links_deleted_meanwhile_are_omitted_and_recorded_as_unlinked() {
    let store = store();
    let (id, hint, talk) = add_whole(&store);
    let score = |store: &Store| store.asset(&id, Transfer::Withheld).expect("the asset").asset.score.manual;
    let tag = store.item_of_key(ItemKind::Tag, "first").expect("read").expect("the tag");
    let before = score(&store);
    store.delete_asset(&id).expect("deleted");
    store.delete_item(ItemKind::Tag, &tag).expect("deleted");
    store.delete_related(RelatedKind::Hint, &hint).expect("deleted");
    store.delete_conversation(&talk).expect("deleted");
    store.restore_asset(&id).expect("restored");
    let whole = store.asset(&id, Transfer::Full).expect("the asset");
    let tags: Vec<_> = whole.items.iter().filter(|linked| linked.shared.item.kind == ItemKind::Tag).collect();
    assert_eq!(tags.iter().map(|linked| linked.shared.item.name.as_str()).collect::<Vec<_>>(), ["second"]);
    assert!(whole.related.is_empty() && whole.conversations.is_empty());
    assert_eq!(score(&store), before - 2 - 2 - 1);
    let events: Vec<_> = activities(&store, &id).into_iter().map(|one| one.event).collect();
    assert!(events.contains(&"asset_tag_deleted".to_owned()) && events.contains(&"asset_hint_deleted".to_owned()));
}

#[test]
fn an_annotation_created_meanwhile_does_not_block_the_restore() {
    let store = store();
    let (first, ..) = add_whole(&store);
    store.delete_asset(&first).expect("deleted");
    let (second, ..) = add_whole(&store);
    store.delete_asset(&second).expect("deleted");
    let (third, ..) = add_whole(&store);
    for id in [&first, &second] {
        store.restore_asset(id).expect("restored");
    }
    for id in [&first, &second, &third] {
        let texts = store.asset(id, Transfer::Withheld).expect("the asset").annotations;
        assert_eq!(texts.iter().map(|one| one.text.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    }
}

#[test]
fn deleted_content_can_be_created_again_while_it_is_in_the_trash() {
    let store = store();
    let id = add(&store, "a", "x");
    store.delete_asset(&id).expect("deleted");
    let made = store.create_asset(new_asset("a", Content::Text("x".to_owned())), OnDuplicate::Reuse).expect("an asset");
    assert!(!made.existing && made.id != id);
    store.restore_asset(&id).expect("restored");
    assert_eq!(asset_ids(&store, Which::All).map(|ids| ids.len()), Ok(2));
}

#[test]
fn restoring_is_idempotent_and_unknown_or_purged_assets_are_refused() {
    let store = store();
    let id = add(&store, "a", "x");
    assert_eq!(store.restore_asset("other"), Err(StoreError::not_found("asset", "other")));
    assert_eq!(store.purge_asset("other"), Err(StoreError::not_found("asset", "other")));
    assert!(matches!(store.purge_asset(&id), Err(StoreError::Conflict(_))), "it is not in the Trash");
    store.delete_asset(&id).expect("deleted");
    store.restore_asset(&id).expect("restored");
    let updated = store.asset(&id, Transfer::Withheld).expect("the asset").asset.updated;
    store.restore_asset(&id).expect("it is there");
    assert_eq!(store.asset(&id, Transfer::Withheld).expect("the asset").asset.updated, updated);
    store.delete_asset(&id).expect("deleted");
    store.purge_asset(&id).expect("deleted permanently");
    assert_eq!(store.restore_asset(&id), Err(StoreError::gone("asset", id.clone())));
    assert_eq!(store.purge_asset(&id), Err(StoreError::gone("asset", id.clone())));
}

#[test]
fn emptying_deletes_everything_in_the_trash_and_nothing_else() {
    let store = store();
    let kept = add(&store, "kept", "k");
    for number in 0..150 {
        let id = add(&store, "a", &number.to_string());
        store.delete_asset(&id).expect("deleted");
    }
    assert_eq!(page(&store, 100, 100).len(), 50);
    assert!(matches!(store.empty_trash(Some(149)), Err(StoreError::Conflict(_))));
    assert_eq!(page(&store, 0, 1_000).len(), 150, "nothing was deleted");
    store.empty_trash(Some(150)).expect("emptied");
    assert_eq!(trashed(&store), [""; 0]);
    assert_eq!(count(&store, "SELECT count(*) FROM content"), 1);
    assert_eq!(asset_ids(&store, Which::All), Ok(vec![kept]));
    store.empty_trash(None).expect("there is nothing to do");
}

#[test]
fn maintenance_purges_assets_after_30_days_in_the_trash() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    let ids: Vec<_> = (0..70).map(|number| add(&store, "a", &number.to_string())).collect();
    ids.iter().for_each(|id| store.delete_asset(id).expect("deleted"));
    let deleted = page(&store, 0, 1)[0].deleted;
    let oldest = page(&store, 69, 1)[0].deleted;
    let queue = store.writer.queue().expect("a queue");
    let purge = |now| upkeep::purge_expired(&queue, now, &InterruptToken::default());
    assert_eq!((KEPT_DAYS, purge(oldest + 30 * DAY - 1)), (30, Ok(0)));
    assert_eq!(purge(deleted + 30 * DAY), Ok(70));
    assert_eq!(trashed(&store), [""; 0]);
    assert_eq!(store.restore_asset(&ids[0]), Err(StoreError::gone("asset", ids[0].clone())));
}

#[test]
fn a_backup_has_the_trash_too() {
    let (_around, data) = data();
    let store = Store::open(&data).expect("a store");
    let (id, ..) = add_whole(&store);
    let before = rows(&store);
    store.delete_asset(&id).expect("deleted");
    let backup = store.back_up().expect("a backup");
    store.purge_asset(&id).expect("deleted permanently");
    drop(store);
    crate::store::restore(&data, &backup.path).expect("the backup is restored");
    let store = Store::open(&data).expect("a store");
    store.restore_asset(&id).expect("restored");
    assert_eq!(rows(&store), before);
}

#[test]
fn linking_and_unlinking_restore_the_score_in_either_order() {
    let store = store();
    let (id, hint, talk) = add_whole(&store);
    let tag = add_tag(&store, "other");
    let first = store.item_of_key(ItemKind::Tag, "first").expect("read").expect("the tag");
    let website = store.item_of_key(ItemKind::Website, "https://a").expect("read").expect("the website");
    let score = || store.asset(&id, Transfer::Withheld).expect("the asset").asset.score;
    let before = score();
    store.link(&id, ItemKind::Tag, &tag).expect("linked");
    assert_eq!(score().manual, before.manual + 2);
    store.unlink(&id, ItemKind::Tag, &tag).expect("unlinked");
    assert_eq!(score(), before);
    for (kind, item) in [(ItemKind::Tag, &first), (ItemKind::Website, &website)] {
        store.unlink(&id, kind, item).expect("unlinked");
        assert!(score().manual < before.manual);
        store.link(&id, kind, item).expect("linked");
        assert_eq!(score(), before, "{kind:?}");
    }
    store.unlink_related(&id, RelatedKind::Hint, &hint).expect("unlinked");
    store.link_related(&id, RelatedKind::Hint, &hint).expect("linked");
    store.unlink_conversation(&id, &talk).expect("unlinked");
    store.link_conversation(&id, &talk).expect("linked");
    assert_eq!(score(), before);
    let ranks: i64 = activities(&store, &id).iter().map(|one| one.rank).sum();
    assert_eq!(ranks, before.manual, "the score is the sum of the ranks");
    let all: Vec<Value> = store
        .read(|db| {
            let mut statement = db.prepare("SELECT rank FROM activity WHERE event = 'asset_tag_deleted'")?;
            let ranks = statement.query_map([], |row| row.get(0))?;
            Ok(ranks.collect::<Result<_, _>>()?)
        })
        .expect("ranks");
    assert_eq!(all, [Value::Integer(-2), Value::Integer(-2)], "the history stays");
}
