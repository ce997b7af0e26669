//! `lunette rescue`, run again: what changed at the service since comes over, and nothing that was changed here is
//! lost.

use std::path::Path;

use serde_json::Value;

use crate::dying::{Dying, id};
use crate::program::{Ended, Served, run, run_with_input};

fn rescue(old: &Dying, data: &Path) -> Ended {
    run(&["rescue", "--from", &old.url(), "--to", data.to_str().expect("UTF-8"), "--json"])
}

/// The row of a kind in a receipt.
fn row(ended: &Ended, kind: &str) -> Value {
    let receipt = ended.json();
    let kinds = receipt["kinds"].as_array().expect("kinds");
    kinds.iter().find(|row| row["kind"] == kind).expect("the kind").clone()
}

/// A record of the service on a folder.
fn served(data: &Path, arguments: &[&str]) -> Value {
    let service = Served::start(data, &[]);
    let record = service.call(arguments).json();
    service.end("TERM");
    record
}

fn asset(data: &Path, number: usize) -> Value {
    served(data, &["assetSnapshot", &format!("asset={}", id("assets", number)), "transferables=true"])
}

fn set(field: &'static str, value: Value) -> impl FnOnce(&mut Value) {
    move |record| {
        record[field] = value;
        record["updated"] = serde_json::json!({ "value": "2025-06-07T08:09:10.123Z" });
    }
}

/// Changes an asset, its content, a tag, a conversation and a message.
fn change_some(old: &Dying) {
    old.change("assets", 5, set("name", "renamed".into()));
    old.change("assets", 6, |asset| {
        let content = serde_json::json!({ "string": { "raw": "another text\n" } });
        asset["formats"]["iterable"][0]["fragment"] = content.clone();
        asset["original"]["reference"]["fragment"] = content.clone();
        asset["preview"]["base"]["reference"]["fragment"] = content;
        set("favorited", true.into())(asset);
    });
    old.change("assets", 8, |asset| asset["score"]["reuse"] = 7.into());
    old.change("tags", 2, set("text", "another tag".into()));
    old.change("conversations", 1, set("name", "another conversation".into()));
    old.change("messages", 1, set("fragment", serde_json::json!({ "string": { "raw": "another message" } })));
    old.change("annotations", 1, set("text", "another comment".into()));
    old.change(
        "persons",
        1,
        set("type", serde_json::json!({ "basic": { "email": "another@example.org", "name": "b" } })),
    );
    // What people read of a time is not a change.
    old.change("websites", 1, |site| site["created"]["readable"] = "3 minutes ago".into());
}

#[test]
fn a_run_after_a_complete_one_reads_what_changed_and_stores_it() {
    let (old, data) = (Dying::start(2), tempfile::tempdir().expect("a folder"));
    old.list_assets();
    assert_eq!(rescue(&old, data.path()).code, Some(0));
    change_some(&old);
    let reads = old.asset_reads();
    let second = rescue(&old, data.path());
    assert_eq!(second.code, Some(0), "{second:?}");
    assert_eq!(old.asset_reads(), reads + 3, "the changed ones alone");
    for kind in ["assets", "tags", "conversations", "messages", "annotations", "persons"] {
        let row = row(&second, kind);
        assert_eq!((&row["equal"], &row["received"]), (&row["named"], &row["named"]), "{row}");
    }
    let changed = asset(data.path(), 6);
    assert_eq!(changed["original"]["reference"]["fragment"]["string"]["raw"], "another text\n");
    assert_eq!(changed["updated"]["value"], "2025-06-07T08:09:10.123000Z");
    let renamed = asset(data.path(), 5);
    assert_eq!((&renamed["name"], &renamed["tags"]["iterable"][0]["id"]), (&"renamed".into(), &id("tags", 5).into()));
    let tags = served(data.path(), &["tagsSnapshot"]);
    let texts: Vec<_> = tags["iterable"].as_array().expect("a list").iter().map(|tag| &tag["text"]).collect();
    assert!(texts.contains(&&Value::from("another tag")) && !texts.contains(&&Value::from("tag 2")), "{texts:?}");
    let third = rescue(&old, data.path());
    assert_eq!((third.code, old.asset_reads()), (Some(0), reads + 3), "{third:?}");
    let hash = |ended: &Ended| ended.json()["sha256"].clone();
    assert_eq!(hash(&second), hash(&third), "nothing was received twice");
}

#[test]
fn what_changes_while_it_is_interrupted_comes_over_as_it_is_then() {
    let (old, data) = (Dying::start(2), tempfile::tempdir().expect("a folder"));
    old.list_assets();
    // Gone after some assets, in the order in which the service lists them.
    old.lose(Some(40..10_000));
    assert_eq!(rescue(&old, data.path()).code, Some(1));
    old.lose(None);
    change_some(&old);
    let ended = rescue(&old, data.path());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(asset(data.path(), 5)["name"], "renamed");
}

