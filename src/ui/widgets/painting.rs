//! Small things painted by hand: a cross inside a field or chip, a label in a rounded frame.

use crate::ui::theme::{Icon, Tokens};
use egui::{Color32, FontId, Rect, Response, Sense, Stroke, StrokeKind, Ui, accesskit::Role, pos2, vec2};

/// An icon button no larger than `rect`; `name` is its accessible name and tooltip.
pub(super) fn tiny_icon_button(ui: &Ui, rect: Rect, id: egui::Id, icon: Icon, name: &str, sense: Sense) -> Response {
    let t = Tokens::of(ui);
    let response = ui.interact(rect, id, sense);
    let lit = response.hovered() || response.has_focus();
    if lit {
        ui.painter().rect_filled(rect, 4.0, t.line);
    }
    icon.paint(ui.painter(), rect.center(), 12.0, if lit { t.text } else { t.muted });
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, response.enabled(), name));
    response.on_hover_text(name)
}

/// The look of a framed label.
pub(super) struct Pill {
    pub fill: Color32,
    pub ink: Color32,
    pub size: f32,
    pub height: f32,
    pub radius: f32,
    /// Space on the right for what is drawn there later, in points.
    pub tail: f32,
}

impl Pill {
    /// Replaces the background, if another one is given.
    pub fn filled(self, fill: Option<Color32>) -> Self {
        Self { fill: fill.unwrap_or(self.fill), ..self }
    }
}

/// Space between the frame of a label and its text, on the left and right, in points.
const PILL_PADDING: f32 = 8.0;

/// Returns the width of a framed label, in points.
pub(super) fn pill_width(ui: &Ui, text: &str, pill: &Pill) -> f32 {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), FontId::proportional(pill.size), pill.ink);
    (galley.size().x + PILL_PADDING * 2.0 + pill.tail).ceil()
}

/// Draws text in a frame as high as `pill` says, centred on its line; truncated if it is wider than a whole line. It
/// has the given id, else one by its position. Returns whether it was truncated.
///
/// It is placed by its own width and in no `Ui` of its own, so that a line of pills wraps.
pub(super) fn pill(ui: &mut Ui, id: Option<egui::Id>, text: String, pill: &Pill, sense: Sense) -> (Response, bool) {
    let t = Tokens::of(ui);
    let room = ui.max_rect().width() - PILL_PADDING * 2.0 - pill.tail;
    let mut job = egui::text::LayoutJob::simple_singleline(text, FontId::proportional(pill.size), pill.ink);
    job.wrap = egui::text::TextWrapping::truncate_at_width(room.max(24.0));
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let width = (galley.size().x + PILL_PADDING * 2.0 + pill.tail).ceil();
    let (own, rect) = ui.allocate_space(vec2(width, pill.height));
    let response = ui.interact(rect, id.unwrap_or(own), sense);
    let cut = galley.elided;
    let fill = if response.hovered() && sense.senses_click() { t.line } else { pill.fill };
    ui.painter().rect(rect, pill.radius, fill, Stroke::new(1.0, t.line), StrokeKind::Inside);
    let pos = pos2(rect.left() + PILL_PADDING, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(pos, galley, pill.ink);
    (response, cut)
}
