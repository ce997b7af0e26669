//! Any list, drawn from its columns: the field of its filter, the menu of its columns, what is drawn while there are no
//! rows, the table, the bar of the selected rows, and the page beside the list.
//!
//! What must hold: the rows and their order come from the state; what is typed stays here until it is an action. The row
//! of the open page is selected; a selection of several rows stays when another page is opened.

use std::borrow::Cow;
use std::ops::{Deref, Range};
use std::sync::Arc;

use egui::{Align, Layout, Response, Ui, Vec2};

use lunette_inspector::filter::{Filter, List};
use lunette_inspector::listing::{Listing, Row};
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::{Action, State};

use super::cells::cell_ui;
use super::filter_field::{FilterField, FilterResponse};
use super::grouping::{GroupRequest, Grouping, group_button, head_menu_ui};
use super::keyed_selection::KeyedSelection;
use super::layout::{ListLayout, sorted};
use super::selection_bar::{SelectionBar, selection_bar_ui};
use super::split::{Beside, PagesWidth, Split, SplitPart, replaces_list};
use super::states::{self, Drawn, ListTexts};
use crate::ui::focus;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::table::{
    Column, Head, SecondLine, Selection, Table, TableResponse, TableState, Tiles, columns_button,
};

/// A list, and what is typed and selected in it.
pub(in crate::ui) struct ListView<R: Row> {
    list: List,
    /// The filter.
    pub filter: FilterField,
    /// The columns, the focus and the selection.
    pub table: TableState,
    /// The selected rows by key.
    pub marks: KeyedSelection<R>,
    /// What was shown in the last frame, for commands.
    pub in_view: InView,
    /// The row whose page was opened last.
    opened: Option<R::Key>,
    /// Whether it had no row then.
    awaits_row: bool,
    /// The filter and the search by which the rows were chosen that were drawn last.
    last_filter: (Filter, Option<String>),
    layout: ListLayout,
    pages: PagesWidth,
    grouping: Grouping,
}

/// What is drawn of a list in a frame.
pub(in crate::ui) struct ListFrame<'a, R: Row> {
    /// The state.
    pub state: &'a State,
    /// The list.
    pub list: &'a Listing<R>,
    /// Its texts.
    pub texts: &'a ListTexts,
    /// The columns of its table.
    pub columns: &'a [Column],
}

/// A row that is drawn, and the list that it is in.
pub(in crate::ui) struct ListRow<'a, R: Row> {
    /// The row.
    pub row: &'a Arc<R>,
    /// Its index among all rows.
    pub index: u32,
    /// The list.
    pub list: &'a Listing<R>,
    /// The selected rows.
    pub marks: &'a KeyedSelection<R>,
}

impl<R: Row> Clone for ListRow<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Row> Copy for ListRow<'_, R> {}

impl<R: Row> Deref for ListRow<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        self.row
    }
}

/// The rows of a group, and the list that they are in.
pub(in crate::ui) struct GroupRows<'a, R: Row> {
    head: Head<'a>,
    list: &'a Listing<R>,
}

impl<R: Row> GroupRows<'_, R> {
    /// The title of the group.
    pub fn title(&self) -> &str {
        &self.head.title
    }

    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.head.rows.len()
    }

    /// The rows.
    pub fn iter(&self) -> impl Iterator<Item = &R> {
        let rows = self.list.rows.value();
        self.head.rows.iter().filter_map(move |number| rows?.get(*number as usize)).map(Arc::as_ref)
    }
}

/// What is special of the rows of a list.
pub(in crate::ui) trait RowPainter<R: Row> {
    /// Whether rows are dragged, or something is dropped on them.
    const DRAGS: bool = false;
    /// Whether several rows can be selected.
    const SEVERAL: bool = true;
    /// Whether a row has a page.
    const OPENS: bool = true;

    /// Returns the accessible name of a row.
    fn name(&self, row: &R) -> String;

