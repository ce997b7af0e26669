//! What is being copied to a side that is not connected, and what became of it.

use std::fmt::Write as _;

use egui::{Label, Ui};

use lunette_inspector::action::SidesAction;
use lunette_inspector::runs::Run;
use lunette_inspector::sides::copy::mapping;
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
        let what = if sent.undone { "Undone at" } else { "Copied to" };
        run_ui(ui, &format!("{what} {}", shown_short(&sent.name, 60)), &sent.run, |ui| {
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
        run_ui(ui, "Copied to the connected service", run, |_| {});
    }
}

/// Draws how many changes of a run were made, and the ids that became others.
fn run_ui(ui: &mut Ui, title: &str, run: &Run, tools: impl FnOnce(&mut Ui)) {
    let counts = run.counts();
    let new_ids = mapping(run);
    ui.horizontal_wrapped(|ui| {
        ui.decoration(Icon::DONE.text().color(ui.tokens().ok));
        let all = grouped(counts.all() as u64);
        ui.add(Label::new(format!("{title}: {} of {all} changes", grouped(counts.done as u64))));
        tools(ui);
        if !new_ids.is_empty() {
            let mut text = String::from("old id,new id\n");
            for (old, new) in &new_ids {
                // Writing to a string does not fail.
                writeln!(text, "{old},{new}").ok();
            }
            let count = grouped(new_ids.len() as u64);
            let list = new_ids.iter().take(10).map(|(old, new)| format!("{old} is {new} there\n"));
            let tip: String = list.collect();
            let told = if new_ids.len() == 1 { "1 has a new id there" } else { &format!("{count} have new ids there") };
            ui.label(told).on_hover_text(tip.trim_end());
            if ui.icon_button(Icon::COPY, "Copy old and new ids").clicked() {
                ui.ctx().copy_text(text);
            }
        }
    });
}
