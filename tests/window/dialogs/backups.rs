//! Backups in the window: making, listing, restoring; and the reason if the service does not belong to the window.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::action::EmbeddedAction;
use lunette_inspector::session::Status;

use crate::dialogs::plan::stand;
use crate::services::store::until_notified;
use crate::stage::Stage;

/// Runs a command from the palette.
fn run(stage: &mut Stage, command: &str) {
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", command);
    stage.until_drawn("it is found", |harness| harness.query_by_role_and_label(Role::ListBoxOption, command).is_some());
    stage.find(Role::ListBoxOption, command).click();
    stage.settle();
}

fn opened(data: &std::path::Path) -> Stage {
    let mut stage = Stage::on_folder(data, &[]);
    stage.until_idle();
    stage
}

#[test]
fn a_failed_daily_backup_is_reported_in_the_dialog() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mut stage = opened(&data);
    run(&mut stage, "Restore a backup…");
    stage.until_label("No backups yet.");
    stand(&mut stage);
    stage.press("Back up now");
    stage.until_label("by hand");
    let made = stage.state().embedded.backups.value().expect("the list")[0].path.clone();
    let folder_of_settings = stage.closed();
    // The last backup is from another year, and neither folder is writable.
    std::fs::rename(&made, made.with_file_name("daily-20200101T000000000000Z.sqlite3")).expect("renamed");
    for folder in [made.parent().expect("a folder"), &data.join("backups")] {
        std::fs::create_dir_all(folder.join(".tried/in the way")).expect("made");
    }
    let mut stage = Stage::on_folder_with(folder_of_settings, &data, &[]);
    stage.until("it is noted", |state| state.embedded.seen.daily_failure.is_some());
    run(&mut stage, "Restore a backup…");
    stage.until_said("The daily backup failed and will be tried again: cannot create the backup folder");
}

#[test]
fn the_notification_of_a_failed_backup_is_withdrawn_by_the_next_success() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mut stage = opened(&data);
    stage.perform(EmbeddedAction::BackUp);
    stage.until_said("Backed up: ");
    stage.until("it is listed", |state| state.embedded.backups.value().is_some_and(|backups| !backups.is_empty()));
    let made = stage.state().embedded.backups.value().expect("the list")[0].path.clone();
    let folders = [made.parent().expect("a folder").to_owned(), data.join("backups")];
    for folder in &folders {
        std::fs::create_dir_all(folder.join(".tried/in the way")).expect("made");
    }
    stage.perform(EmbeddedAction::BackUp);
    stage.until_said("Backup failed: ");
    for folder in &folders {
        std::fs::remove_dir_all(folder.join(".tried")).expect("removed");
    }
    stage.perform(EmbeddedAction::BackUp);
    stage.until_drawn("the message is withdrawn", |harness| {
        harness.query_all_by_label_contains("Backup failed: ").next().is_none()
    });
    assert_eq!(stage.state().embedded.busy, None);
}

#[test]
fn a_backup_is_made_reported_listed_and_restored_and_the_previous_data_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mut stage = opened(&data);
    stage.asset("before.rs", "fn main() {}");
    run(&mut stage, "Restore a backup…");
    stage.until_label("No backups yet.");
    stand(&mut stage);
    stage.press("Back up now");
    stage.until_said("Backed up: ");
    stage.until_label("by hand");
    let backups = stage.state().embedded.backups.value().cloned().expect("the list");
    assert_eq!(backups.len(), 1);
    assert!(backups[0].path.is_file() && !backups[0].path.starts_with(&data) && backups[0].bytes > 0);
    stage.asset("after.rs", "fn main() {}");
    for answer in ["Cancel", "Restore"] {
        let row = |node: &egui_kittest::Node<'_>| node.accesskit_node().role() == Role::Button;
        stage.harness.query_all_by_label_contains("Restore the backup of").find(row).expect("its row").click();
        stage.until_said("its data is replaced by the backup");
        stand(&mut stage);
        stage.press(answer);
        stand(&mut stage);
    }
    stage.until("it is as it was", |state| state.connection.status == Status::Up && state.assets.list.count() == 1);
    assert_eq!(stage.state().embedded.busy, None);
    stage.key(Key::Escape);
    stage.until_drawn("the dialog is closed", |harness| {
        harness.query_all_by_role_and_label(Role::Dialog, "Backups").next().is_none()
    });
    until_notified(&mut stage, "The previous data is in ");
}

#[test]
fn a_window_using_the_service_of_another_says_why_it_makes_no_backups() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (first, mut second) = (opened(&data), opened(&data));
    second.perform(EmbeddedAction::BackUp);
    second.until_said("Backup failed: The built-in service belongs to another window");
    run(&mut second, "Restore a backup…");
    second.until_said("Back up and restore there");
    let button = second.find(Role::Button, "Back up now");
    assert!(button.accesskit_node().is_disabled());
    drop(first);
}
