//! Any list, drawn from its columns: the field of its filter, the menu of its columns, what is drawn while there are no
//! rows, the table, the bar of the selected rows, and the page beside the list.
//!
//! What must hold: the rows and their order come from the state; what is typed stays here until it is an action.

use std::borrow::Cow;
use std::sync::Arc;

use egui::{Align, Layout, Response, Ui};

use lunette_inspector::listing::{Listing, Row};
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::{Action, State};

use super::cells::cell_ui;
use super::copy_as;
use super::filter_field::{FilterField, FilterResponse};
use super::keyed_selection::KeyedSelection;
use super::layout::{ListLayout, SplitLayout, sorted};
use super::split::{Part, page_or_split_ui};
use super::states::{ListTexts, rows_ui};
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::table::{Column, Table, TableResponse, TableState, columns_button};

/// A list, and what is typed and selected in it.
pub(in crate::ui) struct ListView<R: Row> {
    /// The filter.
    pub filter: FilterField,
    /// The columns, the focus and the selection.
    pub table: TableState,
    /// The selected rows by key.
    pub marks: KeyedSelection<R>,
    /// The row whose page was opened last.
    pub selected: Option<R::Key>,
    /// What was shown in the last frame, for commands.
    pub in_view: InView,
    layout: ListLayout,
}

/// What is special of the rows of a list.
pub(in crate::ui) trait RowPainter<R: Row> {
    /// Whether rows are dragged, or something is dropped on them.
    const DRAGS: bool = false;

    /// Returns the accessible name of a row.
    fn name(&self, row: &R) -> String;

    /// Returns what identifies a row among all that are drawn, given its index among all rows.
    fn id(&self, row: &R, _number: u32) -> String {
        format!("{:?}", row.key())
    }

    /// Draws a cell of the column with this key; returns false if it is to be drawn as its value.
    fn cell_ui(&self, ui: &mut Ui, row: &R, key: &str, actions: &mut Vec<Action>) -> bool;

    /// Draws the context menu of a row.
    fn menu_ui(&self, ui: &mut Ui, row: &R, actions: &mut Vec<Action>);

    /// Returns the row whose page is open.
    fn open(&self) -> Option<R::Key>;

    /// Returns what commands act on in a row.
    fn subject(&self, _row: &R) -> Option<Subject> {
        None
    }

    /// Returns the text that type-ahead matches.
    fn typed_name<'r>(&self, row: &'r R) -> Cow<'r, str> {
        Cow::Owned(self.name(row))
    }

    /// Returns whether the page follows the keyboard; if not, only Enter and a click open a row.
    fn follows(&self) -> bool {
        true
    }

    /// Begins to drag a row, or takes what is dropped on it.
    fn drag_ui(&self, _ui: &Ui, _response: &Response, _row: &R, _actions: &mut Vec<Action>) {}
}

/// What the keyboard and the mouse did in the rows.
pub(in crate::ui) struct RowsResponse<'a, R> {
    /// The row to be opened: not the one that was opened last.
    pub opened: Option<&'a Arc<R>>,
    /// Escape was pressed, and there is no filter to clear.
    pub escaped: bool,
}

impl<R: Row> ListView<R> {
    /// A list whose filter field has this accessible name.
    pub fn new(filter: &'static str) -> Self {
        let (table, marks, selected, in_view, layout) = Default::default();
        Self { filter: FilterField::new(R::LIST, filter), table, marks, selected, in_view, layout }
    }

