//! Right-to-left text in visual order.
//!
//! The toolkit shapes each word of Hebrew or Arabic correctly, but places the words from left to right. Here the glyphs
//! of every row with such text are moved as the Unicode Bidirectional Algorithm requires
//! ([UAX #9](https://www.unicode.org/reports/tr9/)), after line breaking and before drawing.
//!
//! What must hold: only the drawing changes. Text that is copied, searched or read aloud stays in logical order, and a
//! row without such text is not processed further. Known limit: the caret and the highlight of selected text in fields of
//! the toolkit stay where it draws them; [`caret`] has the places that our editor draws them at.

pub(in crate::ui) mod caret;
mod order;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use egui::epaint::text::{Glyph, PlacedRow};
use egui::epaint::{Shape, Vertex};
use egui::{Context, FullOutput, Galley, Plugin};

use order::Slot;

/// Makes the context draw right-to-left text in visual order.
pub(super) fn install(ctx: &Context) {
    ctx.add_plugin(Bidi::default());
}

/// Reorders what is to be drawn, and caches the result while it stays on screen.
#[derive(Default)]
struct Bidi {
    reordered: HashMap<usize, ReorderedGalley>,
    frame: u64,
}

/// A galley before and after.
struct ReorderedGalley {
    /// Kept alive, so that its address is not reused.
    _from: Arc<Galley>,
    to: Arc<Galley>,
    frame: u64,
}

impl Plugin for Bidi {
    fn debug_name(&self) -> &'static str {
        "right-to-left text"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        self.frame += 1;
        output.shapes.iter_mut().for_each(|clipped| self.reorder_shape(&mut clipped.shape));
        let frame = self.frame;
        self.reordered.retain(|_, reordered| reordered.frame == frame);
    }
}

impl Bidi {
    fn reorder_shape(&mut self, shape: &mut Shape) {
        match shape {
            Shape::Vec(shapes) => shapes.iter_mut().for_each(|shape| self.reorder_shape(shape)),
            Shape::Text(text) if order::contains_rtl(text.galley.text()) => {
                let frame = self.frame;
                let from = &text.galley;
                let reordered = self.reordered.entry(Arc::as_ptr(from).addr()).or_insert_with(|| {
                    let to = Arc::new(reordered(from));
                    ReorderedGalley { _from: Arc::clone(from), to, frame }
                });
                reordered.frame = frame;
                text.galley = Arc::clone(&reordered.to);
            }
            _ => {}
        }
    }
}

/// Returns the galley with the glyphs of each row in visual order.
fn reordered(galley: &Galley) -> Galley {
    let mut reordered = galley.clone();
    let mut paragraphs = galley.text().split('\n');
    let mut rtl = paragraphs.next().is_some_and(order::is_rtl_paragraph);
    let last = reordered.rows.len().saturating_sub(1);
    let mut chars = galley.text().chars();
    for (index, row) in reordered.rows.iter_mut().enumerate() {
        let glyphs: Vec<char> = row.glyphs.iter().map(|glyph| glyph.chr).collect();
        // The truncated row has one glyph more than its text: the ellipsis.
        let cut = galley.elided && index == last;
        let rest = if cut { chars.by_ref().nth(glyphs.len().saturating_sub(1)) } else { None };
        let torn = rest.and_then(|rest| order::cut_word(&glyphs, rest)).unwrap_or_default();
        reorder_row(row, &glyphs, torn, rtl, galley.pixels_per_point);
        if !cut {
            let of_row = glyphs.len() + usize::from(row.ends_with_newline);
            chars.by_ref().take(of_row).for_each(drop);
        }
        if row.ends_with_newline {
            rtl = paragraphs.next().is_some_and(order::is_rtl_paragraph);
        }
    }
    reordered
}

