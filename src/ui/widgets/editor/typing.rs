//! What keys do to a text: characters with their closing ones, new lines, indentation.

use lunette_syntax::BRACKETS;

use super::buffer::Change;
use super::document::{Document, Indent, Selection};
use super::history::StepKind;
use super::words;

impl Document {
    /// Types text at the caret. A bracket or quote is closed, surrounds a selection, or types over the one that closes
    /// it.
    pub fn type_text(&mut self, text: &str) {
        let mut characters = text.chars();
        let (Some(c), None) = (characters.next(), characters.next()) else {
            self.closers.clear();
            self.replace_selection(StepKind::Typing, text);
            return;
        };
        if self.types_over(c) || self.surrounds(c) || self.closes(c) {
            return;
        }
        self.dedent_before(c);
        self.type_plain(c);
    }

    /// Types a character and moves the closing ones behind it.
    fn type_plain(&mut self, c: char) {
        let kind = if self.selection.is_empty() { StepKind::Typing } else { StepKind::Other };
        let (from, removed) = (self.selection.range().start, self.selection.range().len());
        let mut text = [0; 4];
        let text = &*c.encode_utf8(&mut text);
        if self.replace_selection(kind, text) {
            self.closers.retain(|at| *at >= from + removed);
            self.closers.iter_mut().for_each(|at| *at = *at - removed + text.len());
        }
    }

    /// Moves over a closing character that was added by itself; returns whether it did.
    fn types_over(&mut self, c: char) -> bool {
        let at = self.selection.head;
        let is_next = self.selection.is_empty() && self.closers.contains(&at) && self.text()[at..].starts_with(c);
        if is_next {
            self.closers.retain(|closer| *closer != at);
            self.selection = Selection::caret(at + c.len_utf8());
        }
        is_next
    }

    /// Puts a bracket or quote on both sides of the selection; returns whether it did.
    fn surrounds(&mut self, c: char) -> bool {
        let Some(close) = self.editing.closing(c).filter(|_| !self.selection.is_empty()) else { return false };
        let range = self.selection.range();
        let open = Change { at: range.start, removed: String::new(), inserted: c.into() };
        let close = Change { at: range.end, removed: String::new(), inserted: close.into() };
        let move_by = c.len_utf8();
        let Selection { anchor, head } = self.selection;
        self.closers.clear();
        let after = Selection { anchor: anchor + move_by, head: head + move_by };
        self.change(StepKind::Other, vec![open, close], after)
    }

    /// Adds the character that closes this one, where no text follows; returns whether it did.
    fn closes(&mut self, c: char) -> bool {
        let Some(close) = self.editing.closing(c) else { return false };
        let at = self.selection.head;
        let before = self.text()[..at].chars().next_back();
        let after = self.text()[at..].chars().next();
        let free = after.is_none_or(|after| after.is_whitespace() || ")]},;:>".contains(after));
        // In a word, a quote is an apostrophe; after itself it ends a text or begins a longer quote.
        let ends = c == close && before.is_some_and(|before| words::is_word(before) || before == c || before == '\\');
        if !free || ends {
            return false;
        }
        let pair = Change { at, removed: String::new(), inserted: [c, close].iter().collect() };
        let (inside, added) = (at + c.len_utf8(), c.len_utf8() + close.len_utf8());
        if !self.change(StepKind::Other, vec![pair], Selection::caret(inside)) {
            return false;
        }
        self.closers.iter_mut().filter(|closer| **closer >= at).for_each(|closer| *closer += added);
        self.closers.push(inside);
        true
    }

    /// Moves a closing bracket that begins its line one level to the left.
    fn dedent_before(&mut self, c: char) {
        let closes = BRACKETS.iter().any(|(_, close)| *close == c);
        if !closes || !self.selection.is_empty() {
            return;
        }
        let (line, at) = (self.buffer.line_at(self.selection.head), self.selection.head);
        let start = self.buffer.line_bytes(line).start;
        let before = self.buffer.slice(start..at);
        let Some(open) = self.open_before(start, c).filter(|_| !before.is_empty() && before.trim().is_empty()) else {
            return;
        };
        let wanted = indentation(self.buffer.line(self.buffer.line_at(open))).to_owned();
        let after = Selection::caret(start + wanted.len());
        let change = self.replacement(start..at, wanted);
        self.change(StepKind::Other, vec![change], after);
    }

    /// Begins a line with the indentation of this one, one level more after an opening bracket.
    pub fn new_line(&mut self) {
        let range = self.selection.range();
        let line = self.buffer.line_bytes(self.buffer.line_at(range.start));
        let before = self.buffer.slice(line.start..range.start);
        let indent = indentation(before).to_owned();
        let opened = before.trim_end().chars().next_back().filter(|c| BRACKETS.iter().any(|(open, _)| open == c));
        let next = self.text()[range.end..].chars().next();
        let between = opened.is_some_and(|open| next.is_some() && next == self.editing.closing(open));
        let mut text = format!("\n{indent}");
        if opened.is_some() {
            text.push_str(&self.indent.text());
        }
        let caret = Selection::caret(range.start + text.len());
        if between {
            text.push('\n');
            text.push_str(&indent);
        }
        self.closers.clear();
        let change = self.replacement(range, text);
        self.change(StepKind::Other, vec![change], caret);
    }

    /// Deletes the character before the caret: an empty pair as a whole, spaces of indentation to the next level.
    pub fn backspace(&mut self) {
        let at = self.selection.head;
        let pair = self.selection.is_empty()
            && self.closers.contains(&at)
            && at > 0
            && self.text()[..at].chars().next_back().and_then(|open| self.editing.closing(open))
                == self.text()[at..].chars().next();
        if pair {
            let range = words::previous(self.text(), at)..words::next(self.text(), at);
            let after = Selection::caret(range.start);
            let change = self.replacement(range, "");
            self.closers.clear();
            self.change(StepKind::Other, vec![change], after);
            return;
        }
        let indent = self.indent;
        self.delete(|text, at| {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let spaces = &text[line..at];
            match indent {
                Indent::Spaces(count) if !spaces.is_empty() && spaces.bytes().all(|byte| byte == b' ') => {
                    line + (spaces.len() - 1) / count.max(1) * count.max(1)
                }
                _ => words::previous(text, at),
            }
        });
    }

    /// Types a tab, or spaces to the next level; several selected lines are indented.
    pub fn tab(&mut self) {
        if self.selected().contains('\n') {
            self.shift_lines(true);
            return;
        }
        let text = match self.indent {
            Indent::Tab => "\t".to_owned(),
            Indent::Spaces(count) => {
                let line = self.buffer.line_bytes(self.buffer.line_at(self.selection.range().start));
                let column = words::columns(self.buffer.slice(line.start..self.selection.range().start));
                " ".repeat(count - column % count)
            }
        };
        self.closers.clear();
        self.replace_selection(StepKind::Other, &text);
    }
}

/// Returns the spaces and tabs that a line begins with.
pub(super) fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
