//! A progress bar.

use crate::ui::theme::{Appearance, Tokens};
use egui::{Response, Sense, Ui, accesskit::Role, vec2};
use std::time::Duration;

/// A bar `width` points wide, filled by `done` (0 to 1), or moving if the total is unknown.
///
/// `name` says what is in progress, for assistive technology. A moving bar repaints ten times a second; with reduced
/// motion it stays in the middle.
pub fn progress(ui: &mut Ui, name: &str, done: Option<f32>, width: f32) -> Response {
    let t = Tokens::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 4.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, t.line);
    let filled = match done {
        Some(done) => egui::Rect::from_min_size(rect.min, vec2(width * done.clamp(0.0, 1.0), 4.0)),
        None if Appearance::of(ui).still => egui::Rect::from_center_size(rect.center(), vec2(width * 0.3, 4.0)),
        None => {
            ui.ctx().request_repaint_after(Duration::from_millis(100));
            let part = (ui.input(|input| input.time) * 0.5).fract() as f32;
            let start = rect.left() + (width * 1.3 * part - width * 0.3);
            egui::Rect::from_min_size(egui::pos2(start, rect.top()), vec2(width * 0.3, 4.0)).intersect(rect)
        }
    };
    ui.painter().rect_filled(filled, 2.0, t.accent);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::ProgressIndicator, true, name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(1.0);
        if let Some(done) = done {
            node.set_numeric_value(f64::from(done));
        }
    });
    response
}
