//! Versions that are credited to steps, and those that are not.

use lunette_client::model::record::Record as _;
use lunette_client::model::version::AssetVersions;
use serde_json::json;

use super::*;
use crate::change::{Edit, Field, Item, LinkKind};
use crate::journal::{EntryId, EntryRelation};

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
    let mut found: Vec<_> =
        writers(rows, asset, false, steps.iter()).into_iter().map(|(number, entry)| (number, entry.at)).collect();
    found.sort_unstable();
    found
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
    let item = |name: &str| Item::new(LinkKind::Tag, name, name, None);
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
    let found = writers(&rows, &asset, true, steps.iter());
    assert_eq!(found.keys().collect::<Vec<_>>(), [&1]);
}
