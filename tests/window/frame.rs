//! Everything around the panels.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;
use lunette_client::model::Record as _;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::action::{AssetsAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::settings::Theme;
use lunette_inspector::{Action, Remote};

use crate::stage::Stage;

#[test]
fn an_empty_service_shows_every_panel_and_what_to_do_next() {
    let mut stage = Stage::embedded();
    for (panel, key) in Panel::ALL.into_iter().zip([Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5]) {
        stage.ctrl(key);
        assert_eq!(stage.state().navigation.panel, panel);
        stage.find(Role::Tab, panel.name());
    }
    stage.ctrl(Key::Num3);
    stage.until_label("Add your first assets");
}

#[test]
fn an_idle_window_draws_no_frames() {
    let mut stage = Stage::embedded();
    stage.until_drawn("it is at rest", |harness| !harness.ctx.has_requested_repaint());
}

#[test]
fn the_texture_of_glyphs_is_as_wide_as_a_screen_of_text_needs() {
    let mut stage = Stage::embedded();
    let ctx = stage.harness.ctx.clone();
    for (given, used) in [(Some(16_384), Some(4_096)), (Some(2_048), Some(2_048)), (None, None)] {
        let mut input = egui::RawInput { max_texture_side: given, ..Default::default() };
        eframe::App::raw_input_hook(stage.harness.state_mut(), &ctx, &mut input);
        assert_eq!(input.max_texture_side, used);
    }
}

#[test]
fn a_service_that_does_not_start_says_why_and_offers_to_reconnect() {
    let mut stage = Stage::without_service("the data folder is full");
    stage.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    assert!(stage.says("Not connected: the data folder is full"));
    assert!(!stage.says("0 assets"), "nothing was counted");
    stage.press("Try now");
    stage.until("it is down again", |state| matches!(state.connection.status, Status::Down(_)));
}

#[test]
fn data_stays_on_screen_when_the_service_goes_away() {
    let mut stage = Stage::embedded();
    stage.asset("kept.rs", "fn main() {}");
    stage.ctrl(Key::Num3);
    stage.ctrl(Key::R);
    stage.until_label("kept.rs");
    stage.stop_service();
    stage.ctrl(Key::R);
    stage.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    assert!(stage.says("Not connected"));
    stage.until_label("kept.rs");
}

#[test]
fn an_address_that_answers_with_a_web_page_is_reported_as_no_service() {
    let page = crate::support::hostile::Hostile::start(crate::support::hostile::Behaviour::Answer(
        200,
        "Content-Type: text/html\r\n",
        b"<html>hello</html>".to_vec(),
    ));
    let mut stage = Stage::at(&page.url());
    stage.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    assert!(stage.says("Not connected"));
}

#[test]
fn the_connection_chip_opens_the_dialog_and_a_typed_address_is_used() {
    let mut stage = Stage::embedded();
    let url = stage.url();
    stage.harness.get_by_label_contains("Connection: Embedded").click();
    stage.until("the machine was searched", |state| matches!(state.connection.probes, Remote::Known(_)));
    stage.harness.run_steps(3);
    stage.type_into("Address", "not an address at all");
    stage.press("Connect");
    assert!(stage.says("not a service address"));
    assert_eq!(stage.state().connection.target, Target::Embedded);
    stage.press("Clear Address");
    stage.type_into("Address", &url);
    stage.key(Key::Enter);
    let wanted = Target::Url(url);
    stage.until("it is connected", |state| state.connection.target == wanted && state.connection.status == Status::Up);
    assert!(stage.says("Connection: Lunette service"));
}

#[test]
fn the_palette_finds_panels_commands_and_assets() {
    let mut stage = Stage::embedded();
    stage.asset("retry_backoff.rs", "fn main() {}");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("the asset is listed", |state| state.assets.list.count() == 1 && !state.assets.list.rows.loading());
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "go log");
    stage.key(Key::Enter);
    assert_eq!(stage.state().navigation.panel, Panel::Log);
    stage.ctrl(Key::P);
    stage.type_into("Search or run a command", "theme dark");
    stage.key(Key::Enter);
    assert_eq!(stage.state().preferences.settings.theme, Theme::Dark);
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "rtybck");
    stage.key(Key::Enter);
    stage.until("the asset is opened", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    assert_eq!(stage.state().navigation.panel, Panel::Assets);
}

#[test]
fn a_uuid_pasted_into_the_palette_opens_the_asset() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", "a");
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", id.as_str());
    stage.key(Key::Enter);
    assert_eq!(stage.state().assets.pages.open, Some(id));
}

#[test]
fn escape_closes_the_palette_without_an_action() {
    let mut stage = Stage::embedded();
    let before = stage.state().navigation.panel;
    stage.ctrl(Key::K);
    assert!(stage.says("Go to Log"));
    stage.key(Key::Escape);
    assert!(!stage.says("Go to Log"));
    assert_eq!(stage.state().navigation.panel, before);
}

