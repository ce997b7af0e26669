//! Controls that are disabled for a reason, which is shown on hover and is part of the accessible description.
//!
//! What must hold: every control that calls the service is drawn through here, so that a read-only connection, an
//! unsupported operation and a lost connection are described in the same words everywhere.

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
pub fn enabled_unless(ui: &mut Ui, disabled_reason: Option<&str>, draw: impl FnOnce(&mut Ui) -> Response) -> Response {
    let response = ui.add_enabled_ui(disabled_reason.is_none(), draw).inner;
    with_reason(response, disabled_reason)
}

fn with_reason(response: Response, disabled_reason: Option<&str>) -> Response {
    match disabled_reason {
        Some(disabled_reason) => {
            response.ctx.accesskit_node_builder(response.id, |node| node.set_description(disabled_reason));
            response.on_disabled_hover_text(disabled_reason)
        }
        None => response,
    }
}

/// Draws a button; if there is a reason, it is disabled and shows the reason. In a row that wraps it goes to the next line
/// rather than being broken, since nothing is drawn around it.
pub fn button_unless(ui: &mut Ui, disabled_reason: Option<&str>, title: &str) -> Response {
    let button = egui::Button::new(title).wrap_mode(egui::TextWrapMode::Extend);
    let response = ui.add_enabled(disabled_reason.is_none(), button);
    with_reason(response, disabled_reason)
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
