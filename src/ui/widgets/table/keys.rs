//! The keyboard of a table: arrows, pages, ends, letters, Enter to open, Space to mark, Ctrl+A for all, Escape for one.
//!
//! The keyboard moves and marks at once; what is looked at follows once it rests for a moment, so that rows one passes
//! over are not opened. With Shift a move marks all it passes, with Ctrl it marks nothing, with both it marks beside
//! what is marked.

use super::{Table, TableResponse, TableState, marks::Mark, row_id};
use crate::ui::focus;
use crate::ui::widgets::context_menu::menu_key;
use crate::ui::widgets::scroll::Viewport;
use egui::{EventFilter, Key, Modifiers, Popup, Response, Ui};
use std::borrow::Cow;
use std::time::Duration;

/// How long the keyboard rests on a row before it is looked at, in seconds.
const REST: f64 = 0.15;

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
        if focus::entered_list(table.ctx(), response.id) && state.focus.is_none() {
            self.go(state, viewport.visible(&state.scroll).start);
        }
        let filter =
            EventFilter { vertical_arrows: true, horizontal_arrows: true, escape: true, ..EventFilter::default() };
        table.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        self.letters(table, state, viewport);
        for key in MOVES {
            for (mark, presses) in presses(table, key) {
                for _ in 0..presses {
                    state.type_ahead.cancel();
                    self.step(table, state, key, mark, viewport, done);
                }
            }
        }
        self.marks(table, state, done);
        self.menu_key(table, state, viewport);
        self.rest(table, state, done);
        if let Some(row) = state.focus {
            let descendant = row_id(response, &(self.key)(row));
            table
                .ctx()
                .accesskit_node_builder(response.id, |node| node.set_active_descendant(descendant.accesskit_id()));
        }
    }

    /// Jumps to the row whose name begins as it is typed.
    fn letters(&self, table: &Ui, state: &mut TableState, viewport: &Viewport) {
        let name = |row: usize| match (self.typed_name, self.row_name) {
            (Some(name), _) => name(row),
            (None, Some(name)) => Cow::Owned(name(row)),
            (None, None) => Cow::Owned((self.key)(row)),
        };
        if let Some(row) = state.type_ahead.step(table, state.focus, self.rows, &name) {
            self.come(table, state, row);
            state.scroll.reveal(row, viewport);
        }
    }

    /// The keyboard comes to a row and marks it alone; it is looked at after a rest.
    fn come(&self, table: &Ui, state: &mut TableState, row: usize) {
        self.mark(state, row, Mark::Alone, &mut TableResponse::default());
        if self.follows {
            state.rests = Some(table.input(|input| input.time) + REST);
        }
    }

    /// Looks at the row on which the keyboard rests.
    fn rest(&self, table: &Ui, state: &mut TableState, done: &mut TableResponse) {
        let Some(at) = state.rests else { return };
        let left = at - table.input(|input| input.time);
        if left > 0.0 {
            table.ctx().request_repaint_after(Duration::from_secs_f64(left));
        } else {
            state.rests = None;
            done.focused = done.focused.or(state.focus);
        }
    }

    /// Moves by a key, and marks where the move does.
    fn step(
        &self,
        table: &Ui,
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
            Some(Mark::Alone) => {
                self.come(table, state, row);
                done.selection_changed = true;
            }
            Some(mark) => self.mark(state, row, mark, done),
            None => self.go(state, row),
        }
        state.scroll.reveal(row, viewport);
    }

    /// Opens the menu of the row that has the focus.
    fn menu_key(&self, table: &Ui, state: &mut TableState, viewport: &Viewport) {
        if let (true, Some(row)) = (self.menu.is_some(), state.focus)
            && menu_key(table.ctx())
        {
            state.scroll.reveal(row, viewport);
            state.menu = Some(row);
        }
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
        if alone && pressed(Modifiers::NONE, Key::Escape) {
            self.escape(state, done);
        }
        let Some(row) = state.focus else { return };
        if pressed(Modifiers::NONE, Key::Enter) || pressed(Modifiers::NONE, Key::ArrowRight) {
            done.opened = Some(row);
            state.rests = None;
            focus::enter_page(table.ctx());
        }
        // The row that the keyboard moved to is selected already: Space leaves it so.
        let alone = state.selection.count() == 1 && state.selection.contains(self.number_of(row));
        if pressed(Modifiers::NONE, Key::Space) && !alone || pressed(Modifiers::COMMAND, Key::Space) {
            self.mark(state, row, Mark::Toggle, done);
        }
    }
}

impl Table<'_> {
    /// Takes back one thing: what is being typed, then the marks, then what the list is narrowed by.
    fn escape(&self, state: &mut TableState, done: &mut TableResponse) {
        if state.type_ahead.under_way() {
            state.type_ahead.cancel();
        } else if state.selection.count() > 1 {
            state.clear_marks();
            done.selection_changed = true;
        } else {
            done.escaped = true;
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
