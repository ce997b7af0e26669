//! External applications: those installed on this machine and those that integrate with the service, in one list.

use std::collections::HashMap;

use egui::{Align, Layout, Sense, Ui, vec2};
use serde_json::json;

use lunette_inspector::action::{ApplicationsAction, WriteAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::filter::{Filter, List};
use lunette_inspector::listing::Column as _;
use lunette_inspector::listing::rows::{ApplicationRow, ExternalColumn, ExternalKey, ExternalRow, ExternalState};
use lunette_inspector::navigation::Panel;
use lunette_inspector::{Action, State};

use crate::ui::app_icon;
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::list::copy_as::{self, Copied};
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::layout::{self, ListLayout};
use crate::ui::list::split::{Part, page_or_split_ui};
use crate::ui::list::states::{ListTexts, rows_ui};
use crate::ui::theme::{Icon, SPACE_S, Tokens, UiExt as _};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::table::{Column, Table, TableResponse, TableState, columns_button};
use crate::ui::widgets::{grouped, shown_short};

mod menu;
mod page;

/// The panel, and what is being typed into it.
pub struct ExternalPanel {
    filter: FilterField,
    /// The only state to show; `None` for all.
    state_filter: Option<ExternalState>,
    table: TableState,
    marks: KeyedSelection<ExternalRow, (String, String)>,
    /// The application whose row the table selected last.
    selected: Option<ExternalKey>,
    layout: ListLayout,
}

impl Default for ExternalPanel {
    fn default() -> Self {
        let (state_filter, table, selected, layout) = Default::default();
        let filter = FilterField::new(List::External, "Filter external applications");
        let marks = KeyedSelection::new(|row: &ExternalRow| (row.name.clone(), row.version.clone()));
        Self { filter, state_filter, table, marks, selected, layout }
    }
}

/// The side of an icon, in points.
const ICON: f32 = 18.0;

/// The columns of copied rows.
const COPY_COLUMNS: [&str; 7] = ["name", "version", "state", "integration", "identifier", "found by", "path"];

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    panel: Panel::External,
    things: "external applications",
    none: "No applications were found",
    advice: "The service found no installed applications and knows no integrations.",
};

/// Returns the columns for a list this wide; the column of the Track button has no title.
fn columns(width: f32) -> Vec<Column> {
    let wide = |column: Column, least: f32| if width < least { column.hidden() } else { column };
    vec![
        Column::text("name", "Name", 280.0_f32.min(width * 0.4)).growing(),
        wide(Column::text("version", "Version", 140.0_f32.min(width * 0.2)), 520.0),
        wide(Column::text("state", "State", 130.0), 300.0),
        wide(Column::text("found_by", "Found by", 130.0).unsorted(), 640.0),
        Column::text("integration", "Integration", 110.0).hidden(),
        wide(Column::text("track", "", 100.0).unsorted(), 420.0),
    ]
}

/// Draws the page of an external application below its title.
pub(in crate::ui::panels) fn page_body_ui(ui: &mut Ui, row: &ExternalRow, state: &State, actions: &mut Vec<Action>) {
    page::body_ui(ui, row, TrackedApplications::of(state).application(row), state, actions);
}

