//! The keyboard of a list that stands under one focus: arrows, pages, ends, letters, Enter, Escape.

use super::list::{Drawn, ListState};
use super::type_ahead::TypeAhead;
use egui::{EventFilter, Key, Modifiers};
use std::borrow::Cow;

/// What a list remembers of its keyboard.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::ui) struct ListKeys {
    type_ahead: TypeAhead,
}

/// What the keyboard did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Went {
    /// It went to this line.
    To(usize),
    /// Enter or Space was pressed on the line.
    Open,
    /// The right arrow: into the line.
    In,
    /// The left arrow: out of it.
    Out,
    /// Escape: what the list is narrowed by is to go.
    Back,
}

impl ListKeys {
    /// Takes the keys pressed while the list has the focus, and moves `line`; `name` is what is typed to jump to a line.
    pub fn take<'n>(
        &mut self,
        drawn: &Drawn,
        state: &mut ListState,
        line: &mut usize,
        name: &dyn Fn(usize) -> Cow<'n, str>,
    ) -> Option<Went> {
        let Drawn { ui, response, viewport } = drawn;
        if response.clicked() {
            response.request_focus();
        }
        let last = viewport.rows.checked_sub(1).filter(|_| response.has_focus())?;
        let filter =
            EventFilter { vertical_arrows: true, horizontal_arrows: true, escape: true, ..EventFilter::default() };
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
            return Some(Went::To(*line));
        }
        let keys = [
            (Key::Enter, Went::Open),
            (Key::Space, Went::Open),
            (Key::ArrowRight, Went::In),
            (Key::ArrowLeft, Went::Out),
            (Key::Escape, Went::Back),
        ];
        let went = keys.into_iter().find(|(key, _)| pressed(*key) > 0).map(|(_, went)| went);
        if went == Some(Went::Back) && self.type_ahead.under_way() {
            self.type_ahead.cancel();
            return None;
        }
        went
    }

    /// Draws what is being typed, over the list.
    pub fn show(&self, drawn: &Drawn) {
        self.type_ahead.show(&drawn.ui, drawn.viewport.rect);
    }
}
