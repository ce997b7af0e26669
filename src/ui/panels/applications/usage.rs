//! The usage of a tracked application by day: plots, their numbers, and a picture to save.
//!
//! What must hold: every number has a unit; days without usage are shown.

use egui::Ui;
use jiff::civil::Date;
use serde_json::Value;

use crate::ui::raster::Pictures;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::grouped;
use crate::ui::widgets::plot_days::{Day, Unit, plot_days};
use lunette_inspector::action::InventoryAction;
use lunette_inspector::graph::{Drawing, Mark};
use lunette_inspector::listing::rows::{InventoryRow, Usage};
use lunette_inspector::{Action, State, tables};

use super::labels;

/// A number per day.
struct Metric {
    name: &'static str,
    unit: Unit,
    of: fn(&Usage) -> u64,
}

/// The numbers that are stored by day.
const METRICS: [Metric; 4] = [
    Metric { name: "Sessions by day", unit: Unit("session", "sessions"), of: |usage| usage.sessions },
    Metric { name: "Open time by day", unit: Unit("minute", "minutes"), of: |usage| usage.open_seconds / 60 },
    Metric { name: "Interactions by day", unit: Unit("interaction", "interactions"), of: |usage| usage.interactions },
    Metric { name: "Keys by day", unit: Unit("key", "keys"), of: |usage| usage.keyboard },
];

/// Returns the metrics that are not always zero.
fn metrics(days: &[(Date, Usage)]) -> impl Iterator<Item = &'static Metric> {
    METRICS.iter().filter(|figure| days.iter().any(|(_, usage)| (figure.of)(usage) > 0))
}

/// Draws the recorded usage of a tracked application by day; metrics that are always zero are omitted.
pub(super) fn ui(ui: &mut Ui, row: &InventoryRow, pictures: &mut Pictures, state: &State, actions: &mut Vec<Action>) {
    let name = labels::application(&row.name);
    if let Some(picture) = pictures.receive(ui.ctx()) {
        actions.push(InventoryAction::SavePlot(format!("usage of {name}.png"), picture).into());
    }
    let days = state.inventory.daily_usage(row, jiff::ZonedDateTime::now().date());
    if days.is_empty() {
        return;
    }
    ui.add_space(SPACE_M);
    ui.section_title("Usage by day, as recorded here");
    ui.add_space(SPACE_S);
    let names: Vec<String> = days.iter().map(|(day, _)| day.to_string()).collect();
    for figure in metrics(&days) {
        ui.caption(&format!("{}, in {}", figure.name, figure.unit.1));
        let plotted = names.iter().zip(&days);
        let plotted: Vec<Day<'_>> = plotted.map(|(name, (_, usage))| Day { name, count: (figure.of)(usage) }).collect();
        plot_days(ui, figure.name, figure.unit, &plotted, 56.0);
        ui.add_space(SPACE_S);
    }
    ui.horizontal_wrapped(|ui| {
        if ui
            .icon_text_button(Icon::COPY, "Copy the numbers")
            .on_hover_text("Copies the numbers of each day as CSV")
            .clicked()
        {
            ui.ctx().copy_text(csv(&days));
            actions.push(Action::Notify(format!("Copied the usage of {}", Unit("day", "days").of(days.len() as u64))));
        }
        if ui.icon_text_button(Icon::PICTURE, "Save as PNG…").on_hover_text("Saves the plots as a picture").clicked()
        {
            pictures.ask(move || drawing(&name, &days));
            ui.ctx().request_repaint();
        }
    });
}

/// Returns the numbers of each day as comma-separated values.
fn csv(days: &[(Date, Usage)]) -> String {
    let row = |(day, usage): &(Date, Usage)| {
        let Usage { sessions, interactions, keyboard, open_seconds } = *usage;
        [day.to_string().into(), sessions.into(), open_seconds.into(), interactions.into(), keyboard.into()]
    };
    tables::csv::<[Value; 5]>(&["day", "sessions", "open_seconds", "interactions", "keys"], days.iter().map(row))
}

/// The size of a plot of the picture, and the space around it, in points.
const PLOT: [f32; 2] = [640.0, 90.0];
const MARGIN: f32 = 70.0;
/// The height of a plot with its title and axis.
const SECTION: f32 = PLOT[1] + 56.0;

/// Returns a drawing of the plots, one below another.
fn drawing(name: &str, days: &[(Date, Usage)]) -> Drawing {
    let (mut marks, mut top) = (Vec::new(), 30.0);
    let middle = MARGIN + PLOT[0] / 2.0;
    marks.push(Mark::Text { at: [middle, top], text: format!("Usage of {name} by day"), size: 16.0 });
    for figure in metrics(days) {
        top += 30.0;
        plot_marks(figure, days, top, &mut marks);
        top += SECTION - 30.0;
    }
    Drawing { width: PLOT[0] + 2.0 * MARGIN, height: top + 20.0, marks }
}

fn plot_marks(figure: &Metric, days: &[(Date, Usage)], top: f32, marks: &mut Vec<Mark>) {
    let counts: Vec<u64> = days.iter().map(|(_, usage)| (figure.of)(usage)).collect();
    let most = counts.iter().copied().max().unwrap_or_default().max(1);
    let total = counts.iter().copied().fold(0, u64::saturating_add);
    let title = format!("{}: {}", figure.name, figure.unit.of(total));
    let mut text = |x: f32, y: f32, text: String| marks.push(Mark::Text { at: [x, y], text, size: 11.0 });
    let bottom = top + 14.0 + PLOT[1];
    text(MARGIN + PLOT[0] / 2.0, top, title);
    text(MARGIN - 30.0, top + 22.0, grouped(most));
    text(MARGIN - 30.0, bottom, "0".to_owned());
    if let (Some((first, _)), Some((last, _))) = (days.first(), days.last()) {
        text(MARGIN + 30.0, bottom + 16.0, first.to_string());
        if first != last {
            text(MARGIN + PLOT[0] - 30.0, bottom + 16.0, last.to_string());
        }
    }
    marks.push(Mark::Line { from: [MARGIN, bottom], to: [MARGIN + PLOT[0], bottom], dashed: false });
    let step = PLOT[0] / days.len().max(1) as f32;
    for (at, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let height = *count as f32 / most as f32 * PLOT[1];
        let (left, right) = (MARGIN + step * (at as f32 + 0.14), MARGIN + step * (at as f32 + 0.86));
        let corners = vec![[left, bottom - height], [right, bottom - height], [right, bottom], [left, bottom]];
        marks.push(Mark::Shape { corners, fill: [0x8f, 0xb3, 0xe0], dashed: false });
    }
}

#[cfg(test)]
mod tests;
