//! The log of calls, newest first, and the open call: both bodies, the error, and the curl command.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use egui::Ui;

use lunette_client::model::time;
use lunette_inspector::action::SessionAction;
use lunette_inspector::filter::{CompiledFilter, Filter, Flag};
use lunette_inspector::listing::{Listing, RowList};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::log::LogEntry;
use lunette_inspector::{Action, Remote, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::format;
use crate::ui::list::cells::columns;
use crate::ui::list::list_view::{ListView, RowPainter};
use crate::ui::list::split::{Part, replaces_list};
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{self, Icon, SPACE_M, Tokens, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::{shown, shown_short};
use detail::CallDetail;

mod detail;

/// The panel, and what is being typed into it.
pub struct LogPanel {
    list: ListView<LogEntry>,
    /// Whether background calls are shown too.
    background: bool,
    /// The open call, by its number.
    open_call: Option<u64>,
    detail: CallDetail,
    found: FilteredRows,
}

impl Default for LogPanel {
    fn default() -> Self {
        let (background, open_call, detail, found) = Default::default();
        Self { list: ListView::new("Filter calls"), background, open_call, detail, found }
    }
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    panel: Panel::Log,
    heading: "Log",
    table: "Calls",
    refresh: None,
    select: "Select several calls to copy them",
    rows: "calls",
    things: "calls",
    none: "No calls yet",
    advice: "Every call to the service is listed here while the window is open.",
};

/// The calls that match the filter, newest first; found again only when the log or the filter changes.
#[derive(Default)]
struct FilteredRows {
    made_of: Option<(Filter, bool, usize, u64)>,
    calls: Listing<LogEntry>,
}

impl LogPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let call = self.open_call.and_then(|number| entry_by_number(&state.session.log, number)).cloned();
        let Self { list, background, open_call, detail, found } = self;
        let left =
            list.beside_page_ui(ui, state, call.is_some(), actions, |list, ui, part, actions| match (part, &call) {
                (Part::Page, Some(call)) => *open_call = detail.ui(ui, call, actions).then_some(call.number),
                (Part::Page, None) => {}
                (Part::List, _) => {
                    head_ui(list, ui, background, state, actions);
                    found.find(&state.session.log, list.filter.filter(), *background);
                    *open_call = rows_ui(list, ui, &found.calls, *open_call, actions);
                }
            });
        if left {
            self.open_call = None;
        }
    }

    /// Closes the open call; returns whether there was one.
    pub fn close_page(&mut self) -> bool {
        self.open_call.take().is_some()
    }
}

fn head_ui(
    list: &mut ListView<LogEntry>,
    ui: &mut Ui,
    background: &mut bool,
    state: &State,
    actions: &mut Vec<Action>,
) {
    let columns = columns::<LogEntry>(ui.available_width());
    list.head_ui(ui, state, (&TEXTS, &columns), actions, |ui, actions| {
        let empty = state.session.log.is_empty().then_some("The log is empty");
        let clear = enabled_unless(ui, empty, |ui| ui.button("Clear"));
        if clear.on_hover_text("Empty the log").clicked() {
            actions.push(SessionAction::ClearLog.into());
        }
        let switch = theme::checkbox(ui, background, "Background");
        switch.on_hover_text("Also show the calls that keep the window up to date");
    });
    ui.add_space(SPACE_M);
}

/// Draws the calls; returns which one is open now.
fn rows_ui(
    list: &mut ListView<LogEntry>,
    ui: &mut Ui,
    calls: &Listing<LogEntry>,
    open: Option<u64>,
    actions: &mut Vec<Action>,
) -> Option<u64> {
    let curl = Cell::new(false);
    let more = |ui: &mut Ui| curl.set(entry(ui, Icon::COPY, "Copy calls as curl"));
    list.selection_ui(ui, calls, &TEXTS, actions, (|_, _| {}, more));
    if curl.get() {
        let mut marked = list.marks.rows(calls);
        // In the order in which they were made, for running them again.
        marked.sort_by_key(|call| call.number);
        ui.ctx().copy_text(marked.iter().map(|call| call.curl.as_str()).collect::<Vec<_>>().join("\n"));
        actions.push(Action::Notify(format!("Copied {} calls as curl", marked.len())));
    }
    if calls.count() == 0 {
        empty(ui, Icon::LOG, TEXTS.none, TEXTS.advice, &[]);
    } else if calls.order.is_empty() {
        let advice = "No call matches the filter. Tick Background to include calls made in the background.";
        if empty(ui, Icon::NO_MATCH, "Nothing matches", advice, &["Clear the filter"]).is_some() {
            list.filter.clear(actions);
        }
    } else {
        let painter = Painter { open, beside: !replaces_list(ui.ctx()), chosen: Cell::new(None) };
        let columns = columns::<LogEntry>(ui.available_width());
        let done = list.table_ui(ui, calls, (TEXTS.table, &columns), &painter, actions);
        if let Some(call) = painter.chosen.get().or(done.opened.map(|call| call.number)) {
            if !painter.beside {
                focus::enter_page(ui.ctx());
            }
            return Some(call);
        }
    }
    open
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
        let is_shown = |call: &LogEntry| (background || !call.background) && sieve.takes(call);
        let shown =
            log.iter().zip(0..).filter(|(call, _)| is_shown(call)).map(|(_, number)| number).collect::<Vec<u32>>();
        let (order, rows) = (Arc::new(shown.into_iter().rev().collect()), Remote::Known(RowList::from(log.to_vec())));
        self.calls = Listing { rows, order, ..Listing::default() };
        self.made_of = Some(made_of);
    }
}

struct Painter {
    /// The open call.
    open: Option<u64>,
    /// Whether the page is beside the list.
    beside: bool,
    /// The call to be opened by its menu.
    chosen: Cell<Option<u64>>,
}

impl RowPainter<LogEntry> for Painter {
    fn name(&self, call: &LogEntry) -> String {
        format!("{} {}, {}", call.info.method.as_str(), call.info.name, call.outcome())
    }

    fn typed_name<'r>(&self, call: &'r LogEntry) -> Cow<'r, str> {
        Cow::Borrowed(call.info.name)
    }

    fn cell_ui(&self, ui: &mut Ui, call: &LogEntry, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "time" => _ = ui.muted(&time_of_day(call)).on_hover_text(format::exact(&call.at.to_string())),
            "method" => _ = ui.code_text(call.info.method.as_str()),
            "operation" => _ = ui.label(call.info.name),
            "path" => _ = ui.muted(&shown_short(path(call), 200)).on_hover_text(shown(&call.url)),
            "status" => _ = ui.colored_label(color(call, ui.tokens()), call.outcome()),
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, call: &LogEntry, actions: &mut Vec<Action>) {
        if menu_ui(ui, call, actions) {
            self.chosen.set(Some(call.number));
        }
    }

    fn open(&self) -> Option<u64> {
        self.open
    }

    fn follows(&self) -> bool {
        self.beside
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

/// Returns the entry with a number; numbers increase along the log.
fn entry_by_number(log: &[Arc<LogEntry>], number: u64) -> Option<&Arc<LogEntry>> {
    log.iter().rev().find(|line| line.number == number)
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
