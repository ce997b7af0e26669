//! A list of the window: all rows there are, and which of them are shown in which order.
//!
//! What must hold: filtering and sorting a million rows is a task in the background; the list shows the old order until the new one
//! is there, and drawing only ever looks up an index.

mod compact_time;
mod row_list;
pub mod rows;

pub use row_list::RowList;

use std::cmp::Ordering;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use jiff::ZonedDateTime;

use crate::Remote;
use crate::filter::{CompiledFilter, Filter, Filterable};

/// A row that can be filtered and sorted.
pub trait Row: Filterable + PartialEq + Send + Sync + 'static {
    /// What it can be sorted by.
    type Column: Column;

    /// A number that few rows share, where rows are looked for by what they are known by.
    fn fingerprint(&self) -> u32 {
        0
    }

    /// The order of two rows in a column.
    fn compare(&self, other: &Self, column: Self::Column) -> Ordering;

    /// A number that has the order of [`Self::compare`] in a column; `None` in all rows if it has none. Sorting by it reads
    /// each row once.
    fn sort_number(&self, _column: Self::Column) -> Option<i128> {
        None
    }
}

/// A column that rows can be sorted by.
pub trait Column: Copy + PartialEq + Send + Sync + 'static {
    /// All of them.
    const ALL: &'static [Self];

    /// The name under which it is saved.
    fn key(self) -> &'static str;

    /// The column of a name.
    fn named(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.key() == key)
    }
}

/// A list of rows, and which of them are shown in which order.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<R: Row> {
    /// All rows, in the order they came; grows while it loads.
    pub rows: Remote<RowList<R>>,
    /// The indices in `rows` of the rows shown, in order.
    pub order: Arc<Vec<u32>>,
    /// What was asked to be shown.
    pub query: Query<R::Column>,
    /// Whether `order` is behind `query` or `rows`.
    pub applying_query: bool,
}

impl<R: Row> Default for Listing<R> {
    fn default() -> Self {
        Self { rows: Remote::Unasked, order: Arc::default(), query: Query::default(), applying_query: false }
    }
}

impl<R: Row> Listing<R> {
    /// Forgets the rows; the query stays.
    pub fn clear(&mut self) {
        *self = Self { query: self.query.clone(), ..Self::default() };
    }

    /// Filters and sorts the rows by another query.
    pub fn set_query(&mut self, query: Query<R::Column>) {
        if let Some(rows) = self.rows.value() {
            self.order = Arc::new(apply_query(rows, &query));
        }
        self.query = query;
    }

    /// The row shown at an index of the list.
    pub fn shown(&self, index: usize) -> Option<&R> {
        self.shared(index).map(Arc::as_ref)
    }

    /// Returns the shared row at this place.
    pub fn shared(&self, index: usize) -> Option<&Arc<R>> {
        self.rows.value()?.get(*self.order.get(index)? as usize)
    }

    /// The index among all rows of the row shown at an index of the list; `u32::MAX` if there is no such row.
    pub fn number(&self, index: usize) -> u32 {
        self.order.get(index).copied().unwrap_or(u32::MAX)
    }

    /// All rows, shown or not, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<R>> {
        self.rows.value().into_iter().flat_map(RowList::iter)
    }

    /// How many rows there are, shown or not.
    pub fn count(&self) -> usize {
        self.rows.value().map_or(0, RowList::len)
    }
}

/// Which rows are wanted, and in which order.
#[derive(Clone, Debug, PartialEq)]
pub struct Query<C> {
    /// What rows must be.
    pub filter: Filter,
    /// The column to sort by, and whether from high to low.
    pub sort: Option<(C, Direction)>,
    /// The second key: the order of rows that are equal in the first.
    pub then: Option<(C, Direction)>,
}

impl<C> Default for Query<C> {
    fn default() -> Self {
        Self { filter: Filter::default(), sort: None, then: None }
    }
}

impl<C: Copy> Query<C> {
    /// Returns the query with another filter and this order.
    pub fn filtered(&self, filter: Filter) -> Self {
        let Self { sort, then, .. } = *self;
        Self { filter, sort, then }
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

/// So many rows are filtered by several threads; fewer are filtered in the time that it takes to start them.
const MANY: usize = 50_000;
/// The most threads: the window and the service want cores as well.
const MOST_THREADS: usize = 8;

/// The indices of the rows a query wants, seen from now, in its order. Rows that compare equal keep the order they came
/// in.
pub fn apply_query<R: Row>(rows: &RowList<R>, query: &Query<R::Column>) -> Vec<u32> {
    apply_query_at(rows, query, &ZonedDateTime::now())
}

/// Applies a query as of another moment.
pub fn apply_query_at<R: Row>(rows: &RowList<R>, query: &Query<R::Column>, now: &ZonedDateTime) -> Vec<u32> {
    let compiled = CompiledFilter::new(&query.filter, now);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut indices = filtered(rows, &compiled, if rows.len() < MANY { 1 } else { cores.min(MOST_THREADS) });
    sort(rows, &mut indices, query);
    indices
}

/// The indices of the rows that a filter takes, in their order, determined by so many threads.
fn filtered<R: Row>(rows: &RowList<R>, filter: &CompiledFilter, threads: usize) -> Vec<u32> {
    let share = rows.len().div_ceil(threads.max(1)).max(1);
    let part = |first: usize| -> Vec<u32> {
        let indices = u32::try_from(first).unwrap_or(u32::MAX)..;
        let part = rows.iter_from(first).take(share).zip(indices);
        part.filter(|(row, _)| filter.takes(row.as_ref())).map(|(_, index)| index).collect()
    };
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads).map(|thread| thread * share).map(|first| scope.spawn(move || part(first))).collect();
        let mut indices = part(0);
        for other in others {
            indices.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        indices
    })
}

