//! Everything around the panels.

use egui::{Key, Role};
use lunette::app::state::{Panel, Status};

use crate::stage::Stage;

#[test]
fn an_empty_service_shows_every_panel_and_what_to_do_next() {
    let mut stage = Stage::inside();
    for (panel, key) in Panel::ALL.into_iter().zip([Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5]) {
        stage.ctrl(key);
        assert_eq!(stage.state().panel, panel);
        stage.find(Role::Tab, panel.name());
    }
    stage.ctrl(Key::Num3);
    stage.until_label("No assets yet");
}

#[test]
fn a_service_that_does_not_start_says_why_and_offers_to_reconnect() {
    let mut stage = Stage::without_service("the data folder is full");
    stage.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    assert!(stage.says("Not connected: the data folder is full"));
    stage.press("Reconnect");
    stage.until("it is down again", |state| matches!(state.connection.status, Status::Down(_)));
}
