//! The context menus of rows and column headers, by mouse and by keyboard.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::WritePolicy;
use lunette_inspector::action::{NavigationAction, SessionAction};
use lunette_inspector::panel::Panel;

use crate::input::selection::{click, four, marked};
use crate::stage::Stage;

/// Opens the menu of a row with the right mouse button.
pub fn right_click(stage: &mut Stage, role: Role, label: &str) {
    stage.find(role, label).click_secondary();
    stage.settle();
}

/// Returns the entries of the open menus, from the top, each with whether it is enabled.
pub fn entries(stage: &Stage) -> Vec<(String, bool)> {
    let items = stage.harness.query_all_by_role(Role::MenuItem).map(|item| item.accesskit_node());
    items.filter_map(|item| Some((item.label()?, !item.is_disabled()))).collect()
}

fn names(stage: &Stage) -> Vec<String> {
    entries(stage).into_iter().map(|(name, _)| name).collect()
}

/// Chooses an entry of the open menu.
pub fn choose(stage: &mut Stage, entry: &str) {
    stage.find(Role::MenuItem, entry).click();
    stage.settle();
}

#[test]
fn a_right_click_selects_the_row_and_offers_the_commands_with_their_keys() {
    let (mut stage, ids) = four();
    right_click(&mut stage, Role::Row, "b.md");
    assert_eq!(marked(&stage), ["b.md"]);
    stage.until("it is open beside the list", |state| state.assets.pages.open.as_ref() == Some(&ids[1]));
    let all = [
        "Open",
        "Open beside",
        "Copy name",
        "Copy UUID",
        "Add tag…",
        "Link website…",
        "Link workstream summary…",
        "Reclassify…",
        "Increment a score…",
        "Export…",
        "Add to favourites",
        "Pin in Recent",
        "Rename…",
        "Edit text…",
        "Show versions",
        "Show graph",
        "Select for compare",
        "Compare with…",
        "Delete",
    ];
    assert_eq!(names(&stage), all);
    assert!(entries(&stage).iter().all(|(_, enabled)| *enabled));
    let tag = stage.find(Role::MenuItem, "Add tag…").accesskit_node();
    assert_eq!(tag.data().keyboard_shortcut(), Some("Ctrl+T"));
    choose(&mut stage, "Reclassify…");
    stage.until_label("Find a language");
    assert!(entries(&stage).is_empty(), "the menu is closed");
}

#[test]
fn a_row_menu_acts_on_its_row_while_another_asset_is_open() {
    let (mut stage, ids) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    right_click(&mut stage, Role::Row, "c.txt");
    choose(&mut stage, "Rename…");
    stage.until_drawn("its name is typed over", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Name").is_some()
    });
    assert_eq!((stage.state().assets.pages.open.as_ref(), stage.value_of("Name").as_str()), (Some(&ids[2]), "c.txt"));
}

#[test]
fn on_a_selected_row_the_menu_acts_on_the_selection() {
    let (mut stage, _) = four();
    click(&mut stage, "a.txt", Modifiers::NONE);
    click(&mut stage, "c.txt", Modifiers::SHIFT);
    right_click(&mut stage, Role::Row, "b.md");
    assert_eq!(marked(&stage), ["a.txt", "b.md", "c.txt"]);
    let disabled: Vec<String> = entries(&stage).into_iter().filter(|(_, on)| !on).map(|(name, _)| name).collect();
    let one = ["Pin in Recent", "Rename the asset", "Edit the text…", "Show versions"];
    assert_eq!(disabled, [&one[..], &["Compare 3 selected assets"]].concat());
    choose(&mut stage, "Tag 3 selected assets…");
    stage.until_drawn("it asks about all three", |harness| {
        harness.query_by_role_and_label(Role::Dialog, "Tag 3 assets").is_some()
    });
    stage.key(Key::Escape);
    right_click(&mut stage, Role::Row, "d.md");
    assert_eq!(marked(&stage), ["d.md"], "a row that is not selected is selected alone");
}

