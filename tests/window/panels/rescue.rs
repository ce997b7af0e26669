//! Rescuing everything from a service: counted, started, paused, interrupted and ended; what is missing and what
//! was received.

use egui::{Role, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::action::{NavigationAction, RescueAction, SessionAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::rescue::Kind;
use lunette_inspector::rescue::window::Stage as Rescue;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use serde_json::Value;

use crate::stage::Stage;
use crate::support::dying::{Dying, id};

/// A window with a service of its own, on the page of the rescue.
fn on_page(data: &tempfile::TempDir) -> Stage {
    let mut stage = Stage::on_folder(data.path(), &[]);
    stage.until_idle();
    stage.perform(NavigationAction::Show(Panel::Rescue));
    stage
}

fn count(stage: &mut Stage, old: &Dying) {
    stage.type_into("Address of the service", &old.url());
    stage.press("Count");
}

#[test]
fn everything_is_counted_first_and_then_rescued_with_a_receipt() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    let mut stage = Stage::on_folder(data.path(), &[]);
    stage.until_idle();
    // From the welcome page, which an empty service shows.
    stage.press("Rescue everything…");
    stage.until_label("Rescue everything from a service");
    count(&mut stage, &old);
    stage.until_said("200 records of 13 kinds, 60 still to be read");
    assert_eq!(old.asset_reads(), 0, "nothing is read before the user starts");
    assert!(stage.says("tags: 10 of 10 received") && stage.says("assets: 0 of 60 received"));
    stage.press("Start");
    stage.until_said("All 200 records are here");
    assert!(stage.says("tags: 10 equal") && stage.says("assets: 60 equal"));
    assert_eq!((old.asset_reads(), old.writes()), (60, 0));
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.until("the assets are listed", |state| state.assets.list.count() == 60);
    stage.perform(NavigationAction::Show(Panel::Rescue));
    stage.press("Open receipt");
    let folder = stage.state().rescue.folder.clone().expect("a folder");
    // The stage writes this file instead of opening a program.
    stage.until("the receipt is opened", |_| folder.join("receipt.opened").is_file());
}

#[test]
fn the_keyboard_begins_in_the_address() {
    let data = tempfile::tempdir().expect("a folder");
    let mut stage = on_page(&data);
    stage.until_drawn("it has the keyboard", |harness| {
        let field = harness.query_by_role_and_label(Role::TextInput, "Address of the service");
        field.is_some_and(|field| field.accesskit_node().is_focused())
    });
}

#[test]
fn kinds_without_a_place_here_are_looked_at_and_exported() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    let mut stage = on_page(&data);
    count(&mut stage, &old);
    stage.until_said("still to be read");
    stage.perform(RescueAction::Show(Some(lunette_inspector::rescue::window::Shown::Kind(Kind::Ranges))));
    stage.until("they are listed", |state| state.rescue.list.count() == 2);
    stage.perform(RescueAction::Open(Some((Kind::Ranges, id("ranges", 1)))));
    stage.until_label("Copy as received");
    let file = stage.folder.path().join("ranges.json");
    stage.picked.set(vec![file.clone()]);
    stage.press("Export…");
    stage.until_said("Wrote the ranges");
    let written = std::fs::read_to_string(&file).expect("written");
    assert!(old.list("ranges").iter().all(|raw| written.contains(raw.as_str())), "byte for byte: {written}");
    assert_eq!(serde_json::from_str::<Vec<Value>>(&written).expect("JSON").len(), 2);
}

#[test]
fn it_goes_on_in_the_background_also_when_another_connection_is_chosen() {
    let (old, data) = (Dying::start(5), tempfile::tempdir().expect("a folder"));
    let mut stage = on_page(&data);
    count(&mut stage, &old);
    stage.until_said("still to be read");
    stage.press("Start");
    stage.perform(NavigationAction::Show(Panel::Log));
    let other = Target::Url(stage.url());
    stage.perform(SessionAction::Connect(other.clone()));
    stage
        .until("another connection", |state| state.connection.target == other && state.connection.status == Status::Up);
    stage.until("it has ended", |state| state.rescue.stage == Rescue::Ended);
    stage.perform(NavigationAction::Show(Panel::Rescue));
    stage.until_said("All 1,000 records are here");
}

#[test]
fn it_is_paused_and_resumed_and_a_service_that_dies_interrupts_it() {
    let (old, data) = (Dying::start(2), tempfile::tempdir().expect("a folder"));
    let mut stage = on_page(&data);
    count(&mut stage, &old);
    stage.until_said("still to be read");
    let asked = old.requests();
    old.lose(Some(asked + 20..usize::MAX));
    stage.press("Start");
    stage.until("it was interrupted", |state| matches!(state.rescue.stage, Rescue::Interrupted(_)));
    stage.until_said("no longer responds");
    assert!(stage.says("were received and are kept"));
    old.lose(None);
    stage.press("Go on");
    stage.perform(RescueAction::Pause);
    stage.until("it stopped", |state| matches!(state.rescue.stage, Rescue::Paused | Rescue::Ended));
    if stage.state().rescue.stage == Rescue::Paused {
        assert!(stage.says("Paused."));
        stage.press("Resume");
    }
    stage.until_said("All 400 records are here");
    assert!(old.asset_reads() <= 120 * 105 / 100, "{} reads of 120", old.asset_reads());
}

