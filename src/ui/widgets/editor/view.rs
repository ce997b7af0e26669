//! Draws the rows in sight, the selection and the caret.

use std::ops::Range;
use std::sync::Arc;

use super::super::code::{LINE, gutter_width};
use super::super::scroll::BAR;
use super::Editor;
use super::rows::{RowAt, Rows};
use crate::ui::theme::bidi::caret::RowPlaces;
use crate::ui::theme::{TokenClass, Tokens};
use egui::epaint::text::CharIndex;
use egui::text::{CCursor, LayoutJob, TextFormat};
use egui::text_selection::visuals::paint_text_cursor;
use egui::{Color32, FontId, Galley, Painter, Rect, Stroke, Ui, pos2, vec2};
use lunette_client::model::display::is_hidden;

/// Where the text is drawn in this frame.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The rows, with their numbers.
    pub rect: Rect,
    /// The rows without their numbers and the bar.
    pub text: Rect,
    /// After how many columns lines are wrapped.
    pub columns: Option<usize>,
    /// How far the rows are scrolled to the left, in points.
    pub scrolled: f32,
    pub font: FontId,
    /// The width of a column, in points.
    pub advance: f32,
}

impl Layout {
    /// Lays out the area for a text of so many lines.
    pub fn new(ui: &Ui, rect: Rect, lines: usize, wraps: bool) -> Self {
        let gutter = gutter_width(ui, lines);
        let text = Rect::from_min_max(
            pos2(rect.left() + gutter, rect.top()),
            pos2((rect.right() - BAR).max(rect.left() + gutter), rect.bottom()),
        );
        let advance = super::super::code::advance(ui);
        let columns = wraps.then(|| ((text.width() - 4.0) / advance).floor().max(8.0) as usize);
        let font = egui::TextStyle::Monospace.resolve(ui.style());
        Self { rect, text, columns, scrolled: 0.0, font, advance }
    }

    /// Returns how many rows fit, not rounded.
    pub fn page(&self) -> f64 {
        f64::from(self.rect.height() / LINE).max(1.0)
    }

    /// Returns where the rows begin, in points.
    pub fn left(&self) -> f32 {
        self.text.left() - self.scrolled
    }
}

/// A row as it is drawn.
pub(super) struct DrawnRow {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    text: String,
    pub galley: Arc<Galley>,
    /// Where a composition is inserted, in bytes of the text, and its number of characters.
    composed: Option<(usize, usize)>,
    /// Where its characters are, if some are read from the right.
    places: Option<RowPlaces>,
}

impl DrawnRow {
    /// Returns the distance of a byte of the text from the beginning of the row, in points.
    pub fn x_of(&self, byte: usize) -> f32 {
        self.x_of_character(self.character_of(byte))
    }

    /// Returns how many characters are drawn before a byte of the text.
    fn character_of(&self, byte: usize) -> usize {
        let before = self.text.get(..byte.saturating_sub(self.bytes.start)).unwrap_or(&self.text);
        let composed = self.composed.filter(|(at, _)| *at < byte).map_or(0, |(_, characters)| characters);
        before.chars().count() + composed
    }

    /// Returns the distance of a character from the beginning of the row, in points.
    pub fn x_of_character(&self, index: usize) -> f32 {
        match &self.places {
            Some(places) => places.x(index),
            None => self.galley.rows.first().map_or(0.0, |row| row.x_offset(CharIndex(index))),
        }
    }

    /// Returns the parts of the row that these bytes are drawn at, as distances from its beginning, in points.
    pub fn spans(&self, bytes: Range<usize>) -> Vec<Range<f32>> {
        let characters = self.character_of(bytes.start)..self.character_of(bytes.end);
        match &self.places {
            Some(places) => places.spans(characters),
            None => vec![self.x_of_character(characters.start)..self.x_of_character(characters.end)],
        }
    }

    /// Returns the byte of the text nearest to a distance from the beginning of the row, in points.
    pub fn byte_at(&self, x: f32) -> usize {
        let mut index = match &self.places {
            Some(places) => places.boundary_at(x),
            None => {
                let CCursor { index, .. } = self.galley.cursor_from_pos(vec2(x, 1.0));
                index.0
            }
        };
        if let Some((at, characters)) = self.composed {
            let before = self.text.get(..at - self.bytes.start).map_or(0, |text| text.chars().count());
            index = if index > before + characters { index - characters } else { index.min(before) };
        }
        let offset = self.text.char_indices().nth(index).map_or(self.text.len(), |(offset, _)| offset);
        self.bytes.start + offset
    }
}