#[test]
fn the_menu_key_opens_the_menu_of_the_current_row_and_escape_closes_only_the_menu() {
    let (mut stage, _) = four();
    for (modifiers, key) in [(Modifiers::NONE, Key::Menu), (Modifiers::SHIFT, Key::F10)] {
        click(&mut stage, "a.txt", Modifiers::NONE);
        click(&mut stage, "c.txt", Modifiers::SHIFT);
        stage.harness.key_press_modifiers(modifiers, key);
        stage.settle();
        let first = stage.find(Role::MenuItem, "Open");
        assert!(first.accesskit_node().is_focused(), "the menu has the keyboard");
        stage.key(Key::ArrowDown);
        stage.key(Key::ArrowUp);
        stage.key(Key::Escape);
        assert!(entries(&stage).is_empty());
        assert_eq!(marked(&stage), ["a.txt", "b.md", "c.txt"], "what is selected stays");
        // A screen reader is told the focused row of the list.
        assert!(stage.find(Role::Row, "c.txt").accesskit_node().is_focused(), "the list has the keyboard again");
        stage.key(Key::Escape);
    }
}

#[test]
fn a_disabled_entry_says_why() {
    let (mut stage, _) = four();
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    right_click(&mut stage, Role::Row, "a.txt");
    let delete = stage.find(Role::MenuItem, "Delete").accesskit_node();
    assert!(delete.is_disabled() && delete.description().is_some_and(|why| why.contains("read-only")));
    assert!(!stage.find(Role::MenuItem, "Export…").accesskit_node().is_disabled());
}

#[test]
fn a_column_is_sorted_and_hidden_by_the_menu_of_its_header() {
    let (mut stage, _) = four();
    right_click(&mut stage, Role::ColumnHeader, "Name");
    choose(&mut stage, "Sort descending");
    stage.until("it is sorted", |state| state.assets.list.shown(0).is_some_and(|row| row.name() == "d.md"));
    right_click(&mut stage, Role::ColumnHeader, "Size");
    choose(&mut stage, "Hide column");
    assert!(!stage.draws(Role::ColumnHeader, "Size"));
}

#[test]
fn applications_and_external_applications_have_menus() {
    let mut stage = Stage::embedded();
    stage.perform(NavigationAction::Show(Panel::Applications));
    stage.until_drawn("it is listed", |harness| harness.query_by_role_and_label(Role::Row, "Lunette").is_some());
    right_click(&mut stage, Role::Row, "Lunette");
    assert_eq!(names(&stage), ["Open", "Show graph", "Select for compare", "Compare with…", "Copy name", "Copy id"]);
    stage.key(Key::Escape);
    stage.perform(NavigationAction::Show(Panel::External));
    stage.until_drawn("they are listed", |harness| harness.query_by_role_and_label(Role::Row, "Firefox").is_some());
    right_click(&mut stage, Role::Row, "Firefox");
    assert_eq!(names(&stage)[..2], ["Open", "Track…"]);
    choose(&mut stage, "Copy name");
    stage.until_said("Copied the name");
}

#[test]
fn a_dialog_opened_by_a_key_closes_the_tooltip_of_the_row_below_it() {
    let (mut stage, _) = four();
    let tip = |stage: &Stage| stage.harness.query_all_by_role(Role::Tooltip).count();
    for (open, key) in [("the palette", Key::K), ("the preferences", Key::Comma)] {
        let at = stage.find(Role::Row, "a.txt").rect().right_center() - egui::vec2(30.0, 0.0);
        stage.harness.hover_at(at);
        stage.until_drawn("the tooltip of its time is shown", |harness| {
            harness.query_all_by_role(Role::Tooltip).next().is_some()
        });
        stage.ctrl(key);
        stage.harness.run_steps(4);
        assert_eq!(tip(&stage), 0, "above {open}");
        stage.key(Key::Escape);
        stage.harness.hover_at(egui::pos2(5.0, 5.0));
        stage.settle();
    }
}
