//! Scrolling over rows of one height, measured in rows rather than points.
//!
//! egui stores offsets as `f32`, which lose precision beyond 16.7 million points ([egui
//! 1391](https://github.com/emilk/egui/issues/1391)). Here the position is an `f64` in rows: a step of a quarter of a
//! point is exact at ten million rows.

use crate::ui::theme::Tokens;
use egui::{Id, Rect, Response, Sense, Ui, accesskit::Role, pos2, vec2};

/// Width of the scroll bar, in points.
pub(in crate::ui::widgets) const BAR: f32 = 10.0;
/// Minimum length of the handle, in points.
const MIN_HANDLE: f64 = 24.0;

/// A scroll position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scroll {
    /// The row at the upper edge; the fraction is the part of it above the edge.
    pub top: f64,
    /// How far the columns are scrolled to the left, in points.
    pub left: f32,
}

/// What is scrolled: the number and height of the rows, and the visible area.
#[derive(Clone, Copy)]
pub(in crate::ui) struct Viewport {
    pub rect: Rect,
    pub rows: usize,
    pub pitch: f32,
    /// Width of the contents; if wider than the area, it scrolls sideways.
    pub width: f32,
}

impl Viewport {
    /// The part of `outer` for rows of `width` points, with room for the bars they need.
    pub fn new(outer: Rect, rows: usize, pitch: f32, width: f32) -> Self {
        let width = width + BAR;
        let below = if width > outer.width() + 0.5 { BAR } else { 0.0 };
        let rect = Rect::from_min_max(outer.min, pos2(outer.right(), (outer.bottom() - below).max(outer.top())));
        Viewport { rect, rows, pitch, width }
    }

    /// Returns how many rows fit, not rounded.
    pub fn page(&self) -> f64 {
        f64::from(self.rect.height()) / f64::from(self.pitch)
    }

    fn last_top(&self) -> f64 {
        (self.rows as f64 - self.page()).max(0.0)
    }

    /// Returns the rows of which any part is visible.
    pub fn visible(&self, scroll: &Scroll) -> std::ops::Range<usize> {
        let first = scroll.top.floor() as usize;
        let end = (scroll.top + self.page()).ceil() as usize;
        first.min(self.rows)..end.min(self.rows)
    }

    /// Returns the upper edge of a row on screen, on a whole pixel.
    pub fn row_top(&self, scroll: &Scroll, row: usize, pixels_per_point: f32) -> f32 {
        let offset = (row as f64 - scroll.top) * f64::from(self.pitch);
        let pixels = f64::from(pixels_per_point);
        let top = f64::from(self.rect.top()) + offset;
        ((top * pixels).round() / pixels) as f32
    }
}

impl Scroll {
    /// Scrolls as little as needed to make the whole row visible.
    pub(in crate::ui) fn reveal(&mut self, row: usize, viewport: &Viewport) {
        let row = row as f64;
        let last = row + 1.0 - viewport.page();
        self.top = self.top.max(last).min(row);
        self.clamp(viewport);
    }

    /// Clamps the position to the rows.
    pub(in crate::ui) fn clamp(&mut self, viewport: &Viewport) {
        self.top = if self.top.is_finite() { self.top.clamp(0.0, viewport.last_top()) } else { 0.0 };
        self.left = self.left.clamp(0.0, (viewport.width - viewport.rect.width()).max(0.0));
    }

    /// Handles the wheel or the trackpad if the pointer is over the area; returns whether it scrolled.
    pub(in crate::ui) fn consume_wheel(&mut self, ui: &Ui, viewport: &Viewport) -> bool {
        let mut moved = false;
        if ui.rect_contains_pointer(viewport.rect) {
            let sideways = viewport.width > viewport.rect.width();
            let delta = ui.input_mut(|input| {
                let delta = input.smooth_scroll_delta;
                if viewport.last_top() > 0.0 {
                    input.smooth_scroll_delta.y = 0.0;
                }
                if sideways {
                    input.smooth_scroll_delta.x = 0.0;
                }
                delta
            });
            moved = delta.y != 0.0;
            self.top -= f64::from(delta.y) / f64::from(viewport.pitch);
            if sideways {
                self.left -= delta.x;
            }
        }
        self.clamp(viewport);
        moved
    }

    /// Draws the bars and handles their dragging; `name` is what is scrolled.
    pub(in crate::ui) fn bars(&mut self, ui: &Ui, viewport: &Viewport, id: Id, name: &str) {
        if viewport.last_top() > 0.0 {
            self.vertical_bar(ui, viewport, id.with("scroll down"), name);
        }
        if viewport.width > viewport.rect.width() + 0.5 {
            self.horizontal_bar(ui, viewport, id.with("scroll across"), name);
        }
        self.clamp(viewport);
    }

