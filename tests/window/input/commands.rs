//! Commands by keyboard, menu and help sheet; and changing their keys.

use std::sync::Arc;

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::command::{Command, Keys};
use lunette_client::model::Record as _;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, ExportAction, NavigationAction};
use lunette_inspector::files::picture::Picture;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::settings::{Settings, Theme};

use crate::stage::Stage;

/// An asset, open and loaded; the log is shown.
fn opened() -> (Stage, AssetId) {
    let mut stage = Stage::embedded();
    let id = stage.asset("kept.rs", "fn main() {}");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.perform(AssetsAction::Open(id.clone()));
    stage.until("it is read", |state| {
        state.page().is_some_and(|(_, page)| page.record.value().is_some()) && state.assets.list.count() == 1
    });
    stage.ctrl(Key::Num6);
    assert_eq!(stage.state().navigation.panel, Panel::Log);
    (stage, id)
}

/// Presses the default keys of a command.
pub fn press_keys(stage: &mut Stage, command: Command) {
    let keys: Keys = command.row().keys[0];
    let (modifiers, key) = keys.parts();
    stage.harness.key_press_modifiers(modifiers, key);
    stage.settle();
}

fn name(stage: &Stage, asset: &AssetId) -> String {
    let read = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    stage.call(read).expect("an asset").view().name().unwrap_or_default().to_owned()
}

#[test]
fn every_command_can_be_run_by_its_keys_in_an_empty_window() {
    for command in Command::ALL.iter().filter(|command| **command != Command::Quit) {
        let mut stage = Stage::without_service("not in this test");
        stage.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
        for keys in command.row().keys {
            let (modifiers, key) = keys.parts();
            stage.harness.key_press_modifiers(modifiers, key);
            stage.settle();
        }
        stage.until("it goes on", |_| true);
    }
}

#[test]
fn the_open_asset_is_renamed_by_its_key_where_it_is_seen() {
    let (mut stage, id) = opened();
    stage.key(Key::F2);
    stage.until_said("Rename the asset: Open or select an asset first");
    assert_eq!(stage.state().navigation.panel, Panel::Log);
    stage.ctrl(Key::Num3);
    stage.key(Key::F2);
    stage.until_drawn("the field is there", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Name").is_some()
    });
    assert!(stage.find(Role::TextInput, "Name").accesskit_node().is_focused());
    stage.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    stage.find(Role::TextInput, "Name").type_text("other.rs");
    stage.settle();
    stage.key(Key::Enter);
    stage.until("it is written", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some())
    });
    assert_eq!(name(&stage, &id), "other.rs");
}

#[test]
fn each_form_of_the_open_asset_is_opened_by_its_keys() {
    let forms = [
        (Command::Export, "Export"),
        (Command::Reclassify, "Reclassify"),
        (Command::Score, "Increment a score"),
        (Command::EditAsset, "Edit asset"),
    ];
    let (mut stage, _) = opened();
    stage.ctrl(Key::Num3);
    for (command, dialog) in forms {
        press_keys(&mut stage, command);
        stage.until_drawn(dialog, |harness| harness.query_by_role_and_label(Role::Dialog, dialog).is_some());
        stage.key(Key::Escape);
    }
    for (command, field) in [
        (Command::Tag, "Add a tag"),
        (Command::Website, "Add a website"),
        (Command::Summary, "Add a workstream summary"),
    ] {
        press_keys(&mut stage, command);
        stage.until_drawn(field, |harness| harness.query_by_role_and_label(Role::TextInput, field).is_some());
        stage.key(Key::Escape);
        stage.key(Key::Escape);
    }
}

#[test]
fn the_open_asset_is_made_a_favourite_by_keys() {
    let (mut stage, id) = opened();
    stage.ctrl(Key::Num3);
    stage.ctrl(Key::D);
    stage.until("it is written", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some())
    });
    let read = AssetSnapshot { asset: id, transferables: Some(false) };
    assert_eq!(stage.call(read).expect("an asset").view().favorited(), Some(true));
}

#[test]
fn the_key_of_a_favourite_changes_no_asset_that_is_not_in_view() {
    let (mut stage, id) = opened();
    stage.ctrl(Key::Num6);
    stage.ctrl(Key::D);
    stage.until_said("Favourite: Open or select an asset first");
    stage.until_idle();
    let read = AssetSnapshot { asset: id, transferables: Some(false) };
    assert_ne!(stage.call(read).expect("an asset").view().favorited(), Some(true));
}

#[test]
fn focusing_a_filter_selects_its_text_so_that_typing_replaces_it() {
    let (mut stage, _) = opened();
    stage.ctrl(Key::Num3);
    for text in ["first", "second"] {
        stage.ctrl(Key::F);
        stage.harness.event(egui::Event::Text(text.to_owned()));
        stage.settle();
        assert_eq!(stage.value_of("Filter assets"), text);
    }
}

