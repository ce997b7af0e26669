//! Importing a file or folder by its path, where the system's dialog is slower or not there.

use egui::Context;

use crate::app::Action;
use crate::ui::theme::UiExt as _;
use crate::ui::widget::path_field::PathField;
use crate::ui::widget::{buttons, dialog};

/// The form while it is open.
#[derive(Default)]
pub struct PathForm {
    path: PathField,
}

impl PathForm {
    /// Draws the form; true when it is to be closed.
    pub fn ui(&mut self, ctx: &Context, actions: &mut Vec<Action>) -> bool {
        let (done, outside) = dialog(ctx, "import path", "Import from a path", 560.0, |ui| {
            ui.caption(
                "A file, or a folder with all that is in it. Paths in quotes, from ~ and file:// are understood.",
            );
            let path = self.path.show(ui, "Path to import", "/home/you/notes.md", "Import it");
            let chosen = path.is_some();
            actions.extend(path.map(|path| Action::Import(vec![path])));
            let cancelled = buttons(ui, |ui| ui.button("Cancel").clicked());
            chosen || cancelled
        });
        done || outside
    }
}