#[test]
fn what_was_changed_in_both_places_is_left_as_it_is_here_and_named_in_the_receipt() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    old.list_assets();
    assert_eq!(rescue(&old, data.path()).code, Some(0));
    let service = Served::start(data.path(), &[]);
    let edited = run(&["edit", &id("assets", 5), "--name", "ours", "--url", &service.url]);
    assert_eq!(edited.code, Some(0), "{edited:?}");
    service.end("TERM");
    old.change("assets", 5, set("name", "theirs".into()));
    let ended = rescue(&old, data.path());
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let missing = row(&ended, "assets")["missing"].clone();
    assert_eq!(missing.as_array().map(Vec::len), Some(1), "{missing}");
    assert_eq!(missing[0]["id"], id("assets", 5));
    assert!(missing[0]["reason"].as_str().is_some_and(|why| why.contains("there and here")), "{missing}");
    assert_eq!(asset(data.path(), 5)["name"], "ours");
}

#[test]
fn a_tag_that_is_here_under_another_id_is_linked_in_its_place_and_the_receipt_says_so() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    let service = Served::start(data.path(), &[]);
    let made = run_with_input(
        &["call", "tagsCreateNewTag", "--body", "-", "--url", &service.url],
        "{ \"type\": \"SEEDED_TAG\", \"text\": \"tag 3\" }",
    );
    assert_eq!(made.code, Some(0), "{made:?}");
    let ours = made.json()["id"].as_str().expect("an id").to_owned();
    service.end("TERM");
    let ended = rescue(&old, data.path());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let tags = row(&ended, "tags");
    assert_eq!(tags["stored_as"], serde_json::json!([{ "id": id("tags", 3), "here": ours }]));
    assert_eq!((&tags["equal"], &tags["named"]), (&tags["received"], &tags["received"]), "{tags}");
    // An odd one, whose tags only the tags name, and an even one, which names them.
    assert_eq!(asset(data.path(), 3)["tags"]["iterable"][0]["id"], ours);
    let other = asset(data.path(), 13)["tags"]["iterable"][0]["id"].clone();
    assert_eq!(other, ours);
    let folder = std::fs::read_dir(data.path().join("rescue")).expect("the folder").next().expect("one").expect("one");
    let html = std::fs::read_to_string(folder.path().join("receipt.html")).expect("the receipt");
    assert!(html.contains("Stored under another id") && html.contains(&ours), "{html}");
}

#[test]
fn a_score_that_is_no_sum_of_activities_is_named_as_different_and_never_counted_as_equal() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    old.list_assets();
    // One is more than the sum of its activities, and one is less.
    old.change("assets", 5, |asset| asset["score"]["manual"] = 7.into());
    old.change("assets", 6, |asset| asset["score"]["automatic"] = 0.into());
    let said = |ended: &Ended| {
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let assets = row(ended, "assets");
        assert_eq!(assets["equal"].as_u64(), assets["named"].as_u64().map(|named| named - 2), "{assets}");
        let missing = assets["missing"].as_array().expect("a list");
        let reasons = missing.iter().map(|one| {
            (one["id"].as_str().expect("an id").to_owned(), one["reason"].as_str().expect("a reason").to_owned())
        });
        reasons.collect::<std::collections::BTreeMap<_, _>>()
    };
    let expected = [("manual", 0, 7, 5), ("automatic", 1, 0, 6)].map(|(name, here, there, number)| {
        let reason =
            format!("its score “{name}” is {here} here and {there} there: here it is the sum of its activities");
        (id("assets", number), reason)
    });
    assert_eq!(said(&rescue(&old, data.path())), expected.clone().into());
    // What changes about it there is still taken, and what is done with it here does not make it differ more.
    old.change("assets", 5, set("name", "renamed".into()));
    assert_eq!(said(&rescue(&old, data.path())), expected.into());
    assert_eq!(asset(data.path(), 5)["name"], "renamed");
}

#[test]
fn our_service_answers_at_the_address_of_the_old_one() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    let url = old.url();
    assert_eq!(rescue(&old, data.path()).code, Some(0));
    old.end();
    let service = Served::start_at(data.path(), old.port());
    assert_eq!(service.url, url);
    // An old client, which knows the address and an id.
    let asset = run(&["call", "assetSnapshot", &format!("asset={}", id("assets", 1)), "--url", &url]);
    assert_eq!(asset.json()["name"], "asset 1", "{asset:?}");
    let renamed = run(&["edit", &id("assets", 1), "--name", "goes on", "--url", &url]);
    assert_eq!(renamed.code, Some(0), "{renamed:?}");
}
