//! Type-ahead: jumps to a row by typing the beginning of its name, while a list has the focus.
//!
//! What must hold: no frame scans more than [`STEP`] rows, however many there are; `/` and `?` are never taken, as they
//! are commands; Space belongs to the text only once it was begun. Case and accents are ignored.

use crate::ui::theme::{SPACE_S, Tokens};
use egui::{Align2, Context, Event, FontId, InputState, Key, Modifiers, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use lunette_client::model::search_terms::Folded;
use std::borrow::Cow;
use std::time::Duration;

/// Number of rows scanned in one frame: about 2 ms.
const STEP: usize = 20_000;
/// After this time without a letter, in seconds, a new text begins.
const PAUSE: f64 = 1.0;
/// Maximum length of the text.
const MAX_LENGTH: usize = 60;

/// The typed text, and the progress of its search.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::ui::widgets) struct TypeAhead {
    typed: String,
    /// What was typed before the list was there.
    waiting: String,
    /// When the last letter was typed, in seconds of the window's clock.
    at: f64,
    search: Option<Search>,
    missed: bool,
}

/// The rows still to be scanned.
#[derive(Clone, Debug, PartialEq)]
struct Search {
    next: usize,
    left: usize,
}

/// Takes what was typed in this frame out of the input if no field and no dialog has the keyboard; `None` if nothing was.
pub(in crate::ui) fn text_for_list(ctx: &Context) -> Option<String> {
    if ctx.text_edit_focused() || ctx.memory(|memory| memory.top_modal_layer().is_some()) {
        return None;
    }
    let mut typed = String::new();
    ctx.input_mut(|input| take_letters(input, &mut typed));
    Some(typed).filter(|typed| !typed.is_empty())
}

/// Moves the letters of the input to the end of a text.
fn take_letters(input: &mut InputState, typed: &mut String) {
    input.events.retain(|event| match event {
        Event::Text(text) if is_name_text(text) => {
            typed.push_str(text);
            false
        }
        _ => true,
    });
}

impl TypeAhead {
    /// Takes the letters typed in this frame, and scans some more rows; returns the row whose name begins with the
    /// text.
    ///
    /// It starts after the row `from` and wraps around. Repeating a letter goes to the next row that begins with it.
    pub fn step<'n>(
        &mut self,
        ui: &Ui,
        from: Option<usize>,
        rows: usize,
        name: &dyn Fn(usize) -> Cow<'n, str>,
    ) -> Option<usize> {
        let now = ui.input(|input| input.time);
        let waiting = std::mem::take(&mut self.waiting);
        if now - self.at > PAUSE && self.search.is_none() {
            self.cancel();
        }
        self.typed.push_str(&waiting);
        if self.consume_letters(ui) || !waiting.is_empty() {
            self.at = now;
            self.missed = false;
            let skip = usize::from(self.repeats_letter() || self.typed.chars().count() == 1);
            let next = from.map_or(0, |from| from + skip);
            self.search = Some(Search { next, left: rows });
        }
        if !self.typed.is_empty() {
            ui.ctx().request_repaint_after(Duration::from_secs_f64(PAUSE + 0.05));
        }
        self.scan(ui, rows, name)
    }

    /// Takes a text that was typed before the list was there.
    pub fn feed(&mut self, text: &str) {
        self.waiting.push_str(text);
    }

    /// Returns whether there is a text that was typed before the list was there.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns whether a text is being typed.
    pub fn is_active(&self) -> bool {
        !self.typed.is_empty()
    }

    /// Clears the text.
    pub fn cancel(&mut self) {
        *self = Self::default();
    }

    /// Draws the text over the lower left corner of the list.
    pub fn show(&self, ui: &Ui, list: Rect) {
        if self.typed.is_empty() {
            return;
        }
        let t = Tokens::of(ui);
        let words = if self.missed { format!("No name begins with “{}”", self.typed) } else { self.typed.clone() };
        let galley = ui.painter().layout_no_wrap(words, FontId::proportional(13.0), t.text);
        let size = galley.size() + vec2(SPACE_S * 2.0, SPACE_S);
        let rect = Rect::from_min_size(list.left_bottom() + vec2(SPACE_S, -SPACE_S - size.y), size);
        ui.painter().rect(rect, 4.0, t.raised, Stroke::new(1.0, t.accent), StrokeKind::Inside);
        let at = Align2::LEFT_CENTER.anchor_size(pos2(rect.left() + SPACE_S, rect.center().y), galley.size());
        ui.painter().galley(at.min, galley, t.text);
    }

    /// Takes letters out of the input; returns whether there were any.
    fn consume_letters(&mut self, ui: &Ui) -> bool {
        let before = self.typed.len();
        ui.input_mut(|input| {
            take_letters(input, &mut self.typed);
            // A space arrives as a key too, which would select a row.
            if self.is_active() && input.consume_key(Modifiers::NONE, Key::Space) {
                self.typed.push(' ');
            }
        });
        if let Some((end, _)) = self.typed.char_indices().nth(MAX_LENGTH) {
            self.typed.truncate(end);
        }
        self.typed.len() != before
    }

    /// Returns whether a single letter was repeated.
    fn repeats_letter(&self) -> bool {
        let mut letters = self.typed.chars();
        let first = letters.next();
        letters.clone().next().is_some() && letters.all(|letter| Some(letter) == first)
    }

    fn scan<'n>(&mut self, ui: &Ui, rows: usize, name: &dyn Fn(usize) -> Cow<'n, str>) -> Option<usize> {
        let repeats_letter = self.repeats_letter();
        let search = self.search.as_mut()?;
        let wanted = match self.typed.chars().next() {
            Some(first) if repeats_letter => Folded::of(first.encode_utf8(&mut [0; 4])).into_text(),
            _ => Folded::of(&self.typed).into_text(),
        };
        for _ in 0..search.left.min(rows).min(STEP) {
            let row = search.next % rows;
            if matches_beginning(&name(row), &wanted) {
                self.search = None;
                return Some(row);
            }
            search.next = row + 1;
            search.left -= 1;
        }
        if search.left == 0 || rows == 0 {
            self.search = None;
            self.missed = true;
        }
        // There is more to scan, or a text to show.
        ui.ctx().request_repaint();
        None
    }
}

