//! Chooses which writes leave for the service that is talked to; drawn in the dialog for the connection.

use egui::Ui;

use crate::app::{Action, Rail, State};

use super::theme::{SPACE_XS, UiExt as _};

/// Draws the choice, each with what it means.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let connection = &state.connection;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = SPACE_XS;
        ui.section_title("Changes to this service");
        ui.horizontal(|ui| {
            for rail in Rail::ALL {
                let chosen = connection.rail == rail;
                let button = ui.selectable_label(chosen, name(rail)).on_hover_text(meaning(rail));
                if button.clicked() && !chosen {
                    actions.push(Action::SetRail(rail));
                }
            }
        });
        let mut said = meaning(connection.rail).to_owned();
        if connection.elsewhere() {
            said.push_str(match connection.rail {
                Rail::ReadOnly => ". It is another machine, so it is read-only until you allow changes.",
                Rail::Free | Rail::Confirm => ". It is another machine: they are sent unencrypted.",
            });
        } else {
            said.push('.');
        }
        ui.caption(&said);
    });
}

/// The word of a choice.
pub(super) fn name(rail: Rail) -> &'static str {
    match rail {
        Rail::Free => "Allow",
        Rail::Confirm => "Confirm",
        Rail::ReadOnly => "Read-only",
    }
}

/// What a choice means.
pub(super) fn meaning(rail: Rail) -> &'static str {
    match rail {
        Rail::Free => "Small reversible changes are sent at once; others are shown first",
        Rail::Confirm => "Every change is shown before it is sent, small ones and undo too",
        Rail::ReadOnly => "Nothing is sent; you can look at everything, and drafts are kept",
    }
}
