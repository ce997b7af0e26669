//! Versions that are credited to steps, and those that are not.

use lunette_client::model::record::Record as _;
use lunette_client::model::version::AssetVersions;
use serde_json::json;

use super::*;
use crate::change::fingerprint::Fingerprint;
use crate::change::{Edit, Field, Item, LinkKind};
use crate::journal::{EntryId, EntryRelation, RunId};

/// A second of the day of the tests.
fn at(second: u64) -> Timestamp {
    format!("2026-01-01T10:00:{second:02}Z").parse().expect("a time")
}

fn step(asset: &AssetId, (began, ended): (u64, Option<u64>), change: Change) -> Entry {
    assert_eq!(change.asset(), asset);
    Entry {
        id: EntryId::random(),
        at: at(began),
        ended: ended.map(at),
        title: format!("step of {began}"),
        kind: EntryKind::Change(change),
        requests: Vec::new(),
        fields: Vec::new(),
        before: None,
        outcome: Outcome::Done,
        was_unknown: None,
        answers: EntryRelation::None,
        undone: false,
        partly: None,
        group: None,
        asked_by: None,
    }
}

fn rename(asset: &AssetId) -> Change {
    Change::Edit {
        asset: asset.clone(),
        edits: vec![Edit { field: Field::Name, from: Some("a".into()), to: "b".into() }],
    }
}

fn item(name: &str) -> Item {
    Item::new(LinkKind::Tag, name, name, None)
}

fn tag(asset: &AssetId, name: &str) -> Change {
    Change::Link { asset: asset.clone(), item: item(name) }
}

fn text(asset: &AssetId, to: &str) -> Change {
    Change::Text { asset: asset.clone(), from: String::new(), to: to.to_owned() }
}

/// Rows of versions, given oldest first: in which second each was written, by whom, and what changed.
fn rows(asset: &AssetId, versions: &[(u64, &str, &str)]) -> Vec<VersionRow> {
    let version = |(index, (second, client, changed)): (usize, &(u64, &str, &str))| {
        let stamp = json!({ "value": at(*second).to_string() });
        json!({
            "version": index + 1, "current": false, "at": stamp, "client": client,
            "changed": changed.split(' ').collect::<Vec<_>>(), "bytes": 3,
        })
    };
    let mut versions: Vec<_> = versions.iter().enumerate().map(version).collect();
    versions.reverse();
    let tree = json!({ "asset": asset.as_str(), "iterable": versions, "from_creation": true, "kept": {} });
    VersionRow::all(&AssetVersions::from_tree(tree).expect("versions"))
}

/// The numbers of the versions that are credited, with when their steps began.
fn credited(rows: &[VersionRow], asset: &AssetId, steps: &[Entry]) -> Vec<(i64, Timestamp)> {
    credited_with(rows, asset, steps, &RunChanges::default())
}

#[test]
fn what_another_client_of_this_program_wrote_within_a_minute_is_not_credited_to_a_step() {
    let asset = AssetId::random();
    let rows = rows(&asset, &[(11, "lunette/1", "name"), (12, "lunette/1", "name"), (40, "lunette/1", "content")]);
    let steps = [step(&asset, (10, Some(11)), rename(&asset))];
    assert_eq!(credited(&rows, &asset, &steps), [(1, at(10))]);
}

#[test]
fn each_of_two_steps_is_credited_with_its_own_version() {
    let asset = AssetId::random();
    let rows = rows(&asset, &[(11, "lunette/1", "name"), (21, "lunette/1", "name fields"), (31, "editor", "name")]);
    let steps = [step(&asset, (10, Some(12)), rename(&asset)), step(&asset, (20, Some(22)), rename(&asset))];
    assert_eq!(credited(&rows, &asset, &steps), [(1, at(10)), (2, at(20))]);
    let other = AssetId::random();
    assert_eq!(credited(&rows, &other, &steps), []);
}

#[test]
fn where_two_clients_wrote_the_same_fields_while_a_step_ran_neither_version_is_credited() {
    let asset = AssetId::random();
    let rows = rows(&asset, &[(10, "lunette/1", "name"), (11, "lunette/1", "name")]);
    assert_eq!(credited(&rows, &asset, &[step(&asset, (10, Some(12)), rename(&asset))]), []);
}

