//! An asset that a second client changes between reading and writing: nothing is sent until the user decides.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetUpdate;
use lunette_inspector::action::{HistoryAction, WriteAction};
use lunette_inspector::change::Change;
use serde_json::{Value, json};

use crate::dialogs::forms::type_lines;
use crate::dialogs::plan::writes;
use crate::dialogs::record::{change, edit, text};
use crate::panels::asset_page::{at_service, looking_at, settle};
use crate::stage::Stage;

/// Changes the asset as a second client; returns the new record.
fn changed(stage: &Stage, id: &AssetId, change: impl FnOnce(&mut Value)) -> Value {
    let mut tree = at_service(stage, id);
    change(&mut tree);
    let asset = Asset::from_tree(tree).expect("an asset");
    stage.call(AssetUpdate { transferables: Some(false), asset: Some(asset) }).expect("updated");
    at_service(stage, id)
}

/// The same, waiting until the window shows the change, so that nothing moves after that.
pub fn elsewhere(stage: &mut Stage, id: &AssetId, change: impl FnOnce(&mut Value)) -> Value {
    let theirs = changed(stage, id, change);
    stage.until("it is heard of", |state| {
        let record = state.assets.pages.of.get(id).and_then(|page| page.record.value());
        record.is_some_and(|record| *record.tree() == theirs)
    });
    stage.settle();
    theirs
}

/// Waits until the dialog shows who changed what in these rows.
pub fn until_contested(stage: &mut Stage, rows: &[&'static str]) {
    stage.until("it is contested", |state| state.write.conflict.is_some());
    for row in rows {
        stage.until_said(row);
    }
}

fn until_over(stage: &mut Stage) {
    stage.until("the conflict is over", |state| state.write.conflict.is_none());
    stage.harness.run_steps(2);
}

fn choose(stage: &mut Stage, name: &str) {
    stage.find(Role::RadioButton, name).click();
    stage.settle();
}

/// The window is about to rename the asset, which is renamed elsewhere; returns the record on the service.
fn renamed_twice() -> (Stage, AssetId, Value) {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Edit");
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Name").type_text("mine.txt");
    stage.harness.run_steps(2);
    let theirs = elsewhere(&mut stage, &id, |tree| tree["name"] = json!("theirs.txt"));
    stage.press("Save");
    until_contested(&mut stage, &["Name: began with \"a.txt\", yours \"mine.txt\", theirs \"theirs.txt\""]);
    (stage, id, theirs)
}

/// The window is about to send the record with one more field, while this change happens elsewhere.
fn record_and_meanwhile(change: impl FnOnce(&mut Value)) -> (Stage, AssetId, Value) {
    let (mut stage, id) = looking_at("a.txt", "text");
    let from = at_service(&stage, &id);
    let mut to = from.clone();
    to["note"] = json!("mine");
    let theirs = elsewhere(&mut stage, &id, change);
    stage.perform(WriteAction::Change(Change::Record { asset: id.clone(), from, to }));
    stage.until("it is planned", |state| {
        state.write.conflict.is_some() || state.write.planned.as_ref().is_some_and(planned)
    });
    stage.harness.run_steps(2);
    (stage, id, theirs)
}

fn planned(planned: &lunette_inspector::write::plan::Planned) -> bool {
    planned.plan.value().is_some()
}

fn apply(stage: &mut Stage, id: &AssetId) {
    stage.until("there is a plan", |state| state.write.planned.as_ref().is_some_and(planned));
    stage.until_drawn("it can be applied", |harness| {
        harness
            .query_by_role_and_label(Role::Button, "Apply")
            .is_some_and(|apply| !apply.accesskit_node().is_disabled())
    });
    stage.harness.run_steps(6);
    // The dialog is centred once its height is known.
    stage.settle();
    stage.press("Apply");
    stage.until("it is applied", |state| state.write.planned.is_none());
    settle(stage, id);
    assert_eq!(stage.state().notifications.notices, [], "it went well");
}

#[test]
fn conflicting_changes_of_one_field_send_nothing() {
    let (mut stage, id, theirs) = renamed_twice();
    assert!(stage.says("Nothing was sent") && stage.says("One field was changed by both"));
    stage.press("Merge");
    assert!(stage.state().write.conflict.is_some(), "it is to be decided first");
    assert_eq!(writes(&stage), 0);
    assert_eq!(at_service(&stage, &id), theirs, "no update came there");
}

#[test]
fn your_version_is_sent_after_it_is_chosen() {
    let (mut stage, id, _) = renamed_twice();
    choose(&mut stage, "Take yours: Name");
    assert_eq!(writes(&stage), 0);
    stage.press("Merge");
    until_over(&mut stage);
    settle(&mut stage, &id);
    assert_eq!(writes(&stage), 1);
    assert_eq!(at_service(&stage, &id)["name"], "mine.txt");
    stage.harness.run_steps(2);
    assert!(stage.harness.query_by_role_and_label(Role::Dialog, "Edit asset").is_none(), "the form is done");
    stage.until("it can be undone", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some())
    });
    stage.perform(HistoryAction::Undo);
    stage.until("it is undone", |state| {
        state.notifications.outcome.as_ref().is_some_and(|o| o.text.starts_with("Undone"))
    });
    assert_eq!(at_service(&stage, &id)["name"], "theirs.txt", "undo goes back to what was merged upon");
}

#[test]
fn taking_theirs_sends_nothing_and_ends_the_form() {
    let (mut stage, id, theirs) = renamed_twice();
    stage.press("Take all of theirs");
    stage.press("Keep theirs");
    until_over(&mut stage);
    settle(&mut stage, &id);
    assert_eq!((writes(&stage), at_service(&stage, &id)), (0, theirs));
    stage.until_said("Rename theirs.txt");
    assert!(stage.harness.query_by_role_and_label(Role::Dialog, "Edit asset").is_none());
}