    /// Draws the list and, if there is one, the page beside it; returns whether Escape closes the page. The columns and
    /// the width of the page are restored and saved.
    pub fn beside_page_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        page: bool,
        actions: &mut Vec<Action>,
        mut draw: impl FnMut(&mut Self, &mut Ui, Part, &mut Vec<Action>),
    ) -> bool {
        self.in_view = InView::nothing(state.navigation.panel);
        let saved = self.restore(state);
        let (drawn, left) = page_or_split_ui(ui, R::LIST.key(), page, saved, |ui, part| draw(self, ui, part, actions));
        self.save(ui, drawn, actions);
        left
    }

    /// Restores the columns if the view changed; returns the saved layout of the split.
    pub fn restore(&mut self, state: &State) -> SplitLayout {
        self.layout.restore(R::LIST.key(), &mut self.table, state)
    }

    /// Saves the columns and the width of the page as drawn.
    pub fn save(&mut self, ui: &Ui, page: Option<f32>, actions: &mut Vec<Action>) {
        self.layout.page_drawn(page);
        self.layout.save(ui, R::LIST.key(), &self.table, actions);
    }

    /// Draws the title, the filter, the menu of the columns, the button that refreshes and, right of it, `more`.
    pub fn head_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        (texts, columns): (&ListTexts, &[Column]),
        actions: &mut Vec<Action>,
        more: impl FnOnce(&mut Ui, &mut Vec<Action>),
    ) -> FilterResponse {
        let mut done = FilterResponse::default();
        ui.horizontal(|ui| {
            ui.heading(texts.heading);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                more(ui, actions);
                if let Some(refresh) = texts.refresh
                    && ui.icon_button(Icon::REFRESH, refresh).clicked()
                {
                    actions.push(Action::Refresh(texts.panel));
                }
                if !columns.is_empty() {
                    columns_button(ui, columns, &mut self.table);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    done = self.filter.ui(ui, state, f32::INFINITY, "", actions);
                });
            });
        });
        done.changed |= self.filter.fault_ui(ui, actions);
        done
    }

    /// Draws the bar below the list: how to select several rows or, while several are selected, their number, `act`, the
    /// formats in which they are copied with `more` of them, and a button that clears the selection.
    pub fn selection_ui(
        &mut self,
        ui: &mut Ui,
        list: &Listing<R>,
        texts: &ListTexts,
        actions: &mut Vec<Action>,
        (act, more): (impl FnOnce(&mut Ui, &KeyedSelection<R>), impl FnOnce(&mut Ui)),
    ) {
        self.marks.sync(list, &mut self.table);
        let Self { table, marks, .. } = self;
        if marks.count() < 2 {
            return copy_as::action_bar_hint_ui(ui, R::LIST.key(), texts.select);
        }
        let mut copied = None;
        copy_as::action_bar_ui(ui, R::LIST.key(), |ui| {
            copy_as::count_ui(ui, marks.count(), marks.hidden());
            act(ui, marks);
            ui.icon_menu_button(Icon::COPY, "Copy", |ui| {
                copied = copy_as::entries_ui(ui);
                more(ui);
            });
            copy_as::clear_ui(ui, table);
        });
        if let Some(kind) = copied {
            copy_as::copy(ui, kind, &marks.rows(list), texts.rows, actions);
        }
    }

    /// Draws the rows of a list, or why there are none.
    pub fn rows_ui<'a>(
        &mut self,
        ui: &mut Ui,
        state: &State,
        list: &'a Listing<R>,
        (texts, columns): (&ListTexts, &[Column]),
        painter: &impl RowPainter<R>,
        actions: &mut Vec<Action>,
    ) -> RowsResponse<'a, R> {
        let mut done = RowsResponse { opened: None, escaped: false };
        if rows_ui(ui, state, list, texts, actions, |actions| self.filter.clear(actions)) {
            done = self.table_ui(ui, list, (texts.table, columns), painter, actions);
        }
        self.in_view.selected = self.marks.in_view(list, |row| painter.subject(row));
        done
    }

    /// Draws the table.
    pub fn table_ui<'a, P: RowPainter<R>>(
        &mut self,
        ui: &mut Ui,
        list: &'a Listing<R>,
        (name, columns): (&str, &[Column]),
        painter: &P,
        actions: &mut Vec<Action>,
    ) -> RowsResponse<'a, R> {
        let open = painter.open();
        self.select_open_row(list, open.as_ref());
        let row = |index: usize| list.shown(index);
        let number = |index: usize| list.number(index);
        let id = |index: usize| row(index).map(|row| painter.id(row, number(index))).unwrap_or_default();
        let row_name = |index: usize| row(index).map(|row| painter.name(row)).unwrap_or_default();
        let typed = |index: usize| row(index).map_or(Cow::Borrowed(""), |row| painter.typed_name(row));
        let is_open = |index: usize| open.is_some() && row(index).map(R::key) == open;
        let (mut of_cells, mut of_drags) = (Vec::new(), Vec::new());
        let mut menu = |ui: &mut Ui, index: usize| {
            row(index).into_iter().for_each(|row| painter.menu_ui(ui, row, actions));
        };
        let mut drag = |ui: &Ui, response: &Response, index: usize| {
            row(index).into_iter().for_each(|row| painter.drag_ui(ui, response, row, &mut of_drags));
        };
        let mut table = Table::new(name, columns, list.order.len(), &id).row_menu(&mut menu).secondary_sort();
        if P::DRAGS {
            table = table.row_drag(&mut drag);
        }
        let table = table.row_name(&row_name).typed_name(&typed).number(&number).open_row(&is_open);
        let drawn = table.follow_focus(painter.follows()).show(ui, &mut self.table, |ui, index, column| {
            let key = columns[column].key;
            if let Some(row) = row(index).filter(|row| !painter.cell_ui(ui, row, key, &mut of_cells)) {
                cell_ui(ui, row, key);
            }
        });
        actions.extend(of_cells.into_iter().chain(of_drags));
        self.marks.record(list, &self.table);
        self.in_view.focused = drawn.ringed.and_then(row).and_then(|row| painter.subject(row));
        self.handle_response(ui, list, &drawn, painter.follows(), actions)
    }

    /// Clears the filter, sorts and opens as the keyboard or the mouse asked for.
    fn handle_response<'a>(
        &mut self,
        ui: &Ui,
        list: &'a Listing<R>,
        drawn: &TableResponse,
        follows: bool,
        actions: &mut Vec<Action>,
    ) -> RowsResponse<'a, R> {
        let filtered = !self.filter.text().is_empty();
        if drawn.escaped && filtered {
            self.filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(sorted(R::LIST, &self.table));
        }
        // If the page would replace the list, the right mouse button only selects.
        let focused = drawn.focused.filter(|_| follows || !ui.input(|input| input.pointer.secondary_clicked()));
        let opened = drawn.opened.or(focused).and_then(|index| list.shared(index));
        let opened = opened.filter(|row| self.selected.as_ref() != Some(&row.key()));
        if let Some(row) = opened {
            self.selected = Some(row.key());
        }
        RowsResponse { opened, escaped: drawn.escaped && !filtered }
    }

    /// Selects the row whose page is open, wherever it was opened from; a selection of several rows is kept.
    fn select_open_row(&mut self, list: &Listing<R>, open: Option<&R::Key>) {
        if self.selected.as_ref() == open {
            return;
        }
        self.selected = open.cloned();
        let Some(open) = open else { return };
        let is_row = |index: &usize| list.shown(*index).is_some_and(|row| row.key() == *open);
        let Some(index) = (0..list.order.len()).find(is_row) else { return };
        match self.table.selection.count() {
            0 | 1 => self.table.select(index, list.number(index)),
            _ => self.table.move_to(index, list.number(index)),
        }
    }
}
