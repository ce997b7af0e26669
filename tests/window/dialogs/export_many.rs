//! The dialog that exports many assets: all of them, those that the filter shows, and what looks like a secret.

use std::fs;
use std::sync::Arc;

use egui::accesskit::Role;
use egui_kittest::kittest::NodeT as _;
use lunette_client::model::export::ExportType;
use lunette_inspector::action::{AssetsAction, BulkAction, ExportAction};
use lunette_inspector::runs::{BulkOperation, ExportTarget};

use crate::stage::Stage;

fn target(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Opens the dialog and types a target.
pub fn open(stage: &mut Stage, target: &str) {
    stage.harness.key_press_modifiers(egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, egui::Key::E);
    stage.settle();
    stage.until_label("Export to a folder or file");
    stage.type_into("New folder or file", target);
    stage.settle();
}

#[test]
fn all_assets_are_exported_as_an_archive_and_the_message_says_where() {
    let (mut stage, folder) = (Stage::embedded(), tempfile::tempdir().expect("a folder"));
    for name in ["a.rs", "b.txt"] {
        stage.asset(name, "text");
    }
    stage.until("both are listed", |state| state.assets.list.order.len() == 2);
    let path = target(&folder, "out");
    open(&mut stage, &path);
    stage.until_label("All (2)");
    stage.press("Export");
    stage.until_said(&format!("Exported 2 assets to {path}"));
    assert!(folder.path().join("out/manifest.json").exists());
    assert_eq!(fs::read_dir(folder.path().join("out/content")).expect("a folder").count(), 2);
    open(&mut stage, &path);
    stage.press("Export");
    stage.until_said("already exists; choose another name");
}

#[test]
fn assets_that_look_as_if_they_had_secrets_are_named_before_anything_is_written() {
    let (mut stage, folder) = (Stage::embedded(), tempfile::tempdir().expect("a folder"));
    stage.asset("card.txt", "4111 1111 1111 1111");
    stage.until("it is listed", |state| state.assets.list.order.len() == 1);
    let path = target(&folder, "out.zip");
    open(&mut stage, &path);
    stage.press("Export");
    stage.until_label("Export 1 asset that may contain a secret?");
    assert!(stage.says("card.txt: line 1 (card-number)"));
    assert!(!folder.path().join("out.zip").exists());
    stage.press("Cancel");
    stage.until_said("Nothing was exported");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    open(&mut stage, "");
    assert_eq!(stage.value_of("New folder or file"), path, "what was typed stays for the next attempt");
    stage.press("Export");
    stage.until_label("Export 1 asset that may contain a secret?");
    stage.press("Export all");
    stage.until_said("Exported 1 asset to");
    assert!(folder.path().join("out.zip").exists());
}

#[test]
fn an_invalid_path_disables_the_button_with_a_reason() {
    let mut stage = Stage::embedded();
    stage.asset("a.txt", "text");
    stage.until("it is listed", |state| state.assets.list.order.len() == 1);
    open(&mut stage, "relative");
    assert!(stage.find(Role::Button, "Export").accesskit_node().is_disabled());
}

#[test]
fn exporting_an_asset_reports_possible_secrets_before_it_is_saved() {
    let mut stage = Stage::embedded();
    let id = stage.asset("card.txt", "4111 1111 1111 1111");
    stage.perform(AssetsAction::Open(id.clone()));
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.content.value().is_some()));
    stage.perform(ExportAction::SaveContent(id.clone()));
    stage.until_label("Save content that may contain a secret?");
    assert!(stage.says("line 1 (card-number)"));
    let target = stage.folder.path().join("saved.txt");
    stage.picked.set(vec![target.clone()]);
    stage.perform(lunette_inspector::Action::Decline);
    assert!(!target.exists());
    stage.perform(ExportAction::Export(id.clone(), ExportType::Txt));
    stage.until("it is exported", |state| {
        state.export.document(&id).is_some_and(|document| document.secrets.iter().any(|one| one.rule == "card-number"))
    });
}

#[test]
fn a_bulk_export_that_has_what_looks_like_a_secret_names_it_when_it_ends() {
    let mut stage = Stage::embedded();
    let assets: Vec<_> = [("card.txt", "4111 1111 1111 1111"), ("plain.txt", "nothing")]
        .map(|(name, text)| (stage.asset(name, text), name.to_owned()))
        .into();
    stage.until("both are listed", |state| state.assets.list.order.len() == 2);
    let to = ExportTarget::Folder(stage.folder.path().join("out"));
    stage.perform(BulkAction::Plan(BulkOperation::Export { kind: ExportType::Txt, to }, Arc::new(assets)));
    stage.until("it is planned", |state| state.bulk.draft.as_ref().is_some_and(|bulk| !bulk.sample.loading()));
    stage.perform(BulkAction::Start);
    stage.until_said("Nothing was left out of what was exported");
    assert!(stage.says("card.txt: looks like a secret: line 1 (card-number)"));
    assert!(!stage.says("plain.txt: looks like a secret"));
    assert!(stage.folder.path().join("out").join("card.txt").exists());
}

#[test]
fn the_path_of_a_failed_export_stays_for_the_next_attempt_and_that_of_a_done_one_does_not() {
    let (mut stage, folder) = (Stage::embedded(), tempfile::tempdir().expect("a folder"));
    stage.asset("a.txt", "text");
    stage.until("it is listed", |state| state.assets.list.order.len() == 1);
    let path = target(&folder, "out");
    fs::write(&path, "another file").expect("written");
    open(&mut stage, &path);
    stage.press("Export");
    stage.until_said("already exists; choose another name");
    open(&mut stage, "-2");
    let retried = stage.value_of("New folder or file");
    assert!(retried.len() == path.len() + 2 && retried.starts_with(&path[..path.len() - 3]), "{retried}");
    stage.press("Export");
    stage.until_said("Exported 1 asset to");
    open(&mut stage, "");
    assert_eq!(stage.value_of("New folder or file"), "");
}
