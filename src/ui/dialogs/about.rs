//! What this program is: its version, its licence, and the licences of everything of others in it.
//!
//! What must hold: the text of the licences is unpacked on another thread, and only its visible lines are drawn.

use egui::{Context, ScrollArea, Ui};

use crate::ui::command::Command;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{CodeState, CodeView, code_view};
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::placeholder::skeleton_text;
use crate::ui::widgets::{buttons, dialog};
use lunette_inspector::licences;

/// Width of the dialog, in points: a line of a licence fits.
const WIDTH: f32 = 900.0;
/// What the rest of the dialog takes of the window's height, in points.
const RESERVED_HEIGHT: f32 = 270.0;

/// The dialog while it is open.
#[derive(Default)]
pub(in crate::ui) struct AboutDialog {
    open: bool,
    text: Background<(), Highlighted>,
    view: CodeState,
}

impl AboutDialog {
    /// Opens the dialog.
    pub(in crate::ui) fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context) {
        if !self.open {
            return;
        }
        let (close, outside) = dialog(ctx, "about", Command::About.title(), WIDTH, |ui| self.contents_ui(ui));
        if close || outside {
            // The text is not kept while nobody reads it.
            *self = Self::default();
        }
    }

    /// Draws what is said of the program; returns whether the dialog is to be closed.
    fn contents_ui(&mut self, ui: &mut Ui) -> bool {
        ui.label(concat!("Version ", env!("CARGO_PKG_VERSION"), ", © 2026 The Lunette authors"));
        ui.muted("Lunette is licensed under MIT or Apache-2.0, at your choice.");
        ui.line();
        ui.section_title("Libraries, fonts and grammars of others");
        let height = (ui.ctx().content_rect().height() - RESERVED_HEIGHT).max(60.0);
        match self.text.get(ui.ctx(), &(), || Highlighted::plain(licences::of_others())) {
            Some(Ok(text)) => {
                let view = CodeView { copy: true, ..CodeView::default() };
                code_view(ui, "Licences", text, &mut self.view, height, view);
            }
            Some(Err(error)) => {
                ui.error_text(&format!("The licences cannot be shown: {error}"));
            }
            None => {
                ScrollArea::vertical().max_height(height).show(ui, |ui| skeleton_text(ui, "the licences", 12));
            }
        }
        buttons(ui, |ui| ui.button("Close").clicked())
    }
}
