//! Imports a file or folder by its path, for when the file dialog is slower or unavailable.
//!
//! What must hold: a typed path stays for the next attempt until it is imported; Cancel discards it.

use egui::Context;

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::panels::path_field::{FormEnd, PathField};
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::dialog;
use lunette_inspector::action::{ImportAction, PreviewAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::{Action, State};

/// The form, and what is typed into it.
#[derive(Default)]
pub struct PathForm {
    open: bool,
    path: PathField,
}

impl PathForm {
    /// Opens the form.
    pub fn open(&mut self, state: &State) {
        self.path.clear_if_imported(state.import.completed);
        self.path.refocus();
        self.open = true;
    }

    /// Draws the form if it is open.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let (done, outside) = dialog(ctx, "import path", "Import from a path", 560.0, |ui| {
            ui.caption(
                "A file, or a folder and everything in it. Accepts ~ and file:// paths, with or without quotes.",
            );
            if let Some(disabled_reason) = disabled_reason(state, Capability::CreateAsset) {
                ui.warning_text(&format!("{disabled_reason}."));
            }
            match self.path.show_form(ui, "Path to import", "/home/you/notes.md", "Import", "Preview…") {
                FormEnd::Open => return false,
                FormEnd::Main(path) => actions.push(ImportAction::Import(vec![path]).into()),
                FormEnd::Other(path) => actions.push(PreviewAction::Show(vec![path]).into()),
                FormEnd::Cancelled => {
                    self.path = PathField::default();
                    return true;
                }
            }
            self.path.record_use(state.import.completed);
            true
        });
        self.open &= !(done || outside);
    }
}
