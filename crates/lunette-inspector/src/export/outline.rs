//! Converts the outline of a glyph to a path.

use skrifa::outline::OutlinePen;
use tiny_skia::PathBuilder;

/// Draws a glyph at its position. In fonts, y increases upwards from the baseline.
pub struct Pen {
    /// The path so far.
    pub path: PathBuilder,
    /// The left edge of the glyph.
    pub left: f32,
    /// Its baseline.
    pub base: f32,
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.left + x, self.base - y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.left + x, self.base - y);
    }

    fn quad_to(&mut self, bend_x: f32, bend_y: f32, x: f32, y: f32) {
        self.path.quad_to(self.left + bend_x, self.base - bend_y, self.left + x, self.base - y);
    }

    fn curve_to(&mut self, one_x: f32, one_y: f32, two_x: f32, two_y: f32, x: f32, y: f32) {
        let (left, base) = (self.left, self.base);
        self.path.cubic_to(left + one_x, base - one_y, left + two_x, base - two_y, left + x, base - y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
