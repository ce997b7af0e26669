//! A drawing as dots, made away from the window's thread: the graph, from the same description as the SVG file, and plots.

use std::sync::Arc;

use egui::Context;
use skrifa::MetadataProvider as _;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::DrawSettings;
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use crate::ui::theme::fonts::text_font;
use crate::ui::widgets::background::{Background, Identity};
use lunette_inspector::export::outline::Pen;
use lunette_inspector::files::picture::Picture;
use lunette_inspector::graph::{Drawing, Mark};

/// Dots for each point.
const SCALE: f32 = 2.0;
/// The longest side of a picture, in dots: larger ones are made with fewer dots for each point.
const LONGEST: f32 = 8_000.0;

/// Makes the drawing; away from the window's thread.
type Make = dyn Fn() -> Drawing + Send + Sync;

/// The picture that is being made, if one was asked for.
#[derive(Default)]
pub(in crate::ui) struct Pictures {
    wanted: Option<Arc<Make>>,
    made: Background<Identity<Make>, Arc<Picture>>,
}

impl Pictures {
    /// Asks for a picture of a drawing.
    pub fn ask(&mut self, make: impl Fn() -> Drawing + Send + Sync + 'static) {
        self.wanted = Some(Arc::new(make));
    }

    /// Makes the picture that was asked for; returns it once it is made. One without dots says that it could not be.
    pub fn receive(&mut self, ctx: &Context) -> Option<Arc<Picture>> {
        let make = Arc::clone(self.wanted.as_ref()?);
        let key = Identity(Arc::clone(&make));
        let made = self.made.get(ctx, &key, move || Arc::new(raster(&make()).unwrap_or_default()))?;
        let picture = made.map(Arc::clone).unwrap_or_default();
        self.wanted = None;
        Some(picture)
    }
}

/// Returns the drawing as dots; None where it has no size.
fn raster(drawing: &Drawing) -> Option<Picture> {
    let scale = SCALE.min(LONGEST / drawing.width.max(drawing.height).max(1.0));
    let dots = |points: f32| (points * scale).ceil() as u32;
    let mut pixmap = Pixmap::new(dots(drawing.width), dots(drawing.height))?;
    pixmap.fill(Color::WHITE);
    let transform = Transform::from_scale(scale, scale);
    let font = skrifa::FontRef::new(text_font()).ok();
    for mark in &drawing.marks {
        match mark {
            Mark::Line { from, to, dashed } => line(&mut pixmap, &[*from, *to], false, *dashed, transform),
            Mark::Shape { corners, fill, dashed } => shape(&mut pixmap, corners, *fill, *dashed, transform),
            Mark::Text { at, text, size } => {
                if let Some(font) = &font {
                    write(&mut pixmap, font, *at, text, *size, transform);
                }
            }
        }
    }
    let (width, height) = (pixmap.width(), pixmap.height());
    // Without transparency there is nothing to undo of how the dots are kept.
    Some(Picture { width, height, dots: pixmap.take() })
}

fn ink([red, green, blue]: [u8; 3]) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    paint.anti_alias = true;
    paint
}

fn path(corners: &[[f32; 2]], close: bool) -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    let ([x, y], rest) = corners.split_first()?;
    path.move_to(*x, *y);
    rest.iter().for_each(|[x, y]| path.line_to(*x, *y));
    if close {
        path.close();
    }
    path.finish()
}

fn line(pixmap: &mut Pixmap, corners: &[[f32; 2]], close: bool, dashed: bool, transform: Transform) {
    let Some(path) = path(corners, close) else { return };
    let dash = dashed.then(|| StrokeDash::new(vec![4.0, 3.0], 0.0)).flatten();
    let stroke = Stroke { width: 1.2, dash, ..Stroke::default() };
    let color = if close { [0x3a, 0x40, 0x4a] } else { [0x8a, 0x90, 0x9a] };
    pixmap.stroke_path(&path, &ink(color), &stroke, transform, None);
}

fn shape(pixmap: &mut Pixmap, corners: &[[f32; 2]], fill: [u8; 3], dashed: bool, transform: Transform) {
    if let Some(path) = path(corners, true) {
        pixmap.fill_path(&path, &ink(fill), FillRule::Winding, transform, None);
    }
    line(pixmap, corners, true, dashed, transform);
}

/// Writes a text around its middle, letter by letter. A letter that the font lacks is its sign for that.
fn write(pixmap: &mut Pixmap, font: &skrifa::FontRef<'_>, at: [f32; 2], text: &str, size: f32, transform: Transform) {
    let (size, location) = (Size::new(size), LocationRef::default());
    let (letters, widths, outlines) = (font.charmap(), font.glyph_metrics(size, location), font.outline_glyphs());
    let glyphs: Vec<_> = text.chars().map(|letter| letters.map(letter).unwrap_or_default()).collect();
    let width = |glyph| widths.advance_width(glyph).unwrap_or_default();
    let mut left = at[0] - glyphs.iter().map(|glyph| width(*glyph)).sum::<f32>() / 2.0;
    for glyph in glyphs {
        let mut pen = Pen { path: PathBuilder::new(), left, base: at[1] };
        let drawn =
            outlines.get(glyph).and_then(|outline| outline.draw(DrawSettings::unhinted(size, location), &mut pen).ok());
        if let (Some(_), Some(path)) = (drawn, pen.path.finish()) {
            pixmap.fill_path(&path, &ink([0x1d, 0x1f, 0x23]), FillRule::Winding, transform, None);
        }
        left += width(glyph);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_becomes_dots_with_its_lines_shapes_and_letters() {
        let corners = vec![[10.0, 10.0], [50.0, 10.0], [50.0, 50.0], [10.0, 50.0]];
        let drawing = Drawing {
            width: 200.0,
            height: 100.0,
            marks: vec![
                Mark::Shape { corners, fill: [255, 0, 0], dashed: false },
                Mark::Text { at: [120.0, 50.0], text: "Wörter 木".to_owned(), size: 20.0 },
            ],
        };
        let picture = raster(&drawing).expect("a picture");
        assert_eq!((picture.width, picture.height), (400, 200));
        let dot = |x: usize, y: usize| &picture.dots[(y * 400 + x) * 4..][..4];
        assert_eq!((dot(60, 60), dot(390, 10)), (&[255, 0, 0, 255][..], &[255; 4][..]));
        let dark = (140..340).flat_map(|x| (60..110).map(move |y| (x, y))).filter(|(x, y)| dot(*x, *y)[0] < 90);
        assert!(dark.count() > 200, "letters are drawn");
        assert!(picture.png().is_ok());
    }

    #[test]
    fn the_largest_drawing_stays_within_the_maximum_side_and_an_empty_one_has_no_picture() {
        let drawing = Drawing { width: 20_000.0, height: 300.0, marks: Vec::new() };
        let picture = raster(&drawing).expect("a picture");
        assert!(picture.width <= 8_001 && picture.height <= 121);
        assert_eq!(raster(&Drawing::default()), None);
    }
}
