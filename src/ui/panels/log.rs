//! The log of calls, newest first, and the open call: both bodies, the error, and the curl command. The calls of a run
//! are one line, whose page lists them.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use egui::Ui;

use lunette_client::model::time;
use lunette_inspector::action::SessionAction;
use lunette_inspector::filter::List;
use lunette_inspector::listing::{Change, Listing, Row as _};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::log::{LogEntry, RunCalls};
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::list::cells::{columns, length_text};
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter, enter_page};
use crate::ui::list::selection_bar::SelectionBar;
use crate::ui::list::split::SplitPart;
use crate::ui::list::states::{ListTexts, no_match_ui};
use crate::ui::panels::compare;
use crate::ui::theme::{self, Icon, SPACE_M, Tokens, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use crate::ui::widgets::{shown, shown_short};
use detail::CallDetail;

mod detail;
mod run_page;

/// The panel, and what is being typed into it.
pub struct LogPanel {
    list: ListView<LogEntry>,
    /// The open call or run, by its key.
    open_call: Option<u64>,
    detail: CallDetail,
}

impl Default for LogPanel {
    fn default() -> Self {
        let (open_call, detail) = Default::default();
        Self { list: ListView::new("Filter calls"), open_call, detail }
    }
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Log",
    table: "Calls",
    reload: || Action::Refresh(Panel::Log),
    refresh: None,
    select: Some("Select several calls to copy them"),
    rows: "calls",
    noun: "calls",
    icon: Icon::LOG,
    empty_title: "No calls yet",
    empty_hint: "Every call to the service is listed here while the window is open.",
};

impl LogPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let call = self.open_call.and_then(|key| entry_by_key(&state.session.log, key)).cloned();
        let Self { list, open_call, detail } = self;
        let left =
            list.beside_page_ui(ui, state, call.is_some(), actions, |list, ui, part, actions| match (part, &call) {
                (SplitPart::Page, Some(call)) => match &call.calls {
                    Some(calls) => *open_call = run_page::ui(ui, &state.session.log, call, calls),
                    None => *open_call = detail.ui(ui, call, actions).then_some(call.key()),
                },
                (SplitPart::Page | SplitPart::SecondPage, _) => {}
                (SplitPart::List, _) => *open_call = list_ui(list, ui, state, *open_call, actions),
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

/// Draws the calls; returns which one is open now.
fn list_ui(
    list: &mut ListView<LogEntry>,
    ui: &mut Ui,
    state: &State,
    open: Option<u64>,
    actions: &mut Vec<Action>,
) -> Option<u64> {
    let (log, columns) = (&state.session.log, columns::<LogEntry>(ui.available_width()));
    let frame = ListFrame { state, list: log, texts: &TEXTS, columns: &columns };
    list.head_ui(ui, &frame, actions, |ui, actions| {
        let empty = (log.count() == 0).then_some("The log is empty");
        let clear = enabled_unless(ui, empty, |ui| ui.button("Clear"));
        if clear.on_hover_text("Empty the log").clicked() {
            actions.push(SessionAction::ClearLog.into());
        }
        let mut background = log.query.background;
        let switch = theme::checkbox(ui, &mut background, "Background");
        if switch.on_hover_text("Also show the calls that keep the window up to date").changed() {
            actions.push(Action::List(List::Log, Change::Background(background)));
        }
    });
    ui.add_space(SPACE_M);
    let painter = Painter { state, open, chosen: Cell::new(None) };
    let opened = list.rows_ui(ui, &frame, &painter, actions);
    if painter.chosen.get().is_some() {
        enter_page(ui);
    }
    painter.chosen.get().or(opened.map(|call| call.key())).or(open)
}

struct Painter<'a> {
    state: &'a State,
    /// The open call.
    open: Option<u64>,
    /// The call to be opened by its menu.
    chosen: Cell<Option<u64>>,
}

impl RowPainter<LogEntry> for Painter<'_> {
    fn name(&self, call: &LogEntry) -> String {
        match call.calls {
            Some(_) => format!("{}, {}", call.title(), call.outcome()),
            None => format!("{} {}, {}", call.info.method.as_str(), call.info.name, call.outcome()),
        }
    }

    fn typed_name<'r>(&self, call: &'r LogEntry) -> Cow<'r, str> {
        Cow::Borrowed(call.title())
    }

    fn cell_ui(&self, ui: &mut Ui, call: ListRow<'_, LogEntry>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "time" => _ = ui.muted(&time_of_day(&call)).on_hover_text(format::exact(&call.at.to_string())),
            "method" | "path" if call.calls.is_some() => {}
            "method" => _ = ui.code_text(call.info.method.as_str()),
            "operation" => {
                if call.calls.is_some() {
                    ui.decoration(Icon::FOLDED.text().color(ui.tokens().muted));
                }
                ui.label(shown_short(call.title(), 200));
            }
            "took" if call.calls.is_some() => {
                ui.muted(&length_text(call.elapsed)).on_hover_text("On average");
            }
            "path" => _ = ui.muted(&shown_short(path(&call), 200)).on_hover_text(shown(&call.url)),
            "status" => _ = ui.colored_label(color(&call, ui.tokens()), call.outcome()),
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, call: ListRow<'_, LogEntry>, actions: &mut Vec<Action>) {
        if menu_ui(ui, &call, self.state, actions) {
            self.chosen.set(Some(call.key()));
        }
    }

    fn open(&self) -> Option<u64> {
        self.open
    }

    fn selected_ui(&self, ui: &mut Ui, bar: &mut SelectionBar<'_, LogEntry>, actions: &mut Vec<Action>) {
        let mut curl = false;
        bar.copy_ui(ui, |ui| curl = entry(ui, Icon::COPY, "Copy calls as curl"));
        if curl {
            let mut marked = bar.rows();
            // In the order in which they were made, for running them again.
            marked.sort_by_key(|call| call.number);
            ui.ctx().copy_text(marked.iter().map(|call| call.curl.as_str()).collect::<Vec<_>>().join("\n"));
            actions.push(Action::Notify(format!("Copied {} calls as curl", marked.len())));
        }
    }

    fn no_match_ui(&self, ui: &mut Ui, _: &mut Vec<Action>) -> bool {
        no_match_ui(ui, "No call matches the filter. Tick Background to include calls made in the background.")
    }
}

/// Draws the menu of a call; returns whether it is to be opened.
fn menu_ui(ui: &mut Ui, line: &LogEntry, state: &State, actions: &mut Vec<Action>) -> bool {
    let open = entry(ui, Icon::SHOWN, "Open");
    if line.calls.is_some() {
        return open;
    }
    compare::entries_ui(ui, &|| compare::of_call(line), state, actions);
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

/// Returns the entry with this key.
fn entry_by_key(log: &Listing<LogEntry>, key: u64) -> Option<&Arc<LogEntry>> {
    log.iter().rev().find(|line| line.key() == key)
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
    match (&line.error, &line.calls) {
        (None, None | Some(RunCalls { failed: 0, .. })) => tokens.ok,
        (Some(_), _) | (None, Some(_)) => tokens.error,
    }
}
