//! The entries of a row's menu that compare what it stands for with something else.

use std::sync::Arc;

use egui::Ui;

use lunette_inspector::action::CompareAction;
use lunette_inspector::compare::{Exchanged, Side, Source};
use lunette_inspector::listing::Columns as _;
use lunette_inspector::listing::rows::ApplicationRow;
use lunette_inspector::session::log::LogEntry;
use lunette_inspector::write::ConsoleAnswer;
use lunette_inspector::{Action, State};

use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, entry};
use crate::ui::widgets::shown_short;

/// The most recent assets that are offered.
const RECENT: usize = 8;

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
    ui.sub_menu((Icon::COMPARE.text().color(ui.tokens().muted), "Compare with"), "Compare with", |ui| {
        ui.set_min_width(230.0);
        for recent in state.recent().iter().take(RECENT) {
            let Ok(id) = recent.id.parse() else { continue };
            if Entry::new(Icon::ASSETS, &recent.name).tip("An asset that was opened recently").show(ui) {
                let with = Source::Asset(id, recent.name.clone());
                actions.push(CompareAction::Open([source(), with]).into());
            }
        }
        if entry(ui, Icon::FILE, "A file…") {
            actions.push(CompareAction::PickFile(source()).into());
        }
    });
}

/// Returns a tracked application as a side: its columns.
pub(in crate::ui) fn of_application(row: &ApplicationRow) -> Source {
    let kind = format!("application · {}", row.id);
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
    Source::Ready(Arc::new(Side::of_call(title, format!("call · {}", line.at), &exchanged)))
}

/// Returns a response of the console as a side.
pub(in crate::ui) fn of_response(answer: &ConsoleAnswer) -> Source {
    let line = &answer.line;
    let title = format!("{} #{}", line.info.name, line.number);
    Source::Ready(Arc::new(Side::of_response(title, format!("response · {}", line.at), &answer.text)))
}

/// Returns the first two of the selected things, if there are exactly two.
pub(in crate::ui) fn selection_sources(mut sources: impl Iterator<Item = Source>) -> Option<[Source; 2]> {
    let two = [sources.next()?, sources.next()?];
    sources.next().is_none().then_some(two)
}
