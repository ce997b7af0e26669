//! The conformance check in the console of operations.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;

#[test]
fn a_check_starts_by_button_and_its_report_has_a_row_per_operation() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num5);
    stage.press("Check this service…");
    assert!(stage.says("Not checked yet"));
    stage.press("Check without writing");
    stage.until("the report is there", |state| {
        state.check.task.is_none() && state.check.report.value().is_some_and(|report| report.passed())
    });
    stage.until_drawn("its table is drawn", |harness| {
        harness.query_by_role_and_label(Role::Table, "Checked operations").is_some()
    });
    assert!(stage.says("not asked"));
    stage.press("Check");
    stage.until("everything was asked", |state| {
        let report = state.check.report.value();
        state.check.task.is_none() && report.is_some_and(|report| report.summary() == "All 27 operations work")
    });
    stage.until_said("All 27 operations work");
}

/// A window of 800 by 600 points with the report of a read-only check.
fn checked_at_800_by_600() -> Stage {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.ctrl(Key::Num5);
    stage.press("Check this service…");
    stage.press("Check without writing");
    stage.until("the report is there", |state| state.check.task.is_none() && state.check.report.value().is_some());
    stage.until_label("Copy report");
    stage
}

#[test]
fn at_800_by_600_the_buttons_of_the_check_are_side_by_side_within_the_window() {
    let stage = checked_at_800_by_600();
    let rects: Vec<egui::Rect> =
        ["Check", "Check without writing", "Copy report"].map(|name| stage.find(Role::Button, name).rect()).to_vec();
    for (index, rect) in rects.iter().enumerate() {
        assert!(rect.left() >= 196.0 && rect.right() <= 800.0, "{rects:?}");
        assert!(rects[..index].iter().all(|other| !other.intersects(*rect)), "{rects:?}");
    }
}

#[test]
fn at_800_by_600_the_result_of_an_operation_is_in_sight_below_the_table() {
    let mut stage = checked_at_800_by_600();
    stage.find(Role::Row, "applicationsSnapshot").click();
    stage.until_label("GET /applications");
    stage.harness.run_steps(4);
    let findings = stage.find(Role::Label, "GET /applications").rect();
    let table = stage.find(Role::Table, "Checked operations").rect();
    assert!(table.bottom() <= findings.top() && findings.bottom() < 520.0, "{table}, {findings}");
}

#[test]
fn the_command_shows_what_a_check_does_and_starts_nothing() {
    let mut stage = Stage::embedded();
    let sent = stage.state().session.log.count();
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "Check this service");
    stage.key(Key::Enter);
    stage.until_said("Not checked yet");
    assert!(stage.says("It changes only what it creates"));
    stage.settle();
    assert_eq!(stage.state().check.task, None);
    let more: Vec<_> = stage.state().session.log.iter().skip(sent).collect();
    assert!(more.iter().all(|line| line.background || !line.info.writes()), "{more:?}");
    stage.press("Check without writing");
    stage.until("the report is there", |state| state.check.task.is_none() && state.check.report.value().is_some());
}
