//! The kinds of records: how many the service named, how many were received, and what became of them.

use std::borrow::Cow;

use egui::{Align, Layout, Ui};

use lunette_inspector::Action;
use lunette_inspector::action::RescueAction;
use lunette_inspector::rescue::Kind;
use lunette_inspector::rescue::window::{Rescue, Shown};

use crate::ui::theme::{Icon, SPACE_XS, UiExt as _};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::{grouped, shown_short};

/// The list, and where the keyboard is in it.
#[derive(Default)]
pub(super) struct Kinds {
    rows: RowListState,
}

impl Kinds {
    /// Draws the kinds in the available space.
    pub(super) fn ui(&mut self, ui: &mut Ui, rescue: &Rescue, actions: &mut Vec<Action>) {
        let name = |row: usize| -> Cow<'_, str> {
            Kind::ALL
                .get(row)
                .map(|kind| format!("{}: {}", kind.name(), said(rescue, *kind)))
                .unwrap_or_default()
                .into()
        };
        let rect = ui.available_rect_before_wrap();
        let list = RowList { name: "Kinds", rect, rows: Kind::ALL.len(), row_name: &name, drags: false };
        let drawn = list.show(ui, &mut self.rows, |ui, row| {
            if let Some(kind) = Kind::ALL.get(row) {
                kind_ui(ui, rescue, *kind);
            }
        });
        if (drawn.clicked || drawn.opened)
            && let Some(kind) = Kind::ALL.get(drawn.row)
        {
            actions.push(RescueAction::Show(Some(Shown::Kind(*kind))).into());
        }
    }
}

/// Why the service has no list of a kind.
fn absent_reason(rescue: &Rescue, kind: Kind) -> Option<&str> {
    rescue.counts.get(&kind)?.absent.as_deref()
}

/// What is said of a kind.
fn said(rescue: &Rescue, kind: Kind) -> String {
    let Some(count) = rescue.counts.get(&kind) else { return "not counted yet".to_owned() };
    if let Some(why) = absent_reason(rescue, kind) {
        return format!("not offered: {}", shown_short(why, 80));
    }
    let (named, received) = (grouped(count.named as u64), grouped(count.received as u64));
    let Some(receipt) = rescue.receipt_of(kind) else { return format!("{received} of {named} received") };
    match (receipt.equal, receipt.missing.len()) {
        (_, missing) if missing > 0 => format!("{} of {named} not equal", grouped(missing as u64)),
        (Some(equal), _) => format!("{} equal", grouped(equal as u64)),
        (None, _) => format!("{received} kept as received"),
    }
}

fn kind_ui(ui: &mut Ui, rescue: &Rescue, kind: Kind) {
    ui.style_mut().interaction.selectable_labels = false;
    let missing = rescue.receipt_of(kind).is_some_and(|receipt| !receipt.missing.is_empty());
    let absent = rescue.counts.get(&kind).is_none_or(|count| count.absent.is_some());
    let told = said(rescue, kind);
    ui.horizontal(|ui| {
        // Beside the frame of the row that has the keyboard.
        ui.add_space(SPACE_XS);
        if rescue.shown == Some(Shown::Kind(kind)) {
            ui.strong(kind.name());
        } else if absent {
            ui.muted(kind.name());
        } else {
            ui.label(kind.name());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(SPACE_XS);
            if missing {
                ui.decoration(Icon::WARNING.text().color(ui.tokens().warning));
            } else if rescue.receipt_of(kind).is_some_and(|receipt| receipt.equal.is_some_and(|equal| equal > 0)) {
                ui.decoration(Icon::DONE.text().color(ui.tokens().ok));
            }
            let short = if absent_reason(rescue, kind).is_some() { "not offered" } else { told.as_str() };
            let words = egui::RichText::new(short).small().color(ui.tokens().muted);
            let label = ui.add(egui::Label::new(words).truncate());
            if short != told {
                label.on_hover_text(&told);
            }
        });
    });
}
