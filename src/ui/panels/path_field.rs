//! A path typed or pasted: beside the system's dialog, and where there is none.

use crate::app::typed_path;
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::buttons;
use crate::ui::widgets::text_field::TextField;
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
    /// A field that does not take the keyboard when it is first drawn.
    pub fn unfocused() -> Self {
        Self { shown: true, ..Self::default() }
    }

    /// Draws the field called `label` and the `button` that uses what it holds; gives the path when it is to be used.
    ///
    /// It takes the keyboard when it is first drawn.
    pub fn show(&mut self, ui: &mut Ui, label: &str, hint: &str, button: &str) -> Option<PathBuf> {
        let font = egui::TextStyle::Button.resolve(ui.style());
        let text = ui.painter().layout_no_wrap(button.to_owned(), font, egui::Color32::PLACEHOLDER).size().x;
        let needed = text + 2.0 * ui.spacing().button_padding.x + 2.0;
        let pressed = ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let width = (ui.available_width() - needed - SPACE_S).max(120.0);
            let submitted = self.field_ui(ui, label, hint, width);
            ui.button(button).clicked() || submitted
        });
        if pressed.inner { self.take() } else { None }
    }

    /// Draws the field, as wide as there is room, and below it Cancel and the main `button`; gives the path when it is to
    /// be used, and whether Cancel was pressed.
    pub fn show_form(&mut self, ui: &mut Ui, label: &str, hint: &str, button: &str) -> (Option<PathBuf>, bool) {
        let width = ui.available_width();
        let submitted = self.field_ui(ui, label, hint, width);
        let (pressed, cancelled) = buttons(ui, |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            (ui.primary_button(button).clicked(), ui.button("Cancel").clicked())
        });
        (if pressed || submitted { self.take() } else { None }, cancelled)
    }

    /// True when Enter was pressed in it.
    fn field_ui(&mut self, ui: &mut Ui, label: &str, hint: &str, width: f32) -> bool {
        let typed = typed_path(&self.text);
        let fault = typed.as_ref().err().copied().filter(|_| self.tried);
        let fresh = !std::mem::replace(&mut self.shown, true);
        let field = TextField::new(label).label_hidden().hint(hint).mono().limit(4_000).width(width);
        let field = ui.vertical(|ui| field.error(fault).focus(fresh).show(ui, &mut self.text)).inner;
        if field.response.changed() {
            self.tried = false;
        }
        field.submitted
    }

    /// The path, where one is typed; what was typed in the frame of the press counts too.
    fn take(&mut self) -> Option<PathBuf> {
        self.tried = true;
        typed_path(&self.text).ok()
    }
}
