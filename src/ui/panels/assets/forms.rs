//! The forms of an asset: dialogs that keep their input until the write succeeds.
//!
//! What must hold: a form sends once, disables its buttons while waiting, closes when the write succeeds, and shows the
//! reason if it fails. It stays open if something was typed after its button was pressed.

use std::time::Duration;

use egui::{Response, Ui};
use jiff::Timestamp;

use crate::ui::disabled_reason::{WRITING, enabled_unless};
use crate::ui::notifications::reported;
use crate::ui::theme::{SPACE_S, UiExt as _};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::View;
use lunette_inspector::assets::content;
use lunette_inspector::background::Saving;
use lunette_inspector::change::Change;
use lunette_inspector::notifications::Topic;
use lunette_inspector::write::AssetWrite;
use lunette_inspector::{Action, State};

use super::frame::AssetFrame;

mod edit;
pub(super) mod export;
mod new_text;
pub(super) mod reclassify;
mod score;

pub use edit::EditForm;
pub use export::ExportForm;
pub use new_text::NewText;
pub use reclassify::ReclassifyForm;
pub use score::ScoreForm;

/// What Cancel does in a form that keeps its input as a draft.
pub const CANCEL_DISCARDS: &str = "Discards what you typed. Esc keeps it as a draft.";

/// The form that is open over an asset.
pub enum Form {
    /// Name, description, favourite.
    Edit(Box<EditForm>),
    /// Another language.
    Reclassify(ReclassifyForm),
    /// One counter of the score.
    Score(ScoreForm),
    /// A document to preview, save and copy.
    Export(Box<ExportForm>),
}

impl Form {
    /// A form for the language of an asset.
    pub fn reclassify(asset: View<'_, Asset>, state: &State) -> Self {
        let specific = content::original(asset).map(|format| format.classification().specific()).unwrap_or_default();
        Self::Reclassify(ReclassifyForm::new(specific, state))
    }

    /// Draws the form; returns whether it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        match self {
            Self::Edit(form) => form.ui(ui, frame),
            Self::Reclassify(form) => form.ui(ui, frame),
            Self::Score(form) => form.ui(ui, frame),
            Self::Export(form) => form.ui(ui, frame),
        }
    }
}

/// A write sent by a form, from the click to its result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Submission(Option<u64>);

impl Submission {
    /// Sends a write.
    pub fn send(&mut self, ui: &Ui, change: Change, frame: &mut AssetFrame<'_>) {
        self.begin(ui);
        frame.change(change);
    }

    /// Records that a write was sent in this pass.
    pub fn begin(&mut self, ui: &Ui) {
        self.0 = Some(ui.ctx().cumulative_pass_nr());
    }

    /// Returns whether the write succeeded; must be called once per frame. A rejected write can be sent again.
    pub fn done(&mut self, ui: &Ui, waiting: bool, refused: bool) -> bool {
        // Actions are performed after the pass, which still shows the state before them.
        let sent = self.0.is_some_and(|pass| pass < ui.ctx().cumulative_pass_nr());
        if !sent || waiting {
            return false;
        }
        self.0 = None;
        !refused
    }

    /// Like [`Submission::done`], for the writes of an asset.
    pub fn succeeded(&mut self, ui: &Ui, write: &AssetWrite) -> bool {
        self.done(ui, write.writing, write.refused.is_some())
    }

    /// Returns whether a write is in progress.
    pub fn waiting(self) -> bool {
        self.0.is_some()
    }
}

/// Draws why the last attempt failed, or that it was cancelled.
pub fn refusal_ui(ui: &mut Ui, frame: &AssetFrame<'_>) {
    match &frame.write.refused {
        Some(message) if frame.write.cancelled => drop(ui.muted(&format!("{message}."))),
        Some(refused) => reported(&ui.error_text(refused), Topic::Asset(frame.id.clone())),
        None => {}
    }
}

/// Draws the end of a form: why the last attempt failed, then Cancel and the main button. Returns whether each was
/// clicked; `fault` says why the main button is disabled, `cancel` what Cancel does besides closing the form.
pub fn footer_ui(
    ui: &mut Ui,
    frame: &mut AssetFrame<'_>,
    fault: Option<&str>,
    cancel: &str,
    button: impl FnOnce(&mut Ui) -> Response,
) -> (bool, bool) {
    refusal_ui(ui, frame);
    buttons_with_state_ui(ui, frame, fault, cancel, button)
}

/// Draws the buttons of [`footer_ui`], for a form that shows the error elsewhere.
pub fn buttons_with_state_ui(
    ui: &mut Ui,
    frame: &mut AssetFrame<'_>,
    fault: Option<&str>,
    cancel: &str,
    button: impl FnOnce(&mut Ui) -> Response,
) -> (bool, bool) {
    let reason = if frame.write.writing { Some(WRITING) } else { fault };
    let buttons = |ui: &mut Ui, button| buttons_ui(ui, reason, cancel, button);
    buttons_or_saving_ui(ui, frame.write.saving, frame.actions, button, buttons)
}

/// Draws the buttons of a form or, while its write is in progress, the end of [`saving_ui`]; both get the main button.
/// Returns what `buttons` returns, and the default while the write is in progress.
pub fn buttons_or_saving_ui<B: FnOnce(&mut Ui) -> Response, R: Default>(
    ui: &mut Ui,
    saving: Option<Saving>,
    actions: &mut Vec<Action>,
    button: B,
    buttons: impl FnOnce(&mut Ui, B) -> R,
) -> R {
    let Some(saving) = saving else { return buttons(ui, button) };
    saving_ui(ui, saving, actions, button);
    R::default()
}

/// Draws the end of a form while its write is in progress: how long it has taken, and Cancel, which stops waiting and
/// leaves the form open.
fn saving_ui(ui: &mut Ui, saving: Saving, actions: &mut Vec<Action>, button: impl FnOnce(&mut Ui) -> Response) {
    ui.ctx().request_repaint_after(Duration::from_secs(1));
    let seconds = Timestamp::now().duration_since(saving.since).as_secs().max(0);
    ui.add_space(SPACE_S);
    right_aligned(ui, |ui| {
        enabled_unless(ui, Some(WRITING), button);
        let why = saving.cancelled.then_some("Cancelling");
        let cancel = enabled_unless(ui, why, |ui| ui.button("Cancel"));
        if cancel.on_hover_text("Stops waiting for the response; what was typed stays here").clicked() {
            actions.push(Action::Cancel(saving.task));
        }
        if seconds >= 1 {
            ui.caption(&format!("Saving… {seconds} s"));
        }
    });
}

/// Draws Cancel and the main button on the right; returns whether each was clicked.
pub fn buttons_ui(
    ui: &mut Ui,
    reason: Option<&str>,
    cancel: &str,
    button: impl FnOnce(&mut Ui) -> Response,
) -> (bool, bool) {
    ui.add_space(SPACE_S);
    right_aligned(ui, |ui| {
        let pressed = enabled_unless(ui, reason, button);
        let cancelled = ui.button("Cancel");
        let cancelled = if cancel.is_empty() { cancelled } else { cancelled.on_hover_text(cancel) };
        (cancelled.clicked(), pressed.clicked())
    })
}

/// Draws a row of buttons aligned to the right, the first one outermost.
pub fn right_aligned<R>(ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> R) -> R {
    // In a row of its own: a right-to-left layout alone would take all the available height.
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            draw(ui)
        })
        .inner
    })
    .inner
}
