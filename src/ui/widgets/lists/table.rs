//! A table that draws only the visible rows, exact at ten million of them.
//!
//! The caller sorts and filters; the table shows the result, handles mouse and keyboard, and reports what was done.
//! Rows are part of the accessibility tree (Table, Row, Cell), so that screen readers and tests find them.

mod body;
mod checkbox_column;
mod column;
mod gesture;
mod head;
mod header;
mod keys;
mod scroll_anchor;
mod selection;
mod state;
mod tiles;

pub use body::{OPEN_BAR, describe_open};
pub use checkbox_column::checkbox;
pub use column::{Column, ColumnOf, Side};
pub use head::Head;
pub use header::{CELL_PADDING, columns_button, columns_menu, tiles_button};
pub use keys::enter_list_by_arrow;
pub use selection::Selection;
pub use state::{Sort, TableState};
pub use tiles::Tiles;

use crate::ui::widgets::scroll::{BAR, Scroll, Viewport};
use crate::ui::{focus, theme};
use egui::{Id, Rect, Response, Sense, Ui, UiBuilder, accesskit::Role, pos2, vec2};
use std::borrow::Cow;

/// Rows are sorted in the background; an order that arrives later than this, in seconds, scrolls nothing.
const REVEAL_WITHIN: f64 = 3.0;
/// The number of a line that is not a row.
pub const NO_ROW: u32 = u32::MAX;
/// Height of the header, in points.
const HEADER: f32 = 30.0;

/// A table to be drawn; see [`Table::show`].
#[must_use = "a table is drawn by `show`"]
pub struct Table<'a> {
    name: &'a str,
    columns: &'a [ColumnOf<'a>],
    rows: usize,
    row_height: Option<f32>,
    most_rows: Option<usize>,
    key: &'a dyn Fn(usize) -> String,
    number: Option<&'a dyn Fn(usize) -> u32>,
    row_name: Option<&'a dyn Fn(usize) -> String>,
    typed_name: Option<&'a dyn Fn(usize) -> Cow<'a, str>>,
    follow_focus: bool,
    secondary_sort: bool,
    menu: Option<RowMenu<'a>>,
    drag: Option<RowDrag<'a>>,
    many: bool,
    is_open: Option<&'a dyn Fn(usize) -> bool>,
    heads: Option<&'a dyn Fn(usize) -> Option<Head<'a>>>,
    second_line: Option<SecondLine<'a>>,
    tiles: Option<Tiles<'a>>,
    /// How many rows are beside each other.
    in_line: usize,
}

/// A line below the cells of some rows.
#[derive(Clone, Copy)]
pub struct SecondLine<'a> {
    /// Its height, in points.
    pub height: f32,
    /// Whether a row has one.
    pub is_there: &'a dyn Fn(usize) -> bool,
    /// Draws that of a row.
    pub draw: &'a dyn Fn(&mut Ui, usize),
}

/// Draws the menu of a row.
pub type RowMenu<'a> = &'a mut dyn FnMut(&mut Ui, usize);

/// Begins to drag a row, or takes what is dropped on it.
pub type RowDrag<'a> = &'a mut dyn FnMut(&Ui, &Response, usize);

/// What happened in a table in this frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableResponse {
    /// A header was clicked: the rows are to be sorted. [`TableState::sort`] is already updated.
    pub sorted: Option<Sort>,
    /// The mouse selected this row alone, or the keyboard came to rest on it: the open item follows. Extending the
    /// selection, with Ctrl, Shift or the checkboxes, leaves the open item unchanged.
    ///
    /// Our choice: arrow keys move at once and the page follows after a short rest, so that rows that are only passed
    /// are not read from the service; Enter does not wait.
    pub focused: Option<usize>,
    /// The row was opened: Enter, the right arrow or a double click.
    pub opened: Option<usize>,
    /// Escape was pressed while at most one row was selected: what narrows the list is to be cleared.
    pub escaped: bool,
    /// The selection changed.
    pub selection_changed: bool,
    /// The line of a head whose group is to be folded, or unfolded if it is folded.
    pub folded: Option<usize>,
    /// The row with the focus ring, if the ring is shown and the row is visible.
    pub ringed: Option<usize>,
    /// The rows drawn, for a caller that loads while scrolling.
    pub visible: std::ops::Range<usize>,
}