/// Moves the glyphs of one row; those in `torn` are hidden.
fn reorder_row(placed: &mut PlacedRow, glyphs: &[char], torn: Range<usize>, rtl: bool, pixels_per_point: f32) {
    let Some(mut slots) = order::visual_order(glyphs, rtl) else { return };
    slots.retain(|slot| !torn.contains(&slot.glyph));
    let row = Arc::make_mut(&mut placed.row);
    let drawn_at = lefts(row.glyphs.iter());
    let read_at = lefts(slots.iter().map(|slot| &row.glyphs[slot.glyph]));
    let before = row.visuals.mesh.vertices.clone();
    for corners in row.glyphs[torn].iter().filter_map(|glyph| corners(glyph, before.len())) {
        row.visuals.mesh.vertices[corners].fill(Vertex::default());
    }
    for (Slot { glyph, looks }, left) in slots.into_iter().zip(read_at) {
        let (target, source) = (&row.glyphs[glyph], &row.glyphs[looks]);
        let (Some(to), Some(from)) = (corners(target, before.len()), corners(source, before.len())) else { continue };
        let shift = ((left - drawn_at[looks]) * pixels_per_point).round() / pixels_per_point;
        for (to, from) in to.zip(from) {
            let Vertex { pos, uv, .. } = before[from];
            let color = before[to].color;
            row.visuals.mesh.vertices[to] = Vertex { pos: egui::pos2(pos.x + shift, pos.y), uv, color };
        }
    }
}

/// Returns the left edge of each glyph of a row, placed one after the other.
fn lefts<'a>(glyphs: impl Iterator<Item = &'a Glyph>) -> Vec<f32> {
    let begin = |left: &mut f32, glyph: &Glyph| {
        let here = *left;
        *left += glyph.advance_width;
        Some(here)
    };
    glyphs.scan(0.0, begin).collect()
}

