//! Assets: the list and the asset looked at.

use egui::Ui;

use crate::app::{Action, State};

mod cells;
mod list;
mod toolbar;

use list::AssetList;

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct AssetsPanel {
    list: AssetList,
}

impl AssetsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        self.list.ui(ui, state, actions);
    }
}
