//! The context menus of rows that show records: checks, imports, formats, activities and conversations.

use egui::{Key, OutputCommand, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::import::preview::content::PreviewStatus;
use lunette_inspector::panel::Panel;
use serde_json::{Value, json};

use crate::dialogs::import_preview::{drop_library, import_marked, library, preview, usual};
use crate::dialogs::plan::stand;
use crate::input::row_menu::{entries, right_click};
use crate::panels::asset_page::{looking_at, open};
use crate::stage::Stage;
use crate::support::mutating_proxy::MutatingProxy;

fn names(stage: &Stage) -> Vec<String> {
    entries(stage).into_iter().map(|(name, _)| name).collect()
}

/// Opens the menu of a row of a table; the list of assets behind a dialog may have one of the same name.
#[track_caller]
fn right_click_in(stage: &mut Stage, table: &str, label: &str) {
    stage.find(Role::Table, table).get_by_role_and_label(Role::Row, label).click_secondary();
    stage.settle();
}

/// Chooses an entry that copies; returns what was copied.
#[track_caller]
fn copied(stage: &mut Stage, entry: &str) -> String {
    stage.find(Role::MenuItem, entry).click();
    for _ in 0..8 {
        stage.harness.step();
        let commands = &stage.harness.output().platform_output.commands;
        let copied = commands.iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        if let Some(copied) = copied {
            stage.settle();
            assert!(entries(stage).is_empty(), "the menu is closed");
            return copied;
        }
    }
    panic!("{entry} copies nothing");
}

#[track_caller]
fn copied_json(stage: &mut Stage) -> Value {
    serde_json::from_str(&copied(stage, "Copy as JSON")).expect("JSON")
}

/// Opens a tab of the page, and waits until its list is drawn.
fn open_tab(stage: &mut Stage, tab: &str, list: &'static str) {
    stage.find(Role::Tab, tab).click();
    stage.until_drawn("its list is drawn", |harness| harness.query_by_role_and_label(Role::List, list).is_some());
    stand(stage);
}

#[test]
fn a_checked_operation_is_opened_and_its_result_copied_by_its_menu() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num5);
    stage.press("Check this service…");
    stage.press("Check without writing");
    stage.until("the report is there", |state| state.check.task.is_none() && state.check.report.value().is_some());
    stage.until_drawn("it is drawn", |harness| {
        harness.query_by_role_and_label(Role::Table, "Checked operations").is_some()
    });
    right_click(&mut stage, Role::Row, "applicationsRegister");
    let all = ["Open the operation", "Copy name", "Copy path", "Copy findings", "Copy as JSON"];
    assert_eq!(names(&stage), all);
    assert_eq!(copied(&mut stage, "Copy path"), "/applications/register");
    right_click(&mut stage, Role::Row, "applicationsRegister");
    let found = copied(&mut stage, "Copy findings");
    right_click(&mut stage, Role::Row, "applicationsRegister");
    let row = copied_json(&mut stage);
    assert_eq!((row["result"].as_str(), row["reason"].as_str()), (Some("not asked"), Some(found.as_str())));
    right_click(&mut stage, Role::Row, "applicationsRegister");
    stage.find(Role::MenuItem, "Open the operation").click();
    stage.until_drawn("its form is open", |harness| {
        harness.query_by_role_and_label(Role::Table, "Checked operations").is_none()
    });
    assert!(stage.says("/applications/register"));
    stage.press("Check this service…");
    stage.find(Role::Table, "Checked operations").focus();
    stand(&mut stage);
    stage.key(Key::Enter);
    assert!(!stage.draws(Role::Table, "Checked operations"), "Enter opens the operation too");
}

#[test]
fn an_item_to_import_is_marked_filtered_and_copied_by_its_menu() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    right_click(&mut stage, Role::Row, "Totals");
    assert_eq!(names(&stage), ["Unmark", "Show only “New”", "Copy name", "Copy path", "Copy as JSON"]);
    stage.find(Role::MenuItem, "Unmark").click();
    stage.until_said("2 of 3 marked");
    right_click(&mut stage, Role::Row, "Totals");
    stage.find(Role::MenuItem, "Mark").click();
    stage.until_said("3 of 3 marked");
    right_click(&mut stage, Role::Row, "Two / a");
    let row = copied_json(&mut stage);
    assert_eq!((row["becomes"].as_str(), row["name"].as_str()), (Some("New"), Some("Two / a")));
    assert!(row["from"].as_str().is_some_and(|from| from.contains("massCode")));
    right_click(&mut stage, Role::Row, "Two / a");
    stage.find(Role::MenuItem, "Show only “New”").click();
    stand(&mut stage);
    right_click(&mut stage, Role::Row, "Two / a");
    assert_eq!(names(&stage)[1], "Show all");
}

#[test]
fn an_item_that_is_an_asset_already_is_opened_from_the_preview() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    import_marked(&mut stage, "Import 3 items");
    stage.press("Close");
    drop_library(&mut stage, &path);
    assert!(preview(&stage).content.value().is_some_and(|content| content.count(PreviewStatus::Same) == 3));
    right_click_in(&mut stage, "Items to import", "Totals");
    let mark = stage.find(Role::MenuItem, "Mark").accesskit_node();
    assert!(mark.is_disabled() && mark.description().is_some_and(|why| why.contains("already an asset")));
    let id = copied(&mut stage, "Copy UUID");
    // Without the menu it is opened below the table.
    stage.press("Open the asset");
    stage.until("it is open", |state| state.assets.pages.open.as_ref().is_some_and(|open| open.as_str() == id));
    assert!(stage.state().import.previews.open.is_none());
}

