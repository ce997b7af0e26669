//! The applications of all lists as one: the table, the board, and what changed.

use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable};
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{
    ApplicationsExternalRelated, ApplicationsExternalSnapshot, ApplicationsRegister, ApplicationsSnapshot,
};
use lunette_inspector::action::{InventoryAction, SessionAction};
use lunette_inspector::applications::Source;
use lunette_inspector::filter::List;
use lunette_inspector::inventory::{Shown, Since};
use lunette_inspector::listing::Change;
use lunette_inspector::listing::rows::{InventoryRow, InventoryState};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};
use lunette_service::detect::Detected;
use lunette_service::{Data, Ports, Settings, start};
use serde_json::json;

use crate::stage::Stage;
use crate::support::Planted;
use crate::support::assets::record;
use crate::support::unsupported_proxy::UnsupportedProxy;

pub fn register(stage: &Stage, version: &str) {
    let tree = json!({
        "id": "00000000-0000-4000-8000-000000000001", "name": "VS_CODE", "version": version, "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN", "capabilities": "BLENDED",
    });
    stage.call(ApplicationsRegister { application: Some(record(tree)) }).expect("registered");
}

/// The row of an application.
pub fn row<'a>(state: &'a State, name: &str) -> Option<&'a Arc<InventoryRow>> {
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

/// The same after another version of the tracked application was noticed.
pub fn with_a_change() -> Stage {
    let mut stage = stage();
    upgrade(&mut stage);
    stage
}

/// Whether the upgrade is shown with its row.
fn is_marked(state: &State) -> bool {
    row_of_tracked(state).change.as_ref().is_some_and(|change| change.description.starts_with("Upgraded"))
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
    stage.settle();
    assert_eq!(stage.state().inventory.open, None, "a click selects");
    stage.key(Key::Enter);
    stage.until_label("Installed here.");
    stage.press("Close the application");
    assert_eq!(stage.state().inventory.open, None);
    let card = stage.find(Role::ListBoxOption, "Krita, Installed · 5.2").rect().center();
    crate::panels::graph_tasks::double_click_at(&mut stage, card);
    stage.until_label("Installed here.");
}

#[test]
fn the_arrow_keys_go_from_card_to_card_also_to_those_out_of_sight() {
    let mut stage = stage();
    stage.perform(InventoryAction::Show(Shown::Board));
    stage.settle();
    let selected = |stage: &Stage| {
        let cards = stage.harness.query_all_by_role(Role::ListBoxOption).map(|node| node.accesskit_node());
        let card = cards.into_iter().find(|card| card.is_selected() == Some(true));
        card.and_then(|card| card.label())
    };
    let name = |stage: &Stage, index: usize| {
        let row = stage.state().inventory.list.shown(index).expect("a row");
        row.name.clone()
    };
    let first = stage.harness.query_all_by_role(Role::ListBoxOption).next().expect("a card");
    first.click();
    stage.settle();
    stage.key(Key::Home);
    let begun = selected(&stage).expect("the first card");
    stage.key(Key::ArrowRight);
    let second = selected(&stage).expect("the second card");
    assert_ne!(begun, second);
    stage.key(Key::ArrowLeft);
    assert_eq!(selected(&stage).as_ref(), Some(&begun));
    stage.key(Key::ArrowDown);
    assert!(![&begun, &second].contains(&&selected(&stage).expect("a card of the next line")));
    stage.key(Key::End);
    stage.settle();
    let count = stage.state().inventory.list.order.len();
    assert!(count > 40, "more than fit: {count}");
    stage.key(Key::Enter);
    let last = name(&stage, count - 1);
    stage.until("the last one is open", move |state| state.inventory.open_row().is_some_and(|row| row.name == last));
}

