//! The checkboxes for selecting rows by mouse alone: on the hovered row, and on every row while more than one is
//! selected.
//!
//! Their column is always there, so that nothing moves when they appear.

use super::body::{DrawnRow, RowsFrame, is_hovered};
use super::{Table, gesture::Gesture};
use crate::ui::theme::{Icon, Tokens};
use egui::{Rect, Response, Sense, Stroke, StrokeKind, Ui, WidgetInfo, accesskit::Role, pos2, vec2};

/// Width of the column, in points.
const WIDTH: f32 = 26.0;
/// Side of a checkbox, in points.
const BOX: f32 = 14.0;

impl Table<'_> {
    /// Returns the width of the column, in points; zero if only one row can be selected.
    pub(super) fn checkbox_column_width(&self) -> f32 {
        if self.many { WIDTH } else { 0.0 }
    }

    /// Draws the checkbox of a row if it is visible, and handles clicks on it.
    pub(super) fn checkbox_ui(&self, body: &mut Ui, row: &DrawnRow, frame: &mut RowsFrame<'_>) {
        let DrawnRow { index, name, response } = row;
        let marked = frame.state.selection.contains(self.number_of(*index));
        self.line_checkbox_ui(body, *index, name, marked, response, frame);
    }

    /// Draws the checkbox of a line, which may stand for several rows.
    pub(super) fn line_checkbox_ui(
        &self,
        body: &mut Ui,
        index: usize,
        name: &str,
        marked: bool,
        response: &Response,
        frame: &mut RowsFrame<'_>,
    ) {
        let RowsFrame { table, state, done, pointer, .. } = frame;
        let wanted = state.selection.count() > 1 || is_hovered(body, response.rect, *pointer);
        if !self.many || !wanted {
            return;
        }
        let (row, left) = (response.rect, response.rect.left() - state.scroll.left);
        let height = if self.tiles.is_some() { WIDTH } else { row.height() };
        let rect = Rect::from_min_size(pos2(left, row.top()), vec2(WIDTH, height));
        let center = rect.center();
        let builder = egui::UiBuilder::new().max_rect(rect).accessibility_parent(response.id);
        let ui = body.new_child(builder);
        // The table has the focus; Space does what a click here does.
        let ticked = ui.interact(rect, response.id.with("mark"), Sense::CLICK);
        if ticked.clicked() {
            table.request_focus();
            let extends = ui.input(|input| input.modifiers.shift);
            self.apply(state, index, if extends { Gesture::RangeToo } else { Gesture::Toggle }, done);
        }
        ticked.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, marked, format!("Select {name}")));
        paint(&ui, center, marked, ticked.hovered());
    }
}

/// Draws a checkbox in a cell; one that cannot be ticked says why. The table has the focus, and its keys do the same.
pub fn checkbox(ui: &mut Ui, name: &str, on: bool, disabled_reason: Option<&str>) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(WIDTH, BOX + 6.0), Sense::CLICK);
    let enabled = disabled_reason.is_none();
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, enabled, on, name));
    if ui.is_rect_visible(rect) {
        if enabled || on {
            paint(ui, rect.center(), on, response.hovered());
        } else {
            let line = Stroke::new(1.0, Tokens::of(ui).line);
            ui.painter().rect_stroke(
                Rect::from_center_size(rect.center(), vec2(BOX, BOX)),
                3.0,
                line,
                StrokeKind::Inside,
            );
        }
    }
    match disabled_reason {
        Some(reason) => {
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(reason));
            response.on_hover_text(reason)
        }
        None => response,
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
