//! A table that draws only the rows in sight, exact at ten million of them.
//!
//! The caller sorts and filters; the table shows the outcome, takes mouse and keyboard, and tells what was done.
//! Rows are named to the accessibility tree (Table, Row, Cell), so that they are found by screen readers and tests.

mod body;
mod checkbox_column;
mod column;
mod header;
mod keys;
mod marks;
mod scroll_anchor;
mod selection;
mod state;

pub use column::{Column, Side};
pub use header::{columns_button, columns_menu};
pub use selection::Selection;
pub use state::{Sort, TableState};

use super::scroll::{BAR, Scroll, Viewport};
use crate::ui::{focus, theme};
use egui::{Id, Rect, Response, Sense, Ui, UiBuilder, accesskit::Role, pos2, vec2};
use std::borrow::Cow;

/// Rows are sorted in the background; an order that comes later than this, in seconds, moves nothing.
const SORTED_WITHIN: f64 = 3.0;
/// Height of the header, in points.
const HEADER: f32 = 30.0;

/// A table to be drawn; see [`Table::show`].
#[must_use = "a table is drawn by `show`"]
pub struct Table<'a> {
    name: &'a str,
    columns: &'a [Column],
    rows: usize,
    row_height: Option<f32>,
    most_rows: Option<usize>,
    key: &'a dyn Fn(usize) -> String,
    number: Option<&'a dyn Fn(usize) -> u32>,
    row_name: Option<&'a dyn Fn(usize) -> String>,
    typed_name: Option<&'a dyn Fn(usize) -> Cow<'a, str>>,
    follows: bool,
    two_keys: bool,
    menu: Option<RowMenu<'a>>,
    many: bool,
}

/// Draws the menu of a row.
pub type RowMenu<'a> = &'a mut dyn FnMut(&mut Ui, usize);

/// What was done in a table in this frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableResponse {
    /// A header was clicked: rows are to be sorted so. [`TableState::sort`] already says the same.
    pub sorted: Option<Sort>,
    /// The mouse went to this row, or the keyboard came to rest on it, and it is marked alone: what is looked at
    /// follows. Marking more rows, with Ctrl, Shift or the boxes, leaves what is looked at as it is.
    ///
    /// Our choice: arrows move at once and the page follows after a short rest, so that the rows one passes over are
    /// not read from the service; Enter does not wait.
    pub focused: Option<usize>,
    /// The row was opened: Enter, the right arrow or a double click.
    pub opened: Option<usize>,
    /// Escape was pressed while one row or none was marked: what is narrowed above the list is to be widened.
    pub escaped: bool,
    /// Rows were marked or unmarked.
    pub selection_changed: bool,
    /// The rows drawn, for a caller that loads as one scrolls.
    pub visible: std::ops::Range<usize>,
}

