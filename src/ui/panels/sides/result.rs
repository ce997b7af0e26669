//! What is being copied to a side that is not connected, and what became of it.

use std::fmt::Write as _;

use egui::{Label, Ui};

use lunette_client::model::id::AssetId;
use lunette_inspector::action::SidesAction;
use lunette_inspector::runs::Run;
use lunette_inspector::sides::copy::{LostScores, mapping};
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::{grouped, progress, shown_short};

/// How many failures are named.
const NAMED: usize = 3;

/// Draws what is sent, or what was copied last.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let page = &state.sides;
    if let Some((done, all)) = page.sending {
        ui.horizontal(|ui| {
            let share = (all > 0).then(|| done as f32 / all as f32);
            progress(ui, "Copying", share, 120.0);
            ui.muted(&format!("Copying: {} of {} changes", grouped(done as u64), grouped(all as u64)));
            if ui.button("Stop").clicked() {
                actions.push(SidesAction::Cancel.into());
            }
        });
        return;
    }
    if let Some(sent) = &page.sent {
        let end = if sent.undone { End::Undone } else { End::Copied };
        let copied =
            Copied { end, to: &shown_short(&sent.name, 60), run: &sent.run, lost_scores: sent.lost_scores.as_ref() };
        copied.ui(ui, |ui| {
            let why = page.is_busy().then_some("Something else is under way");
            let why = why.or(sent.undone.then_some("It was undone"));
            let undo = |ui: &mut Ui| ui.icon_text_button(Icon::UNDO, "Undo");
            if enabled_unless(ui, why, undo).clicked() {
                actions.push(SidesAction::UndoSent.into());
            }
        });
        for failure in sent.failures().take(NAMED) {
            ui.error_text(&shown_short(&failure, 300));
        }
    } else if let Some(run) = page.copied_here(&state.bulk.runs) {
        let end =
            run.entry.and_then(|entry| state.history.entry(entry)).map_or(End::Copied, |entry| match &entry.partly {
                _ if entry.undone => End::Undone,
                Some(partly) if partly.undone > 0 => End::PartlyUndone,
                _ => End::Copied,
            });
        Copied { end, to: "the connected service", run, lost_scores: page.lost_scores_here() }.ui(ui, |_| {});
    }
}

/// What became of what was copied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Copied,
    PartlyUndone,
    Undone,
}

/// What was copied.
struct Copied<'a> {
    end: End,
    /// The name of the side that was written to.
    to: &'a str,
    run: &'a Run,
    lost_scores: Option<&'a LostScores>,
}

impl Copied<'_> {
    /// Draws how many changes were made, and what is not as it was at the other side.
    fn ui(&self, ui: &mut Ui, tools: impl FnOnce(&mut Ui)) {
        let counts = self.run.counts();
        let (icon, color, what) = match self.end {
            End::Copied => (Icon::DONE, ui.tokens().ok, "Copied to"),
            End::PartlyUndone => (Icon::UNDO, ui.tokens().muted, "Partly undone at"),
            End::Undone => (Icon::UNDO, ui.tokens().muted, "Undone at"),
        };
        ui.horizontal_wrapped(|ui| {
            ui.decoration(icon.text().color(color));
            let (done, all) = (grouped(counts.done as u64), grouped(counts.all() as u64));
            ui.add(Label::new(format!("{what} {}: {done} of {all} changes", self.to)));
            tools(ui);
            if self.end == End::Undone {
                return;
            }
            new_ids_ui(ui, &mapping(self.run));
            if let Some(lost) = self.lost_scores.filter(|_| counts.done > 0) {
                ui.label(lost.short.as_str()).on_hover_text(lost.sentence.as_str());
            }
        });
    }
}

/// Draws how many assets have new ids, and copies them.
fn new_ids_ui(ui: &mut Ui, new_ids: &[(AssetId, AssetId)]) {
    if new_ids.is_empty() {
        return;
    }
    let mut text = String::from("old id,new id\n");
    for (old, new) in new_ids {
        // Writing to a string does not fail.
        writeln!(text, "{old},{new}").ok();
    }
    let list = new_ids.iter().take(10).map(|(old, new)| format!("{old} is {new} there\n"));
    let tip: String = list.collect();
    let told = match new_ids.len() {
        1 => "1 has a new id there".to_owned(),
        count => format!("{} have new ids there", grouped(count as u64)),
    };
    ui.label(told).on_hover_text(tip.trim_end());
    if ui.icon_button(Icon::COPY, "Copy old and new ids").clicked() {
        ui.ctx().copy_text(text);
    }
}
