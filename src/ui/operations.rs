//! A console for every operation.

use egui::Ui;

use crate::app::{Action, State};

mod draft;
mod template;

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct OperationsPanel {}

impl OperationsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, _state: &State, _actions: &mut Vec<Action>) {
        ui.heading("Operations");
    }
}
