//! The steps of this connection, newest first: what was written, how it ended, taking it back, doing it again.

use egui::Ui;

use crate::app::{Action, State};
use crate::ui::theme::UiExt as _;

/// The panel, and what is open in it.
#[derive(Default)]
pub struct HistoryPanel;

impl HistoryPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, _actions: &mut Vec<Action>) {
        ui.heading("History");
        ui.caption(&format!("{} steps", state.history.entries.len()));
    }
}
