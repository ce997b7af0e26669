//! The applications of all lists as a table or as cards, with their changes.

use std::collections::BTreeSet;

use egui::{Align, Layout, Sense, Ui, vec2};
use serde_json::json;

use crate::ui::app_icon;
use crate::ui::format;
use crate::ui::list::copy_as::{self, Copied};
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::layout::{self, ListLayout};
use crate::ui::list::split::{Part, page_or_split_ui};
use crate::ui::list::states::{ListTexts, rows_ui};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::table::{Column, Table, TableState, columns_button};
use crate::ui::widgets::{grouped, shown_short};
use lunette_inspector::action::{ApplicationsAction, GraphAction, InventoryAction};
use lunette_inspector::filter::{Filter, Flag, List, parse};
use lunette_inspector::graph::Start;
use lunette_inspector::inventory::Shown;
use lunette_inspector::listing::Column as _;
use lunette_inspector::listing::rows::{ApplicationRow, InventoryColumn, InventoryRow, Usage};
use lunette_inspector::navigation::Panel;
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::{Action, State};

use super::board::Board;
use super::page::ApplicationPageView;
use super::{head, inventory_page, labels};

/// The list and its view state.
pub(super) struct InventoryList {
    filter: FilterField,
    table: TableState,
    marks: KeyedSelection<InventoryRow, String>,
    /// The application whose row the table selected last.
    selected: Option<String>,
    /// The typed day.
    day: String,
    board: Board,
    layout: ListLayout,
    /// The last handled request for the filter for changes.
    changed_seen: u64,
    /// What was shown in the last frame, for commands.
    in_view: InView,
}

impl Default for InventoryList {
    fn default() -> Self {
        let (table, selected, day, board, layout) = Default::default();
        let filter = FilterField::new(List::Inventory, "Filter applications");
        Self {
            filter,
            table,
            marks: KeyedSelection::new(|row| row.key.clone()),
            selected,
            day,
            board,
            layout,
            changed_seen: 0,
            in_view: InView::default(),
        }
    }
}

/// The side of an icon in the table, in points.
const ICON: f32 = 18.0;

/// The columns of copied rows.
const COPY_COLUMNS: [&str; 8] =
    ["name", "version", "platform", "state", "integration", "changed", "change", "sessions since"];

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    panel: Panel::Applications,
    things: "applications",
    none: "No applications are known",
    advice: "The service tracks no applications, found none on this machine, and knows no integrations.",
};

impl InventoryList {
    /// Draws the list and the page of the open application.
    pub fn ui(&mut self, ui: &mut Ui, view: &mut ApplicationPageView, state: &State, actions: &mut Vec<Action>) {
        self.in_view = InView::nothing(Panel::Applications);
        let kept = self.layout.restore("inventory", &mut self.table, state);
        let open = open_row(state);
        let (drawn, left) = page_or_split_ui(ui, "inventory", open.is_some(), kept, |ui, part| match (part, open) {
            (Part::Page, Some(row)) => match &state.applications.open {
                Some(page) if row.tracked.is_some() => view.ui(ui, page, state, actions),
                _ => inventory_page::ui(ui, row, state, actions),
            },
            (Part::Page, None) => {}
            (Part::List, _) => self.list_ui(ui, state, actions),
        });
        if left {
            actions.push(InventoryAction::Close.into());
        }
        self.layout.page_drawn(drawn);
        self.layout.save(ui, "inventory", &self.table, actions);
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let columns = columns(ui.available_width());
        self.head_ui(ui, state, &columns, actions);
        head::problems_ui(ui, state, actions);
        let listing = &state.inventory.list;
        self.marks.sync(listing, &mut self.table);
        let as_cards = state.inventory.shown == Shown::Board;
        if !as_cards {
            self.selection_bar_ui(ui, state, actions);
        }
        let Self { filter, .. } = self;
        let drawn = rows_ui(ui, state, listing, &TEXTS, actions, |actions| {
            filter.clear(actions);
            actions.push(InventoryAction::SetQuery(listing.query.filtered(Filter::default())).into());
        });
        let mut seen = BTreeSet::new();
        match drawn {
            true if as_cards => self.in_view.focused = self.board.ui(ui, state, &mut seen, actions),
            true => self.table_ui(ui, state, &columns, &mut seen, actions),
            false => {}
        }
        if !seen.is_empty() {
            actions.push(InventoryAction::MarkSeen(seen).into());
        }
        // Cards are not selected in the table.
        if !as_cards {
            self.in_view.selected = self.marks.in_view(listing, |row| subject(row));
        }
    }

