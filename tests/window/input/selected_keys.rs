//! Keys and palette while several assets are selected: they act on those, through a dialog and a plan.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use lunette::ui::command::Command;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{BulkAction, SessionAction, WriteAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, WritePolicy};
use serde_json::Value;

use crate::dialogs::plan::writes;
use crate::input::commands::press_keys;
use crate::input::selection::{click, four, marked};
use crate::panels::asset_page::at_service;
use crate::stage::Stage;

/// Four selected assets, and a fifth that is open and not selected; returns the fifth as the service holds it.
pub fn four_selected_beside_another() -> (Stage, Vec<AssetId>, AssetId, Value) {
    let (mut stage, ids) = four();
    let other = stage.asset("other.rs", "fn main() {}");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("it is listed", |state| state.assets.list.order.len() == 5 && !state.assets.list.rows.loading());
    click(&mut stage, "other.rs", Modifiers::NONE);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    for row in ["a.txt", "b.md", "c.txt", "d.md", "other.rs"] {
        click(&mut stage, row, Modifiers::COMMAND);
    }
    assert_eq!(marked(&stage), ["a.txt", "b.md", "c.txt", "d.md"]);
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&other));
    let tree = at_service(&stage, &other);
    (stage, ids, other, tree)
}

/// Returns the ids of the assets in the visible plan.
fn planned(stage: &mut Stage) -> Vec<AssetId> {
    stage.until("there is a plan", |state| state.bulk.draft.is_some());
    let draft = stage.state().bulk.draft.as_ref().expect("a plan");
    draft.assets.iter().map(|(id, _)| id.clone()).collect()
}

#[test]
fn each_key_asks_about_the_selected_assets_and_changes_nothing_of_the_open_one() {
    let (mut stage, _, other, before) = four_selected_beside_another();
    let asks = [
        (Command::Tag, "Tag 4 assets"),
        (Command::Website, "Websites of 4 assets"),
        (Command::Summary, "Workstream summaries of 4 assets"),
        (Command::Reclassify, "Reclassify 4 assets"),
        (Command::Score, "Score 4 assets"),
        (Command::Export, "Export 4 assets"),
    ];
    for (command, dialog) in asks {
        press_keys(&mut stage, command);
        stage.until_drawn(dialog, |harness| harness.query_by_role_and_label(Role::Dialog, dialog).is_some());
        stage.key(Key::Escape);
        stage.until_drawn("it is closed", |harness| harness.query_by_role(Role::Dialog).is_none());
    }
    assert_eq!((writes(&stage), at_service(&stage, &other)), (0, before));
}

#[test]
fn the_keys_that_delete_and_make_favourites_show_the_plan_of_the_selected_assets() {
    let (mut stage, ids, other, before) = four_selected_beside_another();
    for (command, title) in [(Command::Delete, "Delete 4 assets"), (Command::Favourite, "Add 4 assets to favourites")] {
        press_keys(&mut stage, command);
        assert_eq!(planned(&mut stage), ids, "{title}");
        assert_eq!(stage.state().write.planned, None);
        stage.perform(BulkAction::Dismiss);
    }
    assert_eq!((writes(&stage), at_service(&stage, &other)), (0, before));
}

#[test]
fn a_key_that_needs_one_asset_says_so_while_several_are_selected() {
    let (mut stage, ..) = four_selected_beside_another();
    for command in [Command::Rename, Command::EditAsset] {
        press_keys(&mut stage, command);
        stage.until_said("Several assets are selected");
        assert!(!stage.draws(Role::TextInput, "Name"), "{command:?}");
        stage.perform(Action::Notify(String::new()));
    }
}

#[test]
fn the_palette_says_how_many_selected_assets_a_command_acts_on_and_how_many_are_not_visible() {
    let (mut stage, ids, ..) = four_selected_beside_another();
    stage.type_into("Filter assets", ".md");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    stage.ctrl(Key::K);
    stage.harness.run_steps(2);
    stage.find(Role::TextInput, Command::Palette.title()).type_text("delete selected");
    stage.until_said("Delete 4 selected assets… (2 not visible)");
    stage.key(Key::Enter);
    let mut assets = planned(&mut stage);
    assets.sort();
    let mut wanted = ids;
    wanted.sort();
    assert_eq!(assets, wanted);
    stage.until_said("2 of the selected assets are not visible in the list");
    assert_eq!(writes(&stage), 0);
}

#[test]
fn with_one_selected_row_the_keys_act_on_the_open_asset() {
    let (mut stage, ids) = four();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.ctrl(Key::Delete);
    stage.until("it is planned", |state| state.write.planned.is_some());
    assert_eq!(stage.state().write.planned.as_ref().map(|planned| planned.change.asset()), Some(&ids[0]));
    assert_eq!(stage.state().bulk.draft, None);
}

#[test]
fn in_a_narrow_window_keys_act_on_the_selected_row_which_is_not_open() {
    let (mut stage, ids) = four();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.harness.run_steps(3);
    stage.perform(lunette_inspector::action::AssetsAction::Close);
    click(&mut stage, "c.txt", Modifiers::COMMAND);
    assert_eq!((marked(&stage), stage.state().assets.pages.open.clone()), (vec!["c.txt".to_owned()], None));
    press_keys(&mut stage, Command::Delete);
    stage.until("it is planned", |state| state.write.planned.is_some());
    assert_eq!(stage.state().write.planned.as_ref().map(|planned| planned.change.asset()), Some(&ids[2]));
    stage.perform(WriteAction::DismissPlan);
    stage.settle();
    press_keys(&mut stage, Command::Rename);
    stage
        .until_drawn("its name is typed", |harness| harness.query_by_role_and_label(Role::TextInput, "Name").is_some());
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&ids[2]));
}
