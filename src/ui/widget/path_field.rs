//! A path typed or pasted, with a button that uses it: beside the system's dialog, and where there is none.

use super::text_field::TextField;
use crate::app::typed_path;
use crate::ui::theme::SPACE_S;
use egui::Ui;
use std::path::PathBuf;

/// The path being typed.
#[derive(Clone, Debug, Default)]
pub struct PathField {
    text: String,
    /// Whether the button was pressed on what the field holds.
    tried: bool,
    shown: bool,
}

impl PathField {
    /// Draws the field called `label` and the `button` that uses what it holds; gives the path when it is to be used.
    ///
    /// It takes the keyboard when it is first drawn.
    pub fn show(&mut self, ui: &mut Ui, label: &str, hint: &str, button: &str) -> Option<PathBuf> {
        let typed = typed_path(&self.text);
        let fault = typed.as_ref().err().copied().filter(|_| self.tried);
        let fresh = !std::mem::replace(&mut self.shown, true);
        let pressed = ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let width = (ui.available_width() - 40.0 - 8.0 * button.len() as f32 - SPACE_S).max(120.0);
            let field = TextField::new(label).label_hidden().hint(hint).mono().limit(4_000).width(width);
            let field = ui.vertical(|ui| field.error(fault).focus(fresh).show(ui, &mut self.text)).inner;
            if field.response.changed() {
                self.tried = false;
            }
            ui.button(button).clicked() || field.submitted
        });
        if !pressed.inner {
            return None;
        }
        self.tried = true;
        // What was typed in the frame of the press counts too.
        typed_path(&self.text).ok()
    }
}
