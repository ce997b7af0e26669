//! Drafts: unapplied input is restored, in this window and in the next.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::drafts::DraftKey;
use serde_json::json;

use crate::dialogs::forms::type_lines;
use crate::dialogs::plan::writes;
use crate::dialogs::record::{change, edit, rename, text, until_plan};
use crate::panels::asset_page::{at_service, looking_at, open, settle};
use crate::stage::Stage;

const RECORD: &str = "Continue editing this record";
const FIELDS: &str = "Continue editing the fields of this asset";

#[test]
fn an_edited_record_survives_a_restart_and_is_applied_later() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["name"] = json!("later.txt"));
    let typed = text(&stage);
    let mut stage = stage.reopened();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    open(&mut stage, &id);
    stage.until_said("Unsaved changes to this record, edited just now");
    assert_eq!(writes(&stage), 0);
    stage.press(RECORD);
    stage.until_said("1 field differs");
    assert_eq!(text(&stage), typed);
    stage.press("Review…");
    until_plan(&mut stage);
    stage.press("Apply");
    stage.until("the draft is gone", |state| state.drafts.typed.is_empty());
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["name"], "later.txt");
    let mut stage = stage.reopened();
    open(&mut stage, &id);
    assert!(!stage.says("Unsaved changes to"), "what was applied is not a draft, in the next window either");
}

#[test]
fn a_draft_is_compared_with_its_original() {
    let (mut stage, id) = looking_at("a.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["name"] = json!("mine.txt"));
    let mut stage = stage.reopened();
    rename(&stage, &id, "theirs.txt");
    open(&mut stage, &id);
    stage.until_label(RECORD);
    stage.press(RECORD);
    stage.until_said("1 field differs");
    stage.press("Review…");
    stage.until("there is a conflict", |state| state.write.conflict.is_some());
    assert_eq!(writes(&stage), 0);
}

#[test]
fn leaving_the_editor_keeps_the_input_and_discard_deletes_it() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let other = stage.asset("b.txt", "text");
    edit(&mut stage);
    change(&mut stage, |tree| tree["name"] = json!("mine.txt"));
    open(&mut stage, &other);
    assert!(!stage.says("Unsaved changes to"));
    assert!(stage.says("Unsaved draft"), "the list marks it");
    open(&mut stage, &id);
    stage.until_label(RECORD);
    stage.press("Edit record…");
    assert!(text(&stage).contains("mine.txt"), "the editor opens with what was typed");
    stage.press("Back to the tree");
    stage.press("Discard the changes to this record");
    stage.until("it is forgotten", |state| state.drafts.typed.is_empty());
    stage.harness.run_steps(2);
    assert!(!stage.says("Unsaved changes to"));
    let mut stage = stage.reopened();
    open(&mut stage, &id);
    assert!(!stage.says("Unsaved changes to"));
}

#[test]
fn edited_fields_are_restored_until_they_are_saved() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Edit");
    type_lines(&mut stage, "Description", "half a sentence");
    stage.key(Key::Escape);
    let mut stage = stage.reopened();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    open(&mut stage, &id);
    stage.until_label(FIELDS);
    stage.press(FIELDS);
    let field = stage.find(Role::MultilineTextInput, "Description").accesskit_node().value();
    assert_eq!(field.as_deref(), Some("half a sentence"));
    stage.press("Save");
    stage.until("the draft is gone", |state| state.drafts.typed.is_empty());
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["annotations"]["iterable"][0]["text"], "half a sentence");
    stage.harness.run_steps(2);
    assert!(!stage.says("Unsaved changes to"));
}

#[test]
fn cancel_discards_the_edited_fields() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Edit");
    type_lines(&mut stage, "Description", "half a sentence");
    assert!(stage.state().drafts.typed.contains_key(&DraftKey::Fields(id)));
    stage.press("Cancel");
    stage.until("it is forgotten", |state| state.drafts.typed.is_empty());
    assert!(!stage.says("Unsaved changes to"));
}

#[test]
fn a_new_text_survives_a_restart_until_it_is_saved() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.press("New from text…");
    stage.type_into("Name", "notes.md");
    type_lines(&mut stage, "Text", "# Notes");
    let mut stage = stage.reopened();
    stage.ctrl(Key::Num3);
    stage.press("New from text…");
    assert!(stage.says("Restored your draft"));
    assert_eq!(stage.find(Role::TextInput, "Name").accesskit_node().value().as_deref(), Some("notes.md"));
    stage.press("Create");
    stage.until_label("Rename notes.md");
    stage.until("the draft is gone", |state| state.drafts.typed.is_empty());
    assert!(stage.harness.query_by_role(Role::Dialog).is_none());
}
