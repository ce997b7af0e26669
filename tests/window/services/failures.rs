//! A change that failed: reported once, where it was made or as a notification.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_client::operation::table::AssetsDeleteAsset;
use lunette_inspector::action::WriteAction;
use lunette_inspector::change::{Change, Edit, Field};

use crate::dialogs::forms::{open, type_lines, until_closed, until_refused};
use crate::panels::asset_page::looking_at;
use crate::stage::Stage;
use crate::support::fault::{Fault, FaultKind};

#[test]
fn a_failure_that_the_form_or_the_page_shows_is_no_notification_as_well() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.call(AssetsDeleteAsset { asset: id.clone() }).expect("deleted");
    stage.press("Reclassify");
    stage.find(Role::TextInput, "Find a language").type_text("python");
    stage.harness.run_steps(4);
    stage.press("Reclassify to Python");
    until_refused(&mut stage, &id);
    stage.settle();
    let alerts = |stage: &Stage| stage.harness.query_all_by_role(Role::Alert).count();
    let reports = |stage: &Stage| stage.harness.query_all_by_label_contains("status 4").count();
    assert!(open(&stage, "Reclassify") && alerts(&stage) == 0, "the form says it");
    stage.key(Key::Escape);
    until_closed(&mut stage, "Reclassify");
    assert_eq!((alerts(&stage), reports(&stage)), (0, 0), "what was read in the form is not said again");
    stage.press("Favourite");
    until_refused(&mut stage, &id);
    stage.until_said("The last change was not made");
    assert_eq!(alerts(&stage), 0, "the page says it");
    // It is still among the messages.
    stage.press("Messages");
    stage.until_said("Could not make the change");
}

#[test]
fn a_failure_that_no_form_shows_is_a_notification() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.call(AssetsDeleteAsset { asset: id.clone() }).expect("deleted");
    stage.ctrl(Key::Num6);
    let edits = vec![Edit { field: Field::Name, from: None, to: "b.txt".into() }];
    stage.perform(WriteAction::Change(Change::Edit { asset: id, edits }));
    stage.until_drawn("it is reported", |harness| harness.query_by_role(Role::Alert).is_some());
    assert!(stage.says("Could not make the change"));
}

#[test]
fn a_failed_creation_is_reported_once() {
    let behind = Stage::embedded();
    let port = behind.port();
    let fault = Fault::start(port, |_| FaultKind::Failed);
    let mut stage = Stage::at(&fault.url());
    stage.until("it is connected", |state| state.assets.list.rows.value().is_some());
    stage.ctrl(Key::N);
    stage.type_into("Name", "notes.md");
    type_lines(&mut stage, "Text", "# Notes");
    stage.press("Create");
    stage.until("it has failed", |state| state.import.creation.error().is_some());
    stage.until_said("Could not create the asset");
    stage.settle();
    assert_eq!(stage.harness.query_all_by_role(Role::Alert).count(), 0, "the form says it");
}