/// Returns whether this text can be part of a name; other text is a command.
fn is_name_text(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|letter| letter.is_control() || matches!(letter, '/' | '?' | ' '))
}

/// Returns whether a name begins with the typed text, which is already folded.
fn matches_beginning(name: &str, wanted: &str) -> bool {
    let name = name.trim_start();
    // An accent can be a character of its own.
    let most = wanted.chars().count() * 2 + 4;
    let end = name.char_indices().nth(most).map_or(name.len(), |(end, _)| end);
    match name.as_bytes().first() {
        Some(first)
            if first.is_ascii()
                && wanted.is_ascii()
                && !wanted.as_bytes().first().is_some_and(|letter| first.eq_ignore_ascii_case(letter)) =>
        {
            false
        }
        None => false,
        Some(_) => Folded::of(&name[..end]).as_str().starts_with(wanted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_do_not_matter_at_the_beginning_of_a_name() {
        assert!(
            matches_beginning("Élan.md", "elan")
                && matches_beginning("  word_count.py", "wor")
                && matches_beginning("词典", "词")
        );
        assert!(!matches_beginning("moon.png", "oon") && !matches_beginning("", "a") && !matches_beginning("b", "bc"));
    }

    /// Types letters over `rows` rows; returns where they led and how many frames that took.
    fn typed(rows: usize, text: &str) -> (Option<usize>, usize) {
        let ctx = egui::Context::default();
        let mut state = TypeAhead::default();
        let mut events = vec![Event::Text(text.to_owned())];
        let (mut found, mut frames) = (None, 0);
        while frames == 0 || state.search.is_some() {
            let input = egui::RawInput { events: std::mem::take(&mut events), ..egui::RawInput::default() };
            let name = |row: usize| Cow::Owned(format!("{row:07}"));
            let mut draw = |ui: &mut Ui| found = found.or(state.step(ui, Some(0), rows, &name));
            ctx.run_ui(input, &mut draw).textures_delta.clear();
            frames += 1;
        }
        (found, frames)
    }

    #[test]
    fn a_million_rows_are_searched_over_many_frames() {
        let (found, frames) = typed(1_000_000, "0999999");
        assert_eq!(found, Some(999_999));
        assert!(frames >= 50, "{frames}");
    }

    #[test]
    fn letters_of_commands_are_left_to_them() {
        assert_eq!(typed(10, "/"), (None, 1));
        assert_eq!(typed(10, "?"), (None, 1));
        assert_eq!(typed(10, "0000003"), (Some(3), 1));
    }
}
