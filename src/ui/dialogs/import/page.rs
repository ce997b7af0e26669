//! The page that offers what can be imported: the libraries on this machine, files, a folder, and a path.

use std::sync::Arc;

use egui::{Context, Ui};

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::panels::path_field::PathField;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::{buttons, dialog, shown};
use lunette_inspector::action::PreviewAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::import::known_libraries::KnownLibrary;
use lunette_inspector::{Action, Remote, State};

/// Width of the dialog, in points.
const WIDTH: f32 = 680.0;

/// The input on the page.
pub(super) struct Page {
    path: PathField,
}

impl Default for Page {
    fn default() -> Self {
        Self { path: PathField::unfocused() }
    }
}

impl Page {
    /// Draws the page; returns whether to close it.
    pub fn ui(
        &mut self,
        ctx: &Context,
        found: &Remote<Arc<Vec<KnownLibrary>>, String>,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> bool {
        let (close, outside) = dialog(ctx, "import page", "Import with a preview", WIDTH, |ui| {
            super::scrolled_ui(ui, "import page", |ui| {
                ui.caption(
                    "Libraries of other programs, archives, files and folders. Review each item before importing.",
                );
                if let Some(reason) = disabled_reason(state, Capability::CreateAsset) {
                    ui.warning_text(&format!("{reason}."));
                }
                ui.section_title("Found on this machine");
                found_ui(ui, found, actions);
                ui.section_title("Elsewhere");
                self.elsewhere_ui(ui, state, actions);
            });
            buttons(ui, |ui| ui.button("Close").clicked())
        });
        close || outside
    }

    fn elsewhere_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        self.path.clear_if_imported(state.import.completed);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            if ui.icon_text_button(Icon::FILE, "Choose files…").clicked() {
                actions.push(PreviewAction::PickFiles.into());
            }
            if ui.icon_text_button(Icon::FOLDER, "Choose a folder…").clicked() {
                actions.push(PreviewAction::PickFolder.into());
            }
        });
        if let Some(path) = self.path.show(ui, "Path to preview", "Folder or file path, such as ~/notes", "Preview") {
            self.path.record_use(state.import.completed);
            actions.push(PreviewAction::Show(vec![path]).into());
        }
    }
}

/// Draws the libraries in the known places; each is read when it is chosen.
fn found_ui(ui: &mut Ui, found: &Remote<Arc<Vec<KnownLibrary>>, String>, actions: &mut Vec<Action>) {
    match (found.value(), found.error()) {
        (_, Some(error)) => _ = ui.error_text(&format!("The usual folders could not be searched: {error}")),
        (None, None) => skeleton(ui, "the libraries on this machine", 2),
        (Some(found), None) if found.is_empty() => {
            _ = ui.muted("No libraries of known programs were found in their usual folders.");
        }
        (Some(found), None) => {
            for known in found.iter() {
                let path = known.path.display().to_string();
                ui.horizontal(|ui| {
                    let preview = ui.button("Preview").accessible_name(format!("Preview {} in {path}", known.program));
                    if preview.clicked() {
                        actions.push(PreviewAction::Show(vec![known.path.clone()]).into());
                    }
                    ui.label(shown(&known.program));
                    let words = egui::RichText::new(shown(&path)).color(ui.tokens().muted);
                    ui.add(egui::Label::new(words).truncate()).on_hover_text(shown(&path));
                });
            }
            ui.caption("Only file names were checked. Nothing is read until you choose a library.");
        }
    }
}
