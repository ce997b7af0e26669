//! Opening an asset by its UUID, typed or pasted.

use egui::Context;

use crate::app::Action;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{buttons, dialog};
use lunette_client::model::id::AssetId;

/// The form while it is open.
#[derive(Default)]
pub struct IdForm {
    id: String,
    /// Whether Open was pressed on what the field holds.
    tried: bool,
    /// Whether the field had the keyboard.
    begun: bool,
}

impl IdForm {
    /// Draws the form; true when it is to be closed.
    pub fn ui(&mut self, ctx: &Context, actions: &mut Vec<Action>) -> bool {
        let (done, outside) = dialog(ctx, "go to id", "Go to UUID", 460.0, |ui| {
            let begun = std::mem::replace(&mut self.begun, true);
            let parsed = self.id.trim().parse::<AssetId>();
            let fault = parsed.as_ref().err().map(ToString::to_string).filter(|_| self.tried && !self.id.is_empty());
            let hint = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
            let field = TextField::new("UUID of an asset").hint(hint).mono().limit(100).error(fault.as_deref());
            let field = field.focus(!begun).show(ui, &mut self.id);
            self.tried &= !field.response.changed();
            let (open, cancel) = buttons(ui, |ui| {
                let open = ui.primary_button("Open asset").clicked();
                (open, ui.button("Cancel").clicked())
            });
            if !open && !field.submitted {
                return cancel;
            }
            self.tried = true;
            let parsed = self.id.trim().parse::<AssetId>();
            if parsed.is_err() {
                field.response.request_focus();
            }
            parsed.map(|id| actions.push(Action::OpenAsset(id))).is_ok()
        });
        done || outside
    }
}
