//! The panel of external applications.

use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::app::rows::ExternalState;
use lunette::app::{Action, State};
use lunette::service::detect::Detected;

use crate::plan::writes;
use crate::stage::Stage;
use crate::support::Planted;

fn found(name: &str, version: Option<&str>) -> Detected {
    Detected { name: name.to_owned(), version: version.map(str::to_owned), ..Detected::default() }
}

/// A stage on a machine with two applications installed, one of them an integration; the panel in front.
fn full() -> Stage {
    let detected = vec![found("Visual Studio Code", Some("1.105.1")), found("Krita", Some("5.2"))];
    let mut stage = Stage::inside_with(|settings| settings.detector = Arc::new(Planted(detected)));
    stage.ctrl(Key::Num2);
    stage.until("both lists are there", |state| state.external.count() > 2);
    stage
}

#[test]
fn what_is_installed_and_what_integrates_stand_in_one_list() {
    let mut stage = full();
    let states: Vec<_> = stage.state().external.rows.value().expect("rows").iter().map(|row| row.state).collect();
    assert!(states.contains(&ExternalState::Installed) && states.contains(&ExternalState::NotInstalled));
    stage.type_into("Filter external applications", "krita");
    stage.until_label("Krita");
    assert!(stage.says("5.2"));
}

#[test]
fn the_buttons_show_one_state_alone() {
    let mut stage = full();
    stage.harness.get_by_label_contains("Installed 2").click();
    stage.harness.run_steps(3);
    assert_eq!(stage.harness.query_all_by_role(Role::Row).count(), 2);
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
    stage.until("it is told", |state| state.outcome.as_ref().is_some_and(|outcome| outcome.text == "Tracking Krita"));
    stage.until("it is listed", |state| {
        state.applications.rows.value().is_some_and(|rows| rows.iter().any(|row| row.name == "Krita"))
    });
    stage.until_label("Tracked");
}

/// Presses the button of the dialog once its call is drawn.
fn confirm(stage: &mut Stage, button: &str) {
    stage.until_said("/applications/");
    stage.settle();
    stage.press(button);
}

/// Whether the service tracks Krita.
fn tracks_krita(state: &State) -> bool {
    state.applications.rows.value().is_some_and(|rows| rows.iter().any(|row| row.name == "Krita"))
}

#[test]
fn enter_and_double_click_open_the_page_of_an_application_and_register_nothing() {
    let mut stage = full();
    stage.type_into("Filter external applications", "krita");
    stage.until("it is filtered", |state| state.external.order.len() == 1);
    let row = stage.find(Role::Row, "Krita");
    row.click();
    row.click();
    stage.settle();
    stage.key(Key::Enter);
    stage.until_said("The service found it on this machine.");
    assert!(stage.state().external_open.as_ref().is_some_and(|open| open.name == "Krita"));
    assert_eq!((writes(&stage), &stage.state().asked), (0, &None));
    stage.press("Close the application");
    assert!(!stage.says("The service found it on this machine."));
}

#[test]
fn an_application_that_is_not_installed_says_why_it_cannot_be_tracked() {
    let mut stage = full();
    let key =
        stage.state().external.rows.value().expect("rows").iter().find(|row| row.state == ExternalState::NotInstalled);
    let key = key.expect("one that is not installed").key();
    stage.perform(Action::OpenExternal(Some(key)));
    stage.until_said("did not find it on this machine");
    stage.until_said("It is not installed on this machine: install it first");
    assert!(stage.find(Role::Button, "Track…").accesskit_node().is_disabled());
}

#[test]
fn tracking_is_undone_by_untracking_after_its_call_was_shown() {
    let mut stage = full();
    stage.type_into("Filter external applications", "krita");
    stage.press("Track Krita");
    confirm(&mut stage, "Track");
    stage.until("it is tracked", tracks_krita);
    stage.ctrl(Key::Num6);
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
fn a_service_that_answers_with_a_page_is_told_with_the_way_out() {
    let url = crate::faulty::start(200, "<html><body>Welcome</body></html>");
    let mut stage = Stage::at(&url);
    stage.ctrl(Key::Num2);
    stage.until_said("The external applications could not be read");
    stage.find(Role::Button, "Try again");
}
