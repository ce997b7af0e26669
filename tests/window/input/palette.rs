//! The palette in the real window: what it finds besides commands and assets, and recent entries.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, WriteAction};
use lunette_inspector::change::{Change, LinkKind};
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::{Settings, Theme};

use crate::panels::asset_page::looking_at;
use crate::stage::Stage;

const FIELD: &str = "Search or run a command";

/// Two assets, the first of which is linked to a new item.
fn linked(kind: LinkKind, text: &str, url: Option<&str>) -> (Stage, AssetId) {
    let mut stage = Stage::embedded();
    let id = stage.asset("linked.rs", "fn main() {}");
    stage.asset("plain.txt", "words");
    stage.perform(AssetsAction::Open(id.clone()));
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    let (text, url) = (text.to_owned(), url.map(str::to_owned));
    stage.perform(WriteAction::Change(Change::LinkNew { asset: id.clone(), kind, text, url, unlink: Vec::new() }));
    stage.until("it is linked", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some())
    });
    stage.perform(AssetsAction::Close);
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("both are listed", |state| state.assets.list.count() == 2 && !state.assets.list.rows.loading());
    (stage, id)
}

/// Types into the palette and chooses the entry with this name.
fn choose(stage: &mut Stage, typed: &str, entry: &str) {
    stage.ctrl(Key::K);
    stage.type_into(FIELD, typed);
    stage.until_drawn(&format!("{entry:?} is found"), |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, entry).is_some()
    });
    stage.find(Role::ListBoxOption, entry).click();
    stage.settle();
}

#[test]
fn a_tag_is_found_and_shows_its_assets() {
    let (mut stage, id) = linked(LinkKind::Tag, "quarterly", None);
    choose(&mut stage, "qrtrly", "quarterly, Show its assets");
    stage.until("its asset is shown alone", |state| state.assets.list.order.len() == 1);
    assert_eq!(stage.state().assets.list.shown(0).map(|row| row.id()), Some(id));
    let field = stage.find(Role::TextInput, "Filter assets").accesskit_node().value();
    assert!(field.is_some_and(|text| text.contains("quarterly")));
}

#[test]
fn scattered_letters_do_not_match_if_a_name_has_them_together() {
    let (mut stage, _) = linked(LinkKind::Tag, "imported word_count.py", None);
    stage.asset("moon_phase.rs", "fn main() {}");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("it is listed", |state| state.assets.list.count() == 3);
    stage.ctrl(Key::K);
    stage.type_into(FIELD, "moon");
    let found = |stage: &Stage| -> Vec<String> {
        let entries = stage.harness.query_all_by_role(Role::ListBoxOption);
        entries.filter_map(|entry| entry.accesskit_node().label()).collect()
    };
    stage.until_drawn("the asset is found", |harness| {
        let mut entries = harness.query_all_by_role(Role::ListBoxOption);
        entries.any(|entry| entry.accesskit_node().label().is_some_and(|label| label.starts_with("moon_phase.rs")))
    });
    assert!(!found(&stage).iter().any(|entry| entry.starts_with("Undo")), "{:?}", found(&stage));
}

#[test]
fn a_website_is_found_and_shows_its_assets() {
    let (mut stage, id) = linked(LinkKind::Website, "Docs", Some("https://docs.example/quux"));
    choose(&mut stage, "example/quux", "Docs, https://docs.example/quux");
    stage.until("its asset is shown alone", |state| state.assets.list.order.len() == 1);
    assert_eq!(stage.state().assets.list.shown(0).map(|row| row.id()), Some(id));
}

#[test]
fn a_summary_is_found() {
    let (mut stage, _) = linked(LinkKind::Summary, "Tuesday morning", None);
    choose(&mut stage, "tuesday", "Tuesday morning, Show its assets");
    assert_eq!(stage.state().navigation.panel, Panel::Assets);
}

#[test]
fn recently_chosen_entries_come_first_also_after_a_restart() {
    let mut stage = Stage::embedded();
    choose(&mut stage, "theme dark", "Theme: dark");
    assert_eq!(stage.state().preferences.settings.theme, Theme::Dark);
    stage.until("it is kept", |state| state.preferences.settings.commands == ["theme-dark"]);
    stage.ctrl(Key::K);
    stage.until_label("Recent");
    stage.key(Key::Escape);
    let folder = stage.folder.path().to_owned();
    let kept = move || Settings::peek(&folder);
    stage.until("it is on disk", |_| kept().commands == ["theme-dark"]);
    let mut stage = stage.reopened();
    stage.ctrl(Key::K);
    stage.key(Key::Enter);
    assert_eq!(stage.state().preferences.settings.commands, ["theme-dark"]);
    assert!(!stage.says("Recent") || stage.harness.query_by_role_and_label(Role::ListBox, "Results").is_none());
}

