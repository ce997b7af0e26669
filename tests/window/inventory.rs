//! The applications of all lists as one: the table, the board, and what changed.

use std::fs;
use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::Queryable;
use lunette::app::action::InventoryAction;
use lunette::app::inventory::{Shown, Since, Source};
use lunette::app::listing::rows::{InventoryRow, Standing};
use lunette::app::navigation::Panel;
use lunette::app::{Action, State};
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{ApplicationsExternalRelated, ApplicationsRegister};
use lunette_service::detect::{Detected, Evidence};
use serde_json::json;

use crate::stage::Stage;
use crate::support::Planted;
use crate::support::assets::record;
use crate::support::unsupported_proxy::UnsupportedProxy;

fn register(stage: &Stage, version: &str) {
    let tree = json!({
        "id": "00000000-0000-4000-8000-000000000001", "name": "VS_CODE", "version": version, "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN", "capabilities": "BLENDED",
    });
    stage.call(ApplicationsRegister { application: Some(record(tree)) }).expect("registered");
}

/// The row of an application.
fn row<'a>(state: &'a State, name: &str) -> Option<&'a Arc<InventoryRow>> {
    state.inventory.list.iter().find(|row| row.name == name)
}

/// A window on a machine with one installed application, and another one tracked; the panel is shown.
fn stage() -> Stage {
    let krita = Detected { name: "Krita".to_owned(), version: Some("5.2".to_owned()), ..Detected::default() };
    let mut stage = Stage::inside_with(|settings| settings.detector = Arc::new(Planted(vec![krita.clone()])));
    register(&stage, "1.0");
    stage.ctrl(Key::Num1);
    stage.perform(Action::Refresh(Panel::Applications));
    stage.until("all lists are joined", |state| {
        row(state, "Krita").is_some() && state.inventory.list.iter().any(|row| row.version == "1.0")
    });
    stage
}

/// Another version of the tracked application is noticed.
fn upgrade(stage: &mut Stage) {
    register(stage, "1.1");
    stage.perform(Action::Refresh(Panel::Applications));
    stage.until("the change is noticed", is_marked);
}

/// Whether the upgrade is shown with its row.
fn is_marked(state: &State) -> bool {
    row_of_tracked(state).change.as_ref().is_some_and(|change| change.words.starts_with("Upgraded"))
}

#[test]
fn the_applications_of_all_lists_are_one_table_and_a_board_of_cards() {
    let mut stage = stage();
    assert_eq!(stage.state().inventory.shown, Shown::Tracked);
    stage.find(Role::RadioButton, "All").click();
    stage.settle();
    let draws = |name| {
        move |harness: &_| egui_kittest::kittest::Queryable::query_by_role_and_label(harness, Role::Row, name).is_some()
    };
    stage.until_drawn("the tracked one", draws("Visual Studio Code"));
    stage.type_into("Filter applications", "state:installed");
    stage.until_drawn("the installed one", draws("Krita"));
    assert_eq!(stage.state().inventory.list.order.len(), 1);
    stage.find(Role::RadioButton, "Board").click();
    stage.settle();
    stage.until_drawn("the card", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "Krita, Installed · 5.2").is_some()
    });
    stage.find(Role::ListBoxOption, "Krita, Installed · 5.2").click();
    stage.until_label("It was found on this machine.");
    stage.press("Close the application");
    assert_eq!(stage.state().inventory.open, None);
}

#[test]
fn an_upgrade_is_told_marked_and_listed_on_the_page_of_its_application() {
    let mut stage = stage();
    assert_eq!(row(stage.state(), "Krita").and_then(|row| row.change.clone()), None, "a first answer is no change");
    // That it is tracked, and in another version.
    upgrade(&mut stage);
    stage.press_once_enabled("2 changes of applications");
    assert_eq!(stage.state().inventory.shown, Shown::All);
    stage.until_said("Upgraded: 1.0 → 1.1");
    assert!(!stage.draws(Role::Button, "2 changes of applications"), "it was looked at");
    stage.press("Changed (1)");
    assert_eq!(stage.state().inventory.list.order.len(), 1);
    stage.find(Role::Row, "Visual Studio Code").click();
    stage.until_label("Changes");
    stage.until_label("Record");
}

