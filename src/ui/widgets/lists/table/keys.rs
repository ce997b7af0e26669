//! The keyboard of a table: arrows, Page Up and Down, Home and End, type-ahead, Enter to open, Space to select, Ctrl+A
//! for all, Escape to clear.
//!
//! The keyboard moves and selects at once; the open item follows after a short rest, so that rows that are only passed
//! are not opened. With Shift a move selects all rows it passes, with Ctrl it selects nothing, with both it extends the
//! selection.

use super::{Table, TableResponse, TableState, gesture::Gesture, row_id};
use crate::ui::focus;
use crate::ui::widgets::context_menu::menu_key;
use crate::ui::widgets::scroll::Viewport;
use egui::{Context, EventFilter, Id, Key, Modifiers, Popup, Response, Ui};
use std::borrow::Cow;
use std::time::Duration;

/// How long the keyboard rests on a row before it is opened, in seconds.
const REST_SECONDS: f64 = 0.15;

/// The keys that move between rows.
const MOVEMENT_KEYS: [Key; 6] = [Key::ArrowUp, Key::ArrowDown, Key::PageUp, Key::PageDown, Key::Home, Key::End];

impl Table<'_> {
    /// Handles the keys pressed while the table has the focus.
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
        self.enter(table, response, state, viewport, done);
        let filter =
            EventFilter { vertical_arrows: true, horizontal_arrows: true, escape: true, ..EventFilter::default() };
        table.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let receives = focus::receives_keys(table.ctx(), response.id);
        if receives {
            self.type_ahead(table, state, viewport);
            self.movement(table, state, viewport, done);
        }
        self.focus_ringed_row(table, state, viewport);
        if receives {
            self.gesture(table, state, done);
            self.menu_key(table, state, viewport);
        }
        self.open_after_rest(table, state, done);
        if let Some(row) = state.focus {
            let descendant = row_id(response, &(self.key)(row));
            table
                .ctx()
                .accesskit_node_builder(response.id, |node| node.set_active_descendant(descendant.accesskit_id()));
        }
    }

    /// Handles the keys that move between rows.
    fn movement(&self, table: &Ui, state: &mut TableState, viewport: &Viewport, done: &mut TableResponse) {
        let sideways: &[Key] = if self.tiles.is_some() { &[Key::ArrowLeft, Key::ArrowRight] } else { &[] };
        for key in MOVEMENT_KEYS.iter().chain(sideways).copied() {
            for (mark, key_presses) in key_presses(table, key) {
                for _ in 0..key_presses {
                    state.type_ahead.cancel();
                    self.move_by_key(table, state, key, mark, viewport, done);
                }
            }
        }
    }

    /// Puts the focus on a row when the keyboard comes from the filter.
    fn enter(
        &self,
        table: &Ui,
        response: &Response,
        state: &mut TableState,
        viewport: &Viewport,
        done: &mut TableResponse,
    ) {
        let (entered, by_arrow) = (focus::entered_list(table.ctx(), response.id), take_arrow(table.ctx()));
        // What was typed on the way here finds the row.
        if !entered || state.type_ahead.is_waiting() {
            return;
        }
        let row = state.focus.unwrap_or(self.visible(viewport, &state.scroll).start);
        if by_arrow && state.selection.count() > 0 {
            self.move_by_key(table, state, Key::ArrowDown, Some(Gesture::Alone), viewport, done);
        } else if by_arrow {
            // No row is passed over, but the head of its group.
            let first = row + 1;
            let headed = self.head(row).is_some() && first < self.rows && self.head(first).is_none();
            let row = if headed { first } else { row };
            self.move_focus(table, state, row);
            self.reveal(state, row, viewport);
            done.selection_changed = true;
        } else {
            self.move_to(state, row);
        }
    }

    /// Puts the focus on the row with the ring, if no row has it: the next arrow key starts there.
    fn focus_ringed_row(&self, table: &Ui, state: &mut TableState, viewport: &Viewport) {
        if state.focus.is_none() && focus::shows_ring(table.ctx()) {
            self.move_to(state, self.visible(viewport, &state.scroll).start);
        }
    }

    /// Jumps to the row whose name begins with the typed text.
    fn type_ahead(&self, table: &Ui, state: &mut TableState, viewport: &Viewport) {
        let name = |row: usize| match (self.typed_name, self.row_name) {
            (Some(name), _) => name(row),
            (None, Some(name)) => Cow::Owned(name(row)),
            (None, None) => Cow::Owned((self.key)(row)),
        };
        if let Some(row) = state.type_ahead.step(table, state.focus, self.rows, &name) {
            self.move_focus(table, state, row);
            self.reveal(state, row, viewport);
        }
    }

    /// Moves the focus to a row and selects it alone; it is opened after a rest. A head gets the focus only.
    fn move_focus(&self, table: &Ui, state: &mut TableState, row: usize) {
        if self.head(row).is_some() {
            state.opens_at = None;
            return self.move_to(state, row);
        }
        self.apply(state, row, Gesture::Alone, &mut TableResponse::default());
        if self.follow_focus {
            state.opens_at = Some(table.input(|input| input.time) + REST_SECONDS);
        }
    }

    /// Opens the row on which the keyboard rests.
    fn open_after_rest(&self, table: &Ui, state: &mut TableState, done: &mut TableResponse) {
        let Some(at) = state.opens_at else { return };
        let left = at - table.input(|input| input.time);
        if left > 0.0 {
            table.ctx().request_repaint_after(Duration::from_secs_f64(left));
        } else {
            state.opens_at = None;
            done.focused = done.focused.or(state.focus);
        }
    }

    /// Moves by a key, and selects as the modifiers say.
    fn move_by_key(
        &self,
        table: &Ui,
        state: &mut TableState,
        key: Key,
        mark: Option<Gesture>,
        viewport: &Viewport,
        done: &mut TableResponse,
    ) {
        let last = self.rows - 1;
        let line = self.in_line;
        let page = (viewport.page().floor() as usize).saturating_sub(1).max(1) * line;
        let row = match (state.focus, key) {
            (_, Key::Home) => 0,
            (_, Key::End) => last,
            (None, _) => self.visible(viewport, &state.scroll).start,
            (Some(row), Key::ArrowUp) => row.checked_sub(line).unwrap_or(row),
            (Some(row), Key::ArrowLeft) => row.saturating_sub(1),
            (Some(row), Key::ArrowRight) => (row + 1).min(last),
            (Some(row), Key::PageUp) => row.saturating_sub(page),
            (Some(row), Key::PageDown) => row.saturating_add(page).min(last),
            // Below the last whole line is the last row.
            (Some(row), _) if row / line < last / line => (row + line).min(last),
            (Some(row), _) => row,
        };
        match mark {
            Some(Gesture::Alone) => {
                self.move_focus(table, state, row);
                done.selection_changed = true;
            }
            Some(mark) => self.apply(state, row, mark, done),
            None => self.move_to(state, row),
        }
        self.reveal(state, row, viewport);
    }

    /// Opens the menu of the focused row.
    fn menu_key(&self, table: &Ui, state: &mut TableState, viewport: &Viewport) {
        if let (true, Some(row)) = (self.menu.is_some(), state.focus)
            && menu_key(table.ctx())
        {
            self.reveal(state, row, viewport);
            state.menu = Some(row);
        }
    }

    fn gesture(&self, table: &Ui, state: &mut TableState, done: &mut TableResponse) {
        let pressed = |modifiers, key| table.input_mut(|input| input.consume_key(modifiers, key));
        if self.many && pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::A) {
            self.select_all(state, true, done);
        }
        if self.many && pressed(Modifiers::COMMAND, Key::A) {
            self.select_all(state, false, done);
        }
        // A menu or dialog above closes by the same key.
        let alone = !Popup::is_any_open(table.ctx()) && table.memory(|memory| memory.top_modal_layer().is_none());
        if alone && pressed(Modifiers::NONE, Key::Escape) {
            self.escape(state, done);
        }
        let Some(row) = state.focus else { return };
        if self.heads.is_some() && self.group_gesture(table, state, row, done) {
            return;
        }
        if pressed(Modifiers::NONE, Key::Enter) || pressed(Modifiers::NONE, Key::ArrowRight) {
            if self.is_open.is_some() && state.selection.count() <= 1 {
                self.apply(state, row, Gesture::Alone, &mut TableResponse::default());
                done.selection_changed = true;
            }
            done.opened = Some(row);
            state.opens_at = None;
            focus::enter_page(table.ctx());
        }
        // The focused row is selected already: Space keeps it so.
        let alone = state.selection.count() == 1 && state.selection.contains(self.number_of(row));
        if pressed(Modifiers::NONE, Key::Space) && !alone || pressed(Modifiers::COMMAND, Key::Space) {
            self.apply(state, row, Gesture::Toggle, done);
        }
    }
}

