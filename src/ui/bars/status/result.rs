//! The result of the last write in the status bar: its toast, which has the room of the bar and so covers nothing.
//!
//! What must hold: what Undo takes back is set off from the rest of the bar until it was there to be read.

use std::time::Duration;

use egui::{Id, Ui};

use super::truncated_ui;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_inspector::State;
use lunette_inspector::notifications::Outcome;

/// How long a result is set off.
const SET_OFF: Duration = Duration::from_secs(6);

/// A result, and when it was first drawn, in seconds of the window's clock.
#[derive(Clone)]
struct Drawn {
    outcome: Outcome,
    since: f64,
}

/// Draws the result; one that Undo takes back has the colour of what is current until its time is over.
pub(super) fn ui(ui: &mut Ui, outcome: &Outcome, state: &State) {
    let text = shown_short(&outcome.text, 1_000);
    if outcome.undo.is_none() || !is_new(ui, outcome) {
        return truncated_ui(ui, &text, state, ui.tokens().muted);
    }
    truncated_ui(ui, &text, state, ui.tokens().text);
    ui.decoration(Icon::DONE.text().color(ui.tokens().ok));
}

/// Returns whether a result is to be set off, and has it drawn again when it no longer is.
fn is_new(ui: &Ui, outcome: &Outcome) -> bool {
    let (id, now) = (Id::unique("last result"), ui.input(|input| input.time));
    let known = ui.data(|data| data.get_temp::<Drawn>(id)).filter(|drawn| drawn.outcome == *outcome);
    let drawn = known.unwrap_or_else(|| {
        let drawn = Drawn { outcome: outcome.clone(), since: now };
        ui.data_mut(|data| data.insert_temp(id, drawn.clone()));
        drawn
    });
    let left = SET_OFF.as_secs_f64() - (now - drawn.since);
    if left > 0.0 {
        ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
    }
    left > 0.0
}
