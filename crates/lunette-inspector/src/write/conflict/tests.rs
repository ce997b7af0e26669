//! Merges of three versions of an asset.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Choice, Conflict, Resolved};
use crate::change::fingerprint::Fingerprint;
use crate::change::{Change, Counter, Edit, Field, Item, LinkKind};
use lunette_client::model::id::AssetId;

fn id() -> AssetId {
    "00000004-0000-4000-8000-000000000004".parse().expect("an id")
}

fn record() -> Value {
    let moment = json!({ "value": "2024-05-01T12:00:00Z" });
    let text = |id: &str, text: &str| json!({ "id": id, "type": "DESCRIPTION", "text": text, "updated": moment });
    json!({
        "id": id().as_str(), "name": "a.txt", "favorited": false, "created": moment, "updated": moment,
        "score": { "manual": 0 }, "x": { "one": 1, "two": 2 },
        "annotations": { "iterable": [text("t1", "first"), text("t2", "last")], "indices": { "t1": 0, "t2": 1 } },
        "original": { "id": "f", "reference": { "classification": { "specific": "txt" } } },
        "formats": { "iterable": [{ "id": "f", "fragment": { "metadata": {} }, "asset": { "name": "a.txt" } }] },
    })
}

/// The record after an edit.
fn with(change: impl FnOnce(&mut Value)) -> Value {
    let mut record = record();
    change(&mut record);
    record
}

fn raw(to: Value) -> Change {
    Change::Record { asset: id(), from: record(), to }
}

fn edit(field: Field, from: &str, to: &str) -> Change {
    Change::Edit { asset: id(), edits: vec![Edit { field, from: Some(from.into()), to: to.into() }] }
}

fn met(change: &Change, theirs: Value) -> Option<Conflict> {
    Conflict::of(change, &record(), Arc::new(theirs))
}

fn conflict(change: &Change, theirs: Value) -> Conflict {
    met(change, theirs).expect("a conflict")
}

fn paths(conflict: &Conflict) -> Vec<String> {
    conflict.fields.iter().map(|contested| contested.field.path.to_string()).collect()
}

fn rebased(conflict: &Conflict) -> Change {
    match conflict.resolved() {
        Resolved::Change(change) => *change,
        other => panic!("a change, not {other:?}"),
    }
}

#[test]
fn an_unchanged_record_is_not_a_conflict() {
    assert_eq!(met(&raw(with(|r| r["name"] = "b".into())), record()), None);
}

#[test]
fn non_overlapping_changes_merge_automatically() {
    let mine = raw(with(|r| r["x"]["one"] = 10.into()));
    let conflict = conflict(&mine, with(|r| r["x"]["two"] = 20.into()));
    assert!(conflict.mergeable() && conflict.decided());
    assert_eq!(paths(&conflict), ["$.x.one", "$.x.two"]);
    let Change::Record { from, to, .. } = rebased(&conflict) else { panic!("a record") };
    assert_eq!(from, with(|r| r["x"]["two"] = 20.into()));
    assert_eq!(to, with(|r| r["x"] = json!({ "one": 10, "two": 20 })));
}

#[test]
fn an_overlap_is_unresolved_until_a_side_is_chosen() {
    let mine = raw(with(|r| {
        r["name"] = "mine".into();
        r["new"] = json!([1]);
    }));
    let theirs = with(|r| r["name"] = "theirs".into());
    let mut conflict = conflict(&mine, theirs.clone());
    assert_eq!(paths(&conflict), ["$.name", "$.new"]);
    assert!(!conflict.mergeable() && !conflict.decided());
    assert_eq!(conflict.resolved(), Resolved::Open(1));
    conflict.decide(0, Choice::Yours);
    let Change::Record { to, .. } = rebased(&conflict) else { panic!("a record") };
    assert_eq!((&to["name"], &to["new"]), (&json!("mine"), &json!([1])));
    conflict.decide(0, Choice::Theirs);
    let Change::Record { to, .. } = rebased(&conflict) else { panic!("a record") };
    assert_eq!((&to["name"], &to["new"]), (&json!("theirs"), &json!([1])));
}

#[test]
fn a_one_sided_change_needs_no_decision() {
    let mine = raw(with(|r| r["x"]["one"] = 10.into()));
    let mut conflict = conflict(&mine, with(|r| r["x"]["two"] = 20.into()));
    let before = conflict.clone();
    conflict.decide(0, Choice::Theirs);
    conflict.decide(1, Choice::Yours);
    conflict.decide(99, Choice::Yours);
    assert_eq!(conflict, before);
}

#[test]
fn choosing_theirs_everywhere_leaves_nothing_to_send() {
    let mut conflict = conflict(&edit(Field::Name, "a.txt", "mine"), with(|r| r["name"] = "theirs".into()));
    conflict.decide(0, Choice::Theirs);
    assert_eq!(conflict.resolved(), Resolved::Nothing);
}

