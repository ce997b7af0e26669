//! The look of the window: the welcome page, the appearance settings, and the notification history.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use lunette::ui::theme::{self, Appearance};
use lunette_inspector::Action;
use lunette_inspector::action::WatchAction;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::{Accent, Density, Motion, Settings, Theme};

use crate::stage::Stage;
use crate::support::gate::Gate;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};

#[test]
fn the_welcome_page_offers_ways_to_begin_and_disappears_with_the_first_asset() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.until_label("Welcome to Lunette");
    for way in ["Import files…", "Import a folder…", "Add samples", "New from text…", "Connect to a service…"] {
        stage.find(Role::Button, way);
    }
    stage.press("Connect to a service…");
    stage.until_label("Changes to this service");
    stage.press("Close");
    stage.press("Add samples");
    stage.until("they are listed", |state| state.assets.list.count() >= 8 && !state.assets.list.rows.loading());
    stage.until_label("moon.png");
    assert!(stage.harness.query_by_label("Welcome to Lunette").is_none());
}

#[test]
fn the_welcome_page_stays_and_takes_no_focus_while_an_empty_list_is_read_again() {
    let inside = Stage::embedded();
    let (gate, held) = (Arc::new(Gate::default()), Arc::new(AtomicBool::new(false)));
    let (its_gate, its_held) = (Arc::clone(&gate), Arc::clone(&held));
    let wall = MutatingProxy::start(inside.port(), move |asked| {
        if !asked.path.starts_with("/assets") || !its_held.load(Ordering::SeqCst) {
            return ProxyAction::Pass;
        }
        let gate = Arc::clone(&its_gate);
        ProxyAction::Change(Box::new(move |_| gate.wait()))
    });
    let mut stage = Stage::patient(&wall.url());
    stage.ctrl(Key::Num3);
    stage.until_label("Welcome to Lunette");
    stage.until("the list is read", |state| !state.assets.list.rows.loading());
    held.store(true, Ordering::SeqCst);
    stage.perform(Action::Refresh(Panel::Assets));
    assert!(stage.state().assets.list.rows.loading());
    stage.settle();
    assert!(stage.says("Welcome to Lunette"), "it is drawn while the list is read");
    gate.open();
    stage.until("the list is read", |state| !state.assets.list.rows.loading());
    stage.settle();
    assert_eq!(stage.harness.ctx.memory(|memory| memory.focused()), None, "no field takes the next key");
}

#[test]
fn the_welcome_page_is_usable_by_keyboard_alone() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.until_label("Welcome to Lunette");
    stage.find(Role::Button, "Add samples").focus();
    stage.settle();
    stage.key(Key::Enter);
    stage.until("they are listed", |state| state.assets.list.count() >= 8);
}

#[test]
fn appearance_settings_apply_at_once_and_are_saved() {
    let mut stage = Stage::embedded();
    stage.press("Preferences");
    stage.until_label("Appearance");
    for choice in ["Blue", "Compact", "Reduced", "Dark"] {
        stage.find(Role::RadioButton, choice).click_accesskit();
        stage.settle();
    }
    stage.press("Larger");
    stage.until("the zoom is kept", |state| state.preferences.settings.zoom > 1.05);
    stage.settle();
    let dress = Appearance::of(&stage.harness.ctx);
    assert_eq!(dress, Appearance { accent: Accent::Blue, density: Density::Compact, still: true });
    assert_eq!(theme::row(&stage.harness.ctx), dress.sizes().row);
    let folder = stage.folder.path().to_owned();
    stage.until_drawn("they are kept", |_| {
        let kept = Settings::peek(&folder);
        let look = (kept.look.accent, kept.look.density, kept.look.motion);
        look == (Accent::Blue, Density::Compact, Motion::Reduced) && kept.theme == Theme::Dark
    });
    let stage = stage.reopened();
    let settings = &stage.state().preferences.settings;
    assert_eq!((settings.theme, settings.look.accent), (Theme::Dark, Accent::Blue));
    assert_eq!((settings.look.density, settings.look.motion), (Density::Compact, Motion::Reduced));
}

#[test]
fn arrows_change_the_selected_accent() {
    let mut stage = Stage::embedded();
    stage.press("Preferences");
    stage.until_label("Appearance");
    stage.find(Role::RadioButton, "Amber").focus();
    stage.settle();
    stage.key(Key::ArrowLeft);
    stage.until("the last of them", |state| state.preferences.settings.look.accent == Accent::Rose);
    stage.key(Key::ArrowRight);
    stage.until("the first again", |state| state.preferences.settings.look.accent == Accent::Amber);
}

#[test]
fn the_notification_history_shows_expired_messages() {
    let mut stage = Stage::embedded();
    stage.perform(Action::Notify("Copied the moon".to_owned()));
    stage.until_said("Copied the moon");
    stage.press("Messages");
    stage.until_drawn("it is listed", |harness| {
        harness.query_by_role_and_label(Role::Dialog, "Messages").is_some()
            && harness.query_all_by_label("Copied the moon").count() > 0
    });
}

#[test]
fn watched_folders_and_the_pace_of_runs_are_in_the_preferences() {
    let mut stage = Stage::embedded();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("a path");
    std::fs::write(path.join("a.txt"), "one").expect("written");
    stage.perform(WatchAction::Add(path.clone()));
    stage.ctrl(Key::Comma);
    stage.until_said("1 file new or changed");
    stage.find(Role::Slider, "Most parallel requests to a service of another program");
    let name = path.display();
    stage.find(Role::Button, &format!("Import 1 file from {name}")).click_accesskit();
    stage.until("it is imported", |state| state.assets.list.count() == 1);
    stage.until_said("Up to date");
    stage.find(Role::Button, &format!("Pause: {name}")).click_accesskit();
    stage.until_said("Paused");
    stage.find(Role::Button, &format!("Stop watching: {name}")).click_accesskit();
    stage.until("it is removed", |state| state.preferences.settings.watched.is_empty());
}

#[test]
fn in_a_large_window_a_line_of_90_characters_fits_the_page_of_an_asset() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1920.0, 1080.0));
    let id = stage.asset("a.txt", &"x".repeat(100));
    crate::panels::asset_page::open(&mut stage, &id);
    stage.settle();
    let line = "x".repeat(100);
    stage.until_label(&line);
    let text = stage.find(Role::Label, &line).rect();
    let code = stage.find(Role::Document, "Content of a.txt").rect();
    assert!(text.left() + text.width() * 0.9 < code.right(), "90 letters: {text:?} {code:?}");
}

#[test]
fn the_path_of_a_failed_import_stays_on_the_welcome_page_and_on_the_page_of_libraries() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.until_label("Welcome to Lunette");
    let missing = stage.folder.path().join("missing.txt").display().to_string();
    stage.type_into("Folder or file path", &missing);
    stage.key(Key::Enter);
    stage.until_said("1 not imported");
    assert_eq!(stage.value_of("Folder or file path"), missing);

    let broken = stage.folder.path().join("broken.zip");
    std::fs::write(&broken, b"PK\x03\x04 no archive").expect("written");
    let broken = broken.display().to_string();
    stage.press("From another program, with a preview…");
    stage.type_into("Path to preview", &broken);
    stage.key(Key::Enter);
    stage.until_said("This could not be read");
    stage.key(Key::Escape);
    stage.until("it is closed", |state| state.import.previews.open.is_none());
    stage.settle();
    stage.press("From another program, with a preview…");
    assert_eq!(stage.value_of("Path to preview"), broken);
}