    /// Draws a cell of the column with this key; returns false if it is to be drawn as its value.
    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, R>, key: &str, actions: &mut Vec<Action>) -> bool;

    /// Draws the context menu of a row.
    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, R>, actions: &mut Vec<Action>);

    /// Returns the row whose page is open.
    fn open(&self) -> Option<R::Key> {
        None
    }

    /// Returns whether the page follows the row that is focused; if not, a row is opened by Enter or a double click.
    fn follows(&self) -> bool {
        true
    }

    /// Returns what identifies a row among all that are drawn, given its index among all rows.
    fn id(&self, row: &R, _number: u32) -> String {
        format!("{:?}", row.key())
    }

    /// Returns what commands act on in a row.
    fn subject(&self, _row: &Arc<R>) -> Option<Subject> {
        None
    }

    /// Returns the text that type-ahead matches.
    fn typed_name<'r>(&self, row: &'r R) -> Cow<'r, str> {
        Cow::Owned(self.name(row))
    }

    /// Returns the text of the search that chose the rows, if one did.
    fn search(&self) -> Option<&str> {
        None
    }

    /// Returns the height of the rows, in points; `None` for that of the density.
    fn row_height(&self, _ui: &Ui) -> Option<f32> {
        None
    }

    /// Returns the height of the second line that some rows have, in points.
    fn second_line(&self, _ui: &Ui) -> f32 {
        0.0
    }

    /// Whether a row has a second line.
    fn has_second_line(&self, _row: &R) -> bool {
        false
    }

    /// Draws the second line of a row.
    fn second_line_ui(&self, _ui: &mut Ui, _row: &R) {}

    /// Returns how many rows the table is high at most; `None` if it takes the available height.
    fn most_rows(&self, _ui: &Ui) -> Option<usize> {
        None
    }

    /// Returns the size of a row that is drawn as a tile, in points; `None` if rows are not drawn so.
    fn tile_size(&self) -> Option<Vec2> {
        None
    }

    /// Draws a row as a tile.
    fn tile_ui(&self, _ui: &mut Ui, _row: ListRow<'_, R>) {}

    /// Takes in which rows are drawn, once they were.
    fn drawn(&self, _list: &Listing<R>, _rows: Range<usize>, _tiles: bool) {}

    /// Begins to drag a row, or takes what is dropped on it.
    fn drag_ui(&self, _ui: &Ui, _response: &Response, _row: ListRow<'_, R>, _actions: &mut Vec<Action>) {}

    /// Begins to drag the rows of a group, or takes what is dropped on its head.
    fn drag_group_ui(&self, _ui: &Ui, _response: &Response, _group: GroupRows<'_, R>, _actions: &mut Vec<Action>) {}

    /// Draws what is done with several selected rows.
    fn selected_ui(&self, ui: &mut Ui, bar: &mut SelectionBar<'_, R>, _actions: &mut Vec<Action>) {
        bar.copy_ui(ui, |_| {});
    }

    /// Draws that there are no items.
    fn empty_ui(&self, ui: &mut Ui, texts: &ListTexts, actions: &mut Vec<Action>) {
        states::empty_ui(ui, texts, actions);
    }

    /// Draws that nothing matches the filter; returns whether to clear it.
    fn no_match_ui(&self, ui: &mut Ui, _actions: &mut Vec<Action>) -> bool {
        states::no_match_ui(ui, "No row matches the filter.")
    }
}

impl<R: Row> ListView<R> {
    /// A list whose filter field has this accessible name.
    pub fn new(filter: &'static str) -> Self {
        Self::of(R::LIST, filter)
    }

    /// Another list of these rows, whose filter field has this accessible name.
    pub fn of(list: List, filter: &'static str) -> Self {
        let (table, marks, in_view, opened, awaits_row, last_filter, layout, pages) = Default::default();
        let (filter, grouping) = (FilterField::new(list, filter), Grouping::default());
        Self { list, filter, table, marks, in_view, opened, awaits_row, last_filter, layout, pages, grouping }
    }

    /// Forgets what is selected and open: another list is drawn in its place.
    pub fn forget(&mut self) {
        self.table.renumber(Selection::default(), None);
        (self.marks, self.opened) = Default::default();
    }

    /// Draws the list and, if there is one, the page beside it; returns whether Escape closes the page. The columns and
    /// the width of the page are restored and saved.
    pub fn beside_page_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        page: bool,
        actions: &mut Vec<Action>,
        draw: impl FnMut(&mut Self, &mut Ui, SplitPart, &mut Vec<Action>),
    ) -> bool {
        self.beside_pages_ui(ui, state, Beside::page(page), actions, draw)
    }

    /// Like [`ListView::beside_page_ui`], with two pages too.
    pub fn beside_pages_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        beside: Beside,
        actions: &mut Vec<Action>,
        mut draw: impl FnMut(&mut Self, &mut Ui, SplitPart, &mut Vec<Action>),
    ) -> bool {
        self.in_view = InView::nothing(state.navigation.panel);
        self.layout.restore(self.list.key(), &mut self.table, state);
        let split = Split { name: self.list.key(), usual: None, state };
        let mut width = self.pages;
        let draw = |ui: &mut Ui, part, actions: &mut Vec<Action>| draw(self, ui, part, actions);
        let left = split.show_closable(ui, beside, &mut width, actions, draw);
        self.pages = width;
        self.layout.save(ui, self.list.key(), &self.table, actions);
        left
    }

    /// Draws the rows in a dialog or on a page; the columns are restored and saved.
    pub fn in_dialog_ui<'a>(
        &mut self,
        ui: &mut Ui,
        frame: &ListFrame<'a, R>,
        painter: &impl RowPainter<R>,
        actions: &mut Vec<Action>,
    ) -> Option<&'a Arc<R>> {
        self.layout.restore(self.list.key(), &mut self.table, frame.state);
        let done = self.rows_ui(ui, frame, painter, actions);
        self.layout.save(ui, self.list.key(), &self.table, actions);
        done
    }

    /// Draws the title, the filter, the menu of the columns, the button that refreshes and, right of it, `more`.
    pub fn head_ui(
        &mut self,
        ui: &mut Ui,
        frame: &ListFrame<'_, R>,
        actions: &mut Vec<Action>,
        more: impl FnOnce(&mut Ui, &mut Vec<Action>),
    ) -> FilterResponse {
        let mut done = FilterResponse::default();
        let ListFrame { state, texts, columns, .. } = frame;
        ui.horizontal(|ui| {
            ui.heading(texts.heading);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                more(ui, actions);
                if let Some(refresh) = texts.refresh
                    && ui.icon_button(Icon::REFRESH, refresh).clicked()
                {
                    actions.push((texts.reload)());
                }
                if !columns.is_empty() {
                    columns_button(ui, columns, &mut self.table);
                }
                group_button(ui, frame.list, actions);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    done = self.filter.ui(ui, state, f32::INFINITY, "", actions);
                });
            });
        });
        done.changed |= self.filter.fault_ui(ui, actions);
        done
    }

    /// Draws the rows of a list and the bar of the selected ones, or why there are none. Returns the row to be opened, which
    /// is not the one that was opened last.
    pub fn rows_ui<'a, P: RowPainter<R>>(
        &mut self,
        ui: &mut Ui,
        frame: &ListFrame<'a, R>,
        painter: &P,
        actions: &mut Vec<Action>,
    ) -> Option<&'a Arc<R>> {
        let mut opened = None;
        self.marks.sync(frame.list, &mut self.table);
        // Tiles are in no groups.
        let tiles = self.table.tiles && painter.tile_size().is_some();
        self.grouping.sync(frame.list, tiles);
        if let Some(advice) = frame.texts.select {
            selection_bar_ui(ui, frame, advice, &self.marks, &mut self.table, painter, actions);
        }
        match states::states_ui(ui, frame, painter, actions) {
            Drawn::Rows => opened = self.table_ui(ui, frame, painter, actions),
            Drawn::Placeholder => {}
            Drawn::Cleared => self.filter.clear(actions),
        }
        (self.in_view.selected, self.in_view.pair) = self.marks.in_view(frame.list, |row| painter.subject(row));
        opened
    }

    fn table_ui<'a, P: RowPainter<R>>(
        &mut self,
        ui: &mut Ui,
        frame: &ListFrame<'a, R>,
        painter: &P,
        actions: &mut Vec<Action>,
    ) -> Option<&'a Arc<R>> {
        let (list, open) = (frame.list, painter.open());
        self.select_open_row(list, open.as_ref(), painter.search());
        let drawn = self.draw_table(ui, frame, painter, open.as_ref(), actions);
        painter.drawn(list, drawn.visible.clone(), self.table.tiles && painter.tile_size().is_some());
        self.marks.record(list, &self.table);
        self.in_view.focused =
            drawn.ringed.and_then(|line| self.grouping.row(list, line)).and_then(|row| painter.subject(row));
        if drawn.escaped && !self.filter.text().is_empty() {
            self.filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(sorted(self.list, &self.table));
        }
        if P::OPENS { self.opened_row(ui, list, &drawn, painter.follows()) } else { None }
    }

    fn draw_table<P: RowPainter<R>>(
        &mut self,
        ui: &mut Ui,
        frame: &ListFrame<'_, R>,
        painter: &P,
        open: Option<&R::Key>,
        actions: &mut Vec<Action>,
    ) -> TableResponse {
        let ListFrame { list, columns, .. } = *frame;
        let Self { table: shown, marks, grouping, .. } = self;
        let marks = &*marks;
        let number = |line: usize| grouping.number(list, line);
        let row = |line: usize| Some(ListRow { row: grouping.row(list, line)?, index: number(line), list, marks });
        let head = |line: usize| grouping.head::<R>(line);
        let id = |line: usize| grouping.id(line, row(line).map(|row| painter.id(&row, row.index)).unwrap_or_default());
        let row_name = |line: usize| row(line).map(|row| painter.name(&row)).unwrap_or_default();
        let typed = |line: usize| row(line).map_or(Cow::Borrowed(""), |row| painter.typed_name(row.row));
        let is_open = |line: usize| open.is_some_and(|open| row(line).is_some_and(|row| row.has_key(open)));
        let (mut of_cells, mut of_drags, mut of_group) = (Vec::new(), Vec::new(), None);
        let mut menu = |ui: &mut Ui, line: usize| match head(line) {
            Some(head) => of_group = head_menu_ui(ui, line, head.folded).or(of_group.take()),
            None => row(line).into_iter().for_each(|row| painter.menu_ui(ui, row, actions)),
        };
        let mut drag = |ui: &Ui, response: &Response, line: usize| match head(line) {
            Some(head) => painter.drag_group_ui(ui, response, GroupRows { head, list }, &mut of_drags),
            None => row(line).into_iter().for_each(|row| painter.drag_ui(ui, response, row, &mut of_drags)),
        };
        let size = painter.tile_size().filter(|_| shown.tiles);
        let has_second = |line: usize| size.is_none() && row(line).is_some_and(|row| painter.has_second_line(&row));
        let second = |ui: &mut Ui, line: usize| row(line).into_iter().for_each(|row| painter.second_line_ui(ui, &row));
        let second = SecondLine { height: painter.second_line(ui), is_there: &has_second, draw: &second };
        let mut tile = |ui: &mut Ui, line: usize| row(line).into_iter().for_each(|row| painter.tile_ui(ui, row));
        let table = Table::new(frame.texts.table, columns, grouping.count(list), &id).row_menu(&mut menu);
        let table = table.heads(grouping.has_heads().then_some(&head)).second_line(second);
        let table = table.tiles(size.map(|size| Tiles { size, draw: &mut tile }));
        let table = if P::DRAGS { table.row_drag(&mut drag) } else { table };
        let table = table.row_name(&row_name).typed_name(&typed).number(&number).open_row(&is_open);
        let drawn = sized(table, ui, painter).show(ui, shown, |ui, line, column| {
            let key = columns[column].key;
            if let Some(row) = row(line).filter(|row| !painter.cell_ui(ui, *row, key, &mut of_cells)) {
                cell_ui(ui, &*row, key);
            }
        });
        actions.extend(of_cells.into_iter().chain(of_drags));
        if let Some(request) = drawn.folded.map(GroupRequest::Toggle).or(of_group) {
            self.grouping.handle(request);
        }
        drawn
    }

    /// Returns the row to be opened by the keyboard or the mouse, unless it was opened last.
    fn opened_row<'a>(
        &mut self,
        ui: &Ui,
        list: &'a Listing<R>,
        drawn: &TableResponse,
        follows: bool,
    ) -> Option<&'a Arc<R>> {
        if !follows {
            return self.grouping.row(list, drawn.opened?);
        }
        // If the page would replace the list, the right mouse button only selects.
        let beside = !replaces_list(ui.ctx());
        let focused = drawn.focused.filter(|_| beside || !ui.input(|input| input.pointer.secondary_clicked()));
        let row = self.grouping.row(list, drawn.opened.or(focused)?)?;
        if self.opened.as_ref().is_some_and(|open| row.has_key(open)) {
            return None;
        }
        self.opened = Some(row.key());
        enter_page(ui);
        Some(row)
    }

    /// Selects the row of the open page, wherever it was opened from, also if it appears later or other rows are chosen;
    /// selects none if it is not shown. A selection of several rows is kept.
    fn select_open_row(&mut self, list: &Listing<R>, open: Option<&R::Key>, search: Option<&str>) {
        let refiltered = self.refiltered(list, search);
        if refiltered {
            self.table.show_top();
        }
        let changed = self.opened.as_ref() != open;
        if !(changed || refiltered || self.awaits_row) {
            return;
        }
        let index = open.and_then(|open| self.grouping.line_of(list, open));
        if !changed && index.is_none() {
            return;
        }
        self.opened = open.cloned();
        self.awaits_row = open.is_some() && index.is_none();
        match (index, self.table.selection.count()) {
            (Some(index), 0 | 1) => self.table.select(index, self.grouping.number(list, index)),
            (Some(index), _) => self.table.move_to(index, self.grouping.number(list, index)),
            (None, 0 | 1) => self.table.selection = Selection::default(),
            (None, _) => {}
        }
    }

    /// Returns whether other rows are shown since the last frame because of another filter or search.
    fn refiltered(&mut self, list: &Listing<R>, search: Option<&str>) -> bool {
        let (filter, text) = &self.last_filter;
        // While the new rows are awaited, the old ones are shown.
        if list.applying_query || *filter == list.query.filter && text.as_deref() == search {
            return false;
        }
        self.last_filter = (list.query.filter.clone(), search.map(str::to_owned));
        true
    }
}

/// Gives a table the heights and the kind of selection of its painter, and a second sort key.
fn sized<'t, R: Row, P: RowPainter<R>>(table: Table<'t>, ui: &Ui, painter: &P) -> Table<'t> {
    let mut table = table.secondary_sort().follow_focus(!replaces_list(ui.ctx()) && painter.follows());
    if !P::SEVERAL {
        table = table.single_selection();
    }
    if let Some(height) = painter.row_height(ui) {
        table = table.row_height(height);
    }
    if let Some(most) = painter.most_rows(ui) {
        table = table.at_most_rows(most);
    }
    table
}

/// Gives the page the keyboard, if it is drawn in place of the list.
pub(in crate::ui) fn enter_page(ui: &Ui) {
    if replaces_list(ui.ctx()) {
        focus::enter_page(ui.ctx());
    }
}
