//! The forms of an asset: each a dialog that keeps what was typed until its write has gone well.
//!
//! What must hold: a form sends once, waits with its buttons disabled, closes when the write went well, and shows why
//! where it did not. It closes on nothing that was typed after its button was pressed.

use std::time::Duration;

use egui::{Response, Ui};
use jiff::Timestamp;

use crate::app::assets::content;
use crate::app::change::Change;
use crate::app::session::feature::Feature;
use crate::app::state::{AssetPage, Saving};
use crate::app::{Action, State};
use crate::ui::disabled_reason::{WRITING, disabled_reason, enabled_unless};
use crate::ui::theme::{SPACE_S, UiExt as _};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::View;

mod edit;
mod export;
mod new_text;
pub(super) mod reclassify;
mod score;

pub use edit::EditForm;
pub use export::ExportForm;
pub use new_text::NewText;
pub use reclassify::ReclassifyForm;
pub use score::ScoreForm;

/// What Cancel does in a form that keeps what is typed.
pub const FORGOTTEN: &str = "Discards what you typed. Esc keeps it as a draft.";

/// The form that is open over an asset.
pub enum Form {
    /// Name, description, favourite.
    Edit(Box<EditForm>),
    /// Another language.
    Reclassify(ReclassifyForm),
    /// One counter of the score.
    Score(ScoreForm),
    /// A document to look at, save and copy.
    Export(Box<ExportForm>),
}

impl Form {
    /// The form for the language of an asset.
    pub fn reclassify(asset: View<'_, Asset>, state: &State) -> Self {
        let specific = content::original(asset).map(|format| format.classification().specific()).unwrap_or_default();
        Self::Reclassify(ReclassifyForm::new(specific, state))
    }

    /// Draws the form; true when it is to be closed.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        page: &AssetPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> bool {
        let held = |feature| disabled_reason(state, feature);
        match self {
            Self::Edit(form) => form.ui(ui, id, page, held(Feature::Edit).as_deref(), actions),
            Self::Reclassify(form) => form.ui(ui, id, page, held(Feature::Reclassify).as_deref(), actions),
            Self::Score(form) => form.ui(ui, id, page, held(Feature::Score).as_deref(), actions),
            Self::Export(form) => form.ui(ui, id, page, state, actions),
        }
    }
}

/// A write of a form, from the click to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sent(Option<u64>);

impl Sent {
    /// Sends a write.
    pub fn send(&mut self, ui: &Ui, change: Change, actions: &mut Vec<Action>) {
        self.begin(ui);
        actions.push(Action::Change(change));
    }

    /// Notes that something was sent in this frame.
    pub fn begin(&mut self, ui: &Ui) {
        self.0 = Some(ui.ctx().cumulative_frame_nr());
    }

    /// Whether the write has ended well: to be asked once a frame. One that was refused can be sent again.
    pub fn done(&mut self, ui: &Ui, waiting: bool, refused: bool) -> bool {
        // What is asked for in a frame is carried out after it, so that this frame still shows what was before.
        let sent = self.0.is_some_and(|frame| frame < ui.ctx().cumulative_frame_nr());
        if !sent || waiting {
            return false;
        }
        self.0 = None;
        !refused
    }

    /// Whether a write was sent that has not ended yet.
    pub fn waiting(self) -> bool {
        self.0.is_some()
    }
}

/// Says why the last attempt failed, or that it was cancelled.
pub fn refused_ui(ui: &mut Ui, page: &AssetPage) {
    match &page.refused {
        Some(said) if page.cancelled => drop(ui.muted(&format!("{said}."))),
        Some(refused) => drop(ui.error_text(refused)),
        None => {}
    }
}

/// The end of a form: why the last attempt failed, then Cancel and the button that does it. Gives whether it was
/// cancelled, and whether it is to be done; `fault` says why it cannot be done now, `cancel` what Cancel does beside
/// closing the form.
pub fn footer_ui(
    ui: &mut Ui,
    page: &AssetPage,
    fault: Option<&str>,
    cancel: &str,
    actions: &mut Vec<Action>,
    button: impl FnOnce(&mut Ui) -> Response,
) -> (bool, bool) {
    refused_ui(ui, page);
    end_ui(ui, page, fault, cancel, actions, button)
}

/// The buttons of [`footer_ui`], for a form that says why the last attempt failed in a place of its own.
pub fn end_ui(
    ui: &mut Ui,
    page: &AssetPage,
    fault: Option<&str>,
    cancel: &str,
    actions: &mut Vec<Action>,
    button: impl FnOnce(&mut Ui) -> Response,
) -> (bool, bool) {
    if let Some(saving) = page.saving {
        saving_ui(ui, saving, actions, button);
        return (false, false);
    }
    let reason = if page.writing { Some(WRITING) } else { fault };
    buttons_ui(ui, reason, cancel, button)
}

/// The end of a form while its write awaits an answer: how long it has waited, and Cancel, which ends the waiting and
/// leaves the form as it is.
pub fn saving_ui(ui: &mut Ui, saving: Saving, actions: &mut Vec<Action>, button: impl FnOnce(&mut Ui) -> Response) {
    ui.ctx().request_repaint_after(Duration::from_secs(1));
    let seconds = Timestamp::now().duration_since(saving.since).as_secs().max(0);
    ui.add_space(SPACE_S);
    at_the_right(ui, |ui| {
        enabled_unless(ui, Some(WRITING), button);
        let why = saving.cancelled.then_some("Cancelling");
        let cancel = enabled_unless(ui, why, |ui| ui.button("Cancel"));
        if cancel.on_hover_text("Stops waiting for the answer; what was typed stays here").clicked() {
            actions.push(Action::Cancel(saving.task));
        }
        if seconds >= 1 {
            ui.caption(&format!("Saving… {seconds} s"));
        }
    });
}

/// Cancel and the button that does it, at the right; gives whether either was pressed.
pub fn buttons_ui(
    ui: &mut Ui,
    reason: Option<&str>,
    cancel: &str,
    button: impl FnOnce(&mut Ui) -> Response,
) -> (bool, bool) {
    ui.add_space(SPACE_S);
    at_the_right(ui, |ui| {
        let pressed = enabled_unless(ui, reason, button);
        let cancelled = ui.button("Cancel");
        let cancelled = if cancel.is_empty() { cancelled } else { cancelled.on_hover_text(cancel) };
        (cancelled.clicked(), pressed.clicked())
    })
}

/// Draws a row of buttons at the right end, the first one outermost.
pub fn at_the_right<R>(ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> R) -> R {
    // A row by itself: a layout from the right alone would take all the height there is.
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            draw(ui)
        })
        .inner
    })
    .inner
}
