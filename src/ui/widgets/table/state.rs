//! What a table remembers between frames; plain data that the caller owns and may store.

use super::{Column, Scroll, Selection, scroll_anchor::InSight};
use crate::ui::widgets::type_ahead::TypeAhead;
use std::collections::BTreeMap;

/// By which column rows are sorted, and which way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The [`Column::key`].
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

/// What a table remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableState {
    /// The sort the header shows; the caller sorts the rows.
    pub sort: Option<Sort>,
    /// The second key: the order of rows that are equal in the first.
    pub then: Option<Sort>,
    /// How the rows stand while no sort was chosen; the header shows it.
    pub natural: Option<Sort>,
    /// When the rows were sorted anew, in seconds of the window's clock, until the selected row is shown again.
    pub(super) resorted: Option<f64>,
    /// Widths the user gave, in points, by [`Column::key`].
    pub widths: BTreeMap<String, f32>,
    /// Columns the user showed or hid, by [`Column::key`].
    pub visible: BTreeMap<String, bool>,
    /// Where the table is scrolled to.
    pub scroll: Scroll,
    /// The row the keyboard stands on.
    pub focus: Option<usize>,
    /// The number of that row, by which it is found again after sorting.
    pub(super) focus_number: Option<u32>,
    /// The number of the row where a range began.
    pub(super) anchor: Option<u32>,
    /// The marked rows.
    pub selection: Selection,
    /// The row to bring into sight when the table is next drawn.
    pub(super) reveal: Option<usize>,
    /// The row whose menu was asked for by a key.
    pub(super) menu: Option<usize>,
    /// Whether every row shown is to be marked when the table is next drawn.
    pub(super) mark_all: bool,
    /// When the row that the keyboard came to is looked at, in seconds of the window's clock.
    pub(super) rests: Option<f64>,
    pub(super) type_ahead: TypeAhead,
    pub(super) in_sight: InSight,
}

impl TableState {
    /// Sorted from the start.
    pub fn sorted(sort: Sort) -> Self {
        TableState { sort: Some(sort), ..TableState::default() }
    }

    /// Whether the column is drawn.
    pub fn shows(&self, column: &Column) -> bool {
        self.visible.get(column.key).copied().unwrap_or(column.shown)
    }

    /// The width the user gave the column, or its first one, in points.
    pub fn width(&self, column: &Column) -> f32 {
        self.widths.get(column.key).copied().unwrap_or(column.width)
    }

    /// Puts the keyboard on the row of this number, marks it alone and brings it into sight in the next frame.
    pub fn select(&mut self, row: usize, number: u32) {
        self.stand_on(row, number);
        self.anchor = Some(number);
        self.selection = Selection::one(number);
    }

    /// Puts the keyboard on the row of this number and brings it into sight in the next frame; the marks stay.
    pub fn stand_on(&mut self, row: usize, number: u32) {
        self.focus = Some(row);
        self.focus_number = Some(number);
        self.reveal = Some(row);
    }

    /// Marks every row that is shown in the next frame, and no other.
    pub fn mark_all(&mut self) {
        self.mark_all = true;
    }

    /// Leaves the row marked that the keyboard stands on, and no other.
    pub fn clear_marks(&mut self) {
        self.anchor = self.focus_number;
        self.selection = self.focus_number.into_iter().collect();
    }

    /// Takes over the marks and the place of the keyboard after the rows were given other numbers.
    pub fn renumber(&mut self, selection: Selection, focus: Option<u32>) {
        (self.selection, self.focus_number, self.anchor) = (selection, focus, focus);
    }

    /// The number of the row that the keyboard stands on.
    pub fn focused(&self) -> Option<u32> {
        self.focus_number
    }

    /// Brings a row into sight in the next frame.
    pub fn reveal(&mut self, row: usize) {
        self.reveal = Some(row);
    }

    /// The rows are sorted anew: the list is shown from its top, or where the selected row is by then.
    pub(super) fn begin_again(&mut self, now: f64) {
        self.scroll.top = 0.0;
        self.in_sight = InSight::default();
        self.resorted = Some(now);
        self.reveal = self.focus.filter(|_| self.selection.count() > 0);
    }

    /// How the rows stand: as was chosen, or else as they came.
    pub fn sorted_by(&self) -> Option<&Sort> {
        self.sort.as_ref().or(self.natural.as_ref())
    }

    /// Turns the sort around, or sorts by another column: figures with the largest first, the rest with the smallest.
    pub(super) fn sort_by(&mut self, column: &Column) -> Sort {
        let descending = next_way(self.sorted_by(), column);
        self.set_sort(Sort { column: column.key.to_owned(), descending })
    }

    /// Sorts rows that are equal in the first key by a second one; gives the first.
    pub(super) fn sort_then_by(&mut self, column: &Column) -> Sort {
        let Some(first) = self.sorted_by().filter(|first| first.column != column.key).cloned() else {
            return self.sort_by(column);
        };
        let descending = next_way(self.then.as_ref(), column);
        self.then = Some(Sort { column: column.key.to_owned(), descending });
        self.sort = Some(first.clone());
        first
    }

    /// Sorts by this; a second key stays where only the direction changes.
    pub(super) fn set_sort(&mut self, sort: Sort) -> Sort {
        if self.sorted_by().is_none_or(|before| before.column != sort.column) {
            self.then = None;
        }
        self.sort = Some(sort.clone());
        sort
    }
}

/// Which way a column is sorted next: the other one where it is sorted already.
fn next_way(now: Option<&Sort>, column: &Column) -> bool {
    match now {
        Some(sort) if sort.column == column.key => !sort.descending,
        _ => column.side == super::Side::Right,
    }
}
