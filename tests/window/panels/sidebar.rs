//! The lines of the sidebar below the panels: only those in sight are drawn, and the keyboard reaches all of them.

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Role, TouchPhase, pos2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::stage::Stage;

/// How many folders there are.
const FOLDERS: usize = 60;

/// A stage with an asset in each of many folders, all of which have a line.
fn with_folders() -> Stage {
    let mut stage = Stage::embedded();
    for number in 0..FOLDERS {
        stage.imported(&format!("folder {number:02}/a.txt"), "text");
    }
    stage.ctrl(Key::Num3);
    stage.until("they are counted", |state| {
        state.overview.summary.as_ref().is_some_and(|summary| summary.folders.outermost.len() == FOLDERS)
    });
    stage.settle();
    stage.find(Role::Link, "55 more").click_accesskit();
    stage.settle();
    stage
}

/// The names of the folders that are drawn, from the top.
fn drawn(stage: &Stage) -> Vec<String> {
    let links = stage.harness.query_all_by_role(Role::Link).filter_map(|link| link.accesskit_node().label());
    links.filter(|name| name.starts_with("folder")).collect()
}

/// The name of the link with the focus, and its upper edge.
fn focused(stage: &Stage) -> Option<(String, f32)> {
    let mut links = stage.harness.query_all_by_role(Role::Link);
    let link = links.find(|link| link.accesskit_node().is_focused())?;
    Some((link.accesskit_node().label()?, link.rect().top()))
}

fn turn_wheel(stage: &mut Stage, points: f32) {
    stage.harness.event(Event::PointerMoved(pos2(90.0, 500.0)));
    let (unit, phase, source) = (MouseWheelUnit::Point, TouchPhase::Move, MouseWheelSource::Wheel);
    let (delta, modifiers) = (vec2(0.0, points), Modifiers::NONE);
    stage.harness.event(Event::MouseWheel { unit, phase, source, delta, modifiers });
    stage.harness.run_steps(30);
}

#[test]
fn of_many_folders_those_in_sight_are_drawn() {
    let mut stage = with_folders();
    let first = drawn(&stage);
    assert!(first.len() < 25 && first.contains(&"folder 00".to_owned()), "{first:?}");
    let node = stage.find(Role::Link, "folder 01");
    let node = node.accesskit_node();
    assert_eq!((node.data().position_in_set(), node.data().size_of_set()), (Some(1), Some(FOLDERS + 1)));
    turn_wheel(&mut stage, -5_000.0);
    let last = drawn(&stage);
    assert!(last.len() < 35 && last.contains(&"folder 59".to_owned()), "{last:?}");
    assert!(!last.contains(&"folder 00".to_owned()) && stage.draws(Role::Link, "Fewer"));
    stage.find(Role::Link, "folder 59").click();
    stage.until("it filters the list", |state| state.assets.list.order.len() == 1);
}

#[test]
fn tab_goes_on_to_folders_out_of_sight_and_scrolls_them_into_sight() {
    let mut stage = with_folders();
    stage.find(Role::Link, "folder 00").focus();
    stage.harness.step();
    for _ in 0..40 {
        stage.key(Key::Tab);
    }
    stage.harness.run_steps(30);
    let (name, top) = focused(&stage).expect("a link has the focus");
    assert_eq!(name, "folder 40");
    assert!((40.0..770.0).contains(&top), "{top}");
    for _ in 0..3 {
        stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::Tab);
        stage.settle();
    }
    assert_eq!(focused(&stage).map(|(name, _)| name).as_deref(), Some("folder 37"));
}

#[test]
fn the_focus_stays_on_a_folder_that_the_wheel_moves_out_of_sight() {
    let mut stage = with_folders();
    stage.find(Role::Link, "folder 02").focus();
    stage.harness.step();
    turn_wheel(&mut stage, -5_000.0);
    assert_eq!(focused(&stage).map(|(name, _)| name).as_deref(), Some("folder 02"));
    stage.key(Key::Tab);
    stage.harness.run_steps(30);
    let (name, top) = focused(&stage).expect("a link has the focus");
    assert_eq!(name, "folder 03");
    assert!((40.0..770.0).contains(&top), "it is in sight again: {top}");
}
