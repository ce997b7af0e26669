//! A list of the window: all rows there are, and which of them are shown in which order.
//!
//! What must hold: filtering and sorting a million rows is a task in the background; the list shows the old order until the new one
//! is there, and drawing only ever looks up an index.

mod any;
mod column;
mod compact_time;
mod groups;
mod label;
mod row_list;
pub mod rows;
mod value;
pub(crate) mod view;

pub use any::AnyList;
pub use column::{Cell, Column, ColumnKind, Columns, GroupBy, Grouped};
pub use groups::{Arrangement, Group, GroupValue, Groups, Line, Lines};
pub use label::Label;
pub use row_list::RowList;
pub use value::{Moment, Value};
pub use view::{Change, ListView, MEDIUM_WINDOW, PageWidths, Sort, WIDE_WINDOW};

use std::fmt;
use std::hash::Hash;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use jiff::ZonedDateTime;

use crate::filter::{CompiledFilter, Filter, Filterable, Flag, List};
use crate::{CallError, Remote};

/// A row that can be filtered and sorted.
pub trait Row: Columns + Filterable + PartialEq + Send + Sync {
    /// What a row is known by, whichever order the list has and however often it is reloaded.
    type Key: Clone + fmt::Debug + Eq + Hash;

    /// Whether the rows are those of a connection, and are left with it.
    const OF_CONNECTION: bool = true;
    /// Whether the row that came last is shown first.
    const NEWEST_FIRST: bool = false;

    /// Returns what it is known by.
    fn key(&self) -> Self::Key;

    /// Whether it is known by this.
    fn has_key(&self, key: &Self::Key) -> bool {
        self.key() == *key
    }

    /// The keys that a row of two things would have with either of them alone: a row whose key has one of these in common
    /// with that of an earlier one is the same row, of which one thing came, went or was replaced.
    fn partial_keys(_: &Self::Key) -> Vec<Self::Key> {
        Vec::new()
    }

    /// Whether it comes of work in the background, and is shown only if that is asked for.
    fn is_background(&self) -> bool {
        false
    }

    /// Whether another row stands for it, and it is shown only if a filter finds it.
    fn is_folded(&self) -> bool {
        false
    }

    /// A hash of the key of the row, to look rows up.
    fn fingerprint(&self) -> u32 {
        0
    }

    /// The fingerprint of a row that is known by this.
    fn fingerprint_of(_: &Self::Key) -> u32 {
        0
    }
}

/// A list of rows, and which of them are shown in which order.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<R: Row> {
    /// Which list it is: its filter, its order and its layout are saved under its name.
    pub list: List,
    /// All rows, in the order they came; grows while it loads.
    pub rows: Remote<RowList<R>>,
    /// The indices in `rows` of the rows shown, in order.
    pub order: Arc<Vec<u32>>,
    /// The groups of the rows shown, if they are in groups.
    pub groups: Option<Arc<Groups>>,
    /// What was asked to be shown.
    pub query: Query,
    /// Whether `order` is behind `query` or `rows`.
    pub applying_query: bool,
}

/// Up to this many rows are filtered and sorted at once; more of them in the background.
pub(crate) const APPLIED_AT_ONCE: usize = 5_000;

impl<R: Row> Default for Listing<R> {
    fn default() -> Self {
        Self::of(R::LIST)
    }
}

impl<R: Row> Listing<R> {
    /// A list of which nothing is known yet, with the columns and the filter of its rows.
    pub fn of(list: List) -> Self {
        let (rows, order, query) = (Remote::NotRequested, Arc::default(), Query::default());
        Self { list, rows, order, groups: None, query, applying_query: false }
    }

    /// A list whose rows come one by one, and of which there are none yet.
    pub fn empty() -> Self {
        Self { rows: Remote::Known(RowList::default()), ..Self::default() }
    }

    /// Removes all rows; the query stays.
    pub(crate) fn clear_rows(&mut self) {
        self.set_rows(Remote::Known(RowList::default()));
    }

