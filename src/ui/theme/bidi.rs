//! Right-to-left text in the order it is read.
//!
//! The toolkit shapes each word of Hebrew or Arabic as it should be, but sets one word after the other from the left.
//! Here the signs of every row that holds such text are moved to where the Unicode Bidirectional Algorithm wants them
//! ([UAX #9](https://www.unicode.org/reports/tr9/)), after rows were broken and before they are drawn.
//!
//! What must hold: only what is drawn changes. Text that is copied, searched or read aloud stays in its own order, and a
//! row without such text is not looked at twice. Known limit: the caret and the mark behind selected text stand where the
//! toolkit has them.

mod order;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use egui::epaint::text::{Glyph, PlacedRow};
use egui::epaint::{Shape, Vertex};
use egui::{Context, FullOutput, Galley, Plugin};

use order::Slot;

/// Has the context draw right-to-left text in its order.
pub(super) fn install(ctx: &Context) {
    ctx.add_plugin(Bidi::default());
}

/// Turns what is to be drawn, and remembers what was turned for as long as it stays on screen.
#[derive(Default)]
struct Bidi {
    reordered: HashMap<usize, ReorderedGalley>,
    frame: u64,
}

/// Laid out text, before and after.
struct ReorderedGalley {
    /// Held, so that no other text comes to its address.
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

/// The same text with the signs of each row in the order they are read.
fn reordered(galley: &Galley) -> Galley {
    let mut reordered = galley.clone();
    let mut paragraphs = galley.text().split('\n');
    let mut rtl = paragraphs.next().is_some_and(order::is_rtl_paragraph);
    let last = reordered.rows.len().saturating_sub(1);
    let mut chars = galley.text().chars();
    for (place, row) in reordered.rows.iter_mut().enumerate() {
        let glyphs: Vec<char> = row.glyphs.iter().map(|glyph| glyph.chr).collect();
        // The row that was cut has one sign more than its text: the ellipsis.
        let cut = galley.elided && place == last;
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

/// Moves the signs of one row; those that are `torn` are not shown.
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
        let (place, source) = (&row.glyphs[glyph], &row.glyphs[looks]);
        let (Some(to), Some(from)) = (corners(place, before.len()), corners(source, before.len())) else { continue };
        let shift = ((left - drawn_at[looks]) * pixels_per_point).round() / pixels_per_point;
        for (to, from) in to.zip(from) {
            let Vertex { pos, uv, .. } = before[from];
            let color = before[to].color;
            row.visuals.mesh.vertices[to] = Vertex { pos: egui::pos2(pos.x + shift, pos.y), uv, color };
        }
    }
}

/// Where each sign of a row begins, one after the other.
fn lefts<'a>(glyphs: impl Iterator<Item = &'a Glyph>) -> Vec<f32> {
    let begin = |left: &mut f32, glyph: &Glyph| {
        let here = *left;
        *left += glyph.advance_width;
        Some(here)
    };
    glyphs.scan(0.0, begin).collect()
}

/// The corners of a sign in the mesh of its row; None where it has none, as a space.
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

    /// A text as it is laid out with our fonts and one of the system's, before and after.
    fn laid_out(text: &str, font: &str, width: f32) -> (Galley, Galley) {
        lay_out(LayoutJob::simple(text.to_owned(), FontId::proportional(13.0), Color32::WHITE, width), font)
    }

    /// The same on one row, cut with an ellipsis.
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

    /// What is drawn in a row, from left to right; each sign is known by its picture.
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
    fn each_row_of_a_broken_paragraph_is_turned_by_itself() {
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
