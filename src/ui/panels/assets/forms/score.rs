//! Increments a counter of an asset's score; choosing, confirming and sending happen in one dialog.
//!
//! What must hold: the counters shown add up to the score; Enter and Ctrl+Enter increment, and the arrow keys choose.

use egui::{Grid, Id, Key, Modifiers, Ui};

use crate::ui::disabled_reason::{WRITING, enabled_unless};
use crate::ui::panels::assets::details::signed;
use crate::ui::theme::{self, SPACE_L, SPACE_S, UiExt as _};
use crate::ui::widgets::{CONFIRM_KEY, choice_key, confirm_key, dialog, is_on_top};
use lunette_client::model::Told;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, View};
use lunette_inspector::action::WriteAction;
use lunette_inspector::change::{Change, Counter};
use lunette_inspector::listing::rows::total_score;

use super::{Submission, buttons_or_saving_ui, refusal_ui, right_aligned};
use crate::ui::panels::assets::frame::AssetFrame;
use lunette_inspector::capability::Capability;

/// The chosen counter.
pub struct ScoreForm {
    counter: Counter,
    /// Whether the dialog has not been drawn yet.
    fresh: bool,
    /// The choices as drawn last.
    radios: Vec<Id>,
    sent: Submission,
}

impl Default for ScoreForm {
    fn default() -> Self {
        Self { counter: Counter::Reuse, fresh: true, radios: Vec::new(), sent: Submission::default() }
    }
}

/// What was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pressed {
    Increment,
    Review,
    Cancel,
}

impl ScoreForm {
    /// Draws the form; returns whether it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let why_disabled = frame.disabled_reason(Capability::Score);
        let why_disabled = why_disabled.as_deref();
        let ctx = ui.ctx().clone();
        let (done, outside) = dialog(&ctx, "increment score", "Increment a score", 400.0, |ui| {
            // Before the buttons are drawn: a click that comes together with the answer is not another increment.
            let sent = self.sent.succeeded(ui, frame.write);
            if is_on_top(ui) {
                self.consume_arrows(ui);
            }
            let confirmed = confirm_key(ui) || choice_key(ui, &self.radios);
            if let Some(asset) = frame.page.record.value() {
                self.counters_ui(ui, asset.view());
            }
            ui.warning_text("This cannot be undone: the interface cannot decrease a score.");
            refusal_ui(ui, frame);
            let reason = if frame.write.writing { Some(WRITING) } else { why_disabled };
            let increment = |ui: &mut Ui| ui.primary_button(&self.button());
            let pressed = buttons_or_saving_ui(ui, frame.write.saving, frame.actions, increment, |ui, increment| {
                let pressed = footer_ui(ui, reason, increment);
                if confirmed && reason.is_none() { Some(Pressed::Increment) } else { pressed }
            });
            let change = || Change::Increment { asset: frame.id.clone(), counter: self.counter, from: None };
            match pressed {
                _ if sent => {}
                Some(Pressed::Increment) => {
                    frame.push(WriteAction::ChangeConfirmed(change()));
                    self.sent.begin(ui);
                }
                Some(Pressed::Review) => frame.change(change()),
                Some(Pressed::Cancel) | None => {}
            }
            let ended = matches!(pressed, Some(Pressed::Review | Pressed::Cancel));
            ended || sent
        });
        done || outside
    }

    /// Takes the arrow keys, which choose.
    fn consume_arrows(&mut self, ui: &Ui) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let index = Counter::ALL.iter().position(|counter| *counter == self.counter).unwrap_or_default();
        for (key, step) in [(Key::ArrowDown, 1), (Key::ArrowUp, Counter::ALL.len() - 1)] {
            if pressed(key) {
                self.counter = Counter::ALL[(index + step) % Counter::ALL.len()];
                self.fresh = true;
            }
        }
    }

    fn counters_ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>) {
        self.radios.clear();
        Grid::new("counters").num_columns(3).spacing([SPACE_L, 6.0]).show(ui, |ui| {
            for title in ["Counter", "Now", "After"] {
                ui.caption(title);
            }
            ui.end_row();
            for counter in Counter::ALL {
                let before = counter.value(asset);
                let chosen = self.counter == counter;
                let radio = theme::radio(ui, chosen, name(counter)).on_hover_text(meaning(counter));
                self.radios.push(radio.id);
                if radio.clicked() {
                    self.counter = counter;
                }
                if chosen && std::mem::take(&mut self.fresh) {
                    radio.request_focus();
                }
                counter_ui(ui, before, chosen);
            }
            let score = asset.score();
            let counted = [
                ("Manual", score.map(|score| score.manual()), "Sum of manual interactions"),
                ("Automatic", score.map(|score| score.automatic()), "Sum of interactions of programs"),
            ];
            let none = (asset.told("score") == Told::Nothing).then_some(0);
            for (name, value, meaning) in counted {
                ui.muted(name).on_hover_text(meaning);
                counter_ui(ui, value.or(none), false);
            }
            ui.label("Score").on_hover_text("The sum of all counters");
            counter_ui(ui, asset.score().map(|_| total_score(asset)).or(none), true);
        });
    }

    fn button(&self) -> String {
        format!("Increment {}", name(self.counter).to_lowercase())
    }
}

/// Draws the buttons; returns which was clicked.
fn footer_ui(ui: &mut Ui, reason: Option<&str>, increment: impl FnOnce(&mut Ui) -> egui::Response) -> Option<Pressed> {
    ui.add_space(SPACE_S);
    right_aligned(ui, |ui| {
        let increment = enabled_unless(ui, reason, increment).on_hover_text(CONFIRM_KEY);
        let review = enabled_unless(ui, reason, |ui| ui.button("Review…"));
        let review = review.on_hover_text("Shows the request before it is sent");
        let cancel = ui.button("Cancel");
        match () {
            () if increment.clicked() => Some(Pressed::Increment),
            () if review.clicked() => Some(Pressed::Review),
            () if cancel.clicked() => Some(Pressed::Cancel),
            () => None,
        }
    })
}

/// Draws a counter before and, if it is `chosen`, after the increment; `None` is one that the service does not tell.
fn counter_ui(ui: &mut Ui, before: Option<i64>, chosen: bool) {
    let Some(before) = before else {
        ui.muted("Not told").on_hover_text("This service does not tell it");
        ui.muted(if chosen { "+1" } else { "" });
        ui.end_row();
        return;
    };
    ui.muted(&signed(before));
    if chosen {
        let after = signed(before.saturating_add(1));
        ui.strong(format!("→ {after}")).accessible_name(format!("{after} after"));
    } else {
        ui.muted(&signed(before));
    }
    ui.end_row();
}

fn name(counter: Counter) -> &'static str {
    match counter {
        Counter::Reuse => "Reuse",
        Counter::Update => "Update",
        Counter::Reference => "Reference",
        Counter::Priority => "Priority",
        Counter::Searched => "Searched",
    }
}

fn meaning(counter: Counter) -> &'static str {
    match counter {
        Counter::Reuse => "How often the asset was used again",
        Counter::Update => "How often the asset was updated",
        Counter::Reference => "How often the asset was referred to",
        Counter::Priority => "How important the asset is",
        Counter::Searched => "How often a search found the asset",
    }
}
