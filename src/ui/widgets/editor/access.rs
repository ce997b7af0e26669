//! What assistive technology reads of the editor: a text field of several lines with its value, its rows and the
//! selection.
//!
//! A text up to [`WHOLE`] is told whole; of a longer one the rows in sight are.

use super::Editor;
use super::document::Selection;
use super::rows::{RowAt, Rows};
use super::view::Layout;
use super::words::is_word;
use egui::accesskit::{self, Action, NodeId, Role, TextDirection, TextPosition, TextSelection};
use egui::{Rect, Response, Sense, Ui, UiBuilder, WidgetInfo};
use std::ops::Range;

/// The most bytes of a text that is told whole.
const WHOLE: usize = 64 * 1024;
/// The most characters of a run: where words begin is told in one byte.
const MAX_RUN: usize = 255;

/// A part of a row, as it is told.
#[derive(Clone, Debug)]
pub(super) struct TextRun {
    node: NodeId,
    /// Its bytes in the text, with the line break at its end.
    bytes: Range<usize>,
}

impl Editor {
    /// Describes the editor.
    pub(super) fn describe(&mut self, ui: &mut Ui, response: &Response, name: &str, layout: &Layout) {
        let buffer = self.document.buffer();
        let whole = buffer.end() <= WHOLE;
        let lines = if whole { 0..buffer.line_count() } else { self.visible_lines(ui, layout) };
        let start = buffer.line_bytes(lines.start).start;
        let end = buffer.line_bytes(lines.end.saturating_sub(1)).end.min(start + WHOLE);
        let value = buffer.slice(start..buffer.clamp(end)).to_owned();
        response.widget_info(|| WidgetInfo {
            current_text_value: Some(value.clone()),
            ..WidgetInfo::labeled(egui::Role::MultilineTextInput, ui.is_enabled(), name)
        });
        let parent = ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_role(Role::MultilineTextInput);
            node.set_value(value.clone());
            node.add_action(Action::SetValue);
            node.add_action(Action::ReplaceSelectedText);
            node.add_action(Action::SetTextSelection);
        });
        if parent.is_none() {
            return;
        }
        self.text_runs.clear();
        let builder = UiBuilder::new().id_salt("text runs").max_rect(response.rect).accessibility_parent(response.id);
        let runs = ui.new_child(builder);
        for line in lines {
            self.describe_line(&runs, layout, line);
        }
        self.describe_selection(ui, response);
    }

    /// Describes the rows of a line as children of the field.
    fn describe_line(&mut self, ui: &Ui, layout: &Layout, line: usize) {
        let buffer = self.document.buffer();
        let rows = Rows { buffer, columns: layout.columns };
        let mut described = Vec::new();
        for row in 0..rows.of(line).count() {
            let mut bytes = rows.bytes(RowAt { line, row });
            // The break of the line belongs to its last row.
            if bytes.end == buffer.line_bytes(line).end && line + 1 < buffer.line_count() {
                bytes.end += 1;
            }
            let (mut start, mut part) = (bytes.start, 0_usize);
            loop {
                let rest = buffer.slice(start..bytes.end);
                let end = rest.char_indices().nth(MAX_RUN).map_or(bytes.end, |(offset, _)| start + offset);
                let text = buffer.slice(start..end);
                let id = ui.scope_id().with(("text run", line, row, part));
                // A widget, since only widgets have a parent that can be chosen; it takes no input.
                ui.interact(Rect::NOTHING, id, Sense::hover());
                ui.ctx().accesskit_node_builder(id, |node| describe_run(node, text));
                described.push(TextRun { node: id.accesskit_id(), bytes: start..end });
                (start, part) = (end, part + 1);
                if start >= bytes.end {
                    break;
                }
            }
        }
        self.text_runs.extend(described);
    }

    fn describe_selection(&self, ui: &Ui, response: &Response) {
        let Selection { anchor, head } = self.document.selection();
        if let (Some(anchor), Some(focus)) = (self.text_position(anchor), self.text_position(head)) {
            ui.ctx().accesskit_node_builder(response.id, |node| {
                node.set_text_selection(TextSelection { anchor, focus });
            });
        }
    }

    /// Returns a byte of the text as a position in a run; the nearest one that is told.
    fn text_position(&self, byte: usize) -> Option<TextPosition> {
        let index = self.text_runs.partition_point(|run| run.bytes.start <= byte).saturating_sub(1);
        let run = self.text_runs.get(index)?;
        let text = self.document.buffer().slice(run.bytes.start..byte.clamp(run.bytes.start, run.bytes.end));
        Some(TextPosition { node: run.node, character_index: text.chars().count() })
    }

    /// Selects what assistive technology asks for.
    pub(super) fn select_as_asked(&mut self, selection: &TextSelection) {
        let byte = |position: &TextPosition| {
            let run = self.text_runs.iter().find(|run| run.node == position.node)?;
            let text = self.document.buffer().slice(run.bytes.clone());
            let offset = text.char_indices().nth(position.character_index).map_or(text.len(), |(offset, _)| offset);
            Some(run.bytes.start + offset)
        };
        if let (Some(anchor), Some(head)) = (byte(&selection.anchor), byte(&selection.focus)) {
            self.document.select(Selection { anchor, head });
        }
    }
}

fn describe_run(node: &mut accesskit::Node, text: &str) {
    node.set_role(Role::TextRun);
    node.set_text_direction(TextDirection::LeftToRight);
    node.set_value(text);
    node.set_character_lengths(text.chars().map(|c| c.len_utf8() as u8).collect::<Vec<_>>());
    let mut before = ' ';
    let mut starts = Vec::new();
    for (index, c) in text.chars().enumerate() {
        if is_word(c) && !is_word(before) {
            starts.push(u8::try_from(index).unwrap_or(u8::MAX));
        }
        before = c;
    }
    node.set_word_starts(starts);
}
