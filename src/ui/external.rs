//! External applications: what is installed on this machine and what integrates with the service, as one list.

use std::collections::BTreeSet;

use egui::{Align, Layout, Ui};
use serde_json::json;

use crate::app::feature::Feature;
use crate::app::filter::List;
use crate::app::listing::{Column as _, Direction, Query};
use crate::app::rows::{ExternalColumn, ExternalRow, ExternalState};
use crate::app::state::Panel;
use crate::app::{Action, State};

use super::copies::{self, Copied};
use super::filter_field::FilterField;
use super::layout::LayoutKeeper;
use super::list_states::{ListWords, rows_ui};
use super::marks::Marks;
use super::obstacle::{obstacle, unless};
use super::split::{Part, split_ui};
use super::theme::{Icon, SPACE_S, Tokens, UiExt as _};
use super::widget::state::empty;
use super::widget::table::{Column, Sort, Table, TableState, columns_menu};
use super::widget::{grouped, shown_short};

/// The panel, and what is being typed into it.
pub struct ExternalPanel {
    filter: FilterField,
    /// The state to show alone; None for all.
    only: Option<ExternalState>,
    table: TableState,
    marks: Marks<ExternalRow, (String, String)>,
    layout: LayoutKeeper,
}

impl Default for ExternalPanel {
    fn default() -> Self {
        let (only, table, layout) = Default::default();
        let filter = FilterField::new(List::External, "Filter external applications");
        let marks = Marks::new(|row: &ExternalRow| (row.name.clone(), row.version.clone()));
        Self { filter, only, table, marks, layout }
    }
}

/// The columns of what is copied.
const COPIED: [&str; 5] = ["name", "version", "state", "integration", "identifier"];

/// How the list is spoken of.
const WORDS: ListWords = ListWords {
    panel: Panel::External,
    things: "external applications",
    none: "No applications were found",
    advice: "The service found nothing installed on its machine, and knows of no integrations.",
};

/// The columns; the button to track an application has no title.
const COLUMNS: [Column; 5] = [
    Column::text("name", "Name", 280.0).growing(),
    Column::text("version", "Version", 140.0),
    Column::text("state", "State", 150.0),
    Column::text("integration", "Integration", 140.0),
    Column::text("track", "", 100.0).unsorted(),
];

impl ExternalPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let kept = self.layout.kept("external", &mut self.table, state);
        split_ui(ui, "external", false, kept, |ui, part| {
            if part == Part::List {
                self.list_ui(ui, state, actions);
            }
        });
        self.layout.keep(ui, "external", &self.table, actions);
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let listing = &state.external;
        self.head_ui(ui, state, actions);
        self.states_ui(ui, state);
        ui.add_space(SPACE_S);
        let wanted = |place: &usize| {
            listing.shown(*place).is_some_and(|row: &ExternalRow| self.only.is_none_or(|only| row.state == only))
        };
        let places: Vec<usize> = (0..listing.order.len()).filter(wanted).collect();
        self.marks.follow(listing, &mut self.table);
        self.marked_ui(ui, state, &places, actions);
        let Self { filter, .. } = self;
        let drawn = rows_ui(ui, state, listing, &WORDS, actions, |actions| {
            filter.clear(actions);
            actions.push(Action::ArrangeExternal(Query { sort: listing.query.sort, ..Query::default() }));
        });
        if !drawn {
            return;
        }
        match (places.as_slice(), self.only) {
            ([], Some(only)) => {
                let title = format!("None is {}", only.as_str().to_lowercase());
                if empty(ui, Icon::NO_MATCH, &title, "Others may be in another state.", &["Show all"]).is_some() {
                    self.only = None;
                }
            }
            _ => self.table_ui(ui, state, &places, actions),
        }
    }

    /// The line below the list while several applications are marked.
    fn marked_ui(&mut self, ui: &mut Ui, state: &State, places: &[usize], actions: &mut Vec<Action>) {
        let Self { table, marks, .. } = self;
        if marks.count() < 2 {
            return;
        }
        let shown = places.iter().filter(|place| table.selection.contains(state.external.number(**place))).count();
        let counts = (marks.count(), marks.count().saturating_sub(shown));
        if let Some(kind) = copies::marked_ui(ui, "external", counts, table, |_| {}) {
            let rows = marks.rows(&state.external).into_iter().map(cells).collect();
            copies::copy(ui, kind, &Copied { columns: &COPIED, rows }, "applications", actions);
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let mut changed = false;
        ui.horizontal(|ui| {
            ui.heading("External");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.icon_button(Icon::REFRESH, "Refresh the external applications").clicked() {
                    actions.push(Action::Refresh(Panel::External));
                }
                ui.icon_menu(Icon::COLUMNS, "Columns", |ui| columns_menu(ui, &COLUMNS[..4], &mut self.table));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    changed = self.filter.ui(ui, state, f32::INFINITY, "", actions).changed;
                });
            });
        });
        if self.filter.fault_ui(ui, actions) || changed {
            let (filter, sort) = (self.filter.filter().clone(), state.external.query.sort);
            actions.push(Action::ArrangeExternal(Query { filter, sort }));
        }
        ui.add_space(SPACE_S);
    }

    /// The buttons that show one state alone, each with how many there are.
    fn states_ui(&mut self, ui: &mut Ui, state: &State) {
        let rows = state.external.rows.value().map_or(&[][..], |rows| rows.as_slice());
        let choices =
            [None, Some(ExternalState::Installed), Some(ExternalState::NotInstalled), Some(ExternalState::Anticipated)];
        ui.horizontal_wrapped(|ui| {
            for choice in choices {
                let count = rows.iter().filter(|row| choice.is_none_or(|only| row.state == only)).count();
                let name = choice.map_or("All", ExternalState::as_str);
                let button = ui.selectable_label(self.only == choice, format!("{name} {}", grouped(count as u64)));
                if button.clicked() {
                    self.only = choice;
                }
            }
        });
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &State, places: &[usize], actions: &mut Vec<Action>) {
        let listing = &state.external;
        let (tracked, held) = (tracked(state), obstacle(state, Feature::Track));
        let row = |place: usize| places.get(place).and_then(|place| listing.shown(*place));
        // Two may have one name, so the place among all rows tells them apart.
        let key = |place: usize| {
            places.get(place).and_then(|place| listing.order.get(*place)).map(u32::to_string).unwrap_or_default()
        };
        let name = |place: usize| row(place).map(|row| shown_short(&row.name, 120).into_owned()).unwrap_or_default();
        let number = |place: usize| places.get(place).map_or(u32::MAX, |place| listing.number(*place));
        let drawn = Table::new("External applications", &COLUMNS, places.len(), &key)
            .row_name(&name)
            .number(&number)
            .show(ui, &mut self.table, |ui, place, index| {
                if let Some(row) = row(place) {
                    cell_ui(ui, row, COLUMNS[index].key, (&tracked, held.as_deref()), actions);
                }
            });
        self.marks.note(listing, &self.table);
        if drawn.escaped && !self.filter.text().is_empty() {
            self.filter.clear(actions);
            actions.push(Action::ArrangeExternal(Query { sort: listing.query.sort, ..Query::default() }));
        } else if drawn.escaped {
            self.only = None;
        }
        if let Some(Sort { column: key, descending }) = drawn.sorted {
            let direction = if descending { Direction::Down } else { Direction::Up };
            let sort = ExternalColumn::named(&key).map(|column| (column, direction));
            actions.push(Action::ArrangeExternal(Query { filter: self.filter.filter().clone(), sort }));
        }
        if let Some(row) = drawn.opened.and_then(row)
            && !is_tracked(row, &tracked)
            && held.is_none()
        {
            actions.push(track(row));
        }
    }
}

