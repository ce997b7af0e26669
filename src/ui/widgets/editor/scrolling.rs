//! Which rows of a text are in sight, and how far it is scrolled to the left.
//!
//! The position is a row of a line, so that lines above it can be wrapped otherwise, or change, without an index of
//! rows.

use super::super::code::LINE;
use super::super::scroll::{Scroll, Viewport};
use super::rows::{RowAt, Rows};
use egui::{Id, Rect, Ui};

/// A scroll position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// The row at the upper edge.
    pub at: RowAt,
    /// The part of it above the edge, from 0 to 1.
    pub part: f64,
    /// How far the rows are scrolled to the left, in points.
    pub left: f32,
}

impl Position {
    /// Returns the position in lines.
    pub fn lines(&self, rows: &Rows<'_>) -> f64 {
        self.at.line as f64 + (self.at.row as f64 + self.part) / rows.of(self.at.line).count() as f64
    }

    /// Goes to a position in lines.
    pub fn go_to(&mut self, rows: &Rows<'_>, lines: f64) {
        let line = (lines.max(0.0) as usize).min(rows.buffer.line_count() - 1);
        let row = (lines - line as f64).clamp(0.0, 1.0) * rows.of(line).count() as f64;
        self.at = RowAt { line, row: (row.floor() as usize).min(rows.of(line).count() - 1) };
        self.part = (row - self.at.row as f64).clamp(0.0, 0.999);
    }

    /// Scrolls by rows; negative is up.
    pub fn scroll(&mut self, rows: &Rows<'_>, by: f64) {
        let total = self.part + by;
        let (at, left) = rows.step(self.at, total.floor() as isize);
        self.at = at;
        self.part = if left == 0 { total - total.floor() } else { 0.0 };
    }

    /// Returns the last position, at which the last row is at the lower edge of a page of so many rows.
    fn last(rows: &Rows<'_>, page: f64) -> Self {
        let line = rows.buffer.line_count() - 1;
        let above = (page - 1.0).max(0.0);
        let (at, left) = rows.step(RowAt { line, row: rows.of(line).count() - 1 }, -(above.ceil() as isize));
        let part = if left == 0 { above.ceil() - above } else { 0.0 };
        Self { at, part, left: 0.0 }
    }

    /// Keeps the position within the text.
    pub fn clamp(&mut self, rows: &Rows<'_>, page: f64) {
        let line = self.at.line.min(rows.buffer.line_count() - 1);
        self.at = RowAt { line, row: self.at.row.min(rows.of(line).count() - 1) };
        let last = Self::last(rows, page);
        if (self.at, self.part) > (last.at, last.part) {
            (self.at, self.part) = (last.at, last.part);
        }
    }

    /// Scrolls as little as needed to make a row wholly visible.
    pub fn reveal(&mut self, rows: &Rows<'_>, row: RowAt, page: f64) {
        let lowest = Self { at: row, part: 0.0, left: self.left };
        if (row, 0.0) < (self.at, self.part) {
            *self = lowest;
            return;
        }
        let mut highest = lowest;
        highest.scroll(rows, 1.0 - page.max(1.0));
        if (highest.at, highest.part) > (self.at, self.part) {
            *self = highest;
        }
    }

    /// Handles the wheel or the trackpad over an area whose contents are so wide.
    pub fn consume_wheel(&mut self, ui: &Ui, rows: &Rows<'_>, (rect, width): (Rect, f32)) {
        if !ui.rect_contains_pointer(rect) {
            return;
        }
        let delta = ui.input_mut(|input| std::mem::take(&mut input.smooth_scroll_delta));
        if delta.y != 0.0 {
            self.scroll(rows, -f64::from(delta.y) / f64::from(LINE));
        }
        self.left = (self.left - delta.x).clamp(0.0, (width - rect.width()).max(0.0));
    }

    /// Draws the bars and handles their dragging. The vertical one counts lines, not rows.
    pub fn bars(&mut self, ui: &Ui, rows: &Rows<'_>, viewport: &Viewport, (id, name): (Id, &str)) {
        let page = viewport.page();
        let last = Self::last(rows, page).lines(rows);
        let all = if last > 0.0 { (last + page).ceil() } else { page.floor() };
        let viewport = Viewport { rows: all as usize, ..*viewport };
        let end = (all - page).max(f64::MIN_POSITIVE);
        let top = if last > 0.0 { (self.lines(rows) / last * end).min(end) } else { 0.0 };
        let mut scroll = Scroll { top, left: self.left };
        scroll.bars(ui, &viewport, id, name);
        if (scroll.top - top).abs() > 1e-9 {
            self.go_to(rows, scroll.top / end * last);
        }
        self.left = scroll.left;
    }
}