/// Returns the vertices of a glyph in the mesh of its row; `None` if it has none, like a space.
fn corners(glyph: &Glyph, count: usize) -> Option<Range<usize>> {
    let first = glyph.first_vertex as usize;
    (!glyph.uv_rect.is_nothing() && first + 4 <= count).then(|| first..first + 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme;
    use egui::epaint::text::{LayoutJob, TextWrapping};
    use egui::{Color32, FontId, RawInput};

    /// A text laid out with our fonts and one of the system's, before and after.
    fn laid_out(text: &str, font: &str, width: f32) -> (Galley, Galley) {
        lay_out(LayoutJob::simple(text.to_owned(), FontId::proportional(13.0), Color32::WHITE, width), font)
    }

    /// Lays a text out on one row, cut with an ellipsis.
    fn laid_out_short(text: &str, font: &str, width: f32) -> (Galley, Galley) {
        let mut job = LayoutJob::simple(text.to_owned(), FontId::proportional(13.0), Color32::WHITE, width);
        job.wrap = TextWrapping::truncate_at_width(width);
        lay_out(job, font)
    }

    fn lay_out(job: LayoutJob, font: &str) -> (Galley, Galley) {
        let bytes = std::fs::read(format!("/usr/share/fonts/truetype/noto/{font}-Regular.ttf"));
        let bytes = bytes.unwrap_or_else(|error| panic!("{font} is not installed (Debian: fonts-noto-core): {error}"));
        let ctx = Context::default();
        theme::install(&ctx);
        let families = [egui::FontFamily::Proportional].map(|family| egui::epaint::text::InsertFontFamily {
            family,
            priority: egui::epaint::text::FontPriority::Lowest,
        });
        let insert = egui::epaint::text::FontInsert::new(font, egui::FontData::from_owned(bytes), families.to_vec());
        ctx.add_font(insert);
        let mut found = None;
        for _ in 0..2 {
            let draw = |ui: &mut egui::Ui| {
                let galley = ui.fonts_mut(|fonts| fonts.layout_job(job.clone()));
                found = Some((galley.as_ref().clone(), reordered(&galley)));
            };
            ctx.run_ui(RawInput::default(), draw).textures_delta.clear();
        }
        found.expect("laid out")
    }

    /// What is drawn in a row, from left to right; each glyph is identified by its image.
    fn read(row: &PlacedRow) -> String {
        let vertices = &row.visuals.mesh.vertices;
        let drawn = row.glyphs.iter().filter_map(|glyph| corners(glyph, vertices.len()));
        let picture = |uv: egui::Pos2| {
            let of = row.glyphs.iter().find(|glyph| glyph.uv_rect.min.map(f32::from) == [uv.x, uv.y]);
            of.map_or('?', |glyph| glyph.chr)
        };
        let mut drawn: Vec<_> = drawn.map(|corners| vertices[corners.start]).collect();
        drawn.sort_by(|one, other| one.pos.x.total_cmp(&other.pos.x));
        drawn.into_iter().map(|corner| picture(corner.uv)).collect()
    }

    #[test]
    fn words_of_hebrew_are_drawn_from_the_right() {
        let (before, after) = laid_out("שלום עולם", "NotoSansHebrew", f32::INFINITY);
        assert_eq!(read(&before.rows[0]), "םולשםלוע", "as the toolkit has it");
        assert_eq!(read(&after.rows[0]), "םלועםולש");
        assert_eq!(after.text(), before.text());
    }

    #[test]
    fn hebrew_within_english_stays_in_its_place() {
        let (_, after) = laid_out("the שלום עולם (אחד) end 12", "NotoSansHebrew", f32::INFINITY);
        assert_eq!(read(&after.rows[0]), "the(דחא)םלועםולשend12");
    }

    #[test]
    fn the_caret_and_the_selection_are_where_the_letters_are_drawn() {
        for text in ["the שלום עולם (אחד) end 12", "Shalom: שלום עולם (אחד) 12 end", "שלום abc עולם"]
        {
            let (before, after) = laid_out(text, "NotoSansHebrew", f32::INFINITY);
            let places = caret::RowPlaces::of(&before).unwrap_or_else(|| panic!("{text} has places"));
            let row = &after.rows[0];
            let chars: Vec<char> = text.chars().collect();
            let vertices = &row.visuals.mesh.vertices;
            let mut lefts: Vec<f32> = row
                .glyphs
                .iter()
                .filter_map(|glyph| Some(vertices[corners(glyph, vertices.len())?.start].pos.x))
                .collect();
            lefts.sort_by(f32::total_cmp);
            let mut spans: Vec<_> = (0..chars.len())
                .filter(|index| chars[*index] != ' ')
                .flat_map(|index| places.spans(index..index + 1))
                .collect();
            spans.sort_by(|one, other| one.start.total_cmp(&other.start));
            assert_eq!(spans.len(), lefts.len(), "{text}");
            for (span, left) in spans.iter().zip(&lefts) {
                assert!((span.start - 1.5..span.end + 1.5).contains(left), "{text}: {left} in {span:?}");
            }
            let whole = places.spans(0..chars.len());
            assert_eq!(whole.len(), 1, "{text}: {whole:?}");
        }
    }

    #[test]
    fn each_row_of_a_wrapped_paragraph_is_reordered_separately() {
        let text = "אחת שתיים שלוש ארבע חמש שש שבע";
        let (_, after) = laid_out(text, "NotoSansHebrew", 90.0);
        assert!(after.rows.len() > 1);
        assert!(read(&after.rows[0]).ends_with("תחא"), "{}", read(&after.rows[0]));
    }

    #[test]
    fn a_word_that_was_cut_from_its_beginning_is_left_out_as_a_whole() {
        let (before, after) = laid_out_short("שלום עולם", "NotoSansHebrew", 48.0);
        assert!(before.elided && before.rows[0].glyphs.len() > 6, "{:?}", before.rows[0].text());
        assert_eq!(read(&after.rows[0]).trim_matches('?'), "…םולש");
        assert_eq!(after.text(), "שלום עולם");
    }

    #[test]
    fn text_without_right_to_left_letters_is_left_alone() {
        assert!(!order::contains_rtl("日本語 — naïve “Ωmega” 😀"));
        assert!(order::contains_rtl("mémo: مرحبا"));
    }
}
