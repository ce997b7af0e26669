//! The page of a history entry: its outcome and the reason, what it changed, its requests, and its actions.

use std::borrow::Cow;
use std::sync::Arc;

use egui::{Response, ScrollArea, Ui};

use crate::ui::command::Command;
use crate::ui::disabled_reason::{disabled_reason, enabled_unless, write_disabled_reason};
use crate::ui::format;
use crate::ui::list::split::titled_page_ui;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{self, Entry as MenuEntry};
use crate::ui::widgets::field_diff::{self, FieldRow};
use crate::ui::widgets::shown_short;
use lunette_client::model::display::capitalized;
use lunette_inspector::action::{AssetsAction, HistoryAction, NavigationAction};
use lunette_inspector::history::{EntryStatus, asset_name};
use lunette_inspector::journal::{Entry, EntryId, EntryKind, EntryRelation, Outcome};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::labels::{
    redo_disabled_reason, redo_target, status, status_color, status_icon, target_of, undo_disabled_reason,
};
use super::requests::Requests;

/// Maximum number of changed fields visible at once; the others are scrolled to.
const MAX_FIELDS: usize = 6;

/// The view state of the page.
#[derive(Default)]
pub struct EntryPage {
    shown: Option<EntryId>,
    fields: Vec<FieldRow>,
    requests: Requests,
}

impl EntryPage {
    /// Draws an entry with a single change.
    pub fn ui(&mut self, ui: &mut Ui, entry: &Arc<Entry>, state: &State, actions: &mut Vec<Action>) {
        if self.shown != Some(entry.id) {
            self.shown = Some(entry.id);
            self.requests.reset();
            self.fields = field_diff::rows(&entry.fields);
        }
        titled_ui(ui, &entry.title, actions, |ui, actions| {
            ScrollArea::vertical().id_salt(("step", entry.id.0)).auto_shrink(false).show(ui, |ui| {
                facts_ui(ui, entry, state, actions);
                ui.add_space(SPACE_S);
                ui.horizontal_wrapped(|ui| buttons_ui(ui, entry, state, "Undo this step", actions));
                ui.add_space(SPACE_M);
                ui.section_title("What changed");
                match entry.fields.as_slice() {
                    [] => ui.muted(no_fields_text(entry)),
                    _ => ui.scope(|ui| field_diff::changes(ui, &self.fields, MAX_FIELDS)).response,
                };
                ui.add_space(SPACE_M);
                ui.section_title("Requests");
                if entry.requests.is_empty() {
                    ui.muted("Nothing was sent.");
                }
                self.requests.ui(ui, entry, &state.connection, actions);
            });
        });
    }
}

/// Returns the text shown if no changed fields are stored.
fn no_fields_text(entry: &Entry) -> &'static str {
    match entry.kind {
        EntryKind::Call { .. } if entry.item_step().is_some() => "The item itself; see the requests.",
        EntryKind::Call { .. } => "The operation was sent from the console; what it changed is not known.",
        EntryKind::Change(_) | EntryKind::Batch { .. } => "No field of the record; see the requests.",
    }
}

/// Draws the title of an entry and then its page, with a button that closes it.
pub fn titled_ui(ui: &mut Ui, title: &str, actions: &mut Vec<Action>, draw: impl FnOnce(&mut Ui, &mut Vec<Action>)) {
    let title = shown_short(title, 200);
    if titled_page_ui(ui, &title, "Close the step", |ui| draw(ui, actions)) {
        actions.push(HistoryAction::Select(None).into());
    }
}

