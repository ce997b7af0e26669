//! The forms of an asset: each successful, and each refused.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetsDeleteAsset;
use lunette_inspector::change::Counter;
use lunette_inspector::notifications::Outcome;

use crate::panels::asset_page::{at_service, looking_at, settle};
use crate::stage::Stage;

/// Returns whether a dialog with this title is open.
pub fn open(stage: &Stage, title: &str) -> bool {
    stage.harness.query_by_role_and_label(Role::Dialog, title).is_some()
}

pub fn until_closed(stage: &mut Stage, title: &'static str) {
    stage.until_drawn(&format!("{title:?} is closed"), move |harness| {
        harness.query_by_role_and_label(Role::Dialog, title).is_none()
    });
}

/// Types into a multi-line field.
pub fn type_lines(stage: &mut Stage, field: &str, text: &str) {
    stage.find(Role::MultilineTextInput, field).focus();
    stage.harness.step();
    stage.find(Role::MultilineTextInput, field).type_text(text);
    stage.harness.run_steps(2);
}

pub fn until_refused(stage: &mut Stage, id: &AssetId) {
    let wanted = id.clone();
    stage.until("it is refused", move |state| state.write.of(&wanted).refused.is_some());
    stage.harness.run_steps(2);
}

#[test]
fn an_edit_changes_only_the_edited_fields() {
    let (mut stage, id) = looking_at("old.txt", "text");
    stage.press("Edit");
    assert!(open(&stage, "Edit asset"));
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Name").type_text("new.txt");
    stage.harness.run_steps(2);
    type_lines(&mut stage, "Description", "What it is for");
    stage.press("Save");
    until_closed(&mut stage, "Edit asset");
    settle(&mut stage, &id);
    let asset = at_service(&stage, &id);
    assert_eq!(asset["name"], "new.txt");
    assert_eq!(asset["annotations"]["iterable"][0]["text"], "What it is for");
    stage.press("Details");
    stage.until_label("What it is for");
}

#[test]
fn an_edit_without_a_name_cannot_be_saved() {
    let (mut stage, _) = looking_at("old.txt", "text");
    stage.press("Edit");
    stage.ctrl(Key::A);
    stage.key(Key::Backspace);
    assert!(stage.says("Enter a name"));
    stage.press("Save");
    assert!(open(&stage, "Edit asset"));
    stage.key(Key::Escape);
    until_closed(&mut stage, "Edit asset");
    assert!(stage.says("Rename old.txt"));
}

#[test]
fn a_click_outside_keeps_a_dialog_with_input_open() {
    let (mut stage, _) = looking_at("old.txt", "text");
    let beside = |stage: &mut Stage| {
        let pos = egui::pos2(4.0, 200.0);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
            stage.harness.event(egui::Event::PointerMoved(pos));
            stage.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
            stage.harness.step();
        }
        stage.harness.run_steps(3);
    };
    stage.press("Edit");
    type_lines(&mut stage, "Description", "kept words");
    beside(&mut stage);
    assert!(open(&stage, "Edit asset"), "what was typed is not lost by a click beside");
    stage.press("Cancel");
    until_closed(&mut stage, "Edit asset");
    stage.press("Edit");
    beside(&mut stage);
    until_closed(&mut stage, "Edit asset");
}

#[test]
fn the_buttons_of_the_edit_dialog_do_not_move_when_a_message_appears() {
    let (mut stage, id) = looking_at("old.txt", "text");
    stage.press("Edit");
    type_lines(&mut stage, "Description", "words");
    let before = stage.find(Role::Button, "Save").rect();
    let mut theirs = at_service(&stage, &id);
    theirs["name"] = "theirs.txt".into();
    let asset = Some(crate::support::assets::record(theirs));
    let update = lunette_client::operation::table::AssetUpdate { transferables: Some(false), asset };
    stage.call(update).expect("updated");
    stage.until_said("was changed elsewhere");
    assert_eq!(stage.find(Role::Button, "Save").rect(), before);
}

#[test]
fn a_language_is_listed_once_with_those_in_use_first() {
    let (mut stage, _) = looking_at("a.txt", "text");
    stage.until("it is listed", |state| state.assets.list.count() == 1);
    stage.press("Reclassify");
    let rows = |stage: &Stage| -> Vec<String> {
        let rows = stage.harness.query_all_by_role(Role::ListBoxOption);
        rows.filter_map(|row| row.accesskit_node().label()).collect()
    };
    stage.harness.run_steps(3);
    assert_eq!(rows(&stage).first().map(String::as_str), Some("Plain text"));
    assert!(stage.says("1 asset"));
    stage.find(Role::TextInput, "Find a language").type_text("puppet");
    stage.harness.run_steps(3);
    assert_eq!(rows(&stage), ["Puppet"]);
    // The exact value can still be reached.
    stage.press("Clear Find a language");
    stage.find(Role::TextInput, "Find a language").type_text("cpy");
    stage.harness.run_steps(3);
    stage.find(Role::Button, "Reclassify to Python (.cpy)");
}

