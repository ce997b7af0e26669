//! The operations that the current service does not support, and the parts of the window that need them; drawn in the
//! connection dialog. Draws nothing if none are known to be missing.

use egui::{ScrollArea, Ui};

use lunette_client::operation::OperationInfo;
use lunette_inspector::action::SessionAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::session::support::Unsupported;
use lunette_inspector::{Action, State};

use crate::ui::format;
use crate::ui::theme::{SPACE_XS, UiExt as _};

/// Maximum height of the list, in points.
const HEIGHT: f32 = 150.0;

/// Draws the list.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let lacking: Vec<(&'static str, Unsupported)> = state.connection.capabilities.unsupported().collect();
    if lacking.is_empty() {
        return;
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = SPACE_XS;
        ui.section_title(&format!("Not offered by this service ({})", lacking.len()));
        ScrollArea::vertical().id_salt("not offered").max_height(HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
            for (name, lack) in lacking {
                ui.push_id(name, |ui| row_ui(ui, name, lack, actions));
            }
        });
    });
}

fn row_ui(ui: &mut Ui, name: &'static str, lack: Unsupported, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.code_text(name);
        let at = lack.at.to_string();
        ui.caption(&format!("status {}, {}", lack.status, format::ago(&at))).on_hover_text(format::exact(&at));
        let again = ui.line_button("Try again").accessible_name(format!("Try {name} again"));
        if again.on_hover_text("Tries it again the next time it is needed").clicked() {
            actions.push(SessionAction::ForgetUnsupported(name).into());
        }
    });
    ui.caption(&affected(name));
}

/// Returns which part of the window needs an operation, as a sentence.
fn affected(name: &str) -> String {
    let capabilities = OperationInfo::named(name).map(Capability::of).unwrap_or_default();
    let names: Vec<String> = capabilities.into_iter().map(Capability::name).collect();
    match names.as_slice() {
        [] => "No part of the window needs it.".to_owned(),
        names => format!("Missing in the window: {}.", names.join("; ")),
    }
}
