//! Assets: the list, and beside it the page of the one looked at.

use egui::Ui;

use crate::app::{Action, State};

mod activity;
mod cells;
mod details;
mod forms;
mod header;
mod links;
mod list;
mod page;
mod preview;
mod tabs;
mod toolbar;
mod website;

use forms::NewText;
use list::AssetList;
use page::Page;

use crate::ui::theme::{SPACE_L, SPACE_M, UiExt as _};

/// Where the window is narrower than this, in points, the page stands in place of the list.
const BESIDE: f32 = 1000.0;

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct AssetsPanel {
    list: AssetList,
    page: Page,
    new: Option<NewText>,
}

impl AssetsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let looked_at = state.asset.is_some();
        let beside = ui.ctx().content_rect().width() >= BESIDE;
        let mut left = false;
        if looked_at && beside {
            let width = ui.available_width();
            let frame = egui::Frame::new()
                .fill(ui.tokens().panel)
                .inner_margin(egui::Margin::symmetric(SPACE_L as i8, SPACE_M as i8));
            egui::Panel::right("asset")
                .default_size((width * 0.42).clamp(360.0, 560.0))
                .size_range(320.0..=(width - 380.0).max(330.0))
                .resizable(true)
                .frame(frame)
                .show(ui, |ui| left = self.page.ui(ui, state, false, actions));
        } else if looked_at {
            let frame = egui::Frame::new()
                .fill(ui.tokens().panel)
                .inner_margin(egui::Margin::symmetric(SPACE_L as i8, SPACE_M as i8));
            egui::CentralPanel::default().frame(frame).show(ui, |ui| left = self.page.ui(ui, state, true, actions));
        }
        if !looked_at || beside {
            let frame = egui::Frame::new().inner_margin(egui::Margin::symmetric(SPACE_M as i8, SPACE_M as i8));
            let list = egui::CentralPanel::default().frame(frame);
            if list.show(ui, |ui| self.list.ui(ui, state, actions)).inner {
                self.new = Some(NewText::default());
            }
        }
        if left {
            actions.push(Action::CloseAsset);
        }
        if let Some(new) = &mut self.new
            && new.ui(ui, state, actions)
        {
            self.new = None;
        }
    }
}