impl<'a> Table<'a> {
    /// A table called `name` of `rows` rows; the name must be unique among its siblings.
    ///
    /// `key` returns what identifies a row whatever the order; it is called for visible rows.
    pub fn new(name: &'a str, columns: &'a [ColumnOf<'a>], rows: usize, key: &'a dyn Fn(usize) -> String) -> Self {
        let (row_height, most_rows, number, row_name, menu) = (None, None, None, None, None);
        let (typed_name, follow_focus, many, secondary_sort) = (None, true, true, false);
        Table {
            name,
            columns,
            rows,
            row_height,
            most_rows,
            key,
            number,
            row_name,
            typed_name,
            follow_focus,
            secondary_sort,
            menu,
            drag: None,
            many,
            is_open: None,
            heads: None,
            second_line: None,
            tiles: None,
            in_line: 1,
        }
    }

    /// Sets the number by which a row is selected, whatever the order; its index by default. It is called for every row
    /// of a selection, so it must be a cheap lookup.
    pub fn number(self, number: &'a dyn Fn(usize) -> u32) -> Self {
        Table { number: Some(number), ..self }
    }

    /// Sets the accessible name of a row; its key by default.
    pub fn row_name(self, row_name: &'a dyn Fn(usize) -> String) -> Self {
        Table { row_name: Some(row_name), ..self }
    }

    /// Sets the text that type-ahead matches; the accessible name by default. It is called for many rows, so it must be
    /// a cheap lookup.
    pub fn typed_name(self, typed_name: &'a dyn Fn(usize) -> Cow<'a, str>) -> Self {
        Table { typed_name: Some(typed_name), ..self }
    }

    /// Sets whether the open item follows the keyboard; if not, only Enter opens a row.
    pub fn follow_focus(self, follow_focus: bool) -> Self {
        Table { follow_focus, ..self }
    }

    /// Sets the height of a row, in points; that of the density by default.
    pub fn row_height(self, row_height: f32) -> Self {
        Table { row_height: Some(row_height.max(8.0)), ..self }
    }

    /// Makes the table as high as its rows, at most `most` of them, instead of taking all the available height.
    pub fn at_most_rows(self, most: usize) -> Self {
        Table { most_rows: Some(most.max(1)), ..self }
    }

    /// Allows sorting by a second column, with Shift: [`TableState::secondary_sort`].
    pub fn secondary_sort(self) -> Self {
        Table { secondary_sort: true, ..self }
    }

    /// Says which row's page is open: it is marked, whether or not it is selected.
    pub fn open_row(self, is_open: &'a dyn Fn(usize) -> bool) -> Self {
        Table { is_open: Some(is_open), ..self }
    }

    /// Draws a line across all columns below the cells of some rows, which must be high enough for it.
    pub fn second_line(self, second_line: SecondLine<'a>) -> Self {
        Table { second_line: Some(second_line), ..self }
    }

    /// Makes some lines heads of groups, each above its rows unless it is folded. All rows are below a head. The number of
    /// a head is [`NO_ROW`]. With `None`, every line is a row.
    pub fn heads(self, heads: Option<&'a impl Fn(usize) -> Option<Head<'a>>>) -> Self {
        Table { heads: heads.map(|heads| heads as _), ..self }
    }

    /// Allows only one selected row.
    pub fn single_selection(self) -> Self {
        Table { many: false, ..self }
    }

    /// Sets the menu of a row: opened by the right mouse button, or by the Menu key for the focused row. A row that is
    /// not selected is selected first; otherwise the selection stays.
    pub fn row_menu(self, menu: RowMenu<'a>) -> Self {
        Table { menu: Some(menu), ..self }
    }

    /// Lets rows be dragged; `drag` is called for each visible row.
    pub fn row_drag(self, drag: RowDrag<'a>) -> Self {
        Table { drag: Some(drag), ..self }
    }

    /// Draws the table; `cell` draws one cell, given the row and the index of the column.
    pub fn show(
        mut self,
        ui: &mut Ui,
        state: &mut TableState,
        mut cell: impl FnMut(&mut Ui, usize, usize),
    ) -> TableResponse {
        let row_height = self.pitch(ui);
        let outer = self.outer_rect(ui, row_height);
        let response = ui.interact(outer, ui.make_persistent_id(("table", self.name)), Sense::click());
        self.describe(&response);
        focus::register_list(ui.ctx(), response.id);
        let builder = UiBuilder::new().id_salt(self.name).max_rect(outer).accessibility_parent(response.id);
        let mut table = ui.new_child(builder);
        table.shrink_clip_rect(outer);

        let columns = self.place_columns(state, outer.width());
        let width = self.place_tiles(&columns, outer.width());
        let body_rect = Rect::from_min_max(pos2(outer.left(), outer.top() + HEADER), outer.max);
        let viewport = Viewport::new(body_rect, self.lines(), row_height, width);
        let mut done = TableResponse::default();
        self.prepare(state, &viewport, ui.input(|input| input.time), &mut done);
        if state.scroll.consume_wheel(&table, &viewport) {
            state.resorted_at = None;
        }
        self.keys(&table, &response, state, &viewport, &mut done);
        done.sorted = self.header_ui(&mut table, state, &columns, outer);
        let read_aloud = ui.ctx().accesskit_node_builder(response.id, |_| ()).is_some();
        let mut frame = body::RowsFrame {
            table: &response,
            state,
            columns: &columns,
            done: &mut done,
            read_aloud,
            tokens: theme::Tokens::of(ui),
            pointer: ui.input(|input| input.pointer.hover_pos()),
            cell: &mut cell,
        };
        self.body(&mut table, &viewport, &mut frame);
        self.place_ring(&table, &response, state, &viewport, &mut done);
        state.type_ahead.show(&table, viewport.rect);
        state.scroll.bars(&table, &viewport, response.id, self.name);
        ui.advance_cursor_after_rect(outer);
        done
    }

    /// Brings the state in line with the rows that there are, and selects all of them if that was asked for; `time` is in
    /// seconds.
    fn prepare(&self, state: &mut TableState, viewport: &Viewport, time: f64, done: &mut TableResponse) {
        self.restore_position(state);
        self.clamp(state, viewport, time);
        if std::mem::take(&mut state.select_all) {
            self.select_all(state, false, done);
        }
    }

    /// Returns where the columns are drawn, to the right of the checkboxes.
    fn place_columns(&self, state: &TableState, width: f32) -> Vec<column::Placed> {
        let gutter = self.checkbox_column_width();
        let mut columns = column::place(self.columns, state, width - BAR - gutter);
        columns.iter_mut().for_each(|column| column.left += gutter);
        columns
    }

    /// Draws the header; returns by what it asks the rows to be sorted.
    fn header_ui(
        &self,
        table: &mut Ui,
        state: &mut TableState,
        placed: &[column::Placed],
        outer: Rect,
    ) -> Option<Sort> {
        let header = header::Header { columns: self.columns, placed, two_keys: self.secondary_sort };
        let sorted = header.draw(table, state, outer);
        if sorted.is_some() {
            state.resort(table.input(|input| input.time));
        }
        sorted
    }

    /// Sets where the focus ring goes, and which row it is around.
    fn place_ring(
        &self,
        table: &Ui,
        response: &Response,
        state: &TableState,
        viewport: &Viewport,
        done: &mut TableResponse,
    ) {
        if response.has_focus() && focus::shows_ring(table.ctx()) {
            done.ringed = state.focus.filter(|row| done.visible.contains(row));
        }
        focus::set_ring(table.ctx(), response.id, self.ring(table, state, viewport, done));
    }

    /// Returns where the focus ring goes: around the current row, around all rows if it is scrolled out of sight, and
    /// around the header of an empty table.
    fn ring(&self, table: &Ui, state: &TableState, viewport: &Viewport, done: &TableResponse) -> Rect {
        if state.focus.is_some_and(|row| !done.visible.contains(&row)) {
            return viewport.rect.shrink(0.5);
        }
        let Some(row) = state.focus.or((!done.visible.is_empty()).then_some(done.visible.start)) else {
            return Rect::from_min_max(viewport.rect.left_top() - vec2(0.0, HEADER), viewport.rect.right_top());
        };
        let row = self.rect_of(row, viewport, &state.scroll, table.pixels_per_point());
        row.intersect(viewport.rect).shrink(0.5)
    }

    fn outer_rect(&self, ui: &Ui, row_height: f32) -> Rect {
        let available = ui.available_rect_before_wrap();
        let height = match self.most_rows {
            Some(most) => HEADER + row_height * self.rows.clamp(1, most) as f32,
            // Not by the height of a line: tiles would reach over what is below the table.
            None => available.height().max(HEADER + theme::row(ui) * 3.0),
        };
        Rect::from_min_size(available.min, vec2(available.width(), height))
    }

    /// A `Ui` cannot have the focus, so the table's node is a widget of its own with the rows below it.
    fn describe(&self, response: &Response) {
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Table, true, self.name));
        response.ctx.accesskit_node_builder(response.id, |node| {
            node.set_row_count(self.rows);
            node.set_column_count(self.columns.len());
            if self.many {
                node.set_multiselectable();
            }
        });
    }

    /// Keeps the focus on its row after sorting, and focus and position within the rows.
    fn clamp(&self, state: &mut TableState, viewport: &Viewport, now: f64) {
        let last = self.rows.checked_sub(1);
        state.resorted_at = state.resorted_at.filter(|at| now - at < REVEAL_WITHIN);
        if let Some(focus) = state.focus {
            let here = last.map(|last| focus.min(last));
            // A head is not found again elsewhere: what is in its place gets the focus.
            let known = state.focus_number.and_then(head::of_row);
            let moved = here.is_some_and(|row| known.is_some_and(|number| self.number_of(row) != number));
            let place = here.filter(|_| !state.other_rows);
            state.focus = if moved { known.and_then(|number| self.index_of(number)).or(place) } else { here };
            if moved && state.resorted_at.is_some() && state.selection.count() > 0 {
                state.reveal = state.focus;
            }
            // A row that disappeared passes the focus to the one in its place.
            state.focus_number = state.focus.map(|row| self.number_of(row));
        }
        state.other_rows = false;
        if let Some(row) = state.reveal.take() {
            self.reveal(state, row.min(last.unwrap_or(0)), viewport);
        }
    }

    /// Returns the number by which a row is selected.
    fn number_of(&self, row: usize) -> u32 {
        self.number.map_or_else(|| u32::try_from(row).unwrap_or(u32::MAX), |number| number(row))
    }

    /// Returns the index of the row with a number.
    fn index_of(&self, number: u32) -> Option<usize> {
        (0..self.rows).find(|&row| self.number_of(row) == number)
    }
}

/// Returns a rectangle for the accessibility tree.
pub(in crate::ui::widgets) fn accesskit_rect(rect: Rect) -> egui::accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    egui::accesskit::Rect { x0, y0, x1, y1 }
}

/// Returns the id of a row's node.
fn row_id(table: &Response, key: &str) -> Id {
    table.id.with(("row", key))
}
