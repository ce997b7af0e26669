//! The header of a table: titles to sort by, edges to drag, and the menu of columns.

use super::{Column, HEADER, Side, TableResponse, TableState, column, column::Placed};
use crate::ui::focus;
use crate::ui::theme::{Icon, Tokens, UiExt as _, text};
use egui::{CursorIcon, Rect, RichText, Sense, Stroke, Ui, accesskit, pos2, vec2};

/// Space inside a cell at its left and right, in points.
pub(super) const PADDING: f32 = 8.0;
/// Half the width of the place where an edge can be caught, in points.
const GRIP: f32 = 4.0;

pub(super) fn draw(
    table: &mut Ui,
    columns: &[Column],
    placed: &[Placed],
    state: &mut TableState,
    outer: Rect,
    done: &mut TableResponse,
) {
    let line = Stroke::new(1.0, Tokens::of(table).line);
    let rect = Rect::from_min_size(outer.min, vec2(outer.width(), HEADER));
    table.painter().hline(rect.x_range(), rect.bottom() - 0.5, line);
    let shift = outer.left() - state.scroll.left;
    for place in placed {
        let column = &columns[place.index];
        let cell = Rect::from_min_size(pos2(shift + place.left, rect.top()), vec2(place.width, HEADER));
        if title(table, column, cell, state) {
            done.sorted = Some(state.sort_by(column));
        }
        edge(table, column, cell, state);
    }
}

/// Draws the title; true when it was clicked to sort.
fn title(table: &mut Ui, column: &Column, cell: Rect, state: &mut TableState) -> bool {
    let sense = if column.sortable { Sense::click() } else { Sense::hover() };
    let id = table.unique_id().with(("title", column.key));
    let response = table.interact(cell, id, sense);
    let sorted = state.sort.as_ref().filter(|sort| sort.column == column.key).map(|sort| sort.descending);
    response.widget_info(|| egui::WidgetInfo::labeled(accesskit::Role::ColumnHeader, true, column.title));
    table.ctx().accesskit_node_builder(id, |node| match sorted {
        Some(true) => node.set_sort_direction(accesskit::SortDirection::Descending),
        Some(false) => node.set_sort_direction(accesskit::SortDirection::Ascending),
        None => {}
    });
    let t = Tokens::of(table);
    let strong = sorted.is_some() || response.hovered() && column.sortable;
    let color = if strong { t.text } else { t.muted };
    let arrow = if sorted.is_some() { 16.0 } else { 0.0 };
    let words = egui::WidgetText::from(RichText::new(column.title).text_style(egui::TextStyle::Small).color(color));
    let most = cell.width() - PADDING * 2.0 - arrow;
    let galley = words.into_galley(table, Some(egui::TextWrapMode::Truncate), most, text::section());
    let width = galley.size().x;
    let left = match column.side {
        Side::Left => cell.left() + PADDING,
        Side::Right => cell.right() - PADDING - arrow - width,
    };
    let painter = table.painter_at(cell);
    painter.galley(pos2(left, cell.center().y - galley.size().y / 2.0), galley, color);
    if let Some(descending) = sorted {
        let icon = if descending { Icon::DESCENDING } else { Icon::ASCENDING };
        icon.paint(&painter, pos2(left + width + 10.0, cell.center().y), 12.0, color);
    }
    focus::ring_at(table.ctx(), response.id, cell.shrink2(vec2(1.0, 3.0)));
    response.clicked() && column.sortable
}

/// The right edge of a title: dragged to resize, clicked twice to give the first width back.
fn edge(table: &Ui, column: &Column, cell: Rect, state: &mut TableState) {
    let rect = Rect::from_x_y_ranges(cell.right() - GRIP..=cell.right() + GRIP, cell.y_range());
    let id = table.unique_id().with(("edge", column.key));
    let response = table.interact(rect, id, Sense::CLICK | Sense::DRAG);
    if response.hovered() || response.dragged() {
        table.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let line = Stroke::new(1.0, Tokens::of(table).accent);
        table.painter().vline(cell.right() - 0.5, cell.y_range(), line);
    }
    if response.double_clicked() {
        state.widths.remove(column.key);
    } else if response.dragged() {
        let width = column::allowed(cell.width() + response.drag_delta().x);
        state.widths.insert(column.key.to_owned(), width);
    }
}

/// Draws the menu in which columns are shown and hidden; the last one shown stays.
pub fn columns_menu(ui: &mut Ui, columns: &[Column], state: &mut TableState) {
    ui.set_min_width(160.0);
    let shown = columns.iter().filter(|column| state.shows(column)).count();
    for column in columns {
        let mut on = state.shows(column);
        let last = on && shown == 1;
        if crate::ui::obstacle::unless(ui, last.then_some("One column stays"), |ui| ui.checkbox(&mut on, column.title))
            .changed()
        {
            state.visible.insert(column.key.to_owned(), on);
        }
    }
    ui.line();
    if ui.button("Reset columns").clicked() {
        state.visible.clear();
        state.widths.clear();
        ui.close();
    }
}
