//! The layout of the window, saved for each connection.

use egui::{Key, Role};
use lunette::app::action::{SessionAction, SettingsAction};
use lunette::app::listing::Direction;
use lunette::app::listing::rows::ExternalColumn;
use lunette::app::navigation::Panel;
use lunette::app::session::Status;
use lunette::app::settings::Target;
use lunette::app::settings::{Settings, View};

use crate::stage::Stage;

/// Waits until the layout is saved.
pub fn until_kept(stage: &mut Stage) {
    let folder = stage.folder.path().to_owned();
    stage.until("the settings are kept", |state| {
        let kept = Settings::peek(&folder, &folder.join("settings.json"));
        (kept.views, kept.zoom) == (state.preferences.settings.views.clone(), state.preferences.settings.zoom)
    });
}

fn connect(stage: &mut Stage, target: &Target) {
    stage.perform(SessionAction::Connect(target.clone()));
    stage.until("it is connected", |state| {
        state.connection.target == *target
            && state.connection.status == Status::Up
            && state.applications.external.rows.value().is_some()
            && !state.applications.external.rows.loading()
    });
    stage.settle();
}

/// A window with one layout for the built-in service, and another for the same service by its address.
fn two_layouts() -> (Stage, Target) {
    let mut stage = Stage::embedded();
    let other = Target::Url(stage.url());
    stage.ctrl(Key::Num2);
    stage.press("Columns");
    stage.find(Role::CheckBox, "State").click();
    stage.settle();
    stage.key(Key::Escape);
    stage.find(Role::ColumnHeader, "Name").click();
    stage.settle();
    stage.find(Role::ColumnHeader, "Version").click_modifiers(egui::Modifiers::SHIFT);
    stage.settle();
    stage.type_into("Filter external applications", "is:integration");
    connect(&mut stage, &other);
    stage.type_into("Filter external applications", "-is:installed");
    stage.ctrl(Key::Num6);
    stage.perform(SettingsAction::Zoom(1.1));
    until_kept(&mut stage);
    (stage, other)
}

fn layout_of_the_first(stage: &mut Stage) {
    let state = stage.state();
    assert_eq!((state.navigation.panel, state.preferences.settings.zoom), (Panel::External, 1.0));
    assert_eq!(state.applications.external.query.filter.to_string(), "is:integration");
    assert_eq!(state.applications.external.query.sort, Some((ExternalColumn::Name, Direction::Up)));
    assert_eq!(state.applications.external.query.then, Some((ExternalColumn::Version, Direction::Up)));
    stage.find(Role::ColumnHeader, "Version");
    assert!(!stage.draws(Role::ColumnHeader, "State"));
    let field = stage.value_of("Filter external applications");
    assert_eq!(field, "is:integration");
}

fn layout_of_the_second(stage: &mut Stage) {
    let state = stage.state();
    assert_eq!((state.navigation.panel, state.preferences.settings.zoom), (Panel::Log, 1.1));
    stage.ctrl(Key::Num2);
    assert_eq!(stage.value_of("Filter external applications"), "-is:installed");
    stage.find(Role::ColumnHeader, "State");
    assert_eq!(stage.state().applications.external.query.sort, None);
    stage.ctrl(Key::Num6);
}

#[test]
fn layouts_of_two_connections_are_restored_after_a_restart() {
    let (stage, other) = two_layouts();
    let mut stage = stage.reopened();
    layout_of_the_first(&mut stage);
    connect(&mut stage, &other);
    layout_of_the_second(&mut stage);
    connect(&mut stage, &Target::Embedded);
    layout_of_the_first(&mut stage);
}

#[test]
fn the_layout_is_reset_for_every_connection_with_a_message() {
    let (mut stage, other) = two_layouts();
    stage.perform(SettingsAction::ResetLayout);
    stage.settle();
    assert!(stage.says("Reset the layout of 2 connections"));
    assert_eq!(stage.state().preferences.settings.zoom, 1.0);
    stage.ctrl(Key::Num2);
    assert_eq!(stage.value_of("Filter external applications"), "");
    connect(&mut stage, &Target::Embedded);
    assert_eq!(stage.value_of("Filter external applications"), "");
    assert!(
        stage.state().applications.external.query.filter.is_empty()
            && stage.state().applications.external.query.sort.is_none()
    );
    stage.find(Role::ColumnHeader, "State");
    until_kept(&mut stage);
    connect(&mut stage, &other);
    assert_eq!(stage.state().preferences.view.list("external").filter, "");
}

#[test]
fn a_new_connection_starts_with_the_legacy_layout() {
    let mut stage = Stage::embedded();
    until_kept(&mut stage);
    let old = r#"{"zoom": 2.0, "panel": "External", "layout": {"external": {"visible": {"state": false}}},
        "views": {"http://127.0.0.1:1/": {"zoom": "large", "lists": 7}}}"#;
    let mut stage = stage.reopened_with_legacy_settings(old);
    assert_eq!((stage.state().navigation.panel, stage.state().preferences.settings.zoom), (Panel::External, 2.0));
    stage.settle();
    assert!(!stage.draws(Role::ColumnHeader, "State"));
    assert_eq!(stage.state().preferences.settings.views["http://127.0.0.1:1/"], View::default());
}
