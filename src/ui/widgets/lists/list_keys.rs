//! The keyboard of a list under one focus: arrows, Page Up and Down, Home and End, type-ahead, Enter, Escape.

use crate::ui::focus;
use crate::ui::widgets::list::{DrawnList, ListState};
use crate::ui::widgets::type_ahead::TypeAhead;
use egui::{EventFilter, Key, Modifiers};
use std::borrow::Cow;

/// The state of the keyboard.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::ui) struct ListKeys {
    type_ahead: TypeAhead,
    /// Whether Escape leaves the list, as everywhere on a page, instead of being [`ListMove::Back`].
    escapes: bool,
}

/// What the keyboard did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum ListMove {
    /// Moved to this line.
    To(usize),
    /// Enter or Space was pressed on the line.
    Open,
    /// The right arrow: expand the line.
    Expand,
    /// The left arrow: collapse it.
    Collapse,
    /// Escape: clear what narrows the list.
    Back,
}

impl ListKeys {
    /// The keys of a list on a page, which Escape leaves.
    pub fn in_page() -> Self {
        Self { escapes: true, ..Self::default() }
    }

    /// Handles the keys pressed while the list has the focus, and moves `line`; `name` is what type-ahead matches.
    pub fn handle<'n>(
        &mut self,
        drawn: &DrawnList,
        state: &mut ListState,
        line: &mut usize,
        name: &dyn Fn(usize) -> Cow<'n, str>,
    ) -> Option<ListMove> {
        let DrawnList { ui, response, viewport, .. } = drawn;
        if response.clicked() {
            response.request_focus();
        }
        let last = viewport.rows.checked_sub(1).filter(|_| focus::receives_keys(ui.ctx(), response.id))?;
        let escape = !self.escapes || self.type_ahead.is_active();
        let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, escape, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let before = *line;
        if let Some(found) = self.type_ahead.step(ui, Some(before), viewport.rows, name) {
            *line = found;
        }
        let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let page = (viewport.page() as usize).max(2) - 1;
        *line = (*line + pressed(Key::ArrowDown) + page * pressed(Key::PageDown)).min(last);
        *line = line.saturating_sub(pressed(Key::ArrowUp) + page * pressed(Key::PageUp));
        if pressed(Key::Home) > 0 {
            *line = 0;
        }
        if pressed(Key::End) > 0 {
            *line = last;
        }
        if *line != before {
            state.scroll.reveal(*line, viewport);
            return Some(ListMove::To(*line));
        }
        let keys = [
            (Key::Enter, ListMove::Open),
            (Key::Space, ListMove::Open),
            (Key::ArrowRight, ListMove::Expand),
            (Key::ArrowLeft, ListMove::Collapse),
            (Key::Escape, ListMove::Back),
        ];
        let went = keys.into_iter().find(|(key, _)| pressed(*key) > 0).map(|(_, went)| went);
        if went == Some(ListMove::Back) && self.type_ahead.is_active() {
            self.type_ahead.cancel();
            return None;
        }
        went
    }

    /// Draws the type-ahead text over the list.
    pub fn show(&self, drawn: &DrawnList) {
        self.type_ahead.show(&drawn.ui, drawn.viewport.rect);
    }
}
