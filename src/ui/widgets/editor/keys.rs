//! The keys of the editor.
//!
//! Enter, Tab and the arrows belong to the text. Ctrl+Tab goes to the next control, Escape ends editing.

use super::super::typing;
use super::document::Document;
use super::rows::Rows;
use super::view::mark;
use super::words;
use super::{Editor, Outcome};
use crate::ui::platform::IS_MAC;
use crate::ui::theme::bidi::caret::RowOrder;
use egui::accesskit::{Action, ActionData, ActionRequest, TreeId};
use egui::{Event, FocusDirection, Id, ImeEvent, Key, Modifiers, Ui};
use std::ops::Range;

/// What a key needs to know besides the text.
#[derive(Clone, Copy)]
pub(super) struct KeyContext {
    /// The widget.
    pub id: Id,
    /// After how many columns lines are wrapped.
    pub columns: Option<usize>,
    /// How many rows are in sight.
    pub page: usize,
    /// Whether Tab indents.
    pub indents: bool,
}

/// Text that an input method is composing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Composition {
    pub text: String,
}

impl Editor {
    /// Takes the events that are for the text, and leaves the others.
    pub(super) fn take_events(&mut self, ui: &Ui, context: KeyContext, outcome: &mut Outcome) {
        typing::claim_editor_keys(ui.ctx(), context.id);
        self.document.set_time(ui.input(|input| input.time));
        let events = ui.input_mut(|input| std::mem::take(&mut input.events));
        let mut left = Vec::with_capacity(events.len());
        for event in events {
            if !self.take_event(ui, &event, context, outcome) {
                left.push(event);
            }
        }
        ui.input_mut(|input| input.events = left);
    }

    fn take_event(&mut self, ui: &Ui, event: &Event, context: KeyContext, outcome: &mut Outcome) -> bool {
        match event {
            Event::Text(text) if text == "\n" || text == "\r" => {}
            Event::Text(text) if self.composition.is_none() => self.document.type_text(text),
            Event::Paste(text) => self.document.insert(text),
            Event::Copy => self.copy(ui),
            Event::Cut => {
                self.copy(ui);
                self.document.delete_selection_or_line();
            }
            Event::Ime(event) => self.compose(event),
            Event::Key { key: Key::Escape, pressed: true, .. } if self.composition.is_none() => outcome.left = true,
            Event::Key { key, pressed: true, modifiers, .. } => {
                return self.composition.is_some() || self.press(ui, *key, *modifiers, context);
            }
            _ => return false,
        }
        self.touched = true;
        true
    }

    /// Sets the text as assistive technology asks for it, whether the editor has the focus or not.
    pub(super) fn take_requests(&mut self, ui: &Ui, id: Id) {
        let requests = ui.input(|input| {
            let own = |request: &&ActionRequest| {
                request.target_node == id.accesskit_id() && request.target_tree == TreeId::ROOT
            };
            let requests = input.events.iter().filter_map(|event| match event {
                Event::AccessKitActionRequest(request) => Some(request),
                _ => None,
            });
            requests.filter(own).cloned().collect::<Vec<_>>()
        });
        for request in requests {
            match (request.action, request.data) {
                (Action::SetValue, Some(ActionData::Value(text))) => {
                    self.document.set_text(&text.replace("\r\n", "\n"))
                }
                (Action::ReplaceSelectedText, Some(ActionData::Value(text))) => self.document.insert(&text),
                (Action::SetTextSelection, Some(ActionData::SetTextSelection(selection))) => {
                    self.select_as_asked(&selection);
                }
                _ => continue,
            }
            self.touched = true;
        }
    }

    /// Copies what is selected; the line of the caret if nothing is.
    fn copy(&self, ui: &Ui) {
        let text = if self.document.selection().is_empty() {
            let (line, _) = self.document.caret_line_and_column();
            format!("{}\n", self.document.buffer().line(line))
        } else {
            self.document.selected().to_owned()
        };
        ui.ctx().copy_text(text);
    }

