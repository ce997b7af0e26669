//! The list of tracked applications.

use egui::{Align, Layout, Sense, Ui, vec2};
use serde_json::json;

use lunette_inspector::action::ApplicationsAction;
use lunette_inspector::filter::{Filter, List};
use lunette_inspector::listing::Column as _;
use lunette_inspector::listing::rows::{ApplicationColumn, ApplicationRow};
use lunette_inspector::navigation::Panel;
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::{Action, State};

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

use super::head::shown_ui;
use super::inventory::graph_entry_ui;
use super::labels;
use super::page::ApplicationPageView;

/// The list and its view state.
pub(super) struct TrackedList {
    filter: FilterField,
    table: TableState,
    marks: KeyedSelection<ApplicationRow, String>,
    /// The application whose row the table selected last.
    selected: Option<String>,
    layout: ListLayout,
    /// What was shown in the last frame, for commands.
    in_view: InView,
}

impl Default for TrackedList {
    fn default() -> Self {
        let (table, selected, layout, in_view) = Default::default();
        let filter = FilterField::new(List::Applications, "Filter applications");
        Self { filter, table, marks: KeyedSelection::new(|row| row.id.clone()), selected, layout, in_view }
    }
}

/// The side of an icon, in points.
const ICON: f32 = 18.0;

/// The columns of copied rows.
const COPY_COLUMNS: [&str; 10] =
    ["id", "name", "version", "platform", "status", "privacy", "capabilities", "sessions", "events", "last active"];

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    panel: Panel::Applications,
    things: "applications",
    none: "No applications are tracked yet",
    advice: "Track an installed application under External, or register one under Operations.",
};

impl TrackedList {
    /// Draws the list and the page of the open application.
    pub fn ui(&mut self, ui: &mut Ui, view: &mut ApplicationPageView, state: &State, actions: &mut Vec<Action>) {
        self.in_view = InView::nothing(Panel::Applications);
        let kept = self.layout.restore("applications", &mut self.table, state);
        let page = state.applications.open.as_ref();
        let (drawn, left) = page_or_split_ui(ui, "applications", page.is_some(), kept, |ui, part| match (part, page) {
            (Part::Page, Some(page)) => view.ui(ui, page, state, actions),
            (Part::Page, None) => {}
            (Part::List, _) => self.list_ui(ui, state, actions),
        });
        if left {
            actions.push(ApplicationsAction::Close.into());
        }
        self.layout.page_drawn(drawn);
        self.layout.save(ui, "applications", &self.table, actions);
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let columns = columns(ui.available_width());
        self.head_ui(ui, state, &columns, actions);
        let listing = &state.applications.list;
        self.marks.sync(listing, &mut self.table);
        self.selection_bar_ui(ui, state, actions);
        let Self { filter, .. } = self;
        let drawn = rows_ui(ui, state, listing, &TEXTS, actions, |actions| {
            filter.clear(actions);
            actions.push(ApplicationsAction::SetQuery(listing.query.filtered(Filter::default())).into());
        });
        if drawn {
            self.table_ui(ui, state, &columns, actions);
        }
        self.in_view.selected = self.marks.in_view(listing, |row| Some(subject(row)));
    }

    /// Returns what was shown in the last frame.
    pub(super) fn in_view(&self) -> &InView {
        &self.in_view
    }

    /// Draws the bar below the list while several applications are selected.
    fn selection_bar_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Self { table, marks, .. } = self;
        if marks.count() < 2 {
            copy_as::action_bar_hint_ui(ui, "applications", "Select several applications to copy them");
            return;
        }
        let counts = (marks.count(), marks.hidden());
        if let Some(kind) = copy_as::marked_ui(ui, "applications", counts, table, |_| {}) {
            let rows = marks.rows(&state.applications.list).into_iter().map(copy_cells).collect();
            copy_as::copy(ui, kind, &Copied { columns: &COPY_COLUMNS, rows }, "applications", actions);
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        let mut changed = false;
        ui.horizontal(|ui| {
            ui.heading("Applications");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.icon_button(Icon::REFRESH, "Refresh the applications").clicked() {
                    actions.push(Action::Refresh(Panel::Applications));
                }
                columns_button(ui, columns, &mut self.table);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    changed = self.filter.ui(ui, state, f32::INFINITY, "", actions).changed;
                });
            });
        });
        if self.filter.fault_ui(ui, actions) || changed {
            let filter = self.filter.filter().clone();
            actions.push(ApplicationsAction::SetQuery(state.applications.list.query.filtered(filter)).into());
        }
        shown_ui(ui, state, actions);
        ui.add_space(SPACE_S);
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        let Self { filter, table, marks, selected, in_view, .. } = self;
        let listing = &state.applications.list;
        let open = state.applications.open.as_ref().map(|page| page.id.as_str());
        layout::select_open_row(table, selected, open, listing, |row| &row.id);
        let row = |index: usize| listing.shown(index);
        let is_open = |index: usize| open.is_some() && row(index).map(|row| row.id.as_str()) == open;
        let key = |index: usize| row(index).map(|row| row.id.clone()).unwrap_or_default();
        let name = |index: usize| row(index).map(|row| labels::application(&row.name)).unwrap_or_default();
        let number = |index: usize| listing.number(index);
        let mut menu = |ui: &mut Ui, index: usize| {
            if let Some(row) = row(index) {
                menu_ui(ui, row, actions);
            }
        };
        let drawn = Table::new("Applications", columns, listing.order.len(), &key)
            .row_menu(&mut menu)
            .row_name(&name)
            .number(&number)
            .secondary_sort()
            .open_row(&is_open)
            .show(ui, table, |ui, index, column| {
                if let Some(row) = row(index) {
                    cell_ui(ui, row, columns[column].key, state);
                }
            });
        marks.record(listing, table);
        in_view.focused = drawn.ringed.and_then(row).map(subject);
        if drawn.escaped && !filter.text().is_empty() {
            filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(ApplicationsAction::SetQuery(layout::query(table, filter.filter().clone())).into());
        }
        if let Some(row) = drawn.opened.or(drawn.focused).and_then(row)
            && selected.as_ref() != Some(&row.id)
        {
            *selected = Some(row.id.clone());
            actions.push(ApplicationsAction::Open(row.id.clone()).into());
        }
    }
}

