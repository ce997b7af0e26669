//! The dialog that asks which of several items to keep.
//!
//! What must hold: nothing is sent. Enter on a choice goes on to the plan, as in every dialog that asks for a choice.

use egui::{Context, Id, Ui};

use lunette_inspector::action::LinksAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Item;
use lunette_inspector::links::MergeDraft;
use lunette_inspector::{Action, State};

use super::parts::{confirm_button, scrolled_ui};
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::theme::{self, UiExt as _};
use crate::ui::widgets::{buttons, choice_key, confirm_key, dialog, grouped, plural, shown_short};

/// Width of the dialog, in points.
const WIDTH: f32 = 520.0;
/// The height that the dialog needs besides the items, in points.
const RESERVED_HEIGHT: f32 = 300.0;
/// The maximum number of choices; further items are merged too.
const MAX_CHOICES: usize = 200;

/// The dialog; its choices as drawn last, none while it is closed.
#[derive(Default)]
pub(in crate::ui) struct MergeDialog {
    radios: Vec<Id>,
}

impl MergeDialog {
    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        match state.links.merging.as_ref().and_then(|draft| Some((draft, draft.items.first()?))) {
            Some((draft, first)) => dialog_ui(ctx, draft, first, (state, &mut self.radios), actions),
            None => self.radios.clear(),
        }
    }
}

fn dialog_ui(
    ctx: &Context,
    draft: &MergeDraft,
    first: &Item,
    (state, radios): (&State, &mut Vec<Id>),
    actions: &mut Vec<Action>,
) {
    let title = format!("Merge {} {}", grouped(draft.items.len() as u64), first.kind.many().to_lowercase());
    let (close, outside) = dialog(ctx, "merge", &title, WIDTH, |ui| {
        let confirmed = confirm_key(ui) || choice_key(ui, radios);
        ui.label("All assets will be linked to the one you keep instead of the others. Which one do you want to keep?");
        scrolled_ui(ui, "merged items", RESERVED_HEIGHT, |ui| choices_ui(ui, draft, state, radios, actions));
        ui.caption("The others remain as unused items until you delete them, so that Undo can restore everything.");
        if let Some(problem) = &draft.failed {
            ui.error_text(&format!("The merge could not be planned: {problem}"));
        }
        buttons(ui, |ui| {
            let reason = disabled_reason(state, Capability::Relink(first.kind))
                .or_else(|| draft.reading.then(|| "The assets are being read".to_owned()));
            if confirm_button(ui, reason.as_deref(), confirmed, |ui| ui.primary_button("Show plan")) {
                actions.push(LinksAction::PlanMerge.into());
            }
            let cancel = ui.button("Cancel").clicked();
            if draft.reading {
                ui.spinner();
            }
            cancel
        })
    });
    if close || outside {
        actions.push(LinksAction::CancelMerge.into());
    }
}

fn choices_ui(ui: &mut Ui, draft: &MergeDraft, state: &State, radios: &mut Vec<Id>, actions: &mut Vec<Action>) {
    let fresh = radios.is_empty();
    radios.clear();
    for (index, item) in draft.items.iter().take(MAX_CHOICES).enumerate() {
        ui.horizontal(|ui| {
            let chosen = theme::radio(ui, index == draft.target, &label(item, state));
            radios.push(chosen.id);
            if fresh && index == draft.target {
                chosen.request_focus();
            }
            if chosen.clicked() && index != draft.target {
                actions.push(LinksAction::MergeInto(index).into());
            }
            if let Some(url) = &item.url {
                ui.muted(&shown_short(url, 60));
            }
        });
    }
    let more = draft.items.len().saturating_sub(MAX_CHOICES);
    if more > 0 {
        ui.muted(&format!("{} more will be merged too", grouped(more as u64)));
    }
}

fn label(item: &Item, state: &State) -> String {
    let assets = match state.links.row(item).and_then(|row| row.assets) {
        Some(count) => plural(count, "asset"),
        None => "asset count unavailable".to_owned(),
    };
    format!("{} · {assets}", shown_short(item.name(), 60))
}