    /// Not focusable: what is scrolled has the focus.
    fn vertical_bar(&mut self, ui: &Ui, viewport: &Viewport, id: Id, name: &str) {
        let rect = viewport.rect;
        let track = Rect::from_min_max(pos2(rect.right() - BAR, rect.top()), rect.max);
        let length = f64::from(track.height());
        let handle = (length * viewport.page() / viewport.rows as f64).clamp(MIN_HANDLE.min(length), length);
        let response = ui.interact(track, id, Sense::CLICK | Sense::DRAG);
        if let Some(pointer) = response.interact_pointer_pos()
            && length > handle
        {
            // The middle of the handle follows the pointer: simple, and exact at any number of rows.
            let at = (f64::from(pointer.y - track.top()) - handle / 2.0) / (length - handle);
            self.top = at.clamp(0.0, 1.0) * viewport.last_top();
        }
        let at = f64::from(track.top()) + (length - handle) * (self.top / viewport.last_top());
        let rect = Rect::from_min_size(pos2(track.left(), at as f32), vec2(BAR, handle as f32));
        paint(ui, &response, rect.shrink2(vec2(2.0, 2.0)));
        describe(&response, name, self.top, viewport.last_top());
    }

    fn horizontal_bar(&mut self, ui: &Ui, viewport: &Viewport, id: Id, name: &str) {
        let rect = viewport.rect;
        let end = pos2(rect.right() - BAR, rect.bottom() + BAR);
        let track = Rect::from_min_max(rect.left_bottom(), end);
        let most = viewport.width - rect.width();
        let handle = (track.width() * rect.width() / viewport.width).max(MIN_HANDLE as f32).min(track.width());
        let response = ui.interact(track, id, Sense::CLICK | Sense::DRAG);
        if let Some(pointer) = response.interact_pointer_pos()
            && track.width() > handle
        {
            let at = (pointer.x - track.left() - handle / 2.0) / (track.width() - handle);
            self.left = at.clamp(0.0, 1.0) * most;
        }
        let at = track.left() + (track.width() - handle) * (self.left / most);
        let rect = Rect::from_min_size(pos2(at, track.top()), vec2(handle, BAR));
        paint(ui, &response, rect.shrink2(vec2(2.0, 2.0)));
        describe(&response, name, f64::from(self.left), f64::from(most));
    }
}

fn paint(ui: &Ui, response: &Response, rect: Rect) {
    let t = Tokens::of(ui);
    let strength = if response.hovered() || response.dragged() { 0.9 } else { 0.45 };
    ui.painter().rect_filled(rect, 3.0, t.bar.gamma_multiply(strength));
}

fn describe(response: &Response, name: &str, at: f64, most: f64) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_role(Role::ScrollBar);
        node.set_label(format!("Scroll {name}"));
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(most);
        node.set_numeric_value(at);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewport(rows: usize) -> Viewport {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 600.0));
        Viewport { rect, rows, pitch: 30.0, width: 400.0 }
    }

    #[test]
    fn a_quarter_of_a_point_is_exact_at_ten_million_rows() {
        let viewport = viewport(10_000_000);
        let mut scroll = Scroll { top: 9_000_000.0, left: 0.0 };
        for step in 1..=1_000 {
            scroll.top += 0.25 / 30.0;
            let exact = 9_000_000.0 + f64::from(step) * 0.25 / 30.0;
            assert!((scroll.top - exact).abs() < 1e-4, "{step}: {}", scroll.top);
        }
        assert_eq!(viewport.visible(&scroll), 9_000_008..9_000_029);
    }

    #[test]
    fn rows_are_aligned_to_pixels_at_any_scale() {
        let viewport = viewport(10_000_000);
        let scroll = Scroll { top: 7_654_321.37, left: 0.0 };
        for row in viewport.visible(&scroll) {
            let top = viewport.row_top(&scroll, row, 1.5) * 1.5;
            assert!((top - top.round()).abs() < 1e-3, "row {row} at {top}");
        }
    }

    #[test]
    fn a_row_is_revealed_with_the_least_move() {
        let viewport = viewport(1_000);
        let mut scroll = Scroll::default();
        scroll.reveal(10, &viewport);
        assert_eq!(scroll.top, 0.0);
        scroll.reveal(20, &viewport);
        assert_eq!(scroll.top, 1.0);
        scroll.reveal(999, &viewport);
        assert_eq!(scroll.top, 980.0);
        scroll.reveal(0, &viewport);
        assert_eq!(scroll.top, 0.0);
    }

    #[test]
    fn no_position_is_kept_outside_the_rows() {
        let viewport = viewport(5);
        for top in [-1.0, 99.0, f64::NAN, f64::INFINITY] {
            let mut scroll = Scroll { top, left: -3.0 };
            scroll.clamp(&viewport);
            assert_eq!(scroll, Scroll::default());
        }
    }
}
