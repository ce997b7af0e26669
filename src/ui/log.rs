//! Every call that was made.

use egui::Ui;

use crate::app::{Action, State};

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct LogPanel {}

impl LogPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, _state: &State, _actions: &mut Vec<Action>) {
        ui.heading("Log");
    }
}