#[test]
fn the_theme_button_goes_through_system_light_and_dark() {
    let mut stage = Stage::embedded();
    stage.press("Theme: system");
    assert_eq!(stage.state().preferences.settings.theme, Theme::Light);
    stage.press("Theme: light");
    assert_eq!(stage.harness.ctx.theme(), egui::Theme::Dark);
}

#[test]
fn zoom_by_key_is_kept_in_the_settings() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Plus);
    stage.harness.run_steps(2);
    assert!(stage.state().preferences.settings.zoom > 1.0);
    stage.ctrl(Key::Num0);
    stage.harness.run_steps(2);
    assert!((stage.state().preferences.settings.zoom - 1.0).abs() < 0.001);
}

/// A file that is dropped from the desktop.
#[derive(Debug)]
pub struct Dropped(pub PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("files are read by their paths".to_owned())
    }
}

#[test]
fn dropped_files_become_assets_and_failures_are_named() {
    let mut stage = Stage::embedded();
    let good = stage.folder.path().join("notes.md");
    std::fs::write(&good, "# Notes").expect("written");
    let missing = stage.folder.path().join("missing.txt");
    stage.harness.input_mut().dropped_files = vec![Arc::new(Dropped(good)) as _, Arc::new(Dropped(missing)) as _];
    stage.harness.step();
    stage.until("the import ended", |state| state.import.summary.is_some() && state.assets.list.count() == 1);
    stage.until_said("missing.txt");
    stage.until_drawn("the report can be closed", |harness| {
        harness.query_by_role_and_label(Role::Button, "Copy list").is_some()
    });
    stage.press("Close");
    assert!(stage.state().import.summary.is_none());
}

#[test]
fn an_empty_list_of_a_foreign_service_is_distinguished_from_an_unsupported_one() {
    let url = crate::services::faulty::start(404, "not found");
    let mut stage = Stage::at(&url);
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    stage.until("the lists were asked for", |state| matches!(state.applications.list.rows, Remote::Failed { .. }));
    stage.ctrl(Key::Num1);
    stage.until_said("This service does not list applications");
}
#[test]
fn direction_characters_in_a_name_are_escaped() {
    let mut stage = Stage::embedded();
    stage.asset("invoice\u{202e}gpj.exe", "x");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.ctrl(Key::Num3);
    stage.until("the asset is listed", |state| state.assets.list.count() == 1);
    stage.until_drawn("no override is drawn", |harness| harness.query_all_by_label_contains("202E").next().is_some());
    assert!(!stage.says("\u{202e}"));
}

/// Makes an asset a favourite in the window; returns its id.
fn favourite(stage: &mut Stage) -> AssetId {
    let id = stage.asset("a.txt", "a");
    stage.perform(AssetsAction::Open(id.clone()));
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    let edit = Edit { field: Field::Favorited, from: Some(false.into()), to: true.into() };
    stage.perform(WriteAction::Change(Change::Edit { asset: id.clone(), edits: vec![edit] }));
    stage.until("it can be undone", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some())
    });
    id
}

fn is_favourite(stage: &Stage, asset: &AssetId) -> bool {
    let read = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    stage.call(read).expect("an asset").view().favorited().unwrap_or_default()
}

#[test]
fn the_last_write_is_undone_by_the_button_in_the_status_bar() {
    let mut stage = Stage::embedded();
    let id = favourite(&mut stage);
    assert!(is_favourite(&stage, &id));
    stage.press("Undo");
    stage.until("it is told", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.text.starts_with("Undone"))
    });
    assert!(!is_favourite(&stage, &id));
}

#[test]
fn undo_by_key_belongs_to_a_focused_field() {
    let mut stage = Stage::embedded();
    let id = favourite(&mut stage);
    stage.type_into("Filter assets", "words");
    stage.ctrl(Key::Z);
    assert!(stage.state().notifications.outcome.as_ref().is_some_and(|outcome| outcome.undo.is_some()));
    stage.key(Key::Escape);
    stage.ctrl(Key::Z);
    stage.until("it is told", |state| {
        state.notifications.outcome.as_ref().is_some_and(|outcome| outcome.text.starts_with("Undone"))
    });
    assert!(!is_favourite(&stage, &id));
}

#[test]
fn hidden_columns_are_saved_in_the_settings() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num2);
    stage.until("rows are there", |state| state.applications.external.count() > 0);
    stage.press("Columns");
    stage.find(Role::CheckBox, "Version").click();
    stage.settle();
    let hidden = |state: &lunette_inspector::State| {
        state.preferences.settings.views["embedded"].list("external").visible.get("version") == Some(&false)
    };
    stage.until("it is kept", hidden);
}

#[test]
fn the_smallest_window_shows_every_panel() {
    let mut stage = Stage::embedded();
    favourite(&mut stage);
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    for key in [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9] {
        stage.ctrl(key);
        let search = stage.find(Role::Button, "Search or run a command").rect();
        assert!(search.width() >= 80.0 && search.right() <= 800.0, "{search:?}");
    }
}
