//! Opens an asset by its id, typed or pasted.

use egui::Context;

use crate::ui::theme::UiExt as _;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{buttons, dialog};
use lunette_client::model::id::AssetId;
use lunette_inspector::Action;
use lunette_inspector::action::AssetsAction;

/// The form while it is open.
#[derive(Default)]
pub struct IdForm {
    id: String,
    /// Whether Open was pressed with the current input.
    submitted: bool,
    /// Whether the field had the focus.
    had_focus: bool,
}

impl IdForm {
    /// Draws the form; returns whether it is to be closed.
    pub fn ui(&mut self, ctx: &Context, actions: &mut Vec<Action>) -> bool {
        let (done, outside) = dialog(ctx, "go to id", "Go to UUID", 460.0, |ui| {
            let had_focus = std::mem::replace(&mut self.had_focus, true);
            let parsed = self.id.trim().parse::<AssetId>();
            let fault =
                parsed.as_ref().err().map(ToString::to_string).filter(|_| self.submitted && !self.id.is_empty());
            let hint = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
            let field = TextField::new("UUID of an asset").hint(hint).mono().limit(100).error(fault.as_deref());
            let field = field.focus(!had_focus).show(ui, &mut self.id);
            self.submitted &= !field.response.changed();
            let (open, cancel) = buttons(ui, |ui| {
                let open = ui.primary_button("Open asset").clicked();
                (open, ui.button("Cancel").clicked())
            });
            if !open && !field.submitted {
                return cancel;
            }
            self.submitted = true;
            let parsed = self.id.trim().parse::<AssetId>();
            if parsed.is_err() {
                field.response.request_focus();
            }
            parsed.map(|id| actions.push(AssetsAction::Open(id).into())).is_ok()
        });
        done || outside
    }
}