#[test]
fn a_quiet_application_keeps_its_changes_and_is_not_marked() {
    let mut stage = stage();
    upgrade(&mut stage);
    let names = row_of_tracked(stage.state()).plain_names();
    stage.perform(InventoryAction::Quiet(names.clone(), true));
    stage.until("it is not marked", |state| !is_marked(state));
    assert_eq!(row_of_tracked(stage.state()).history.len(), 2);
    stage.perform(InventoryAction::Quiet(names, false));
    stage.until("it is marked", is_marked);
}

fn row_of_tracked(state: &State) -> &InventoryRow {
    state.inventory.list.iter().find(|row| row.version.starts_with("1.")).expect("the row")
}

#[test]
fn changes_are_there_after_a_restart_and_only_since_the_chosen_day() {
    let mut stage = stage();
    upgrade(&mut stage);
    let mut stage = stage.reopened();
    stage.until("it is marked", |state| state.inventory.list.rows.value().is_some() && is_marked(state));
    assert_eq!(stage.state().inventory.unseen, 0, "it was noticed before");
    let tomorrow = jiff::Zoned::now().date().tomorrow().expect("a day");
    stage.perform(InventoryAction::Since(Since::Day(tomorrow)));
    stage.until("it is not marked", |state| state.inventory.list.iter().all(|row| row.change.is_none()));
    assert_eq!(row_of_tracked(stage.state()).history.len(), 2);
}

#[test]
fn a_list_that_fails_takes_nothing_of_the_others_away_and_says_so() {
    let service = stage();
    let proxy = UnsupportedProxy::start(service.port());
    proxy.reject(ApplicationsExternalRelated::INFO, 500);
    let mut stage = Stage::at(&proxy.url());
    stage.ctrl(Key::Num1);
    stage.until("the other lists are joined", |state| {
        row(state, "Krita").is_some_and(|row| row.standing == Standing::Installed)
            && state.inventory.list.iter().any(|row| row.standing == Standing::Tracked)
    });
    stage.perform(InventoryAction::Show(Shown::All));
    stage.until("the failure is known", |state| state.inventory.failed.contains_key(&Source::Related));
    stage.until_said("What integrates with the service");
}

#[test]
fn the_panel_fits_the_smallest_window() {
    let mut stage = stage();
    upgrade(&mut stage);
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    for shown in [Shown::All, Shown::Board] {
        stage.perform(InventoryAction::Show(shown));
        stage.settle();
        for name in ["Changed (1)", "Last 7 days", "Refresh the applications"] {
            assert!(stage.find(Role::Button, name).rect().right() <= 800.0, "{name}");
        }
    }
}

#[test]
fn an_installed_application_has_its_own_icon() {
    let data = tempfile::tempdir().expect("a folder");
    let entry = data.path().join("applications/krita.desktop");
    let file = data.path().join("icons/hicolor/64x64/apps/krita.png");
    for path in [&entry, &file] {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    }
    fs::write(&entry, "[Desktop Entry]\nType=Application\nName=Krita\nIcon=krita\n").expect("written");
    fs::write(&file, include_bytes!("../../assets/samples/moon.png")).expect("written");
    let krita = Detected {
        found_by: Some(Evidence::DesktopEntry),
        path: Some(entry.clone()),
        ..Detected::named("Krita", Some("5.2"))
    };
    let mut stage = Stage::inside_with(|settings| settings.detector = Arc::new(Planted(vec![krita])));
    stage.ctrl(Key::Num1);
    stage.until("all lists are joined", |state| row(state, "Krita").is_some());
    stage.perform(InventoryAction::Show(Shown::Board));
    stage.type_into("Filter applications", "krita");
    let entry = entry.to_str().expect("UTF-8").to_owned();
    stage.until("its icon was read", |state| state.inventory.icons.get(&entry).is_some_and(Option::is_some));
    stage.perform(InventoryAction::Show(Shown::All));
    stage.until_drawn("the table is drawn with it", |harness| {
        harness.query_by_role_and_label(Role::Row, "Krita").is_some()
    });
}
