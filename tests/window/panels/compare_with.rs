//! Choosing what something is compared with: any asset, a version of it, or a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Event, Key, Modifiers, Pos2, Role, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::action::{ApplicationsAction, CompareAction, InventoryAction, NavigationAction};
use lunette_inspector::compare::{Source, Tab};
use lunette_inspector::inventory::Shown;
use lunette_inspector::panel::Panel;

use crate::dialogs::edit_text::change_elsewhere;
use crate::frame::Dropped;
use crate::panels::asset_page::open;
use crate::panels::compare::{comparison, two, until_compared};
use crate::stage::Stage;

const FIELD: &str = "What to compare with";

fn title(stage: &Stage) -> String {
    stage.state().compare.tab().map(Tab::title).unwrap_or_default()
}

fn entries(stage: &Stage) -> Vec<String> {
    let options = stage.harness.query_all_by_role(Role::ListBoxOption);
    options.filter_map(|option| option.accesskit_node().label()).collect()
}

#[test]
fn any_asset_is_found_by_typing_and_chosen_by_enter() {
    let (mut stage, assets) = two();
    open(&mut stage, &assets[0]);
    stage.harness.key_press_modifiers(Modifiers::ALT | Modifiers::SHIFT, Key::B);
    stage.settle();
    stage.until_label("Compare “a.txt” with");
    stage.type_into(FIELD, "b.t");
    stage.until_drawn("one is left", |harness| harness.query_all_by_role(Role::ListBoxOption).count() == 1);
    stage.key(Key::Enter);
    until_compared(&mut stage);
    assert_eq!(title(&stage), "a.txt ↔ b.txt");
    assert!(stage.state().compare.choosing.is_none() && !stage.draws(Role::TextInput, FIELD));
}

#[test]
fn recent_assets_come_first_and_escape_chooses_nothing() {
    let (mut stage, assets) = two();
    for asset in [&assets[1], &assets[0]] {
        open(&mut stage, asset);
    }
    stage.until("they are recent ones", |state| state.recent().len() == 2);
    stage.perform(CompareAction::Choose(Source::Asset(assets[0].clone(), "a.txt".to_owned())));
    stage.settle();
    stage.until_label("A file on disk…");
    // All assets follow, without the one that is to be compared.
    assert_eq!(entries(&stage), ["b.txt", "A file on disk…", "b.txt"]);
    stage.key(Key::Escape);
    stage.until("nothing is chosen", |state| state.compare.choosing.is_none());
    assert!(stage.state().compare.tabs.is_empty());
}

#[test]
fn a_version_of_the_asset_is_compared_with_what_it_is_now() {
    let (mut stage, assets) = two();
    change_elsewhere(&stage, &assets[0], "other\n");
    stage.perform(CompareAction::Choose(Source::Asset(assets[0].clone(), "a.txt".to_owned())));
    stage.until_said("Version 1, ");
    stage.type_into(FIELD, "Version 1");
    stage.key(Key::Enter);
    until_compared(&mut stage);
    let kinds =
        comparison(&stage).sides.each_ref().map(|side| side.kind.split(' ').next().unwrap_or_default().to_owned());
    assert_eq!(kinds, ["version", "asset"]);
    assert!(comparison(&stage).text().is_some_and(|text| !text.hunks.is_empty()));
}

#[test]
fn a_file_is_chosen_in_the_dialog_of_the_desktop() {
    let (mut stage, assets) = two();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.txt");
    std::fs::write(&path, "one\n").expect("a file");
    stage.picked.set(vec![path]);
    stage.perform(CompareAction::Choose(Source::Asset(assets[0].clone(), "a.txt".to_owned())));
    stage.until_label("A file on disk…");
    stage.type_into(FIELD, "file on disk");
    stage.key(Key::Enter);
    until_compared(&mut stage);
    assert_eq!(title(&stage), "a.txt ↔ c.txt");
}

#[test]
fn applications_of_every_list_are_sides() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num2);
    stage.until("external applications are listed", |state| state.applications.external.count() > 1);
    let [one, other] = first_two(stage.state().applications.external.iter().map(|row| row.name.clone()));
    compare_rows(&mut stage, &one, &other);
    assert_eq!(title(&stage), format!("{one} ↔ {other}"));
    assert!(!comparison(&stage).fields.is_empty());

    stage.perform(lunette_inspector::action::NavigationAction::Show(Panel::Applications));
    stage.perform(InventoryAction::Show(Shown::All));
    stage.until("all are listed", |state| state.inventory.list.count() > 1);
    stage.perform(ApplicationsAction::OpenExternal(None));
    stage.settle();
    let [one, other] = first_two(stage.state().inventory.list.iter().map(|row| row.name.clone()));
    compare_rows(&mut stage, &one, &other);
    assert_eq!(title(&stage), format!("{one} ↔ {other}"));
}

fn first_two(mut names: impl Iterator<Item = String>) -> [String; 2] {
    [names.next().expect("a row"), names.next().expect("another row")]
}

/// Selects one row for compare and compares the other one with it, by their menus.
fn compare_rows(stage: &mut Stage, one: &str, other: &str) {
    for (name, entry) in [(one, "Select for compare".to_owned()), (other, format!("Compare with “{one}”"))] {
        stage.find(Role::Row, name).click_secondary();
        stage.settle();
        stage.until_label(&entry);
        stage.find(Role::MenuItem, &entry).click_accesskit();
        stage.settle();
    }
    until_compared(stage);
}