/// Sorts indices of rows by the columns of a query; rows that compare equal keep their order.
pub(super) fn sort<R: Row>(rows: &RowList<R>, indices: &mut [u32], query: &Query<R::Column>) {
    let Some(first) = query.sort else { return };
    let rows = rows.flat();
    if query.then.is_none() && sort_by_number(&rows, indices, first) {
        return;
    }
    let compare = |a: u32, b: u32, (column, direction): (R::Column, Direction)| {
        let ordering = rows[a as usize].compare(rows[b as usize], column);
        if direction == Direction::Down { ordering.reverse() } else { ordering }
    };
    match query.then {
        None => indices.sort_by(|a, b| compare(*a, *b, first)),
        Some(then) => indices.sort_by(|a, b| compare(*a, *b, first).then_with(|| compare(*a, *b, then))),
    }
}

/// Sorts by the numbers of a column; returns false if it has none.
fn sort_by_number<R: Row>(rows: &[&R], indices: &mut [u32], (column, direction): (R::Column, Direction)) -> bool {
    let numbered = |index: &u32| {
        let number = rows[*index as usize].sort_number(column)?;
        // The complement has the reverse order.
        Some((if direction == Direction::Down { !number } else { number }, *index))
    };
    let Some(mut numbered) = indices.iter().map(numbered).collect::<Option<Vec<_>>>() else { return false };
    numbered.sort_by_key(|(number, _)| *number);
    indices.iter_mut().zip(numbered).for_each(|(index, (_, sorted))| *index = sorted);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::rows::{AssetColumn, AssetRow};

    fn rows(count: usize) -> RowList<AssetRow> {
        (0..count).map(AssetRow::sample).map(Arc::new).collect()
    }

    #[test]
    fn every_word_of_a_filter_must_match() {
        let query = Query { filter: Filter::words("RUST asset_0000012"), ..Query::default() };
        assert_eq!(apply_query(&rows(200), &query), [12]);
    }

    #[test]
    fn rows_that_compare_equal_keep_their_order_both_ways() {
        for direction in [Direction::Up, Direction::Down] {
            let query = Query { sort: Some((AssetColumn::Language, direction)), ..Query::default() };
            assert_eq!(apply_query(&rows(5), &query), [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn numbers_of_rows_have_the_order_in_which_the_rows_compare() {
        let rows = rows(300);
        let flat = rows.flat();
        for column in AssetColumn::ALL.iter().copied() {
            for direction in [Direction::Up, Direction::Down] {
                let query = Query { sort: Some((column, direction)), ..Query::default() };
                let mut compared: Vec<u32> = (0..300).collect();
                compared.sort_by(|a, b| {
                    let ordering = flat[*a as usize].compare(flat[*b as usize], column);
                    if direction == Direction::Down { ordering.reverse() } else { ordering }
                });
                assert_eq!(apply_query(&rows, &query), compared, "{column:?} {direction:?}");
            }
        }
        assert!(flat[0].sort_number(AssetColumn::Score).is_some() && flat[0].sort_number(AssetColumn::Name).is_none());
    }

    #[test]
    fn several_threads_find_the_rows_that_one_finds_in_the_same_order() {
        let filter = CompiledFilter::new(&Filter::words("7"), &ZonedDateTime::now());
        for count in [0, 1, 2, 3, 7, 5_000] {
            let rows = rows(count);
            let expected = filtered(&rows, &filter, 1);
            assert!(count < 5_000 || expected.len() > 1_000);
            for threads in 2..=5 {
                assert_eq!(filtered(&rows, &filter, threads), expected, "{threads} threads, {count} rows");
            }
        }
    }

    #[test]
    fn rows_that_are_equal_in_the_first_key_are_sorted_by_the_second() {
        let (sort, then) = (Some((AssetColumn::Language, Direction::Up)), Some((AssetColumn::Name, Direction::Down)));
        let query = Query { filter: Filter::default(), sort, then };
        assert_eq!(apply_query(&rows(4), &query), [3, 2, 1, 0]);
    }
}