impl ExternalPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let kept = self.layout.restore("external", &mut self.table, state);
        let page = open_row(state);
        let (drawn, left) = page_or_split_ui(ui, "external", page.is_some(), kept, |ui, part| match (part, page) {
            (Part::Page, Some(row)) => {
                page::ui(ui, row, TrackedApplications::of(state).application(row), state, actions)
            }
            (Part::Page, None) => {}
            (Part::List, _) => self.list_ui(ui, state, actions),
        });
        if left {
            actions.push(ApplicationsAction::OpenExternal(None).into());
        }
        self.layout.page_drawn(drawn);
        self.layout.save(ui, "external", &self.table, actions);
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let listing = &state.applications.external;
        let columns = columns(ui.available_width());
        self.head_ui(ui, state, &columns, actions);
        self.states_ui(ui, state);
        ui.add_space(SPACE_S);
        let wanted = |index: &usize| {
            listing
                .shown(*index)
                .is_some_and(|row: &ExternalRow| self.state_filter.is_none_or(|state_filter| row.state == state_filter))
        };
        let indices: Vec<usize> = (0..listing.order.len()).filter(wanted).collect();
        self.marks.sync(listing, &mut self.table);
        self.selection_bar_ui(ui, state, &indices, actions);
        let Self { filter, .. } = self;
        let drawn = rows_ui(ui, state, listing, &TEXTS, actions, |actions| {
            filter.clear(actions);
            actions.push(ApplicationsAction::SetExternalQuery(listing.query.filtered(Filter::default())).into());
        });
        if !drawn {
            return;
        }
        match (indices.as_slice(), self.state_filter) {
            ([], Some(state_filter)) => {
                let title = format!("No applications are {}", state_filter.as_str().to_lowercase());
                if empty(ui, Icon::NO_MATCH, &title, "Other states have some.", &["Show all"]).is_some() {
                    self.state_filter = None;
                }
            }
            _ => self.table_ui(ui, state, &columns, &indices, actions),
        }
    }

    /// Draws the bar below the list while several applications are selected.
    fn selection_bar_ui(&mut self, ui: &mut Ui, state: &State, indices: &[usize], actions: &mut Vec<Action>) {
        let Self { table, marks, .. } = self;
        if marks.count() < 2 {
            copy_as::action_bar_hint_ui(ui, "external", "Select several applications to copy them");
            return;
        }
        let shown = indices
            .iter()
            .filter(|index| table.selection.contains(state.applications.external.number(**index)))
            .count();
        let counts = (marks.count(), marks.count().saturating_sub(shown));
        if let Some(kind) = copy_as::marked_ui(ui, "external", counts, table, |_| {}) {
            let rows = marks.rows(&state.applications.external).into_iter().map(copy_cells).collect();
            copy_as::copy(ui, kind, &Copied { columns: &COPY_COLUMNS, rows }, "applications", actions);
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        let mut changed = false;
        ui.horizontal(|ui| {
            ui.heading("External");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.icon_button(Icon::REFRESH, "Refresh the external applications").clicked() {
                    actions.push(Action::Refresh(Panel::External));
                }
                columns_button(ui, &columns[..5], &mut self.table);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    changed = self.filter.ui(ui, state, f32::INFINITY, "", actions).changed;
                });
            });
        });
        if self.filter.fault_ui(ui, actions) || changed {
            let filter = self.filter.filter().clone();
            actions
                .push(ApplicationsAction::SetExternalQuery(state.applications.external.query.filtered(filter)).into());
        }
        ui.add_space(SPACE_S);
    }

    /// Draws the buttons that show only one state, each with its count.
    fn states_ui(&mut self, ui: &mut Ui, state: &State) {
        let rows = &state.applications.external;
        let is_there = |state: &ExternalState| rows.iter().any(|row| row.state == *state);
        let states = ExternalState::ALL.into_iter().filter(|state| *state != ExternalState::Unknown || is_there(state));
        let choices = std::iter::once(None).chain(states.map(Some));
        ui.horizontal_wrapped(|ui| {
            for choice in choices {
                let count =
                    rows.iter().filter(|row| choice.is_none_or(|state_filter| row.state == state_filter)).count();
                let name = choice.map_or("All", ExternalState::as_str);
                let button =
                    ui.selectable_label(self.state_filter == choice, format!("{name} {}", grouped(count as u64)));
                let button = match choice {
                    Some(state) => button.on_hover_text(state.meaning()),
                    None => button,
                };
                if button.clicked() {
                    self.state_filter = choice;
                }
            }
        });
    }

    fn table_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        columns: &[Column],
        indices: &[usize],
        actions: &mut Vec<Action>,
    ) {
        let listing = &state.applications.external;
        let (tracked, why_disabled) = (TrackedApplications::of(state), disabled_reason(state, Capability::Track));
        self.select_open_row(state, indices);
        let row = |index: usize| indices.get(index).and_then(|index| listing.shown(*index));
        let open = open_row(state);
        let is_open = |index: usize| open.is_some_and(|open| row(index).is_some_and(|row| std::ptr::eq(row, open)));
        // Two applications may have the same name, so the index among all rows is part of the key.
        let key = |index: usize| {
            indices.get(index).and_then(|index| listing.order.get(*index)).map(u32::to_string).unwrap_or_default()
        };
        let name = |index: usize| row(index).map(|row| shown_short(&row.name, 120).into_owned()).unwrap_or_default();
        let number = |index: usize| indices.get(index).map_or(u32::MAX, |index| listing.number(*index));
        let mut chosen = Vec::new();
        let mut menu = |ui: &mut Ui, index: usize| {
            if let Some(row) = row(index) {
                menu::ui(ui, row, tracked.application(row).is_some(), state, &mut chosen);
            }
        };
        let drawn = Table::new("External applications", columns, indices.len(), &key)
            .row_menu(&mut menu)
            .row_name(&name)
            .number(&number)
            .secondary_sort()
            .open_row(&is_open)
            .show(ui, &mut self.table, |ui, index, column| {
                if let Some(row) = row(index) {
                    if columns[column].key == "name" {
                        icon_ui(ui, row, state);
                    }
                    cell_ui(ui, row, columns[column].key, (&tracked, why_disabled.as_deref()), actions);
                }
            });
        actions.extend(chosen);
        self.marks.record(listing, &self.table);
        self.handle_response(ui, &drawn, drawn.opened.or(drawn.focused).and_then(row), actions);
    }

    /// Clears the filters, sorts and opens as the keyboard or the mouse asked for.
    fn handle_response(
        &mut self,
        ui: &Ui,
        drawn: &TableResponse,
        opened: Option<&ExternalRow>,
        actions: &mut Vec<Action>,
    ) {
        if drawn.escaped && !self.filter.text().is_empty() {
            self.filter.select_all(ui);
        } else if drawn.escaped {
            self.state_filter = None;
        }
        if drawn.sorted.is_some() {
            let query = layout::query(&self.table, self.filter.filter().clone());
            actions.push(ApplicationsAction::SetExternalQuery(query).into());
        }
        if let Some(row) = opened
            && self.selected.as_ref() != Some(&row.key())
        {
            self.selected = Some(row.key());
            actions.push(ApplicationsAction::OpenExternal(self.selected.clone()).into());
        }
    }

    /// Selects the row of the open application, wherever it was opened from; a selection of several rows is kept.
    fn select_open_row(&mut self, state: &State, indices: &[usize]) {
        if self.selected == state.applications.external_open {
            return;
        }
        self.selected.clone_from(&state.applications.external_open);
        let Some(key) = &self.selected else { return };
        let listing = &state.applications.external;
        let is_row = |index: &usize| listing.shown(*index).is_some_and(|row: &ExternalRow| row.key() == *key);
        let Some(row) = indices.iter().position(is_row) else { return };
        let number = listing.number(indices[row]);
        match self.table.selection.count() {
            0 | 1 => self.table.select(row, number),
            _ => self.table.move_to(row, number),
        }
    }
}

