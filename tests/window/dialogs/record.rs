//! Editing the record as text: checked while typing, shown as a plan, sent after confirmation.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetUpdate;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::change::Change;
use lunette_inspector::drafts::DraftKey;
use serde_json::{Value, json};

use crate::dialogs::plan::{plan, stand, writes};
use crate::panels::asset_page::{at_service, looking_at, settle};
use crate::stage::Stage;
use crate::support::assets::record;

pub const FIELD: &str = "Record as JSON";

/// Opens the editor of the open asset.
pub fn edit(stage: &mut Stage) {
    stage.find(Role::Tab, "Record").click();
    stage.harness.run_steps(2);
    stage.press("Edit record…");
    stage.until_said("Nothing was changed");
}

/// Returns the text in the editor.
pub fn text(stage: &Stage) -> String {
    stage.find(Role::MultilineTextInput, FIELD).accesskit_node().value().unwrap_or_default()
}

/// Replaces the text in the editor, like pasting over everything.
pub fn put(stage: &mut Stage, text: &str) {
    stage.find(Role::MultilineTextInput, FIELD).focus();
    stage.harness.step();
    stage.ctrl(egui::Key::A);
    stage.harness.event(egui::Event::Paste(text.to_owned()));
    stage.settle();
}

/// Changes the record in the editor as a tree.
pub fn change(stage: &mut Stage, change: impl FnOnce(&mut Value)) {
    let mut tree: Value = serde_json::from_str(&text(stage)).expect("JSON");
    change(&mut tree);
    put(stage, &serde_json::to_string_pretty(&tree).expect("JSON"));
}

/// Waits until the plan is drawn.
pub fn until_plan(stage: &mut Stage) {
    stage.until("there is a plan", |state| plan(state).is_some());
    stage.until_drawn("it can be applied", |harness| {
        harness
            .query_by_role_and_label(Role::Button, "Apply")
            .is_some_and(|apply| !apply.accesskit_node().is_disabled())
    });
    stage.harness.run_steps(6);
    stand(stage);
}

fn until_left(stage: &mut Stage) {
    stage.until_drawn("the editor is left", |harness| {
        harness.query_by_role_and_label(Role::MultilineTextInput, FIELD).is_none()
    });
}

#[test]
fn a_record_can_be_edited_and_keeps_unknown_fields() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| {
        tree["name"] = json!("renamed.txt");
        tree["unknown"] = serde_json::from_str(r#"{"digits": 1.10, "z": null, "a": []}"#).expect("JSON");
    });
    stage.until_said("2 fields differ from what you began with");
    assert!(stage.says("$.name") && stage.says("$.unknown"));
    stage.press("Review…");
    until_plan(&mut stage);
    let shown = plan(stage.state()).expect("a plan").calls[0].parts().body.expect("a body");
    stage.press("Apply");
    until_left(&mut stage);
    settle(&mut stage, &id);
    let sent: Vec<_> = stage.state().session.log.iter().filter(|line| line.info.writes()).collect();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].request_body.as_deref().map(str::as_bytes), Some(shown.as_slice()));
    let at_service = at_service(&stage, &id);
    assert_eq!(at_service["name"], "renamed.txt");
    assert_eq!(at_service["unknown"].to_string(), r#"{"digits":1.10,"z":null,"a":[]}"#);
    assert!(stage.state().drafts.typed.is_empty(), "what was applied is not a draft");
}

#[test]
fn a_key_copies_the_record_for_no_draft() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    let draft = |stage: &Stage| stage.state().drafts.typed[&DraftKey::Record(id.clone())].clone();
    put(&mut stage, "{ 1");
    let before = draft(&stage);
    put(&mut stage, "{ 12");
    let after = draft(&stage);
    assert_eq!((before.typed.as_text(), after.typed.as_text()), (Some("{ 1"), Some("{ 12")));
    assert!(std::sync::Arc::ptr_eq(&before.base, &after.base));
}

#[test]
fn a_reviewed_and_cancelled_edit_is_not_sent_and_kept() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["name"] = json!("renamed.txt"));
    stage.until_said("1 field differs");
    stage.press("Review…");
    until_plan(&mut stage);
    assert!(stage.says("Change the record of “a.txt”"));
    stage.press("Cancel");
    settle(&mut stage, &id);
    assert_eq!(writes(&stage), 0);
    assert!(text(&stage).contains("renamed.txt"));
}