#[test]
fn volatile_fields_are_merged_silently() {
    let moved = |r: &mut Value| {
        r["updated"] = json!({ "value": "2024-06-01T12:00:00Z" });
        r["score"]["manual"] = 5.into();
        r["interacted"] = json!({ "value": "2024-06-01T12:00:00Z" });
        r["activities"] = json!({ "iterable": [{ "id": "v" }] });
        r["annotations"]["iterable"][0]["updated"] = json!({ "value": "2024-06-01T12:00:00Z" });
        r["annotations"]["indices"]["t3"] = 2.into();
        r["formats"]["iterable"][0]["asset"]["score"] = json!({ "manual": 5 });
    };
    let mine = with(|r| r["x"]["one"] = 10.into());
    assert_eq!(met(&raw(mine.clone()), with(moved)), None);
    let theirs = with(|r| {
        moved(r);
        r["x"]["two"] = 20.into();
    });
    let conflict = conflict(&raw(mine), theirs.clone());
    assert_eq!(paths(&conflict), ["$.x.one", "$.x.two"]);
    let Change::Record { to, .. } = rebased(&conflict) else { panic!("a record") };
    assert_eq!((&to["score"], &to["formats"]), (&theirs["score"], &theirs["formats"]));
}

#[test]
fn a_volatile_field_changed_by_the_user_is_shown() {
    let mine = raw(with(|r| r["score"]["manual"] = 1.into()));
    let conflict = conflict(&mine, with(|r| r["score"]["manual"] = 5.into()));
    assert_eq!(paths(&conflict), ["$.score.manual"]);
    assert!(!conflict.mergeable());
}

#[test]
fn the_same_change_on_both_sides_is_not_a_conflict() {
    let same = with(|r| r["name"] = "b".into());
    assert_eq!(met(&raw(same.clone()), same.clone()), None);
    assert_eq!(met(&edit(Field::Name, "a.txt", "b"), same), None);
}

#[test]
fn an_edit_conflicts_only_in_its_own_fields() {
    let theirs = with(|r| {
        r["x"]["one"] = 5.into();
        r["annotations"]["iterable"][1]["text"] = "theirs".into();
    });
    assert_eq!(met(&edit(Field::Name, "a.txt", "mine"), theirs.clone()), None);
    let mut conflict = conflict(&edit(Field::Description, "last", "mine"), theirs);
    assert_eq!(paths(&conflict), ["$.annotations.iterable[id=t2].text"]);
    conflict.decide(0, Choice::Yours);
    assert_eq!(rebased(&conflict), edit(Field::Description, "theirs", "mine"));
}

#[test]
fn only_accepted_edits_of_several_are_sent() {
    let edits = |edits: &[(Field, Value, Value)]| Change::Edit {
        asset: id(),
        edits: edits
            .iter()
            .map(|(field, from, to)| Edit { field: *field, from: Some(from.clone()), to: to.clone() })
            .collect(),
    };
    let favourite = (Field::Favorited, json!(false), json!(true));
    let change = edits(&[(Field::Name, "a.txt".into(), "mine".into()), favourite.clone()]);
    let mut conflict = conflict(&change, with(|r| r["name"] = "theirs".into()));
    assert_eq!(paths(&conflict), ["$.name", "$.favorited"]);
    conflict.decide(0, Choice::Theirs);
    assert_eq!(rebased(&conflict), edits(&[favourite]));
}

#[test]
fn a_change_without_a_seen_value_has_no_conflict() {
    let theirs = with(|r| r["name"] = "theirs".into());
    let edits = vec![Edit { field: Field::Name, from: None, to: "mine".into() }];
    assert_eq!(met(&Change::Edit { asset: id(), edits }, theirs.clone()), None);
    assert_eq!(met(&Change::Reclassify { asset: id(), from: None, to: "rs".into() }, theirs.clone()), None);
    assert_eq!(met(&Change::Delete { asset: id(), name: String::new(), made: None }, theirs), None);
}

#[test]
fn a_language_changed_meanwhile_is_a_conflict() {
    let change = |from: &str| Change::Reclassify { asset: id(), from: Some(from.into()), to: "rs".into() };
    let theirs = with(|r| r["original"]["reference"]["classification"]["specific"] = "py".into());
    let mut conflict = conflict(&change("txt"), theirs);
    assert_eq!(paths(&conflict), ["$.original.reference.classification.specific"]);
    conflict.decide(0, Choice::Yours);
    assert_eq!(rebased(&conflict), change("py"));
}

#[test]
fn deleting_a_changed_record_is_a_conflict() {
    let change = |made: &Value| Change::Delete { asset: id(), name: "a.txt".into(), made: Some(Fingerprint::of(made)) };
    let theirs = with(|r| r["name"] = "theirs".into());
    assert_eq!(met(&change(&record()), record()), None);
    // Also if only the fingerprint of the base record is known.
    for base in [record(), theirs.clone()] {
        let mut conflict = Conflict::of(&change(&record()), &base, Arc::new(theirs.clone())).expect("a conflict");
        assert_eq!((paths(&conflict), conflict.resolved()), (vec!["$".to_owned()], Resolved::Open(1)));
        conflict.decide(0, Choice::Yours);
        assert_eq!(rebased(&conflict), change(&theirs));
    }
}

#[test]
fn a_changed_counter_increments_from_its_new_value_once_resolved() {
    let change = |from: i64| Change::Increment { asset: id(), counter: Counter::Reuse, from: Some(from) };
    assert_eq!(met(&change(0), record()), None);
    let mut conflict = conflict(&change(0), with(|r| r["score"]["reuse"] = 1.into()));
    assert_eq!(conflict.resolved(), Resolved::Open(1));
    conflict.decide(0, Choice::Yours);
    assert_eq!(rebased(&conflict), change(1));
}

#[test]
fn links_never_conflict() {
    let item = Item::new(LinkKind::Tag, "t", "t", None);
    let theirs = with(|r| r["name"] = "theirs".into());
    assert_eq!(met(&Change::Link { asset: id(), item }, theirs), None);
}