    /// Shows what an input method composes, and inserts the result.
    fn compose(&mut self, event: &ImeEvent) {
        match event {
            ImeEvent::Preedit { text, .. } if text.is_empty() => self.composition = None,
            ImeEvent::Preedit { text, .. } => {
                if self.composition.is_none() && !self.document.selection().is_empty() {
                    self.document.delete(|_, at| at);
                }
                self.composition = Some(Composition { text: text.clone() });
            }
            ImeEvent::Commit(text) => {
                self.composition = None;
                if !text.is_empty() && text != "\n" && text != "\r" {
                    self.document.type_text(text);
                }
            }
            ImeEvent::DeleteSurrounding { before_chars, after_chars } => {
                self.document.delete_around(*before_chars, *after_chars);
            }
            #[expect(deprecated, reason = "older integrations send them")]
            ImeEvent::Enabled | ImeEvent::Disabled => {}
        }
    }

    /// Handles a key; returns whether it is one of the editor.
    fn press(&mut self, ui: &Ui, key: Key, modifiers: Modifiers, context: KeyContext) -> bool {
        if key == Key::Tab && (modifiers.ctrl || modifiers.command) {
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
            return true;
        }
        if key == Key::Tab && !context.indents {
            return false;
        }
        let vertical = matches!(key, Key::ArrowUp | Key::ArrowDown | Key::PageUp | Key::PageDown);
        if !vertical || modifiers.alt {
            self.goal_column = None;
        }
        let handled = self.press_command(key, modifiers)
            || self.press_line_key(key, modifiers)
            || self.press_movement(key, modifiers, context)
            || press_edit(&mut self.document, key, modifiers);
        self.touched |= handled;
        handled
    }

    /// Handles a key with Ctrl.
    fn press_command(&mut self, key: Key, modifiers: Modifiers) -> bool {
        if key == Key::F3 {
            self.find.step(!modifiers.shift);
            return true;
        }
        if !modifiers.command || modifiers.alt {
            return false;
        }
        match key {
            Key::A => self.document.select_all(),
            Key::Z if modifiers.shift => drop(self.document.redo()),
            Key::Y => drop(self.document.redo()),
            Key::Z => drop(self.document.undo()),
            Key::W => self.document.delete(words::previous_word),
            Key::Slash => drop(self.document.toggle_comment()),
            Key::F => self.open_find(false),
            Key::H => self.open_find(true),
            _ => return false,
        }
        true
    }

    /// Handles the keys that move and copy lines.
    fn press_line_key(&mut self, key: Key, modifiers: Modifiers) -> bool {
        let down = key == Key::ArrowDown;
        if !modifiers.alt || modifiers.command || !(down || key == Key::ArrowUp) {
            return false;
        }
        if modifiers.shift {
            self.document.duplicate_lines(down);
        } else {
            self.document.move_lines(down);
        }
        true
    }

    fn press_movement(&mut self, key: Key, modifiers: Modifiers, context: KeyContext) -> bool {
        let by_word = if IS_MAC { modifiers.alt } else { modifiers.ctrl };
        let to_end = if IS_MAC { modifiers.command } else { false };
        let document = &self.document;
        let (text, selection, head) = (document.text(), document.selection(), document.selection().head);
        let collapses = !modifiers.shift && !selection.is_empty() && !by_word;
        let line = document.buffer().line_bytes(document.buffer().line_at(head));
        let byte = match key {
            Key::ArrowLeft if to_end => line.start,
            Key::ArrowRight if to_end => line.end,
            Key::ArrowUp if to_end => 0,
            Key::ArrowDown if to_end => text.len(),
            Key::ArrowLeft | Key::ArrowRight => {
                let right = key == Key::ArrowRight;
                let forward = right != self.is_leftward(context.columns);
                match (collapses, by_word, forward) {
                    (true, _, false) => selection.range().start,
                    (true, _, true) => selection.range().end,
                    (false, true, false) => words::previous_word(text, head),
                    (false, true, true) => words::next_word(text, head),
                    (false, false, _) => self.beside(right, context.columns),
                }
            }
            Key::Home if modifiers.command => 0,
            Key::End if modifiers.command => text.len(),
            Key::Home | Key::End => self.row_end(key == Key::End, context.columns),
            Key::ArrowUp | Key::ArrowDown if modifiers.ctrl => {
                self.wheel_rows += if key == Key::ArrowUp { -1.0 } else { 1.0 };
                return true;
            }
            Key::ArrowUp => self.vertical(-1, context.columns),
            Key::ArrowDown => self.vertical(1, context.columns),
            Key::PageUp => self.vertical(-context.page.cast_signed(), context.columns),
            Key::PageDown => self.vertical(context.page.cast_signed(), context.columns),
            _ => return false,
        };
        self.document.move_to(byte, modifiers.shift);
        true
    }

