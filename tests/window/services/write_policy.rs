//! Write policies and capabilities in the window: the banner, what is disabled and why, and what asks for confirmation.

use std::time::Duration;

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_inspector::action::{ImportAction, SessionAction, WriteAction};
use lunette_inspector::session::Status;
use lunette_inspector::session::support::Support;
use lunette_inspector::{Action, WritePolicy};
use lunette_service::{Data, start};

use crate::dialogs::forms::type_lines;
use crate::dialogs::plan::{stand, writes};
use crate::panels::asset_page::{at_service, looking_at, open, settle};
use crate::stage::Stage;
use crate::support;
use crate::support::unsupported_proxy::UnsupportedProxy;

/// Returns whether the button with this name is enabled, and its description.
fn button(stage: &Stage, name: &str) -> (bool, String) {
    let node = stage.find(Role::Button, name);
    let node = node.accesskit_node();
    (!node.is_disabled(), node.description().unwrap_or_default())
}

/// Opens the connection dialog from the banner.
fn by_the_bar(stage: &mut Stage) {
    stage.press("Change what is sent");
    stage.until_label("Changes to this service");
    stand(stage);
}

#[test]
fn local_connections_that_allow_writes_show_no_banner() {
    let (stage, _) = looking_at("a.txt", "text");
    for name in ["Read-only", "Confirm", "Not this machine"] {
        assert!(!stage.says(name), "{name}");
    }
    assert!(button(&stage, "Favourite").0 && button(&stage, "Edit").0);
}

#[test]
fn a_read_only_connection_shows_a_banner_and_disables_every_write() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    stage.until_said("Nothing is sent; you can look at everything");
    stage.find(Role::Status, "Read-only. Nothing is sent; you can look at everything.");
    let names =
        ["Reclassify", "Score 0 +", "Edit", "Favourite", "Add a tag", "Add a website", "Import", "Rename a.txt"];
    for name in names {
        let (enabled, why) = button(&stage, name);
        assert!(!enabled, "{name} is disabled");
        assert!(why.contains("This connection is read-only"), "{name}: {why}");
    }
    assert!(button(&stage, "Export").0, "what only reads goes on");
    stage.press("More");
    assert!(!button(&stage, "Delete").0);
    stage.key(egui::Key::Escape);
    stage.perform(ImportAction::Import(vec!["/nowhere".into()]));
    stage.until_said("Could not import: this connection is read-only");
    assert_eq!((writes(&stage), &at_service(&stage, &id)["name"]), (0, &"a.txt".into()));
    by_the_bar(&mut stage);
    stage.press("Allow");
    stage.until("it is free", |state| state.connection.write_policy == WritePolicy::Allow);
    stage.press("Close");
    stage.until_drawn("the bar is gone", |harness| harness.query_by_role(Role::Status).is_none());
    assert!(button(&stage, "Edit").0);
}

#[test]
fn the_console_sends_no_write_over_a_read_only_connection() {
    let mut stage = Stage::embedded();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    stage.ctrl(egui::Key::Num5);
    for (operation, enabled) in [("applicationsSnapshot", true), ("applicationsSessionOpen", false)] {
        stage.type_into("Find an operation", operation);
        stage.find(Role::TreeItem, operation).click();
        stage.settle();
        assert_eq!(button(&stage, "Send").0, enabled, "{operation}");
        stage.press("Clear Find an operation");
    }
    stage.until_said("This connection is read-only");
}

#[test]
fn a_favourite_that_needs_confirmation_shows_its_plan_and_keeps_the_page() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.until_said("Every change is shown before it is sent");
    for apply in [false, true] {
        stage.press("Favourite");
        stage.until("its plan is there", |state| {
            state.write.planned.as_ref().is_some_and(|it| it.plan.value().is_some())
        });
        stand(&mut stage);
        assert_eq!(writes(&stage), 0);
        stage.until_said("Favourite");
        stand(&mut stage);
        match apply {
            true => stage.perform(WriteAction::ApplyPlan),
            false => stage.press("Cancel"),
        }
        settle(&mut stage, &id);
    }
    assert_eq!(at_service(&stage, &id)["favorited"], true);
}

#[test]
fn a_new_text_is_kept_until_its_creation_is_confirmed() {
    let mut stage = Stage::embedded();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.press("New from text…");
    stage.type_into("Name", "notes.md");
    type_lines(&mut stage, "Text", "# Notes");
    for answer in [Action::Decline, Action::Confirm] {
        stage.press("Create");
        stage.until("it is asked", |state| state.notifications.confirmation.is_some());
        stage.until_said("POST http");
        stand(&mut stage);
        assert_eq!(writes(&stage), 0);
        stage.perform(answer);
        stand(&mut stage);
    }
    stage.until("it is made", |state| state.assets.list.count() == 1);
}

