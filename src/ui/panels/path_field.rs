//! A field for a path, typed or pasted: an alternative to the file dialog.

use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::buttons;
use crate::ui::widgets::text_field::TextField;
use egui::Ui;
use lunette_inspector::typed_path;
use std::path::PathBuf;

/// The path being typed.
#[derive(Clone, Debug, Default)]
pub struct PathField {
    text: String,
    /// Whether the button was pressed with the current input.
    button_pressed: bool,
    shown: bool,
    /// How many imports were complete when the input was used for another one.
    used: Option<u64>,
}

/// What became of a form for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormEnd {
    /// It stays open.
    Open,
    /// The main button was pressed with this path.
    Main(PathBuf),
    /// The other button was pressed with this path.
    Other(PathBuf),
    /// It was cancelled.
    Cancelled,
}

impl PathField {
    /// A field that does not take the focus when it is first drawn.
    pub fn unfocused() -> Self {
        Self { shown: true, ..Self::default() }
    }

    /// Takes the focus when it is drawn next.
    pub fn refocus(&mut self) {
        self.shown = false;
    }

    /// Records that its path is being imported; `completed` counts the imports that were complete before.
    pub fn record_use(&mut self, completed: u64) {
        self.used = Some(completed);
    }

    /// Clears the input once an import is complete after its use. After a failure it stays for the next attempt.
    pub fn clear_if_imported(&mut self, completed: u64) {
        if self.used.is_some_and(|used| used != completed) {
            *self = Self { shown: self.shown, ..Self::default() };
        }
    }

    /// Draws the field called `label` and the `button` that uses its path; returns the path when the button is pressed.
    ///
    /// It takes the focus when it is first drawn.
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
        if pressed.inner { self.checked_path() } else { None }
    }

    /// Draws the field at full width, with Cancel, the main `button` and another one below it.
    pub fn show_form(&mut self, ui: &mut Ui, label: &str, hint: &str, button: &str, other: &str) -> FormEnd {
        let width = ui.available_width();
        let submitted = self.field_ui(ui, label, hint, width);
        let (main, other, cancelled) = buttons(ui, |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            (ui.primary_button(button).clicked(), ui.button(other).clicked(), ui.button("Cancel").clicked())
        });
        match (main || submitted, other) {
            (true, _) => self.checked_path().map_or(FormEnd::Open, FormEnd::Main),
            (false, true) => self.checked_path().map_or(FormEnd::Open, FormEnd::Other),
            (false, false) if cancelled => FormEnd::Cancelled,
            (false, false) => FormEnd::Open,
        }
    }

    /// Returns whether Enter was pressed in it.
    fn field_ui(&mut self, ui: &mut Ui, label: &str, hint: &str, width: f32) -> bool {
        let typed = typed_path(&self.text);
        let fault = typed.as_ref().err().copied().filter(|_| self.button_pressed);
        let fresh = !std::mem::replace(&mut self.shown, true);
        let field = TextField::new(label).label_hidden().hint(hint).mono().limit(4_000).width(width);
        let field = ui.vertical(|ui| field.error(fault).focus(fresh).show(ui, &mut self.text)).inner;
        if field.response.changed() {
            (self.button_pressed, self.used) = (false, None);
        }
        field.submitted
    }

    /// Returns the path if the input is one; input typed in the frame of the press counts too.
    fn checked_path(&mut self) -> Option<PathBuf> {
        self.button_pressed = true;
        typed_path(&self.text).ok()
    }
}
