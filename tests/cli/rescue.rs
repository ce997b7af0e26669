//! `lunette rescue`: everything of a service that ends comes over, with its ids and with proof.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::dying::{Dying, id};
use crate::program::{Ended, Served, command, run};

/// The kinds of records by the lists of the service.
const KINDS: [(&str, &str); 13] = [
    ("assets", "assets"),
    ("activity", "activities"),
    ("messages", "messages"),
    ("annotations", "annotations"),
    ("tags", "tags"),
    ("websites", "websites"),
    ("conversations", "conversations"),
    ("workstream_summaries", "summaries"),
    ("persons", "persons"),
    ("anchors", "anchors"),
    ("hints", "hints"),
    ("applications", "applications"),
    ("ranges", "ranges"),
];

fn rescue(old: &Dying, data: &Path) -> Ended {
    run(&["rescue", "--from", &old.url(), "--to", data.to_str().expect("UTF-8"), "--json"])
}

fn kinds(ended: &Ended) -> BTreeMap<String, Value> {
    let receipt = ended.json();
    let kinds = receipt["kinds"].as_array().expect("kinds").iter();
    kinds.map(|kind| (kind["kind"].as_str().expect("a name").to_owned(), kind.clone())).collect()
}

/// Checks that a receipt says that everything is there.
fn assert_whole(old: &Dying, ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let (kinds, counts) = (kinds(ended), old.counts());
    for (list, kind) in KINDS {
        let (row, count) = (&kinds[kind], counts[list]);
        assert_eq!((&row["named"], &row["received"]), (&count.into(), &count.into()), "{row}");
        if kind != "ranges" {
            assert_eq!((&row["stored"], &row["equal"]), (&count.into(), &count.into()), "{row}");
        }
        assert_eq!(row["missing"].as_array().map(Vec::len), Some(0), "{row}");
    }
    assert!(kinds["shares"]["absent"].is_string() && kinds["models"]["absent"].is_string());
    assert_eq!(old.writes(), 0, "nothing is written to the old service");
}

/// Checks that a service on the folder has each record once, and under its id.
fn assert_served(old: &Dying, data: &Path) {
    let service = Served::start(data, &[]);
    let read = |arguments: &[&str]| service.call(arguments).json();
    for (list, operation) in [
        ("tags", "tagsSnapshot"),
        ("websites", "websitesSnapshot"),
        ("conversations", "conversationsSnapshot"),
        ("messages", "messagesSnapshot"),
        ("annotations", "annotationsSnapshot"),
        ("assets", "assetsIdentifiersSnapshot"),
    ] {
        let listed = read(&[operation]);
        let mut ids: Vec<_> = listed["iterable"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|entry| entry["id"].as_str().expect("an id").to_owned())
            .collect();
        ids.sort();
        let mut expected: Vec<_> = (0..old.counts()[list]).map(|number| id(list, number)).collect();
        expected.sort();
        assert_eq!(ids, expected, "{operation}");
    }
    // An odd one, whose tags only the tags name.
    let asset = read(&["assetSnapshot", &format!("asset={}", id("assets", 3))]);
    assert_eq!(asset["tags"]["iterable"][0]["id"], id("tags", 3));
    assert_eq!(asset["websites"]["iterable"][0]["id"], id("websites", 3));
    assert_eq!((&asset["name"], &asset["score"]["reuse"]), (&"asset 3".into(), &3.into()));
    assert_eq!(asset["created"]["value"], "2024-04-04T08:09:10.123000Z");
    service.end("TERM");
}

#[test]
fn everything_comes_over_with_its_ids_and_a_second_run_reads_only_what_is_new() {
    let (old, data) = (Dying::start(10), tempfile::tempdir().expect("a folder"));
    // It is gone twice for some requests.
    old.lose([9..11, 200..203]);
    let first = rescue(&old, data.path());
    assert_whole(&old, &first);
    let assets = old.counts()["assets"];
    assert!(old.asset_reads() * 100 <= assets * 105, "{} reads of {assets} assets", old.asset_reads());
    assert_served(&old, data.path());
    let (reads, hash) = (old.asset_reads(), first.json()["sha256"].clone());
    let second = rescue(&old, data.path());
    assert_whole(&old, &second);
    assert_eq!((old.asset_reads(), &second.json()["sha256"]), (reads, &hash));
}