/// Returns what commands act on in a row.
pub(super) fn subject(row: &ApplicationRow) -> Subject {
    Subject::Application { id: row.id.clone(), name: labels::application(&row.name) }
}

/// Draws the context menu of an application.
fn menu_ui(ui: &mut Ui, row: &ApplicationRow, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(ApplicationsAction::Open(row.id.clone()).into());
    }
    graph_entry_ui(ui, row, actions);
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&row.name), actions);
    copy_as::entry_ui(ui, "id", Some(&row.id), actions);
}

/// Returns the cells of a copied row.
fn copy_cells(row: &ApplicationRow) -> Vec<serde_json::Value> {
    let ApplicationRow { id, name, version, platform, status, privacy, capabilities, .. } = row;
    let texts = [id, name, version, platform, status, privacy, capabilities].map(|text| json!(text));
    texts.into_iter().chain([json!(row.sessions), json!(row.events), json!(row.last_active)]).collect()
}

/// Returns the columns for a list this wide; the most important ones are hidden last.
fn columns(width: f32) -> Vec<Column> {
    let wide = |column: Column, least: f32| if width < least { column.hidden() } else { column };
    vec![
        Column::text("name", "Name", 150.0).growing(),
        wide(Column::text("version", "Version", 72.0), 400.0),
        wide(Column::text("platform", "Platform", 84.0), 780.0),
        Column::text("status", "Status", 108.0),
        wide(Column::text("privacy", "Privacy", 84.0), 860.0),
        wide(Column::text("capabilities", "Capabilities", 100.0), 660.0),
        wide(Column::figures("sessions", "Sessions", 74.0), 430.0),
        wide(Column::figures("events", "Events", 66.0), 500.0),
        wide(Column::figures("active", "Last active", 96.0), 380.0),
    ]
}

fn cell_ui(ui: &mut Ui, row: &ApplicationRow, key: &str, state: &State) {
    match ApplicationColumn::named(key) {
        Some(ApplicationColumn::Name) => {
            let name = labels::application(&row.name);
            let (rect, _) = ui.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
            app_icon::paint(ui, rect, app_icon::path_of_tracked(state, &row.id), &name, state);
            ui.label(name);
        }
        Some(ApplicationColumn::Version) => {
            ui.muted(&shown_short(&row.version, 40));
        }
        Some(ApplicationColumn::Platform) => {
            ui.muted(&labels::plain(&row.platform));
        }
        Some(ApplicationColumn::Status) => {
            let color = labels::status_color(ui.tokens(), &row.status);
            ui.colored_label(color, shown_short(&row.status, 40));
        }
        Some(ApplicationColumn::Privacy) => {
            ui.muted(&labels::plain(&row.privacy));
        }
        Some(ApplicationColumn::Capabilities) => {
            ui.muted(&labels::plain(&row.capabilities));
        }
        Some(ApplicationColumn::Sessions) => count_ui(ui, row.sessions),
        Some(ApplicationColumn::Events) => count_ui(ui, row.events),
        Some(ApplicationColumn::LastActive) if row.status == labels::OPEN => {
            ui.label("now");
        }
        Some(ApplicationColumn::LastActive) => match &row.last_active {
            Some(at) => {
                ui.muted(&format::ago(at)).on_hover_text(format::exact(at));
            }
            None if row.sessions.is_some() => {
                ui.muted("never");
            }
            None => {}
        },
        None => {}
    }
}

/// Draws a count; draws nothing if the service does not count, which is not zero.
fn count_ui(ui: &mut Ui, count: Option<i64>) {
    if let Some(count) = count {
        ui.label(grouped(count.unsigned_abs()));
    }
}