    /// Forgets the rows; the query stays.
    pub fn clear(&mut self) {
        *self = Self { query: std::mem::take(&mut self.query), ..Self::of(self.list) };
    }

    /// Replaces the rows, and filters and sorts them.
    pub fn set_rows(&mut self, rows: Remote<RowList<R>>) {
        self.rows = rows;
        self.apply();
    }

    /// Takes the answer of the service, and filters and sorts its rows. Those before stay if it failed.
    pub fn resolve(&mut self, rows: Result<RowList<R>, CallError>) {
        self.rows.resolve(rows);
        self.apply();
    }

    /// Replaces a row by one that is shown in its place; the order stays.
    pub(crate) fn replace_row(&mut self, index: usize, row: Arc<R>) {
        if let Remote::Known(rows)
        | Remote::Loading { previous: Some(rows) }
        | Remote::Failed { previous: Some(rows), .. } = &mut self.rows
        {
            rows.replace(index, row);
        }
    }

    /// Shows rows in this order.
    pub(crate) fn arrange(&mut self, Arrangement { order, groups }: Arrangement) {
        (self.order, self.groups) = (order, groups);
    }

    /// The indices in `rows` of the rows shown, each once, as they are below each other in the window.
    pub fn sequence(&self) -> Vec<u32> {
        let Some(groups) = &self.groups else { return self.order.to_vec() };
        let mut seen = vec![false; self.count()];
        let rows = groups.all.iter().flat_map(|group| groups.rows(group)).copied();
        rows.filter(|row| seen.get_mut(*row as usize).is_some_and(|seen| !std::mem::replace(seen, true))).collect()
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

    /// The index at which the row that is known by this is shown; `None` if it is not.
    pub fn index_of(&self, key: &R::Key) -> Option<usize> {
        let number = self.rows.value()?.position(R::fingerprint_of(key), |row| row.has_key(key))?;
        self.order.iter().position(|shown| *shown as usize == number)
    }

    /// All rows, shown or not, in the order they came.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<R>> + Clone {
        self.rows.value().into_iter().flat_map(RowList::iter)
    }

    /// How many rows there are, shown or not.
    pub fn count(&self) -> usize {
        self.rows.value().map_or(0, RowList::len)
    }
}

/// Which rows are wanted, and in which order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// What rows must be.
    pub filter: Filter,
    /// What they are sorted by.
    pub sort: Option<Sort>,
    /// The second key: the order of rows that are equal in the first.
    pub then: Option<Sort>,
    /// The key of the column that they are grouped by.
    pub group: Option<String>,
    /// Whether rows of work in the background are shown too. A filter that asks for them shows them as well.
    pub background: bool,
}

/// So many rows are filtered by several threads; fewer are filtered in the time that it takes to start them.
const MANY: usize = 50_000;
/// The most threads: the window and the service want cores as well.
const MOST_THREADS: usize = 8;

/// The indices of the rows a query wants, seen from now, in its order. Rows that compare equal keep the order they came
/// in.
pub fn apply_query<R: Row>(rows: &RowList<R>, query: &Query) -> Vec<u32> {
    apply_query_at(rows, query, &ZonedDateTime::now())
}

/// Applies a query as of another moment.
pub fn apply_query_at<R: Row>(rows: &RowList<R>, query: &Query, now: &ZonedDateTime) -> Vec<u32> {
    let compiled = CompiledFilter::new(&query.filter, now);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let background = query.background || query.filter.asks(Flag::Background);
    let unfolded = !query.filter.is_empty();
    let is_shown =
        |row: &R| (background || !row.is_background()) && (unfolded || !row.is_folded()) && compiled.takes(row);
    let mut indices = filtered(rows, is_shown, if rows.len() < MANY { 1 } else { cores.min(MOST_THREADS) });
    if R::NEWEST_FIRST {
        indices.reverse();
    }
    sort(rows, &mut indices, query);
    indices
}

