//! Notifications: counted, withdrawn, and with actions; the welcome page and the sidebar beside them.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetUpdate;
use lunette_inspector::action::{AssetsAction, ImportAction, SessionAction, SettingsAction};
use lunette_inspector::filter::{List, Saved};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Recent;
use lunette_inspector::{Action, WritePolicy};

use crate::panels::asset_page::{looking_at, open};
use crate::stage::Stage;
use crate::support::assets::record;

#[test]
fn a_repeated_error_is_counted_and_shown_once() {
    let mut stage = Stage::embedded();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    for _ in 0..4 {
        stage.perform(ImportAction::Import(vec!["/nowhere".into()]));
        stage.settle();
    }
    stage.until_said("(×4)");
    let errors = stage.harness.query_all_by_role(Role::Alert).count();
    assert_eq!(errors, 1);
    let alert = stage.harness.get_by_role(Role::Alert);
    let message = alert.accesskit_node().label().unwrap_or_default();
    assert!(message.starts_with("Error: Could not import"), "it begins with a capital letter: {message}");
}

#[test]
fn without_a_file_dialog_a_path_can_be_typed_and_its_error_clears_after_the_import() {
    let mut stage = Stage::embedded();
    let file = stage.folder.path().join("notes.md");
    std::fs::write(&file, "# Notes").expect("written");
    stage.perform(ImportAction::PickFiles);
    stage.until_said("This stage has no dialog");
    stage.press("Type a path…");
    stage.until_label("Import from a path");
    stage.perform(ImportAction::PickFiles);
    stage.until_said("This stage has no dialog");
    assert!(stage.find(Role::TextInput, "Path to import").accesskit_node().is_focused(), "it can be typed at once");
    stage.type_into("Path to import", file.to_str().expect("a path"));
    stage.key(Key::Enter);
    stage.until("it is imported", |state| state.assets.list.count() == 1);
    stage.until_drawn("the error is gone", |harness| harness.query_by_role(Role::Alert).is_none());
}

#[test]
fn a_folder_is_imported_by_path_on_the_welcome_page_which_fits_the_default_window() {
    let mut stage = Stage::embedded();
    stage.until_said("undoes the last change");
    let last = stage.harness.get_by_label("undoes the last change").rect();
    assert!(last.bottom() < 772.0, "nothing has to be scrolled: {last:?}");
    let folder = stage.folder.path().join("folder");
    std::fs::create_dir(&folder).expect("made");
    std::fs::write(folder.join("a.txt"), "a").expect("written");
    stage.type_into("Folder or file path", folder.to_str().expect("a path"));
    stage.key(Key::Enter);
    stage.until("it is imported", |state| state.assets.list.count() == 1);
}

#[test]
fn a_saved_filter_is_applied_from_the_sidebar() {
    let mut stage = Stage::embedded();
    stage.asset("a.txt", "words");
    stage.asset("b.rs", "fn main() {}");
    let saved = Saved { name: "Notes".to_owned(), filter: "name:a.txt".to_owned() };
    stage.perform(SettingsAction::KeepFilters(List::Assets, vec![saved]));
    stage.until("both are listed", |state| state.assets.list.count() == 2);
    stage.ctrl(Key::Num1);
    stage.until_label("Saved filters");
    stage.harness.get_by_role_and_label(Role::Link, "Notes").click_accesskit();
    stage.until("one is left", |state| state.assets.list.order.len() == 1);
    stage.until("the list is in front", |state| state.navigation.panel == lunette_inspector::panel::Panel::Assets);
    assert_eq!(stage.value_of("Filter assets"), "name:a.txt");
}

/// Returns the names of the recent assets.
fn recent(stage: &Stage) -> Vec<String> {
    stage.state().recent().iter().map(|Recent { name, .. }| name.clone()).collect()
}

