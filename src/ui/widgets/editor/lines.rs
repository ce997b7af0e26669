//! What keys do to whole lines: shift, comment, move, duplicate; and the bracket that matches another.

use std::ops::Range;

use lunette_syntax::BRACKETS;

use super::buffer::Change;
use super::document::{Document, Indent, Selection};
use super::history::StepKind;
use super::typing::indentation;

/// How far a matching bracket is looked for, in bytes.
const MAX_SEARCHED: usize = 100_000;

impl Document {
    /// Returns the lines of the selection. One that ends at the beginning of a line does not include it.
    pub(super) fn selected_lines(&self) -> Range<usize> {
        let range = self.selection.range();
        let (first, last) = (self.buffer.line_at(range.start), self.buffer.line_at(range.end));
        let ends_before = last > first && self.buffer.line_bytes(last).start == range.end;
        first..if ends_before { last } else { last + 1 }
    }

    /// Indents the selected lines by one level, or takes one level away.
    pub fn shift_lines(&mut self, right: bool) {
        let level = self.indent.text();
        let mut changes = Vec::new();
        for line in self.selected_lines() {
            let (start, text) = (self.buffer.line_bytes(line).start, self.buffer.line(line));
            if right {
                if !text.is_empty() {
                    changes.push(Change { at: start, removed: String::new(), inserted: level.clone() });
                }
                continue;
            }
            let most = if let Indent::Spaces(count) = self.indent { count } else { 4 };
            let spaces = text.bytes().take(most).take_while(|byte| *byte == b' ').count();
            let end = if text.starts_with('\t') { 1 } else { spaces };
            changes.push(self.replacement(start..start + end, ""));
        }
        self.change_lines(changes);
    }

    /// Makes the selected lines a comment, or takes the comment away; the block form is used where the language has no
    /// other. Returns whether the language has comments.
    pub fn toggle_comment(&mut self) -> bool {
        if let Some(mark) = self.editing.line_comment {
            self.toggle_line_comment(mark);
            return true;
        }
        let Some((open, close)) = self.editing.block_comment else { return false };
        let lines = self.selected_lines();
        let start = self.buffer.line_bytes(lines.start).start + indentation(self.buffer.line(lines.start)).len();
        let end = self.buffer.line_bytes(lines.end - 1).end;
        let text = self.buffer.slice(start..end.max(start));
        let inner = text.strip_prefix(open).and_then(|text| text.trim_end().strip_suffix(close));
        let changed = match inner {
            Some(inner) => inner.strip_prefix(' ').unwrap_or(inner).strip_suffix(' ').unwrap_or(inner).to_owned(),
            None => format!("{open} {text} {close}"),
        };
        let after = Selection { anchor: start, head: start + changed.len() };
        let change = self.replacement(start..end.max(start), changed);
        self.closers.clear();
        self.change(StepKind::Other, vec![change], after);
        true
    }

    fn toggle_line_comment(&mut self, mark: &str) {
        let filled = |line: &usize| !self.buffer.line(*line).trim().is_empty();
        let lines: Vec<usize> = self.selected_lines().filter(filled).collect();
        let mark = mark.trim_end();
        let commented = |line: &usize| self.buffer.line(*line).trim_start().starts_with(mark);
        let remove = !lines.is_empty() && lines.iter().all(commented);
        let column = lines.iter().map(|line| indentation(self.buffer.line(*line)).len()).min().unwrap_or_default();
        let change = |line: &usize| {
            let (start, text) = (self.buffer.line_bytes(*line).start, self.buffer.line(*line));
            if !remove {
                return Change { at: start + column, removed: String::new(), inserted: format!("{mark} ") };
            }
            let at = indentation(text).len();
            let space = usize::from(text[at + mark.len()..].starts_with(' '));
            self.replacement(start + at..start + at + mark.len() + space, "")
        };
        let changes = lines.iter().map(change).collect();
        self.change_lines(changes);
    }