    /// Returns what was shown in the last frame.
    pub(super) fn in_view(&self) -> &InView {
        &self.in_view
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        let mut changed = false;
        ui.horizontal(|ui| {
            ui.heading("Applications");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.icon_button(Icon::REFRESH, "Refresh the applications").clicked() {
                    actions.extend([Action::Refresh(Panel::Applications), Action::Refresh(Panel::External)]);
                }
                if state.inventory.shown == Shown::All {
                    columns_button(ui, columns, &mut self.table);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    changed = self.filter.ui(ui, state, f32::INFINITY, "", actions).changed;
                });
            });
        });
        if self.filter.fault_ui(ui, actions) || changed {
            self.push_query(state, actions);
        }
        ui.horizontal_wrapped(|ui| {
            head::shown_ui(ui, state, actions);
            let mut toggled = head::lists_ui(ui, state, self.filter.text());
            let on = head::has_term(self.filter.text(), Flag::Changed);
            if head::since_ui(ui, state, on, &mut self.day, actions) {
                toggled = Some(Flag::Changed);
            }
            let asked = std::mem::replace(&mut self.changed_seen, state.inventory.changed_requests);
            if asked < state.inventory.changed_requests {
                // A typed filter would hide some of them.
                self.filter.clear(actions);
                toggled = Some(Flag::Changed);
            }
            if let Some(flag) = toggled {
                match parse(&head::with_term_toggled(self.filter.text(), flag), List::Inventory) {
                    Ok(filter) => self.filter.set_filter(&filter, actions),
                    Err(_) => self.filter.clear(actions),
                }
                self.push_query(state, actions);
            }
        });
        ui.add_space(SPACE_S);
    }

    fn push_query(&self, state: &State, actions: &mut Vec<Action>) {
        let filter = self.filter.filter().clone();
        actions.push(InventoryAction::SetQuery(state.inventory.list.query.filtered(filter)).into());
    }

    /// Draws the bar below the list while several applications are selected.
    fn selection_bar_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Self { table, marks, .. } = self;
        if marks.count() < 2 {
            copy_as::action_bar_hint_ui(ui, "inventory", "Select several applications to copy them");
            return;
        }
        let counts = (marks.count(), marks.hidden());
        if let Some(kind) = copy_as::marked_ui(ui, "inventory", counts, table, |_| {}) {
            let rows = marks.rows(&state.inventory.list).into_iter().map(copy_cells).collect();
            copy_as::copy(ui, kind, &Copied { columns: &COPY_COLUMNS, rows }, "applications", actions);
        }
    }

    /// Draws the table; adds the keys of the rows whose changes are seen for the first time.
    fn table_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        columns: &[Column],
        seen: &mut BTreeSet<String>,
        actions: &mut Vec<Action>,
    ) {
        let Self { filter, table, marks, selected, in_view, .. } = self;
        let listing = &state.inventory.list;
        let row = |index: usize| listing.shown(index);
        let open = open_row(state).map(|row| row.key.as_str());
        let is_open = |index: usize| open.is_some() && row(index).map(|row| row.key.as_str()) == open;
        let key = |index: usize| row(index).map(|row| row.key.clone()).unwrap_or_default();
        let name = |index: usize| row(index).map(|row| labels::application(&row.name)).unwrap_or_default();
        let number = |index: usize| listing.number(index);
        let mut menu = |ui: &mut Ui, index: usize| {
            if let Some(row) = row(index) {
                menu_ui(ui, row, actions);
            }
        };
        let drawn = Table::new("Applications of all lists", columns, listing.order.len(), &key)
            .row_menu(&mut menu)
            .row_name(&name)
            .number(&number)
            .secondary_sort()
            .open_row(&is_open)
            .show(ui, table, |ui, index, column| {
                if let Some(row) = row(index) {
                    if column == 0 && state.inventory.is_unseen(row) {
                        seen.insert(row.key.clone());
                    }
                    cell_ui(ui, row, columns[column].key, state);
                }
            });
        marks.record(listing, table);
        in_view.focused = drawn.ringed.and_then(row).and_then(subject);
        if drawn.escaped && !filter.text().is_empty() {
            filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(InventoryAction::SetQuery(layout::query(table, filter.filter().clone())).into());
        }
        if let Some(row) = drawn.opened.or(drawn.focused).and_then(row) {
            open_once(row, selected, state, actions);
        }
    }
}

/// Opens the page of a row, unless it was opened before and is still open.
fn open_once(row: &InventoryRow, selected: &mut Option<String>, state: &State, actions: &mut Vec<Action>) {
    if selected.as_ref() != Some(&row.key) || open_row(state).is_none() {
        *selected = Some(row.key.clone());
        actions.push(InventoryAction::Open(row.key.clone()).into());
    }
}

