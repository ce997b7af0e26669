//! The entries of a row's menu that compare what it stands for with something else.

use std::sync::Arc;

use egui::Ui;

use lunette_inspector::action::CompareAction;
use lunette_inspector::compare::{Exchanged, Side, Source};
use lunette_inspector::listing::Columns as _;
use lunette_inspector::listing::rows::{ApplicationRow, ExternalRow, InventoryRow};
use lunette_inspector::session::log::LogEntry;
use lunette_inspector::write::ConsoleAnswer;
use lunette_inspector::{Action, State};

use crate::ui::format;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{Entry, entry};
use crate::ui::widgets::shown_short;

/// Draws the entries; `source` makes what the row stands for.
pub(in crate::ui) fn entries_ui(ui: &mut Ui, source: &dyn Fn() -> Source, state: &State, actions: &mut Vec<Action>) {
    if let Some(selected) = &state.compare.selected {
        let title = format!("Compare with “{}”", shown_short(&selected.name(), 40));
        if entry(ui, Icon::COMPARE, &title) {
            actions.push(CompareAction::WithSelected(source()).into());
        }
    }
    if entry(ui, Icon::COMPARE, "Select for compare") {
        actions.push(CompareAction::Select(source()).into());
    }
    let with = Entry::new(Icon::COMPARE, "Compare with…").tip("Any asset, a version of this one, or a file");
    if with.show(ui) {
        actions.push(CompareAction::Choose(source()).into());
    }
}

/// Returns a tracked application as a side: its columns.
pub(in crate::ui) fn of_application(row: &ApplicationRow) -> Source {
    let kind = format!("application · {}", row.id);
    Source::Ready(Arc::new(Side::of_record(row.name.clone(), kind, row.record())))
}

/// Returns an application that was found on this machine or integrates with the service as a side: its columns.
pub(in crate::ui) fn of_external(row: &ExternalRow) -> Source {
    let kind = format!("external application · {}", row.version);
    Source::Ready(Arc::new(Side::of_record(row.name.clone(), kind, row.record())))
}

/// Returns an application of all lists as a side: its columns.
pub(in crate::ui) fn of_inventory(row: &InventoryRow) -> Source {
    let kind = format!("application of all lists · {}", row.version);
    Source::Ready(Arc::new(Side::of_record(row.name.clone(), kind, row.record())))
}

/// Returns an application that is not in the list as a side, of which nothing can be compared.
pub(in crate::ui) fn of_unlisted(id: &str, name: &str) -> Source {
    let kind = format!("application · {id}");
    Source::Ready(Arc::new(Side { title: name.to_owned(), kind, ..Side::default() }))
}

/// Returns a call of the log as a side: request and response.
pub(in crate::ui) fn of_call(line: &LogEntry) -> Source {
    let request = format!("{} {}", line.info.method.as_str(), line.url);
    let exchanged = Exchanged {
        request: &request,
        request_body: line.request_body.as_deref(),
        outcome: &line.outcome(),
        response_body: &line.response_body,
    };
    let title = format!("{} #{}", line.info.name, line.number);
    Source::Ready(Arc::new(Side::of_call(title, format!("call · {}", format::exact(&line.at.to_string())), &exchanged)))
}

/// Returns a response of the console as a side.
pub(in crate::ui) fn of_response(answer: &ConsoleAnswer) -> Source {
    let line = &answer.line;
    let title = format!("{} #{}", line.info.name, line.number);
    Source::Ready(Arc::new(Side::of_response(
        title,
        format!("response · {}", format::exact(&line.at.to_string())),
        &answer.text,
    )))
}

/// Returns the first two of the selected things, if there are exactly two.
pub(in crate::ui) fn selection_sources(mut sources: impl Iterator<Item = Source>) -> Option<[Source; 2]> {
    let two = [sources.next()?, sources.next()?];
    sources.next().is_none().then_some(two)
}
