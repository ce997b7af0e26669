//! The connection: its dialog, saved connections, and the window while the service is unavailable.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_inspector::Remote;
use lunette_inspector::action::SessionAction;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Named;
use lunette_inspector::settings::Target;

use crate::stage::Stage;

/// Opens the dialog from the chip and waits until the machine was searched.
fn open(stage: &mut Stage) {
    stage.harness.get_by_label_contains("Connection: ").click();
    stage.until("the machine was searched", |state| matches!(state.connection.probes, Remote::Known(_)));
    stage.settle();
}

#[test]
fn every_port_is_shown_unused_ones_in_one_line_that_expands() {
    let mut stage = Stage::embedded();
    open(&mut stage);
    let probes = stage.state().connection.probes.value().cloned().expect("known");
    assert!(probes.len() >= 36);
    let mut shut = probes.iter().filter(|probe| probe.result.as_ref().is_err_and(|error| error.phase() == "refused"));
    // Not the first: the hint of the address field shows that one.
    let one = shut.nth(1).map(|probe| probe.address.to_string()).expect("two of these ports on which nothing listens");
    let one = one.trim_start_matches("http://").to_owned();
    assert!(!stage.says(&one));
    stage.harness.get_by_label_contains(" other ports").click_accesskit();
    stage.until_said(&one);
}

#[test]
fn an_address_is_validated_while_typing_and_enter_connects() {
    let mut stage = Stage::embedded();
    let url = stage.url();
    open(&mut stage);
    stage.type_into("Address", "localhost");
    assert!(stage.says("the port is missing"));
    stage.key(Key::Enter);
    assert_eq!(stage.state().connection.target, Target::Embedded);
    stage.press("Clear Address");
    assert!(!stage.says("not a service address"));
    stage.type_into("Address", &url);
    stage.key(Key::Enter);
    let wanted = Target::Url(url);
    stage.until("it is connected", |state| state.connection.target == wanted && state.connection.status == Status::Up);
}

#[test]
fn a_connection_can_be_named_selected_by_name_and_forgotten() {
    let mut stage = Stage::embedded();
    let url = stage.url();
    stage.perform(SessionAction::Save { url: url.clone(), named: Named { name: String::new(), url: url.clone() } });
    let plain = url.trim_start_matches("http://").to_owned();
    open(&mut stage);
    // By its name only: other services found on this machine may move it.
    stage.find(Role::Button, &format!("Edit {plain}")).click_accesskit();
    stage.settle();
    // A name may have been suggested for what was found.
    if stage.harness.query_by_label("Clear Name").is_some() {
        stage.press("Clear Name");
    }
    stage.type_into("Name", "Work");
    stage.press("Save");
    assert_eq!(stage.state().preferences.settings.connections, [Named { name: "Work".to_owned(), url: url.clone() }]);
    stage.press("Connect to Work");
    stage.until("it is connected", |state| {
        state.connection.target != Target::Embedded && state.connection.status == Status::Up
    });
    assert!(stage.says("Connection: Work"), "the chip calls it by its name");
    open(&mut stage);
    stage.press("Forget Work");
    assert_eq!(stage.state().preferences.settings.connections, []);
}

#[test]
fn the_dialog_fits_the_smallest_window() {
    let mut stage = Stage::embedded();
    for number in 1..=8 {
        let url = format!("http://127.0.0.1:{number}");
        stage.perform(SessionAction::Save { url: url.clone(), named: Named { name: format!("N{number}"), url } });
    }
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    open(&mut stage);
    stage.harness.run_steps(3);
    let close = stage.find(Role::Button, "Close").rect();
    assert!(close.bottom() <= 600.0 && close.right() <= 800.0, "{close:?}");
    let address = stage.find(Role::TextInput, "Address").rect();
    assert!(address.top() >= 0.0, "{address:?}");
}

#[test]
fn a_disconnected_window_shows_the_age_of_its_data_and_idles_between_seconds() {
    let mut stage = Stage::embedded();
    stage.asset("kept.rs", "fn main() {}");
    stage.ctrl(Key::Num3);
    stage.ctrl(Key::R);
    stage.until_label("kept.rs");
    stage.stop_service();
    stage.ctrl(Key::R);
    stage.until("it is down", |state| state.connection.stale_since.is_some());
    stage.until_said("as of ");
    stage.until_said("retrying in ");
    stage.until_label("kept.rs");
    stage.find(Role::Button, "Try now");
}

#[test]
fn a_service_that_never_answered_shows_no_age() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let mut stage = Stage::at(&format!("http://{free}"));
    stage.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    assert!(!stage.says("as of "));
    stage.until_said("retrying in ");
}
