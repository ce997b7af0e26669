//! The history of writes, on the real service: shown, undone, redone, refused, unknown.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetUpdate, AssetsSnapshot};
use lunette_inspector::action::{HistoryAction, ImportAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::journal::Outcome;
use lunette_inspector::panel::Panel;

use crate::input::row_menu::{choose, entries, right_click};
use crate::panels::asset_page::at_service;
use crate::stage::Stage;
use crate::support::fault::{Fault, FaultKind};

/// Renames an asset in the window, and waits until that is done.
fn rename(stage: &mut Stage, id: &AssetId, name: &str) {
    let before = stage.state().history.entries.len();
    ask_to_rename(stage, id, name);
    stage.until("the step has ended", move |state| {
        let steps = &state.history.entries;
        steps.len() == before + 1 && !state.history.sending() && !writing(state)
    });
}

fn ask_to_rename(stage: &mut Stage, id: &AssetId, name: &str) {
    let edit = Edit { field: Field::Name, from: None, to: name.into() };
    stage.perform(WriteAction::Change(Change::Edit { asset: id.clone(), edits: vec![edit] }));
}

fn writing(state: &lunette_inspector::State) -> bool {
    state.write.is_writing() || state.assets.pages.of.values().any(|page| page.record.loading())
}

/// A stage with one asset that was named “one.txt”, “two.txt” and “three.txt” in turn, showing the history.
fn renamed() -> (Stage, AssetId) {
    let mut stage = Stage::embedded();
    let id = stage.asset("zero.txt", "text");
    for name in ["one.txt", "two.txt", "three.txt"] {
        rename(&mut stage, &id, name);
    }
    stage.ctrl(Key::Num7);
    (stage, id)
}

/// Returns the names of the visible rows, from the top.
fn rows(stage: &Stage) -> Vec<String> {
    let rows = stage.harness.query_all_by_role(Role::Row);
    rows.map(|row| row.accesskit_node().label().unwrap_or_default()).collect()
}

fn name(stage: &Stage, id: &AssetId) -> String {
    at_service(stage, id)["name"].as_str().unwrap_or_default().to_owned()
}

#[track_caller]
fn until_reported(stage: &mut Stage, words: &'static str) {
    let reported = move |state: &lunette_inspector::State| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.text.starts_with(words)) && !writing(state)
    };
    stage.until(words, reported);
}

#[test]
fn every_write_is_listed_newest_first() {
    let (stage, _) = renamed();
    let wanted = ["“three.txt”, two.txt", "“two.txt”, one.txt", "“one.txt”, zero.txt"];
    assert_eq!(rows(&stage), wanted.map(|row| format!("Renamed to {row}, done")));
    stage.harness.get_by_label_contains("3 steps");
}

#[test]
fn a_row_opens_the_step_with_both_values_and_the_request() {
    let (mut stage, _) = renamed();
    stage.find(Role::Row, "Renamed to “two.txt”, one.txt, done").click();
    stage.until_label("Name: \"one.txt\" becomes \"two.txt\"");
    stage.until_said("POST /asset/update");
    stage.press("Copy as curl");
    assert!(stage.says("Copied the call as curl"));
    stage.press("Close the step");
    assert!(!stage.says("Requests"));
}

#[test]
fn undo_and_redo_by_key_go_back_and_forth_through_the_steps() {
    let (mut stage, id) = renamed();
    for wanted in ["two.txt", "one.txt", "zero.txt"] {
        stage.ctrl(Key::Z);
        stage.until("it is undone", |state| !state.history.sending() && !writing(state));
        assert_eq!(name(&stage, &id), wanted);
    }
    stage.ctrl(Key::Z);
    stage.until_said("Nothing to undo");
    stage.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    stage.settle();
    until_reported(&mut stage, "Redone");
    assert_eq!(name(&stage, &id), "one.txt");
    stage.ctrl(Key::Y);
    stage.until("the second is done again", |state| {
        state.history.entries.len() == 8 && !state.history.sending() && !writing(state)
    });
    assert_eq!(name(&stage, &id), "two.txt");
    assert!(rows(&stage).contains(&"Renamed to “three.txt”, two.txt, undone".to_owned()));
}

#[test]
fn the_status_bar_offers_undo_after_a_write_and_redo_after_an_undo() {
    let (mut stage, id) = renamed();
    stage.press("Undo");
    until_reported(&mut stage, "Undone");
    assert_eq!(name(&stage, &id), "two.txt");
    stage.press("Redo");
    until_reported(&mut stage, "Redone");
    assert_eq!(name(&stage, &id), "three.txt");
    stage.find(Role::Button, "Undo");
}

#[test]
fn a_step_is_undone_and_redone_by_its_buttons() {
    let (mut stage, id) = renamed();
    stage.find(Role::Row, "Renamed to “three.txt”, two.txt, done").click();
    stage.settle();
    stage.press("Undo this step");
    until_reported(&mut stage, "Undone");
    assert_eq!(name(&stage, &id), "two.txt");
    assert!(stage.find(Role::Button, "Undo this step").accesskit_node().is_disabled());
    stage.press("Redo this step");
    until_reported(&mut stage, "Redone");
    assert_eq!(name(&stage, &id), "three.txt");
}

