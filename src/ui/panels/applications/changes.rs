//! The changes of one application, newest first.

use egui::{Label, RichText, Sense, Ui, vec2};

use crate::ui::format;
use crate::ui::theme::{self, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_inspector::action::InventoryAction;
use lunette_inspector::listing::rows::{InventoryRow, RowChange};
use lunette_inspector::{Action, State};

/// The maximum number of changes drawn.
const MAX_CHANGES: usize = 50;

/// Draws the changes of an application.
pub(super) fn ui(ui: &mut Ui, row: &InventoryRow, state: &State, actions: &mut Vec<Action>) {
    ui.add_space(SPACE_M);
    ui.section_title("Changes");
    ui.add_space(SPACE_S);
    if row.history.is_empty() {
        ui.caption("No changes yet. Changes are detected while a window is open, or by “lunette list --since”.");
    }
    let shown = row.history.len().min(MAX_CHANGES);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, change) in row.history.iter().take(MAX_CHANGES).enumerate() {
            entry_ui(ui, change, index == 0, index + 1 == shown);
        }
    });
    if row.history.len() > MAX_CHANGES {
        ui.caption(&format!("{} earlier changes are not shown.", row.history.len() - MAX_CHANGES));
    }
    let names = row.plain_names();
    let mut quiet = !names.is_disjoint(&state.preferences.settings.quiet_updates);
    let tip = "For applications that update themselves: version changes are listed here, but not marked as changes";
    if theme::checkbox(ui, &mut quiet, "Ignore version changes").on_hover_text(tip).changed() {
        actions.push(InventoryAction::Quiet(names, quiet).into());
    }
}

/// The height of an entry of the timeline, in points.
const LINE: f32 = 24.0;

/// Draws an entry of the timeline: a dot, the day, and the change.
fn entry_ui(ui: &mut Ui, change: &RowChange, first: bool, last: bool) {
    let at = change.at.to_string();
    let drawn = ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, LINE), Sense::hover());
        let (t, middle) = (ui.tokens(), rect.center());
        let top = if first { middle.y } else { rect.top() };
        let bottom = if last { middle.y } else { rect.bottom() };
        ui.painter().vline(middle.x, top..=bottom, (1.5, t.line));
        ui.painter().circle_filled(middle, 4.0, if first { t.accent } else { t.bar });
        ui.add_sized(vec2(86.0, LINE), Label::new(RichText::new(day(change)).color(t.muted)).selectable(false));
        ui.add(Label::new(shown_short(&change.description, 120)).truncate());
        ui.muted(&format::ago(&at));
    });
    drawn.response.on_hover_text(format::exact(&at));
}

/// Returns the day of a change in the time zone of the user.
fn day(change: &RowChange) -> String {
    change.at.to_zoned_datetime(jiff::tz::TimeZone::system()).date().to_string()
}

/// Returns the row of a tracked application.
pub(super) fn row_of<'a>(state: &'a State, id: &str) -> Option<&'a InventoryRow> {
    let tracks = |row: &&std::sync::Arc<InventoryRow>| row.tracked.as_ref().is_some_and(|tracked| tracked.id == id);
    state.inventory.list.iter().find(tracks).map(std::sync::Arc::as_ref)
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    fn page(changes: usize) -> Harness<'static, (InventoryRow, Vec<Action>)> {
        let mut row = InventoryRow::removed("key".to_owned(), "EDITOR".to_owned(), String::new());
        let newest: jiff::Timestamp = "2026-11-20T12:00:00Z".parse().expect("a timestamp");
        let change = |back: usize| {
            let at = newest - jiff::SignedDuration::from_hours(48 * back as i64);
            RowChange { at, description: format!("Upgraded: 1.{} → 1.{}", changes - back, changes - back + 1) }
        };
        row.history = (0..changes).map(change).collect();
        Harness::builder().with_context_setup(crate::ui::theme::install).with_size([700.0, 2_000.0]).build_ui_state(
            |ui, (row, actions): &mut (InventoryRow, Vec<Action>)| {
                super::ui(ui, row, &State::default(), actions);
            },
            (row, Vec::new()),
        )
    }

    #[test]
    fn the_timeline_has_the_day_and_description_of_each_change_newest_first() {
        let mut page = page(3);
        page.run();
        let top = |label: &str| page.get_by_label(label).rect().top();
        let lines = ["Upgraded: 1.3 → 1.4", "Upgraded: 1.2 → 1.3", "Upgraded: 1.1 → 1.2"];
        assert!(lines.windows(2).all(|pair| top(pair[0]) < top(pair[1])));
        for day in ["2026-11-20", "2026-11-18", "2026-11-16"] {
            page.get_by_label(day);
        }
        assert!(page.query_by_label_contains("are not shown").is_none());
    }

    #[test]
    fn only_the_newest_changes_are_drawn_and_the_rest_are_counted() {
        let mut page = page(MAX_CHANGES + 7);
        page.run();
        assert_eq!(page.query_all_by_label_contains("Upgraded: ").count(), MAX_CHANGES);
        page.get_by_label("7 earlier changes are not shown.");
        let mut none = self::page(0);
        none.run();
        none.get_by_label_contains("No changes yet");
    }
}
