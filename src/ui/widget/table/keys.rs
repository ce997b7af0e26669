//! The keyboard of a table: arrows, pages, ends, Enter to open, Space to mark, Ctrl+A for all.

use super::{Selection, Table, TableResponse, TableState, row_id};
use crate::ui::widget::scroll::Viewport;
use egui::{EventFilter, Key, Modifiers, Response, Ui};

/// A key that moves from row to row.
const MOVES: [Key; 6] = [Key::ArrowUp, Key::ArrowDown, Key::PageUp, Key::PageDown, Key::Home, Key::End];

impl Table<'_> {
    /// Takes the keys pressed while the table has the focus.
    pub(super) fn keys(
        &self,
        table: &Ui,
        response: &Response,
        state: &mut TableState,
        viewport: &Viewport,
        done: &mut TableResponse,
    ) {
        if response.clicked() {
            response.request_focus();
        }
        if !response.has_focus() || self.rows == 0 {
            return;
        }
        let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
        table.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        for key in MOVES {
            for (extend, presses) in presses(table, key) {
                for _ in 0..presses {
                    self.step(state, key, extend, viewport, done);
                }
            }
        }
        self.marks(table, state, done);
        if let Some(row) = state.focus {
            let descendant = row_id(response, &(self.key)(row));
            table
                .ctx()
                .accesskit_node_builder(response.id, |node| node.set_active_descendant(descendant.accesskit_id()));
        }
    }

    fn step(&self, state: &mut TableState, key: Key, extend: bool, viewport: &Viewport, done: &mut TableResponse) {
        let last = self.rows - 1;
        let page = (viewport.page().floor() as usize).saturating_sub(1).max(1);
        let row = match (state.focus, key) {
            (_, Key::Home) => 0,
            (_, Key::End) => last,
            (None, _) => viewport.visible(&state.scroll).start,
            (Some(row), Key::ArrowUp) => row.saturating_sub(1),
            (Some(row), Key::PageUp) => row.saturating_sub(page),
            (Some(row), Key::PageDown) => row.saturating_add(page).min(last),
            (Some(row), _) => (row + 1).min(last),
        };
        state.focus = Some(row);
        if extend && self.many {
            self.mark_range(state, row);
        } else {
            state.selection = Selection::one((self.key)(row));
            state.anchor = Some(row);
        }
        state.scroll.reveal(row, viewport);
        done.focused = Some(row);
        done.selection_changed = true;
    }

    fn marks(&self, table: &Ui, state: &mut TableState, done: &mut TableResponse) {
        let pressed = |modifiers, key| table.input_mut(|input| input.consume_key(modifiers, key));
        if self.many && pressed(Modifiers::COMMAND, Key::A) {
            state.selection = Selection::all();
            done.selection_changed = true;
        }
        let Some(row) = state.focus else { return };
        if pressed(Modifiers::NONE, Key::Enter) {
            done.opened = Some(row);
        }
        if pressed(Modifiers::NONE, Key::Space) {
            let key = (self.key)(row);
            if self.many {
                state.selection.toggle(&key);
            } else {
                state.selection = Selection::one(key);
            }
            state.anchor = Some(row);
            done.selection_changed = true;
        }
    }

    /// Marks the rows from the anchor to `row`, and no others.
    pub(super) fn mark_range(&self, state: &mut TableState, row: usize) {
        let anchor = state.anchor.or(state.focus).unwrap_or(row);
        state.anchor = Some(anchor);
        let (first, last) = (anchor.min(row), anchor.max(row));
        state.selection = if first == 0 && last + 1 == self.rows {
            Selection::all()
        } else {
            Selection::Only((first..=last).map(self.key).collect())
        };
    }
}

/// How often a key was pressed with Shift, and without.
fn presses(table: &Ui, key: Key) -> [(bool, usize); 2] {
    table.input_mut(|input| {
        let extended = input.count_and_consume_key(Modifiers::SHIFT, key);
        [(true, extended), (false, input.count_and_consume_key(Modifiers::NONE, key))]
    })
}