#[test]
fn a_disabled_command_says_why() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::E);
    stage.until_said("Export the asset…: Open or select an asset first");
}

#[test]
fn the_next_and_previous_assets_can_be_opened() {
    let mut stage = Stage::embedded();
    let ids = ["a.txt", "b.txt", "c.txt"].map(|name| stage.asset(name, name));
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.order.len() == ids.len());
    let shown: Vec<AssetId> =
        (0..3).filter_map(|index| stage.state().assets.list.shown(index)).map(|row| row.id()).collect();
    for expected in [&shown[0], &shown[1], &shown[2], &shown[2]] {
        stage.harness.key_press_modifiers(Modifiers::ALT, Key::ArrowDown);
        stage.settle();
        assert_eq!(stage.state().assets.pages.open.as_ref(), Some(expected));
    }
    stage.harness.key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
    stage.settle();
    assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&shown[1]));
}

#[test]
fn the_filter_of_every_list_can_be_focused() {
    let fields = [
        (Panel::Applications, "Filter applications"),
        (Panel::External, "Filter external applications"),
        (Panel::Assets, "Filter assets"),
        (Panel::Operations, "Find an operation"),
        (Panel::Log, "Filter calls"),
        (Panel::History, "Filter steps"),
    ];
    let mut stage = Stage::embedded();
    for (panel, field) in fields {
        stage.perform(NavigationAction::Show(panel));
        stage.settle();
        stage.ctrl(Key::F);
        assert!(stage.find(Role::TextInput, field).accesskit_node().is_focused(), "{field}");
        stage.key(Key::Escape);
    }
}

#[test]
fn a_slash_focuses_the_filter_and_is_not_typed_into_it() {
    // With an asset in the store: the field of the welcome page may have the keyboard, and a slash begins a path there.
    let (mut stage, _) = opened();
    stage.perform(AssetsAction::Close);
    stage.ctrl(Key::Num3);
    stage.until_drawn("the list", |harness| harness.query_by_role_and_label(Role::Table, "Assets").is_some());
    let slash = |stage: &mut Stage| {
        // As desktops report it: the key and its text in one frame.
        let (key, modifiers) = (Key::Slash, Modifiers::NONE);
        let pressed = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        stage.harness.input_mut().events.extend([pressed, egui::Event::Text("/".to_owned())]);
        stage.settle();
    };
    slash(&mut stage);
    let field = |stage: &Stage| {
        let node = stage.find(Role::TextInput, "Filter assets");
        (node.accesskit_node().is_focused(), node.accesskit_node().value().unwrap_or_default())
    };
    assert_eq!(field(&stage), (true, String::new()));
    slash(&mut stage);
    assert_eq!(field(&stage), (true, "/".to_owned()));
}

#[test]
fn an_asset_is_opened_by_its_uuid_from_any_panel() {
    let (mut stage, id) = opened();
    stage.perform(AssetsAction::Close);
    stage.ctrl(Key::L);
    stage.until_drawn("the field has the keyboard", |harness| {
        let field = harness.query_by_role_and_label(Role::TextInput, "UUID of an asset");
        field.is_some_and(|field| field.accesskit_node().is_focused())
    });
    stage.find(Role::TextInput, "UUID of an asset").type_text(id.as_str());
    stage.settle();
    stage.key(Key::Enter);
    assert_eq!(stage.state().assets.pages.open, Some(id));
}

#[test]
fn in_a_narrow_window_focusing_the_filter_closes_the_page() {
    let (mut stage, _) = opened();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.ctrl(Key::Num3);
    stage.ctrl(Key::F);
    stage.until_drawn("the field has the keyboard", |harness| {
        let field = harness.query_by_role_and_label(Role::TextInput, "Filter assets");
        field.is_some_and(|field| field.accesskit_node().is_focused())
    });
}

#[test]
fn every_command_is_in_the_menu_with_its_keys() {
    let mut stage = Stage::embedded();
    stage.press("Menu");
    for part in ["File", "Edit", "View", "Go", "Asset", "Service", "Help"] {
        stage.find(Role::Button, part);
    }
    stage.press("View");
    stage.until_drawn("the commands are there", |harness| {
        harness.query_by_role_and_label(Role::MenuItem, "Theme: dark").is_some()
    });
    stage.find(Role::MenuItem, "Theme: dark").click();
    stage.settle();
    assert_eq!(stage.state().preferences.settings.theme, Theme::Dark);
    assert!(stage.harness.query_by_role_and_label(Role::MenuItem, "Theme: dark").is_none());
}

#[test]
fn a_disabled_menu_command_says_why() {
    let mut stage = Stage::embedded();
    stage.press("Menu");
    stage.press("Asset");
    stage.until_drawn("the commands are there", |harness| {
        harness.query_by_role_and_label(Role::MenuItem, "Export the asset…").is_some()
    });
    let item = stage.find(Role::MenuItem, "Export the asset…");
    assert!(item.accesskit_node().is_disabled());
    assert_eq!(item.accesskit_node().description().as_deref(), Some("Open or select an asset first"));
}

