//! A text being edited: the text, what is selected in it, and the steps that can be undone.
//!
//! What must hold: the text differs from the one before only by recorded steps, so that undoing all of them restores
//! it; the selection lies on boundaries of characters.

use std::ops::Range;

use lunette_syntax::{Editing, Syntax};

use super::buffer::{Buffer, Change, ChangedLines};
use super::history::{History, Step, StepKind};
use super::words;

/// What is selected: from the anchor to the head, where the caret is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Where the selection began, in bytes.
    pub anchor: usize,
    /// Where the caret is, in bytes.
    pub head: usize,
}

impl Selection {
    /// A caret with nothing selected.
    pub fn caret(at: usize) -> Self {
        Self { anchor: at, head: at }
    }

    /// Returns the selected bytes.
    pub fn range(self) -> Range<usize> {
        self.anchor.min(self.head)..self.anchor.max(self.head)
    }

    /// Returns whether nothing is selected.
    pub fn is_empty(self) -> bool {
        self.anchor == self.head
    }
}

/// What one level of indentation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// A tab.
    Tab,
    /// So many spaces.
    Spaces(usize),
}

impl Indent {
    /// Returns the indentation that most lines of a text use; tabs if none is indented.
    fn of(text: &str) -> Self {
        let (mut tabs, mut spaces, mut least) = (0_usize, 0_usize, usize::MAX);
        for line in text.lines().take(2_000) {
            let width = line.len() - line.trim_start_matches(' ').len();
            if line.starts_with('\t') {
                tabs += 1;
            } else if width > 1 && width < line.len() {
                spaces += 1;
                least = least.min(width);
            }
        }
        if spaces > tabs { Self::Spaces(least.min(8)) } else { Self::Tab }
    }

    /// Returns the text of one level.
    pub fn text(self) -> String {
        match self {
            Self::Tab => "\t".to_owned(),
            Self::Spaces(count) => " ".repeat(count),
        }
    }
}

/// A text being edited.
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) buffer: Buffer,
    pub(super) selection: Selection,
    pub(super) editing: Editing,
    pub(super) indent: Indent,
    history: History,
    /// When keys come, in seconds.
    time: f64,
    revision: u64,
    /// The lines changed since they were taken last.
    changed: Vec<ChangedLines>,
    /// The closing characters that were added by themselves, and are typed over: where each is.
    pub(super) closers: Vec<usize>,
}

impl Document {
    /// A text in a language, with the caret at its beginning.
    pub fn new(text: String, syntax: Option<Syntax>) -> Self {
        let (indent, editing) = (Indent::of(&text), Editing::of(syntax));
        let (selection, history) = Default::default();
        let (changed, closers) = Default::default();
        let buffer = Buffer::new(text);
        Self { buffer, selection, editing, indent, history, time: 0.0, revision: 0, changed, closers }
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        self.buffer.text()
    }

    /// Returns the text and its lines.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Returns what is selected.
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Returns the selected text.
    pub fn selected(&self) -> &str {
        self.buffer.slice(self.selection.range())
    }

    /// Returns a number that is another one after each change of the text.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Sets the time of the keys that follow, in seconds: a pause begins another step.
    pub fn set_time(&mut self, time: f64) {
        self.time = time;
    }

    /// Returns the lines changed since the last call, in order.
    pub fn take_changed(&mut self) -> Vec<ChangedLines> {
        std::mem::take(&mut self.changed)
    }

    /// Selects bytes; positions are moved to boundaries of characters.
    pub fn select(&mut self, selection: Selection) {
        let Selection { anchor, head } = selection;
        let selection = Selection { anchor: self.buffer.clamp(anchor), head: self.buffer.clamp(head) };
        if selection != self.selection {
            self.history.close();
            self.closers.clear();
        }
        self.selection = selection;
    }

    /// Moves the caret; extends the selection if `extends`.
    pub fn move_to(&mut self, byte: usize, extends: bool) {
        let anchor = if extends { self.selection.anchor } else { byte };
        self.select(Selection { anchor, head: byte });
    }

    /// Replaces ranges, in ascending order, in one step; `after` is the selection then. Returns whether it was done.
    pub(super) fn change(&mut self, kind: StepKind, changes: Vec<Change>, after: Selection) -> bool {
        let changes: Vec<Change> = changes.into_iter().filter(|change| change.removed != change.inserted).collect();
        let before = self.selection;
        if !changes.is_empty() {
            let Some(lines) = self.buffer.apply(&changes) else { return false };
            self.changed.push(lines);
            self.revision += 1;
            self.history.push(Step::new(kind, changes, (before, after), self.time));
        }
        self.selection = after;
        true
    }

