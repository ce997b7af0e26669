//! Every row of the table, with a change of its kind.

use std::collections::BTreeSet;

use super::*;
use serde_json::{Value, json};

/// A change of every row, in its stored form without the id of the asset.
fn stored() -> Vec<(&'static str, Value)> {
    let tag = json!({ "kind": "tag", "id": "t", "text": "t" });
    let fingerprint = serde_json::to_value(crate::change::fingerprint::Fingerprint::of(&json!({}))).expect("JSON");
    vec![
        ("link", json!({ "item": tag })),
        ("unlink", json!({ "item": tag })),
        ("relink", json!({ "link": [tag], "unlink": [tag] })),
        ("link_new", json!({ "kind": "tag", "text": "t" })),
        ("link_new", json!({ "kind": "tag", "text": "t", "unlink": [tag] })),
        ("edit", json!({ "edits": [{ "field": "name", "from": "a", "to": "b" }] })),
        ("record", json!({ "from": {}, "to": { "name": "b" } })),
        ("text", json!({ "from": "a", "to": "b" })),
        ("reclassify", json!({ "from": "txt", "to": "rs" })),
        ("increment", json!({ "counter": "reuse", "from": 1 })),
        ("create", json!({ "name": "a", "made": fingerprint })),
        ("copy", json!({ "name": "a", "keeps_id": true })),
        ("delete", json!({ "name": "a", "made": fingerprint })),
        ("restore", json!({ "name": "a" })),
        ("purge", json!({ "name": "a" })),
        ("recreate", json!({ "name": "a" })),
    ]
}

fn changes() -> Vec<Change> {
    let change = |(name, mut fields): (&str, Value)| {
        fields["asset"] = json!("5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159");
        let change: Change = serde_json::from_value(json!({ name: fields })).expect(name);
        assert_eq!(change.info().name, name, "a row has the name of the stored form");
        change
    };
    stored().into_iter().map(change).collect()
}

#[test]
fn every_row_belongs_to_a_change_and_every_change_to_one_row() {
    let changes = changes();
    let rows: Vec<_> = changes.iter().map(|change| std::ptr::from_ref(change.info())).collect();
    assert_eq!(rows, CHANGES.map(std::ptr::from_ref), "the changes of this test are in the order of the table");
    assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), CHANGES.len());
}

#[test]
fn a_change_can_be_undone_if_it_has_an_inverse() {
    // A new item and a new asset become other changes once they were applied.
    for change in changes() {
        for recovery in [Recovery::Trash, Recovery::Copy, Recovery::None] {
            assert_eq!(change.reversible(recovery), change.inverse(recovery).is_some(), "{change:?}, {recovery:?}");
        }
    }
}

#[test]
fn what_is_sent_without_a_plan_can_be_undone() {
    // A new item becomes a link once it was applied.
    for change in changes().into_iter().filter(|change| !matches!(change, Change::LinkNew { .. })) {
        for recovery in [Recovery::Trash, Recovery::Copy, Recovery::None] {
            let safe = change.needs_review(recovery) || change.reversible(recovery);
            assert!(safe, "{change:?}, {recovery:?}");
        }
    }
}

#[test]
fn each_kind_says_which_of_its_changes_show_their_plan() {
    let shown = |recovery| {
        let shown = changes().into_iter().filter(move |change| change.needs_review(recovery));
        shown.map(|change| change.info().name).collect::<Vec<_>>()
    };
    assert_eq!(shown(Recovery::Trash), ["record", "increment", "create", "copy", "purge", "recreate"]);
    for recovery in [Recovery::Copy, Recovery::None] {
        assert_eq!(shown(recovery), ["record", "increment", "create", "copy", "delete", "purge", "recreate"]);
    }
}

#[test]
fn titles_have_no_placeholder_and_name_what_changes() {
    for change in changes() {
        let (title, done) = (change.title("“a {what}”"), change.done());
        assert!(title.contains("“a {what}”"), "the name of an asset is not a template: {title}");
        let titles = [
            title.replace("“a {what}”", "it"),
            done,
            change.button(),
            change.info().effect.to_owned(),
            change.info().doing.to_owned(),
        ];
        for text in titles {
            assert!(!text.is_empty() && !text.contains(['{', '}']) && !text.contains("  "), "{text}");
        }
    }
}
