//! The keyboard of a table: arrows, pages, ends, Enter to open, Space to mark, Ctrl+A for all, Escape for one.
//!
//! With Shift a move marks all it passes, with Ctrl it marks nothing, with both it marks beside what is marked.

use super::{Table, TableResponse, TableState, marks::Mark, row_id};
use crate::ui::widget::scroll::Viewport;
use egui::{EventFilter, Key, Modifiers, Popup, Response, Ui};

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
        let many = state.selection.count() > 1;
        let filter =
            EventFilter { vertical_arrows: true, horizontal_arrows: true, escape: many, ..EventFilter::default() };
        table.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        for key in MOVES {
            for (mark, presses) in presses(table, key) {
                for _ in 0..presses {
                    self.step(state, key, mark, viewport, done);
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

    /// Moves by a key, and marks where the move does.
    fn step(
        &self,
        state: &mut TableState,
        key: Key,
        mark: Option<Mark>,
        viewport: &Viewport,
        done: &mut TableResponse,
    ) {
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
        match mark {
            Some(mark) => self.mark(state, row, mark, done),
            None => self.go(state, row),
        }
        state.scroll.reveal(row, viewport);
    }

    fn marks(&self, table: &Ui, state: &mut TableState, done: &mut TableResponse) {
        let pressed = |modifiers, key| table.input_mut(|input| input.consume_key(modifiers, key));
        if self.many && pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::A) {
            self.mark_all(state, true, done);
        }
        if self.many && pressed(Modifiers::COMMAND, Key::A) {
            self.mark_all(state, false, done);
        }
        // A menu or dialog above closes by the same key.
        let alone = !Popup::is_any_open(table.ctx()) && table.memory(|memory| memory.top_modal_layer().is_none());
        if alone && state.selection.count() > 1 && pressed(Modifiers::NONE, Key::Escape) {
            state.clear_marks();
            done.selection_changed = true;
        }
        let Some(row) = state.focus else { return };
        if pressed(Modifiers::NONE, Key::Enter) {
            done.opened = Some(row);
        }
        if pressed(Modifiers::NONE, Key::Space) || pressed(Modifiers::COMMAND, Key::Space) {
            self.mark(state, row, Mark::Toggle, done);
        }
    }
}

/// How often a key was pressed, by what such a move marks.
fn presses(table: &Ui, key: Key) -> [(Option<Mark>, usize); 4] {
    // The most keys first: a pattern is also met by a press with Shift beside it.
    let gestures = [
        (Modifiers::COMMAND | Modifiers::SHIFT, Some(Mark::RangeToo)),
        (Modifiers::COMMAND, None),
        (Modifiers::SHIFT, Some(Mark::Range)),
        (Modifiers::NONE, Some(Mark::Alone)),
    ];
    table.input_mut(|input| gestures.map(|(modifiers, mark)| (mark, input.count_and_consume_key(modifiers, key))))
}