/// Returns the row of the open page: that of a tracked application closes with its record.
fn open_row(state: &State) -> Option<&InventoryRow> {
    let row = state.inventory.open_row()?;
    (row.tracked.is_none() || state.applications.open.is_some()).then_some(row)
}

/// Returns what commands act on in a row: the tracked application, if it is one.
pub(super) fn subject(row: &InventoryRow) -> Option<Subject> {
    let tracked = row.tracked.as_ref()?;
    Some(Subject::Application { id: tracked.id.clone(), name: labels::application(&row.name) })
}

/// Draws the context menu of an application.
pub(super) fn menu_ui(ui: &mut Ui, row: &InventoryRow, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(InventoryAction::Open(row.key.clone()).into());
    }
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&row.name), actions);
    copy_as::entry_ui(ui, "version", Some(&row.version).filter(|version| !version.is_empty()), actions);
    if let Some(tracked) = &row.tracked {
        copy_as::entry_ui(ui, "id", Some(&tracked.id), actions);
        graph_entry_ui(ui, tracked, actions);
        if entry(ui, Icon::APPLICATIONS, "Show in tracked applications") {
            actions.push(InventoryAction::Show(Shown::Tracked).into());
            actions.push(ApplicationsAction::Open(tracked.id.clone()).into());
        }
    }
}

/// Draws the entry that shows the graph of a tracked application.
pub(super) fn graph_entry_ui(ui: &mut Ui, row: &ApplicationRow, actions: &mut Vec<Action>) {
    if entry(ui, Icon::GRAPH, "Show graph") {
        let start = Start::application(&row.id, &labels::application(&row.name));
        actions.push(GraphAction::Start(vec![start]).into());
    }
}

/// Returns the cells of a copied row.
fn copy_cells(row: &InventoryRow) -> Vec<serde_json::Value> {
    let change = row.change.as_ref();
    vec![
        json!(row.name),
        json!(row.version),
        json!(row.platform),
        json!(row.state.as_str()),
        json!(row.integration()),
        json!(change.map(|change| change.at.to_string())),
        json!(change.map(|change| &change.description)),
        json!(row.used.map(|used| used.sessions)),
    ]
}

/// Returns the columns for a list this wide; the most important ones are hidden last.
fn columns(width: f32) -> Vec<Column> {
    let wide = |column: Column, least: f32| if width < least { column.hidden() } else { column };
    vec![
        Column::text("name", "Name", 150.0).growing(),
        wide(Column::text("version", "Version", 80.0), 480.0),
        wide(Column::text("platform", "Platform", 84.0), 860.0),
        Column::text("state", "State", 100.0),
        wide(Column::text("integration", "Integration", 96.0), 700.0),
        Column::text("change", "Change", 150.0),
        wide(Column::figures("used", "Used", 96.0), 600.0),
    ]
}

fn cell_ui(ui: &mut Ui, row: &InventoryRow, key: &str, state: &State) {
    match InventoryColumn::named(key) {
        Some(InventoryColumn::Name) => {
            let name = labels::application(&row.name);
            let (rect, _) = ui.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
            app_icon::paint(ui, rect, app_icon::path_of(row), &name, state);
            ui.label(name);
        }
        Some(InventoryColumn::Version) => {
            ui.muted(&shown_short(&row.version, 40));
        }
        Some(InventoryColumn::Platform) => {
            ui.muted(&labels::plain(&row.platform));
        }
        Some(InventoryColumn::State) => {
            let color = labels::state_color(ui.tokens(), row.state);
            ui.colored_label(color, row.state.as_str());
        }
        Some(InventoryColumn::Integration) => {
            ui.muted(row.integration());
        }
        Some(InventoryColumn::Change) => {
            if let Some(change) = &row.change {
                let at = change.at.to_string();
                let text = format!("{}, {}", shown_short(&change.description, 80), format::ago(&at));
                ui.colored_label(ui.tokens().warning, text).on_hover_text(format::exact(&at));
            }
        }
        Some(InventoryColumn::Used) => used_ui(ui, row.used),
        None => {}
    }
}

/// Draws the usage of an application; draws nothing if it is unknown, which is not zero.
fn used_ui(ui: &mut Ui, used: Option<Usage>) {
    let Some(Usage { sessions, interactions, keyboard, open_seconds }) = used else { return };
    let events = grouped(interactions.saturating_add(keyboard));
    let tip = format!("{} sessions, {} minutes open, {events} events", grouped(sessions), grouped(open_seconds / 60));
    ui.label(events).on_hover_text(tip);
}
