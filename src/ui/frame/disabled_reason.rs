//! Controls that are disabled for a reason, which is shown on hover and is part of the accessible description.
//!
//! What must hold: every control that calls the service is drawn through here, so that a read-only connection, an
//! unsupported operation and a lost connection are described in the same words everywhere.

use std::sync::Arc;

use egui::{Response, Ui};

use lunette_client::model::id::AssetId;
use lunette_inspector::State;
use lunette_inspector::capability::Capability;
use lunette_inspector::session::support::Reason;

use crate::ui::theme::Icon;
use crate::ui::widgets::placeholder::empty;

/// Why a write to an asset has to wait.
pub const WRITING: &str = "The last change to this asset is still in progress";

/// Draws a control; if there is a reason, it is disabled and shows the reason.
///
/// It is drawn in `ui` itself and not in one of its own: in a row that wraps, a button that does not fit goes to the next line,
/// while one in a part of the row would break its text.
pub fn enabled_unless(ui: &mut Ui, disabled_reason: Option<&str>, draw: impl FnOnce(&mut Ui) -> Response) -> Response {
    let style = Arc::clone(ui.style());
    let response = ui.add_enabled(disabled_reason.is_none(), draw);
    ui.set_style(style);
    match disabled_reason {
        Some(disabled_reason) => {
            response.ctx.accesskit_node_builder(response.id, |node| node.set_description(disabled_reason));
            response.on_disabled_hover_text(disabled_reason)
        }
        None => response,
    }
}

/// Returns why a capability is unavailable, as a sentence.
pub fn disabled_reason(state: &State, capability: Capability) -> Option<String> {
    state.connection.can_do(capability).err().map(|reason| reason.sentence())
}

/// Returns why an asset cannot be changed; also if another change of it is in progress.
pub fn change_disabled_reason(state: &State, id: &AssetId, capability: Capability) -> Option<String> {
    disabled_reason(state, capability).or_else(|| state.write.of(id).writing.then(|| WRITING.to_owned()))
}

/// Returns why nothing can be written at all.
pub fn write_disabled_reason(state: &State) -> Option<String> {
    state.connection.allows_writes().err().map(|reason| reason.sentence())
}

/// Draws a placeholder saying that the service does not support a capability. Returns `None` if the capability is not known
/// to be unsupported, otherwise whether the user asked to try again.
pub fn unsupported_ui(ui: &mut Ui, state: &State, capability: Capability) -> Option<bool> {
    let lacking = |reason: &Reason| matches!(reason, Reason::Unsupported { .. });
    let reason = state.connection.can_do(capability).err().filter(lacking)?;
    let advice = format!("{}. Everything else still works.", reason.sentence());
    Some(empty(ui, Icon::UNCONNECTED, "Not offered by this service", &advice, &["Ask again"]).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws buttons with these texts in a row that wraps, `width` points wide; returns where they are.
    fn drawn(width: f32, texts: &[&str], reason: Option<&str>) -> Vec<egui::Rect> {
        let mut rects = Vec::new();
        egui::__run_test_ui(|ui| {
            rects.clear();
            let size = egui::vec2(width, 200.0);
            ui.allocate_ui(size, |ui| {
                ui.horizontal_wrapped(|ui| {
                    rects.extend(texts.iter().map(|text| enabled_unless(ui, reason, |ui| ui.button(*text)).rect));
                });
            });
        });
        rects
    }

    #[test]
    fn a_button_that_does_not_fit_into_a_row_goes_to_the_next_line_and_is_not_broken() {
        for reason in [None, Some("It is not loaded")] {
            let rects = drawn(170.0, &["A first button", "Forget the past"], reason);
            assert!(rects[1].top() >= rects[0].bottom(), "{rects:?}");
            assert_eq!(rects[0].height(), rects[1].height(), "{rects:?}");
        }
    }

    #[test]
    fn a_style_that_a_control_sets_ends_with_it() {
        egui::__run_test_ui(|ui| {
            let before = ui.spacing().item_spacing;
            enabled_unless(ui, None, |ui| {
                ui.spacing_mut().item_spacing.x += 50.0;
                ui.button("Send")
            });
            assert_eq!(ui.spacing().item_spacing, before);
        });
    }
}
