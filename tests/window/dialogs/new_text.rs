//! The form that makes an asset from typed text.

use egui::{Key, Role};
use egui_kittest::kittest::NodeT as _;

use crate::dialogs::forms::{open, type_lines, until_closed};
use crate::stage::Stage;

#[test]
fn text_becomes_an_asset() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.press("New from text…");
    stage.press("Create");
    assert!(stage.says("Enter a name") && stage.says("Enter some text"));
    stage.find(Role::TextInput, "Name").focus();
    stage.harness.step();
    stage.find(Role::TextInput, "Name").type_text("notes.md");
    type_lines(&mut stage, "Text", "# Notes");
    stage.press("Create");
    until_closed(&mut stage, "New asset from text");
    stage.until_label("Rename notes.md");
}

#[test]
fn enter_and_ctrl_enter_in_the_name_create_an_asset_from_text() {
    for (name, press) in [("one.md", Stage::key as fn(&mut Stage, Key)), ("two.md", Stage::ctrl)] {
        let mut stage = Stage::embedded();
        stage.ctrl(Key::Num3);
        stage.press("New from text…");
        type_lines(&mut stage, "Text", name);
        stage.type_into("Name", name);
        press(&mut stage, Key::Enter);
        until_closed(&mut stage, "New asset from text");
        stage.until_label(&format!("Rename {name}"));
    }
}

#[test]
fn enter_in_the_name_goes_to_the_text_while_it_is_empty() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.press("New from text…");
    stage.type_into("Name", "notes.md");
    stage.key(Key::Enter);
    assert!(stage.find(Role::MultilineTextInput, "Text").accesskit_node().is_focused());
    assert!(open(&stage, "New asset from text") && !stage.says("Enter some text"));
}

#[test]
fn rejected_text_stays_in_the_form() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.press("New from text…");
    stage.type_into("Name", "notes.md");
    type_lines(&mut stage, "Text", "# Notes");
    stage.lose_service();
    stage.press("Create");
    assert!(open(&stage, "New asset from text"));
    assert_eq!(stage.find(Role::MultilineTextInput, "Text").accesskit_node().value().as_deref(), Some("# Notes"));
}