#[test]
fn closing_sends_nothing_and_keeps_the_input() {
    for key in [None, Some(Key::Escape)] {
        let (mut stage, id, theirs) = renamed_twice();
        match key {
            None => stage.press("Close, keep my draft"),
            Some(key) => stage.key(key),
        }
        until_over(&mut stage);
        settle(&mut stage, &id);
        assert_eq!((writes(&stage), at_service(&stage, &id)), (0, theirs));
        let name = stage.find(Role::TextInput, "Name").accesskit_node().value();
        assert_eq!(name.as_deref(), Some("mine.txt"));
        assert!(stage.says("the asset changed in the meantime"));
        // Saving again reports it again and does not send it.
        stage.press("Save");
        until_contested(&mut stage, &["Name"]);
        assert_eq!(writes(&stage), 0);
    }
}

#[test]
fn merging_writes_a_locally_changed_field_along_with_remote_changes() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Edit");
    type_lines(&mut stage, "Description", "mine");
    elsewhere(&mut stage, &id, |tree| tree["name"] = json!("theirs.txt"));
    stage.press("Save");
    stage.until("it is written", |state| state.notifications.outcome.is_some());
    settle(&mut stage, &id);
    let asset = at_service(&stage, &id);
    assert_eq!((&asset["name"], &asset["annotations"]["iterable"][0]["text"]), (&json!("theirs.txt"), &json!("mine")));
}

#[test]
fn independent_changes_merge_with_one_click() {
    let (mut stage, id, _) = record_and_meanwhile(|tree| tree["name"] = json!("theirs.txt"));
    until_contested(
        &mut stage,
        &[
            "Name: began with \"a.txt\", yours \"a.txt\", theirs \"theirs.txt\"; only the service",
            "Note: began with absent, yours \"mine\", theirs absent; only you",
        ],
    );
    stage.press("Merge");
    assert_eq!(writes(&stage), 0, "its plan is looked at first");
    apply(&mut stage, &id);
    assert_eq!(writes(&stage), 1);
    let asset = at_service(&stage, &id);
    assert_eq!((&asset["name"], &asset["note"]), (&json!("theirs.txt"), &json!("mine")));
}

#[test]
fn the_record_editor_keeps_the_input_until_it_is_merged() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["note"] = json!("mine"));
    stage.until_said("1 field differs");
    elsewhere(&mut stage, &id, |tree| tree["name"] = json!("theirs.txt"));
    stage.press_once_enabled("Review…");
    until_contested(&mut stage, &["Note", "Name"]);
    stage.press("Close, keep my draft");
    until_over(&mut stage);
    settle(&mut stage, &id);
    assert!(text(&stage).contains("mine") && stage.says("the asset changed in the meantime"));
    assert_eq!(writes(&stage), 0);
    stage.press_once_enabled("Review…");
    until_contested(&mut stage, &["Note", "Name"]);
    stage.press("Merge");
    apply(&mut stage, &id);
    let asset = at_service(&stage, &id);
    assert_eq!((&asset["name"], &asset["note"]), (&json!("theirs.txt"), &json!("mine")));
    assert!(stage.state().drafts.typed.is_empty());
}

#[test]
fn a_record_conflict_is_resolved_field_by_field() {
    let (mut stage, id, theirs) = record_and_meanwhile(|tree| {
        tree["note"] = json!("theirs");
        tree["name"] = json!("theirs.txt");
    });
    until_contested(&mut stage, &["Note: began with absent, yours \"mine\", theirs \"theirs\"; both: choose one"]);
    stage.press("Merge");
    assert!(stage.state().write.conflict.is_some() && stage.says("one field to choose"));
    assert_eq!((writes(&stage), at_service(&stage, &id)), (0, theirs));
    stage.press("Take all of yours");
    stage.press("Merge");
    apply(&mut stage, &id);
    let asset = at_service(&stage, &id);
    assert_eq!((&asset["name"], &asset["note"]), (&json!("theirs.txt"), &json!("mine")));
}

#[test]
fn automatically_changing_fields_are_not_a_conflict() {
    let (stage, _, _) = record_and_meanwhile(|tree| tree["interacted"] = json!({ "value": "2024-05-01T12:00:00Z" }));
    assert!(stage.state().write.conflict.is_none() && stage.state().write.planned.is_some());
}

#[test]
fn an_asset_that_changes_again_conflicts_again() {
    let (mut stage, id, _) = renamed_twice();
    choose(&mut stage, "Take yours: Name");
    let theirs = changed(&stage, &id, |tree| tree["name"] = json!("again.txt"));
    stage.press("Merge");
    until_contested(&mut stage, &[]);
    stage.until_said("theirs \"again.txt\"");
    assert_eq!((writes(&stage), at_service(&stage, &id)), (0, theirs));
}

#[test]
fn a_conflict_fits_a_small_window() {
    let (mut stage, _, _) = renamed_twice();
    for size in [egui::vec2(900.0, 600.0), egui::vec2(1280.0, 800.0)] {
        stage.harness.set_size(size);
        stage.harness.run_steps(3);
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        for name in ["Merge", "Close, keep my draft", "Take all of yours", "Take all of theirs"] {
            assert!(screen.contains_rect(stage.find(Role::Button, name).rect()), "{name}");
        }
        for name in ["Take yours: Name", "Take theirs: Name"] {
            assert!(screen.contains_rect(stage.find(Role::RadioButton, name).rect()), "{name}");
        }
    }
}
