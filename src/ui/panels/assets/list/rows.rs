//! The table of the list: its columns, its rows, and the menu of a row.
//!
//! What must hold: the row of the open asset is selected; a selection of several rows stays when another is opened.

use std::borrow::Cow;
use std::sync::Arc;

use egui::{Response, Ui};

use crate::ui::dragging::{self, Dragged};
use crate::ui::focus;
use crate::ui::list::cells::columns as columns_of;
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::layout;
use crate::ui::panels::assets::cells::{self, SearchMarks};
use crate::ui::panels::assets::draft_banner::has_draft;
use crate::ui::panels::assets::row_menu::{self, Chosen};
use crate::ui::panels::assets::selection::{assets, copy_rows};
use crate::ui::theme;
use crate::ui::widgets::table::{Column, Selection, Sort, Table, TableResponse, TableState};
use crate::ui::widgets::{grouped, shown_short};
use lunette_inspector::action::AssetsAction;
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::filter::List;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, State};

use super::AssetList;

impl AssetList {
    /// Draws the rows, and opens, sorts and runs what was asked for in them.
    pub(super) fn table_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        columns: &[Column],
        beside: bool,
        actions: &mut Vec<Action>,
    ) {
        self.sync_table(state);
        let Self { table, marks, ringed, .. } = self;
        let listing = &state.assets.list;
        let is_open = |index: usize| is_open(index, state);
        let (mut chosen, mut dropped) = (None, None);
        let row = |index: usize| listing.shown(index);
        let key = |index: usize| row(index).map(|row| row.id().to_string()).unwrap_or_default();
        let name = |index: usize| row(index).map(cells::row_name).unwrap_or_default();
        let number = |index: usize| listing.number(index);
        let typed = |index: usize| row(index).map_or(Cow::Borrowed(""), cells::typed_name);
        let mut drag = |ui: &Ui, response: &Response, index: usize| {
            dragging::begin(response, || dragged_assets(state, marks, index).map(Dragged::Assets));
            let onto = || dragged_assets(state, marks, index).unwrap_or_default();
            let named = || dragged_name(state, marks, index);
            dropped = dragging::drop_on_assets(ui, response, named, onto).or(dropped.take());
        };
        let mut menu = |ui: &mut Ui, index: usize| {
            let choice = row(index).and_then(|row| row_menu::ui(ui, row, state));
            chosen = choice.map(|choice| (index, choice)).or(chosen.take());
        };
        let drawn = Table::new("Assets", columns, listing.order.len(), &key)
            .row_name(&name)
            .number(&number)
            .typed_name(&typed)
            .follow_focus(beside)
            .secondary_sort()
            .row_height(row_height(ui, state))
            .row_menu(&mut menu)
            .row_drag(&mut drag)
            .open_row(&is_open)
            .show(ui, table, |ui, index, column| {
                if let Some(row) = row(index) {
                    cell_ui(ui, row, columns[column].key, state);
                }
            });
        actions.extend(dropped);
        marks.record(listing, table);
        *ringed = drawn.ringed.and_then(|index| listing.shared(index)).cloned();
        self.handle_response(ui, &drawn, beside, state, actions);
        self.run_menu_choice(ui, chosen, state, actions);
    }

    /// Shows in the table how the list is sorted by itself, and which asset is open.
    fn sync_table(&mut self, state: &State) {
        // Our choice: a changed asset stays where it is in this order until the list is reloaded.
        let natural = state.connection.own && state.assets.found.is_none();
        self.table.default_sort = natural.then(|| Sort::descending("updated"));
        let refiltered = self.refiltered(state);
        if refiltered {
            self.table.show_top();
        }
        let opened = self.last_open != state.assets.pages.open;
        if opened || (refiltered || self.awaits_open_row) && open_index(state).is_some() {
            self.last_open.clone_from(&state.assets.pages.open);
            // The row of a new asset comes after its page.
            self.awaits_open_row = state.assets.pages.open.is_some() && open_index(state).is_none();
            select_open_row(&mut self.table, state);
        }
    }

    /// Returns whether other rows are shown since the last frame because of another filter or search.
    fn refiltered(&mut self, state: &State) -> bool {
        let (listing, found) = (&state.assets.list, state.assets.found.as_ref());
        let search = || found.filter(|search| search.hits.value().is_some()).map(|search| search.text.as_str());
        let (filter, text) = &self.last_filter;
        // While the new rows are awaited, the old ones are shown.
        if listing.applying_query || *filter == listing.query.filter && text.as_deref() == search() {
            return false;
        }
        self.last_filter = (listing.query.filter.clone(), search().map(str::to_owned));
        true
    }

    /// Clears the filter, sorts and opens as the keyboard or the mouse asked for.
    fn handle_response(
        &mut self,
        ui: &Ui,
        drawn: &TableResponse,
        beside: bool,
        state: &State,
        actions: &mut Vec<Action>,
    ) {
        let filter = &mut self.toolbar.filter;
        if drawn.escaped && !filter.text().is_empty() {
            filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(layout::sorted(List::Assets, &self.table));
        }
        // If the page would replace the list, the right mouse button only selects.
        let focused = drawn.focused.filter(|_| beside || !ui.input(|input| input.pointer.secondary_clicked()));
        self.open_row(ui, drawn.opened.or(focused), beside, state, actions);
    }

    /// Opens the asset of a row, if another one is open.
    fn open_row(&mut self, ui: &Ui, index: Option<usize>, beside: bool, state: &State, actions: &mut Vec<Action>) {
        let Some(id) = index.and_then(|index| state.assets.list.shown(index)).map(|row| row.id()) else { return };
        if state.assets.pages.open.as_ref() == Some(&id) {
            return;
        }
        self.last_open = Some(id.clone());
        actions.push(AssetsAction::Open(id).into());
        if !beside {
            focus::enter_page(ui.ctx());
        }
    }

    /// Runs what was chosen in the menu of a row.
    fn run_menu_choice(&mut self, ui: &Ui, chosen: Option<(usize, Chosen)>, state: &State, actions: &mut Vec<Action>) {
        let Some((index, choice)) = chosen else { return };
        let Some(row) = state.assets.list.shared(index) else { return };
        match choice {
            Chosen::Open => {
                actions.push(AssetsAction::Open(row.id()).into());
                focus::enter_page(ui.ctx());
            }
            Chosen::CopyName => {
                ui.ctx().copy_text(row.name().to_owned());
                actions.push(Action::Notify("Copied the name".to_owned()));
            }
            Chosen::Copy(kind) => copy_rows(ui, kind, &self.marks.rows(&state.assets.list), actions),
            Chosen::Command(take_command) => self.take_command = Some((take_command, Arc::clone(row))),
        }
    }
}