impl Editor {
    /// Draws the rows in sight; returns where the caret is, if it is among them.
    pub(super) fn rows_ui(&mut self, ui: &Ui, layout: &Layout, focused: bool) -> Option<Rect> {
        let numbers = ui.painter().with_clip_rect(layout.rect.intersect(ui.clip_rect()));
        let clip = layout.text.expand2(vec2(2.0, 0.0)).intersect(ui.clip_rect());
        let painter = ui.painter().with_clip_rect(clip);
        let (caret_line, _) = self.document.caret_line_and_column();
        let brackets = self.document.matching_brackets().filter(|_| focused);
        let mut caret = None;
        let mut widest: f32 = 0.0;
        for (at, rect) in self.visible_rows(ui, layout) {
            let drawn = self.row_galley(ui, layout, at);
            widest = widest.max(drawn.galley.size().x);
            let current = at.line == caret_line;
            if current && focused {
                numbers.rect_filled(rect, 0.0, Tokens::of(ui).hovered_row);
            }
            self.selection_ui(ui, &painter, layout, &drawn, rect);
            for byte in brackets.into_iter().flat_map(|(one, other)| [one, other]) {
                bracket_ui(ui, &painter, layout, &drawn, (byte, rect));
            }
            let y = rect.center().y - drawn.galley.size().y / 2.0;
            painter.galley(pos2(layout.left(), y), Arc::clone(&drawn.galley), Tokens::of(ui).text);
            if at.row == 0 {
                self.number_ui(ui, &numbers, layout, (at.line, rect, current && focused));
            }
            caret = caret.or(self.caret_in(layout, &drawn, at, rect));
        }
        self.widest = self.widest.max(widest);
        caret
    }

    /// Returns the rows in sight, with where each is drawn.
    fn visible_rows(&self, ui: &Ui, layout: &Layout) -> Vec<(RowAt, Rect)> {
        let rows = Rows { buffer: self.document.buffer(), columns: layout.columns };
        let pixels = ui.pixels_per_point();
        let mut at = self.position.at;
        let mut top = layout.rect.top() - self.position.part as f32 * LINE;
        let mut visible = Vec::new();
        while top < layout.rect.bottom() {
            let y = (top * pixels).round() / pixels;
            let rect = Rect::from_min_size(pos2(layout.rect.left(), y), vec2(layout.rect.width(), LINE));
            visible.push((at, rect));
            let (next, left) = rows.step(at, 1);
            if left != 0 {
                break;
            }
            (at, top) = (next, top + LINE);
        }
        visible
    }

    /// Returns the lines in sight.
    pub(super) fn visible_lines(&self, ui: &Ui, layout: &Layout) -> Range<usize> {
        let visible = self.visible_rows(ui, layout);
        let of = |row: Option<&(RowAt, Rect)>| row.map_or(0, |(at, _)| at.line);
        of(visible.first())..of(visible.last()) + 1
    }

    /// Lays out a row: highlighted, with matches on their background, hidden characters as marks.
    pub(super) fn row_galley(&self, ui: &Ui, layout: &Layout, at: RowAt) -> DrawnRow {
        let t = Tokens::of(ui);
        let buffer = self.document.buffer();
        let bytes = Rows { buffer, columns: layout.columns }.bytes(at);
        let mut job = LayoutJob { break_on_newline: false, keep_trailing_whitespace: true, ..LayoutJob::default() };
        job.wrap.max_width = f32::INFINITY;
        let head = self.document.selection().head;
        let composed = self.composition.as_ref().filter(|_| Rows { buffer, columns: layout.columns }.at(head) == at);
        for (part, class) in self.classes_of(at.line, bytes.clone()) {
            for (part, ground) in self.find.grounds(part, t, &self.document) {
                let ink = if ground == Color32::TRANSPARENT { t.code(class) } else { t.text };
                let format = TextFormat { background: ground, ..TextFormat::simple(layout.font.clone(), ink) };
                match composed.filter(|_| part.contains(&head)) {
                    Some(composition) => {
                        append(&mut job, buffer.slice(part.start..head), format.clone());
                        compose(&mut job, &composition.text, format.clone());
                        append(&mut job, buffer.slice(head..part.end), format);
                    }
                    None => append(&mut job, buffer.slice(part), format),
                }
            }
        }
        if let Some(composition) = composed.filter(|_| head == bytes.end) {
            compose(&mut job, &composition.text, TextFormat::simple(layout.font.clone(), t.text));
        }
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let composed = composed.map(|composition| (head, composition.text.chars().count()));
        let places = RowPlaces::of(&galley);
        DrawnRow { text: buffer.slice(bytes.clone()).to_owned(), bytes, galley, composed, places }
    }

    /// Returns the parts of a row with their classes; together they are the row.
    fn classes_of(&self, line: usize, bytes: Range<usize>) -> Vec<(Range<usize>, TokenClass)> {
        let start = self.document.buffer().line_bytes(line).start;
        let mut parts = Vec::new();
        let mut at = bytes.start;
        for (run, class) in self.highlighting.runs(line).map_or(&[][..], |runs| &runs[..]) {
            let run = (start + run.start as usize).max(at)..(start + run.end as usize).min(bytes.end);
            if run.start < run.end {
                at = run.end;
                parts.push((run, *class));
            }
        }
        parts.push((at..bytes.end, TokenClass::Plain));
        parts
    }

