//! Changes that were begun and not applied: said over the asset they belong to.

use egui::{Frame, Margin, Ui};

use crate::app::State;
use crate::app::drafts::{Draft, DraftKey};
use crate::ui::format;
use crate::ui::theme::{Icon, RADIUS, SPACE_S, UiExt as _};
use lunette_client::model::id::AssetId;

/// What is to become of a change that was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is gone on with.
    Continue,
    /// It is given up.
    Discard,
}

/// Whether a change of an asset was begun and not applied.
pub fn begun(state: &State, id: &AssetId) -> bool {
    let keys = || [DraftKey::Record(id.clone()), DraftKey::Fields(id.clone()), DraftKey::Text(id.clone())];
    !state.drafts.is_empty() && keys().iter().any(|key| state.drafts.contains_key(key))
}

/// Says since when a change of `what` was begun; gives what is to become of it, once the user says.
pub fn banner_ui(ui: &mut Ui, what: &str, draft: &Draft) -> Option<Begun> {
    let t = ui.tokens();
    let margin = Margin::symmetric(10, 6);
    let frame = Frame::new().fill(t.selected_row).corner_radius(f32::from(RADIUS)).inner_margin(margin);
    ui.add_space(SPACE_S);
    let drawn = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            ui.label(Icon::EDIT.text().color(t.accent));
            let said = ui.label(format!("You began to change {what} {}", format::ago(&draft.at)));
            said.on_hover_text(format!("{}. Nothing of it was sent.", format::exact(&draft.at)));
            let resume = ui.button("Continue").accessible_name(format!("Continue changing {what}"));
            let discard = ui.button("Discard").accessible_name(format!("Discard the change of {what}"));
            match (resume.clicked(), discard.clicked()) {
                (true, _) => Some(Begun::Continue),
                (false, true) => Some(Begun::Discard),
                (false, false) => None,
            }
        })
        .inner
    });
    drawn.inner
}
