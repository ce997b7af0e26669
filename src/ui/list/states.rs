//! What is drawn while a list has no rows: loading, failed, empty, or nothing matches the filter.

use egui::Ui;

use lunette_inspector::action::SessionAction;
use lunette_inspector::listing::Row;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, CallError, Remote};

use super::failure::{failure_ui, stale_ui};
use super::list_view::{ListFrame, RowPainter};
use crate::ui::theme::Icon;
use crate::ui::widgets::placeholder::{empty, skeleton};

/// The texts of a list.
pub(in crate::ui) struct ListTexts {
    /// Its title.
    pub heading: &'static str,
    /// The accessible name of its table.
    pub table: &'static str,
    /// What reads it again after a failure.
    pub reload: fn() -> Action,
    /// The button that refreshes it; `None` if it is always up to date.
    pub refresh: Option<&'static str>,
    /// The advice in the bar of the selected rows; `None` if there is no bar.
    pub select: Option<&'static str>,
    /// The plural noun for copied rows.
    pub rows: &'static str,
    /// The plural noun for its items, as in "applications".
    pub noun: &'static str,
    /// The icon if there are no items.
    pub icon: Icon,
    /// The title if there are no items.
    pub empty_title: &'static str,
    /// The advice if there are no items.
    pub empty_hint: &'static str,
}

/// What is drawn of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Drawn {
    /// Its rows are to be drawn.
    Rows,
    /// A placeholder was drawn.
    Placeholder,
    /// The filter is to be cleared: the button below the placeholder was clicked.
    Cleared,
}

/// Draws a placeholder if there are no rows to draw.
pub(in crate::ui) fn states_ui<R: Row>(
    ui: &mut Ui,
    frame: &ListFrame<'_, R>,
    painter: &impl RowPainter<R>,
    actions: &mut Vec<Action>,
) -> Drawn {
    let ListFrame { state, list, texts, .. } = frame;
    match (&list.rows, &state.connection.status) {
        (Remote::Failed { error, previous: None }, _) => {
            actions.extend(failed_ui(ui, texts, error).then(texts.reload));
        }
        (Remote::NotRequested, Status::Down(problem)) => {
            if empty(ui, Icon::UNCONNECTED, "No service responds", problem, &["Reconnect"]).is_some() {
                actions.push(SessionAction::Reconnect.into());
            }
        }
        (Remote::NotRequested | Remote::Loading { previous: None }, _) => skeleton(ui, texts.noun, 10),
        (rows, _) => {
            if let Some(error) = rows.error() {
                actions.extend(stale_ui(ui, "The list", error).then(texts.reload));
            }
            // While an empty list is read again, too: an empty table for a moment would take the focus with it.
            if list.count() == 0 {
                painter.empty_ui(ui, texts, actions);
            } else if !list.order.is_empty() || rows.loading() || list.applying_query {
                return Drawn::Rows;
            } else if painter.no_match_ui(ui, actions) {
                return Drawn::Cleared;
            }
        }
    }
    Drawn::Placeholder
}

/// Draws that there are no items.
pub(in crate::ui) fn empty_ui(ui: &mut Ui, texts: &ListTexts, actions: &mut Vec<Action>) {
    let buttons: &[&str] = if texts.refresh.is_some() { &["Refresh"] } else { &[] };
    actions.extend(empty(ui, texts.icon, texts.empty_title, texts.empty_hint, buttons).map(|_| (texts.reload)()));
}

/// Draws that nothing matches the filter; returns whether to clear it.
pub(in crate::ui) fn no_match_ui(ui: &mut Ui, advice: &str) -> bool {
    empty(ui, Icon::NO_MATCH, "Nothing matches", advice, &["Clear the filter"]).is_some()
}

/// Draws that the list could not be read; returns whether to read it again.
fn failed_ui(ui: &mut Ui, texts: &ListTexts, error: &CallError) -> bool {
    if !error.missing() {
        return failure_ui(ui, &format!("The {} could not be read", texts.noun), error);
    }
    let title = format!("This service does not list {}", texts.noun);
    let advice = format!("It responded: {}. Everything else still works.", error.reason());
    empty(ui, Icon::UNCONNECTED, &title, &advice, &["Ask again"]).is_some()
}