#[test]
fn unavailable_commands_are_found_and_say_why() {
    let mut stage = Stage::embedded();
    choose(&mut stage, "export the asset", "Export the asset…, no asset");
    stage.until_said("Open or select an asset first");
}

#[test]
fn the_keys_that_open_the_palette_close_it() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::K);
    assert!(stage.says("Enter choose"));
    stage.ctrl(Key::K);
    assert!(!stage.says("Enter choose"));
}

#[test]
fn the_entry_that_enter_chooses_is_announced_to_screen_readers() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::K);
    stage.key(Key::ArrowDown);
    stage.key(Key::ArrowDown);
    let chosen = |stage: &Stage| {
        let all = stage.harness.query_all_by_role(Role::ListBoxOption);
        all.filter(|node| node.accesskit_node().is_selected() == Some(true)).count()
    };
    assert_eq!(chosen(&stage), 1);
    stage.key(Key::Enter);
    assert_eq!(stage.state().navigation.panel, Panel::Assets);
}

#[test]
fn page_keys_reach_the_end_of_a_long_list() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::K);
    for _ in 0..20 {
        stage.key(Key::PageDown);
    }
    stage.until_label("About Lunette");
    stage.key(Key::Enter);
    stage.find(Role::Dialog, "About Lunette");
}

#[test]
fn typing_the_name_of_a_tag_adds_it_to_the_open_asset() {
    let (mut stage, id) = looking_at("a.txt", "text");
    stage.ctrl(Key::K);
    stage.type_into(FIELD, "tag stdlib");
    stage.until_said("Add tag “stdlib” to “a.txt”");
    stage.key(Key::Enter);
    stage.until("it is tagged", |state| {
        state
            .notifications
            .outcome
            .as_ref()
            .is_some_and(|outcome| outcome.text.contains("stdlib") && outcome.undo.is_some())
    });
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&id));
}

#[test]
fn the_asset_of_exactly_the_typed_name_comes_first_and_then_those_that_begin_with_it() {
    let mut stage = Stage::embedded();
    let longer =
        ["the notes", "old notes", "my notes", "our notes", "new notes", "big notes", "red notes", "all notes"];
    for name in ["Notes", "notes of May"].into_iter().chain(longer) {
        stage.asset(name, name);
    }
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("all are listed", |state| state.assets.list.count() == 10 && !state.assets.list.rows.loading());
    stage.ctrl(Key::K);
    stage.type_into(FIELD, "notes");
    stage.until_label("Assets");
    stage.harness.run_steps(4);
    let entries = stage.harness.query_all_by_role(Role::ListBoxOption);
    let names: Vec<_> = entries.filter_map(|entry| entry.accesskit_node().label()).collect();
    let of_assets: Vec<_> = names.iter().filter(|name| name.to_lowercase().contains("notes")).collect();
    assert!(of_assets[0].starts_with("Notes,") && of_assets[1].starts_with("notes of May,"), "{names:?}");
}

#[test]
fn a_click_on_export_leads_to_the_field_for_the_path() {
    let (mut stage, _) = looking_at("a.txt", "one\n");
    choose(&mut stage, "export to a", "Export to a folder or file…, Ctrl+Shift+E");
    stage.until_label("Which assets");
    stage.settle();
    assert!(stage.find(Role::TextInput, "New folder or file").accesskit_node().is_focused());
}

#[test]
fn the_versions_of_an_asset_what_is_related_and_the_past_of_the_list_are_commands() {
    let (mut stage, id) = looking_at("a.txt", "one\n");
    choose(&mut stage, "versions", "Show the versions of “a.txt”, Alt+H");
    stage.until_said("Version 1, ");
    choose(&mut stage, "related", "Show what is related to “a.txt”, Alt+R");
    stage.until("they are loaded", |state| {
        state.assets.pages.of.get(&id).is_some_and(|page| page.related.value().is_some())
    });
    choose(&mut stage, "as it was", "The list as it was, and checkpoints…");
    stage.until_label("Show the list at the end of that day");
    assert!(stage.state().versions.checkpoints.loading() || stage.state().versions.checkpoints.value().is_some());
}

#[test]
fn the_list_as_it_was_is_seen_in_a_narrow_window_whatever_page_was_open() {
    let (mut stage, _) = looking_at("a.txt", "one\n");
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.settle();
    choose(&mut stage, "as it was", "The list as it was, and checkpoints…");
    stage.until_label("Show the list at the end of that day");
    stage.settle();
    stage.press("Show the list at the end of that day");
    stage.until_drawn("the bar of the list is seen", |harness| {
        harness.query_by_role_and_label(Role::Button, "Back to now").is_some()
    });
}
