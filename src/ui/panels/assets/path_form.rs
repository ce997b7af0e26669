//! Imports a file or folder by its path, for when the file dialog is slower or unavailable.

use egui::Context;

use crate::app::action::{ImportAction, PreviewAction};
use crate::app::session::feature::Feature;
use crate::app::{Action, State};
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::panels::path_field::{FormEnd, PathField};
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::dialog;

/// The form while it is open.
#[derive(Default)]
pub struct PathForm {
    path: PathField,
}

impl PathForm {
    /// Draws the form; returns whether it is to be closed.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) -> bool {
        let (done, outside) = dialog(ctx, "import path", "Import from a path", 560.0, |ui| {
            ui.caption("A file, or a folder and everything in it. Quotes, ~ and file:// are understood.");
            if let Some(disabled_reason) = disabled_reason(state, Feature::Make) {
                ui.warning_text(&format!("{disabled_reason}."));
            }
            match self.path.show_form(ui, "Path to import", "/home/you/notes.md", "Import", "Preview…") {
                FormEnd::Open => return false,
                FormEnd::Main(path) => actions.push(ImportAction::Import(vec![path]).into()),
                FormEnd::Other(path) => actions.push(PreviewAction::Show(vec![path]).into()),
                FormEnd::Cancelled => {}
            }
            true
        });
        done || outside
    }
}
