//! Selecting several rows: gestures, what stays selected, the available tools, and copying.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::filter::List;
use lunette_inspector::listing::{Change, Sort};
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Settings;
use lunette_inspector::{Action, Remote};

use crate::stage::Stage;

/// A stage with four assets, sorted by name, showing the panel.
pub fn four() -> (Stage, Vec<AssetId>) {
    let mut stage = Stage::embedded();
    let names = ["a.txt", "b.md", "c.txt", "d.md"];
    let ids = names.iter().map(|name| stage.asset(name, &format!("text of {name}"))).collect();
    stage.ctrl(Key::Num3);
    stage.perform(Action::Refresh(Panel::Assets));
    stage.perform(Action::List(List::Assets, Change::Sort(Some(Sort::up("name")), None)));
    stage.until("the assets are listed", |state| {
        state.assets.list.order.len() == 4 && matches!(state.assets.list.rows, Remote::Known(_))
    });
    (stage, ids)
}

/// Clicks a row with modifiers held.
pub fn click(stage: &mut Stage, row: &str, modifiers: Modifiers) {
    stage.find(Role::Row, row).click_modifiers(modifiers);
    stage.settle();
}

/// Returns the names of the visible selected rows, from the top.
pub fn marked(stage: &Stage) -> Vec<String> {
    let rows = stage.harness.query_all_by_role(Role::Row).map(|row| row.accesskit_node());
    rows.filter(|row| row.is_selected() == Some(true)).filter_map(|row| row.label()).collect()
}

/// Returns what was copied to the clipboard last.
fn copied(stage: &mut Stage, entry: &str) -> String {
    stage.press("Copy");
    stage.find(Role::MenuItem, entry).click();
    stage.harness.step();
    let commands = &stage.harness.output().platform_output.commands;
    let text = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    stage.settle();
    text.expect("something was copied")
}

#[test]
fn opening_an_asset_that_the_filter_hides_deselects_the_one_before() {
    let (mut stage, ids) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    assert_eq!(marked(&stage), ["a.txt"]);
    stage.type_into("Filter assets", "txt");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    stage.perform(AssetsAction::Open(ids[1].clone()));
    stage.settle();
    assert_eq!(marked(&stage), [""; 0]);
}

#[test]
fn ranges_and_single_rows_are_selected_and_only_a_plain_click_opens() {
    let (mut stage, ids) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "c.txt", Modifiers::SHIFT);
    assert_eq!(marked(&stage), ["a.txt", "b.md", "c.txt"]);
    click(&mut stage, "b.md", Modifiers::COMMAND);
    assert_eq!(marked(&stage), ["a.txt", "c.txt"]);
    assert!(stage.says("2 selected"));
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&ids[0]));
    stage.key(Key::Escape);
    assert_eq!(marked(&stage), ["b.md"]);
    assert!(!stage.says("1 selected"));
}

#[test]
fn select_all_selects_exactly_the_filtered_rows() {
    let (mut stage, _) = four();
    stage.type_into("Filter assets", ".txt");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.ctrl(Key::A);
    stage.press("Clear Filter assets");
    stage.until("all are shown", |state| state.assets.list.order.len() == 4);
    assert_eq!(marked(&stage), ["a.txt", "c.txt"]);
    assert!(stage.says("2 selected"));
}

#[test]
fn filtering_and_sorting_keep_the_selection_and_count_hidden_rows() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "b.md", Modifiers::COMMAND);
    click(&mut stage, "d.md", Modifiers::COMMAND);
    for _ in 0..2 {
        stage.find(Role::ColumnHeader, "Name").click();
        stage.harness.run_steps(3);
    }
    assert_eq!(marked(&stage), ["d.md", "b.md", "a.txt"]);
    stage.type_into("Filter assets", "md");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    assert!(stage.says("3 selected, 1 not visible"));
    stage.press("Clear Filter assets");
    stage.until("all are shown", |state| state.assets.list.order.len() == 4);
    assert_eq!(marked(&stage), ["d.md", "b.md", "a.txt"]);
}

#[test]
fn an_added_asset_is_not_selected_and_keeps_the_selection() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.ctrl(Key::A);
    stage.asset("a_new.txt", "arrived later");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("it is listed", |state| state.assets.list.order.len() == 5 && !state.assets.list.rows.loading());
    assert_eq!(marked(&stage), ["a.txt", "b.md", "c.txt", "d.md"]);
}

#[test]
fn the_selection_bar_offers_every_action_and_fits_a_narrow_window() {
    let (mut stage, _) = four();
    stage.perform(AssetsAction::Close);
    stage.harness.set_size(egui::vec2(900.0, 600.0));
    stage.settle();
    click(&mut stage, "a.txt", Modifiers::COMMAND);
    click(&mut stage, "b.md", Modifiers::COMMAND);
    let clear = stage.find(Role::Button, "Clear selection").rect();
    assert!(clear.right() <= 900.0 && clear.bottom() <= 600.0, "{clear:?}");
    stage.press("More for the selection");
    let tools = [
        "Tag…",
        "Website…",
        "Summary…",
        "Reclassify…",
        "Add to favourites",
        "Remove from favourites",
        "Score…",
        "Export…",
        "Delete…",
        "Select all",
    ];
    for tool in tools {
        stage.find(Role::Button, tool);
    }
    stage.press("Select all");
    assert!(stage.says("4 selected"));
    stage.press("Clear selection");
    assert_eq!(marked(&stage).len(), 1);
}