#[test]
fn an_upgrade_is_announced_marked_and_listed_on_the_page_of_its_application() {
    let mut stage = stage();
    assert_eq!(row(stage.state(), "Krita").and_then(|row| row.change.clone()), None, "a first answer is not a change");
    // That it is tracked, and in another version.
    upgrade(&mut stage);
    stage.perform(Action::List(List::Inventory, Change::Filter("krita".to_owned())));
    for shown in [Shown::All, Shown::Board, Shown::Tracked] {
        stage.perform(InventoryAction::Show(shown));
        stage.settle();
    }
    assert!(stage.draws(Role::Button, "2 application changes"), "neither list showed the changes");
    stage.press_once_enabled("2 application changes");
    assert_eq!(stage.state().inventory.shown, Shown::All);
    stage.until_said("Upgraded: 1.0 → 1.1");
    assert_eq!(stage.value_of("Filter applications"), "is:changed");
    assert_eq!(stage.state().inventory.list.order.len(), 1, "what was counted");
    stage.settle();
    assert!(!stage.draws(Role::Button, "2 application changes"), "it was looked at");
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
fn changes_survive_a_restart_and_are_shown_since_the_chosen_day() {
    let mut stage = stage();
    upgrade(&mut stage);
    let mut stage = stage.reopened();
    stage.until("it is marked", |state| state.inventory.list.rows.value().is_some() && is_marked(state));
    assert_eq!(stage.state().inventory.unseen, 0, "it was noticed before");
    let tomorrow = jiff::ZonedDateTime::now().date().tomorrow().expect("a day");
    stage.perform(InventoryAction::Since(Since::Day(tomorrow)));
    stage.until("it is not marked", |state| state.inventory.list.iter().all(|row| row.change.is_none()));
    assert_eq!(row_of_tracked(stage.state()).history.len(), 2);
}

#[test]
fn a_failing_list_is_reported_and_does_not_affect_the_others() {
    let service = stage();
    let proxy = UnsupportedProxy::start(service.port());
    proxy.reject(ApplicationsExternalRelated::INFO, 500);
    let mut stage = Stage::at(&proxy.url());
    stage.ctrl(Key::Num1);
    stage.until("the other lists are joined", |state| {
        row(state, "Krita").is_some_and(|row| row.state == InventoryState::Installed)
            && state.inventory.list.iter().any(|row| row.state == InventoryState::Tracked)
    });
    stage.perform(InventoryAction::Show(Shown::All));
    stage.until("the failure is known", |state| state.inventory.failed.contains_key(&Source::Related));
    stage.until_said("The list of integrations");
}

#[test]
fn a_list_that_fails_after_it_was_read_keeps_its_content() {
    let service = stage();
    let proxy = UnsupportedProxy::start(service.port());
    let mut stage = Stage::at(&proxy.url());
    stage.ctrl(Key::Num1);
    stage.until("all lists are joined", |state| {
        row(state, "Krita").is_some() && state.inventory.list.iter().any(|row| row.tracked.is_some())
    });
    let standings =
        |state: &State| state.inventory.list.iter().map(|row| (row.name.clone(), row.state)).collect::<Vec<_>>();
    let (before, external) = (standings(stage.state()), stage.state().applications.external.count());
    for (info, source) in [
        (ApplicationsExternalSnapshot::INFO, Source::Detected),
        (ApplicationsExternalRelated::INFO, Source::Related),
        (ApplicationsSnapshot::INFO, Source::Tracked),
    ] {
        proxy.reject(info, 500);
        stage.perform(Action::Refresh(Panel::Applications));
        stage.perform(Action::Refresh(Panel::External));
        stage.until("the failure is known", |state| state.inventory.failed.contains_key(&source));
        stage.until_idle();
        assert_eq!(standings(stage.state()), before, "{source:?}");
        assert_eq!(stage.state().applications.external.count(), external, "{source:?}");
        assert_eq!((stage.state().inventory.unseen, stage.state().inventory.history.changes.len()), (0, 0));
        proxy.accept_all();
        stage.perform(Action::Refresh(Panel::Applications));
        stage.perform(Action::Refresh(Panel::External));
        stage.until("it is read again", |state| state.inventory.failed.is_empty());
    }
}

#[test]
fn the_panel_distinguishes_unreadable_lists_from_empty_ones() {
    let url = crate::services::faulty::start(200, "<html><body>Welcome</body></html>");
    let mut stage = Stage::at(&url);
    stage.ctrl(Key::Num1);
    stage.perform(InventoryAction::Show(Shown::All));
    stage.until_said("The applications could not be read");
    assert!(!stage.says("No applications are known"));
}

#[test]
fn a_restart_of_the_service_raises_no_notice() {
    let data = tempfile::tempdir().expect("a folder");
    let krita = Detected { name: "Krita".to_owned(), version: Some("5.2".to_owned()), ..Detected::default() };
    let set_detected = |settings: &mut Settings, found: Vec<Detected>| {
        settings.data = Data::Folder(data.path().to_owned());
        settings.detector = Arc::new(Planted(found));
    };
    let mut stage = Stage::inside_with(|settings| set_detected(settings, vec![krita.clone()]));
    register(&stage, "1.0");
    stage.ctrl(Key::Num1);
    stage.perform(Action::Refresh(Panel::Applications));
    let joined =
        |state: &State| row(state, "Krita").is_some() && state.inventory.list.iter().any(|row| row.version == "1.0");
    stage.until("all lists are joined", joined);
    stage.until("they are compared", |state| state.inventory.history.changes.len() == 1);
    let keys = stage.state().inventory.list.iter().map(|row| row.key.clone()).collect();
    stage.perform(InventoryAction::MarkSeen(keys));
    let port = stage.port();
    stage.lose_service();
    // It begins with a machine on which it found nothing yet, as if it were still looking.
    for found in [Vec::new(), vec![krita]] {
        stage.stop_service();
        let mut settings = crate::support::settings(Data::Memory);
        set_detected(&mut settings, found);
        settings.ports = Ports::Exactly(port);
        stage.service = Some(stage.runtime.block_on(start(settings)).expect("the service starts again"));
        stage.perform(SessionAction::Reconnect);
        stage.until_idle();
        stage.perform(Action::Refresh(Panel::External));
        stage.until_idle();
    }
    stage.until("all lists are joined again", joined);
    let inventory = &stage.state().inventory;
    assert_eq!((inventory.unseen, inventory.history.changes.len()), (0, 1));
}

#[test]
fn the_lists_of_the_service_are_chips_with_counts_that_filter() {
    let mut stage = stage();
    stage.perform(InventoryAction::Show(Shown::All));
    stage.settle();
    let count = |state: &State| state.inventory.list.order.len();
    let all = count(stage.state());
    stage.press("Detected (1)");
    assert_eq!((count(stage.state()), stage.value_of("Filter applications")), (1, "is:installed".to_owned()));
    stage.press("Tracked (2)");
    assert_eq!(count(stage.state()), 0, "Krita is not tracked");
    stage.press("Detected (1)");
    assert_eq!(count(stage.state()), 2);
    stage.press("Tracked (2)");
    assert_eq!((count(stage.state()), stage.value_of("Filter applications")), (all, String::new()));
    let related =
        stage.state().inventory.list.iter().filter(|row| row.integration() != "None" && !row.integration().is_empty());
    let related = related.count();
    stage.press(&format!("Integrations ({related})"));
    assert_eq!(count(stage.state()), related);
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

/// The label of the card that has the focus.
fn focused_card(stage: &Stage) -> Option<String> {
    let mut cards = stage.harness.query_all_by_role(Role::ListBoxOption).map(|node| node.accesskit_node());
    cards.find(|card| card.is_focused()).and_then(|card| card.label())
}

#[test]
fn the_board_begins_with_the_focus_on_its_first_card_or_that_of_the_open_application() {
    let mut stage = stage();
    stage.harness.set_size(egui::vec2(1280.0, 400.0));
    stage.perform(InventoryAction::Show(Shown::Board));
    stage.ctrl(Key::Num4);
    stage.ctrl(Key::Num1);
    stage.harness.run_steps(4);
    let first = stage.harness.query_all_by_role(Role::ListBoxOption).next().expect("a card").accesskit_node().label();
    assert_eq!(focused_card(&stage), first);
    assert!(!stage.draws(Role::ListBoxOption, "Krita, Installed · 5.2"), "it is out of sight");
    let key = row(stage.state(), "Krita").expect("a row").key.clone();
    stage.ctrl(Key::Num4);
    stage.perform(InventoryAction::Open(key));
    stage.ctrl(Key::Num1);
    stage.harness.run_steps(6);
    assert_eq!(focused_card(&stage).as_deref(), Some("Krita, Installed · 5.2"));
}

#[test]
fn a_long_name_on_a_card_ends_with_an_ellipsis() {
    let name = "An application whose name does not fit on a card";
    let long = Detected { name: name.to_owned(), version: Some("1".to_owned()), ..Detected::default() };
    let mut stage = Stage::inside_with(|settings| settings.detector = Arc::new(Planted(vec![long.clone()])));
    stage.ctrl(Key::Num1);
    stage.perform(InventoryAction::Show(Shown::Board));
    stage.until("it is listed", |state| row(state, name).is_some());
    stage.type_into("Filter applications", "fit");
    stage.until("it is alone", |state| state.inventory.list.order.len() == 1);
    stage.settle();
    let elided = stage.harness.output().shapes.iter().any(|clipped| match &clipped.shape {
        egui::Shape::Text(text) => text.galley.text().starts_with("An application whose") && text.galley.elided,
        _ => false,
    });
    assert!(elided);
}
