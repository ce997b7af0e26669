//! Selecting rows: the effect of each gesture, by mouse and by keyboard alike.
//!
//! What must hold: without Ctrl a gesture replaces the selection; with Ctrl rows selected before stay selected, even if
//! a filter hides them; only a row selected alone by a plain click or arrow key is opened.

use super::head::of_row;
use super::{Selection, Table, TableResponse, TableState};
use egui::Modifiers;

/// The effect of a gesture on the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gesture {
    /// Selects only this row, and opens it.
    Alone,
    /// Selects the row, or deselects it.
    Toggle,
    /// Selects only the range from the anchor to the row.
    Range,
    /// Adds that range to the selection.
    RangeToo,
}

impl Gesture {
    /// Returns the gesture of a click.
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
    /// Applies a gesture, and moves the focus to its row.
    pub(super) fn apply(&self, state: &mut TableState, row: usize, gesture: Gesture, done: &mut TableResponse) {
        let (number, head) = (self.number_of(row), self.head(row));
        match if self.many { gesture } else { Gesture::Alone } {
            Gesture::Alone | Gesture::Toggle if head.is_some() => {
                if let Some(head) = head.filter(|_| self.many) {
                    state.anchor = head.select(&mut state.selection, gesture);
                }
            }
            Gesture::Alone => {
                state.selection = Selection::one(number);
                state.anchor = Some(number);
                done.focused = Some(row);
            }
            Gesture::Toggle => {
                state.selection.toggle(number);
                state.anchor = Some(number);
            }
            Gesture::Range => {
                let from = self.anchor(state, row);
                state.selection = self.range(from, row).collect();
            }
            Gesture::RangeToo => {
                let from = self.anchor(state, row);
                state.selection.extend(self.range(from, row));
            }
        }
        self.move_to(state, row);
        done.selection_changed = true;
    }

    /// Moves the focus to a row without changing the selection.
    pub(super) fn move_to(&self, state: &mut TableState, row: usize) {
        state.focus = Some(row);
        state.focus_number = Some(self.number_of(row));
    }

    /// Selects every visible row: only these, or in addition to the selection.
    pub(super) fn select_all(&self, state: &mut TableState, too: bool, done: &mut TableResponse) {
        if !too {
            state.selection = Selection::default();
        }
        state.selection.extend(self.all_numbers().iter());
        done.selection_changed = true;
    }

    /// Returns the row where a range to `row` begins: the row of the last gesture without Shift.
    fn anchor(&self, state: &mut TableState, row: usize) -> usize {
        let anchor =
            state.anchor.and_then(of_row).and_then(|number| self.index_of(number)).or(state.focus).unwrap_or(row);
        state.anchor = of_row(self.number_of(anchor));
        anchor
    }

    /// Returns the numbers of the rows between two, both included.
    fn range(&self, from: usize, to: usize) -> impl Iterator<Item = u32> {
        (from.min(to)..=from.max(to)).flat_map(|line| self.numbers_of(line))
    }
}
