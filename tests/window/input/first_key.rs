//! The first key pressed in a window: whatever it is, nothing is written and nothing is changed without a plan.
//!
//! Every key of every command is pressed, each in a window of its own, on data that an earlier window left.

use egui::{Key, Modifiers, Role};
use lunette::ui::command::Command;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_inspector::State;
use lunette_inspector::action::{ImportAction, NavigationAction};
use lunette_inspector::journal::Outcome;
use lunette_inspector::panel::Panel;
use serde_json::Value;

use crate::dialogs::plan::writes;
use crate::stage::Stage;

/// Returns every key of every command.
fn keys() -> impl Iterator<Item = (Command, Modifiers, Key)> {
    Command::ALL.iter().flat_map(|command| {
        command.row().keys.iter().map(|keys| {
            let (modifiers, key) = keys.parts();
            (*command, modifiers, key)
        })
    })
}

/// Returns everything that the service holds of its assets.
fn kept(stage: &Stage) -> Value {
    stage
        .call(AssetsSnapshot { transferables: Some(true), suggested: None, pseudo: None, offset: None, limit: None })
        .expect("the assets")
        .into_tree()
}

/// A window that made several changes that can be undone: it imported files, created an asset, renamed it.
fn worked_in() -> Stage {
    let mut stage = Stage::embedded();
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["one.rs", "two.rs", "three.rs", "four.rs"] {
        std::fs::write(folder.path().join(name), format!("// {name}")).expect("written");
    }
    stage.perform(ImportAction::Import(vec![folder.path().to_owned()]));
    let over = |state: &State| state.history.entries.last().is_some_and(|step| step.outcome == Outcome::Done);
    stage.until("it is imported", over);
    stage.perform(ImportAction::Create { name: "made.txt".to_owned(), text: "text".to_owned() });
    stage.until("it is made", |state| state.import.creation.value().is_some());
    stage
}

/// Presses a key and waits until all of its effects are over.
fn press(stage: &mut Stage, (_, modifiers, key): (Command, Modifiers, Key)) {
    stage.harness.key_press_modifiers(modifiers, key);
    stage.settle();
    stage.until_drawn("nothing is under way", |harness| !harness.state().is_busy());
    stage.settle();
}

#[test]
fn the_first_key_in_a_fresh_window_sends_no_write_and_changes_nothing() {
    let mut stage = worked_in();
    let before = kept(&stage);
    for pressed in keys().filter(|(command, ..)| *command != Command::Quit) {
        stage = stage.reopened();
        let steps = stage.state().history.entries.len();
        press(&mut stage, pressed);
        assert_eq!(writes(&stage), 0, "{pressed:?} wrote");
        assert_eq!(stage.state().history.entries.len(), steps, "{pressed:?} began a step");
        assert_eq!(kept(&stage), before, "{pressed:?} changed something");
    }
}

#[test]
fn the_first_key_with_four_assets_selected_sends_no_write_and_changes_nothing() {
    let mut stage = worked_in();
    let before = kept(&stage);
    for pressed in keys().filter(|(command, ..)| *command != Command::Quit) {
        stage = stage.reopened();
        stage.perform(NavigationAction::Show(Panel::Assets));
        stage.settle();
        for row in ["one.rs", "two.rs", "three.rs", "four.rs"] {
            stage.find(Role::Row, row).click_modifiers(Modifiers::COMMAND);
            stage.settle();
        }
        stage.until("four are selected", |state| state.assets.selected.count == 4);
        let steps = stage.state().history.entries.len();
        press(&mut stage, pressed);
        assert_eq!(writes(&stage), 0, "{pressed:?} wrote");
        assert_eq!(stage.state().history.entries.len(), steps, "{pressed:?} began a step");
        assert_eq!(kept(&stage), before, "{pressed:?} changed something");
    }
}

#[test]
fn no_key_without_ctrl_writes_in_any_panel_even_if_enter_or_delete_follows() {
    let mut stage = worked_in();
    let before = kept(&stage);
    stage = stage.reopened();
    for panel in [Panel::Assets, Panel::Links, Panel::Applications, Panel::History] {
        for key in Key::ALL.iter().copied() {
            stage.perform(NavigationAction::Show(panel));
            stage.settle();
            for key in [key, Key::Enter, Key::Delete, Key::Escape, Key::Escape] {
                stage.key(key);
            }
            assert_eq!(writes(&stage), 0, "{key:?} wrote in {panel:?}");
        }
    }
    assert_eq!(kept(&stage), before);
}