/// Returns the height of the rows: all have the same, so that a million of them scroll smoothly.
fn row_height(ui: &Ui, state: &State) -> f32 {
    let hits = state.assets.found.as_ref().and_then(|search| search.hits.value());
    if hits.is_some_and(|hits| hits.passages) { cells::passage_row(ui) } else { theme::row(ui) }
}

/// Returns what is dragged with a row: all selected assets if it is one of them, otherwise its own.
fn dragged_assets(state: &State, marks: &KeyedSelection<AssetRow>, index: usize) -> Option<NamedAssets> {
    let listing = &state.assets.list;
    match marks.contains(listing.number(index)) {
        true => Some(assets(state, marks)),
        false => listing.shown(index).map(|row| Arc::new(vec![(row.id(), row.title().into_owned())])),
    }
}

/// What these are called on the label of a drag.
fn dragged_name(state: &State, marks: &KeyedSelection<AssetRow>, index: usize) -> String {
    let listing = &state.assets.list;
    match listing.shown(index).filter(|_| marks.count() < 2 || !marks.contains(listing.number(index))) {
        Some(row) => format!("“{}”", shown_short(&row.title(), 40)),
        None => format!("{} assets", grouped(marks.count() as u64)),
    }
}

fn cell_ui(ui: &mut Ui, row: &AssetRow, key: &str, state: &State) {
    let drafted = key == "name" && has_draft(state, &row.id());
    let colors = &state.preferences.settings.look.tag_colors;
    let search = state.assets.found.as_ref().map(|search| SearchMarks {
        words: &search.words,
        passage: search.hits.value().and_then(|hits| hits.passage(&row.id())),
    });
    cells::cell_ui(ui, row, key, (drafted, colors), search);
}

/// Below this width, in points, a list is most likely beside a page.
const BESIDE_PAGE: f32 = 660.0;

/// Returns the columns for a list this wide. Beside a page, names get what the columns beside them can spare.
pub(super) fn columns(width: f32) -> Vec<Column> {
    let mut columns = columns_of::<AssetRow>(width);
    for column in columns.iter_mut().filter(|_| width < BESIDE_PAGE) {
        match column.key {
            "name" => column.width = 210.0,
            "tags" => column.width = 90.0,
            _ => {}
        }
    }
    columns
}

/// Returns whether the row at this index is that of the open asset.
fn is_open(index: usize, state: &State) -> bool {
    let row = state.assets.list.shown(index);
    state.assets.pages.open.as_ref().is_some_and(|id| row.is_some_and(|row| row.is_of(id)))
}

/// Returns the index of the row of the open asset, if it is shown.
fn open_index(state: &State) -> Option<usize> {
    let listing = &state.assets.list;
    let number = listing.rows.value()?.index_of(state.assets.pages.open.as_ref()?)?;
    listing.order.iter().position(|shown| *shown as usize == number)
}

/// Selects the row of the open asset, or none if it is not shown; a selection of several rows is kept.
fn select_open_row(table: &mut TableState, state: &State) {
    let listing = &state.assets.list;
    match open_index(state) {
        Some(index) if table.selection.count() > 1 => table.move_to(index, listing.number(index)),
        Some(index) => table.select(index, listing.number(index)),
        None if table.selection.count() > 1 => {}
        None => table.selection = Selection::default(),
    }
}
