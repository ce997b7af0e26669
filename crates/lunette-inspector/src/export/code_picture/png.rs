//! Renders a picture of code as a bitmap.
//!
//! What must hold: its longest side has a limit; a character that the font lacks is drawn as a box, and the picture
//! says so.

use std::collections::BTreeSet;

use image::ImageError;
use skrifa::MetadataProvider as _;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::DrawSettings;
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use super::palette::{Ink, Palette};
use super::{BAR, COLUMN, CORNER, FONT, LINE, PADDING, SIZE, Sheet, Span};
use crate::export::outline::Pen;
use crate::files::picture::Picture;
use crate::highlighting::TokenClass;

/// Pixels per point.
const SCALE: f32 = 2.0;
/// The maximum side of a picture, in pixels: larger ones are rendered with fewer pixels per point.
const MAX_SIDE: f32 = 8_000.0;

/// Returns the picture as a PNG file.
pub fn png(sheet: &Sheet) -> Result<Vec<u8>, ImageError> {
    dots(sheet).unwrap_or_default().png()
}

/// Returns the picture as a bitmap, or `None` if its size is zero.
pub(super) fn dots(sheet: &Sheet) -> Option<Picture> {
    let palette = Palette::of(sheet.shade);
    let font = skrifa::FontRef::new(FONT).ok()?;
    let notes: Vec<_> = sheet.notes.iter().cloned().chain(missing(sheet, &font)).collect();
    let (width, height) = (sheet.width(), sheet.height(notes.len()));
    let scale = SCALE.min(MAX_SIDE / width.max(height));
    let mut canvas = Canvas {
        pixmap: Pixmap::new((width * scale).ceil() as u32, (height * scale).ceil() as u32)?,
        scale: Transform::from_scale(scale, scale),
        font,
    };
    let whole = rounded(0.5, 0.5, width - 1.0, height - 1.0)?;
    canvas.fill(&whole, palette.ground);
    canvas.fill(&top(0.5, 0.5, width - 1.0)?, palette.panel);
    canvas.outline(&whole, palette.line);
    let head = BAR / 2.0 + SIZE * 0.35;
    sheet.title.iter().for_each(|span| canvas.write(span, head, palette.code(span.class)));
    let column = sheet.columns - sheet.language.chars().count().min(sheet.columns);
    canvas.write(&label(sheet.language, column), head, palette.muted);
    let base = |row: usize| BAR + PADDING + row as f32 * LINE + SIZE;
    for (row, line) in sheet.lines.iter().enumerate() {
        line.iter().for_each(|span| canvas.write(span, base(row), palette.code(span.class)));
    }
    for (number, note) in notes.iter().enumerate() {
        canvas.write(&label(note, 0), base(sheet.lines.len() + number), palette.muted);
    }
    let (width, height) = (canvas.pixmap.width(), canvas.pixmap.height());
    // PNG colours are not premultiplied.
    let dots = canvas.pixmap.pixels().iter().flat_map(|dot| {
        let dot = dot.demultiply();
        [dot.red(), dot.green(), dot.blue(), dot.alpha()]
    });
    Some(Picture { width, height, dots: dots.collect() })
}

fn label(text: &str, column: usize) -> Span {
    Span { column, text: text.to_owned(), width: text.chars().count(), class: TokenClass::Plain }
}

/// Returns a note about the number of characters that the font lacks.
fn missing(sheet: &Sheet, font: &skrifa::FontRef<'_>) -> Option<String> {
    let letters = font.charmap();
    let spans = sheet.lines.iter().flatten().chain(&sheet.title);
    let missing: BTreeSet<char> =
        spans.flat_map(|span| span.text.chars()).filter(|letter| letters.map(*letter).is_none()).collect();
    match missing.len() {
        0 => None,
        1 => Some("1 character is not in the font: a box".to_owned()),
        count => Some(format!("{count} characters are not in the font: boxes")),
    }
}

struct Canvas {
    pixmap: Pixmap,
    scale: Transform,
    font: skrifa::FontRef<'static>,
}

impl Canvas {
    fn fill(&mut self, path: &Path, ink: Ink) {
        self.pixmap.fill_path(path, &paint(ink), FillRule::Winding, self.scale, None);
    }

    fn outline(&mut self, path: &Path, ink: Ink) {
        self.pixmap.stroke_path(path, &paint(ink), &Stroke::default(), self.scale, None);
    }

    /// Draws text column by column. A character that the font lacks is drawn as its missing-glyph box.
    fn write(&mut self, span: &Span, base: f32, ink: Ink) {
        let (size, location) = (Size::new(SIZE), LocationRef::default());
        let (letters, outlines) = (self.font.charmap(), self.font.outline_glyphs());
        let mut left = PADDING + span.column as f32 * COLUMN;
        for letter in span.text.chars() {
            let glyph = letters.map(letter).unwrap_or_default();
            let mut pen = Pen { path: PathBuilder::new(), left, base };
            let settings = DrawSettings::unhinted(size, location);
            let drawn = outlines.get(glyph).and_then(|outline| outline.draw(settings, &mut pen).ok());
            if let (Some(_), Some(path)) = (drawn, pen.path.finish()) {
                self.pixmap.fill_path(&path, &paint(ink), FillRule::Winding, self.scale, None);
            }
            left += COLUMN;
        }
    }
}

fn paint([red, green, blue]: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint.anti_alias = true;
    paint
}

/// The frame.
fn rounded(x: f32, y: f32, width: f32, height: f32) -> Option<Path> {
    let (right, low) = (x + width, y + height);
    let mut path = upper(x, y, right, low - CORNER);
    path.quad_to(right, low, right - CORNER, low);
    path.line_to(x + CORNER, low);
    path.quad_to(x, low, x, low - CORNER);
    path.close();
    path.finish()
}

/// The bar with the name.
fn top(x: f32, y: f32, width: f32) -> Option<Path> {
    let mut path = upper(x, y, x + width, BAR);
    path.line_to(x, BAR);
    path.close();
    path.finish()
}

/// Returns a path from the left side over both upper corners down the right side.
fn upper(x: f32, y: f32, right: f32, down: f32) -> PathBuilder {
    let mut path = PathBuilder::new();
    path.move_to(x, y + CORNER);
    path.quad_to(x, y, x + CORNER, y);
    path.line_to(right - CORNER, y);
    path.quad_to(right, y, right, y + CORNER);
    path.line_to(right, down);
    path
}