#[test]
fn an_imported_asset_is_opened_and_copied_from_the_receipt() {
    let mut stage = Stage::embedded();
    let path = library(&stage, "massCode", &[("A", &[("", "x")]), ("B", &[("", "y")])]);
    drop_library(&mut stage, &path);
    stage.find(Role::CheckBox, "Import B").click();
    stand(&mut stage);
    import_marked(&mut stage, "Import 1 item");
    right_click_in(&mut stage, "Receipt", "A");
    assert_eq!(names(&stage), ["Open the asset", "Copy name", "Copy path", "Copy UUID", "Copy as JSON"]);
    let row = copied_json(&mut stage);
    assert_eq!((row["outcome"].as_str(), row["name"].as_str()), (Some("imported"), Some("A")));
    let not_sent = stage.find(Role::Table, "Receipt").query_all_by_role(Role::Row).nth(1).expect("a row");
    not_sent.click_secondary();
    stage.settle();
    let open = stage.find(Role::MenuItem, "Open the asset").accesskit_node();
    assert!(open.is_disabled() && open.description().is_some_and(|why| why.contains("not an asset")));
    assert_eq!(copied(&mut stage, "Copy reason"), "it was not marked");
    right_click_in(&mut stage, "Receipt", "A");
    stage.find(Role::MenuItem, "Open the asset").click();
    let id = row["asset"].as_str().expect("an id").to_owned();
    stage.until("it is open", |state| state.assets.pages.open.as_ref().is_some_and(|open| open.as_str() == id));
    assert!(stage.state().import.previews.open.is_none(), "in place of the receipt");
}

#[test]
fn a_format_is_copied_and_leads_to_the_record_by_mouse_and_by_keyboard() {
    let (mut stage, _) = looking_at("a.txt", "some text");
    stage.until("its content is there", |state| state.page().is_some_and(|(_, page)| page.content.value().is_some()));
    open_tab(&mut stage, "Formats", "Formats");
    right_click(&mut stage, Role::ListItem, "Plain text Both");
    let all = ["Show the record", "Copy text", "Copy language", "Copy id", "Copy as JSON"];
    assert_eq!(names(&stage), all);
    assert_eq!(copied(&mut stage, "Copy text"), "some text");
    for (modifiers, key) in [(egui::Modifiers::NONE, Key::Menu), (egui::Modifiers::SHIFT, Key::F10)] {
        stage.find(Role::List, "Formats").focus();
        stand(&mut stage);
        stage.harness.key_press_modifiers(modifiers, key);
        stage.settle();
        assert_eq!(names(&stage), all);
        stage.key(Key::Escape);
        assert!(entries(&stage).is_empty());
        // A screen reader is told the focused row of the list.
        assert!(stage.find(Role::ListItem, "Plain text Both").accesskit_node().is_focused());
    }
    right_click(&mut stage, Role::ListItem, "Plain text Both");
    assert!(copied_json(&mut stage)["classification"].is_object());
    right_click(&mut stage, Role::ListItem, "Plain text Both");
    stage.find(Role::MenuItem, "Show the record").click();
    stage.until_drawn("the record is drawn", |harness| harness.query_by_role(Role::Tree).is_some());
    assert!(stage.find(Role::Tab, "Record").accesskit_node().is_selected() == Some(true));
}

#[test]
fn an_activity_is_copied_by_its_menu_also_where_its_text_is_clicked() {
    let (mut stage, _) = looking_at("a.txt", "text");
    open_tab(&mut stage, "Activity", "Activities");
    stage.until_label("Created");
    stand(&mut stage);
    right_click(&mut stage, Role::ListItem, "Created");
    assert_eq!(names(&stage), ["Copy text", "Copy time", "Copy id", "Copy as JSON"]);
    assert_eq!(copied(&mut stage, "Copy text"), "Created");
    right_click(&mut stage, Role::Label, "Created");
    assert!(copied_json(&mut stage)["event"].is_object());
}

#[test]
fn a_conversation_is_copied_by_its_menu() {
    let behind = Stage::embedded();
    let id = behind.asset("a.txt", "text");
    let change = |conversations: &mut Value| {
        let time = json!({ "value": "2026-01-01T00:00:00Z" });
        conversations["iterable"] = json!([{ "id": "c1", "name": "talk", "created": time, "updated": time,
            "messages": { "iterable": [] }, "type": "COPILOT" }]);
    };
    let proxy = MutatingProxy::changing(behind.port(), "/conversations", change);
    let mut stage = Stage::patient(&proxy.url());
    stage.until_idle();
    open(&mut stage, &id);
    open_tab(&mut stage, "Conversations", "Conversations");
    right_click(&mut stage, Role::ListItem, "talk");
    assert_eq!(names(&stage), ["Copy name", "Copy id", "Copy as JSON"]);
    assert_eq!(copied(&mut stage, "Copy id"), "c1");
    right_click(&mut stage, Role::ListItem, "talk");
    assert_eq!(copied_json(&mut stage)["name"], "talk");
    assert_eq!(stage.state().navigation.panel, Panel::Assets);
}
