//! The log of calls, newest first, and the open call: both bodies, the error, and the curl command.

use std::borrow::Cow;
use std::sync::Arc;

use egui::{Align, Layout, Ui};
use serde_json::json;

use lunette_client::model::time;
use lunette_inspector::action::SessionAction;
use lunette_inspector::filter::{CompiledFilter, Filter, Flag, List};
use lunette_inspector::session::log::LogEntry;
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::format;
use crate::ui::list::copy_as::{self, Copied};
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::layout::ListLayout;
use crate::ui::list::split::{Part, page_or_split_ui, replaces_list};
use crate::ui::theme::{self, Icon, SPACE_M, Tokens, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::table::{Column, Table, TableState, columns_button};
use crate::ui::widgets::{shown, shown_short};
use detail::CallDetail;

mod detail;

/// The panel, and what is being typed into it.
pub struct LogPanel {
    filter: FilterField,
    /// Whether background calls are shown too.
    background: bool,
    table: TableState,
    /// The open call, by its number.
    open_call: Option<u64>,
    detail: CallDetail,
    found: FilteredRows,
    layout: ListLayout,
}

impl Default for LogPanel {
    fn default() -> Self {
        let (background, table, open_call, detail, found, layout) = Default::default();
        let filter = FilterField::new(List::Log, "Filter calls");
        Self { filter, background, table, open_call, detail, found, layout }
    }
}

/// The columns of copied rows.
const COPY_COLUMNS: [&str; 8] = ["number", "at", "method", "operation", "url", "status", "milliseconds", "bytes"];

/// The indices of the calls that match the filter, newest first; recomputed only when the log or the filter changes.
#[derive(Default)]
struct FilteredRows {
    made_of: Option<(Filter, bool, usize, u64)>,
    indices: Vec<usize>,
}

impl LogPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let line = self.open_call.and_then(|number| entry_by_number(&state.session.log, number)).cloned();
        let kept = self.layout.restore("log", &mut self.table, state);
        let (drawn, left) = page_or_split_ui(ui, "log", line.is_some(), kept, |ui, part| match (part, &line) {
            (Part::Page, Some(line)) => self.open_call = self.detail.ui(ui, line, actions).then_some(line.number),
            (Part::Page, None) => {}
            (Part::List, _) => self.list_ui(ui, state, actions),
        });
        if left {
            self.open_call = None;
        }
        self.layout.page_drawn(drawn);
        self.layout.save(ui, "log", &self.table, actions);
    }

    /// Closes the open call; returns whether there was one.
    pub fn close_page(&mut self) -> bool {
        self.open_call.take().is_some()
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let columns = columns(ui.available_width());
        self.head_ui(ui, state, &columns, actions);
        self.found.find(&state.session.log, self.filter.filter(), self.background);
        self.selection_bar_ui(ui, state, actions);
        match (state.session.log.is_empty(), self.found.indices.is_empty()) {
            (true, _) => {
                empty(
                    ui,
                    Icon::LOG,
                    "No calls yet",
                    "Every call to the service is listed here while the window is open.",
                    &[],
                );
            }
            (false, true) => {
                let advice = "No call matches the filter. Tick Background to include calls made in the background.";
                if empty(ui, Icon::NO_MATCH, "Nothing matches", advice, &["Clear the filter"]).is_some() {
                    self.filter.clear(actions);
                }
            }
            (false, false) => self.table_ui(ui, state, &columns, actions),
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            ui.heading("Log");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let empty = state.session.log.is_empty().then_some("The log is empty");
                let clear = enabled_unless(ui, empty, |ui| ui.button("Clear"));
                if clear.on_hover_text("Empty the log").clicked() {
                    actions.push(SessionAction::ClearLog.into());
                }
                let switch = theme::checkbox(ui, &mut self.background, "Background");
                switch.on_hover_text("Also show the calls that keep the window up to date");
                columns_button(ui, columns, &mut self.table);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    self.filter.ui(ui, state, f32::INFINITY, "", actions);
                });
            });
        });
        self.filter.fault_ui(ui, actions);
        ui.add_space(SPACE_M);
    }

    /// Draws the bar below the list while several calls are selected.
    fn selection_bar_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Self { table, found, .. } = self;
        if table.selection.count() < 2 {
            copy_as::action_bar_hint_ui(ui, "log", "Select several calls to copy them");
            return;
        }
        // Calls that were dropped from the log are no longer selected.
        let is_marked = |line: &&Arc<LogEntry>| table.selection.contains(number(line));
        let lines: Vec<&Arc<LogEntry>> = state.session.log.iter().rev().filter(is_marked).collect();
        let shown = found.indices.iter().filter_map(|index| state.session.log.get(*index)).filter(is_marked).count();
        if lines.len() < 2 {
            return;
        }
        let mut curl = false;
        let copied = copy_as::marked_ui(ui, "log", (lines.len(), lines.len() - shown), table, |ui| {
            curl = entry(ui, Icon::COPY, "Copy calls as curl");
        });
        if curl {
            // In the order in which they were made, for running them again.
            let curls: Vec<&str> = lines.iter().rev().map(|line| line.curl.as_str()).collect();
            ui.ctx().copy_text(curls.join("\n"));
            actions.push(Action::Notify(format!("Copied {} calls as curl", lines.len())));
        }
        if let Some(kind) = copied {
            let rows = lines.into_iter().map(|line| copy_cells(line)).collect();
            copy_as::copy(ui, kind, &Copied { columns: &COPY_COLUMNS, rows }, "calls", actions);
        }
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        let Self { filter, table, open_call, found, .. } = self;
        let line = |index: usize| found.indices.get(index).and_then(|index| state.session.log.get(*index));
        let key = |index: usize| line(index).map(|line| line.number.to_string()).unwrap_or_default();
        let row_name = |index: usize| line(index).map(|line| row_name(line)).unwrap_or_default();
        let number = |index: usize| line(index).map_or(u32::MAX, |line| number(line));
        let typed = |index: usize| line(index).map_or(Cow::Borrowed(""), |line| Cow::Borrowed(line.info.name));
        let table_of_calls = Table::new("Calls", columns, found.indices.len(), &key).typed_name(&typed);
        let shown = *open_call;
        let is_open = |index: usize| shown.is_some() && line(index).map(|line| line.number) == shown;
        let mut opened = None;
        let mut menu = |ui: &mut Ui, index: usize| {
            if let Some(line) = line(index)
                && menu_ui(ui, line, actions)
            {
                opened = Some(index);
            }
        };
        let table_of_calls =
            table_of_calls.row_menu(&mut menu).follow_focus(!replaces_list(ui.ctx())).open_row(&is_open);
        let drawn = table_of_calls.row_name(&row_name).number(&number).show(ui, table, |ui, index, column| {
            if let Some(line) = line(index) {
                cell_ui(ui, line, columns[column].key);
            }
        });
        if drawn.escaped {
            filter.select_all(ui);
        }
        // If the page would replace the list, the right mouse button only selects.
        let one_page = replaces_list(ui.ctx());
        let focused = drawn.focused.filter(|_| !one_page || !ui.input(|input| input.pointer.secondary_clicked()));
        if let Some(line) = opened.or(drawn.opened).or(focused).and_then(line) {
            *open_call = Some(line.number);
            if one_page {
                focus::enter_page(ui.ctx());
            }
        }
    }
}