#[test]
fn what_our_service_does_not_have_is_kept_byte_for_byte() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    assert_whole(&old, &rescue(&old, data.path()));
    let folder = data.path().to_str().expect("UTF-8");
    for list in ["ranges", "assets"] {
        let printed = run(&["rescue", "--to", folder, "--kept", list]);
        let array: Vec<Value> = serde_json::from_str(&printed.out).expect("JSON");
        assert_eq!(array.len(), old.counts()[list]);
        assert!(old.list(list).iter().all(|raw| printed.out.contains(raw.as_str())), "{list}");
    }
    let counts = run(&["rescue", "--to", folder, "--kept"]);
    assert!(counts.out.contains("ranges") && counts.code == Some(0), "{counts:?}");
    let html = std::fs::read_dir(data.path().join("rescue")).expect("the folder").next().expect("one").expect("one");
    let html = std::fs::read_to_string(html.path().join("receipt.html")).expect("the receipt");
    assert!(html.contains("Nothing is missing.") && !html.contains("http-equiv"), "{html}");
}

#[test]
fn a_service_that_dies_ends_it_and_it_goes_on_where_it_was() {
    let (old, data) = (Dying::start(2), tempfile::tempdir().expect("a folder"));
    for gone in [5, 40] {
        old.lose(Some(gone..gone + 10_000));
        let ended = rescue(&old, data.path());
        assert_eq!(ended.code, Some(1), "{ended:?}");
        assert!(ended.err.contains("no longer responds") && ended.err.contains("again to go on"), "{ended:?}");
    }
    old.lose(None);
    assert_whole(&old, &rescue(&old, data.path()));
    assert_served(&old, data.path());
    assert!(old.asset_reads() * 100 <= old.counts()["assets"] * 105, "{} reads", old.asset_reads());
    assert_no_difference(&old, data.path());
}

/// Checks that the old service and what was rescued do not differ.
fn assert_no_difference(old: &Dying, data: &Path) {
    let folder = data.to_str().expect("UTF-8");
    let ended = run(&["compare", &old.url(), folder, "--exit-code", "--json", "--data", folder]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(old.counts()["assets"] > 0 && ended.json()["counts"]["only_right"] == 0);
}

/// Kills the program after these numbers of requests, each time it is started, and then lets it end.
fn killed_after(old: &Dying, places: impl IntoIterator<Item = usize>) {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().to_str().expect("UTF-8");
    for after in places {
        let begun = old.requests();
        let mut child = command(&["rescue", "--from", &old.url(), "--to", folder]).spawn().expect("it starts");
        old.until_asked(begun + after);
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    assert_whole(old, &rescue(old, data.path()));
    assert_served(old, data.path());
}

#[test]
fn killed_at_many_places_it_goes_on_and_nothing_is_doubled() {
    killed_after(&Dying::start(4), [1, 2, 7, 13, 18, 21, 25, 30, 40]);
}

#[test]
#[ignore = "takes minutes"]
fn killed_at_fifty_places_it_goes_on_and_nothing_is_doubled() {
    let old = Dying::start(100);
    killed_after(&old, (0..50).map(|place| 1 + place * 37 % 41));
    // Those that were in flight when it was killed are asked for again.
    assert!(old.asset_reads() * 100 <= old.counts()["assets"] * 105, "{} reads", old.asset_reads());
}

#[test]
#[ignore = "takes a minute"]
fn twenty_thousand_records_come_over_with_their_ids() {
    let (old, data) = (Dying::start(100), tempfile::tempdir().expect("a folder"));
    old.lose([9..11, 3_000..3_003]);
    assert_eq!(old.counts().values().sum::<usize>(), 20_000);
    assert_whole(&old, &rescue(&old, data.path()));
    assert!(old.asset_reads() * 100 <= old.counts()["assets"] * 105, "{} reads", old.asset_reads());
    assert_served(&old, data.path());
    let printed = run(&["rescue", "--to", data.path().to_str().expect("UTF-8"), "--kept", "ranges"]);
    assert!(old.list("ranges").iter().all(|raw| printed.out.contains(raw.as_str())), "byte for byte");
    assert_no_difference(&old, data.path());
}

#[test]
fn a_folder_that_is_served_is_refused() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    let _service = Served::start(data.path(), &[]);
    let ended = rescue(&old, data.path());
    assert_eq!((ended.code, old.asset_reads()), (Some(2), 0), "{ended:?}");
    assert!(ended.err.contains("stop it first"), "{ended:?}");
}