/// A row as it is copied.
fn cells(row: &ExternalRow) -> Vec<serde_json::Value> {
    let ExternalRow { name, version, state, related, identifier, .. } = row;
    vec![json!(name), json!(version), json!(state.as_str()), json!(related), json!(identifier)]
}

/// The names and words of the applications that are tracked already.
fn tracked(state: &State) -> BTreeSet<&str> {
    let rows = state.applications.rows.value().map_or(&[][..], |rows| rows.as_slice());
    rows.iter().map(|row| row.name.as_str()).collect()
}

fn is_tracked(row: &ExternalRow, tracked: &BTreeSet<&str>) -> bool {
    tracked.contains(row.name.as_str()) || row.identifier.as_deref().is_some_and(|word| tracked.contains(word))
}

fn track(row: &ExternalRow) -> Action {
    Action::Track { name: row.name.clone(), version: row.version.clone(), identifier: row.identifier.clone() }
}

/// A cell; beside which are tracked already, what stands in the way of tracking one.
fn cell_ui(
    ui: &mut Ui,
    row: &ExternalRow,
    key: &str,
    (tracked, held): (&BTreeSet<&str>, Option<&str>),
    actions: &mut Vec<Action>,
) {
    match ExternalColumn::named(key) {
        Some(ExternalColumn::Name) => {
            ui.label(shown_short(&row.name, 120));
        }
        Some(ExternalColumn::Version) => {
            ui.muted(&shown_short(&row.version, 60));
        }
        Some(ExternalColumn::State) => {
            let (icon, color) = sign(row.state, ui.tokens());
            ui.label(icon.text().color(color));
            ui.colored_label(color, row.state.as_str());
        }
        Some(ExternalColumn::Related) => {
            if row.related {
                ui.label(Icon::LINK.text().color(ui.tokens().muted));
                ui.muted("Integration").on_hover_text("One of the applications that work with this service");
            }
        }
        None if is_tracked(row, tracked) => {
            ui.label(Icon::CHECK.text().color(ui.tokens().ok));
            ui.muted("Tracked");
        }
        None => {
            let name = format!("Track {}", shown_short(&row.name, 120));
            let button = unless(ui, held, |ui| ui.line_button("Track").accessible_name(&name));
            if button.on_hover_text("Register it with the service").clicked() {
                actions.push(track(row));
            }
        }
    }
}

/// The sign and colour of a state; its word says the same.
fn sign(state: ExternalState, tokens: &Tokens) -> (Icon, egui::Color32) {
    match state {
        ExternalState::Installed => (Icon::DONE, tokens.ok),
        ExternalState::NotInstalled => (Icon::CLOSE, tokens.muted),
        ExternalState::Anticipated => (Icon::CLOCK, tokens.muted),
    }
}