impl FilteredRows {
    fn find(&mut self, log: &[Arc<LogEntry>], filter: &Filter, background: bool) {
        let made_of = (filter.clone(), background, log.len(), log.last().map_or(0, |line| line.number));
        if self.made_of.as_ref() == Some(&made_of) {
            return;
        }
        let sieve = CompiledFilter::new(filter, &jiff::ZonedDateTime::now());
        // A filter for background calls shows them.
        let background = background || filter.asks(Flag::Background);
        let indices = log.iter().enumerate().rev();
        let indices = indices.filter(|(_, line)| background || !line.background);
        self.indices = indices.filter(|(_, line)| sieve.takes(line.as_ref())).map(|(index, _)| index).collect();
        self.made_of = Some(made_of);
    }
}

/// Draws the menu of a call; returns whether it is to be opened.
fn menu_ui(ui: &mut Ui, line: &LogEntry, actions: &mut Vec<Action>) -> bool {
    let open = entry(ui, Icon::SHOWN, "Open");
    separator(ui);
    let mut copied = |ui: &Ui, what: &str, text: &str| {
        ui.ctx().copy_text(text.to_owned());
        actions.push(Action::Notify(format!("Copied {what}")));
    };
    if entry(ui, Icon::COPY, "Copy as curl") {
        copied(ui, "the call as curl", &line.curl);
    }
    if entry(ui, Icon::COPY, "Copy address") {
        copied(ui, "the address", &line.url);
    }
    let none = line.response_body.is_empty().then_some("The response has no body");
    if Entry::new(Icon::COPY, "Copy body").disabled_reason(none).show(ui) {
        copied(ui, "the body", &line.response_body);
    }
    open
}