/// Draws the menu of an entry; returns whether it is to be opened.
pub fn menu_ui(ui: &mut Ui, entry: &Entry, state: &State, actions: &mut Vec<Action>) -> bool {
    let open = context_menu::entry(ui, Icon::SHOWN, "Open");
    if let EntryKind::Change(change) = &entry.kind
        && context_menu::entry(ui, Icon::ASSETS, "Open asset")
    {
        actions.extend([
            Action::Navigation(NavigationAction::Show(Panel::Assets)),
            Action::Assets(AssetsAction::Open(change.asset().clone())),
        ]);
    }
    context_menu::separator(ui);
    let last = state.history.last().is_some_and(|last| last.id == entry.id);
    if !matches!(entry.answers, EntryRelation::Undoes(_)) {
        let disabled_reason =
            undo_disabled_reason(entry, state).map(Cow::Owned).or_else(|| blocked_reason(entry, state, true));
        let keys = if last { Command::Undo.keys_shown(state) } else { String::new() };
        if MenuEntry::new(Icon::UNDO, "Undo…").keys(&keys).disabled_reason(disabled_reason.as_deref()).show(ui) {
            actions.push(HistoryAction::UndoStep(entry.id).into());
        }
    }
    if let Some(again) = redo_target(entry, &state.history) {
        let disabled_reason =
            redo_disabled_reason(again, state).map(Cow::Owned).or_else(|| blocked_reason(again, state, false));
        let keys = Command::Redo.keys_shown(state);
        if MenuEntry::new(Icon::REDO, "Redo").keys(&keys).disabled_reason(disabled_reason.as_deref()).show(ui) {
            actions.push(HistoryAction::Redo.into());
        }
    }
    if context_menu::entry(ui, Icon::COPY, "Copy title") {
        ui.ctx().copy_text(entry.title.clone());
        actions.push(Action::Notify("Copied the title".to_owned()));
    }
    open
}

/// Draws why an entry failed, or why its outcome is or was unknown.
fn outcome_ui(ui: &mut Ui, entry: &Entry, standing: EntryStatus) {
    match (&entry.outcome, standing) {
        (_, EntryStatus::Sending | EntryStatus::Paused | EntryStatus::Interrupted) => {}
        (Outcome::Partly { why, .. }, _) => {
            ui.warning_text(&capitalized(why));
        }
        (Outcome::Failed(why), _) => {
            ui.error_text(why);
        }
        (Outcome::Unknown(why), _) => {
            ui.warning_text(why);
            ui.muted("It is not known whether it was done. Lunette never repeats a change by itself: read again to find out.");
        }
        (Outcome::Sending | Outcome::Done, _) => {}
    }
    if let (Some(why), Outcome::Done) = (&entry.was_unknown, &entry.outcome) {
        ui.muted(&format!(
            "The outcome was unknown: {}. Reading the asset again showed that the change was made.",
            shown_short(why, 300)
        ));
    }
}

/// Draws the outcome, the time, the reason, the asset, and the related entry.
pub fn facts_ui(ui: &mut Ui, entry: &Entry, state: &State, actions: &mut Vec<Action>) {
    let (standing, tokens) = (EntryStatus::of(entry, &state.history, &state.bulk.runs), ui.tokens());
    ui.horizontal_wrapped(|ui| {
        ui.decoration(status_icon(standing).text().color(status_color(standing, tokens)));
        ui.colored_label(status_color(standing, tokens), status(entry, state));
        ui.muted(&format::exact(&entry.at.to_string()));
    });
    if standing == EntryStatus::Elsewhere {
        ui.muted("It is in progress in another window.");
    }
    outcome_ui(ui, entry, standing);
    if let EntryKind::Change(change) = &entry.kind {
        ui.key_value_ui("Asset", |ui| {
            let name = shown_short(&asset_name(entry, &state.history, &state.assets.pages.names()), 120).into_owned();
            let link = link_ui(ui, &name).on_hover_text("Open the asset");
            if link.accessible_name(format!("Open {name}")).clicked() {
                actions.push(AssetsAction::Open(change.asset().clone()).into());
            }
        });
    }
    if let Some((words, other)) = target_of(entry, &state.history) {
        entry_link_ui(ui, words, other, actions);
    }
    let mut latest = state.history.entries.iter().rev().take(SEARCHED_ENTRIES);
    if let Some((words, later)) = latest.find_map(|later| Some((relation(later, entry.id)?, later))) {
        entry_link_ui(ui, words, later, actions);
    }
}

/// How many of the newest entries are searched for a related one, so that a long journal does not delay a frame.
const SEARCHED_ENTRIES: usize = 2_000;

/// Returns what a later entry did to this one, if anything.
fn relation(later: &Entry, id: EntryId) -> Option<&'static str> {
    match later.answers {
        EntryRelation::Undoes(other) if other == id => Some("Undone by"),
        EntryRelation::Redoes(other) if other == id => Some("Redone by"),
        EntryRelation::None | EntryRelation::Undoes(_) | EntryRelation::Redoes(_) => None,
    }
}

