//! The connection chip while calls hang or fail, and its position.

use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_inspector::action::NavigationAction;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;

use crate::services::faulty;
use crate::stage::Stage;
use crate::support::gate::held;

/// Returns where the palette field begins.
fn search_left(stage: &Stage) -> f32 {
    stage.harness.get_by_label("Search or run a command").rect().left()
}

/// Returns the text of the chip.
fn chip(stage: &Stage) -> String {
    let chip = stage.harness.get_by_label_contains("Connection: ");
    chip.accesskit_node().label().unwrap_or_default()
}

#[test]
fn an_unanswered_call_is_shown_with_its_seconds_and_nothing_in_the_bar_moves() {
    let inside = Stage::embedded();
    let (wall, gate) = held(inside.port(), "/applications/external/related".to_owned());
    let mut stage = Stage::patient(&wall.url());
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    let before = search_left(&stage);
    stage.until_said("waiting for a response");
    assert!(!chip(&stage).contains("connected"), "{}", chip(&stage));
    let waiting = stage.state().connection.calls.waiting().map(|call| call.operation);
    assert_eq!(waiting, Some("applicationsExternalRelated"));
    assert_eq!(search_left(&stage), before, "the field stands still");
    gate.open();
    stage.until("it is answered", |state| state.connection.calls.waiting().is_none());
    stage.until_said("connected");
    assert_eq!(search_left(&stage), before, "the field stands still");
}

#[test]
fn a_service_that_answers_with_errors_is_not_shown_as_connected() {
    let mut stage = Stage::at(&faulty::start(500, "the disk is full"));
    stage.until_said("service returns errors");
    assert!(!chip(&stage).contains("connected"), "{}", chip(&stage));
    let fault = stage.state().connection.calls.fault().expect("a fault").clone();
    assert!(fault.reason.contains("the disk is full"), "{fault:?}");
    stage.perform(NavigationAction::Show(Panel::Applications));
    stage.until_said("service returns errors");
}

#[test]
fn a_web_page_instead_of_a_response_is_an_unexpected_response() {
    let mut stage = Stage::at(&faulty::start(200, "<html><body>Welcome</body></html>"));
    stage.until_said("unexpected response");
}

#[test]
fn a_refusal_or_an_unsupported_operation_is_not_an_error_of_the_service() {
    let mut stage = Stage::inside_with(|settings| settings.interface_only = true);
    stage.until("it is found out", |state| !state.connection.offers(AssetsSnapshot::INFO));
    assert_eq!(stage.state().connection.calls.fault(), None);
    assert!(chip(&stage).contains("connected"), "{}", chip(&stage));
}

/// Returns the parts of the bar, from left to right.
fn parts(stage: &Stage) -> Vec<egui::Rect> {
    let named = ["Menu", "Back", "Forward", "Search or run a command", "Theme: system", "Preferences"];
    let mut rects: Vec<egui::Rect> = named.iter().map(|name| stage.harness.get_by_label(name).rect()).collect();
    rects.insert(3, stage.harness.get_by_label_contains("Connection: ").rect());
    rects
}

#[test]
fn at_every_zoom_the_parts_of_the_bar_are_beside_each_other_and_in_the_window() {
    let mut stage = Stage::embedded();
    for width in [400.0, 533.0, 640.0, 800.0, 1000.0, 1280.0, 1920.0] {
        stage.harness.set_size(egui::vec2(width, 600.0));
        stage.harness.run_steps(3);
        let parts = parts(&stage);
        for pair in parts.windows(2).take(4) {
            assert!(pair[0].right() <= pair[1].left() + 0.5, "{width}: {pair:?}");
        }
        assert!(parts[4].right() <= parts[5].left() + 0.5 && parts[6].right() <= width, "{width}: {parts:?}");
        let sidebar = stage.harness.get_by_label("Applications").rect();
        assert!(sidebar.right() <= width / 3.0 + 60.0, "{width}: {sidebar:?}");
    }
}

#[test]
fn at_every_zoom_the_dialogs_end_with_their_buttons_in_the_window() {
    let mut stage = Stage::embedded();
    for size in [egui::vec2(400.0, 300.0), egui::vec2(533.0, 400.0), egui::vec2(800.0, 600.0)] {
        stage.harness.set_size(size);
        for (command, title, button) in [
            ("Connection…", "Connection", "Close"),
            ("Preferences", "Preferences", "Close"),
            ("Restore a backup…", "Backups", "Close"),
            ("Messages", "Messages", "Close"),
            ("Keyboard shortcuts", "Keyboard shortcuts", "Close"),
            ("New asset from text…", "New asset from text", "Create"),
        ] {
            stage.ctrl(egui::Key::K);
            stage.type_into("Search or run a command", command);
            stage.key(egui::Key::Enter);
            stage.until_drawn("its dialog is there", |harness| {
                harness.query_by_role_and_label(egui::Role::Dialog, title).is_some()
            });
            stage.harness.run_steps(4);
            let rect = stage.find(egui::Role::Button, button).rect();
            let titles = stage.harness.query_all_by_role_and_label(egui::Role::Label, title);
            let title = titles.map(|node| node.rect().top()).fold(1e9, f32::min);
            assert!(
                title >= 0.0 && rect.bottom() <= size.y && rect.right() <= size.x,
                "{size} {command}: {title} {rect:?}"
            );
            stage.key(egui::Key::Escape);
            stage.harness.run_steps(2);
        }
    }
}
