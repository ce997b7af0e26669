//! The history of this connection, newest first: what was written, the outcome, Undo and Redo.
//!
//! What must hold: the list and a run of a hundred thousand rows cost only what is visible; an unknown outcome is shown
//! as unknown.

use std::cell::Cell;

use egui::Ui;

use lunette_inspector::action::HistoryAction;
use lunette_inspector::history::HistoryRow;
use lunette_inspector::journal::{EntryId, EntryKind, EntryRelation};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, State};

use crate::ui::list::cells;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter, enter_page};
use crate::ui::list::split::SplitPart;
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::shown_short;
use crate::ui::widgets::table::Column;
use entry_page::EntryPage;
use labels::{status_color, status_icon};
use run_page::RunPage;

mod entry_page;
pub(in crate::ui) mod labels;
mod requests;
mod run_page;
#[cfg(test)]
mod tests;

/// The panel, and what is open in it.
pub struct HistoryPanel {
    list: ListView<HistoryRow>,
    step: EntryPage,
    run: RunPage,
}

impl Default for HistoryPanel {
    fn default() -> Self {
        let (step, run) = Default::default();
        Self { list: ListView::new("Filter steps"), step, run }
    }
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "History",
    table: "Steps",
    reload: || Action::Refresh(Panel::History),
    refresh: None,
    select: Some("Select several steps to copy them"),
    rows: "steps",
    noun: "steps",
    icon: Icon::HISTORY,
    empty_title: "No changes yet",
    empty_hint: "Every change is recorded here before it is sent: what it changes, its result, and whether it can be undone. The \
             history stays after a restart.",
};

impl HistoryPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let history = &state.history;
        let entry = history.selected.and_then(|id| history.entry(id)).cloned();
        let Self { list, step, run } = self;
        let left =
            list.beside_page_ui(ui, state, entry.is_some(), actions, |list, ui, part, actions| match (part, &entry) {
                (SplitPart::Page, Some(entry)) => match entry.kind {
                    EntryKind::Batch { run: id, .. } => run.ui(ui, entry, id, state, actions),
                    EntryKind::Change(_) | EntryKind::Call { .. } => step.ui(ui, entry, state, actions),
                },
                (SplitPart::Page | SplitPart::SecondPage, _) => {}
                (SplitPart::List, _) => list_ui(list, ui, state, actions),
            });
        if left {
            actions.push(HistoryAction::Select(None).into());
        }
    }
}

fn list_ui(list: &mut ListView<HistoryRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let columns = columns(ui.available_width());
    let frame = ListFrame { state, list: &state.history.list, texts: &TEXTS, columns: &columns };
    list.head_ui(ui, &frame, actions, |_, _| {});
    ui.add_space(SPACE_M);
    if let Some(message) = &state.history.message {
        ui.warning_text(message);
        ui.add_space(SPACE_S);
    }
    // The steps come with the service, which may be starting.
    if state.history.entries.is_empty() && state.connection.status == Status::Connecting {
        return skeleton(ui, "steps", 10);
    }
    let painter = Painter { state, chosen: Cell::new(None) };
    let opened = list.rows_ui(ui, &frame, &painter, actions).map(|row| row.entry.id);
    if painter.chosen.get().is_some() {
        enter_page(ui);
    }
    if let Some(id) = painter.chosen.get().or(opened) {
        actions.push(HistoryAction::Select(Some(id)).into());
    }
}

/// Returns the columns for a list this wide. What was done has priority, then the result.
fn columns(width: f32) -> Vec<Column> {
    let mut columns = cells::columns::<HistoryRow>(width);
    columns.iter_mut().filter(|column| column.key == "ended" && width < 360.0).for_each(|column| column.width = 72.0);
    columns
}

struct Painter<'a> {
    state: &'a State,
    /// The step to be opened by its menu.
    chosen: Cell<Option<EntryId>>,
}

impl RowPainter<HistoryRow> for Painter<'_> {
    fn name(&self, row: &HistoryRow) -> String {
        labels::row_name(row)
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, HistoryRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "what" => title_ui(ui, &row, self.state),
            "asset" => _ = ui.muted(&shown_short(&row.asset, 120)).on_hover_text(shown_short(&row.asset, 400)),
            "ended" => {
                let (color, text) = (status_color(row.status, ui.tokens()), row.status_text());
                ui.decoration(status_icon(row.status).text().color(color));
                ui.colored_label(color, &*text).on_hover_text(&*text);
            }
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, HistoryRow>, actions: &mut Vec<Action>) {
        if entry_page::menu_ui(ui, &row.entry, self.state, actions) {
            self.chosen.set(Some(row.entry.id));
        }
    }

    fn open(&self) -> Option<EntryId> {
        self.state.history.selected
    }
}

/// Draws the title; that of an undo or redo is muted. Hover shows all of it, with the asset and the entry it undoes or
/// redoes.
fn title_ui(ui: &mut Ui, row: &HistoryRow, state: &State) {
    let title = shown_short(&row.title(), 200).into_owned();
    let label = match relation_icon(row.entry.answers) {
        Some(icon) => {
            ui.decoration(icon.text().color(ui.tokens().muted));
            ui.muted(&title)
        }
        None => ui.label(title),
    };
    label.on_hover_ui(|ui| {
        ui.label(shown_short(&row.title(), 2_000));
        ui.muted(&shown_short(&row.asset, 400));
        if let Some((words, other)) = labels::target_of(&row.entry, &state.history) {
            ui.muted(&format!("{words}: {}", shown_short(&other.title, 400)));
        }
    });
}

fn relation_icon(answers: EntryRelation) -> Option<Icon> {
    match answers {
        EntryRelation::None => None,
        EntryRelation::Undoes(_) => Some(Icon::UNDO),
        EntryRelation::Redoes(_) => Some(Icon::REDO),
    }
}