#[test]
fn tab_indents_in_the_text_of_a_new_asset_and_ctrl_tab_leaves_it() {
    // Ctrl is the command key except on a Mac, where Cmd+Tab is not for programs.
    for held in [Modifiers::CTRL | Modifiers::COMMAND, Modifiers::CTRL] {
        tab_indents_and_is_left_with(held);
    }
}

fn tab_indents_and_is_left_with(held: Modifiers) {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.press("New from text…");
    type_lines(&mut stage, "Text", "if x:\n");
    stage.key(Key::Tab);
    let value = |stage: &Stage| stage.find(Role::MultilineTextInput, "Text").accesskit_node().value();
    assert_eq!(value(&stage).as_deref(), Some("if x:\n\t"));
    assert!(stage.find(Role::MultilineTextInput, "Text").is_focused());
    stage.harness.key_press_modifiers(held, Key::Tab);
    stage.settle();
    stage.harness.run_steps(2);
    assert!(!stage.find(Role::MultilineTextInput, "Text").is_focused());
    assert_eq!(value(&stage).as_deref(), Some("if x:\n\t"));
}

#[test]
fn an_edit_keeps_the_input_when_the_service_is_gone() {
    let (mut stage, _) = looking_at("old.txt", "text");
    stage.press("Edit");
    type_lines(&mut stage, "Description", "kept words");
    stage.lose_service();
    stage.press("Save");
    assert!(open(&stage, "Edit asset"));
    assert_eq!(
        stage.find(Role::MultilineTextInput, "Description").accesskit_node().value().as_deref(),
        Some("kept words")
    );
}

#[test]
fn a_language_is_found_by_typing_and_applied() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Reclassify");
    assert!(open(&stage, "Reclassify") && stage.says("current"));
    stage.find(Role::TextInput, "Find a language").type_text("rust");
    stage.harness.run_steps(2);
    stage.press("Reclassify to Rust");
    until_closed(&mut stage, "Reclassify");
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["original"]["reference"]["classification"]["specific"], "rs");
    stage.until("it can be undone", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some())
    });
}

#[test]
fn an_unknown_language_and_a_deleted_asset_are_refused_in_the_form() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.press("Reclassify");
    stage.find(Role::TextInput, "Find a language").type_text("no such language");
    stage.harness.run_steps(2);
    assert!(stage.says("No language matches"));
    stage.press("Clear Find a language");
    stage.find(Role::TextInput, "Find a language").type_text("python");
    stage.harness.run_steps(4);
    stage.call(AssetsDeleteAsset { asset: id.clone() }).expect("deleted");
    stage.press("Reclassify to Python");
    until_refused(&mut stage, &id);
    assert!(open(&stage, "Reclassify") && stage.says("status 4"));
}

#[test]
fn a_counter_shows_its_plan_and_states_that_it_cannot_be_undone() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let score = stage.harness.get_by_label_contains("Score ").accesskit_node().label().unwrap_or_default();
    stage.press(&score);
    assert!(open(&stage, "Increment a score") && stage.says("cannot be undone"));
    stage.find(Role::RadioButton, "Priority").click();
    stage.harness.run_steps(2);
    stage.press("Review…");
    until_closed(&mut stage, "Increment a score");
    stage.until_said("Score: priority");
    stage.harness.run_steps(4);
    stage.press("Increment priority");
    until_closed(&mut stage, "Increment priority of “a.txt”");
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["score"][Counter::Priority.as_str()], 1);
    assert!(stage.state().notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_none()));
}

/// Chooses an export format in the dialog, and waits for the document.
fn export_as(stage: &mut Stage, id: &AssetId, kind: &'static str) {
    stage.find(Role::RadioButton, kind).click();
    let wanted = id.clone();
    stage.harness.run_steps(2);
    stage.until("it is exported", move |state| {
        let export = state.export.of.get(&wanted);
        export.is_some_and(|export| export.kind.as_str() == kind && export.document.value().is_some())
    });
    stage.harness.run_steps(3);
}

#[test]
fn an_export_is_previewed_in_every_format_and_saved() {
    let (mut stage, id) = looking_at("main.rs", "fn main() {}\n");
    stage.press("Export");
    stage.until_said("Exported by Lunette");
    stage.harness.run_steps(3);
    for kind in ["MD", "JSON", "TXT", "RAW"] {
        export_as(&mut stage, &id, kind);
    }
    let file = stage.folder.path().join("saved.rs");
    stage.picked.set(vec![file.clone()]);
    stage.press("Save…");
    stage.until_said(&format!("Saved {}", file.display()));
    let said = |outcome: &Option<Outcome>| outcome.as_ref().is_some_and(|outcome| outcome.text.starts_with("Saved "));
    assert!(!said(&stage.state().notifications.outcome), "one save is one message");
    assert_eq!(std::fs::read_to_string(&file).expect("saved"), "fn main() {}\n");
    // The dialog reports the file and its actions.
    stage.until_drawn("both are offered", |harness| harness.query_all_by_label("Show in folder").next().is_some());
    for (button, noted) in [("Open", "opened"), ("Show in folder", "shown")] {
        let buttons = stage.harness.query_all_by_role_and_label(Role::Button, button);
        buttons.min_by(|a, b| a.rect().top().total_cmp(&b.rect().top())).expect("in the dialog").click_accesskit();
        stage.settle();
        let noted = file.with_extension(noted);
        stage.until(button, move |_| noted.exists());
    }
    stage.press("Close");
    until_closed(&mut stage, "Export");
}

