//! Renaming in place while the asset is renamed elsewhere.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use serde_json::json;

use crate::dialogs::conflict::{elsewhere, until_contested};
use crate::dialogs::plan::writes;
use crate::panels::asset_page::{at_service, looking_at};

#[test]
fn enter_in_a_rename_field_with_nothing_typed_sends_nothing_when_the_asset_was_renamed_elsewhere() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.key(Key::F2);
    stage.until_drawn("the field is there", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Name").is_some()
    });
    let theirs = elsewhere(&mut stage, &id, |tree| tree["name"] = json!("theirs.txt"));
    stage.key(Key::Enter);
    stage.until_label("Rename theirs.txt");
    assert_eq!((writes(&stage), at_service(&stage, &id)), (0, theirs));
}

#[test]
fn a_rename_of_an_asset_renamed_elsewhere_is_compared_first() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.key(Key::F2);
    stage.until_drawn("the field is there", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Name").is_some()
    });
    let theirs = elsewhere(&mut stage, &id, |tree| tree["name"] = json!("theirs.txt"));
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Name").type_text("mine.txt");
    stage.harness.run_steps(2);
    stage.key(Key::Enter);
    until_contested(&mut stage, &["Name: began with \"a.txt\", yours \"mine.txt\", theirs \"theirs.txt\""]);
    assert_eq!((writes(&stage), at_service(&stage, &id)), (0, theirs));
}