    fn selection_ui(&self, ui: &Ui, painter: &Painter, layout: &Layout, drawn: &DrawnRow, rect: Rect) {
        let selected = self.document.selection().range();
        let (start, end) = (selected.start.max(drawn.bytes.start), selected.end.min(drawn.bytes.end));
        // The break of a line that is selected with it is drawn as half a column.
        let goes_on = selected.start <= drawn.bytes.end && selected.end > drawn.bytes.end;
        if start > end || start == end && !goes_on || selected.is_empty() {
            return;
        }
        let tail = if goes_on { layout.advance / 2.0 } else { 0.0 };
        let break_at = drawn.x_of(end)..drawn.x_of(end) + tail;
        for span in drawn.spans(start..end).into_iter().chain([break_at]).filter(|span| span.start < span.end) {
            let (from, to) = (layout.left() + span.start, layout.left() + span.end);
            let rect = Rect::from_min_max(pos2(from, rect.top()), pos2(to, rect.bottom()));
            painter.rect_filled(rect, 0.0, ui.visuals().selection.bg_fill);
        }
    }

    fn number_ui(&self, ui: &Ui, painter: &Painter, layout: &Layout, (line, rect, current): (usize, Rect, bool)) {
        let t = Tokens::of(ui);
        let wrong = self.fault == Some(line + 1);
        if wrong {
            let strip = Rect::from_min_max(rect.min, pos2(layout.text.left() - 8.0, rect.bottom()));
            painter.rect_filled(strip, 0.0, t.removed_ground);
        }
        let color = if current || wrong { t.text } else { t.faint };
        let at = pos2(layout.text.left() - 14.0, rect.center().y);
        painter.text(at, egui::Align2::RIGHT_CENTER, line + 1, layout.font.clone(), color);
    }

    /// Returns where the caret is if it is in this row.
    fn caret_in(&self, layout: &Layout, drawn: &DrawnRow, at: RowAt, rect: Rect) -> Option<Rect> {
        let head = self.document.selection().head;
        let rows = Rows { buffer: self.document.buffer(), columns: layout.columns };
        if !(drawn.bytes.start..=drawn.bytes.end).contains(&head) || rows.at(head) != at {
            return None;
        }
        let composed = drawn.composed.map_or(0, |(_, characters)| characters);
        let before = drawn.text.get(..head - drawn.bytes.start).map_or(0, |text| text.chars().count());
        let x = layout.left() + drawn.x_of_character(before + composed);
        Some(Rect::from_min_max(pos2(x, rect.top() + 1.0), pos2(x, rect.bottom() - 1.0)))
    }

    /// Draws the caret, and tells input methods where it is.
    pub(super) fn caret_ui(&self, ui: &Ui, layout: &Layout, caret: Rect) {
        let clip = layout.text.expand2(vec2(2.0, 0.0)).intersect(ui.clip_rect());
        let painter = ui.painter().with_clip_rect(clip);
        if ui.input(|input| input.focused) {
            paint_text_cursor(ui, &painter, caret, ui.input(|input| input.time) - self.last_touched);
        }
        ui.output_mut(|output| {
            output.ime = Some(egui::output::IMEOutput {
                purpose: egui::IMEPurpose::Normal,
                rect: layout.rect,
                cursor_rect: caret,
                should_interrupt_composition: false,
            });
        });
    }
}

/// Draws a frame around a bracket at a byte.
fn bracket_ui(ui: &Ui, painter: &Painter, layout: &Layout, drawn: &DrawnRow, (byte, rect): (usize, Rect)) {
    if !drawn.bytes.contains(&byte) {
        return;
    }
    for span in drawn.spans(byte..byte + 1) {
        let (from, to) = (layout.left() + span.start, layout.left() + span.end);
        let frame = Rect::from_min_max(pos2(from, rect.top() + 1.0), pos2(to, rect.bottom() - 1.0));
        painter.rect_stroke(frame, 2.0, Stroke::new(1.0, Tokens::of(ui).muted), egui::StrokeKind::Inside);
    }
}

/// Returns what a character is drawn as: a hidden one as a mark.
pub(super) fn mark(c: char) -> char {
    match c {
        '\t' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        // Joiners and variation selectors shape what is around them.
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => c,
        c if is_hidden(c) => '\u{fffd}',
        c => c,
    }
}

/// Appends text, one character for one: hidden ones as marks, so that nothing in the text is out of sight.
fn append(job: &mut LayoutJob, text: &str, format: TextFormat) {
    if text.is_empty() {
        return;
    }
    match text.chars().any(|c| mark(c) != c) {
        true => job.append(&text.chars().map(mark).collect::<String>(), 0.0, format),
        false => job.append(text, 0.0, format),
    }
}

/// Appends what an input method composes, underlined.
fn compose(job: &mut LayoutJob, text: &str, format: TextFormat) {
    let color = format.color;
    append(job, text, TextFormat { underline: Stroke::new(1.0, color), ..format });
}
