//! The comparison of two sides: their rows, and how many there are of each state.

use std::sync::Arc;

use super::base::Base;
use super::facts::Facts;
use super::matching::{Matches, pairs};
use super::row::{RowState, SideRow};
use super::side::Sides;
use crate::listing::RowList;

/// Two sides that were compared. Made anew when a match is made or undone, which reads nothing.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The sides, with what was read of them.
    pub sides: Arc<Sides>,
    /// What people said of matches.
    pub matches: Matches,
    /// What the sides were before.
    pub base: Arc<Base>,
    /// A row for each asset of one side or of both: first those that differ, last those that are the same.
    pub rows: RowList<SideRow>,
    /// How many rows there are of each state.
    pub counts: Counts,
}

/// How many rows there are of each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([usize; RowState::ALL.len()]);

impl Counts {
    /// The number of rows of a state.
    pub fn of(&self, state: RowState) -> usize {
        self.0[state as usize]
    }

    /// The number of rows that differ.
    pub fn differences(&self) -> usize {
        RowState::ALL.into_iter().filter(|state| state.is_difference()).map(|state| self.of(state)).sum()
    }
}

impl Comparison {
    /// Compares two sides. Takes time in proportion to their assets.
    pub fn of(sides: Arc<Sides>, matches: Matches, base: Arc<Base>) -> Self {
        let [left, right] = [&sides.left.facts, &sides.right.facts];
        let incomplete = [!sides.left.complete, !sides.right.complete];
        let mut counts = Counts::default();
        let row = |(one, other, by): (Option<usize>, Option<usize>, _)| {
            let facts = |side: &[Arc<Facts>], index: Option<usize>| index.map(|index| Arc::clone(&side[index]));
            let pair = [facts(left, one), facts(right, other)];
            let changed = match &pair {
                [Some(left), Some(right)] => base.changed(left, right),
                _ => None,
            };
            let row = SideRow::new(pair, by, changed, incomplete);
            counts.0[row.state as usize] += 1;
            Arc::new(row)
        };
        let mut rows: Vec<_> = pairs(left, right, &matches, base.copied()).into_iter().map(row).collect();
        rows.sort_by_key(|row| (!row.state.is_difference(), row.state == RowState::Same));
        Self { rows: rows.into_iter().collect(), counts, matches, base, sides }
    }

    /// The comparison after some assets of the sides were read again. `copied` has the ids on the left and on the right
    /// of those that were copied under another id.
    #[must_use]
    pub fn with_sides(&self, sides: Sides, copied: Vec<(Arc<str>, Arc<str>)>) -> Self {
        let base = match copied.is_empty() {
            true => Arc::clone(&self.base),
            false => Arc::new(Base::clone(&self.base).with_copied(copied)),
        };
        Self::of(Arc::new(sides), self.matches.clone(), base)
    }

    /// The comparison after a match of an asset on the left and one on the right was made.
    #[must_use]
    pub fn with_match(&self, left: Arc<str>, right: Arc<str>) -> Self {
        let mut matches = self.matches.clone();
        matches.make(left, right);
        Self::of(Arc::clone(&self.sides), matches, Arc::clone(&self.base))
    }

    /// The comparison after a match was undone.
    #[must_use]
    pub fn without_match(&self, left: Arc<str>, right: Arc<str>) -> Self {
        let mut matches = self.matches.clone();
        matches.undo(left, right);
        Self::of(Arc::clone(&self.sides), matches, Arc::clone(&self.base))
    }
}
