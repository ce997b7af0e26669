//! What is drawn while a list has no rows: loading, failed, empty, or nothing matches the filter.

use egui::Ui;

use lunette_inspector::action::SessionAction;
use lunette_inspector::listing::{Listing, Row};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, CallError, Remote, State};

use super::failure::{failure_ui, stale_ui};
use crate::ui::theme::Icon;
use crate::ui::widgets::placeholder::{empty, skeleton};

/// The texts of a list.
pub(in crate::ui) struct ListTexts {
    /// Its panel, which is reloaded after a failure.
    pub panel: Panel,
    /// Its title.
    pub heading: &'static str,
    /// The accessible name of its table.
    pub table: &'static str,
    /// The button that refreshes it; `None` if it is always up to date.
    pub refresh: Option<&'static str>,
    /// The advice in the bar of the selected rows.
    pub select: &'static str,
    /// The plural noun for copied rows.
    pub rows: &'static str,
    /// The plural noun for its items, as in "applications".
    pub things: &'static str,
    /// The title if there are no items.
    pub none: &'static str,
    /// The advice if there are no items.
    pub advice: &'static str,
}

/// Draws the placeholder; returns true if there are rows to draw. A click on "Clear the filter" clears `filter` and
/// passes it to `cleared`.
pub(in crate::ui) fn rows_ui<R: Row>(
    ui: &mut Ui,
    state: &State,
    listing: &Listing<R>,
    words: &ListTexts,
    actions: &mut Vec<Action>,
    cleared: impl FnOnce(&mut Vec<Action>),
) -> bool {
    let refresh = |clicked: bool, actions: &mut Vec<Action>| {
        actions.extend(clicked.then_some(Action::Refresh(words.panel)));
    };
    match (&listing.rows, &state.connection.status) {
        (Remote::Failed { error, previous: None }, _) => {
            refresh(failed_ui(ui, words, error), actions);
            false
        }
        (Remote::NotRequested, Status::Down(problem)) => {
            if empty(ui, Icon::UNCONNECTED, "No service answers", problem, &["Reconnect"]).is_some() {
                actions.push(SessionAction::Reconnect.into());
            }
            false
        }
        (Remote::NotRequested | Remote::Loading { previous: None }, _) => {
            skeleton(ui, words.things, 10);
            false
        }
        (rows, _) => {
            if let Some(error) = rows.error() {
                refresh(stale_ui(ui, "The list", error), actions);
            }
            // While an empty list is read again, too: an empty table for a moment would take the focus with it.
            if listing.count() == 0 {
                refresh(empty(ui, Icon::EMPTY, words.none, words.advice, &["Refresh"]).is_some(), actions);
                return false;
            }
            let matching = !listing.order.is_empty() || rows.loading();
            if !matching && no_match_ui(ui) {
                cleared(actions);
            }
            matching
        }
    }
}

/// Draws that the list could not be read; returns whether to read it again.
fn failed_ui(ui: &mut Ui, words: &ListTexts, error: &CallError) -> bool {
    if !error.missing() {
        return failure_ui(ui, &format!("The {} could not be read", words.things), error);
    }
    let title = format!("This service does not list {}", words.things);
    let advice = format!("It answered: {}. Everything else still works.", error.reason());
    empty(ui, Icon::UNCONNECTED, &title, &advice, &["Ask again"]).is_some()
}

/// Draws that nothing matches the filter; returns whether to clear it.
fn no_match_ui(ui: &mut Ui) -> bool {
    empty(ui, Icon::NO_MATCH, "Nothing matches", "No row matches the filter.", &["Clear the filter"]).is_some()
}