fn entry_link_ui(ui: &mut Ui, words: &str, other: &Entry, actions: &mut Vec<Action>) {
    ui.key_value_ui(words, |ui| {
        let title = shown_short(&other.title, 120).into_owned();
        let link = link_ui(ui, &title).on_hover_text("Open that step");
        if link.accessible_name(format!("Open the step {title}")).clicked() {
            actions.push(HistoryAction::Select(Some(other.id)).into());
        }
    });
}

/// Draws a link that is truncated at the end of its line.
fn link_ui(ui: &mut Ui, text: &str) -> Response {
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
    ui.link(text)
}

/// Draws the actions on an entry side by side; a disabled one says why.
pub fn buttons_ui(ui: &mut Ui, entry: &Entry, state: &State, undo: &str, actions: &mut Vec<Action>) {
    if let (Outcome::Unknown(_), EntryKind::Change(_) | EntryKind::Call { .. }) = (&entry.outcome, &entry.kind) {
        reread_ui(ui, entry, actions);
    }
    let mut why = None;
    if let Some(again) = redo_target(entry, &state.history) {
        why = redo_disabled_reason(again, state).map(Cow::Owned);
        let blocked_reason = why.clone().or_else(|| blocked_reason(again, state, false));
        if button_ui(
            ui,
            Icon::REDO,
            "Redo this step",
            &Command::Redo.with_keys("Redoes what was undone", state),
            blocked_reason.as_deref(),
        ) {
            actions.push(HistoryAction::Redo.into());
        }
    }
    if !matches!(entry.answers, EntryRelation::Undoes(_)) {
        let disabled_reason: Option<Cow<'static, str>> = undo_disabled_reason(entry, state).map(Cow::Owned);
        let blocked_reason = disabled_reason.clone().or_else(|| blocked_reason(entry, state, true));
        let last = state.history.last().is_some_and(|last| last.id == entry.id);
        let hint = if last { Command::Undo.with_keys("Undoes it", state) } else { "Undoes it".to_owned() };
        if button_ui(ui, Icon::UNDO, undo, &hint, blocked_reason.as_deref()) {
            actions.push(HistoryAction::UndoStep(entry.id).into());
        }
        let message = matches!(
            EntryStatus::of(entry, &state.history, &state.bulk.runs),
            EntryStatus::Done | EntryStatus::NotAll | EntryStatus::PartlyUndone
        );
        why = why.or(disabled_reason.filter(|_| message));
    }
    if let Some(why) = why {
        ui.caption(&why);
    }
}

/// Returns why the connection or the service prevents undoing or redoing an entry.
fn blocked_reason(entry: &Entry, state: &State, back: bool) -> Option<Cow<'static, str>> {
    let (history, recovery) = (&state.history, state.connection.recovery());
    let change = match (&entry.kind, back) {
        (EntryKind::Change(_), true) => history.back(entry.id, recovery),
        (EntryKind::Change(_), false) => history.again(entry.id, recovery),
        (EntryKind::Batch { .. } | EntryKind::Call { .. }, _) => None,
    };
    match change {
        Some(change) => disabled_reason(state, change.capability()),
        None => write_disabled_reason(state),
    }
    .map(Cow::Owned)
}

/// Offers to read the asset of an entry with an unknown outcome.
fn reread_ui(ui: &mut Ui, entry: &Entry, actions: &mut Vec<Action>) {
    let hint = "Reads the asset again to find out whether it was done; nothing is repeated";
    let call = "It was sent from the console: check what it changed";
    let unread = matches!(entry.kind, EntryKind::Call { .. }) && !entry.creates_asset();
    let disabled_reason = unread.then_some(call);
    if button_ui(ui, Icon::REFRESH, "Read again", hint, disabled_reason) {
        actions.push(HistoryAction::Reconcile(entry.id).into());
    }
}

/// Draws a button that says what it does, or why it is disabled; returns whether it was clicked.
pub fn button_ui(ui: &mut Ui, icon: Icon, name: &str, hint: &str, disabled_reason: Option<&str>) -> bool {
    enabled_unless(ui, disabled_reason, |ui| ui.icon_text_button(icon, name)).on_hover_text(hint).clicked()
}
