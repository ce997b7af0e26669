//! What the service that is talked to does not offer, and what of the window that takes away; drawn in the dialog for the
//! connection. Nothing is drawn where nothing is known to be lacking.

use egui::{ScrollArea, Ui};

use crate::app::session::capability::Lack;
use crate::app::session::feature::Feature;
use crate::app::{Action, State};
use lunette_client::operation::OperationInfo;

use crate::ui::format;
use crate::ui::theme::{SPACE_XS, UiExt as _};

/// The most that the list takes of the dialog, in points.
const HEIGHT: f32 = 150.0;

/// Draws the list.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let lacking: Vec<(&'static str, Lack)> = state.connection.capabilities.lacking().collect();
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

fn row_ui(ui: &mut Ui, name: &'static str, lack: Lack, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.code_text(name);
        let at = lack.at.to_string();
        ui.caption(&format!("status {}, {}", lack.status, format::ago(&at))).on_hover_text(format::exact(&at));
        let again = ui.line_button("Try again").accessible_name(format!("Try {name} again"));
        if again.on_hover_text("Forgets it, so that it is asked for the next time it is needed").clicked() {
            actions.push(Action::ForgetLack(name));
        }
    });
    ui.caption(&affected(name));
}

/// What of the window needs an operation, as a sentence.
fn affected(name: &str) -> String {
    let features = OperationInfo::named(name).map(Feature::of).unwrap_or_default();
    let names: Vec<String> = features.into_iter().map(Feature::name).collect();
    match names.as_slice() {
        [] => "Nothing of the window needs it.".to_owned(),
        names => format!("Missing in the window: {}.", names.join("; ")),
    }
}
