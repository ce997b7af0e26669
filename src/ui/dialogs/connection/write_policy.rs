//! Chooses the write policy of the current connection; drawn in the connection dialog.

use egui::Ui;

use lunette_inspector::action::SessionAction;
use lunette_inspector::{Action, State, WritePolicy};

use crate::ui::theme::{SPACE_XS, UiExt as _};

/// Draws the choices, each with its meaning.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let connection = &state.connection;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = SPACE_XS;
        ui.section_title("Changes to this service");
        ui.horizontal(|ui| {
            for policy in WritePolicy::ALL {
                let chosen = connection.write_policy == policy;
                let button = ui.selectable_label(chosen, name(policy)).on_hover_text(meaning(policy));
                if button.clicked() && !chosen {
                    actions.push(SessionAction::SetWritePolicy(policy).into());
                }
            }
        });
        let mut message = meaning(connection.write_policy).to_owned();
        if connection.elsewhere() {
            message.push_str(match connection.write_policy {
                WritePolicy::ReadOnly => ". It is another machine, so it is read-only until you allow changes.",
                WritePolicy::Allow | WritePolicy::Confirm => ". It is another machine: they are sent unencrypted.",
            });
        } else {
            message.push('.');
        }
        ui.caption(&message);
        if let Some(refusal) = &connection.refusal {
            ui.warning_text(&format!("Read-only: {refusal}."));
            if ui.button("Try again").accessible_name("Send changes again to this service").clicked() {
                actions.push(SessionAction::TryWritesAgain.into());
            }
            if let Some(address) = &connection.address {
                ui.caption("A service that ends? This takes everything along, with the same ids:");
                ui.code_text(&format!("lunette rescue --from {address} --to FOLDER"));
            }
        }
    });
}

/// Returns the name of a choice.
pub(in crate::ui) fn name(policy: WritePolicy) -> &'static str {
    match policy {
        WritePolicy::Allow => "Allow",
        WritePolicy::Confirm => "Confirm",
        WritePolicy::ReadOnly => "Read-only",
    }
}

/// Returns the meaning of a choice.
pub(in crate::ui) fn meaning(policy: WritePolicy) -> &'static str {
    match policy {
        WritePolicy::Allow => "Small reversible changes are sent at once; others are shown first",
        WritePolicy::Confirm => "Every change is shown before it is sent, small ones and undo too",
        WritePolicy::ReadOnly => "Nothing is sent; you can look at everything, and drafts are kept",
    }
}
