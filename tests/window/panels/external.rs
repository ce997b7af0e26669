//! The panel of external applications.

use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::operation::table::ApplicationsRegister;
use lunette_inspector::action::ApplicationsAction;
use lunette_inspector::listing::Row as _;
use lunette_inspector::listing::rows::{ExternalKey, ExternalState};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};
use lunette_service::detect::{Detected, Evidence};

use crate::dialogs::plan::writes;
use crate::stage::Stage;
use crate::support::Planted;
use crate::support::assets::record;

fn found(name: &str, version: Option<&str>) -> Detected {
    Detected { name: name.to_owned(), version: version.map(str::to_owned), ..Detected::default() }
}

/// A stage on a machine with two installed applications, one of them an integration; the panel is shown.
fn full() -> Stage {
    let detected = vec![found("Visual Studio Code", Some("1.105.1")), found("Krita", Some("5.2"))];
    let mut stage = Stage::inside_with(|settings| settings.detector = Arc::new(Planted(detected)));
    stage.ctrl(Key::Num2);
    stage.until("both lists are there", |state| state.applications.external.count() > 2);
    stage
}

#[test]
fn installed_and_integrating_applications_are_in_one_list() {
    let mut stage = full();
    let states: Vec<_> =
        stage.state().applications.external.rows.value().expect("rows").iter().map(|row| row.state).collect();
    assert!(states.contains(&ExternalState::Installed) && states.contains(&ExternalState::NotInstalled));
    stage.type_into("Filter external applications", "krita");
    stage.until_label("Krita");
    assert!(stage.says("5.2"));
}

#[test]
fn each_filter_button_shows_only_its_state() {
    let mut stage = full();
    stage.harness.get_by_label_contains("Installed (2)").click();
    stage.harness.run_steps(3);
    assert_eq!(stage.harness.query_all_by_role(Role::Row).count(), 2);
    assert_eq!(stage.state().applications.external.query.filter.to_string(), "state:Installed");
    stage.harness.get_by_label_contains("All ").click();
    stage.harness.run_steps(3);
    assert!(stage.harness.query_all_by_role(Role::Row).count() > 2);
}

#[test]
fn tracking_registers_the_application_and_says_so() {
    let mut stage = full();
    stage.type_into("Filter external applications", "krita");
    stage.press("Track Krita");
    stage.until_said("Track Krita?");
    assert_eq!(writes(&stage), 0, "its call is shown first");
    confirm(&mut stage, "Track");
    stage.until("it is told", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.text == "Tracked Krita")
    });
    stage.until("it is listed", |state| {
        state.applications.list.rows.value().is_some_and(|rows| rows.iter().any(|row| row.name == "Krita"))
    });
    stage.until_label("Tracked");
}

/// Presses the button of the dialog once its call is drawn.
fn confirm(stage: &mut Stage, button: &str) {
    stage.until_said("/applications/");
    stage.settle();
    stage.press(button);
}

/// Returns whether the service tracks Krita.
fn tracks_krita(state: &State) -> bool {
    state.applications.list.rows.value().is_some_and(|rows| rows.iter().any(|row| row.name == "Krita"))
}

#[test]
fn enter_and_double_click_open_the_page_of_an_application_and_register_nothing() {
    let mut stage = full();
    stage.type_into("Filter external applications", "krita");
    stage.until("it is filtered", |state| state.applications.external.order.len() == 1);
    let row = stage.find(Role::Row, "Krita");
    row.click();
    row.click();
    stage.settle();
    stage.key(Key::Enter);
    stage.until_said("Installed here.");
    assert!(stage.state().applications.external_open.as_ref().is_some_and(|open| open.name == "Krita"));
    assert_eq!((writes(&stage), &stage.state().notifications.confirmation), (0, &None));
    stage.press("Close the application");
    assert!(!stage.says("Installed here."));
}

#[test]
fn the_page_says_how_and_where_an_application_was_found_and_what_its_state_means() {
    let found = Detected {
        found_by: Some(Evidence::Flatpak),
        path: Some("/var/lib/flatpak/exports/share/applications/org.kde.krita.desktop".into()),
        ..Detected::named("Krita", Some("5.2"))
    };
    let mut stage = Stage::inside_with(|settings| settings.detector = Arc::new(Planted(vec![found])));
    stage.ctrl(Key::Num2);
    stage.until("both lists are there", |state| state.applications.external.count() > 2);
    for width in [1280.0, 800.0] {
        stage.harness.set_size(egui::vec2(width, 600.0));
        let key = ExternalKey { name: "Krita".to_owned(), version: "5.2".to_owned() };
        stage.perform(ApplicationsAction::OpenExternal(Some(key)));
        stage.until_said("Installed here.");
        for message in ["Flatpak", "org.kde.krita.desktop", "Version", "5.2", "its use is counted"] {
            assert!(stage.says(message), "{width}: {message}");
        }
        let alone = stage.harness.query_by_label("Filter external applications").is_none();
        assert_eq!(alone, width < 1000.0, "in a narrow window the page is in place of the list");
        stage.press(if alone { "Back to the list" } else { "Close the application" });
        stage.until_label("Filter external applications");
    }
}

#[test]
fn tracking_one_application_of_a_family_does_not_mark_the_others() {
    let mut stage = full();
    let tree = serde_json::json!({
        "id": "00000000-0000-4000-8000-000000000007", "name": "JETBRAINS", "version": "1", "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN",
    });
    stage.call(ApplicationsRegister { application: Some(record(tree)) }).expect("registered");
    stage.perform(Action::Refresh(Panel::Applications));
    stage.until("it is listed", |state| state.applications.list.count() == 2);
    stage.settle();
    assert!(stage.harness.query_all_by_label("Tracked").next().is_none());
}

#[test]
fn an_application_that_is_not_installed_says_why_it_cannot_be_tracked() {
    let mut stage = full();
    let key = stage
        .state()
        .applications
        .external
        .rows
        .value()
        .expect("rows")
        .iter()
        .find(|row| row.state == ExternalState::NotInstalled);
    let key = key.expect("one that is not installed").key();
    stage.perform(ApplicationsAction::OpenExternal(Some(key)));
    stage.until_said("Supported, not installed");
    stage.until_said("It is not installed on this machine");
    assert!(stage.find(Role::Button, "Track…").accesskit_node().is_disabled());
}

#[test]
fn tracking_is_undone_by_untracking_after_showing_its_call() {
    let mut stage = full();
    stage.type_into("Filter external applications", "krita");
    stage.press("Track Krita");
    confirm(&mut stage, "Track");
    stage.until("it is tracked", tracks_krita);
    stage.ctrl(Key::Num7);
    stage.until_label("Krita");
    stage.ctrl(Key::Z);
    stage.until_said("Stop tracking Krita?");
    assert!(tracks_krita(stage.state()), "its call is shown first");
    confirm(&mut stage, "Untrack");
    stage.until("it is not tracked", |state| !tracks_krita(state));
    stage.until("the step is undone", |state| state.history.entries.iter().any(|step| step.undone));
    stage.ctrl(Key::Y);
    confirm(&mut stage, "Track");
    stage.until("it is tracked again", tracks_krita);
}

#[test]
fn a_service_that_answers_with_a_web_page_is_reported_with_what_to_do() {
    let url = crate::services::faulty::start(200, "<html><body>Welcome</body></html>");
    let mut stage = Stage::at(&url);
    stage.ctrl(Key::Num2);
    stage.until_said("The external applications could not be read");
    stage.find(Role::Button, "Try again");
}
