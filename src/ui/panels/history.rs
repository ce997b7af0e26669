//! The history of this connection, newest first: what was written, the outcome, Undo and Redo.
//!
//! What must hold: the list and a run of a hundred thousand rows cost only what is visible; an unknown outcome is shown
//! as unknown.

use std::sync::Arc;

use egui::{Align, Layout, Ui};

use lunette_inspector::action::HistoryAction;
use lunette_inspector::filter::{CompiledFilter, Filter, List};
use lunette_inspector::journal::{Entry, EntryId, EntryKind, EntryRelation};
use lunette_inspector::session::Status;
use lunette_inspector::{Action, State};

use crate::ui::focus;
use crate::ui::format;
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::layout::{ListLayout, SplitLayout};
use crate::ui::list::split::{Part, page_or_split_ui, replaces_list};
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::shown_short;
use crate::ui::widgets::table::{Column, Table, TableState, columns_button};
use entry_page::EntryPage;
use filterable::SearchedEntry;
use labels::EntryStatus;
use run_page::RunPage;

mod entry_page;
mod filterable;
pub(in crate::ui) mod labels;
mod requests;
mod run_page;
#[cfg(test)]
mod tests;

/// The share of the width that the page beside the list takes at first.
const PAGE_SHARE: f32 = 0.5;

/// The panel, and what is open in it.
pub struct HistoryPanel {
    filter: FilterField,
    table: TableState,
    /// The entry whose row the table selected last.
    selected: Option<EntryId>,
    step: EntryPage,
    run: RunPage,
    found: FilteredRows,
    layout: ListLayout,
}

impl Default for HistoryPanel {
    fn default() -> Self {
        let (table, selected, step, run, found, layout) = Default::default();
        Self { filter: FilterField::new(List::History, "Filter steps"), table, selected, step, run, found, layout }
    }
}

/// The indices of the entries that match the filter, newest first; recomputed only when entries or filter change.
#[derive(Default)]
struct FilteredRows {
    made_of: Option<(Filter, usize, Option<EntryId>)>,
    indices: Vec<usize>,
}

impl HistoryPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let history = &state.history;
        let step = history.selected.and_then(|id| history.entry(id)).cloned();
        let kept = self.layout.restore("history", &mut self.table, state);
        let kept = SplitLayout { page: kept.page.or(Some(ui.available_width() * PAGE_SHARE)), ..kept };
        let (drawn, left) = page_or_split_ui(ui, "history", step.is_some(), kept, |ui, part| match (part, &step) {
            (Part::Page, Some(step)) => self.page_ui(ui, step, state, actions),
            (Part::Page, None) => {}
            (Part::List, _) => self.list_ui(ui, state, actions),
        });
        if left {
            actions.push(HistoryAction::Select(None).into());
        }
        self.layout.page_drawn(drawn);
        self.layout.save(ui, "history", &self.table, actions);
    }

    fn page_ui(&mut self, ui: &mut Ui, step: &Arc<Entry>, state: &State, actions: &mut Vec<Action>) {
        match step.kind {
            EntryKind::Batch { run, .. } => self.run.ui(ui, step, run, state, actions),
            EntryKind::Change(_) | EntryKind::Call { .. } => self.step.ui(ui, step, state, actions),
        }
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let columns = columns(ui.available_width());
        self.head_ui(ui, state, &columns, actions);
        if let Some(message) = &state.history.message {
            ui.warning_text(message);
            ui.add_space(SPACE_S);
        }
        self.found.find(state, self.filter.filter());
        match (state.history.entries.is_empty(), self.found.indices.is_empty()) {
            // The steps come with the service, which may be starting.
            (true, _) if state.connection.status == Status::Connecting => skeleton(ui, "steps", 10),
            (true, _) => {
                let advice = "Every change is recorded here before it is sent: what it changes, its result, and whether it can \
                              be undone. The history stays after a restart.";
                empty(ui, Icon::HISTORY, "No changes yet", advice, &[]);
            }
            (false, true) => {
                let advice = "No step matches the filter.";
                if empty(ui, Icon::NO_MATCH, "Nothing matches", advice, &["Clear the filter"]).is_some() {
                    self.filter.clear(actions);
                }
            }
            (false, false) => self.table_ui(ui, state, &columns, actions),
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            ui.heading("History");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                columns_button(ui, columns, &mut self.table);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    self.filter.ui(ui, state, f32::INFINITY, "", actions);
                });
            });
        });
        self.filter.fault_ui(ui, actions);
        ui.add_space(SPACE_M);
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        self.select_open_row(state);
        let Self { filter, table, found, selected, .. } = self;
        let entry = |index: usize| found.indices.get(index).and_then(|index| state.history.entries.get(*index));
        let key = |index: usize| entry(index).map(|entry| entry.id.0.to_string()).unwrap_or_default();
        let name = |index: usize| entry(index).map(|entry| labels::row_name(entry, state)).unwrap_or_default();
        let number = |index: usize| found.number(index);
        let is_open = |index: usize| {
            state.history.selected.is_some() && entry(index).map(|entry| entry.id) == state.history.selected
        };
        let mut opened = None;
        let one_page = replaces_list(ui.ctx());
        let drawn = Table::new("Steps", columns, found.indices.len(), &key)
            .row_name(&name)
            .number(&number)
            .single_selection()
            .open_row(&is_open)
            .follow_focus(!one_page)
            .row_menu(&mut |ui, index| {
                if let Some(entry) = entry(index)
                    && entry_page::menu_ui(ui, entry, state, actions)
                {
                    opened = Some(index);
                }
            })
            .show(ui, table, |ui, index, column| {
                if let Some(entry) = entry(index) {
                    cell_ui(ui, entry, columns[column].key, state);
                }
            });
        if drawn.escaped {
            filter.select_all(ui);
        }
        // If the page would replace the list, the right mouse button only selects.
        let focused = drawn.focused.filter(|_| !one_page || !ui.input(|input| input.pointer.secondary_clicked()));
        if let Some(entry) = opened.or(drawn.opened).or(focused).and_then(entry) {
            *selected = Some(entry.id);
            actions.push(HistoryAction::Select(Some(entry.id)).into());
            if one_page {
                focus::enter_page(ui.ctx());
            }
        }
    }

    /// Selects the row of an entry opened elsewhere, in the status bar for example.
    fn select_open_row(&mut self, state: &State) {
        if self.selected == state.history.selected {
            return;
        }
        self.selected = state.history.selected;
        let is_it = |index: &usize| state.history.entries.get(*index).map(|entry| entry.id) == self.selected;
        match self.found.indices.iter().position(|index| self.selected.is_some() && is_it(index)) {
            Some(row) => self.table.select(row, self.found.number(row)),
            None => self.table.selection = crate::ui::widgets::table::Selection::default(),
        }
    }
}