/// Returns the number by which a call is selected.
fn number(line: &LogEntry) -> u32 {
    u32::try_from(line.number).unwrap_or(u32::MAX)
}

/// Returns the cells of a copied row.
fn copy_cells(line: &LogEntry) -> Vec<serde_json::Value> {
    let LogEntry { number, info, at, url, size, .. } = line;
    let millis = line.elapsed.as_secs_f64() * 1_000.0;
    vec![
        json!(number),
        json!(at.to_string()),
        json!(info.method.as_str()),
        json!(info.name),
        json!(url),
        json!(line.outcome()),
        json!(millis),
        json!(size),
    ]
}

/// Returns the entry with a number; numbers increase along the log.
fn entry_by_number(log: &[Arc<LogEntry>], number: u64) -> Option<&Arc<LogEntry>> {
    log.iter().rev().find(|line| line.number == number)
}

/// Returns the accessible name of a row.
fn row_name(line: &LogEntry) -> String {
    format!("{} {}, {}", line.info.method.as_str(), line.info.name, line.outcome())
}

/// Returns the columns for a list this wide.
fn columns(width: f32) -> Vec<Column> {
    let wide = |column: Column, least: f32| if width < least { column.hidden() } else { column };
    vec![
        Column::text("time", "Time", 74.0).unsorted(),
        wide(Column::text("method", "Method", 64.0).unsorted(), 560.0),
        Column::text("operation", "Operation", 160.0).growing().unsorted(),
        wide(Column::text("path", "Path", 130.0).growing_by(3.0).unsorted(), 480.0),
        Column::text("status", "Status", 98.0).unsorted(),
        wide(Column::figures("took", "Took", 70.0).unsorted(), 420.0),
        wide(Column::figures("size", "Size", 68.0).unsorted(), 640.0),
    ]
}

fn cell_ui(ui: &mut Ui, line: &LogEntry, key: &str) {
    match key {
        "time" => {
            ui.muted(&time_of_day(line)).on_hover_text(format::exact(&line.at.to_string()));
        }
        "method" => {
            ui.code_text(line.info.method.as_str());
        }
        "operation" => {
            ui.label(line.info.name);
        }
        "path" => {
            ui.muted(&shown_short(path(line), 200)).on_hover_text(shown(&line.url));
        }
        "status" => {
            ui.colored_label(color(line, ui.tokens()), line.outcome());
        }
        "took" => {
            ui.muted(&duration(line));
        }
        "size" => {
            let bytes = i64::try_from(line.size).unwrap_or(i64::MAX);
            ui.muted(&format::size(bytes)).on_hover_text(format::exact_size(bytes));
        }
        _ => {}
    }
}

/// Returns the time of day when it was sent.
fn time_of_day(line: &LogEntry) -> String {
    time::clock(line.at, &jiff::tz::TimeZone::system())
}

/// Returns the address without the service.
fn path(line: &LogEntry) -> &str {
    let rest = line.url.split_once("://").map_or(line.url.as_str(), |(_, rest)| rest);
    rest.find('/').map_or("/", |start| &rest[start..])
}

/// Returns the colour of the outcome; its label says the same.
fn color(line: &LogEntry, tokens: &Tokens) -> egui::Color32 {
    match &line.error {
        None => tokens.ok,
        Some(_) => tokens.error,
    }
}

fn duration(line: &LogEntry) -> String {
    let millis = line.elapsed.as_secs_f64() * 1_000.0;
    match millis {
        ..10.0 => format!("{millis:.1} ms"),
        10.0..1_000.0 => format!("{millis:.0} ms"),
        _ => time::length(line.elapsed),
    }
}
