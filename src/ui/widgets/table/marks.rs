//! How rows are marked: what each gesture does, by mouse and by keyboard alike.
//!
//! What must hold: without Ctrl a gesture leaves marked what it names and nothing else, with Ctrl the rows marked before
//! stay so, also those a filter hides; only a row that is marked alone by a plain click or arrow is looked at.

use super::{Selection, Table, TableResponse, TableState};
use egui::Modifiers;

/// What a gesture does to the marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Marks the row and no other, and looks at it.
    Alone,
    /// Marks the row, or unmarks it.
    Toggle,
    /// Marks from where the last gesture was up to the row, and no other.
    Range,
    /// The same, and leaves the others marked.
    RangeToo,
}

impl Mark {
    /// What a click does.
    pub(super) fn of_click(modifiers: Modifiers) -> Self {
        match (modifiers.shift, modifiers.command) {
            (false, false) => Self::Alone,
            (false, true) => Self::Toggle,
            (true, false) => Self::Range,
            (true, true) => Self::RangeToo,
        }
    }
}

impl Table<'_> {
    /// Carries a gesture out, and puts the keyboard on its row.
    pub(super) fn mark(&self, state: &mut TableState, row: usize, mark: Mark, done: &mut TableResponse) {
        let number = self.number_of(row);
        match if self.many { mark } else { Mark::Alone } {
            Mark::Alone => {
                state.selection = Selection::one(number);
                state.anchor = Some(number);
                done.focused = Some(row);
            }
            Mark::Toggle => {
                state.selection.toggle(number);
                state.anchor = Some(number);
            }
            Mark::Range => {
                let from = self.anchor(state, row);
                state.selection = self.range(from, row).collect();
            }
            Mark::RangeToo => {
                let from = self.anchor(state, row);
                state.selection.extend(self.range(from, row));
            }
        }
        self.go(state, row);
        done.selection_changed = true;
    }

    /// Puts the keyboard on a row and leaves the marks as they are.
    pub(super) fn go(&self, state: &mut TableState, row: usize) {
        state.focus = Some(row);
        state.focus_number = Some(self.number_of(row));
    }

    /// Marks every row shown: these alone, or beside those marked already.
    pub(super) fn mark_all(&self, state: &mut TableState, too: bool, done: &mut TableResponse) {
        if !too {
            state.selection = Selection::default();
        }
        state.selection.extend((0..self.rows).map(|row| self.number_of(row)));
        done.selection_changed = true;
    }

    /// The row where a range up to `row` begins: where the last gesture without Shift was.
    fn anchor(&self, state: &mut TableState, row: usize) -> usize {
        let anchor = state.anchor.and_then(|number| self.place_of(number)).or(state.focus).unwrap_or(row);
        state.anchor = Some(self.number_of(anchor));
        anchor
    }

    /// The numbers of the rows between two, both included.
    fn range(&self, from: usize, to: usize) -> impl Iterator<Item = u32> {
        (from.min(to)..=from.max(to)).map(|row| self.number_of(row))
    }
}