#[test]
fn a_version_with_other_changes_or_another_length_of_its_text_is_not_credited() {
    let asset = AssetId::random();
    let rows = rows(&asset, &[(11, "lunette/1", "tags"), (12, "lunette/1", "content")]);
    assert_eq!(credited(&rows, &asset, &[step(&asset, (10, Some(13)), rename(&asset))]), []);
    assert_eq!(credited(&rows, &asset, &[step(&asset, (10, Some(13)), text(&asset, "four"))]), []);
    let written = [step(&asset, (10, Some(13)), text(&asset, "two"))];
    assert_eq!(credited(&rows, &asset, &written), [(2, at(10))]);
}

#[test]
fn a_step_that_failed_or_is_in_doubt_is_credited_with_nothing() {
    let asset = AssetId::random();
    let rows = rows(&asset, &[(11, "lunette/1", "name")]);
    for outcome in [Outcome::Failed("no".to_owned()), Outcome::Unknown("lost".to_owned()), Outcome::Sending] {
        let step = Entry { outcome, ..step(&asset, (10, Some(12)), rename(&asset)) };
        assert_eq!(credited(&rows, &asset, &[step]), []);
    }
}

#[test]
fn a_step_of_several_calls_is_credited_with_as_many_versions() {
    let asset = AssetId::random();
    let change = Change::Relink { asset: asset.clone(), link: vec![item("a")], unlink: vec![item("b")] };
    let rows = rows(&asset, &[(11, "lunette/1", "tags"), (12, "lunette/1", "tags"), (13, "lunette/1", "tags")]);
    let steps = [step(&asset, (10, Some(12)), change)];
    assert_eq!(credited(&rows, &asset, &steps), [(1, at(10)), (2, at(10))]);
}

#[test]
fn a_step_of_an_earlier_version_of_the_program_ends_at_the_next_one() {
    let asset = AssetId::random();
    let rows = rows(&asset, &[(11, "lunette/1", "name"), (21, "lunette/1", "name")]);
    let steps = [step(&asset, (10, None), rename(&asset)), step(&asset, (20, None), rename(&asset))];
    assert_eq!(credited(&rows, &asset, &steps), [(1, at(10)), (2, at(20))]);
    // Without the second step the second version is somebody else's, and cannot be told from the first.
    assert_eq!(credited(&rows, &asset, &steps[..1]), []);
}

#[test]
fn a_version_that_this_program_keeps_is_dated_when_the_asset_was_read_again() {
    let asset = AssetId::random();
    let rows = rows(&asset, &[(12, "lunette/1", "name"), (40, "lunette/1", "name")]);
    let steps = [step(&asset, (10, Some(11)), rename(&asset))];
    let runs = RunChanges::default();
    let found = writers(&rows, &asset, true, steps.iter(), &runs);
    assert_eq!(found.keys().collect::<Vec<_>>(), [&1]);
}

/// A step of a run, and what it changed.
fn run(asset: &AssetId, (began, ended): (u64, u64), changes: &[Change]) -> (Entry, RunChanges) {
    let kind = EntryKind::Batch { run: RunId::random(), count: changes.len() };
    let entry = Entry { kind, ..step(asset, (began, Some(ended)), rename(asset)) };
    let mut runs = RunChanges::default();
    let steps = runs.unread(asset, &rows(asset, &[(ended, "lunette/1", "name")]), false, [&entry].into_iter());
    assert_eq!(steps.len(), 1);
    runs.insert(asset, vec![(steps[0], changes.to_vec())]);
    assert_eq!(runs.unread(asset, &rows(asset, &[(ended, "lunette/1", "name")]), false, [&entry].into_iter()), []);
    (entry, runs)
}

fn credited_with(rows: &[VersionRow], asset: &AssetId, steps: &[Entry], runs: &RunChanges) -> Vec<(i64, Timestamp)> {
    let found = writers(rows, asset, false, steps.iter(), runs);
    let mut found: Vec<_> = found.into_iter().map(|(number, entry)| (number, entry.at)).collect();
    found.sort_unstable();
    found
}