#[test]
fn an_html_export_is_shown_rendered_or_as_source() {
    let (mut stage, id) = looking_at("main_loop.rs", "fn main() {}\n");
    stage.press("Export");
    // Its title, its details, its code and its footer; no tag and no style.
    stage.until_label("main_loop.rs");
    stage.until_label("Size:");
    stage.until_said(&format!("Exported by Lunette · {id}"));
    assert!(stage.draws(Role::Document, "Code block 2") && !stage.says("<html") && !stage.says("font-size"));
    let code = stage.harness.query_all_by_label("fn main() {}").count();
    assert_eq!(code, 2, "in the page and in its export");
    stage.find(Role::RadioButton, "Source").click();
    stage.until_said("<html lang=");
    stage.find(Role::RadioButton, "Rendered").click();
    stage.until_label("Size:");
    assert!(!stage.says("<html"));
}

#[test]
fn exactly_one_export_format_is_selected_and_markdown_is_rendered() {
    let (mut stage, id) = looking_at("main_loop.rs", "fn main() {}\n");
    stage.press("Export");
    stage.until_said("Exported by Lunette");
    export_as(&mut stage, &id, "MD");
    stage.until_label("Rendered");
    let chosen = |stage: &Stage| {
        let on = egui::accesskit::Toggled::True;
        let kinds = ["HTML", "MD", "JSON", "TXT", "RAW"];
        let is_on = |kind: &&str| stage.find(Role::RadioButton, kind).accesskit_node().toggled() == Some(on);
        kinds.into_iter().filter(is_on).collect::<Vec<_>>()
    };
    assert_eq!(chosen(&stage), ["MD"]);
    stage.until_label("main_loop.rs");
    stage.find(Role::RadioButton, "Source").click();
    stage.until_label("# main_loop.rs");
    stage.until_label("- **Size:** 13 B");
}

#[test]
fn a_score_is_incremented_with_three_clicks_or_four_keys() {
    let (mut stage, id) = looking_at("a.txt", "text");
    // Ctrl+I, down, Enter.
    stage.ctrl(Key::I);
    stage.harness.run_steps(3);
    assert!(open(&stage, "Increment a score"));
    stage.key(Key::ArrowDown);
    stage.key(Key::Enter);
    until_closed(&mut stage, "Increment a score");
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["score"][Counter::Update.as_str()], 1);
    // The button, a counter, the button of the dialog.
    let score = stage.harness.get_by_label_contains("Score ").accesskit_node().label().unwrap_or_default();
    stage.press(&score);
    stage.find(Role::RadioButton, "Priority").click();
    stage.harness.run_steps(2);
    stage.press("Increment priority");
    until_closed(&mut stage, "Increment a score");
    settle(&mut stage, &id);
    assert_eq!(at_service(&stage, &id)["score"][Counter::Priority.as_str()], 1);
}

#[test]
fn the_counters_of_a_score_add_up_to_it() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let score = stage.harness.get_by_label_contains("Score ").accesskit_node().label().unwrap_or_default();
    let total: i64 = score.trim_start_matches("Score ").trim_end_matches(" +").parse().expect("a number");
    let record = at_service(&stage, &id)["score"].clone();
    let sum: i64 = record.as_object().expect("counters").values().filter_map(serde_json::Value::as_i64).sum();
    assert_eq!(total, sum);
    stage.press(&score);
    stage.until_label("Manual");
    stage.until_label("Automatic");
    stage.until_said(&format!("→ {}", total + 1));
}

#[test]
fn an_export_that_fails_says_why() {
    let (mut stage, _) = looking_at("a.txt", "text");
    stage.lose_service();
    stage.press("Export");
    stage.until_label("The asset could not be exported");
    stage.press("Close");
    until_closed(&mut stage, "Export");
}

#[test]
fn a_picture_of_the_code_is_previewed_and_saved() {
    let (mut stage, id) = looking_at("main.rs", "fn main() {}\n");
    stage.press("Export");
    stage.until_said("Exported by Lunette");
    stage.harness.run_steps(3);
    stage.find(Role::RadioButton, "SVG").click();
    stage.harness.run_steps(2);
    stage.until("it is made", |state| {
        let text = state.export.document(&id).and_then(|document| document.text.clone());
        text.is_some_and(|text| text.starts_with("<svg ") && text.contains("main.rs"))
    });
    stage.find(Role::RadioButton, "PNG").click();
    stage.until_drawn("it is shown", |harness| {
        harness.query_by_role_and_label(Role::Image, "Picture of the code").is_some()
    });
    let file = stage.folder.path().join("main.png");
    stage.picked.set(vec![file.clone()]);
    stage.press("Save…");
    stage.until_said(&format!("Saved {}", file.display()));
    let saved = std::fs::read(&file).expect("saved");
    assert!(image::load_from_memory(&saved).expect("a picture").width() > 200);
}
