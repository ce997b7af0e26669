//! The state of a table between frames; plain data that the caller owns and may store.

use super::{ColumnOf, Scroll, Selection, scroll_anchor::VisibleRows};
use crate::ui::widgets::type_ahead::TypeAhead;
use std::collections::BTreeMap;

/// The column that rows are sorted by, and the direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The [`ColumnOf::key`](super::ColumnOf::key).
    pub column: String,
    /// Largest, last or newest first.
    pub descending: bool,
}

impl Sort {
    /// Smallest, first or oldest first.
    pub fn ascending(column: &str) -> Self {
        Sort { column: column.to_owned(), descending: false }
    }

    /// Largest, last or newest first.
    pub fn descending(column: &str) -> Self {
        Sort { column: column.to_owned(), descending: true }
    }
}

/// The state of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableState {
    /// The sort order that the header shows; the caller sorts the rows.
    pub sort: Option<Sort>,
    /// The secondary sort: the order of rows that are equal in the first.
    pub secondary_sort: Option<Sort>,
    /// The order of the rows while no sort was chosen; the header shows it.
    pub default_sort: Option<Sort>,
    /// When the rows were sorted, in seconds of the window's clock, until the selected row is visible again.
    pub(super) resorted_at: Option<f64>,
    /// Widths the user chose, in points, by [`ColumnOf::key`](super::ColumnOf::key).
    pub widths: BTreeMap<String, f32>,
    /// Columns the user showed or hid, by [`ColumnOf::key`](super::ColumnOf::key).
    pub visible: BTreeMap<String, bool>,
    /// Whether the rows are drawn as tiles.
    pub tiles: bool,
    /// The scroll position.
    pub scroll: Scroll,
    /// The focused row.
    pub focus: Option<usize>,
    /// The number of that row, by which it is found again after sorting.
    pub(super) focus_number: Option<u32>,
    /// The number of the row where a range begins.
    pub(super) anchor: Option<u32>,
    /// The selected rows.
    pub selection: Selection,
    /// The row to scroll to when the table is next drawn.
    pub(super) reveal: Option<usize>,
    /// The row whose menu was opened by a key.
    pub(super) menu: Option<usize>,
    /// Whether other rows than before were chosen since the table was last drawn.
    pub(super) other_rows: bool,
    /// Whether every visible row is to be selected when the table is next drawn.
    pub(super) select_all: bool,
    /// When the row that the keyboard moved to is opened, in seconds of the window's clock.
    pub(super) opens_at: Option<f64>,
    pub(super) type_ahead: TypeAhead,
    pub(super) in_sight: VisibleRows,
}

impl TableState {
    /// A table that is sorted initially.
    pub fn sorted(sort: Sort) -> Self {
        TableState { sort: Some(sort), ..TableState::default() }
    }

    /// Returns whether the column is visible.
    pub fn shows(&self, column: &ColumnOf<'_>) -> bool {
        self.visible.get(column.key).copied().unwrap_or(column.shown)
    }

    /// Shows the rows as tiles or as lines; the row with the focus stays in view.
    pub fn toggle_tiles(&mut self) {
        self.tiles = !self.tiles;
        let focus = self.focus;
        self.show_top();
        focus.into_iter().for_each(|row| self.reveal(row));
    }

    /// Returns the width of a column, in points.
    pub fn width(&self, column: &ColumnOf<'_>) -> f32 {
        self.widths.get(column.key).copied().unwrap_or(column.width)
    }

    /// Focuses the row with this number, selects it alone and scrolls to it in the next frame.
    pub fn select(&mut self, row: usize, number: u32) {
        self.move_to(row, number);
        self.anchor = Some(number);
        self.selection = Selection::one(number);
    }

    /// Focuses the row with this number and scrolls to it in the next frame, without changing the selection.
    pub fn move_to(&mut self, row: usize, number: u32) {
        self.focus = Some(row);
        self.focus_number = Some(number);
        self.reveal = Some(row);
    }

    /// Selects every row that is visible in the next frame, and no other.
    pub fn select_all(&mut self) {
        self.select_all = true;
    }

    /// Reduces the selection to the focused row.
    pub fn clear_selection(&mut self) {
        self.anchor = self.focus_number;
        self.selection = self.focus_number.into_iter().collect();
    }

    /// Replaces the selection and the focus after the rows were renumbered.
    pub fn renumber(&mut self, selection: Selection, focus: Option<u32>) {
        (self.selection, self.focus_number, self.anchor) = (selection, focus, focus);
    }

    /// Returns the number of the focused row.
    pub fn focused(&self) -> Option<u32> {
        self.focus_number
    }

    /// Types a text for the jump to a row, as soon as the table has the focus.
    pub fn type_ahead(&mut self, text: &str) {
        self.type_ahead.feed(text);
    }

    /// Scrolls to a row in the next frame.
    pub fn reveal(&mut self, row: usize) {
        self.reveal = Some(row);
    }

    /// Shows the first rows: other rows than before were chosen. The focus stays only on a row that is still one of
    /// them.
    pub fn show_top(&mut self) {
        self.other_rows = true;
        self.scroll.top = 0.0;
        self.in_sight = VisibleRows::default();
    }

    /// The rows are sorted anew: the list is shown from its top, or at the selected row.
    pub(super) fn resort(&mut self, now: f64) {
        self.show_top();
        self.resorted_at = Some(now);
        self.reveal = self.focus.filter(|_| self.selection.count() > 0);
    }

    /// Returns the order of the rows: the chosen one, or the default.
    pub fn sorted_by(&self) -> Option<&Sort> {
        self.sort.as_ref().or(self.default_sort.as_ref())
    }

    /// Reverses the sort, or sorts by another column: figures descending, others ascending.
    pub(super) fn sort_by(&mut self, column: &ColumnOf<'_>) -> Sort {
        let descending = next_direction(self.sorted_by(), column);
        self.set_sort(Sort { column: column.key.to_owned(), descending })
    }

    /// Sets the secondary sort; returns the primary one.
    pub(super) fn sort_secondary_by(&mut self, column: &ColumnOf<'_>) -> Sort {
        let Some(first) = self.sorted_by().filter(|first| first.column != column.key).cloned() else {
            return self.sort_by(column);
        };
        let descending = next_direction(self.secondary_sort.as_ref(), column);
        self.secondary_sort = Some(Sort { column: column.key.to_owned(), descending });
        self.sort = Some(first.clone());
        first
    }

    /// Sets the sort; a secondary one stays if only the direction changes.
    pub(super) fn set_sort(&mut self, sort: Sort) -> Sort {
        if self.sorted_by().is_none_or(|before| before.column != sort.column) {
            self.secondary_sort = None;
        }
        self.sort = Some(sort.clone());
        sort
    }
}

/// Returns the next direction for a column: reversed if it is sorted already.
fn next_direction(now: Option<&Sort>, column: &ColumnOf<'_>) -> bool {
    match now {
        Some(sort) if sort.column == column.key => !sort.descending,
        _ => column.side == super::Side::Right,
    }
}
