//! A code editor: line numbers, one line marked as wrong, highlighted JSON.
//!
//! What must hold: a frame in which nothing was typed lays nothing out and copies nothing; very large texts are not
//! highlighted.

use crate::ui::focus::{claims_tab, without_foreign_keys};
use crate::ui::theme::{RADIUS, TokenClass, Tokens};
use crate::ui::widgets::json_text::json_runs;
use crate::ui::widgets::scroll::BAR;
use egui::text::{LayoutJob, LayoutSection, TextFormat};
use egui::{FontId, Frame, Galley, Rect, Response, ScrollArea, Sense, Stroke, TextBuffer, TextEdit, Ui};
use egui::{UiBuilder, pos2, vec2};
use std::sync::Arc;

/// Larger texts, in bytes, are drawn in one colour.
pub const MAX_COLOURED: usize = 512 * 1024;

/// Space between the frame and the text, in points.
const MARGIN: f32 = 6.0;

/// The state of an editor: the text as it was laid out last.
#[derive(Clone, Default)]
pub struct CodeEditState {
    laid: Option<Layouted>,
    /// Whether the text is not JSON: one colour, and Tab inserts a tab.
    plain: bool,
}

#[derive(Clone)]
struct Layouted {
    dark: bool,
    pixels_per_point: f32,
    /// With the text it was laid out from.
    galley: Arc<Galley>,
    /// Number of line breaks in it.
    breaks: usize,
}

impl CodeEditState {
    /// The state of an editor for plain text.
    pub fn plain() -> Self {
        Self { laid: None, plain: true }
    }

    /// Lays out the text, reusing the previous layout if neither text nor look changed.
    fn lay_out(&mut self, ui: &Ui, text: &str, font: &FontId) -> Arc<Galley> {
        let (t, pixels) = (Tokens::of(ui), ui.pixels_per_point());
        let known =
            |laid: &&Layouted| laid.dark == t.dark && laid.pixels_per_point == pixels && laid.galley.text() == text;
        if let Some(laid) = self.laid.as_ref().filter(known) {
            return Arc::clone(&laid.galley);
        }
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job(text, self.plain, font, t)));
        let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
        self.laid = Some(Layouted { dark: t.dark, pixels_per_point: pixels, galley: Arc::clone(&galley), breaks });
        galley
    }

    /// Returns the width of the line numbers, in points.
    fn gutter(&self, ui: &Ui, font: &FontId) -> f32 {
        let breaks = self.laid.as_ref().map_or(0, |laid| laid.breaks);
        let digits = breaks.to_string().len().max(2) as f32;
        (digits * ui.fonts_mut(|fonts| fonts.glyph_width(font, '0'))).ceil() + 28.0
    }
}

fn job(text: &str, plain: bool, font: &FontId, t: &Tokens) -> LayoutJob {
    let mut job = LayoutJob { keep_trailing_whitespace: true, ..LayoutJob::default() };
    job.wrap.max_width = f32::INFINITY;
    let runs =
        if plain || text.len() > MAX_COLOURED { vec![(0..text.len(), TokenClass::Plain)] } else { json_runs(text) };
    let section = |(bytes, class): (std::ops::Range<usize>, TokenClass)| LayoutSection {
        leading_space: 0.0,
        byte_range: bytes.start.into()..bytes.end.into(),
        format: TextFormat::simple(font.clone(), t.code(class)),
    };
    job.sections = runs.into_iter().map(section).collect();
    job.text = text.to_owned();
    job
}

/// Draws an editor for `text` over the available width, `height` points high; `fault` is the line with an error,
/// starting at 1. `name` is the accessible name, unique among its siblings.
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
    let laid = state.lay_out(ui, text, &font).size().x + 2.0 * MARGIN + 16.0;
    let gutter = state.gutter(ui, &font);
    let builder = UiBuilder::new().id_salt(name).max_rect(outer.shrink(1.0));
    let mut child = ui.new_child(builder);
    child.shrink_clip_rect(outer.shrink(1.0));
    let area = ScrollArea::both().id_salt(("edit", name)).auto_shrink([false, false]);
    let plain = state.plain;
    let response = area
        .show(&mut child, |ui| {
            let width = (outer.width() - gutter - BAR - 4.0).max(40.0);
            let output = ui
                .horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    ui.add_space(gutter);
                    let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _: f32| state.lay_out(ui, text.as_str(), &font);
                    let edit = TextEdit::multiline(text).id_salt(name).font(font.clone()).layouter(&mut layouter);
                    let edit = edit.lock_focus(plain);
                    let edit = edit.desired_width(width.max(laid)).frame(Frame::new().inner_margin(MARGIN));
                    let rows = ((height - 2.0 * MARGIN) / 16.0).floor().max(1.0) as usize;
                    without_foreign_keys(ui, |ui| edit.desired_rows(rows).show(ui))
                })
                .inner;
            let response = output.response.response.accessible_name(name);
            numbers_ui(ui, &output.galley, output.galley_pos.y, gutter, fault, &font);
            response
        })
        .inner;
    if plain && response.has_focus() {
        claims_tab(ui.ctx(), response.id);
    }
    response
}

/// Draws the numbers of the visible lines, covering any text scrolled below them.
fn numbers_ui(ui: &Ui, galley: &Galley, top: f32, gutter: f32, fault: Option<usize>, font: &FontId) {
    let (t, clip) = (Tokens::of(ui), ui.clip_rect());
    let strip = Rect::from_min_max(clip.min, pos2(clip.left() + gutter - 4.0, clip.bottom()));
    ui.painter().rect_filled(strip, 0.0, t.code_ground);
    let first = galley.rows.partition_point(|row| top + row.max_y() < clip.top());
    for (index, row) in galley.rows.iter().enumerate().skip(first) {
        let (above, below) = (top + row.min_y(), top + row.max_y());
        if above > clip.bottom() {
            break;
        }
        let wrong = fault == Some(index + 1);
        if wrong {
            let rect = Rect::from_min_max(pos2(strip.left(), above), pos2(strip.right(), below));
            ui.painter().rect_filled(rect, 0.0, t.removed_ground);
        }
        let color = if wrong { t.text } else { t.faint };
        let at = pos2(strip.right() - 8.0, (above + below) / 2.0);
        ui.painter().text(at, egui::Align2::RIGHT_CENTER, index + 1, font.clone(), color);
    }
}