impl Table<'_> {
    /// Handles the keys that fold, unfold and select groups, and that go to the head of one; returns whether the focus is
    /// on a head.
    fn group_gesture(&self, table: &Ui, state: &mut TableState, row: usize, done: &mut TableResponse) -> bool {
        let pressed = |modifiers, key| table.input_mut(|input| input.consume_key(modifiers, key));
        let Some(head) = self.head(row) else {
            let goes = pressed(Modifiers::NONE, Key::ArrowLeft);
            if let Some(head) = goes.then(|| self.head_above(row)).flatten() {
                self.move_to(state, head);
                state.reveal = Some(head);
            }
            return false;
        };
        let arrow = if head.folded { Key::ArrowRight } else { Key::ArrowLeft };
        if pressed(Modifiers::NONE, Key::Enter) || pressed(Modifiers::NONE, arrow) {
            done.folded = Some(row);
        }
        if pressed(Modifiers::NONE, Key::Space) || pressed(Modifiers::COMMAND, Key::Space) {
            self.apply(state, row, Gesture::Toggle, done);
        }
        true
    }

    /// Clears one thing: the type-ahead text, then the selection, then what narrows the list.
    fn escape(&self, state: &mut TableState, done: &mut TableResponse) {
        if state.type_ahead.is_active() {
            state.type_ahead.cancel();
        } else if state.selection.count() > 1 {
            state.clear_selection();
            done.selection_changed = true;
        } else {
            done.escaped = true;
        }
    }
}

/// Moves the focus to the list of the panel with the down arrow, which moves within the list too.
pub fn enter_list_by_arrow(ctx: &Context) {
    focus::enter_list(ctx);
    ctx.data_mut(|data| data.insert_temp(arrow(), true));
}

/// Returns whether the list was entered with the down arrow since the last call.
fn take_arrow(ctx: &Context) -> bool {
    ctx.data_mut(|data| data.remove_temp(arrow())).unwrap_or(false)
}

fn arrow() -> Id {
    Id::unique("arrow into the list")
}

/// Returns how often a key was pressed with each combination of modifiers.
fn key_presses(table: &Ui, key: Key) -> [(Option<Gesture>, usize); 4] {
    // The most modifiers first: fewer would also match them.
    let gestures = [
        (Modifiers::COMMAND | Modifiers::SHIFT, Some(Gesture::RangeToo)),
        (Modifiers::COMMAND, None),
        (Modifiers::SHIFT, Some(Gesture::Range)),
        (Modifiers::NONE, Some(Gesture::Alone)),
    ];
    table.input_mut(|input| gestures.map(|(modifiers, mark)| (mark, input.count_and_consume_key(modifiers, key))))
}
