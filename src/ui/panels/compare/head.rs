//! The names of both sides, and what is done with the comparison as a whole.

use std::sync::Arc;

use egui::{Align, Label, Layout, RichText, Ui};

use lunette_inspector::Action;
use lunette_inspector::action::CompareAction;
use lunette_inspector::compare::{Comparison, Position, Tab};

use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::{grouped, shown_short};

/// Height of a name and of what is said of it, in points.
const HEIGHT: f32 = 40.0;
/// The least width of the right name, in points.
const MIN_NAME: f32 = 120.0;

/// Draws both names beside each other, with the buttons at the right.
pub(super) fn ui(ui: &mut Ui, tab: &Tab, comparison: &Arc<Comparison>, actions: &mut Vec<Action>) {
    let middle = ui.available_width() / 2.0;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons_ui(ui, tab, actions);
            if tab.shown.loading() {
                ui.caption("Reading again…");
            }
            ui.caption(&count_text(comparison.count()));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let room = ui.available_width() - SPACE_S;
                // Each name above its text, as far as there is room beside the buttons.
                let left = middle.min(room - MIN_NAME).max(room / 2.0);
                for (at, width) in [(Position::Left, left - SPACE_S), (Position::Right, room - left)] {
                    ui.allocate_ui_with_layout(egui::vec2(width, HEIGHT), Layout::top_down(Align::Min), |ui| {
                        ui.set_min_width(width);
                        side_ui(ui, at, comparison);
                    });
                }
            });
        });
    });
}

fn side_ui(ui: &mut Ui, at: Position, comparison: &Comparison) {
    let side = comparison.side(at);
    let sign = match at {
        Position::Left => "−",
        Position::Right => "+",
    };
    let title = RichText::new(format!("{sign} {}", shown_short(&side.title, 200))).strong();
    let label = ui.add(Label::new(title).truncate());
    label.on_hover_text(shown_short(&side.title, 2_000));
    let kind = RichText::new(shown_short(&side.kind, 400)).small().color(ui.tokens().muted);
    ui.add(Label::new(kind).truncate());
}

fn buttons_ui(ui: &mut Ui, tab: &Tab, actions: &mut Vec<Action>) {
    if ui.icon_button(Icon::REFRESH, "Read both sides again").clicked() {
        actions.push(CompareAction::Reload(tab.number).into());
    }
    if ui.icon_button(Icon::EXCHANGE, "Exchange the sides").clicked() {
        actions.push(CompareAction::Swap(tab.number).into());
    }
}

fn count_text(count: usize) -> String {
    match count {
        0 => "no differences".to_owned(),
        1 => "1 difference".to_owned(),
        count => format!("{} differences", grouped(count as u64)),
    }
}
