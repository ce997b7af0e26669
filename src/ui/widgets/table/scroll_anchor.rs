//! Keeping what is read in its place when rows come or go above it.
//!
//! What must hold: at its top a list stays at its top, so that new rows are seen; elsewhere the rows in sight stay where
//! they are on screen. Rows that were sorted anew are no such change: there the position stays.

use super::{Table, TableState};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Rows may have moved by this many beside the change of their number, where some came and others went.
const BESIDE: usize = 48;

/// The rows drawn last, by what identifies them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct InSight {
    /// How many rows there were in all.
    rows: usize,
    /// The place of the first one.
    first: usize,
    keys: Vec<u64>,
}

impl InSight {
    /// Forgets the rows of the frame before.
    pub fn begin(&mut self, rows: usize) {
        self.rows = rows;
        self.keys.clear();
    }

    /// Notes a row that is drawn; they come from above.
    pub fn note(&mut self, row: usize, key: &str) {
        if self.keys.is_empty() {
            self.first = row;
        }
        self.keys.push(hash(key));
    }
}

impl Table<'_> {
    /// Scrolls by as many rows as came or went above those in sight.
    pub(super) fn stay(&self, state: &mut TableState) {
        if state.scroll.top < 1.0 || state.in_sight.keys.is_empty() {
            return;
        }
        if let Some(by) = self.moved_by(&state.in_sight) {
            state.scroll.top += by as f64;
        }
    }

    /// By how many rows those in sight have moved down; None where they have not, or not together.
    fn moved_by(&self, sight: &InSight) -> Option<isize> {
        let is_at = |place: usize, key: u64| place < self.rows && hash(&(self.key)(place)) == key;
        let (first, last) = (*sight.keys.first()?, *sight.keys.last()?);
        let end = sight.first + sight.keys.len() - 1;
        if is_at(sight.first, first) && is_at(end, last) {
            return None;
        }
        let more = self.rows as isize - sight.rows as isize;
        let near = BESIDE as isize;
        // All of them above is the most likely.
        let guesses = std::iter::once(more).chain((1..=near).flat_map(|by| [by, -by])).filter(|by| *by != 0);
        let together = |by: isize| {
            let same = sight.keys.iter().enumerate().filter(|(place, key)| {
                (sight.first + place).checked_add_signed(by).is_some_and(|place| is_at(place, **key))
            });
            // Where rows go between those in sight the rest still moves as one.
            same.count() * 2 > sight.keys.len()
        };
        let first_at = |by: isize| sight.first.checked_add_signed(by).is_some_and(|place| is_at(place, first));
        guesses.into_iter().find(|by| first_at(*by) && together(*by))
    }
}

fn hash(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
