//! What restores a version: only what differs, each change with what it replaces.

use lunette_client::model::record::Record as _;
use serde_json::json;

use super::*;

const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

fn now() -> Asset {
    Asset::from_any(json!({
        "id": ID, "name": "new", "favorited": true,
        "original": { "id": "f", "reference": { "classification": { "specific": "rs" } } },
        "tags": { "iterable": [{ "id": "kept", "text": "kept" }, { "id": "added", "text": "added" }] },
        "annotations": { "iterable": [{ "id": "d", "type": "DESCRIPTION", "text": "a description" }] },
    }))
    .expect("an asset")
}

fn then(change: Value) -> PastAsset {
    let mut tree = json!({
        "asset": ID, "version": 1, "current": false, "mechanism": "MANUAL", "name": "old", "favorited": false,
        "specific": "py",
        "tags": [{ "id": "kept", "text": "kept" }, { "id": "removed", "text": "removed" },
                 { "id": "gone", "text": "gone", "deleted": true }],
        "websites": [], "summaries": [{ "id": "s", "name": "a talk", "deleted": true }],
        "persons": [], "anchors": [], "hints": [], "conversations": [],
        "annotations": [{ "id": "d", "type": "DESCRIPTION", "text": "a description" }], "fields": {},
    });
    for (field, value) in change.as_object().expect("fields") {
        tree[field] = value.clone();
    }
    PastAsset::from_tree(tree).expect("a version")
}

#[test]
fn a_restore_changes_what_differs_and_says_what_each_change_replaces() {
    let asset: AssetId = ID.parse().expect("an id");
    let item = |id: &str| Item::new(LinkKind::Tag, id, id, None);
    let made = restore(now().view(), Some("new text"), then(json!({})).view(), PastText::Text("old text"));
    let edit = |field, from: Value, to: Value| Edit { field, from: Some(from), to };
    assert_eq!(
        made.changes,
        [
            Change::Text { asset: asset.clone(), from: "new text".to_owned(), to: "old text".to_owned() },
            Change::Reclassify { asset: asset.clone(), from: Some("rs".to_owned()), to: "py".to_owned() },
            Change::Edit {
                asset: asset.clone(),
                edits: vec![
                    edit(Field::Name, "new".into(), "old".into()),
                    edit(Field::Favorited, true.into(), false.into()),
                ],
            },
            Change::Unlink { asset: asset.clone(), item: item("added") },
            Change::Link { asset: asset.clone(), item: item("removed") },
            Change::LinkNew { asset, kind: LinkKind::Tag, text: "gone".to_owned(), url: None, unlink: Vec::new() },
        ]
    );
    assert_eq!(made.left, ["the workstream summary “a talk”, which was deleted"]);
}

#[test]
fn a_version_that_is_like_the_asset_is_restored_by_nothing() {
    let same = json!({
        "name": "new", "favorited": true, "specific": "rs", "summaries": [],
        "tags": [{ "id": "kept", "text": "kept" }, { "id": "added", "text": "added" }],
    });
    let made = restore(now().view(), Some("text"), then(same).view(), PastText::Text("text"));
    assert_eq!(made, Restore::default());
}

#[test]
fn what_cannot_be_restored_is_said() {
    let more = json!({ "conversations": [{ "id": "c" }], "annotations": [{ "type": "COMMENT", "text": "c" }], "summaries": [] });
    let made = restore(now().view(), None, then(more).view(), PastText::None);
    assert_eq!(made.left, ["the content, which is not text", "its conversations", "its comments"]);
}
