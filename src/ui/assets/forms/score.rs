//! Chooses the counter of an asset's score that is incremented; the plan that follows says that there is no way back.

use egui::{Grid, Ui};

use crate::app::Action;
use crate::app::change::{Change, Counter};
use crate::app::state::AssetPage;
use crate::model::id::AssetId;
use crate::model::record::Record as _;
use crate::ui::theme::{SPACE_L, UiExt as _};
use crate::ui::widget::{dialog, grouped};

use super::footer_ui;

/// Which counter is chosen.
pub struct ScoreForm {
    counter: Counter,
}

impl Default for ScoreForm {
    fn default() -> Self {
        Self { counter: Counter::Reuse }
    }
}

impl ScoreForm {
    /// Draws the form; true when it is to be closed. `held` says what stands in the way of its write.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        page: &AssetPage,
        held: Option<&str>,
        actions: &mut Vec<Action>,
    ) -> bool {
        let ctx = ui.ctx().clone();
        let (done, outside) = dialog(&ctx, "increment score", "Increment a score", 380.0, |ui| {
            self.counters_ui(ui, page);
            ui.warning_text("This cannot be undone: the interface has no way to take a score back.");
            let (cancelled, pressed) = footer_ui(ui, page, held, "", actions, |ui| ui.primary_button("Review…"));
            if pressed {
                let change = Change::Increment { asset: id.clone(), counter: self.counter, from: None };
                actions.push(Action::Change(change));
            }
            cancelled || pressed
        });
        done || outside
    }

    fn counters_ui(&mut self, ui: &mut Ui, page: &AssetPage) {
        Grid::new("counters").num_columns(3).spacing([SPACE_L, 6.0]).show(ui, |ui| {
            ui.caption("Counter");
            ui.caption("Now");
            ui.caption("After");
            ui.end_row();
            for counter in Counter::ALL {
                let before = page.record.value().map_or(0, |asset| counter.value(asset.view()));
                let chosen = self.counter == counter;
                if ui.radio(chosen, name(counter)).on_hover_text(meaning(counter)).clicked() {
                    self.counter = counter;
                }
                ui.muted(&said(before));
                let after = if chosen { before.saturating_add(1) } else { before };
                if chosen {
                    ui.strong(format!("→ {}", said(after))).accessible_name(format!("{} after", said(after)));
                } else {
                    ui.muted(&said(after));
                }
                ui.end_row();
            }
        });
    }
}

fn said(count: i64) -> String {
    let sign = if count < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(count.unsigned_abs()))
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
        Counter::Reuse => "How often it was used again",
        Counter::Update => "How often it was updated",
        Counter::Reference => "How often it was referred to",
        Counter::Priority => "How important it is",
        Counter::Searched => "How often it was found by a search",
    }
}
