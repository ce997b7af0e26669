//! The bar at the bottom: work under way, how the last write ended, and how much is shown.

use egui::{Align, Frame, Layout, Margin, Ui};

use crate::app::listing::{Listing, Row};
use crate::app::state::{Outcome, Panel, Work};
use crate::app::{Action, State};

use super::theme::{self, SPACE_M, UiExt as _};
use super::widget::{grouped, progress, shown_short};

/// Draws the bar.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let frame = Frame::new().fill(ui.tokens().panel).inner_margin(Margin::symmetric(12, 0));
    let panel = egui::Panel::bottom("status bar").exact_size(theme::STATUS_BAR).resizable(false).frame(frame);
    panel.show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_M;
            ui.caption(&counts(state));
            if let Some(outcome) = &state.outcome {
                outcome_ui(ui, outcome, actions);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| work_ui(ui, state, actions));
        });
    });
}

fn outcome_ui(ui: &mut Ui, outcome: &Outcome, actions: &mut Vec<Action>) {
    if outcome.undo.is_some() {
        let accent = ui.tokens().accent;
        let button = egui::Button::new(egui::RichText::new("Undo").small().color(accent)).frame_when_inactive(false);
        if ui.add(button.small()).on_hover_text("Take the last write back (Ctrl+Z)").clicked() {
            actions.push(Action::Undo);
        }
    }
    let text = shown_short(&outcome.text, 70).into_owned();
    let response = ui.caption(&text);
    if text.ends_with('…') {
        response.on_hover_text(super::widget::shown(&outcome.text));
    }
}

fn work_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(work) = state.work.first() else {
        if let Some(what) = loading(state) {
            progress(ui, what, None, 60.0);
            ui.caption(what);
        }
        return;
    };
    progress(ui, &work.title, fraction(work), 120.0);
    let mut title = work.title.clone();
    if let Some((done, all)) = work.progress {
        title = format!("{title}: {} of {}", grouped(done as u64), grouped(all as u64));
    }
    ui.caption(&title);
    if work.cancelling {
        ui.caption("cancelling…");
    } else {
        let button = egui::Button::new(egui::RichText::new("Cancel").small()).frame_when_inactive(false);
        if ui.add(button.small()).clicked() {
            actions.push(Action::Cancel(work.task));
        }
    }
    if state.work.len() > 1 {
        ui.caption(&format!("and {} more", state.work.len() - 1));
    }
}

fn fraction(work: &Work) -> Option<f32> {
    let (done, all) = work.progress?;
    (all > 0).then(|| done as f32 / all as f32)
}

/// What the panel in front waits for.
fn loading(state: &State) -> Option<&'static str> {
    match state.panel {
        Panel::Applications => state.applications.rows.loading().then_some("Reading applications"),
        Panel::External => state.external.rows.loading().then_some("Reading external applications"),
        Panel::Assets => state.assets.rows.loading().then_some("Reading assets"),
        Panel::Operations => state.console.waiting.then_some("Waiting for the answer"),
        Panel::Log | Panel::History => None,
    }
}

/// How much the panel in front shows.
fn counts(state: &State) -> String {
    match state.panel {
        Panel::Applications => shown_of(&state.applications, "application"),
        Panel::External => shown_of(&state.external, "application"),
        Panel::Assets => shown_of(&state.assets, "asset"),
        Panel::Operations | Panel::Log => plural(state.log.len(), "call"),
        Panel::History => plural(state.history.entries.len(), "step"),
    }
}

fn shown_of<R: Row>(listing: &Listing<R>, one: &str) -> String {
    let (shown, all) = (listing.order.len(), listing.count());
    if listing.query.filter.trim().is_empty() || shown == all {
        return plural(all, one);
    }
    format!("{} of {} shown", grouped(shown as u64), grouped(all as u64))
}

/// A count with its noun.
fn plural(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{} {one}s", grouped(count as u64)),
    }
}