#[test]
fn the_help_sheet_opens_and_closes_by_the_same_key() {
    let mut stage = Stage::embedded();
    stage.key(Key::Questionmark);
    stage.until_drawn("the shortcuts are there", |harness| {
        harness.query_by_role_and_label(Role::Dialog, "Keyboard shortcuts").is_some()
    });
    assert!(stage.says("Export the asset") && stage.says("Ctrl+E"));
    stage.key(Key::Questionmark);
    assert!(!stage.says("Export the asset"));
    stage.key(Key::F1);
    stage.type_into("Find a command or its keys", "screenshot");
    assert!(stage.says("Save a screenshot") && !stage.says("Export the asset"));
    stage.key(Key::Escape);
    assert!(!stage.says("Save a screenshot"));
}

#[test]
fn tab_leaves_the_field_of_the_help_sheet() {
    let mut stage = Stage::embedded();
    stage.key(Key::F1);
    stage.until_drawn("the field has the keyboard", |harness| {
        let field = harness.query_by_role_and_label(Role::TextInput, "Find a command or its keys");
        field.is_some_and(|field| field.accesskit_node().is_focused())
    });
    stage.key(Key::Tab);
    assert!(stage.find(Role::Button, "Close").accesskit_node().is_focused());
}

/// Starts capturing keys for a command, in the preferences.
fn asked_for_keys(stage: &mut Stage, title: &str) {
    stage.ctrl(Key::Comma);
    stage.until_drawn("the preferences are there", |harness| {
        harness.query_by_role_and_label(Role::TextInput, "Find a command").is_some()
    });
    stage.find(Role::TextInput, "Find a command").scroll_to_me();
    stage.settle();
    stage.type_into("Find a command", title);
    let button = format!("Change the keys of {title}");
    stage.find(Role::Button, &button).click_accesskit();
    stage.settle();
    stage.until_said("Press the keys for");
}

#[test]
fn changed_keys_are_saved_and_work_after_a_restart() {
    let mut stage = Stage::embedded();
    asked_for_keys(&mut stage, "Go to Log");
    stage.key(Key::F8);
    stage.key(Key::Escape);
    stage.key(Key::F8);
    assert_eq!(stage.state().navigation.panel, Panel::Log);
    stage.ctrl(Key::Num1);
    stage.ctrl(Key::Num6);
    assert_eq!(stage.state().navigation.panel, Panel::Applications);
    let folder = stage.folder.path().to_owned();
    let kept = |_: &lunette_inspector::State| {
        Settings::peek(&folder).look.shortcuts.get("go-log").is_some_and(|texts| *texts == ["F8"])
    };
    stage.until("they are kept", kept);
    let mut stage = stage.reopened();
    stage.key(Key::F8);
    assert_eq!(stage.state().navigation.panel, Panel::Log);
}

#[test]
fn keys_of_another_command_are_taken_only_after_confirmation() {
    let mut stage = Stage::embedded();
    asked_for_keys(&mut stage, "Go to Log");
    stage.ctrl(Key::Num1);
    stage.until_said("is used by “Go to Applications”");
    stage.press("Cancel");
    assert!(stage.state().preferences.settings.look.shortcuts.is_empty());
    stage.find(Role::Button, "Change the keys of Go to Log").click_accesskit();
    stage.settle();
    stage.ctrl(Key::Num1);
    stage.until_said("is used by “Go to Applications”");
    stage.press("Use here");
    let kept = &stage.state().preferences.settings.look.shortcuts;
    assert_eq!((kept["go-log"].as_slice(), kept["go-applications"].len()), (&["Ctrl+1".to_owned()][..], 0));
    stage.press("Reset all keys");
    assert!(stage.state().preferences.settings.look.shortcuts.is_empty());
}

#[test]
fn keys_that_fields_need_are_rejected_and_escape_keeps_the_old_keys() {
    let mut stage = Stage::embedded();
    asked_for_keys(&mut stage, "Go to Log");
    stage.key(Key::X);
    stage.until_said("add Ctrl or Alt");
    stage.key(Key::Escape);
    assert!(!stage.says("Press the keys for"));
    stage.find(Role::TextInput, "Find a command");
    assert!(stage.state().preferences.settings.look.shortcuts.is_empty());
}

#[test]
fn a_screenshot_is_saved_where_the_user_chooses() {
    let mut stage = Stage::embedded();
    let path = stage.folder.path().join("shot.png");
    stage.picked.set(vec![path.clone()]);
    let picture = Picture { width: 2, height: 1, dots: vec![1, 2, 3, 255, 4, 5, 6, 255] };
    stage.perform(ExportAction::SavePicture(Arc::new(picture)));
    stage.until_said("shot.png");
    assert!(std::fs::read(&path).expect("a file").starts_with(b"\x89PNG"));
}
