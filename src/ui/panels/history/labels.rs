//! Labels of a history entry: its status, and why it cannot be undone.

use std::borrow::Cow;

use egui::Color32;

use crate::ui::theme::{Icon, Tokens};
use crate::ui::widgets::shown_short;
use lunette_client::model::display::capitalized;
use lunette_inspector::State;
use lunette_inspector::history::{EntryStatus, History, HistoryRow, status_text};
use lunette_inspector::journal::{Entry, EntryRelation};

/// Returns the icon of a status.
pub fn status_icon(status: EntryStatus) -> Icon {
    match status {
        EntryStatus::Sending | EntryStatus::Elsewhere => Icon::PENDING,
        EntryStatus::Done => Icon::DONE,
        EntryStatus::Undone | EntryStatus::PartlyUndone => Icon::UNDO,
        EntryStatus::Failed => Icon::ERROR,
        EntryStatus::Unknown => Icon::UNKNOWN,
        EntryStatus::NotAll | EntryStatus::Interrupted => Icon::WARNING,
        EntryStatus::Paused => Icon::PAUSE,
    }
}

/// Returns the colour of a status; its label says the same.
pub fn status_color(status: EntryStatus, tokens: &Tokens) -> Color32 {
    match status {
        EntryStatus::Sending | EntryStatus::Elsewhere => tokens.accent,
        EntryStatus::Done => tokens.ok,
        EntryStatus::Undone => tokens.muted,
        EntryStatus::Failed => tokens.error,
        EntryStatus::Unknown
        | EntryStatus::NotAll
        | EntryStatus::PartlyUndone
        | EntryStatus::Paused
        | EntryStatus::Interrupted => tokens.warning,
    }
}

/// Returns the status of an entry in a few words: "Partly undone: 19 of 20".
pub fn status(entry: &Entry, state: &State) -> Cow<'static, str> {
    status_text(entry, EntryStatus::of(entry, &state.history, &state.bulk.runs))
}

/// Returns why an entry cannot be undone, as a sentence; `None` if it can.
pub fn undo_disabled_reason(entry: &Entry, state: &State) -> Option<String> {
    state.history.undo_obstacle(entry, &state.connection, &state.bulk.runs).map(|why| capitalized(&why))
}

/// Returns the entry that Redo would redo: this one if it was undone, or the one it undid.
pub fn redo_target<'a>(entry: &'a Entry, history: &'a History) -> Option<&'a Entry> {
    let undone = |entry: &Entry| entry.undone || entry.partly.is_some_and(|partly| partly.undone > 0);
    let target = match entry.answers {
        EntryRelation::Undoes(target) => history.entry(target).map(|target| target.as_ref())?,
        EntryRelation::None | EntryRelation::Redoes(_) => entry,
    };
    // An entry left in force by its undo was not undone, and one in progress is not undone yet.
    undone(target).then_some(target)
}

/// Returns why an entry cannot be redone, as a sentence; `None` if it can.
pub fn redo_disabled_reason(entry: &Entry, state: &State) -> Option<String> {
    state.history.redo_obstacle(entry).map(|why| capitalized(&why))
}

/// Returns the entry that this one undoes or redoes, with the words before its title.
pub fn target_of<'a>(entry: &Entry, history: &'a History) -> Option<(&'static str, &'a Entry)> {
    match entry.answers {
        EntryRelation::None => None,
        EntryRelation::Undoes(id) => history.entry(id).map(|other| ("Undoes", other.as_ref())),
        EntryRelation::Redoes(id) => history.entry(id).map(|other| ("Redoes", other.as_ref())),
    }
}

/// Returns the accessible name of a row.
pub fn row_name(row: &HistoryRow) -> String {
    let title = row.title();
    let (title, asset) = (shown_short(&title, 120), &row.asset);
    let status = row.status_text().to_lowercase();
    match asset.is_empty() {
        true => format!("{title}, {status}"),
        false => format!("{title}, {}, {status}", shown_short(asset, 120)),
    }
}
