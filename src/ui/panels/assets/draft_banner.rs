//! The banner for an unapplied draft of a change, drawn above the asset.

use egui::{Frame, Margin, Ui};

use crate::ui::format;
use crate::ui::theme::{Icon, RADIUS, SPACE_S, UiExt as _};
use lunette_client::model::id::AssetId;
use lunette_inspector::State;
use lunette_inspector::drafts::{Draft, DraftKey};

/// What the user chose to do with a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftChoice {
    /// Continue editing.
    Continue,
    /// Discard it.
    Discard,
}

/// Returns whether an asset has a draft.
pub fn has_draft(state: &State, id: &AssetId) -> bool {
    let keys = || [DraftKey::Record(id.clone()), DraftKey::Fields(id.clone()), DraftKey::Text(id.clone())];
    !state.drafts.typed.is_empty() && keys().iter().any(|key| state.drafts.typed.contains_key(key))
}

/// Draws since when there is a draft of `what`; returns what the user chose.
pub fn banner_ui(ui: &mut Ui, what: &str, draft: &Draft) -> Option<DraftChoice> {
    let t = ui.tokens();
    let margin = Margin::symmetric(10, 6);
    let frame = Frame::new().fill(t.selected_row).corner_radius(f32::from(RADIUS)).inner_margin(margin);
    ui.add_space(SPACE_S);
    let drawn = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            ui.decoration(Icon::EDIT.text().color(t.accent));
            let shown = ui.label(format!("Unsaved changes to {what}, edited {}", format::ago(&draft.at)));
            shown.on_hover_text(format!("{}. Nothing was sent.", format::exact(&draft.at)));
            let resume = ui.button("Continue").accessible_name(format!("Continue editing {what}"));
            let discard = ui.button("Discard").accessible_name(format!("Discard the changes to {what}"));
            match (resume.clicked(), discard.clicked()) {
                (true, _) => Some(DraftChoice::Continue),
                (false, true) => Some(DraftChoice::Discard),
                (false, false) => None,
            }
        })
        .inner
    });
    drawn.inner
}
