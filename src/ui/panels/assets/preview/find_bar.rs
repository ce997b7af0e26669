//! The find bar of a preview: a field, the number of matches, and buttons for the next and the previous match.
//!
//! What must hold: texts are searched on another thread; Enter goes to the next match, Shift+Enter to the previous one,
//! Escape closes the bar and restores the focus.

use egui::{Id, Key, Modifiers, Ui};

use crate::ui::focus;
use crate::ui::theme::{Icon, SPACE_XS, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{CodeState, Matches};
use crate::ui::widgets::grouped;
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::text_field::TextField;
use lunette_client::model::id::AssetId;

/// The most characters that are searched for: searching a long text for long words takes too long.
const MAX_WORDS: usize = 1_000;

/// The bar, and what was found.
#[derive(Default)]
pub(super) struct FindBar {
    open: bool,
    /// Whether the field takes the focus as soon as it is drawn.
    fresh: bool,
    words: String,
    found: Background<Search, Matches>,
    /// The search that the current match belongs to.
    searched: Option<Search>,
    /// The current match.
    at: usize,
}

/// The text and the words to search for.
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
    /// Opens the bar and focuses its field.
    pub(super) fn open(&mut self) {
        (self.open, self.fresh) = (true, true);
    }

    /// Closes the bar; the words are kept for the next time.
    pub(super) fn close(&mut self) {
        self.open = false;
        self.found.cancel();
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Returns the matches in this text and the current one; `None` while the bar is closed or searching.
    pub(super) fn found(&self, text: &Highlighted) -> Option<(&Matches, usize)> {
        let searched = self.searched.as_ref().filter(|searched| self.open && searched.text.is(text))?;
        Some((self.found.known(searched)?, self.at))
    }

    /// Draws the bar above a text; scrolls to the current match.
    pub(super) fn ui(&mut self, ui: &mut Ui, of: &AssetId, text: &Highlighted, code: &mut CodeState) {
        let field = Id::unique(("find in the text", of.as_str()));
        let step = self.keys(ui, field);
        let buttons = self.bar_ui(ui, field, text);
        let key = Search { text: text.clone(), words: self.words.clone() };
        let work = {
            let Search { text, words } = key.clone();
            move |cancel| Matches::of(text.text(), &words, &cancel)
        };
        let Some(Ok(found)) = self.found.get_cancellable(ui.ctx(), &key, work) else { return };
        let fresh = self.searched.as_ref() != Some(&key);
        if fresh {
            // Continuing to type stays near the current match.
            let near = self.searched.take().filter(|searched| searched.text.is(text)).and(found.get(self.at));
            self.at = near.map_or(0, |range| found.from(range.start)).min(found.len().saturating_sub(1));
            self.searched = Some(key);
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
        if !focus::receives_keys(ui.ctx(), field) {
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

    fn bar_ui(&mut self, ui: &mut Ui, field: Id, text: &Highlighted) -> Option<Step> {
        ui.spacing_mut().item_spacing.x = SPACE_XS;
        let match_count_text = self.match_count_text(text);
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
            ui.caption(&match_count_text);
            let fresh = std::mem::take(&mut self.fresh);
            TextField::search("Find in the text")
                .limit(MAX_WORDS)
                .id(field)
                .focus(fresh)
                .keep_tab_and_escape(true)
                .width(ui.available_width())
                .show(ui, &mut self.words);
            step
        })
        .inner
    }

    /// Returns the number of matches and the current one, as text.
    fn match_count_text(&self, text: &Highlighted) -> String {
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

/// A step to another match.
#[derive(Clone, Copy)]
enum Step {
    Next,
    Previous,
}
