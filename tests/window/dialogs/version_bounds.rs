//! How many versions are kept, in the preferences: by the service, and by this program of services of others.

use egui::Role;
use egui_kittest::kittest::NodeT as _;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{VersionBoundsChange, VersionBoundsSnapshot};
use lunette_inspector::session::Status;
use serde_json::{Value, json};

use crate::stage::Stage;
use crate::support::assets::record;
use crate::support::unsupported_proxy::UnsupportedProxy;

const VERSIONS: &str = "Versions to keep of each asset at the service";
const SET: &str = "Set at the service";

fn at_service(stage: &Stage) -> Value {
    stage.call(VersionBoundsSnapshot {}).expect("bounds").into_tree()
}

fn is_enabled(stage: &Stage, button: &str) -> bool {
    !stage.find(Role::Button, button).accesskit_node().is_disabled()
}

fn choose(stage: &mut Stage, versions: f64) {
    stage.find(Role::SpinButton, VERSIONS).set_value_accesskit(versions);
    stage.settle();
}

fn until_known(stage: &mut Stage) {
    stage.press("Preferences");
    stage.until("the bounds are read", |state| state.versions.bounds.value().is_some());
    stage.settle();
}

#[test]
fn the_bounds_of_the_service_are_told_and_set_and_fewer_only_after_a_question() {
    let mut stage = Stage::embedded();
    until_known(&mut stage);
    assert_eq!(stage.find(Role::SpinButton, VERSIONS).accesskit_node().numeric_value(), Some(200.0));
    assert!(!is_enabled(&stage, SET));
    choose(&mut stage, 300.0);
    stage.press(SET);
    stage.until("they are set", |state| state.versions.bounds.value().is_some_and(|bounds| bounds.versions == 300));
    assert_eq!(at_service(&stage)["versions"], json!(300));

    stage.settle();
    choose(&mut stage, 5.0);
    stage.press(SET);
    stage.until_label("Keep fewer versions?");
    stage.until_said("This cannot be undone.");
    assert_eq!(at_service(&stage)["versions"], json!(300));
    stage.settle();
    stage.press("Keep fewer");
    stage.until("they are set", |state| state.versions.bounds.value().is_some_and(|bounds| bounds.versions == 5));
    assert_eq!(at_service(&stage)["versions"], json!(5));
}

#[test]
fn what_was_set_elsewhere_is_shown_when_the_preferences_are_opened_again() {
    let mut stage = Stage::embedded();
    until_known(&mut stage);
    stage.press("Close");
    let bounds = record(json!({ "days": 3, "versions": 4, "bytes": 5 << 20 }));
    stage.call(VersionBoundsChange { bounds: Some(bounds) }).expect("set");
    stage.press("Preferences");
    stage
        .until("they are read again", |state| state.versions.bounds.value().is_some_and(|bounds| bounds.versions == 4));
    stage.settle();
    assert_eq!(stage.find(Role::SpinButton, VERSIONS).accesskit_node().numeric_value(), Some(4.0));
}

#[test]
fn a_service_that_ended_or_is_one_of_others_is_said_to_be_so() {
    let mut stage = Stage::embedded();
    stage.stop_service();
    stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    stage.until("the service is lost", |state| matches!(state.connection.status, Status::Down(_)));
    stage.press("Preferences");
    stage.until_said("How many versions this service keeps");

    let behind = Stage::embedded();
    let proxy = UnsupportedProxy::foreign(behind.port());
    let mut stage = Stage::at(&proxy.url());
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    stage.press("Preferences");
    stage.until_label("Keep versions of the assets of this service");
    assert!(!stage.draws(Role::SpinButton, VERSIONS));
}
