//! The edge between a list and its page: it is where it was put last in a window of that size.

use egui::{Event, Key, Modifiers, PointerButton, Role, Vec2, pos2, vec2};
use lunette_inspector::State;

use crate::panels::asset_page::open;
use crate::stage::Stage;

/// A window of each size, in points.
const NARROW: Vec2 = vec2(1_100.0, 800.0);
const MEDIUM: Vec2 = vec2(1_300.0, 800.0);
const WIDE: Vec2 = vec2(1_800.0, 800.0);

/// Where the edge of the panel is.
fn edge(stage: &Stage) -> f32 {
    stage.find(Role::Splitter, "Resize panel").rect().center().x
}

fn resize(stage: &mut Stage, size: Vec2) {
    stage.harness.set_size(size);
    stage.settle();
}

/// Drags the edge to here.
fn drag(stage: &mut Stage, to: f32) {
    let button = |x: f32, pressed: bool| {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        Event::PointerButton { pos: pos2(x, 400.0), button, pressed, modifiers }
    };
    let from = edge(stage);
    for event in [
        Event::PointerMoved(pos2(from, 400.0)),
        button(from, true),
        Event::PointerMoved(pos2(f32::midpoint(from, to), 400.0)),
        Event::PointerMoved(pos2(to, 400.0)),
        button(to, false),
    ] {
        stage.harness.event(event);
        stage.harness.step();
    }
    stage.settle();
    assert_near(edge(stage), to);
}

#[track_caller]
fn assert_near(one: f32, other: f32) {
    assert!((one - other).abs() < 3.0, "{one} and {other}");
}

#[test]
fn the_page_has_the_width_that_it_was_given_in_a_window_of_that_size_also_after_a_restart() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", "text");
    open(&mut stage, &id);
    resize(&mut stage, MEDIUM);
    let usual = edge(&stage);
    drag(&mut stage, usual - 150.0);
    resize(&mut stage, WIDE);
    let page = WIDE.x - edge(&stage);
    assert!(page > WIDE.x * 0.45, "about half of a wide window, not {page}");
    drag(&mut stage, 1_300.0);
    // A width that finds no room is given back once there is room again.
    resize(&mut stage, NARROW);
    assert!((450.0..NARROW.x * 0.6).contains(&edge(&stage)), "{}", edge(&stage));
    resize(&mut stage, MEDIUM);
    assert_near(edge(&stage), usual - 150.0);
    let mut stage = stage.reopened();
    open(&mut stage, &id);
    resize(&mut stage, WIDE);
    assert_near(edge(&stage), 1_300.0);
    resize(&mut stage, MEDIUM);
    assert_near(edge(&stage), usual - 150.0);
}

#[test]
fn resizing_the_window_is_no_choice_of_a_width() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", "text");
    open(&mut stage, &id);
    resize(&mut stage, vec2(1_590.0, 800.0));
    drag(&mut stage, 520.0);
    let chosen = |state: &State| state.preferences.view.list("assets").pages;
    let before = chosen(stage.state());
    resize(&mut stage, vec2(1_290.0, 800.0));
    resize(&mut stage, NARROW);
    resize(&mut stage, vec2(1_590.0, 800.0));
    assert_near(edge(&stage), 520.0);
    assert_eq!(chosen(stage.state()), before);
}

#[test]
fn the_list_of_operations_has_its_own_width_which_assistive_technology_can_set() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num5);
    resize(&mut stage, MEDIUM);
    let usual = edge(&stage);
    drag(&mut stage, usual - 60.0);
    stage.find(Role::Splitter, "Resize panel").increment_accesskit();
    stage.settle();
    let moved = edge(&stage);
    assert!(moved > usual - 58.0, "{moved}");
    resize(&mut stage, WIDE);
    stage.ctrl(Key::Num3);
    stage.ctrl(Key::Num5);
    resize(&mut stage, MEDIUM);
    assert_near(edge(&stage), moved);
}

#[test]
fn the_id_of_an_asset_and_the_button_that_copies_it_are_on_one_line_whatever_the_width() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", "text");
    open(&mut stage, &id);
    let short = format!("{}…{}", &id.as_str()[..4], &id.as_str()[id.as_str().len() - 4..]);
    resize(&mut stage, vec2(1_000.0, 800.0));
    for step in 0..14 {
        drag(&mut stage, 600.0 + 10.0 * step as f32);
        let [id, button] = [stage.find(Role::Label, &short), stage.find(Role::Button, "Copy the id")];
        let (id, button) = (id.rect(), button.rect());
        assert!((id.center().y - button.center().y).abs() < 8.0, "{id} and {button}");
    }
}
