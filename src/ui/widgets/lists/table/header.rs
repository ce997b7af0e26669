//! The header of a table: titles to sort by, edges to drag, and the menu of columns.

use super::{ColumnOf, HEADER, Side, Sort, TableState, column, column::Placed};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::theme::{self, Icon, Tokens, UiExt as _, text};
use crate::ui::widgets::context_menu::{Entry, context_menu, separator};
use egui::{
    Align2, Color32, CursorIcon, Popup, PopupCloseBehavior, Rect, Response, RichText, Sense, Stroke, Ui, accesskit,
    pos2, vec2,
};

/// Space inside a cell on its left and right, in points.
pub const CELL_PADDING: f32 = 8.0;
/// Half the width of the area in which an edge can be grabbed, in points.
const GRIP: f32 = 4.0;
/// Why the last column cannot be hidden.
const LAST: &str = "One column is always shown";

/// The header of one table.
pub(super) struct Header<'a> {
    pub columns: &'a [ColumnOf<'a>],
    pub placed: &'a [Placed],
    /// Whether a secondary sort column is possible.
    pub two_keys: bool,
}

/// The direction of a sort, and whether it is the secondary one.
#[derive(Clone, Copy)]
struct Sorted {
    descending: bool,
    second: bool,
}

impl Sorted {
    fn of(column: &ColumnOf<'_>, state: &TableState) -> Option<Self> {
        let keys = [(state.sorted_by(), false), (state.secondary_sort.as_ref(), true)];
        let mut keys = keys.into_iter().filter_map(|(sort, second)| Some((sort?, second)));
        let (sort, second) = keys.find(|(sort, _)| sort.column == column.key)?;
        Some(Self { descending: sort.descending, second })
    }
}

impl Header<'_> {
    /// Draws the header; returns the new sort order, if one was requested.
    pub(super) fn draw(&self, table: &mut Ui, state: &mut TableState, outer: Rect) -> Option<Sort> {
        let line = Stroke::new(1.0, Tokens::of(table).line);
        let rect = Rect::from_min_size(outer.min, vec2(outer.width(), HEADER));
        table.painter().hline(rect.x_range(), rect.bottom() - 0.5, line);
        let shift = outer.left() - state.scroll.left;
        let mut sort = None;
        for placed in self.placed {
            let column = &self.columns[placed.index];
            let cell = Rect::from_min_size(pos2(shift + placed.left, rect.top()), vec2(placed.width, HEADER));
            sort = self.title(table, column, cell, state).or(sort);
            edge(table, column, cell, state);
        }
        sort
    }

    /// Draws the title and its menu; returns the new sort order, if one was requested.
    fn title(&self, table: &mut Ui, column: &ColumnOf<'_>, cell: Rect, state: &mut TableState) -> Option<Sort> {
        // The menu exists without sorting too, and then only for the mouse.
        let sense = if column.sortable { Sense::click() } else { Sense::CLICK };
        let response = table.interact(cell, table.unique_id().with(("title", column.key)), sense);
        let sorted = Sorted::of(column, state);
        describe(&response, column, sorted);
        paint(table, column, cell, sorted, response.hovered());
        focus::set_ring(table.ctx(), response.id, cell.shrink2(vec2(1.0, 3.0)));
        let chosen = context_menu(&response, &format!("Menu of the column {}", column.title), |ui| {
            self.menu_ui(ui, column, state)
        });
        if !column.sortable {
            return chosen.flatten();
        }
        let second = self.two_keys && table.input(|input| input.modifiers.shift);
        let clicked = response.clicked();
        if self.two_keys && state.sorted_by().is_some_and(|sort| sort.column != column.key) {
            response.on_hover_text("Click to sort, Shift+click to add as second key");
        }
        chosen.flatten().or_else(|| match (clicked, second) {
            (false, _) => None,
            (true, false) => Some(state.sort_by(column)),
            (true, true) => Some(state.sort_secondary_by(column)),
        })
    }

    /// Draws the menu of a column; returns the new sort order, if one was chosen.
    fn menu_ui(&self, ui: &mut Ui, column: &ColumnOf<'_>, state: &mut TableState) -> Option<Sort> {
        let mut sort = None;
        if column.sortable {
            let now = state.sorted_by().filter(|sort| sort.column == column.key).map(|sort| sort.descending);
            for (icon, text, descending) in
                [(Icon::ASCENDING, "Sort ascending", false), (Icon::DESCENDING, "Sort descending", true)]
            {
                if Entry::new(icon, text).checked(now == Some(descending)).show(ui) {
                    sort = Some(state.set_sort(Sort { column: column.key.to_owned(), descending }));
                }
            }
            let first = (now.is_some() || state.sorted_by().is_none()).then_some("Sort by another column first");
            let second = Entry::new(Icon::SECOND_KEY, "Add as second key").keys("Shift+click").disabled_reason(first);
            if self.two_keys && second.show(ui) {
                sort = Some(state.sort_secondary_by(column));
            }
            separator(ui);
        }
        let last = (shown_columns(self.columns, state) == 1).then_some(LAST);
        if Entry::new(Icon::HIDDEN, "Hide column").disabled_reason(last).show(ui) {
            state.visible.insert(column.key.to_owned(), false);
        }
        ui.menu_button("Columns", |ui| columns_menu(ui, self.columns, state)).response.accessible_name("Columns");
        sort
    }
}