/// A window on a service reached by a name that is not that of this machine.
#[cfg(unix)]
#[test]
fn a_remote_service_is_read_only_until_changed_and_the_choice_is_saved() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
    let wire = UnsupportedProxy::start(service.port());
    let mut stage = Stage::at(&wire.url_elsewhere());
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    stage.until_said("Not this machine: 0.0.0.0");
    assert_eq!(stage.state().connection.write_policy, WritePolicy::ReadOnly);
    for (answer, policy) in [("Cancel", WritePolicy::ReadOnly), ("Allow changes", WritePolicy::Allow)] {
        stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
        stage.until_said("Changes are sent immediately and unencrypted");
        stand(&mut stage);
        stage.press(answer);
        assert_eq!(stage.state().connection.write_policy, policy);
    }
    stage.until_said("They are sent at once, unencrypted");
    assert!(stage.says("Not this machine"));
    stage.until("it is kept", |state| state.preferences.settings.write_policies.len() == 1);
    // The settings are written in the background.
    let folder = stage.folder.path().to_owned();
    stage.until_drawn("it is on disk", move |_| {
        let kept = lunette_inspector::settings::Settings::peek(&folder);
        kept.write_policies.values().any(|policy| *policy == WritePolicy::Allow)
    });
    drop(runtime);
}

#[test]
fn a_service_with_only_the_interface_disables_the_unsupported_parts_and_says_so() {
    let mut stage = Stage::inside_with(|settings| settings.interface_only = true);
    stage.until("it is found out", |state| !state.connection.offers(AssetsSnapshot::INFO));
    stage.until_said("This service cannot list assets");
    stage.until_drawn("importing is disabled", |harness| {
        let import = harness.get_by_role_and_label(Role::Button, "Import");
        let import = import.accesskit_node();
        import.is_disabled() && import.description().is_some_and(|why| why.contains("assetsCreateNewAsset"))
    });
    stage.ctrl(egui::Key::Num5);
    stage.type_into("Find an operation", "assetsSnapshot");
    let row = stage.find(Role::TreeItem, "assetsSnapshot");
    let message = row.accesskit_node().description().unwrap_or_default();
    assert!(message.starts_with("Not offered: status 404"), "{message}");
    stage.find(Role::TreeItem, "assetsSnapshot").click();
    stage.settle();
    stage.until_label("not offered");
    assert!(button(&stage, "Send").0, "so it is tried again");
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.until_said("Every change is shown before it is sent");
    by_the_bar(&mut stage);
    stage.until_said("Not offered by this service (");
    stage.until_said("Missing in the window: the list of assets");
    stage.press("Try assetsSnapshot again");
    let known = stage.state().connection.capabilities.of("assetsSnapshot");
    assert_eq!(known, Support::Unknown);
}

#[test]
fn unsupported_tabs_and_exports_explain_themselves_and_the_rest_works() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
    let client = support::client_at(&service.url(), lunette_client::client::Limits::default());
    let id = runtime.block_on(support::assets::text_asset(&client, "a.txt", "text"));
    let wire = UnsupportedProxy::start(service.port());
    let mut stage = Stage::at(&wire.url());
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    open(&mut stage, &id);
    wire.reject(lunette_client::operation::OperationInfo::named("assetFormats").expect("a row"), 405);
    stage.find(Role::Tab, "Formats").click();
    stage.until_label("Not offered by this service");
    stage.until_said("assetFormats (status 405)");
    wire.accept_all();
    stage.press("Ask again");
    stage.until_said("· text");
    wire.reject(lunette_client::operation::OperationInfo::named("assetSpecificAssetExport").expect("a row"), 501);
    stage.press("Export");
    stage.until_said("assetSpecificAssetExport (status 501)");
    stage.press("Close");
    assert!(button(&stage, "Edit").0 && button(&stage, "Favourite").0, "nothing else is taken away");
    runtime.shutdown_timeout(Duration::from_secs(1));
}

#[test]
fn a_service_that_refuses_writes_is_shown_as_read_only_until_it_is_tried_again() {
    let behind = Stage::embedded();
    let id = behind.asset("a.txt", "text");
    let port = behind.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let wire = UnsupportedProxy::foreign(port);
    let mut stage = Stage::at(&wire.url());
    stage.until("it is connected", |state| state.assets.list.rows.value().is_some());
    open(&mut stage, &id);
    wire.refuse_writes(403, "no changes here");
    stage.press("Favourite");
    stage.until("it is found out", |state| state.connection.refusal.is_some());
    let words = "The service refused assetUpdate (status 403: no changes here)";
    stage.until_said(words);
    stage.find(Role::Status, &format!("Read-only. {words}."));
    for name in ["Edit", "Favourite", "Add a tag", "Import"] {
        let (enabled, why) = button(&stage, name);
        assert!(!enabled && why.starts_with("Read-only: the service refused assetUpdate"), "{name}: {why}");
    }
    assert!(button(&stage, "Export").0, "what only reads goes on");
    by_the_bar(&mut stage);
    stage.until_said("Read-only: the service refused assetUpdate");
    stage.press("Close");
    wire.accept_all();
    stage.press("Send changes again");
    stage.until_drawn("the bar is gone", |harness| harness.query_by_role(Role::Status).is_none());
    assert!(button(&stage, "Edit").0);
    stage.press("Favourite");
    settle(&mut stage, &id);
    assert_eq!(at_service(&behind, &id)["favorited"], true);
}