#[test]
fn an_action_asks_for_missing_input_and_can_be_cancelled() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.ctrl(Key::A);
    stage.press("Tag…");
    stage.until_label("Tag 4 assets");
    stage.find(Role::RadioButton, "Remove").click();
    stage.settle();
    stage.find(Role::TextInput, "Remove a tag");
    stage.press("Cancel");
    stage.press_for_selection("Reclassify…");
    stage.until_label("Reclassify 4 assets");
    stage.find(Role::TextInput, "Find a language");
    stage.press("Cancel");
    assert!(!stage.says("Reclassify 4 assets"));
    assert!(stage.state().bulk.draft.is_none());
    assert_eq!(marked(&stage).len(), 4);
}

#[test]
fn selected_assets_are_copied_as_ids_and_as_tables() {
    let (mut stage, ids) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "c.txt", Modifiers::COMMAND);
    assert_eq!(copied(&mut stage, "Copy ids"), format!("{}\n{}", ids[0], ids[2]));
    assert!(stage.says("Copied the ids of 2 assets"));
    let table = copied(&mut stage, "Copy as CSV");
    assert!(table.starts_with("id,name,folder,language,tags,score,size,created,updated\r\n"), "{table}");
    assert_eq!(table.lines().count(), 3, "{table}");
    let tree: serde_json::Value = serde_json::from_str(&copied(&mut stage, "Copy as JSON")).expect("JSON");
    assert_eq!((&tree[0]["name"], &tree[1]["id"]), (&"a.txt".into(), &ids[2].as_str().into()));
    assert!(copied(&mut stage, "Copy as Markdown").starts_with("| id | name |"));
}

#[test]
fn selected_calls_are_copied_as_curl_in_chronological_order() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num6);
    stage.until_label("GET applicationsSnapshot, 200 OK");
    click(&mut stage, "GET applicationsSnapshot, 200 OK", Modifiers::NONE);
    stage.ctrl(Key::A);
    let first = stage.state().session.log.iter().next().expect("a call").curl.clone();
    let curls = copied(&mut stage, "Copy calls as curl");
    assert!(curls.starts_with(&first), "{curls}");
    // Background calls may be added to the log in the meantime.
    let count = curls.lines().filter(|line| line.starts_with("curl ")).count();
    assert!(count > 1, "{curls}");
    assert!(stage.says(&format!("Copied {count} calls as curl")));
}

#[test]
fn selected_applications_are_copied_from_both_lists() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num2);
    stage.until("rows are there", |state| state.applications.external.count() > 1);
    let name = stage.state().applications.external.shown(0).map(|row| row.name.clone()).expect("a row");
    stage.harness.query_all_by_role_and_label(Role::Row, &name).next().expect("its row").click();
    stage.settle();
    stage.ctrl(Key::A);
    let table = copied(&mut stage, "Copy as CSV");
    assert!(table.starts_with("name,version,state,integration,identifier,found by,path\r\n"), "{table}");
    assert_eq!(table.lines().count(), stage.state().applications.external.order.len() + 1);
}

#[test]
fn selecting_a_second_row_moves_nothing_and_tab_reaches_the_bar_after_the_list() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    let before = stage.find(Role::Table, "Assets").rect();
    click(&mut stage, "d.md", Modifiers::SHIFT);
    assert_eq!(stage.find(Role::Table, "Assets").rect(), before);
    // The headers of the list come first.
    let headers = stage.harness.query_all_by_role(Role::ColumnHeader).count();
    for _ in 0..=headers {
        stage.key(Key::Tab);
    }
    // The tools are on the page of the selection.
    assert!(stage.find(Role::Button, "Copy").accesskit_node().is_focused());
}

#[test]
fn space_selects_the_row_the_keyboard_moved_to() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.key(Key::ArrowDown);
    stage.key(Key::Space);
    assert_eq!(marked(&stage), ["b.md"]);
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowDown);
    stage.settle();
    stage.key(Key::Space);
    assert_eq!(marked(&stage), ["b.md", "c.txt"]);
    stage.key(Key::Space);
    assert_eq!(marked(&stage), ["b.md"]);
}

#[test]
fn how_several_rows_are_selected_is_told_until_it_was_done_once() {
    let (mut stage, _) = four();
    assert!(stage.says("Select several assets to tag"));
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "c.txt", Modifiers::SHIFT);
    assert!(stage.says("3 selected"));
    stage.press("Clear selection");
    stage.settle();
    assert!(!stage.says("Select several assets to tag"), "no line is held for it");
    stage.ctrl(Key::Num6);
    assert!(!stage.says("Select several calls"), "nor in another list");
    let folder = stage.folder.path().to_owned();
    stage.until("it is kept", |_| Settings::peek(&folder).selected_several);
    let mut stage = stage.reopened();
    stage.ctrl(Key::Num3);
    stage.settle();
    assert!(!stage.says("Select several assets to tag"), "nor after a restart");
}