    /// Changes lines, and keeps the selection on the text that it was on.
    fn change_lines(&mut self, changes: Vec<Change>) {
        let moved = |byte: usize| {
            let (mut added, mut gone) = (0, 0);
            for change in changes.iter().take_while(|change| change.at <= byte) {
                added += change.inserted.len();
                gone += change.removed.len().min(byte - change.at);
            }
            byte + added - gone
        };
        let Selection { anchor, head } = self.selection;
        let mut after = Selection { anchor: moved(anchor), head: moved(head) };
        // A selection of whole lines stays one.
        let first = self.buffer.line_bytes(self.selected_lines().start).start;
        if !self.selection.is_empty() && self.selection.range().start == first {
            let start = if anchor < head { &mut after.anchor } else { &mut after.head };
            *start = first;
        }
        self.closers.clear();
        self.change(StepKind::Other, changes, after);
    }

    /// Moves the selected lines up or down by one line.
    pub fn move_lines(&mut self, down: bool) {
        let lines = self.selected_lines();
        if if down { lines.end >= self.buffer.line_count() } else { lines.start == 0 } {
            return;
        }
        let neighbour = if down { lines.end } else { lines.start - 1 };
        let (first, last) = (lines.start.min(neighbour), (lines.end - 1).max(neighbour));
        let range = self.buffer.line_bytes(first).start..self.buffer.line_bytes(last).end;
        let own = self.buffer.line_bytes(lines.start).start..self.buffer.line_bytes(lines.end - 1).end;
        let (own_text, other) = (self.buffer.slice(own), self.buffer.line(neighbour));
        let text = if down { format!("{other}\n{own_text}") } else { format!("{own_text}\n{other}") };
        let by = other.len() + 1;
        let moved = |byte: usize| if down { byte + by } else { byte - by };
        let Selection { anchor, head } = self.selection;
        let most = range.end;
        let after = Selection { anchor: moved(anchor).min(most), head: moved(head).min(most) };
        let change = self.replacement(range, text);
        self.closers.clear();
        self.change(StepKind::Other, vec![change], after);
    }

    /// Copies the selected lines below themselves; the selection goes with the copy if `down`.
    pub fn duplicate_lines(&mut self, down: bool) {
        let lines = self.selected_lines();
        let range = self.buffer.line_bytes(lines.start).start..self.buffer.line_bytes(lines.end - 1).end;
        let text = format!("\n{}", self.buffer.slice(range.clone()));
        let by = if down { text.len() } else { 0 };
        let Selection { anchor, head } = self.selection;
        let after = Selection { anchor: anchor + by, head: head + by };
        let change = Change { at: range.end, removed: String::new(), inserted: text };
        self.closers.clear();
        self.change(StepKind::Other, vec![change], after);
    }

    /// Returns the bracket at the caret and the one that matches it, as the byte of each.
    pub fn matching_brackets(&self) -> Option<(usize, usize)> {
        let at = self.selection.head;
        let before = self.text()[..at].chars().next_back().map(|c| (at - c.len_utf8(), c));
        let after = self.text()[at..].chars().next().map(|c| (at, c));
        [after, before].into_iter().flatten().find_map(|(at, c)| {
            let (open, close) = BRACKETS.iter().find(|(open, close)| *open == c || *close == c)?;
            let other = if *open == c { self.close_after(at, (*open, *close)) } else { self.open_before(at, c) };
            other.map(|other| (at, other))
        })
    }

    fn close_after(&self, at: usize, (open, close): (char, char)) -> Option<usize> {
        let mut depth = 0_usize;
        let end = self.buffer.clamp(at.saturating_add(MAX_SEARCHED));
        for (offset, c) in self.buffer.slice(at..end).char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + offset);
                }
            }
        }
        None
    }

    /// Returns the bracket before a byte that this one closes.
    pub(super) fn open_before(&self, at: usize, close: char) -> Option<usize> {
        let (open, close) = BRACKETS.iter().find(|(_, last)| *last == close)?;
        let start = self.buffer.clamp(at.saturating_sub(MAX_SEARCHED));
        let mut depth = 0_usize;
        for (offset, c) in self.buffer.slice(start..at).char_indices().rev() {
            if c == *close {
                depth += 1;
            } else if c == *open {
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return Some(start + offset),
                }
            }
        }
        None
    }
}
