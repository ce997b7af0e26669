//! Which keys do what, to be changed.

use egui::Ui;

use crate::app::{Action, State};
use crate::ui::theme::UiExt as _;

/// Draws the list of commands with their keys.
pub(super) fn ui(ui: &mut Ui, _state: &State, _actions: &mut Vec<Action>) {
    ui.section_title("Keys");
}