#[test]
fn each_version_that_a_run_wrote_is_credited_to_its_step() {
    let asset = AssetId::random();
    let changes = [rename(&asset), text(&asset, "two"), tag(&asset, "a"), tag(&asset, "b")];
    let (entry, runs) = run(&asset, (10, 40), &changes);
    let written = [(11, "lunette/1", "name"), (20, "lunette/1", "content"), (30, "lunette/1", "tags")];
    let rows = rows(&asset, &[&written[..], &[(31, "lunette/1", "tags"), (41, "lunette/1", "name")]].concat());
    assert_eq!(
        credited_with(&rows, &asset, std::slice::from_ref(&entry), &runs),
        [1, 2, 3, 4].map(|number| (number, at(10)))
    );
    let other = AssetId::random();
    assert_eq!(credited_with(&rows, &other, &[entry], &runs), []);
}

#[test]
fn where_another_client_wrote_the_same_fields_while_a_run_ran_neither_version_is_credited() {
    let asset = AssetId::random();
    let (entry, runs) = run(&asset, (10, 40), &[rename(&asset), text(&asset, "two")]);
    let rows = rows(&asset, &[(11, "lunette/1", "name"), (12, "lunette/1", "name"), (20, "lunette/1", "content")]);
    assert_eq!(credited_with(&rows, &asset, &[entry], &runs), [(3, at(10))]);
}

#[test]
fn a_step_that_was_made_while_a_run_ran_keeps_its_version_and_the_run_has_the_other() {
    let asset = AssetId::random();
    let (entry, runs) = run(&asset, (10, 40), &[rename(&asset)]);
    let rows = rows(&asset, &[(15, "lunette/1", "name"), (21, "lunette/1", "name")]);
    let steps = [entry, step(&asset, (20, Some(22)), rename(&asset))];
    assert_eq!(credited_with(&rows, &asset, &steps, &runs), [(1, at(10)), (2, at(20))]);
}

#[test]
fn what_an_asset_was_created_as_is_credited_to_the_step_that_created_it_by_its_id() {
    let asset = AssetId::random();
    let create = |asset: &AssetId| Change::Create {
        asset: asset.clone(),
        name: "a".to_owned(),
        made: Fingerprint::of(&serde_json::Value::Null),
        replaces: None,
    };
    // A service does not say who created an asset.
    let rows = rows(&asset, &[(11, "", "created"), (12, "lunette/1", "name")]);
    let steps = [step(&asset, (10, Some(13)), create(&asset))];
    assert_eq!(credited(&rows, &asset, &steps), [(1, at(10))]);
    let (entry, runs) = run(&asset, (10, 13), &[create(&asset)]);
    assert_eq!(credited_with(&rows, &asset, &[entry], &runs), [(1, at(10))]);
    let other = AssetId::random();
    let (entry, runs) = run(&other, (10, 13), &[create(&other)]);
    assert_eq!(credited_with(&rows, &asset, &[entry], &runs), []);
}

#[test]
fn a_version_that_an_application_wrote_under_its_own_name_is_credited_by_how_its_client_names_itself() {
    let asset = AssetId::random();
    let mut tree = json!({
        "asset": asset.as_str(), "from_creation": true, "kept": {},
        "iterable": [{
            "version": 1, "current": true, "at": { "value": at(11).to_string() }, "client": "lunette/1",
            "application": "An editor", "changed": ["name"],
        }],
    });
    let steps = [step(&asset, (10, Some(12)), rename(&asset))];
    let of = |tree: &serde_json::Value| VersionRow::all(&AssetVersions::from_tree(tree.clone()).expect("versions"));
    assert_eq!(credited(&of(&tree), &asset, &steps), [(1, at(10))]);
    tree["iterable"][0]["client"] = "other/1".into();
    tree["iterable"][0]["application"] = "lunette's friend".into();
    assert_eq!(credited(&of(&tree), &asset, &steps), []);
}