impl<'a> Table<'a> {
    /// A table called `name` of `rows` rows; the name must be unique among what is drawn beside it.
    ///
    /// `key` gives what identifies a row whatever the order; it is asked for visible rows.
    pub fn new(name: &'a str, columns: &'a [Column], rows: usize, key: &'a dyn Fn(usize) -> String) -> Self {
        let (row_height, most_rows, number, row_name, menu) = (None, None, None, None, None);
        let (typed_name, follows, many, two_keys) = (None, true, true, false);
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
            follows,
            two_keys,
            menu,
            many,
        }
    }

    /// The number by which a row is marked, whatever the order; its place if not said. It is asked for every row that is
    /// marked at once, so it must cost no more than looking it up.
    pub fn number(self, number: &'a dyn Fn(usize) -> u32) -> Self {
        Table { number: Some(number), ..self }
    }

    /// What a row is called in the accessibility tree; its key if not said.
    pub fn row_name(self, row_name: &'a dyn Fn(usize) -> String) -> Self {
        Table { row_name: Some(row_name), ..self }
    }

    /// What is typed to jump to a row; its name in the accessibility tree if not said. It is asked for many rows, so it
    /// must cost no more than looking it up.
    pub fn typed_name(self, typed_name: &'a dyn Fn(usize) -> Cow<'a, str>) -> Self {
        Table { typed_name: Some(typed_name), ..self }
    }

    /// Whether what is looked at follows the keyboard; if not, only Enter opens a row.
    pub fn follows(self, follows: bool) -> Self {
        Table { follows, ..self }
    }

    /// Height of a row, in points; that of the density if not said.
    pub fn row_height(self, row_height: f32) -> Self {
        Table { row_height: Some(row_height.max(8.0)), ..self }
    }

    /// As high as its rows, and at most as `most` of them, instead of all the height there is.
    pub fn at_most_rows(self, most: usize) -> Self {
        Table { most_rows: Some(most.max(1)), ..self }
    }

    /// A second column can be sorted by, with Shift: [`TableState::then`].
    pub fn two_keys(self) -> Self {
        Table { two_keys: true, ..self }
    }

    /// Only one row is marked at a time.
    pub fn one_row(self) -> Self {
        Table { many: false, ..self }
    }

    /// The menu of a row: opened by the right mouse button, or by the Menu key for the row that has the focus. A row that
    /// is not selected is selected first; on a selected one the selection stays.
    pub fn row_menu(self, menu: RowMenu<'a>) -> Self {
        Table { menu: Some(menu), ..self }
    }

    /// Draws the table; `cell` draws one cell, given the row and the column's index in the slice of columns.
    pub fn show(
        mut self,
        ui: &mut Ui,
        state: &mut TableState,
        mut cell: impl FnMut(&mut Ui, usize, usize),
    ) -> TableResponse {
        let row_height = self.row_height.unwrap_or_else(|| theme::row(ui));
        let outer = self.outer_rect(ui, row_height);
        let response = ui.interact(outer, ui.make_persistent_id(("table", self.name)), Sense::click());
        self.describe(&response);
        focus::register_list(ui.ctx(), response.id);
        let builder = UiBuilder::new().id_salt(self.name).max_rect(outer).accessibility_parent(response.id);
        let mut table = ui.new_child(builder);
        table.shrink_clip_rect(outer);

        let gutter = self.gutter();
        let mut columns = column::place(self.columns, state, outer.width() - BAR - gutter);
        columns.iter_mut().for_each(|column| column.left += gutter);
        let width = columns.last().map_or(0.0, |last| last.left + last.width);
        let body = Rect::from_min_max(pos2(outer.left(), outer.top() + HEADER), outer.max);
        let viewport = Viewport::new(body, self.rows, row_height, width);
        let mut done = TableResponse::default();
        self.stay(state);
        self.hold(state, &viewport, ui.input(|input| input.time));
        if std::mem::take(&mut state.mark_all) {
            self.mark_all(state, false, &mut done);
        }
        if state.scroll.take_wheel(&table, &viewport) {
            state.resorted = None;
        }
        self.keys(&table, &response, state, &viewport, &mut done);
        let header = header::Header { columns: self.columns, placed: &columns, two_keys: self.two_keys };
        done.sorted = header.draw(&mut table, state, outer);
        if done.sorted.is_some() {
            state.begin_again(table.input(|input| input.time));
        }
        self.body(&mut table, &response, state, &columns, &viewport, &mut done, &mut cell);
        focus::set_ring(ui.ctx(), response.id, self.ring(&table, state, &viewport, &done));
        state.type_ahead.show(&table, viewport.rect);
        state.scroll.bars(&table, &viewport, response.id, self.name);
        ui.advance_cursor_after_rect(outer);
        done
    }

    /// Where the focus ring goes: around the current row if it is in sight, else around the first row that is, and
    /// around the header of an empty table.
    fn ring(&self, table: &Ui, state: &TableState, viewport: &Viewport, done: &TableResponse) -> Rect {
        let current = state.focus.filter(|row| done.visible.contains(row));
        let Some(row) = current.or((!done.visible.is_empty()).then_some(done.visible.start)) else {
            return Rect::from_min_max(viewport.rect.left_top() - vec2(0.0, HEADER), viewport.rect.right_top());
        };
        let top = |row| viewport.row_top(&state.scroll, row, table.pixels_per_point());
        let row = Rect::from_x_y_ranges(viewport.rect.x_range(), top(row)..=top(row + 1));
        row.intersect(viewport.rect).shrink(0.5)
    }

    fn outer_rect(&self, ui: &Ui, row_height: f32) -> Rect {
        let available = ui.available_rect_before_wrap();
        let height = match self.most_rows {
            Some(most) => HEADER + row_height * self.rows.clamp(1, most) as f32,
            None => available.height().max(HEADER + row_height * 3.0),
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

    /// Keeps the focus on its row, wherever sorting put it, and focus and position within the rows there are now.
    fn hold(&self, state: &mut TableState, viewport: &Viewport, now: f64) {
        let last = self.rows.checked_sub(1);
        state.resorted = state.resorted.filter(|at| now - at < SORTED_WITHIN);
        if let Some(focus) = state.focus {
            let here = last.map(|last| focus.min(last));
            let moved = here.is_some_and(|row| state.focus_number.is_some_and(|number| self.number_of(row) != number));
            state.focus =
                if moved { state.focus_number.and_then(|number| self.place_of(number)).or(here) } else { here };
            if moved && state.resorted.is_some() && state.selection.count() > 0 {
                state.reveal = state.focus;
            }
            // A row that is not shown any more gives the focus to the one in its place.
            state.focus_number = state.focus.map(|row| self.number_of(row));
        }
        if let Some(row) = state.reveal.take() {
            state.scroll.reveal(row.min(last.unwrap_or(0)), viewport);
        }
    }

    /// The number by which a row is marked.
    fn number_of(&self, row: usize) -> u32 {
        self.number.map_or_else(|| u32::try_from(row).unwrap_or(u32::MAX), |number| number(row))
    }

    /// Where the row of a number is shown.
    fn place_of(&self, number: u32) -> Option<usize> {
        (0..self.rows).find(|&row| self.number_of(row) == number)
    }
}

/// A place on screen as the accessibility tree wants it.
pub(super) fn accesskit_rect(rect: Rect) -> egui::accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    egui::accesskit::Rect { x0, y0, x1, y1 }
}

/// The id of a row's node.
fn row_id(table: &Response, key: &str) -> Id {
    table.id.with(("row", key))
}