    /// Returns the change that replaces a range.
    pub(super) fn replacement(&self, range: Range<usize>, inserted: impl Into<String>) -> Change {
        Change { at: range.start, removed: self.buffer.slice(range).to_owned(), inserted: inserted.into() }
    }

    /// Replaces the selection, and leaves the caret after it.
    pub(super) fn replace_selection(&mut self, kind: StepKind, text: &str) -> bool {
        let range = self.selection.range();
        let after = Selection::caret(range.start + text.len());
        let change = self.replacement(range, text);
        self.change(kind, vec![change], after)
    }

    /// Inserts text as it is, for example from the clipboard; its line breaks become those of the text.
    pub fn insert(&mut self, text: &str) {
        self.closers.clear();
        self.replace_selection(StepKind::Other, &text.replace("\r\n", "\n"));
    }

    /// Replaces the whole text in one step; the caret stays where it is, as far as the text reaches.
    pub fn set_text(&mut self, text: &str) {
        let change = self.replacement(0..self.buffer.end(), text);
        let at = text.floor_char_boundary(self.selection.head);
        self.closers.clear();
        self.change(StepKind::Other, vec![change], Selection::caret(at));
    }

    /// Replaces these ranges, in ascending order and without overlap, in one step.
    pub fn replace_all(&mut self, replaced: Vec<(Range<usize>, String)>) {
        self.closers.clear();
        let head = self.selection.head;
        let (mut at, mut added, mut gone) = (head, 0, 0);
        let mut changes = Vec::with_capacity(replaced.len());
        for (range, text) in replaced {
            if range.end <= head {
                (added, gone) = (added + text.len(), gone + range.len());
                at = head + added - gone;
            } else if range.start < head {
                at = range.start + added - gone;
            }
            changes.push(self.replacement(range, text));
        }
        self.change(StepKind::Other, changes, Selection::caret(at));
    }

    /// Deletes the selection, or what lies between the caret and the byte that `reach` returns.
    pub fn delete(&mut self, reach: impl FnOnce(&str, usize) -> usize) {
        let head = self.selection.head;
        let (kind, range) = if self.selection.is_empty() {
            let to = reach(self.text(), head);
            (StepKind::Deleting, head.min(to)..head.max(to))
        } else {
            (StepKind::Other, self.selection.range())
        };
        self.closers.clear();
        if !range.is_empty() {
            let after = Selection::caret(range.start);
            let change = self.replacement(range, "");
            self.change(kind, vec![change], after);
        }
    }

    /// Takes back the last step; returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let step = self.history.undo();
        self.apply_step(step)
    }

    /// Makes the last step that was taken back again; returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let step = self.history.redo();
        self.apply_step(step)
    }

    fn apply_step(&mut self, step: Option<(Vec<Change>, Selection)>) -> bool {
        let Some((changes, selection)) = step else { return false };
        self.changed.extend(self.buffer.apply(&changes));
        self.revision += 1;
        self.closers.clear();
        self.selection = selection;
        true
    }

    /// Returns whether there is something to undo, and to redo.
    pub fn can_undo(&self) -> (bool, bool) {
        (self.history.can_undo(), self.history.can_redo())
    }

    /// Returns the line of the caret, and its column; both start at 0.
    pub fn caret_line_and_column(&self) -> (usize, usize) {
        let line = self.buffer.line_at(self.selection.head);
        let start = self.buffer.line_bytes(line).start;
        (line, words::columns(self.buffer.slice(start..self.selection.head)))
    }
}

impl Document {
    /// Selects the whole text.
    pub fn select_all(&mut self) {
        self.select(Selection { anchor: 0, head: self.buffer.end() });
    }

    /// Deletes the selection; the line of the caret if nothing is selected.
    pub fn delete_selection_or_line(&mut self) {
        if self.selection.is_empty() {
            let line = self.buffer.line_at(self.selection.head);
            let bytes = self.buffer.line_bytes(line);
            let range = bytes.start..(bytes.end + 1).min(self.buffer.end());
            self.selection = Selection { anchor: range.start, head: range.end };
        }
        self.delete(|_, at| at);
    }

    /// Deletes so many characters before and after the caret.
    pub fn delete_around(&mut self, before: usize, after: usize) {
        let at = self.selection.head;
        let start = self.text()[..at].char_indices().rev().take(before).last().map_or(at, |(offset, _)| offset);
        let end = self.text()[at..].char_indices().nth(after).map_or(self.buffer.end(), |(offset, _)| at + offset);
        self.closers.clear();
        let change = self.replacement(start..end, "");
        self.change(StepKind::Other, vec![change], Selection::caret(start));
    }
}
