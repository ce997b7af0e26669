//! Tracked applications: the list, and the page of the one looked at.

use egui::{Align, Layout, Ui};
use serde_json::json;

use crate::app::filter::{Filter, List};
use crate::app::listing::Column as _;
use crate::app::listing::rows::{ApplicationColumn, ApplicationRow};
use crate::app::state::Panel;
use crate::app::{Action, State};

use crate::ui::format;
use crate::ui::list::copy_as::{self, Copied};
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::layout::{self, ListLayout};
use crate::ui::list::split::{Part, page_or_split_ui};
use crate::ui::list::states::{ListWords, rows_ui};
use crate::ui::theme::{Icon, SPACE_M, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::table::{Column, Table, TableState, columns_button};
use crate::ui::widgets::{grouped, shown_short};
use page::ApplicationPageView;

mod page;
pub(in crate::ui) mod words;

/// The panel, and what is being typed into it.
pub struct ApplicationsPanel {
    filter: FilterField,
    table: TableState,
    marks: KeyedSelection<ApplicationRow, String>,
    /// The application that the table's mark stands for.
    marked: Option<String>,
    page: ApplicationPageView,
    layout: ListLayout,
}

impl Default for ApplicationsPanel {
    fn default() -> Self {
        let (table, marked, page, layout) = Default::default();
        let filter = FilterField::new(List::Applications, "Filter applications");
        Self { filter, table, marks: KeyedSelection::new(|row| row.id.clone()), marked, page, layout }
    }
}

/// The columns of what is copied.
const COPIED: [&str; 10] =
    ["id", "name", "version", "platform", "status", "privacy", "capabilities", "sessions", "events", "last active"];

/// How the list is spoken of.
const WORDS: ListWords = ListWords {
    panel: Panel::Applications,
    things: "applications",
    none: "No applications are tracked yet",
    advice: "Track an installed application under External, or register one under Operations.",
};

impl ApplicationsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let kept = self.layout.restore("applications", &mut self.table, state);
        let page = state.application.as_ref();
        let (drawn, left) = page_or_split_ui(ui, "applications", page.is_some(), kept, |ui, part| match (part, page) {
            (Part::Page, Some(page)) => self.page.ui(ui, page, actions),
            (Part::Page, None) => {}
            (Part::List, _) => self.list_ui(ui, state, actions),
        });
        if left {
            actions.push(Action::CloseApplication);
        }
        self.layout.page_drawn(drawn);
        self.layout.save(ui, "applications", &self.table, actions);
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let columns = columns(ui.available_width());
        self.head_ui(ui, state, &columns, actions);
        let listing = &state.applications;
        self.marks.sync(listing, &mut self.table);
        self.marked_ui(ui, state, actions);
        let Self { filter, .. } = self;
        let drawn = rows_ui(ui, state, listing, &WORDS, actions, |actions| {
            filter.clear(actions);
            actions.push(Action::ArrangeApplications(listing.query.filtered(Filter::default())));
        });
        if drawn {
            self.table_ui(ui, state, &columns, actions);
        }
    }

    /// The line below the list while several applications are marked.
    fn marked_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Self { table, marks, .. } = self;
        if marks.count() < 2 {
            copy_as::action_bar_hint_ui(ui, "applications", "Select several applications to copy them");
            return;
        }
        let counts = (marks.count(), marks.hidden());
        if let Some(kind) = copy_as::marked_ui(ui, "applications", counts, table, |_| {}) {
            let rows = marks.rows(&state.applications).into_iter().map(cells).collect();
            copy_as::copy(ui, kind, &Copied { columns: &COPIED, rows }, "applications", actions);
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
            actions.push(Action::ArrangeApplications(state.applications.query.filtered(filter)));
        }
        ui.add_space(SPACE_M);
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        let Self { filter, table, marks, marked, .. } = self;
        let listing = &state.applications;
        mark(table, marked, state);
        let row = |place: usize| listing.shown(place);
        let key = |place: usize| row(place).map(|row| row.id.clone()).unwrap_or_default();
        let name = |place: usize| row(place).map(|row| words::application(&row.name)).unwrap_or_default();
        let number = |place: usize| listing.number(place);
        let mut menu = |ui: &mut Ui, place: usize| {
            if let Some(row) = row(place) {
                menu_ui(ui, row, actions);
            }
        };
        let drawn = Table::new("Applications", columns, listing.order.len(), &key)
            .row_menu(&mut menu)
            .row_name(&name)
            .number(&number)
            .two_keys()
            .show(ui, table, |ui, place, index| {
                if let Some(row) = row(place) {
                    cell_ui(ui, row, columns[index].key);
                }
            });
        marks.record(listing, table);
        if drawn.escaped && !filter.text().is_empty() {
            filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(Action::ArrangeApplications(layout::query(table, filter.filter().clone())));
        }
        if let Some(row) = drawn.opened.or(drawn.focused).and_then(row)
            && marked.as_ref() != Some(&row.id)
        {
            *marked = Some(row.id.clone());
            actions.push(Action::OpenApplication(row.id.clone()));
        }
    }
}

