//! Keeps the visible rows in place when rows above them are added or removed.
//!
//! What must hold: at its top a list stays at its top, so that new rows are seen; elsewhere the visible rows stay where
//! they are on screen. Sorting is not such a change: then the position stays.

use super::{Table, TableState};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Rows may have moved by this many more than their number changed, if some were added and others removed.
const MAX_SHIFT: usize = 48;

/// The rows drawn last, by key.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct VisibleRows {
    /// The total number of rows.
    rows: usize,
    /// The index of the first one.
    first: usize,
    keys: Vec<u64>,
}

impl VisibleRows {
    /// Forgets the rows of the previous frame.
    pub fn begin(&mut self, rows: usize) {
        self.rows = rows;
        self.keys.clear();
    }

    /// Records a row that is drawn; called from top to bottom.
    pub fn record(&mut self, row: usize, key: &str) {
        if self.keys.is_empty() {
            self.first = row;
        }
        self.keys.push(hash(key));
    }
}

impl Table<'_> {
    /// Scrolls by as many rows as were added or removed above the visible ones.
    pub(super) fn restore_position(&self, state: &mut TableState) {
        if state.scroll.top < 1.0 || state.in_sight.keys.is_empty() {
            return;
        }
        if let Some(by) = self.shift(&state.in_sight) {
            state.scroll.top += (by as f64 / self.in_line as f64).round();
        }
    }

    /// Returns by how many rows the visible ones moved down; `None` if they did not move, or not together.
    fn shift(&self, sight: &VisibleRows) -> Option<isize> {
        let is_at = |index: usize, key: u64| index < self.rows && hash(&(self.key)(index)) == key;
        let (first, last) = (*sight.keys.first()?, *sight.keys.last()?);
        let end = sight.first + sight.keys.len() - 1;
        if is_at(sight.first, first) && is_at(end, last) {
            return None;
        }
        let more = self.rows as isize - sight.rows as isize;
        let near = MAX_SHIFT as isize;
        // Most likely all of them are above.
        let guesses = std::iter::once(more).chain((1..=near).flat_map(|by| [by, -by])).filter(|by| *by != 0);
        let together = |by: isize| {
            let same = sight.keys.iter().enumerate().filter(|(index, key)| {
                (sight.first + index).checked_add_signed(by).is_some_and(|index| is_at(index, **key))
            });
            // If rows between the visible ones were removed, the others still moved together.
            same.count() * 2 > sight.keys.len()
        };
        let first_at = |by: isize| sight.first.checked_add_signed(by).is_some_and(|index| is_at(index, first));
        guesses.into_iter().find(|by| first_at(*by) && together(*by))
    }
}

fn hash(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
