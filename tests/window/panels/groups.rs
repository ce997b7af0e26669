//! The list of assets in groups: by folder, language, application, day and tag.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::operation::table::AssetAssociateTag;
use lunette_inspector::action::SettingsAction;

use crate::input::dragging::tag;
use crate::panels::asset_page::open;
use crate::stage::Stage;

/// A stage with four assets in two folders and one in none, two of them with a tag and one of these with two.
fn with_folders() -> Stage {
    let mut stage = Stage::embedded();
    let paths = ["notes/a.txt", "notes/b.txt", "project/src/lib.rs", "project/src/main.rs", "readme.md"];
    let ids = paths.map(|path| stage.imported(path, path));
    let (later, now) = (tag(&stage, "later"), tag(&stage, "now"));
    for (asset, tag) in [(&ids[0], &later), (&ids[0], &now), (&ids[2], &later)] {
        stage.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).expect("linked");
    }
    stage.ctrl(Key::Num3);
    stage.until("they are listed", |state| {
        let tags = state.assets.list.iter().map(|row| row.tags().len()).sum::<usize>();
        state.assets.list.count() == 5 && tags == 3 && !state.assets.list.rows.loading()
    });
    stage.settle();
    stage
}

fn group_by(stage: &mut Stage, name: &str) {
    stage.press("Group by");
    stage.find(Role::MenuItem, name).click();
    stage.settle();
}

/// Returns the names of the lines, heads and rows.
fn lines(stage: &Stage) -> Vec<String> {
    let rows = stage.harness.query_all_by_role(Role::Row);
    let mut rows: Vec<_> =
        rows.map(|row| (row.rect().top(), row.accesskit_node().label().unwrap_or_default())).collect();
    rows.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    rows.into_iter().map(|(_, name)| name).collect()
}

/// Returns how many assets are selected.
fn selected(stage: &Stage) -> usize {
    stage.state().assets.selected.count
}

#[test]
fn assets_are_grouped_by_folder_and_a_group_is_folded() {
    let mut stage = with_folders();
    stage.find(Role::ColumnHeader, "Name").click();
    stage.settle();
    group_by(&mut stage, "Folder");
    let all = ["notes, 2", "a.txt", "b.txt", "project/src, 2", "lib.rs", "main.rs", "No folder, 1", "readme.md"];
    assert_eq!(lines(&stage), all);
    let head = |stage: &Stage| stage.find(Role::Row, "notes, 2").accesskit_node().data().is_expanded();
    assert_eq!(head(&stage), Some(true));
    stage.press("Fold notes");
    assert_eq!(lines(&stage), ["notes, 2", "project/src, 2", "lib.rs", "main.rs", "No folder, 1", "readme.md"]);
    assert_eq!(head(&stage), Some(false));
    stage.press("Unfold notes");
    assert_eq!(lines(&stage), all);
}

#[test]
fn what_the_list_is_grouped_by_is_remembered_until_the_layout_is_reset() {
    let mut stage = with_folders();
    group_by(&mut stage, "Language");
    assert!(lines(&stage).contains(&"Rust, 2".to_owned()), "{:?}", lines(&stage));
    stage.perform(SettingsAction::ResetLayout);
    stage.settle();
    assert!(!lines(&stage).contains(&"Rust, 2".to_owned()));
    group_by(&mut stage, "Tag");
    let names = lines(&stage);
    let heads: Vec<_> = names.iter().filter(|name| name.contains(", ")).collect();
    assert_eq!(heads, ["later, 2", "now, 1", "No tag, 3"]);
    assert_eq!(names.iter().filter(|name| *name == "a.txt").count(), 2, "it is in the groups of both its tags");
    let mut stage = stage.reopened();
    stage.ctrl(Key::Num3);
    stage.until_drawn("they are grouped", |harness| harness.query_by_role_and_label(Role::Row, "later, 2").is_some());
    group_by(&mut stage, "Day created");
    assert!(lines(&stage).contains(&"Today, 5".to_owned()), "{:?}", lines(&stage));
    group_by(&mut stage, "No groups");
    assert_eq!(lines(&stage).len(), 5);
}

#[test]
fn a_group_is_selected_as_a_whole_by_its_head() {
    let mut stage = with_folders();
    group_by(&mut stage, "Folder");
    stage.find(Role::Row, "notes, 2").click();
    stage.settle();
    assert_eq!(selected(&stage), 2);
    assert_eq!(stage.find(Role::Row, "notes, 2").accesskit_node().is_selected(), Some(true));
    assert!(stage.says("2 selected"));
    stage.press("Fold project/src");
    stage.find(Role::CheckBox, "Select project/src, 2").click();
    stage.settle();
    assert_eq!(selected(&stage), 4, "those that are folded too");
    stage.find(Role::Row, "notes, 2").click_modifiers(Modifiers::COMMAND);
    stage.settle();
    assert_eq!(selected(&stage), 2);
    stage.ctrl(Key::A);
    assert_eq!(selected(&stage), 5, "what is folded is shown by the filter");
}

#[test]
fn the_keyboard_walks_over_heads_folds_and_selects_groups() {
    let mut stage = with_folders();
    stage.find(Role::ColumnHeader, "Name").click();
    stage.settle();
    group_by(&mut stage, "Folder");
    stage.find(Role::Table, "Assets").focus();
    stage.settle();
    stage.key(Key::Home);
    assert_eq!(stage.state().assets.pages.open, None, "a head opens nothing");
    stage.key(Key::ArrowLeft);
    assert_eq!(lines(&stage).len(), 6, "folded");
    stage.key(Key::ArrowDown);
    stage.key(Key::Enter);
    assert_eq!(lines(&stage)[..2], ["notes, 2", "project/src, 2"]);
    assert_eq!(lines(&stage).len(), 4, "the second is folded too");
    stage.key(Key::ArrowRight);
    assert_eq!(lines(&stage).len(), 6, "unfolded");
    stage.key(Key::Space);
    assert_eq!(selected(&stage), 2);
    stage.key(Key::Space);
    assert_eq!(selected(&stage), 0);
    stage.key(Key::ArrowDown);
    stage.until("the first row of the group is opened", |state| state.assets.pages.open.is_some());
    stage.find(Role::Table, "Assets").focus();
    stage.settle();
    stage.key(Key::ArrowLeft);
    stage.key(Key::ArrowLeft);
    assert_eq!(lines(&stage).len(), 4, "the left arrow goes to the head, and folds it then");
}

#[test]
fn beside_an_open_page_the_filter_is_wide_enough_and_the_buttons_are_in_a_menu() {
    let mut stage = with_folders();
    let id = stage.state().assets.list.shown(0).expect("a row").id();
    open(&mut stage, &id);
    stage.settle();
    let filter = stage.find(Role::TextInput, "Filter assets").rect();
    assert!(filter.width() >= 220.0, "{filter:?}");
    stage.press("More for the list");
    stage.find(Role::MenuItem, "Group by").hover();
    stage.settle();
    stage.find(Role::MenuItem, "Group by").click();
    stage.settle();
    stage.find(Role::MenuItem, "Language").click();
    stage.settle();
    assert!(lines(&stage).contains(&"Rust, 2".to_owned()), "{:?}", lines(&stage));
    let moved = stage.find(Role::TextInput, "Filter assets").rect();
    stage.type_into("Filter assets", "language:rust");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 2);
    assert_eq!(stage.find(Role::TextInput, "Filter assets").rect().left(), moved.left());
}
