//! Finding words in the text of a preview: a field, a count, and the way from one match to the next.
//!
//! What must hold: a text of any size is searched off the window's thread; Enter goes to the next match, Shift+Enter to
//! the one before, Escape closes the bar and gives the keyboard back.

use egui::{Id, Key, Modifiers, Ui};

use crate::ui::theme::{Icon, SPACE_XS, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{CodeState, Matches};
use crate::ui::widgets::grouped;
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::text_field::TextField;

/// The bar, and what was found.
#[derive(Default)]
pub(super) struct FindBar {
    open: bool,
    /// Whether the field takes the keyboard as soon as it is drawn.
    fresh: bool,
    words: String,
    found: Background<Search, Matches>,
    /// What the match looked at belongs to.
    known: Option<Search>,
    /// The match that is looked at.
    at: usize,
}

/// What is searched, and for which words.
#[derive(Clone)]
struct Search {
    text: Highlighted,
    words: String,
}

impl PartialEq for Search {
    fn eq(&self, other: &Self) -> bool {
        self.text.is(&other.text) && self.words == other.words
    }
}

impl FindBar {
    /// Opens the bar with the keyboard in its field.
    pub(super) fn open(&mut self) {
        (self.open, self.fresh) = (true, true);
    }

    /// Closes the bar; the words stay for the next time.
    pub(super) fn close(&mut self) {
        self.open = false;
        self.found.cancel();
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// What was found in this text, and the match that is looked at; None while the bar is closed or searches.
    pub(super) fn found(&self, text: &Highlighted) -> Option<(&Matches, usize)> {
        let known = self.known.as_ref().filter(|known| self.open && known.text.is(text))?;
        Some((self.found.known(known)?, self.at))
    }

    /// Draws the bar over a text; scrolls to the match that is to be seen.
    pub(super) fn ui(&mut self, ui: &mut Ui, text: &Highlighted, code: &mut CodeState) {
        let field = Id::unique("find in the text");
        let step = self.keys(ui, field);
        let buttons = self.row_ui(ui, field, text);
        let key = Search { text: text.clone(), words: self.words.clone() };
        let work = {
            let Search { text, words } = key.clone();
            move |cancel| Matches::of(text.text(), &words, &cancel)
        };
        let Some(Ok(found)) = self.found.get_cancellable(ui.ctx(), &key, work) else { return };
        let fresh = self.known.as_ref() != Some(&key);
        if fresh {
            // Typing on stays near the match that was looked at.
            let near = self.known.take().filter(|known| known.text.is(text)).and(found.get(self.at));
            self.at = near.map_or(0, |range| found.from(range.start)).min(found.len().saturating_sub(1));
            self.known = Some(key);
        }
        let count = found.len();
        match step.or(buttons) {
            Some(Step::Next) if count > 0 => self.at = (self.at + 1) % count,
            Some(Step::Previous) if count > 0 => self.at = (self.at + count - 1) % count,
            _ if !fresh => return,
            _ => {}
        }
        if let Some(range) = found.get(self.at) {
            code.reveal(range.start);
            ui.ctx().request_repaint();
        }
    }

    /// Takes the keys of the field before it does.
    fn keys(&mut self, ui: &Ui, field: Id) -> Option<Step> {
        if !ui.memory(|memory| memory.has_focus(field)) {
            return None;
        }
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::NONE, Key::Escape) {
            ui.memory_mut(|memory| memory.surrender_focus(field));
            self.close();
        }
        if pressed(Modifiers::SHIFT, Key::Enter) {
            return Some(Step::Previous);
        }
        pressed(Modifiers::NONE, Key::Enter).then_some(Step::Next)
    }

    fn row_ui(&mut self, ui: &mut Ui, field: Id, text: &Highlighted) -> Option<Step> {
        ui.spacing_mut().item_spacing.x = SPACE_XS;
        let said = self.said(text);
        let none = self.found(text).is_none_or(|(found, _)| found.is_empty());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.icon_button_with(Icon::CLOSE, "Close find", "Close (Esc)").clicked() {
                self.close();
            }
            let mut step = None;
            ui.add_enabled_ui(!none, |ui| {
                if ui.icon_button_with(Icon::NEXT, "Next match", "Next match (Enter)").clicked() {
                    step = Some(Step::Next);
                }
                if ui.icon_button_with(Icon::PREVIOUS, "Previous match", "Previous match (Shift+Enter)").clicked() {
                    step = Some(Step::Previous);
                }
            });
            ui.caption(&said);
            let fresh = std::mem::take(&mut self.fresh);
            TextField::search("Find in the text")
                .id(field)
                .focus(fresh)
                .keeps_keys(true)
                .width(ui.available_width())
                .show(ui, &mut self.words);
            step
        })
        .inner
    }

    /// How many there are, and which is looked at.
    fn said(&self, text: &Highlighted) -> String {
        match self.found(text) {
            _ if self.words.is_empty() => String::new(),
            None => "Searching…".to_owned(),
            Some((found, _)) if found.is_empty() => "No matches".to_owned(),
            Some((found, at)) => {
                let more = if found.more() { "+" } else { "" };
                format!("{} of {}{more}", grouped(at as u64 + 1), grouped(found.len() as u64))
            }
        }
    }
}

/// Which match is wanted.
#[derive(Clone, Copy)]
enum Step {
    Next,
    Previous,
}
