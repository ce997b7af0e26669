//! The log of calls.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::input::row_menu::{choose, entries, right_click};
use crate::input::views::until_kept;
use crate::stage::Stage;

#[test]
fn every_call_of_the_startup_is_listed_newest_first() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label("GET applicationsSnapshot, 200 OK");
    let log: Vec<_> = stage.state().session.log.iter().collect();
    assert!(log.windows(2).all(|pair| pair[0].number < pair[1].number));
}

#[test]
fn a_call_shows_its_address_and_both_bodies_and_is_copied_as_curl() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label("GET applicationsSnapshot, 200 OK");
    stage.find(Role::Row, "GET applicationsSnapshot, 200 OK").click();
    stage.until_said("Response body");
    assert!(stage.says("/applications"));
    stage.press("Copy as curl");
    assert!(stage.says("Copied the call as curl"));
    stage.press("Close the call");
    assert!(!stage.says("Response body"));
}

#[test]
fn a_failed_call_shows_its_phase_and_advice() {
    let url = crate::services::faulty::start(500, "the disk is full");
    let mut stage = Stage::at(&url);
    stage.ctrl(Key::Num6);
    stage.until_label("GET applicationsSnapshot, 500 refused");
    stage.find(Role::Row, "GET applicationsSnapshot, 500 refused").click();
    stage.until_said("the disk is full");
    stage.find(Role::Button, "Copy error");
}

#[test]
fn calls_can_be_filtered_and_cleared() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
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

const CALL: &str = "GET applicationsSnapshot, 200 OK";

#[test]
fn a_call_can_be_opened_and_copied_from_its_menu() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label(CALL);
    right_click(&mut stage, Role::Row, CALL);
    let names: Vec<String> = entries(&stage).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Open", "Select for compare", "Compare with…", "Copy as curl", "Copy address", "Copy body"]);
    choose(&mut stage, "Copy as curl");
    assert!(stage.says("Copied the call as curl"));
}

#[test]
fn opening_a_call_by_key_focuses_its_first_action_and_not_the_close_button() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label(CALL);
    stage.find(Role::Row, CALL).click();
    stage.settle();
    stage.key(Key::Enter);
    stage.until_drawn("the page has the keyboard", |harness| {
        let copy = harness.query_by_role_and_label(Role::Button, "Copy as curl");
        copy.is_some_and(|copy| copy.accesskit_node().is_focused())
    });
}

#[test]
fn in_a_narrow_window_a_call_replaces_the_list() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.ctrl(Key::Num6);
    stage.until_label(CALL);
    for by_key in [true, false] {
        stage.find(Role::Row, CALL).click();
        stage.until_said("Response body");
        assert!(!stage.draws(Role::Table, "Calls") && !stage.draws(Role::Button, "Close the call"));
        match by_key {
            true => stage.key(Key::Escape),
            false => stage.press("Back to the list"),
        }
        stage.until_label(CALL);
        assert!(stage.draws(Role::Table, "Calls"));
    }
}

#[test]
fn the_body_of_a_response_fills_the_available_height() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1920.0, 1080.0));
    for index in 0..12 {
        stage.asset(&format!("{index}.txt"), "text");
    }
    stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 12);
    stage.ctrl(Key::Num6);
    stage.until_said("GET assetsRowsSnapshot, 200 OK");
    let calls = stage.harness.query_all_by_label_contains("GET assetsRowsSnapshot, 200 OK");
    calls.into_iter().next().expect("a call").click();
    stage.until_said("Response body");
    stage.until_drawn("the body is as high as the window lets it be", |harness| {
        let bottoms = harness.query_all_by_label("Response body").map(|node| node.rect().bottom());
        bottoms.fold(0.0, f32::max) > 950.0
    });
}

#[test]
fn a_call_shows_duration_and_target_and_the_list_has_a_size_limit() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label(CALL);
    let column = |stage: &Stage, name: &str| stage.find(Role::ColumnHeader, name).rect();
    let row = stage.find(Role::Row, CALL).rect();
    let within = |stage: &Stage, name: &str| -> Vec<String> {
        let column = column(stage, name);
        let labels = stage.harness.query_all_by_role(Role::Label);
        let here = labels.filter(|label| {
            let center = label.rect().center();
            row.y_range().contains(center.y) && column.x_range().contains(center.x)
        });
        here.filter_map(|label| label.accesskit_node().value().or(label.accesskit_node().label())).collect()
    };
    let took = within(&stage, "Took");
    assert!(matches!(took.as_slice(), [took] if took.ends_with(" ms") || took.ends_with(" s")), "{took:?}");
    let path = within(&stage, "Path");
    assert!(matches!(path.as_slice(), [path] if path == "/applications"), "{path:?}");
    for (width, shown) in [(1280.0, [true, true]), (640.0, [true, true]), (480.0, [false, false])] {
        stage.harness.set_size(egui::vec2(width, 700.0));
        stage.settle();
        let drawn = ["Took", "Path"].map(|name| stage.draws(Role::ColumnHeader, name));
        assert_eq!(drawn, shown, "at {width}");
    }
}

#[test]
fn time_and_path_columns_show_their_full_text_on_hover() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label(CALL);
    let line =
        stage.state().session.log.iter().find(|line| line.info.name == "applicationsSnapshot").expect("it").clone();
    stage.harness.get_all_by_label("/applications").next().expect("its path").hover();
    stage.harness.run_steps(60);
    assert!(stage.says(&line.url), "the whole address");
}

#[test]
fn calls_of_the_background_are_shown_as_chosen_after_a_restart_too() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label(CALL);
    stage.find(Role::CheckBox, "Background").click();
    stage.settle();
    assert!(stage.state().session.log.query.background);
    until_kept(&mut stage);
    let stage = stage.reopened();
    assert!(stage.state().session.log.query.background);
}
