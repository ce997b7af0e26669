//! How the window looks: theme, accent, density, motion, zoom.

use egui::Ui;

use crate::app::{Action, State};
use crate::ui::theme::UiExt as _;

/// Draws the choices.
pub(super) fn ui(ui: &mut Ui, _state: &State, _actions: &mut Vec<Action>) {
    ui.section_title("Appearance");
}