#[test]
fn a_step_of_a_changed_asset_is_not_undone_and_says_why() {
    let (mut stage, id) = renamed();
    let mut theirs = at_service(&stage, &id);
    theirs["name"] = "theirs.txt".into();
    let asset = Some(Asset::from_tree(theirs).expect("an asset"));
    stage.call(AssetUpdate { transferables: Some(false), asset }).expect("updated");
    stage.ctrl(Key::Z);
    stage.until_said("Could not undo");
    assert_eq!(name(&stage, &id), "theirs.txt");
    let step = &stage.state().history.entries[2];
    assert!(!step.undone && stage.state().history.entries.len() == 3);
}

#[test]
fn a_write_of_unknown_outcome_is_read_again_and_not_sent_twice() {
    let behind = Stage::embedded();
    let id = behind.asset("old.txt", "text");
    let port = behind.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let fault = Fault::start(port, |_| FaultKind::Disconnected);
    let mut stage = Stage::at(&fault.url());
    stage.until("it is connected", |state| state.assets.list.rows.value().is_some());
    ask_to_rename(&mut stage, &id, "new.txt");
    stage.until("its end is noted", |state| state.history.entries.len() == 1 && !state.history.sending());
    stage.ctrl(Key::Num7);
    stage.until_label("Renamed to “new.txt”, old.txt, unknown");
    stage.find(Role::Row, "Renamed to “new.txt”, old.txt, unknown").click();
    stage.until_said("never repeats a change by itself");
    assert!(stage.find(Role::Button, "Undo this step").accesskit_node().is_disabled());
    stage.find(Role::Button, "Read the unknown outcome again");
    stage.press("Read again");
    stage.until_label("Renamed to “new.txt”, old.txt, failed");
    stage.until_said("reading the asset again showed that the change was not made");
    assert_eq!(fault.reached().len(), 0);
    assert_eq!(name(&behind, &id), "old.txt");
}

/// The fault of each write, by its number.
type FaultOf = fn(usize) -> FaultKind;

/// How many assets the service of a stage has.
fn count(stage: &Stage) -> usize {
    let all = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset: None, limit: None };
    stage.call(all).expect("listed").view().iterable().len()
}

#[test]
fn an_asset_whose_creation_has_no_answer_is_looked_for_and_not_created_again() {
    let losses: [(FaultOf, bool); 2] = [(|_| FaultKind::Dropped, true), (|_| FaultKind::Disconnected, false)];
    for (loss, made) in losses {
        let behind = Stage::embedded();
        behind.asset("other.txt", "other");
        let port = behind.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let fault = Fault::start(port, loss);
        let mut stage = Stage::at(&fault.url());
        stage.until("it is connected", |state| state.assets.list.rows.value().is_some());
        stage.perform(ImportAction::Create { name: "new.txt".to_owned(), text: "some text".to_owned() });
        stage.until("its end is noted", |state| state.history.entries.len() == 1 && !state.history.sending());
        assert!(matches!(stage.state().history.entries[0].outcome, Outcome::Unknown(_)));
        let sent = fault.reached().len();
        fault.set(|_| FaultKind::Passed);
        stage.ctrl(Key::Num7);
        stage.perform(HistoryAction::Select(Some(stage.state().history.entries[0].id)));
        stage.until_label("Read again");
        assert!(stage.find(Role::Button, "Undo this step").accesskit_node().is_disabled());
        stage.press("Read again");
        stage.until_said(if made { "The asset is there" } else { "No such asset was created" });
        let outcome = &stage.state().history.entries[0].outcome;
        assert_eq!(matches!(outcome, Outcome::Done), made, "{outcome:?}");
        assert_eq!(fault.reached().len(), sent, "nothing is sent again");
        assert_eq!(count(&behind), 1 + usize::from(made));
        if made {
            stage.press_once_enabled("Undo this step");
            until_reported(&mut stage, "Undone");
            assert_eq!(count(&behind), 1, "undo deletes what was found");
        } else {
            assert!(stage.find(Role::Button, "Undo this step").accesskit_node().is_disabled());
        }
    }
}

#[test]
fn the_palette_names_the_step_to_undo() {
    let (mut stage, id) = renamed();
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "undo");
    stage.until_label("Undo: Renamed to “three.txt”, Ctrl+Z");
    stage.find(Role::ListBoxOption, "Undo: Renamed to “three.txt”, Ctrl+Z").click();
    stage.settle();
    until_reported(&mut stage, "Undone");
    assert_eq!(name(&stage, &id), "two.txt");
}

