//! The changes of one application, newest first, and how much it was used by day.

use egui::Ui;
use jiff::civil::Date;

use crate::app::action::InventoryAction;
use crate::app::listing::rows::{InventoryRow, Usage};
use crate::app::{Action, State};
use crate::ui::format;
use crate::ui::theme::{SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::plot_days::{Day, plot_days};
use crate::ui::widgets::shown_short;

/// The most changes that are drawn.
const MOST: usize = 50;

/// Draws the changes of an application.
pub(super) fn ui(ui: &mut Ui, row: &InventoryRow, state: &State, actions: &mut Vec<Action>) {
    ui.add_space(SPACE_M);
    ui.section_title("Changes");
    ui.add_space(SPACE_S);
    if row.history.is_empty() {
        ui.caption(
            "None was noticed so far. Changes are noticed while a window is open, or by `lunette list --since`.",
        );
    }
    for change in row.history.iter().take(MOST) {
        let at = change.at.to_string();
        ui.key_value(&format::ago(&at), &shown_short(&change.words, 120)).on_hover_text(format::exact(&at));
    }
    if row.history.len() > MOST {
        ui.caption(&format!("{} earlier changes are not shown.", row.history.len() - MOST));
    }
    let names = row.plain_names();
    let mut quiet = !names.is_disjoint(&state.preferences.settings.quiet_updates);
    let tip =
        "For applications that update themselves: other versions stay in this list, and are not marked as changes";
    if ui.checkbox(&mut quiet, "Do not mark other versions").on_hover_text(tip).changed() {
        actions.push(InventoryAction::Quiet(names, quiet).into());
    }
}

/// A figure of a day.
type Figure = (&'static str, fn(&Usage) -> u64);

/// The figures that are kept by day.
const FIGURES: [Figure; 4] = [
    ("Sessions by day", |usage| usage.sessions),
    ("Open time by day, in minutes", |usage| usage.open_seconds / 60),
    ("Interactions by day", |usage| usage.interactions),
    ("Keys by day", |usage| usage.keyboard),
];

/// Draws how much a tracked application was used by day, as far as that was noticed; each figure once there is any.
pub(super) fn usage_ui(ui: &mut Ui, row: &InventoryRow, state: &State, actions: &mut Vec<Action>) {
    let days = state.inventory.usage_of(row);
    if days.is_empty() {
        return;
    }
    ui.add_space(SPACE_M);
    ui.section_title("Use by day, as noticed here");
    ui.add_space(SPACE_S);
    for (name, figure) in FIGURES {
        if days.iter().all(|(_, usage)| figure(usage) == 0) {
            continue;
        }
        ui.caption(name);
        let names: Vec<String> = days.iter().map(|(day, _)| day.to_string()).collect();
        let plotted = names.iter().zip(&days);
        let plotted: Vec<Day<'_>> = plotted.map(|(name, (_, usage))| Day { name, events: figure(usage) }).collect();
        plot_days(ui, name, &plotted, 56.0);
        ui.add_space(SPACE_S);
    }
    if ui.button("Copy the numbers").on_hover_text("Copies the figures of each day as CSV").clicked() {
        ui.ctx().copy_text(csv(&days));
        actions.push(Action::Notify(format!("Copied the use of {} days", days.len())));
    }
}

/// The figures of each day as comma-separated values.
fn csv(days: &[(Date, Usage)]) -> String {
    let line = |(day, usage): &(Date, Usage)| {
        let Usage { sessions, interactions, keyboard, open_seconds } = usage;
        format!("{day},{sessions},{open_seconds},{interactions},{keyboard}\n")
    };
    let lines: String = days.iter().map(line).collect();
    format!("day,sessions,open_seconds,interactions,keys\n{lines}")
}

/// The row of the inventory for a tracked application.
pub(super) fn row_of<'a>(state: &'a State, id: &str) -> Option<&'a InventoryRow> {
    let tracks = |row: &&std::sync::Arc<InventoryRow>| row.tracked.as_ref().is_some_and(|tracked| tracked.id == id);
    state.inventory.list.iter().find(tracks).map(std::sync::Arc::as_ref)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_copied_with_a_line_for_each_day() {
        let usage = Usage { sessions: 2, interactions: 3, keyboard: 4, open_seconds: 5 };
        let days = [("2026-11-01".parse().expect("a day"), usage)];
        assert_eq!(csv(&days), "day,sessions,open_seconds,interactions,keys\n2026-11-01,2,5,3,4\n");
    }
}