#[test]
fn applications_that_were_found_are_compared_by_keys_and_by_marking_two() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num2);
    stage.until("external applications are listed", |state| state.applications.external.count() > 1);
    let [one, other] = first_two(stage.state().applications.external.iter().map(|row| row.name.clone()));
    stage.find(Role::Row, &one).click();
    stage.settle();
    stage.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::B);
    stage.until("it is selected", |state| state.compare.selected.is_some());
    stage.find(Role::Row, &other).click();
    stage.settle();
    stage.ctrl(Key::B);
    until_compared(&mut stage);
    assert_eq!(title(&stage), format!("{one} ↔ {other}"));

    stage.ctrl(Key::Num2);
    stage.until_label(&one);
    stage.find(Role::Row, &one).click();
    stage.settle();
    stage.find(Role::Row, &other).click_modifiers(Modifiers::COMMAND);
    stage.settle();
    stage.perform(CompareAction::Close(stage.state().compare.open.expect("a comparison")));
    stage.ctrl(Key::B);
    until_compared(&mut stage);
    let mut shown: Vec<_> = comparison(&stage).sides.iter().map(|side| side.title.clone()).collect();
    let mut expected = [one, other];
    shown.sort();
    expected.sort();
    assert_eq!(shown, expected);
}

#[test]
fn a_response_of_the_console_is_a_side_by_key() {
    let mut stage = Stage::embedded();
    stage.perform(lunette_inspector::action::NavigationAction::Show(Panel::Operations));
    let call = lunette_client::operation::table::GetWellKnownVersion {};
    stage.perform(lunette_inspector::action::WriteAction::Send(Box::new(call.into())));
    stage.until("it was answered", |state| state.write.console.answer.is_some());
    stage.settle();
    stage.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::B);
    stage.until("it is selected", |state| state.compare.selected.is_some());
    let selected = stage.state().compare.selected.as_ref().map(Source::name).unwrap_or_default();
    assert!(selected.starts_with("getWellKnownVersion"), "{selected}");
}

/// Drops files from the desktop, with the pointer here if the desktop tells where it is.
fn drop_files(stage: &mut Stage, paths: &[&Path], at: Option<Pos2>) {
    match at {
        Some(at) => stage.harness.event(Event::PointerMoved(at)),
        None => stage.harness.event(Event::PointerGone),
    }
    stage.harness.step();
    stage.harness.input_mut().dropped_files =
        paths.iter().map(|path| Arc::new(Dropped(path.to_path_buf())) as _).collect();
    stage.harness.step();
    stage.harness.input_mut().dropped_files.clear();
}

/// Files with the same text in a folder that lasts as long as the stage.
fn files<const N: usize>(stage: &Stage, names: [&str; N]) -> [PathBuf; N] {
    names.map(|name| {
        let path = stage.folder.path().join(name);
        std::fs::write(&path, "one\n").expect("a file");
        path
    })
}

/// A point in the middle of a half of the window's panel.
fn half(stage: &Stage, share: f32) -> Pos2 {
    let panel = stage.harness.ctx.content_rect();
    pos2(panel.left() + panel.width() * share, panel.center().y)
}

#[test]
fn a_file_that_is_dropped_on_a_side_of_a_comparison_becomes_that_side_and_is_not_imported() {
    let (mut stage, assets) = two();
    let source = |index: usize, name: &str| Source::Asset(assets[index].clone(), name.to_owned());
    stage.perform(CompareAction::Open([source(0, "a.txt"), source(1, "b.txt")]));
    until_compared(&mut stage);
    let [c, d] = files(&stage, ["c.txt", "d.txt"]);
    let right = half(&stage, 0.9);
    drop_files(&mut stage, &[&c], Some(right));
    stage.until("it is compared", |state| state.compare.tab().is_some_and(|tab| tab.title() == "a.txt ↔ c.txt"));
    let left = half(&stage, 0.4);
    drop_files(&mut stage, &[&d], Some(left));
    stage.until("it is compared", |state| state.compare.tab().is_some_and(|tab| tab.title() == "d.txt ↔ c.txt"));
    drop_files(&mut stage, &[&c, &d], None);
    stage.until("both are compared", |state| state.compare.tab().is_some_and(|tab| tab.title() == "c.txt ↔ d.txt"));
    // Where it was dropped is not known.
    drop_files(&mut stage, &[&c], None);
    stage.until_said("Nothing was imported or compared");
    assert!(stage.state().import.summary.is_none() && stage.state().assets.list.count() == 2);
    assert_eq!(stage.state().compare.tabs.len(), 2);
}

#[test]
fn a_file_that_is_dropped_on_the_panel_of_two_sides_is_that_side() {
    let (mut stage, _) = two();
    let [c] = files(&stage, ["c.txt"]);
    stage.perform(NavigationAction::Show(Panel::Sides));
    stage.settle();
    let right = half(&stage, 0.9);
    drop_files(&mut stage, &[&c], Some(right));
    let path = c.to_str().expect("UTF-8").to_owned();
    stage.until("it is a side", move |state| state.sides.sources.texts[1] == path);
    assert!(stage.state().import.summary.is_none() && stage.state().assets.list.count() == 2);
}
