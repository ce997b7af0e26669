//! Deletes an asset, after asking.

use egui::Ui;

use crate::app::Action;
use crate::app::change::Change;
use crate::app::state::AssetPage;
use crate::model::id::AssetId;
use crate::ui::theme::UiExt as _;
use crate::ui::widget::{dialog, shown_short};

use super::{Sent, footer_ui};

/// Asks whether an asset shall be deleted.
pub struct DeleteForm {
    name: String,
    sent: Sent,
}

impl DeleteForm {
    /// Asks about the asset of this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), sent: Sent::default() }
    }

    /// Draws the form; true when it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, id: &AssetId, page: &AssetPage, actions: &mut Vec<Action>) -> bool {
        let ctx = ui.ctx().clone();
        let (done, outside) = dialog(&ctx, "delete asset", "Delete this asset?", 420.0, |ui| {
            ui.label(format!("“{}” and its content are deleted from the service.", shown_short(&self.name, 200)));
            ui.code_text(id.as_str());
            ui.warning_text("This cannot be undone. Export it first to keep a copy.");
            let (cancelled, pressed) = footer_ui(ui, page, None, |ui| ui.danger_button("Delete"));
            if pressed {
                self.sent.send(ui, Change::Delete { asset: id.clone(), name: self.name.clone(), made: None }, actions);
            }
            cancelled || self.sent.done(ui, page.writing, page.refused.is_some())
        });
        done || outside
    }
}