/// Returns the entries of the open menu.
fn names(stage: &Stage) -> Vec<String> {
    entries(stage).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_step_is_undone_and_redone_and_its_asset_opened_by_its_menu() {
    let (mut stage, id) = renamed();
    let last = "Renamed to “three.txt”, two.txt, done";
    right_click(&mut stage, Role::Row, last);
    assert_eq!(names(&stage), ["Open", "Open asset", "Undo…", "Copy title"]);
    assert_eq!(stage.find(Role::MenuItem, "Undo…").accesskit_node().data().keyboard_shortcut(), Some("Ctrl+Z"));
    choose(&mut stage, "Copy title");
    stage.until_said("Copied the title");
    right_click(&mut stage, Role::Row, last);
    choose(&mut stage, "Undo…");
    until_reported(&mut stage, "Undone");
    assert_eq!(name(&stage, &id), "two.txt");
    stage.until_label("Renamed to “three.txt”, two.txt, undone");
    right_click(&mut stage, Role::Row, "Renamed to “three.txt”, two.txt, undone");
    assert_eq!(names(&stage), ["Open", "Open asset", "Undo…", "Redo", "Copy title"]);
    let undo = stage.find(Role::MenuItem, "Undo…").accesskit_node();
    assert!(undo.is_disabled() && undo.description().is_some_and(|why| !why.is_empty()), "it says why");
    choose(&mut stage, "Redo");
    until_reported(&mut stage, "Redone");
    assert_eq!(name(&stage, &id), "three.txt");
    right_click(&mut stage, Role::Row, "Renamed to “one.txt”, zero.txt, done");
    assert_eq!(stage.find(Role::MenuItem, "Undo…").accesskit_node().data().keyboard_shortcut(), None);
    choose(&mut stage, "Open asset");
    stage.until("it is open", |state| {
        state.navigation.panel == Panel::Assets && state.assets.pages.open.as_ref() == Some(&id)
    });
}

#[test]
fn the_menu_of_a_step_opens_by_key_and_in_a_narrow_window_only_open_leaves_the_list() {
    let (mut stage, _) = renamed();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.settle();
    let row = "Renamed to “two.txt”, one.txt, done";
    right_click(&mut stage, Role::Row, row);
    assert!(stage.draws(Role::Table, "Steps"), "the right button only selects");
    stage.key(Key::Escape);
    assert!(entries(&stage).is_empty());
    stage.key(Key::Menu);
    assert!(stage.find(Role::MenuItem, "Open").accesskit_node().is_focused(), "the menu has the keyboard");
    stage.key(Key::Enter);
    stage.until_label("Name: \"one.txt\" becomes \"two.txt\"");
    assert!(!stage.draws(Role::Table, "Steps"));
}

#[test]
fn the_keys_of_undo_and_redo_act_on_the_history_in_a_field_with_no_typing_to_undo() {
    let (mut stage, id) = renamed();
    stage.ctrl(Key::Num3);
    stage.ctrl(Key::F);
    let field = "Filter assets";
    assert!(stage.find(Role::TextInput, field).accesskit_node().is_focused());
    let renamed_to = |stage: &mut Stage, keys: (Modifiers, Key), expected: &str| {
        let steps = stage.state().history.entries.len();
        stage.harness.key_press_modifiers(keys.0, keys.1);
        stage.until("the step has ended", |state| {
            state.history.entries.len() == steps + 1 && !state.history.sending() && !writing(state)
        });
        assert_eq!(name(stage, &id), expected);
        assert_eq!(stage.value_of("Filter assets"), "");
    };
    let (undo, both) = ((Modifiers::COMMAND, Key::Z), Modifiers::COMMAND | Modifiers::SHIFT);
    renamed_to(&mut stage, undo, "two.txt");
    renamed_to(&mut stage, (both, Key::Z), "three.txt");
    renamed_to(&mut stage, undo, "two.txt");
    renamed_to(&mut stage, (Modifiers::COMMAND, Key::Y), "three.txt");
    // What was typed is undone and redone alone.
    let steps = stage.state().history.entries.len();
    stage.type_into(field, "abc");
    stage.settle();
    stage.ctrl(Key::Z);
    assert_eq!(stage.value_of(field), "");
    stage.harness.key_press_modifiers(both, Key::Z);
    stage.settle();
    assert_eq!((stage.value_of(field).as_str(), stage.state().history.entries.len()), ("abc", steps));
    // A key that is held down undoes no more than the typing.
    let (key, modifiers) = (Key::Z, Modifiers::COMMAND);
    for pressed in [true, true, true, false] {
        stage.harness.event(egui::Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        stage.settle();
        assert_eq!((stage.value_of(field).as_str(), stage.state().history.entries.len()), ("", steps));
    }
    renamed_to(&mut stage, undo, "two.txt");
}

#[test]
fn a_letter_and_the_keys_of_undo_in_one_frame_undo_the_letter() {
    let (mut stage, id) = renamed();
    stage.ctrl(Key::Num3);
    stage.ctrl(Key::F);
    let steps = stage.state().history.entries.len();
    stage.harness.event(egui::Event::Text("a".to_owned()));
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    stage.settle();
    assert_eq!(stage.value_of("Filter assets"), "");
    assert_eq!((name(&stage, &id).as_str(), stage.state().history.entries.len()), ("three.txt", steps));
}
