//! `lunette links`: tags, websites and summaries, listed, merged, renamed and deleted.

use serde_json::Value;

use crate::write::Home;

/// Two tags on an asset each, and one on none.
fn home() -> (Home, [String; 2]) {
    let home = Home::new();
    let assets = [("a", "Rust"), ("b", "rust-lang")].map(|(name, tag)| {
        let asset = home.asset(name, name);
        home.done(&["tag", tag, &asset]);
        asset
    });
    home.done(&["tag", "spare", &assets[0]]);
    home.done(&["untag", "spare", &assets[0]]);
    (home, assets)
}

fn listed(home: &Home, filter: &str) -> Vec<(String, Value)> {
    let list = home.done(&["links", "tags", "list", "--filter", filter, "--sort", "name", "--json"]).json();
    let row = |row: &Value| (row["name"].as_str().expect("a name").to_owned(), row["assets"].clone());
    list.as_array().expect("a list").iter().map(row).collect()
}

#[test]
fn links_are_listed_with_the_number_of_their_assets_and_filtered() {
    let (home, _) = home();
    let all = [("Rust", 1), ("rust-lang", 1), ("spare", 0)].map(|(name, count)| (name.to_owned(), Value::from(count)));
    assert_eq!(listed(&home, ""), all);
    assert_eq!(listed(&home, "is:unused"), all[2..]);
    assert_eq!(home.run(&["links", "tags", "list", "--filter", "language:rust"]).code, Some(2));
}

#[test]
fn a_merge_is_one_step_that_undo_reverts() {
    let (home, assets) = home();
    let before = home.shown(&assets[1]);
    let dry = home.done(&["links", "tags", "merge", "rust-lang", "--into", "rust", "--dry-run"]);
    assert!(dry.out.contains('b') && home.shown(&assets[1]) == before, "{dry:?}");
    home.done(&["links", "tags", "merge", "rust-lang", "--into", "rust"]);
    assert_eq!(home.shown(&assets[1])["tags"], serde_json::json!(["Rust"]));
    home.done(&["undo"]);
    assert_eq!(home.shown(&assets[1])["tags"], before["tags"]);
}

#[test]
fn merging_an_item_with_itself_or_a_missing_item_is_rejected() {
    let (home, _) = home();
    assert_eq!(home.run(&["links", "tags", "merge", "Rust", "--into", "rust"]).code, Some(2));
    let missing = home.run(&["links", "tags", "merge", "nothing", "--into", "rust"]);
    assert_eq!((missing.code, missing.out.as_str()), (Some(1), ""), "{missing:?}");
    assert!(missing.err.contains("there is no tag \"nothing\""), "{missing:?}");
}

#[test]
fn an_item_is_renamed_and_only_an_unused_one_is_deleted() {
    let (home, assets) = home();
    home.done(&["links", "tags", "rename", "Rust", "rust"]);
    assert_eq!(home.shown(&assets[0])["tags"], serde_json::json!(["rust"]));
    let used = home.run(&["links", "tags", "delete", "rust"]);
    assert_eq!(used.code, Some(1), "{used:?}");
    assert!(used.err.contains("one asset is linked to it"), "{used:?}");
    home.done(&["links", "tags", "delete", "spare", "--dry-run"]);
    assert_eq!(listed(&home, "").len(), 3, "a dry run deletes nothing");
    home.done(&["links", "tags", "delete", "spare"]);
    assert_eq!(listed(&home, "").len(), 2);
    let steps = home.done(&["history", "--json"]).json();
    assert_eq!(steps[0]["title"], "Deleted tag “spare”");
    home.done(&["undo"]);
    assert_eq!(listed(&home, "").len(), 3, "undo creates it again");
}

#[test]
fn some_assets_of_a_tag_are_moved_to_another_in_one_step() {
    let (home, assets) = home();
    for asset in &assets {
        home.done(&["tag", "spare", asset]);
    }
    home.done(&["links", "tags", "move", "spare", "--to", "rust-lang", &assets[0]]);
    let tags = |asset: &str| {
        let mut tags: Vec<String> = serde_json::from_value(home.shown(asset)["tags"].clone()).expect("a list of texts");
        tags.sort();
        tags
    };
    assert_eq!(
        (tags(&assets[0]), tags(&assets[1])),
        (vec!["Rust".into(), "rust-lang".into()], vec!["rust-lang".into(), "spare".into()])
    );
    home.done(&["undo"]);
    assert_eq!(tags(&assets[0]), ["Rust", "spare"]);
    assert_eq!(home.run(&["links", "tags", "move", "spare", "--to", "spare", &assets[0]]).code, Some(2));
}

#[test]
fn the_address_of_a_website_is_changed_and_undo_reverts_it() {
    let home = Home::new();
    let seed = r#"{"url": "https://old.example/", "name": "Docs"}"#;
    let made = home.service.call(&["websitesCreateNewWebsite", &format!("website={seed}")]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let website = |home: &Home| {
        let list = home.done(&["links", "websites", "list", "--json"]).json();
        let text = |field: &str| list[0][field].as_str().unwrap_or_default().to_owned();
        (text("name"), text("address"))
    };
    assert_eq!(website(&home), ("Docs".to_owned(), "https://old.example/".to_owned()));
    home.done(&["links", "websites", "rename", "Docs", "Manual", "--address", "https://new.example/"]);
    assert_eq!(website(&home), ("Manual".to_owned(), "https://new.example/".to_owned()));
    home.done(&["undo"]);
    assert_eq!(website(&home), ("Docs".to_owned(), "https://old.example/".to_owned()));
    let tag = home.run(&["links", "tags", "rename", "x", "y", "--address", "https://new.example/"]);
    assert_eq!(tag.code, Some(2), "{tag:?}");
}

#[test]
fn several_items_are_deleted_with_a_report_and_one_undo_creates_them_again() {
    let (home, assets) = home();
    for name in ["x", "y"] {
        home.done(&["tag", name, &assets[0]]);
        home.done(&["untag", name, &assets[0]]);
    }
    let ended = home.run(&["links", "tags", "delete", "x", "Rust", "y", "spare"]);
    assert_eq!((ended.code, ended.out.lines().count()), (Some(1), 4), "{ended:?}");
    assert!(ended.err.contains("one asset is linked to it"), "{ended:?}");
    assert!(
        ended.err.ends_with("3 done, 1 failed, 0 unknown\n"),
        "one that is used keeps none of the others: {ended:?}"
    );
    assert_eq!(listed(&home, "").len(), 2);
    home.done(&["undo"]);
    let names: Vec<String> = listed(&home, "").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Rust", "rust-lang", "spare", "x", "y"]);
    let report = home.run(&["links", "tags", "delete", "x", "y", "--json"]).json();
    assert_eq!((&report["counts"]["done"], &report["rows"][0]["status"]), (&2.into(), &"done".into()), "{report}");
}
