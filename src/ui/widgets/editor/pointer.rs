//! Selecting with the mouse: by characters, by words after a double click, by lines after a triple click.

use std::ops::Range;

use super::super::code::LINE;
use super::Editor;
use super::document::Selection;
use super::rows::Rows;
use super::view::Layout;
use super::words;
use egui::{Event, Pos2, Response, Ui, pos2};

/// How far apart the clicks of a double click may be, in points.
const CLICK_DISTANCE: f32 = 6.0;

/// What a selection grows by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Character,
    Word,
    Line,
}

/// The last press of the button, and the selection that began with it.
#[derive(Clone, Debug)]
pub(super) struct Press {
    at: Pos2,
    time: f64,
    count: u8,
    /// What stays selected while the mouse is dragged.
    anchor: Range<usize>,
}

impl Press {
    fn unit(&self) -> Unit {
        match self.count {
            0 | 1 => Unit::Character,
            2 => Unit::Word,
            _ => Unit::Line,
        }
    }
}

impl Editor {
    /// Selects by presses and drags, and pastes what a middle click brings.
    pub(super) fn take_pointer(&mut self, ui: &Ui, response: &Response, layout: &Layout) {
        if response.hovered() {
            ui.set_cursor_icon(egui::CursorIcon::Text);
            ui.output_mut(|output| output.mutable_text_under_cursor = true);
        }
        self.paste_at_click(ui, response, layout);
        let Some(pointer) = response.interact_pointer_pos() else { return };
        let byte = self.byte_at(ui, layout, pointer);
        if response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_pressed()) {
            response.request_focus();
            let shift = ui.input(|input| input.modifiers.shift);
            self.press_at(pointer, byte, ui.input(|input| input.time), shift);
        } else if response.is_pointer_button_down_on() || response.dragged() {
            self.drag_to(byte);
            // Beyond the edges the text scrolls as long as the button is held.
            if !layout.text.contains(pointer) {
                ui.ctx().request_repaint();
            }
        } else {
            return;
        }
        self.touched = true;
        (self.goal_column, self.composition) = (None, None);
    }

    fn press_at(&mut self, pointer: Pos2, byte: usize, time: f64, shift: bool) {
        let last = self.press.as_ref();
        let again = last.filter(|last| time - last.time < 0.4 && last.at.distance(pointer) < CLICK_DISTANCE);
        let count = if shift { 1 } else { again.map_or(1, |last| last.count % 3 + 1) };
        let anchor = if shift { self.document.selection().anchor } else { byte };
        let mut press = Press { at: pointer, time, count, anchor: anchor..anchor };
        press.anchor = if count > 1 { self.unit_at(press.unit(), byte) } else { anchor..anchor };
        self.press = Some(press);
        self.drag_to(byte);
    }

    /// Selects from where the button was pressed to a byte.
    fn drag_to(&mut self, byte: usize) {
        let Some(press) = &self.press else { return };
        let reached = self.unit_at(press.unit(), byte);
        let anchor = press.anchor.clone();
        let selection = if reached.start < anchor.start {
            Selection { anchor: anchor.end, head: reached.start }
        } else {
            Selection { anchor: anchor.start, head: reached.end.max(anchor.end) }
        };
        self.document.select(selection);
    }

    fn unit_at(&self, unit: Unit, byte: usize) -> Range<usize> {
        let buffer = self.document.buffer();
        match unit {
            Unit::Character => byte..byte,
            Unit::Word => words::word_at(buffer.text(), byte),
            Unit::Line => {
                let line = buffer.line_bytes(buffer.line_at(byte));
                line.start..(line.end + 1).min(buffer.end())
            }
        }
    }

    /// Returns the byte nearest to a point.
    fn byte_at(&self, ui: &Ui, layout: &Layout, point: Pos2) -> usize {
        let rows = Rows { buffer: self.document.buffer(), columns: layout.columns };
        let down = f64::from((point.y - layout.text.top()) / LINE) + self.position.part;
        let (at, _) = rows.step(self.position.at, down.floor() as isize);
        let drawn = self.row_galley(ui, layout, at);
        drawn.byte_at(point.x - layout.left())
    }

    /// Inserts the primary selection of X11 and Wayland where the middle button was clicked.
    fn paste_at_click(&mut self, ui: &Ui, response: &Response, layout: &Layout) {
        let pasted = ui.input(|input| {
            input.events.iter().find_map(|event| match event {
                Event::MiddleClickPaste { pos, text } => Some((*pos, text.clone())),
                _ => None,
            })
        });
        let Some((pos, text)) = pasted.filter(|_| response.contains_pointer() && ui.is_enabled()) else { return };
        let byte = self.byte_at(ui, layout, pos2(pos.x, pos.y));
        self.document.move_to(byte, false);
        self.document.insert(&text);
        self.touched = true;
        response.request_focus();
    }
}
