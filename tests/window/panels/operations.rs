//! The console of operations.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_client::operation::OPERATIONS;
use lunette_inspector::session::Status;

use crate::dialogs::forms::type_lines;
use crate::input::row_menu::{choose, right_click};
use crate::panels::asset_page::looking_at;
use crate::stage::Stage;

/// A stage that shows the form of this operation.
fn with_form(stage: &mut Stage, operation: &str) {
    stage.ctrl(Key::Num5);
    stage.type_into("Find an operation", operation);
    stage.find(Role::TreeItem, operation).click();
    stage.settle();
}

fn until_answered(stage: &mut Stage, operation: &'static str) {
    stage.until("it is answered", move |state| {
        let answered =
            |answer: &std::sync::Arc<lunette_inspector::write::ConsoleAnswer>| answer.line.info.name == operation;
        !state.write.console.waiting && state.write.console.answer.as_ref().is_some_and(answered)
    });
}

#[test]
fn every_operation_has_a_form_and_the_deprecated_ones_a_badge() {
    let mut stage = Stage::embedded();
    for info in OPERATIONS {
        with_form(&mut stage, info.name);
        let badge = stage.harness.query_all_by_label("deprecated").next().is_some();
        assert_eq!(badge, info.deprecated, "{}", info.name);
        assert!(stage.says(info.summary), "{}", info.name);
        stage.find(Role::Button, "Send");
        stage.press("Clear Find an operation");
    }
}

#[test]
fn a_read_is_sent_and_its_response_shown_as_a_tree() {
    let mut stage = Stage::embedded();
    with_form(&mut stage, "applicationsSnapshot");
    let url = stage.url();
    stage.until_said(&format!("GET {url}"));
    stage.press("Send");
    until_answered(&mut stage, "applicationsSnapshot");
    stage.until_drawn("its tree is drawn", |harness| harness.query_by_role_and_label(Role::Tree, "Response").is_some());
    assert!(stage.says("200"));
}

#[test]
fn the_open_asset_is_filled_in() {
    let (mut stage, id) = looking_at("a.txt", "text");
    with_form(&mut stage, "assetFormats");
    stage.until_said(id.as_str());
    stage.press("Send");
    until_answered(&mut stage, "assetFormats");
    assert_eq!(stage.state().write.console.answer.as_ref().and_then(|answer| answer.line.status), Some(200));
}

#[test]
fn invalid_input_is_reported_at_its_field_and_not_sent() {
    let mut stage = Stage::embedded();
    with_form(&mut stage, "assetSnapshot");
    stage.press("Send");
    assert!(stage.says("the path input `asset`"));
    stage.type_into("asset (path, String, required)", "no id");
    stage.until_said("is not a UUID");
    stage.press("Send");
    assert!(!stage.state().write.console.waiting && stage.state().write.console.answer.is_none());
}

#[test]
fn a_body_is_checked_and_sent_as_it_is_shown() {
    let mut stage = Stage::embedded();
    with_form(&mut stage, "tagsCreateNewTag");
    type_lines(&mut stage, "tag (body, SeededTag, optional)", "{ \"text\": ");
    stage.until_said("the body is not JSON");
    stage.press("Clear the body");
    stage.press("Insert template");
    stage.press("Send");
    until_answered(&mut stage, "tagsCreateNewTag");
    let answer = stage.state().write.console.answer.clone().expect("an answer");
    assert_eq!(answer.line.status, Some(200));
    assert_eq!(answer.tree.as_ref().map(|tree| tree["text"].clone()), Some("http".into()));
}

#[test]
fn a_refusal_is_shown_with_advice() {
    let mut stage = Stage::embedded();
    with_form(&mut stage, "assetSnapshot");
    stage.type_into("asset (path, String, required)", "00000009-0000-4000-8000-000000000009");
    stage.press("Send");
    until_answered(&mut stage, "assetSnapshot");
    stage.until_label("The call failed");
    stage.until_said("Refresh the list");
}

#[test]
fn an_unavailable_service_is_reported() {
    let mut stage = Stage::embedded();
    with_form(&mut stage, "applicationsSnapshot");
    stage.lose_service();
    stage.press("Send");
    assert!(stage.says("applicationsSnapshot"));
}

#[test]
fn an_error_of_the_service_is_shown_verbatim() {
    let url = crate::services::faulty::start(500, "the disk is on fire");
    let mut stage = Stage::at(&url);
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    with_form(&mut stage, "applicationsSnapshot");
    stage.press("Send");
    until_answered(&mut stage, "applicationsSnapshot");
    stage.until_said("the disk is on fire");
    stage.until_said("The service failed; see its log");
}

#[test]
fn an_asset_is_picked_by_name_and_its_name_shown_beside_its_id() {
    let mut stage = Stage::embedded();
    let ids: Vec<_> = ["one.txt", "two.txt"].iter().map(|name| stage.asset(name, "text")).collect();
    stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 2 && !state.assets.list.rows.loading());
    with_form(&mut stage, "assetSnapshot");
    stage.press("Pick an asset");
    stage.type_into("Pick an asset", "two");
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.value_of("asset (path, String, required)"), ids[1].as_str());
    assert!(stage.draws(Role::Label, "two.txt"));
}

#[test]
fn the_page_stays_where_it_is_when_the_response_comes() {
    let mut stage = Stage::embedded();
    with_form(&mut stage, "applicationsSnapshot");
    let before = stage.find(Role::Button, "Send").rect();
    stage.press("Send");
    until_answered(&mut stage, "applicationsSnapshot");
    stage.until_drawn("its tree is drawn", |harness| harness.query_by_role_and_label(Role::Tree, "Response").is_some());
    assert_eq!(stage.find(Role::Button, "Send").rect(), before);
}

#[test]
fn an_operation_is_opened_and_its_path_copied_by_its_menu() {
    let mut stage = Stage::embedded();
    with_form(&mut stage, "assetSnapshot");
    stage.press("Clear Find an operation");
    right_click(&mut stage, Role::TreeItem, "assetSnapshot");
    choose(&mut stage, "Copy path");
    assert!(stage.says("Copied the path"));
    right_click(&mut stage, Role::TreeItem, "assetUpdate");
    choose(&mut stage, "Open");
    stage.until_label("Clear the body");
}

#[test]
fn in_a_narrow_window_the_form_replaces_the_list() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.ctrl(Key::Num5);
    assert!(stage.draws(Role::Tree, "List of operations") && !stage.draws(Role::Button, "Send"));
    with_form(&mut stage, "assetUpdate");
    assert!(!stage.draws(Role::Tree, "List of operations") && stage.draws(Role::Button, "Send"));
    stage.press("Back to the list");
    assert!(stage.draws(Role::Tree, "List of operations"));
}
