//! Code to be typed: line numbers, one line marked as wrong, JSON in colours.
//!
//! What must hold: a frame in which nothing was typed lays nothing out; very large texts are drawn in one colour.

use super::json_text::json_runs;
use super::scroll::BAR;
use crate::ui::focus::claims_tab;
use crate::ui::theme::{RADIUS, TokenClass, Tokens};
use egui::text::{LayoutJob, LayoutSection, TextFormat};
use egui::{FontId, Frame, Galley, Rect, Response, ScrollArea, Sense, Stroke, TextBuffer, TextEdit, Ui};
use egui::{UiBuilder, pos2, vec2};
use std::sync::Arc;

/// Text of more bytes than this is drawn in one colour.
pub const MOST_COLOURED: usize = 512 * 1024;

/// Space between the frame and the text, in points.
const MARGIN: f32 = 6.0;

/// What an editor remembers: the text as it was laid out last.
#[derive(Clone, Default)]
pub struct CodeEditState {
    laid: Option<Laid>,
    /// Whether it is text of any kind instead of JSON: one colour, and Tab is a character of it.
    plain: bool,
}

#[derive(Clone)]
struct Laid {
    text: String,
    dark: bool,
    pixels_per_point: f32,
    galley: Arc<Galley>,
}

impl CodeEditState {
    /// The state of an editor for text of any kind.
    pub fn plain() -> Self {
        Self { laid: None, plain: true }
    }

    /// The text laid out; from before where neither it nor its look changed.
    fn lay_out(&mut self, ui: &Ui, text: &str, font: &FontId) -> Arc<Galley> {
        let (t, pixels) = (Tokens::of(ui), ui.pixels_per_point());
        let known = |laid: &&Laid| laid.dark == t.dark && laid.pixels_per_point == pixels && laid.text == text;
        if let Some(laid) = self.laid.as_ref().filter(known) {
            return Arc::clone(&laid.galley);
        }
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job(text, self.plain, font, t)));
        let laid = Laid { text: text.to_owned(), dark: t.dark, pixels_per_point: pixels, galley: Arc::clone(&galley) };
        self.laid = Some(laid);
        galley
    }
}

fn job(text: &str, plain: bool, font: &FontId, t: &Tokens) -> LayoutJob {
    let mut job = LayoutJob { keep_trailing_whitespace: true, ..LayoutJob::default() };
    job.wrap.max_width = f32::INFINITY;
    let runs =
        if plain || text.len() > MOST_COLOURED { vec![(0..text.len(), TokenClass::Plain)] } else { json_runs(text) };
    let section = |(bytes, class): (std::ops::Range<usize>, TokenClass)| LayoutSection {
        leading_space: 0.0,
        byte_range: bytes.start.into()..bytes.end.into(),
        format: TextFormat::simple(font.clone(), t.code(class)),
    };
    job.sections = runs.into_iter().map(section).collect();
    job.text = text.to_owned();
    job
}

/// Draws `text` to be edited over the width there is, `height` points high; `fault` is the line that is wrong, counted
/// from one. `name` is what the editor is called, and unique among what is drawn beside it.
pub fn code_edit(
    ui: &mut Ui,
    name: &str,
    text: &mut String,
    state: &mut CodeEditState,
    height: f32,
    fault: Option<usize>,
) -> Response {
    let t = Tokens::of(ui);
    let (outer, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let line = Stroke::new(1.0, if fault.is_some() { t.error } else { t.line });
    ui.painter().rect(outer, f32::from(RADIUS), t.code_ground, line, egui::StrokeKind::Inside);
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let digits = text.bytes().filter(|byte| *byte == b'\n').count().to_string().len().max(2) as f32;
    let gutter = (digits * ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'))).ceil() + 28.0;
    let builder = UiBuilder::new().id_salt(name).max_rect(outer.shrink(1.0));
    let mut child = ui.new_child(builder);
    child.shrink_clip_rect(outer.shrink(1.0));
    let area = ScrollArea::both().id_salt(("edit", name)).auto_shrink([false, false]);
    let plain = state.plain;
    let response = area
        .show(&mut child, |ui| {
            let width = (outer.width() - gutter - BAR - 4.0).max(40.0);
            let laid = state.lay_out(ui, text, &font).size().x + 2.0 * MARGIN + 16.0;
            let output = ui
                .horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    ui.add_space(gutter);
                    let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _: f32| state.lay_out(ui, text.as_str(), &font);
                    let edit = TextEdit::multiline(text).id_salt(name).font(font.clone()).layouter(&mut layouter);
                    let edit = edit.lock_focus(plain);
                    let edit = edit.desired_width(width.max(laid)).frame(Frame::new().inner_margin(MARGIN));
                    let rows = ((height - 2.0 * MARGIN) / 16.0).floor().max(1.0) as usize;
                    edit.desired_rows(rows).show(ui)
                })
                .inner;
            let response = output.response.response.accessible_name(name);
            numbers_ui(ui, &output.galley, output.galley_pos.y, gutter, fault, &font);
            response
        })
        .inner;
    if plain {
        claims_tab(ui.ctx(), response.id);
    }
    response
}

/// The numbers of the lines in sight, over whatever text is moved below them.
fn numbers_ui(ui: &Ui, galley: &Galley, top: f32, gutter: f32, fault: Option<usize>, font: &FontId) {
    let (t, clip) = (Tokens::of(ui), ui.clip_rect());
    let strip = Rect::from_min_max(clip.min, pos2(clip.left() + gutter - 4.0, clip.bottom()));
    ui.painter().rect_filled(strip, 0.0, t.code_ground);
    let first = galley.rows.partition_point(|row| top + row.max_y() < clip.top());
    for (place, row) in galley.rows.iter().enumerate().skip(first) {
        let (above, below) = (top + row.min_y(), top + row.max_y());
        if above > clip.bottom() {
            break;
        }
        let wrong = fault == Some(place + 1);
        if wrong {
            let rect = Rect::from_min_max(pos2(strip.left(), above), pos2(strip.right(), below));
            ui.painter().rect_filled(rect, 0.0, t.removed_ground);
        }
        let color = if wrong { t.text } else { t.faint };
        let at = pos2(strip.right() - 8.0, (above + below) / 2.0);
        ui.painter().text(at, egui::Align2::RIGHT_CENTER, place + 1, font.clone(), color);
    }
}
