//! What a table remembers between frames; plain data that the caller owns and may store.

use super::{Column, Scroll};
use std::collections::{BTreeMap, BTreeSet};

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

/// Which rows are marked, by their keys.
///
/// All of a million rows are marked without naming any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The rows with these keys.
    Only(BTreeSet<String>),
    /// Every row but those with these keys.
    AllBut(BTreeSet<String>),
}

impl Default for Selection {
    fn default() -> Self {
        Selection::Only(BTreeSet::new())
    }
}

impl Selection {
    /// One row.
    pub fn one(key: impl Into<String>) -> Self {
        Selection::Only(BTreeSet::from([key.into()]))
    }

    /// Every row.
    pub fn all() -> Self {
        Selection::AllBut(BTreeSet::new())
    }

    /// Whether the row is marked.
    pub fn contains(&self, key: &str) -> bool {
        match self {
            Selection::Only(keys) => keys.contains(key),
            Selection::AllBut(keys) => !keys.contains(key),
        }
    }

    /// Marks or unmarks the row.
    pub fn toggle(&mut self, key: &str) {
        let (Selection::Only(keys) | Selection::AllBut(keys)) = self;
        if !keys.remove(key) {
            keys.insert(key.to_owned());
        }
    }

    /// How many of `rows` rows are marked.
    pub fn count(&self, rows: usize) -> usize {
        match self {
            Selection::Only(keys) => keys.len(),
            Selection::AllBut(keys) => rows.saturating_sub(keys.len()),
        }
    }
}

/// What a table remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableState {
    /// The sort the header shows; the caller sorts the rows.
    pub sort: Option<Sort>,
    /// Widths the user gave, in points, by [`Column::key`].
    pub widths: BTreeMap<String, f32>,
    /// Columns the user showed or hid, by [`Column::key`].
    pub visible: BTreeMap<String, bool>,
    /// Where the table is scrolled to.
    pub scroll: Scroll,
    /// The row the keyboard stands on.
    pub focus: Option<usize>,
    /// Where a range of rows began.
    pub(super) anchor: Option<usize>,
    /// The marked rows.
    pub selection: Selection,
    /// The row to bring into sight when the table is next drawn.
    pub(super) reveal: Option<usize>,
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

    /// Puts the keyboard on a row, marks it alone and brings it into sight in the next frame.
    pub fn select(&mut self, row: usize, key: &str) {
        self.focus = Some(row);
        self.anchor = Some(row);
        self.selection = Selection::one(key);
        self.reveal = Some(row);
    }

    /// Brings a row into sight in the next frame.
    pub fn reveal(&mut self, row: usize) {
        self.reveal = Some(row);
    }

    /// Turns the sort around, or sorts by another column: figures with the largest first, the rest with the smallest.
    pub(super) fn sort_by(&mut self, column: &Column) -> Sort {
        let descending = match &self.sort {
            Some(sort) if sort.column == column.key => !sort.descending,
            _ => column.side == super::Side::Right,
        };
        let sort = Sort { column: column.key.to_owned(), descending };
        self.sort = Some(sort.clone());
        sort
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_one_is_marked_without_naming_the_rest() {
        let mut selection = Selection::all();
        selection.toggle("b");
        assert!(selection.contains("a") && !selection.contains("b"));
        assert_eq!(selection.count(1_000_000), 999_999);
        selection.toggle("b");
        assert_eq!(selection, Selection::all());
    }
}
