//! The boxes by which rows are marked without a key: at the left of the row under the pointer, and of every row while
//! more than one is marked.
//!
//! Their column is always there, so that nothing moves when they appear.

use super::{Table, TableResponse, TableState, marks::Mark};
use crate::ui::theme::{Icon, Tokens};
use egui::{Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2};

/// Width of the column of boxes, in points.
const WIDTH: f32 = 26.0;
/// Side of a box, in points.
const BOX: f32 = 14.0;

impl Table<'_> {
    /// Width of the column of boxes, in points; none where rows are marked one at a time.
    pub(super) fn gutter(&self) -> f32 {
        if self.many { WIDTH } else { 0.0 }
    }

    /// Draws a row's box, where it is to be seen, and marks by it.
    #[expect(clippy::too_many_arguments, reason = "one call, and every one of them differs by row")]
    pub(super) fn row_box(
        &self,
        body: &mut Ui,
        table: &Response,
        response: &Response,
        state: &mut TableState,
        row: usize,
        name: &str,
        done: &mut TableResponse,
    ) {
        let wanted = state.selection.count() > 1 || body.rect_contains_pointer(response.rect);
        if !self.many || !wanted {
            return;
        }
        let center = pos2(response.rect.left() - state.scroll.left + WIDTH / 2.0, response.rect.center().y);
        let place = Rect::from_center_size(center, vec2(WIDTH, response.rect.height()));
        let builder = egui::UiBuilder::new().max_rect(place).accessibility_parent(response.id);
        let ui = body.new_child(builder);
        // The table has the keyboard; Space does what a click here does.
        let ticked = ui.interact(place, response.id.with("mark"), Sense::CLICK);
        if ticked.clicked() {
            table.request_focus();
            let extends = ui.input(|input| input.modifiers.shift);
            self.mark(state, row, if extends { Mark::RangeToo } else { Mark::Toggle }, done);
        }
        let marked = state.selection.contains(self.number_of(row));
        ticked.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, marked, format!("Select {name}")));
        paint(&ui, center, marked, ticked.hovered());
    }
}

fn paint(ui: &Ui, center: egui::Pos2, marked: bool, hovered: bool) {
    let t = Tokens::of(ui);
    let rect = Rect::from_center_size(center, vec2(BOX, BOX));
    if marked {
        ui.painter().rect_filled(rect, 3.0, t.accent);
        Icon::CHECK.paint(ui.painter(), center, 11.0, t.on_accent);
    } else {
        let line = Stroke::new(1.0, if hovered { t.text } else { t.muted });
        ui.painter().rect_stroke(rect, 3.0, line, StrokeKind::Inside);
    }
}