#[test]
fn errors_are_shown_with_their_position_and_prevent_a_review() {
    let (mut stage, _) = looking_at("a.txt", "text");
    edit(&mut stage);
    put(&mut stage, "{\n  \"id\" 1\n}");
    stage.until_said("line 2, column 8: expected `:`");
    stage.press("Review…");
    assert!(stage.state().write.planned.is_none());
    put(&mut stage, "{\n  \"id\": 1\n}");
    stage.until_said("$.id");
    stage.press("Review…");
    assert!(stage.state().write.planned.is_none());
    stage.press("Discard draft");
    until_left(&mut stage);
    edit(&mut stage);
    change(&mut stage, |tree| tree["id"] = json!("00000004-0000-4000-8000-000000000004"));
    stage.until_said("cannot be changed");
}

#[test]
fn format_puts_each_field_on_a_line_and_changes_nothing_else() {
    let (mut stage, _) = looking_at("a.txt", "text");
    edit(&mut stage);
    let before = text(&stage);
    let tree: Value = serde_json::from_str(&before).expect("JSON");
    put(&mut stage, &tree.to_string());
    stage.until_said("Nothing was changed");
    stage.press("Format");
    assert_eq!(text(&stage), before);
    assert!(stage.state().drafts.typed.is_empty(), "the text it was opened with is not a draft");
}

#[test]
fn a_record_changed_elsewhere_is_not_overwritten() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["name"] = json!("mine.txt"));
    stage.until_said("1 field differs");
    rename(&stage, &id, "theirs.txt");
    stage.press("Review…");
    stage.until("there is a conflict", |state| state.write.conflict.is_some());
    assert_eq!(writes(&stage), 0);
    assert_eq!(at_service(&stage, &id)["name"], "theirs.txt");
    let conflict = stage.state().write.conflict.as_ref().expect("a conflict");
    assert!(matches!(&conflict.change, Change::Record { from, .. } if from["name"] == "a.txt"));
    assert!(stage.state().drafts.typed.contains_key(&DraftKey::Record(id)), "what was typed is kept");
}

/// Renames an asset past the window.
pub fn rename(stage: &Stage, id: &AssetId, name: &str) {
    let mut tree = at_service(stage, id);
    tree["name"] = json!(name);
    let asset: lunette_client::model::asset::Asset = record(tree);
    stage.call(AssetUpdate { transferables: Some(false), asset: Some(asset) }).expect("renamed").into_tree();
}

#[test]
fn a_clicked_field_receives_the_typed_text() {
    let (mut stage, _) = looking_at("a.txt", "text");
    edit(&mut stage);
    let before = text(&stage);
    let pos = stage.find(Role::MultilineTextInput, FIELD).rect().left_top() + egui::vec2(40.0, 30.0);
    stage.harness.hover_at(pos);
    stage.harness.run_steps(2);
    for pressed in [true, false] {
        stage.harness.event(egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
        stage.harness.step();
    }
    stage.harness.event(egui::Event::Text("x".to_owned()));
    stage.settle();
    assert_eq!(text(&stage).len(), before.len() + 1);
}

#[test]
fn a_large_record_can_be_edited() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let mut tree = at_service(&stage, &id);
    tree["unknown"] = (0..4_000).map(|index| Value::from(format!("{index} {}", "x".repeat(55)))).collect();
    let asset: lunette_client::model::asset::Asset = record(tree);
    stage.call(AssetUpdate { transferables: Some(false), asset: Some(asset) }).expect("updated");
    stage.perform(AssetsAction::Reload(id.clone()));
    settle(&mut stage, &id);
    edit(&mut stage);
    stage.find(Role::MultilineTextInput, FIELD).focus();
    stage.settle();
    stage.ctrl(Key::H);
    stage.until_label("Replace with");
    stage.type_into("Find in the text", "\"0 x");
    stage.until_label("1 of 1");
    stage.type_into("Replace with", "\"0 y");
    stage.press("Replace match");
    stage.until_said("1 field differs");
    stage.press("Review…");
    until_plan(&mut stage);
    let drawn = stage.harness.query_all_by_label_contains("xxxxxxxxxx").count();
    assert!(drawn < 100, "{drawn} lines of the body are drawn, not only those in sight");
    stage.press("Apply");
    until_left(&mut stage);
    settle(&mut stage, &id);
    assert!(at_service(&stage, &id)["unknown"][0].as_str().is_some_and(|text| text.starts_with("0 y")));
}