impl FilteredRows {
    /// Returns the index among all entries of a visible row.
    fn number(&self, index: usize) -> u32 {
        self.indices.get(index).and_then(|index| u32::try_from(*index).ok()).unwrap_or(u32::MAX)
    }

    fn find(&mut self, state: &State, filter: &Filter) {
        let entries = &state.history.entries;
        let made_of = (filter.clone(), entries.len(), entries.last().map(|entry| entry.id));
        if self.made_of.as_ref() == Some(&made_of) {
            return;
        }
        let sieve = CompiledFilter::new(filter, &jiff::ZonedDateTime::now());
        let indices = entries.iter().enumerate().rev();
        let wanted = |entry: &Entry| sieve.takes(&SearchedEntry { entry, state });
        self.indices = indices.filter(|(_, entry)| wanted(entry)).map(|(index, _)| index).collect();
        self.made_of = Some(made_of);
    }
}

/// Returns the columns for a list this wide. Beside a wide page not all of them fit: what was done has priority, then
/// the result, the time, and the asset, which is also shown on hover of *What*.
fn columns(width: f32) -> Vec<Column> {
    let (when, what, asset) = (92.0, 240.0, 120.0);
    let result = if width < what + 120.0 { 72.0 } else { 120.0 };
    let wide = |column: Column, least: f32| if width < least { column.hidden() } else { column };
    vec![
        wide(Column::text("when", "When", when).unsorted(), what + result + when),
        Column::text("what", "What", what).growing_by(3.0).unsorted(),
        wide(Column::text("asset", "Asset", asset).growing().unsorted(), what + result + when + asset),
        Column::text("ended", "Result", result).unsorted(),
    ]
}

fn cell_ui(ui: &mut Ui, entry: &Entry, key: &str, state: &State) {
    match key {
        "when" => {
            let at = entry.at.to_string();
            ui.muted(&format::ago(&at)).on_hover_text(format::exact(&at));
        }
        "what" => title_ui(ui, entry, state),
        "asset" => {
            let name = labels::asset_name(entry, state);
            ui.muted(&shown_short(&name, 120)).on_hover_text(shown_short(&name, 400));
        }
        "ended" => {
            let standing = EntryStatus::of(entry, state);
            let color = standing.color(ui.tokens());
            ui.decoration(standing.icon().text().color(color));
            let status = labels::status(entry, state);
            ui.colored_label(color, &*status).on_hover_text(&*status);
        }
        _ => {}
    }
}

/// Draws the title; that of an undo or redo is muted. Hover shows all of it, with the asset and the entry it undoes or
/// redoes.
fn title_ui(ui: &mut Ui, entry: &Entry, state: &State) {
    let title = shown_short(&entry.title, 200);
    let label = match relation_icon(entry.answers) {
        Some(icon) => {
            ui.decoration(icon.text().color(ui.tokens().muted));
            ui.muted(&title)
        }
        None => ui.label(title),
    };
    label.on_hover_ui(|ui| {
        ui.label(shown_short(&entry.title, 2_000));
        ui.muted(&shown_short(&labels::asset_name(entry, state), 400));
        if let Some((words, other)) = labels::target_of(entry, &state.history) {
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
