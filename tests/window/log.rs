//! The log of calls.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;

#[test]
fn every_call_of_the_start_is_there_the_newest_first() {
    let mut stage = Stage::inside();
    stage.ctrl(Key::Num5);
    stage.until_label("GET applicationsSnapshot, 200 done");
    let log = &stage.state().log;
    assert!(log.windows(2).all(|pair| pair[0].number < pair[1].number));
}

#[test]
fn a_call_shows_its_address_and_both_bodies_and_is_copied_for_a_shell() {
    let mut stage = Stage::inside();
    stage.ctrl(Key::Num5);
    stage.until_label("GET applicationsSnapshot, 200 done");
    stage.find(Role::Row, "GET applicationsSnapshot, 200 done").click();
    stage.until_said("Answer body");
    assert!(stage.says("/applications"));
    stage.press("Copy as curl");
    assert!(stage.says("Copied the call as curl"));
    stage.press("Close the call");
    assert!(!stage.says("Answer body"));
}

#[test]
fn a_call_that_failed_tells_its_phase_and_what_to_do() {
    let url = crate::faulty::start(500, "the disk is full");
    let mut stage = Stage::at(&url);
    stage.ctrl(Key::Num5);
    stage.until_label("GET applicationsSnapshot, 500 refused");
    stage.find(Role::Row, "GET applicationsSnapshot, 500 refused").click();
    stage.until_said("the disk is full");
    stage.find(Role::Button, "Copy error");
}

#[test]
fn the_filter_and_clear_leave_what_was_asked_for() {
    let mut stage = Stage::inside();
    stage.ctrl(Key::Num5);
    stage.type_into("Filter calls", "external");
    stage.harness.run_steps(2);
    assert!(!stage.says("GET applicationsSnapshot"));
    stage.type_into("Filter calls", " nothing like that");
    stage.until_label("Nothing matches");
    stage.press("Clear the filter");
    stage.press("Clear");
    stage.until_label("No calls yet");
    assert!(stage.harness.query_all_by_role(Role::Row).next().is_none());
}