#[test]
fn an_interruption_is_told_until_the_page_is_opened_or_it_goes_on() {
    let (old, data) = (Dying::start(2), tempfile::tempdir().expect("a folder"));
    let mut stage = on_page(&data);
    count(&mut stage, &old);
    stage.until_said("still to be read");
    let interrupted = |stage: &mut Stage| {
        stage.perform(NavigationAction::Show(Panel::Log));
        let asked = old.requests();
        old.lose(Some(asked + 5..usize::MAX));
        stage.perform(RescueAction::Start);
        stage.until("it was interrupted", |state| matches!(state.rescue.stage, Rescue::Interrupted(_)));
        stage.until_said("The rescue was interrupted; what was received is kept");
        old.lose(None);
    };
    let gone = |stage: &mut Stage| {
        stage.until_drawn("the message is gone", |harness| {
            harness.query_by_label_contains("The rescue was interrupted").is_none()
        });
    };
    interrupted(&mut stage);
    stage.press("Open its page");
    stage.until_label("Go on");
    gone(&mut stage);
    interrupted(&mut stage);
    stage.perform(RescueAction::Start);
    gone(&mut stage);
    stage.until("it has ended", |state| state.rescue.stage == Rescue::Ended);
}

#[test]
fn what_is_missing_is_listed_with_the_reason() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    // Without content, which no asset here can be.
    old.change("assets", 5, |asset| {
        for field in ["formats", "original", "preview"] {
            asset.as_object_mut().expect("an object").remove(field);
        }
    });
    let mut stage = on_page(&data);
    count(&mut stage, &old);
    stage.until_said("still to be read");
    stage.press("Start");
    stage.until("the missing ones are listed", |state| {
        state.rescue.stage == Rescue::Ended && state.rescue.list.count() > 0
    });
    stage.until_said("are missing or differ");
    let rows = &stage.state().rescue.list;
    assert!(rows.iter().any(|row| row.id == id("assets", 5) && row.reason().contains("no content")), "{rows:?}");
    stage.until_said("asset 5, missing");
}

#[test]
fn an_opened_record_is_closed_by_its_button_also_where_it_replaces_the_list() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    let mut stage = on_page(&data);
    count(&mut stage, &old);
    stage.until_said("still to be read");
    stage.perform(RescueAction::Show(Some(lunette_inspector::rescue::window::Shown::Kind(Kind::Ranges))));
    for (size, button) in [(vec2(800.0, 600.0), "Back to the list"), (vec2(1280.0, 800.0), "Close the record")] {
        stage.harness.set_size(size);
        stage.perform(RescueAction::Open(Some((Kind::Ranges, id("ranges", 1)))));
        stage.until_label("Copy as received");
        stage.press(button);
        stage.until("it is closed", |state| state.rescue.open.is_none());
        stage.until_drawn("the list is there", |harness| {
            harness.query_by_role_and_label(Role::Table, "Records").is_some()
        });
    }
}

#[test]
fn each_state_is_drawn_at_every_size_of_the_window() {
    let (old, data) = (Dying::start(1), tempfile::tempdir().expect("a folder"));
    let mut stage = on_page(&data);
    let sizes = [vec2(520.0, 400.0), vec2(800.0, 600.0), vec2(1280.0, 800.0), vec2(1920.0, 1080.0)];
    let drawn = |stage: &mut Stage, label: &str| {
        for size in sizes {
            stage.harness.set_size(size);
            stage.until_label(label);
            let window = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            let button = stage.find(Role::Button, label).accesskit_node().bounding_box().expect("a place");
            let right = egui::pos2(button.x1 as f32, button.y1 as f32);
            assert!(window.contains(right), "{label} at {size:?}: {right:?}");
        }
    };
    drawn(&mut stage, "Count");
    count(&mut stage, &old);
    stage.until("it is counted", |state| state.rescue.stage == Rescue::Counted);
    drawn(&mut stage, "Start");
    old.set_gone(true);
    stage.perform(RescueAction::Start);
    stage.until("it was interrupted", |state| matches!(state.rescue.stage, Rescue::Interrupted(_)));
    drawn(&mut stage, "Go on");
    old.set_gone(false);
    stage.perform(RescueAction::Start);
    stage.until("it has ended", |state| state.rescue.stage == Rescue::Ended);
    drawn(&mut stage, "Open receipt");
}