    /// Returns the row of the caret as it is drawn, with its bytes; `None` if all of it is read from the left.
    fn row_order(&self, columns: Option<usize>) -> Option<(RowOrder, Range<usize>)> {
        let rows = Rows { buffer: self.document.buffer(), columns };
        let bytes = rows.bytes(rows.at(self.document.selection().head));
        let row = rows.buffer.slice(bytes.clone());
        let order = if row.is_ascii() { None } else { RowOrder::of(&row.chars().map(mark).collect::<String>()) };
        order.map(|order| (order, bytes))
    }

    /// Whether the text goes on to the left at the caret.
    fn is_leftward(&self, columns: Option<usize>) -> bool {
        self.row_order(columns).is_some_and(|(order, bytes)| {
            let before = self.document.buffer().slice(bytes.start..self.document.selection().head);
            order.is_leftward(before.chars().count())
        })
    }

    /// Returns the byte to the right or to the left of the caret, as the row is drawn; beyond its edge that in the next or
    /// the previous row.
    fn beside(&self, right: bool, columns: Option<usize>) -> usize {
        let (text, head) = (self.document.text(), self.document.selection().head);
        let Some((order, bytes)) = self.row_order(columns) else {
            return if right { words::next(text, head) } else { words::previous(text, head) };
        };
        let rows = Rows { buffer: self.document.buffer(), columns };
        let row = rows.buffer.slice(bytes.clone());
        let ends_line = bytes.end == rows.buffer.line_bytes(rows.buffer.line_at(head)).end;
        // The end of a row that is not the last of its line is the beginning of the next one.
        let is_here = |byte: &usize| *byte < row.len() || *byte == row.len() && ends_line;
        let bytes_here = std::iter::successors(Some(0), |byte| (*byte < row.len()).then(|| words::next(row, *byte)));
        let stops: Vec<(usize, usize)> =
            bytes_here.filter(is_here).map(|byte| (row[..byte].chars().count(), byte)).collect();
        let here = row[..head - bytes.start].chars().count();
        let boundaries: Vec<usize> = stops.iter().map(|(boundary, _)| *boundary).collect();
        let beside = order.beside(here, right, &boundaries);
        if let Some((_, byte)) = stops.iter().find(|(boundary, _)| Some(*boundary) == beside) {
            return bytes.start + byte;
        }
        match (right != order.is_rtl(), ends_line) {
            (true, true) => words::next(text, bytes.end),
            (true, false) => bytes.end,
            (false, _) => words::previous(text, bytes.start),
        }
    }

    /// Returns the byte so many rows further down or up, in the column where the first of several such keys began.
    fn vertical(&mut self, by: isize, columns: Option<usize>) -> usize {
        let rows = Rows { buffer: self.document.buffer(), columns };
        let head = self.document.selection().head;
        let column = *self.goal_column.get_or_insert_with(|| rows.column(head));
        let (at, left) = rows.step(rows.at(head), by);
        match left {
            left if left < 0 && left == by => 0,
            left if left > 0 && left == by => rows.buffer.end(),
            _ => rows.byte_at_column(at, column),
        }
    }

    /// Returns the end of the row, or its beginning: where its text begins, unless the caret is there.
    fn row_end(&self, end: bool, columns: Option<usize>) -> usize {
        let rows = Rows { buffer: self.document.buffer(), columns };
        let head = self.document.selection().head;
        let at = rows.at(head);
        let bytes = rows.bytes(at);
        if end {
            return rows.byte_at_column(at, usize::MAX);
        }
        let row = rows.buffer.slice(bytes.clone());
        let text = bytes.start + row.len() - row.trim_start_matches([' ', '\t']).len();
        if at.row > 0 || head == text { bytes.start } else { text }
    }
}

/// Handles a key that changes the text; returns whether it is one.
fn press_edit(document: &mut Document, key: Key, modifiers: Modifiers) -> bool {
    let by_word = if IS_MAC { modifiers.alt } else { modifiers.ctrl };
    match key {
        Key::Enter if !modifiers.command && !modifiers.alt => document.new_line(),
        Key::Tab if modifiers.shift => document.shift_lines(false),
        Key::Tab => document.tab(),
        Key::Backspace if by_word => document.delete(words::previous_word),
        Key::Backspace => document.backspace(),
        Key::Delete if by_word => document.delete(words::next_word),
        Key::Delete => document.delete(words::next),
        _ => return false,
    }
    true
}