/// Returns the row of the open application; `None` if it is no longer in the list.
fn open_row(state: &State) -> Option<&ExternalRow> {
    let key = state.applications.external_open.as_ref()?;
    let rows = state.applications.external.rows.value()?;
    let exact = rows.iter().find(|row| row.name == key.name && row.version == key.version);
    // It may have been updated since.
    exact.or_else(|| rows.iter().find(|row| row.name == key.name)).map(|row| row.as_ref())
}

/// Returns the cells of a copied row.
fn copy_cells(row: &ExternalRow) -> Vec<serde_json::Value> {
    let ExternalRow { name, version, state, related, identifier, found_by, path, .. } = row;
    let first = [json!(name), json!(version), json!(state.as_str()), json!(related), json!(identifier)];
    first.into_iter().chain([json!(found_by), json!(path)]).collect()
}

/// The applications that the service tracks.
struct TrackedApplications<'a> {
    by_name: HashMap<&'a str, &'a ApplicationRow>,
    /// How many external applications share an enum value; a shared one identifies none of them.
    shared: HashMap<&'a str, usize>,
}

impl<'a> TrackedApplications<'a> {
    fn of(state: &'a State) -> Self {
        let (rows, external) = (&state.applications.list, &state.applications.external);
        let mut shared = HashMap::new();
        for identifier in external.iter().filter_map(|row| row.identifier.as_deref()) {
            *shared.entry(identifier).or_default() += 1;
        }
        Self { by_name: rows.iter().map(|row| (row.name.as_str(), row.as_ref())).collect(), shared }
    }

