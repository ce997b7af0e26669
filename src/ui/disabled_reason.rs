//! Controls that cannot be used now: disabled, with the reason on hover and in the description that is read aloud.
//!
//! What must hold: whatever calls the service is drawn through here, so that a read-only connection, a lacking operation
//! and a lost connection are said in the same words everywhere.

use egui::{Response, Ui};

use crate::app::State;
use crate::app::session::capability::Reason;
use crate::app::session::feature::Feature;
use crate::app::state::AssetPage;

use crate::ui::theme::Icon;
use crate::ui::widgets::state::empty;

/// Why a write to an asset waits.
pub const WRITING: &str = "The last change to this asset is still under way";

/// Draws a control; where something stands in its way it is disabled and says what.
pub fn enabled_unless(ui: &mut Ui, disabled_reason: Option<&str>, draw: impl FnOnce(&mut Ui) -> Response) -> Response {
    let response = ui.add_enabled_ui(disabled_reason.is_none(), draw).inner;
    match disabled_reason {
        Some(disabled_reason) => {
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(disabled_reason));
            response.on_disabled_hover_text(disabled_reason)
        }
        None => response,
    }
}

/// What stands in the way of something, as a sentence.
pub fn disabled_reason(state: &State, feature: Feature) -> Option<String> {
    state.can_do(feature).err().map(|reason| reason.sentence())
}

/// What stands in the way of a change of an asset: another one under way, too.
pub fn change_disabled_reason(state: &State, page: &AssetPage, feature: Feature) -> Option<String> {
    disabled_reason(state, feature).or_else(|| page.writing.then(|| WRITING.to_owned()))
}

/// What stands in the way of any write, whatever it is.
pub fn write_disabled_reason(state: &State) -> Option<String> {
    state.allows_writes().err().map(|reason| reason.sentence())
}

/// Says, where its answer would stand, that the service does not offer something; None where it is not known to lack it,
/// else whether it is to be asked again.
pub fn unsupported_ui(ui: &mut Ui, state: &State, feature: Feature) -> Option<bool> {
    let lacking = |reason: &Reason| matches!(reason, Reason::Lacking { .. });
    let reason = state.can_do(feature).err().filter(lacking)?;
    let advice = format!("{}. Everything else still works.", reason.sentence());
    Some(empty(ui, Icon::UNCONNECTED, "Not offered by this service", &advice, &["Ask again"]).is_some())
}
