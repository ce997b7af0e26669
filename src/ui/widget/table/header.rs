//! The header of a table: titles to sort by, edges to drag, and the menu of columns.

use super::{Column, HEADER, Side, Sort, TableResponse, TableState, column, column::Placed};
use crate::ui::focus;
use crate::ui::obstacle::unless;
use crate::ui::theme::{Icon, Tokens, text};
use crate::ui::widget::context_menu::{Entry, context_menu, separator};
use egui::{Color32, CursorIcon, Popup, PopupCloseBehavior, Rect, RichText, Sense, Stroke, Ui, accesskit, pos2, vec2};

/// Space inside a cell at its left and right, in points.
pub(super) const PADDING: f32 = 8.0;
/// Half the width of the place where an edge can be caught, in points.
const GRIP: f32 = 4.0;
/// Why the last column cannot be hidden.
const LAST: &str = "One column is always shown";

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
        if let Some(sort) = title(table, columns, column, cell, state) {
            done.sorted = Some(sort);
        }
        edge(table, column, cell, state);
    }
}

/// Draws the title and its menu; gives how the rows are to be sorted, where it was clicked.
fn title(table: &mut Ui, columns: &[Column], column: &Column, cell: Rect, state: &mut TableState) -> Option<Sort> {
    // The menu is there without sorting too, and then by the mouse alone.
    let sense = if column.sortable { Sense::click() } else { Sense::CLICK };
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
    let chosen = context_menu(&response, &format!("Menu of the column {}", column.title), |ui| {
        menu_ui(ui, columns, column, state)
    });
    let clicked = response.clicked() && column.sortable;
    chosen.flatten().or_else(|| clicked.then(|| state.sort_by(column)))
}

/// The menu of a column; gives how the rows are to be sorted, where that was chosen.
fn menu_ui(ui: &mut Ui, columns: &[Column], column: &Column, state: &mut TableState) -> Option<Sort> {
    let mut sort = None;
    if column.sortable {
        let now = state.sort.as_ref().filter(|sort| sort.column == column.key).map(|sort| sort.descending);
        for (icon, text, descending) in
            [(Icon::ASCENDING, "Sort ascending", false), (Icon::DESCENDING, "Sort descending", true)]
        {
            if Entry::new(icon, text).on(now == Some(descending)).show(ui) {
                sort = Some(Sort { column: column.key.to_owned(), descending });
            }
        }
        separator(ui);
    }
    state.sort = sort.clone().or(state.sort.take());
    let last = (shown_columns(columns, state) == 1).then_some(LAST);
    if Entry::new(Icon::HIDDEN, "Hide column").obstacle(last).show(ui) {
        state.visible.insert(column.key.to_owned(), false);
    }
    ui.menu_button("Columns", |ui| columns_menu(ui, columns, state)).response.accessible_name("Columns");
    sort
}

fn shown_columns(columns: &[Column], state: &TableState) -> usize {
    columns.iter().filter(|column| state.shows(column)).count()
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

/// Draws the button with the menu of columns; the menu stays open while boxes are ticked.
pub fn columns_button(ui: &mut Ui, columns: &[Column], state: &mut TableState) {
    let button = ui.button(Icon::COLUMNS.text()).accessible_name("Columns").on_hover_text("Columns");
    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .accessible_name("Columns")
        .show(|ui| columns_menu(ui, columns, state));
}

/// Draws the menu in which columns are shown and hidden; the last one shown stays.
pub fn columns_menu(ui: &mut Ui, columns: &[Column], state: &mut TableState) {
    ui.set_width(widest(ui, columns));
    let shown = shown_columns(columns, state);
    for column in columns {
        let mut on = state.shows(column);
        let last = on && shown == 1;
        if unless(ui, last.then_some(LAST), |ui| ui.checkbox(&mut on, column.title)).changed() {
            state.visible.insert(column.key.to_owned(), on);
        }
    }
    separator(ui);
    if ui.button("Reset columns").clicked() {
        state.visible.clear();
        state.widths.clear();
        ui.close();
    }
}

/// Width of the menu of columns: its longest entry and the box before it.
fn widest(ui: &Ui, columns: &[Column]) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x;
    let texts = columns.iter().map(|column| column.title).chain(["Reset columns"]);
    let around = ui.spacing().icon_width + ui.spacing().icon_spacing + ui.spacing().button_padding.x * 2.0;
    texts.map(width).fold(0.0, f32::max) + around
}