#[test]
fn a_remote_rename_updates_the_recent_assets() {
    let (mut stage, id) = looking_at("a.txt", "text");
    let other: AssetId = stage.asset("b.txt", "text");
    open(&mut stage, &other);
    let mut tree = crate::panels::asset_page::at_service(&stage, &id);
    tree["name"] = serde_json::json!("renamed.txt");
    stage.call(AssetUpdate { transferables: Some(false), asset: Some(record(tree)) }).expect("renamed");
    stage.until("it is known", |state| state.recent().iter().any(|recent| recent.name == "renamed.txt"));
    assert_eq!(recent(&stage), ["b.txt", "renamed.txt"]);
    stage.until_label("renamed.txt");
}

#[test]
fn an_asset_can_be_removed_from_the_recent_ones() {
    let (mut stage, id) = looking_at("a.txt", "text");
    assert_eq!(recent(&stage), ["a.txt"]);
    stage.perform(AssetsAction::ForgetRecent(id));
    assert_eq!(recent(&stage), Vec::<String>::new());
    assert_eq!(stage.state().connection.status, Status::Up);
}

#[test]
fn a_recent_asset_is_pinned_by_its_menu_and_by_keys_and_stays_on_top() {
    let (mut stage, _) = looking_at("a.txt", "text");
    stage.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::D);
    stage.until("it is pinned", |state| state.recent().iter().any(|recent| recent.pinned));
    let other: AssetId = stage.asset("b.txt", "text");
    open(&mut stage, &other);
    stage.until("both are recent", |state| state.recent().len() == 2);
    assert_eq!(recent(&stage), ["a.txt", "b.txt"]);
    stage.until_drawn("it is described", |harness| {
        let link = harness.query_by_role_and_label(Role::Link, "a.txt");
        link.and_then(|link| link.accesskit_node().description()).as_deref() == Some("Pinned")
    });
    let mut stage = stage.reopened();
    assert_eq!(recent(&stage), ["a.txt", "b.txt"]);
    stage.find(Role::Link, "a.txt").click_secondary();
    stage.settle();
    stage.find(Role::MenuItem, "Unpin").click();
    stage.until("it is not pinned", |state| state.recent().iter().all(|recent| !recent.pinned));
}

#[test]
fn a_panel_opened_by_its_keys_has_the_focus_and_no_other_tab_does() {
    let mut stage = Stage::embedded();
    stage.asset("a.txt", "words");
    stage.until("it is listed", |state| state.assets.list.count() == 1);
    stage.ctrl(Key::Num1);
    stage.find(Role::Tab, "Log").focus();
    stage.harness.run_steps(2);
    assert!(stage.find(Role::Tab, "Log").accesskit_node().is_focused());
    stage.ctrl(Key::Num3);
    stage.harness.run_steps(3);
    assert!(!stage.find(Role::Tab, "Log").accesskit_node().is_focused());
    stage.key(Key::ArrowDown);
    stage.until("the list has the keyboard", |state| state.assets.pages.open.is_some());
}

#[test]
fn an_error_is_withdrawn_once_its_cause_is_gone() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = || lunette_service::Data::Folder(data.path().to_owned());
    let mut stage = Stage::inside_with(|settings| settings.data = folder());
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    stage.perform(ImportAction::Samples);
    stage.until_drawn("it is blocked", |harness| harness.query_by_role(Role::Alert).is_some());
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
    stage.until_drawn("it is allowed", |harness| harness.query_by_role(Role::Alert).is_none());
    let port = stage.port();
    stage.lose_service();
    stage.perform(Action::Check(true));
    stage.until_said("Error: Cannot check the service");
    let mut settings = crate::support::settings(folder());
    settings.ports = lunette_service::Ports::Exactly(port);
    stage.service = Some(stage.runtime.block_on(lunette_service::start(settings)).expect("the service starts again"));
    stage.perform(SessionAction::Reconnect);
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    stage.until_drawn("the error is gone", |harness| harness.query_by_role(Role::Alert).is_none());
}