fn describe(response: &Response, column: &ColumnOf<'_>, sorted: Option<Sorted>) {
    response.widget_info(|| egui::WidgetInfo::labeled(accesskit::Role::ColumnHeader, true, column.title));
    let Some(Sorted { descending, second }) = sorted else { return };
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_sort_direction(match descending {
            true => accesskit::SortDirection::Descending,
            false => accesskit::SortDirection::Ascending,
        });
        if second {
            node.set_description("Second sort key");
        }
    });
}

/// Paints the title, and the sort direction: an arrow, with a 2 for the secondary sort.
fn paint(table: &Ui, column: &ColumnOf<'_>, cell: Rect, sorted: Option<Sorted>, hovered: bool) {
    let t = Tokens::of(table);
    let color = if sorted.is_some() || hovered && column.sortable { t.text } else { t.muted };
    let signs = match sorted {
        None => 0.0,
        Some(Sorted { second: false, .. }) => 16.0,
        Some(Sorted { second: true, .. }) => 22.0,
    };
    let words = egui::WidgetText::from(RichText::new(column.title).text_style(egui::TextStyle::Small).color(color));
    let most = (cell.width() - CELL_PADDING * 2.0 - signs).max(0.0);
    let galley = words.into_galley(table, Some(egui::TextWrapMode::Truncate), most, text::section());
    let width = galley.size().x;
    let left = match column.side {
        Side::Left => cell.left() + CELL_PADDING,
        Side::Right => cell.right() - CELL_PADDING - signs - width,
    };
    let painter = table.painter_at(cell);
    let middle = cell.center().y;
    painter.galley(pos2(left, middle - galley.size().y / 2.0), galley, color);
    let Some(Sorted { descending, second }) = sorted else { return };
    let icon = if descending { Icon::DESCENDING } else { Icon::ASCENDING };
    icon.paint(&painter, pos2(left + width + 10.0, middle), 12.0, color);
    if second {
        let font = egui::FontId::proportional(10.0);
        painter.text(pos2(left + width + 16.0, middle), Align2::LEFT_CENTER, "2", font, color);
    }
}

fn shown_columns(columns: &[ColumnOf<'_>], state: &TableState) -> usize {
    columns.iter().filter(|column| state.shows(column)).count()
}

/// The right edge of a title: dragging resizes, double-clicking resets the width.
fn edge(table: &Ui, column: &ColumnOf<'_>, cell: Rect, state: &mut TableState) {
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
pub fn columns_button(ui: &mut Ui, columns: &[ColumnOf<'_>], state: &mut TableState) {
    let button = ui.button(Icon::COLUMNS.text()).accessible_name("Columns").on_hover_text("Columns");
    Popup::menu(&button)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .accessible_name("Columns")
        .show(|ui| columns_menu(ui, columns, state));
}

/// Draws the button that shows the rows as tiles or as lines.
pub fn tiles_button(ui: &mut Ui, state: &mut TableState) {
    if ui.toggle_icon_button(Icon::PICTURE, "Gallery", state.tiles).clicked() {
        state.toggle_tiles();
    }
}

/// Draws the menu that shows and hides columns; the last visible one cannot be hidden.
pub fn columns_menu(ui: &mut Ui, columns: &[ColumnOf<'_>], state: &mut TableState) {
    ui.set_width(widest(ui, columns));
    let shown = shown_columns(columns, state);
    for column in columns {
        let mut on = state.shows(column);
        let last = on && shown == 1;
        if enabled_unless(ui, last.then_some(LAST), |ui| theme::checkbox(ui, &mut on, column.title)).changed() {
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

/// Returns the width of the menu of columns: its longest entry and its checkbox.
fn widest(ui: &Ui, columns: &[ColumnOf<'_>]) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let width = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x;
    let texts = columns.iter().map(|column| column.title).chain(["Reset columns"]);
    let around = ui.spacing().icon_width + ui.spacing().icon_spacing + ui.spacing().button_padding.x * 2.0;
    texts.map(width).fold(0.0, f32::max) + around
}
