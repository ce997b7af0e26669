//! A list of the window: all rows there are, and which of them are shown in which order.
//!
//! What must hold: arranging a million rows is a task in the background; the list shows the old order until the new one
//! is there, and drawing only ever looks up a place.

use std::cmp::Ordering;
use std::sync::Arc;

use jiff::Zoned;

use crate::app::Remote;
use crate::app::filter::{Filter, Searched, Sieve};

/// A row that can be filtered and sorted.
pub trait Row: Searched + PartialEq + Send + Sync + 'static {
    /// What it can be sorted by.
    type Column: Column;

    /// How two rows stand to one another in a column.
    fn compare(&self, other: &Self, column: Self::Column) -> Ordering;
}

/// A column that rows can be sorted by.
pub trait Column: Copy + PartialEq + Send + Sync + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// The name under which it is kept.
    fn key(self) -> &'static str;

    /// The column of a name.
    fn named(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.key() == key)
    }
}

/// A list of rows, and which of them are shown in which order.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<R: Row> {
    /// All rows, in the order they came; grows while it loads. Each is shared, so that a copy of the list is cheap.
    pub rows: Remote<Arc<Vec<Arc<R>>>>,
    /// The places in `rows` of the rows shown, in order.
    pub order: Arc<Vec<u32>>,
    /// What was asked to be shown.
    pub query: Query<R::Column>,
    /// Whether `order` is behind `query` or `rows`.
    pub arranging: bool,
}

impl<R: Row> Default for Listing<R> {
    fn default() -> Self {
        Self { rows: Remote::Unasked, order: Arc::default(), query: Query::default(), arranging: false }
    }
}

impl<R: Row> Listing<R> {
    /// The row shown at a place of the list.
    pub fn shown(&self, place: usize) -> Option<&R> {
        self.shared(place).map(Arc::as_ref)
    }

    /// The same, to be kept.
    pub fn shared(&self, place: usize) -> Option<&Arc<R>> {
        self.rows.value()?.get(*self.order.get(place)? as usize)
    }

    /// The place among all rows of the row shown at a place of the list; one that none has where there is no such row.
    pub fn number(&self, place: usize) -> u32 {
        self.order.get(place).copied().unwrap_or(u32::MAX)
    }

    /// How many rows there are, shown or not.
    pub fn count(&self) -> usize {
        self.rows.value().map_or(0, |rows| rows.len())
    }
}

/// Which rows are wanted, and in which order.
#[derive(Clone, Debug, PartialEq)]
pub struct Query<C> {
    /// What rows must be.
    pub filter: Filter,
    /// The column to sort by, and whether from high to low.
    pub sort: Option<(C, Direction)>,
}

impl<C> Default for Query<C> {
    fn default() -> Self {
        Self { filter: Filter::default(), sort: None }
    }
}

/// Which way a column is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From low to high.
    Up,
    /// From high to low.
    Down,
}

/// The places of the rows a query wants, seen from now, in its order. Rows that compare equal keep the order they came in.
pub fn arrange<R: Row>(rows: &[Arc<R>], query: &Query<R::Column>) -> Vec<u32> {
    arrange_at(rows, query, &Zoned::now())
}

/// The same, seen from another moment.
pub fn arrange_at<R: Row>(rows: &[Arc<R>], query: &Query<R::Column>, now: &Zoned) -> Vec<u32> {
    let sieve = Sieve::new(&query.filter, now);
    let places = rows.iter().enumerate().filter(|(_, row)| sieve.takes(row.as_ref()));
    let mut places: Vec<u32> = places.map(|(place, _)| u32::try_from(place).unwrap_or(u32::MAX)).collect();
    sort(rows, &mut places, query.sort);
    places
}

/// Sorts places of rows by a column; rows that compare equal keep their order.
pub(super) fn sort<R: Row>(rows: &[Arc<R>], places: &mut [u32], by: Option<(R::Column, Direction)>) {
    let Some((column, direction)) = by else { return };
    let compare = |a: &u32, b: &u32| rows[*a as usize].compare(&rows[*b as usize], column);
    match direction {
        Direction::Up => places.sort_by(compare),
        Direction::Down => places.sort_by(|a, b| compare(b, a)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::rows::{AssetColumn, AssetRow};

    fn rows(count: usize) -> Vec<Arc<AssetRow>> {
        (0..count).map(AssetRow::sample).map(Arc::new).collect()
    }

    #[test]
    fn every_word_of_a_filter_must_occur() {
        let query = Query { filter: Filter::words("RUST 0000012"), sort: None };
        assert_eq!(arrange(&rows(200), &query), [12]);
    }

    #[test]
    fn rows_that_compare_equal_keep_their_order_both_ways() {
        for direction in [Direction::Up, Direction::Down] {
            let query = Query { sort: Some((AssetColumn::Language, direction)), ..Query::default() };
            assert_eq!(arrange(&rows(5), &query), [0, 1, 2, 3, 4]);
        }
    }
}