/// The indices of the rows that are shown, in their order, determined by so many threads.
fn filtered<R: Row>(rows: &RowList<R>, is_shown: impl Fn(&R) -> bool + Sync, threads: usize) -> Vec<u32> {
    let share = rows.len().div_ceil(threads.max(1)).max(1);
    let part = |first: usize| -> Vec<u32> {
        let indices = u32::try_from(first).unwrap_or(u32::MAX)..;
        let part = rows.iter_from(first).take(share).zip(indices);
        part.filter(|(row, _)| is_shown(row)).map(|(_, index)| index).collect()
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
pub(super) fn sort<R: Row>(rows: &RowList<R>, indices: &mut [u32], query: &Query) {
    let Some(first) = &query.sort else { return };
    let rows = rows.flat();
    // Rows that are equal in the first key keep the order of the second.
    for sort in query.then.iter().chain([first]) {
        if let Some(column) = R::column(&sort.column).filter(|column| column.is_sortable()) {
            sort_by(&rows, indices, column, sort.descending);
        }
    }
}

fn sort_by<R: Row>(rows: &[&R], indices: &mut [u32], column: &Column<R>, descending: bool) {
    if sort_by_number(rows, indices, column, descending) {
        return;
    }
    indices.sort_by(|one, other| {
        let ordering = column.compare(rows[*one as usize], rows[*other as usize]);
        if descending { ordering.reverse() } else { ordering }
    });
}

/// Sorts by the numbers of a column, which reads each row once; returns false if it has others.
fn sort_by_number<R: Row>(rows: &[&R], indices: &mut [u32], column: &Column<R>, descending: bool) -> bool {
    let numbered = |index: &u32| {
        let number = column.order(rows[*index as usize]).rank()?;
        // The complement has the reverse order.
        Some((if descending { !number } else { number }, *index))
    };
    let Some(mut numbered) = indices.iter().map(numbered).collect::<Option<Vec<_>>>() else { return false };
    numbered.sort_by_key(|(number, _)| *number);
    indices.iter_mut().zip(numbered).for_each(|(index, (_, sorted))| *index = sorted);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::rows::AssetRow;

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
        for sort in [Sort::up("language"), Sort::down("language")] {
            let query = Query { sort: Some(sort), ..Query::default() };
            assert_eq!(apply_query(&rows(5), &query), [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn numbers_of_rows_have_the_order_in_which_the_rows_compare() {
        let rows = rows(300);
        let flat = rows.flat();
        for column in AssetRow::COLUMNS.iter().filter(|column| column.is_sortable()) {
            for descending in [false, true] {
                let sort = Some(Sort { column: column.key.to_owned(), descending });
                let mut compared: Vec<u32> = (0..300).collect();
                compared.sort_by(|a, b| {
                    let ordering = column.compare(flat[*a as usize], flat[*b as usize]);
                    if descending { ordering.reverse() } else { ordering }
                });
                assert_eq!(
                    apply_query(&rows, &Query { sort, ..Query::default() }),
                    compared,
                    "{column:?} {descending}"
                );
            }
        }
        let is_number = |key| AssetRow::column(key).is_some_and(|column| column.order(flat[0]).rank().is_some());
        assert!(is_number("score") && !is_number("name"));
    }

    #[test]
    fn several_threads_find_the_rows_that_one_finds_in_the_same_order() {
        let filter = CompiledFilter::new(&Filter::words("7"), &ZonedDateTime::now());
        let is_shown = |row: &AssetRow| filter.takes(row);
        for count in [0, 1, 2, 3, 7, 5_000] {
            let rows = rows(count);
            let expected = filtered(&rows, is_shown, 1);
            assert!(count < 5_000 || expected.len() > 1_000);
            for threads in 2..=5 {
                assert_eq!(filtered(&rows, is_shown, threads), expected, "{threads} threads, {count} rows");
            }
        }
    }

    #[test]
    fn rows_that_are_equal_in_the_first_key_are_sorted_by_the_second() {
        let (sort, then) = (Some(Sort::up("language")), Some(Sort::down("name")));
        let query = Query { sort, then, ..Query::default() };
        assert_eq!(apply_query(&rows(4), &query), [3, 2, 1, 0]);
    }
}
