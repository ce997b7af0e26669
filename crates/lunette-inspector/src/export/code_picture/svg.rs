//! A picture of code as SVG.
//!
//! What must hold: the file has neither scripts nor references; whatever the text contains, it is plain text.

use std::fmt::Write as _;

use super::palette::{Ink, Palette};
use super::{BAR, COLUMN, CORNER, LINE, PADDING, SIZE, Sheet, Span};
use lunette_client::model::escape::xml;

/// Returns the picture as an SVG document.
pub fn svg(sheet: &Sheet) -> String {
    let palette = Palette::of(sheet.shade);
    let (width, height) = (sheet.width(), sheet.height(sheet.notes.len()));
    let [ground, panel, line] = [palette.ground, palette.panel, palette.line].map(hex);
    let (right, low) = (width - 1.0, height - 1.0);
    let mut file = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.1}\" height=\"{height:.1}\" viewBox=\"0 0 \
         {width:.1} {height:.1}\" font-family=\"JetBrains Mono, Consolas, Menlo, monospace\" font-size=\"{SIZE}\" \
         xml:space=\"preserve\">\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{right:.1}\" height=\"{low:.1}\" rx=\"{CORNER}\" fill=\"{panel}\" \
         stroke=\"{line}\"/>\n\
         <path d=\"M1 {BAR} H{right:.1} V{corner:.1} Q{right:.1} {low:.1} {inner:.1} {low:.1} H{CORNER} Q1 {low:.1} 1 \
         {corner:.1} Z\" fill=\"{ground}\"/>\n",
        corner = low - CORNER,
        inner = right - CORNER,
    );
    let head = BAR / 2.0 + SIZE * 0.35;
    for span in &sheet.title {
        write_span(&mut file, span, head, palette.code(span.class));
    }
    let language = xml(sheet.language);
    let (end, muted) = (width - PADDING, hex(palette.muted));
    writeln!(file, "<text x=\"{end:.1}\" y=\"{head:.1}\" fill=\"{muted}\" text-anchor=\"end\">{language}</text>").ok();
    let base = |row: usize| BAR + PADDING + row as f32 * LINE + SIZE;
    for (row, line) in sheet.lines.iter().enumerate() {
        for span in line {
            write_span(&mut file, span, base(row), palette.code(span.class));
        }
    }
    for (number, note) in sheet.notes.iter().enumerate() {
        let (y, note) = (base(sheet.lines.len() + number), xml(note));
        writeln!(file, "<text x=\"{PADDING}\" y=\"{y:.1}\" fill=\"{muted}\">{note}</text>").ok();
    }
    file.push_str("</svg>\n");
    file
}

// Writing to a string never fails.
fn write_span(file: &mut String, span: &Span, base: f32, ink: Ink) {
    let (x, width) = (PADDING + span.column as f32 * COLUMN, span.width as f32 * COLUMN);
    let (ink, text) = (hex(ink), xml(&span.text));
    // With another font, the columns keep their positions.
    writeln!(
        file,
        "<text x=\"{x:.1}\" y=\"{base:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\" \
         fill=\"{ink}\">{text}</text>"
    )
    .ok();
}

fn hex([red, green, blue]: Ink) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