    /// Returns the tracked application for an external one, by its name or by an enum value that only it has.
    fn application(&self, row: &ExternalRow) -> Option<&'a ApplicationRow> {
        let own = row.identifier.as_deref().filter(|identifier| self.shared.get(identifier) == Some(&1));
        let by_word = own.and_then(|identifier| self.by_name.get(identifier));
        self.by_name.get(row.name.as_str()).or(by_word).copied()
    }
}

fn track(row: &ExternalRow) -> Action {
    Action::Write(WriteAction::Track {
        name: row.name.clone(),
        version: row.version.clone(),
        identifier: row.identifier.clone(),
    })
}

/// Draws the icon of an application.
fn icon_ui(ui: &mut Ui, row: &ExternalRow, state: &State) {
    let (rect, _) = ui.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
    app_icon::paint(ui, rect, row.path.as_deref(), &row.name, state);
}

/// Draws a cell, given the tracked applications and why tracking is disabled.
fn cell_ui(
    ui: &mut Ui,
    row: &ExternalRow,
    key: &str,
    (tracked, why_disabled): (&TrackedApplications<'_>, Option<&str>),
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
            let (icon, color) = icon_and_color(row.state, ui.tokens());
            ui.decoration(icon.text().color(color));
            ui.colored_label(color, row.state.as_str()).on_hover_text(row.state.meaning());
        }
        Some(ExternalColumn::Related) => {
            if row.related || row.integration() != "None" {
                ui.muted(row.integration());
            }
        }
        None if key == "found_by" => {
            let found_by = ui.muted(&shown_short(row.found_by_text().unwrap_or_default(), 60));
            if let Some(path) = &row.path {
                found_by.on_hover_text(shown_short(path, 500));
            }
        }
        None if tracked.application(row).is_some() => {
            ui.decoration(Icon::CHECK.text().color(ui.tokens().ok));
            ui.muted("Tracked").on_hover_text("It is listed under Applications, and its use is counted");
        }
        // An application that is not installed is not used, so only its page says why it cannot be tracked.
        None if row.why_not_trackable().is_some() => {}
        None => {
            let name = format!("Track {}", shown_short(&row.name, 120));
            let button = enabled_unless(ui, why_disabled, |ui| ui.line_button("Track").accessible_name(&name));
            if button.on_hover_text("Shows the call that registers it with the service").clicked() {
                actions.push(track(row));
            }
        }
    }
}

/// Returns the icon and colour of a state; its label says the same.
fn icon_and_color(state: ExternalState, tokens: &Tokens) -> (Icon, egui::Color32) {
    match state {
        ExternalState::Installed => (Icon::DONE, tokens.ok),
        ExternalState::NotInstalled => (Icon::CLOSE, tokens.muted),
        ExternalState::Anticipated => (Icon::CLOCK, tokens.muted),
        ExternalState::Unknown => (Icon::WARNING, tokens.muted),
    }
}