/// Draws the context menu of an application.
fn menu_ui(ui: &mut Ui, row: &ApplicationRow, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(Action::OpenApplication(row.id.clone()));
    }
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&row.name), actions);
    copy_as::entry_ui(ui, "id", Some(&row.id), actions);
}

/// Keeps the table's mark on the application looked at, wherever it was opened from; while several are marked they stay
/// so.
fn mark(table: &mut TableState, marked: &mut Option<String>, state: &State) {
    let looked_at = state.application.as_ref().map(|page| &page.id);
    if marked.as_ref() == looked_at {
        return;
    }
    *marked = looked_at.cloned();
    let Some(id) = looked_at else { return };
    let listing = &state.applications;
    let is_row = |place: &usize| listing.shown(*place).is_some_and(|row: &ApplicationRow| row.id == *id);
    let Some(place) = (0..listing.order.len()).find(is_row) else { return };
    if table.selection.count() > 1 {
        table.stand_on(place, listing.number(place));
    } else {
        table.select(place, listing.number(place));
    }
}

/// A row as it is copied.
fn cells(row: &ApplicationRow) -> Vec<serde_json::Value> {
    let ApplicationRow { id, name, version, platform, status, privacy, capabilities, .. } = row;
    let texts = [id, name, version, platform, status, privacy, capabilities].map(|text| json!(text));
    texts.into_iter().chain([json!(row.sessions), json!(row.events), json!(row.last_active)]).collect()
}

/// The columns for a list this wide: what is read first stays longest.
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

fn cell_ui(ui: &mut Ui, row: &ApplicationRow, key: &str) {
    match ApplicationColumn::named(key) {
        Some(ApplicationColumn::Name) => {
            ui.label(words::application(&row.name));
        }
        Some(ApplicationColumn::Version) => {
            ui.muted(&shown_short(&row.version, 40));
        }
        Some(ApplicationColumn::Platform) => {
            ui.muted(&words::plain(&row.platform));
        }
        Some(ApplicationColumn::Status) => {
            let color = words::status_color(ui.tokens(), &row.status);
            ui.colored_label(color, shown_short(&row.status, 40));
        }
        Some(ApplicationColumn::Privacy) => {
            ui.muted(&words::plain(&row.privacy));
        }
        Some(ApplicationColumn::Capabilities) => {
            ui.muted(&words::plain(&row.capabilities));
        }
        Some(ApplicationColumn::Sessions) => count_ui(ui, row.sessions),
        Some(ApplicationColumn::Events) => count_ui(ui, row.events),
        Some(ApplicationColumn::LastActive) if row.status == words::OPEN => {
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

/// A count; a service that does not count gives none, which is not zero.
fn count_ui(ui: &mut Ui, count: Option<i64>) {
    if let Some(count) = count {
        ui.label(grouped(count.unsigned_abs()));
    }
}
