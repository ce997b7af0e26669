//! The visible rows of a table.

use super::{
    SecondLine, Side, Table, TableResponse, TableState, accesskit_rect, column::Placed, gesture::Gesture,
    header::CELL_PADDING, row_id,
};
use crate::ui::{
    theme::Tokens,
    widgets::{context_menu::menu_at, scroll::Viewport},
};
use egui::{
    Align, Color32, Layout, Mesh, Pos2, Rect, Response, Sense, Ui, UiBuilder,
    accesskit::{self, Role},
    pos2, vec2,
};

/// Width of the bar of a selected row, in points.
const BAR: f32 = 2.0;
/// Width of the bar of the row whose page is open, in points.
pub const OPEN_BAR: f32 = 4.0;
/// What a screen reader says of the row whose page is open.
const OPEN: &str = "Open";

/// What drawing the rows needs in one frame.
pub(super) struct RowsFrame<'f> {
    /// The node of the table, which has the focus.
    pub table: &'f Response,
    pub state: &'f mut TableState,
    pub columns: &'f [Placed],
    pub done: &'f mut TableResponse,
    /// Whether assistive technology reads the window: cells are described only then.
    pub read_aloud: bool,
    /// The colours, looked up once.
    pub tokens: &'static Tokens,
    /// Where the pointer is, if it is in the window.
    pub pointer: Option<Pos2>,
    /// Draws one cell, given the row and the index of the column.
    pub cell: &'f mut dyn FnMut(&mut Ui, usize, usize),
}

/// One row as it is drawn.
pub(super) struct DrawnRow {
    pub index: usize,
    pub name: String,
    pub response: Response,
}

impl Table<'_> {
    pub(super) fn body(&mut self, table: &mut Ui, viewport: &Viewport, frame: &mut RowsFrame<'_>) {
        let mut body = table.new_child(UiBuilder::new().id_salt("rows").max_rect(viewport.rect));
        body.shrink_clip_rect(viewport.rect);
        // One line per cell, truncated at the edge; a click selects the row rather than text.
        body.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
        body.style_mut().interaction.selectable_labels = false;
        body.spacing_mut().item_spacing.x = 6.0;
        frame.done.visible = self.visible(viewport, &frame.state.scroll);
        let pixels_per_point = body.pixels_per_point();
        frame.state.in_sight.begin(self.rows);
        let mut lines = RowLines::new(&body, frame.tokens);
        for index in frame.done.visible.clone() {
            let rect = self.rect_of(index, viewport, &frame.state.scroll, pixels_per_point);
            match self.head(index) {
                Some(head) => self.head_ui(&mut body, (index, head), rect, frame),
                None => self.row(&mut body, index, rect, frame),
            }
            if self.tiles.is_none() {
                lines.add_below(rect);
            }
        }
        body.painter().add(lines.mesh);
    }

    fn row(&mut self, body: &mut Ui, index: usize, rect: Rect, frame: &mut RowsFrame<'_>) {
        let key = (self.key)(index);
        frame.state.in_sight.record(index, &key);
        // Not focusable: the table has the focus, and arrow keys move between rows.
        let sense = if self.drag.is_some() { Sense::CLICK | Sense::DRAG } else { Sense::CLICK };
        let response = body.interact(rect, row_id(frame.table, &key), sense);
        self.mouse(body, index, &response, frame);
        let name = self.row_name.map_or(key, |name| name(index));
        let row = DrawnRow { index, name, response };
        let marked = frame.state.selection.contains(self.number_of(index));
        let open = self.is_open.map(|is_open| is_open(index));
        if frame.read_aloud {
            describe_row(&row, marked, open == Some(true));
        }
        paint(body, rect, marked, open, frame);
        // The checkbox of a tile is above what is drawn in it.
        let tile = self.tile_ui(body, index, rect);
        self.checkbox_ui(body, &row, frame);
        let second = self.second_line.filter(|second| (second.is_there)(index));
        let first = rect.with_max_y(rect.bottom() - second.map_or(0.0, |second| second.height));
        if !tile {
            self.cells(body, &row, first, frame);
        }
        if let Some(second) = second {
            self.second_line_ui(body, &row, (rect.with_min_y(first.bottom()), second), frame);
        }
        if let Some(drag) = &mut self.drag {
            drag(body, &row.response, index);
        }
        if let Some(menu) = &mut self.menu {
            let left = frame.columns.first().map_or(0.0, |first| first.left + CELL_PADDING);
            let wanted = frame.state.menu.take_if(|wanted| *wanted == index);
            let at = wanted.map(|_| rect.left_bottom() + vec2(left, 0.0));
            menu_at(&row.response, &format!("Menu of {}", row.name), at, |ui| menu(ui, index));
        }
    }

    /// Draws the second line of a row, from the first column to the edge of the table.
    fn second_line_ui(
        &self,
        body: &mut Ui,
        row: &DrawnRow,
        (rect, line): (Rect, SecondLine<'_>),
        frame: &RowsFrame<'_>,
    ) {
        let left = rect.left() + self.checkbox_column_width() + CELL_PADDING;
        let rect = Rect::from_min_max(pos2(left, rect.top()), pos2(rect.right() - CELL_PADDING, rect.bottom()));
        let id = row.response.id;
        let layout = Layout::left_to_right(Align::Min);
        let of_line = UiBuilder::new().scope_id(id.with("second line"));
        let mut builder = UiBuilder { max_rect: Some(rect), layout: Some(layout), ..of_line };
        if frame.read_aloud {
            builder = builder.accessibility_parent(id);
        }
        let mut ui = body.new_child(builder);
        ui.shrink_clip_rect(rect);
        (line.draw)(&mut ui, row.index);
    }

    /// Draws the visible cells of a row.
    fn cells(&self, body: &mut Ui, row: &DrawnRow, rect: Rect, frame: &mut RowsFrame<'_>) {
        let id = row.response.id;
        let left = rect.left() - frame.state.scroll.left;
        for placed in frame.columns {
            let column = &self.columns[placed.index];
            let edges = pos2(left + placed.left, rect.top());
            let space = Rect::from_min_size(edges, vec2(placed.width, rect.height()));
            if !body.clip_rect().intersects(space) {
                continue;
            }
            let layout = match column.side {
                Side::Left => Layout::left_to_right(Align::Center),
                Side::Right => Layout::right_to_left(Align::Center),
            };
            let inner = space.shrink2(vec2(CELL_PADDING, 0.0));
            // Its methods would move it once more for each of them, in every cell.
            let of_cell = UiBuilder::new().scope_id(id.with(column.key));
            let mut builder = UiBuilder { max_rect: Some(inner), layout: Some(layout), ..of_cell };
            if frame.read_aloud {
                let described = builder.accessibility_parent(id).accessibility_role(Role::Cell);
                builder = described.accessibility_label(column.title);
            }
            let mut ui = body.new_child(builder);
            ui.shrink_clip_rect(inner);
            (frame.cell)(&mut ui, row.index, placed.index);
            if frame.read_aloud {
                ui.ctx().accesskit_node_builder(ui.unique_id(), |node| node.set_bounds(accesskit_rect(space)));
            }
        }
    }

    fn mouse(&self, body: &Ui, index: usize, response: &Response, frame: &mut RowsFrame<'_>) {
        let RowsFrame { table, state, done, .. } = frame;
        if response.secondary_clicked() {
            table.request_focus();
            state.opens_at = None;
            if state.selection.contains(self.number_of(index)) {
                self.move_to(state, index);
            } else {
                self.apply(state, index, Gesture::Alone, done);
            }
        }
        if !response.clicked() {
            return;
        }
        table.request_focus();
        state.opens_at = None;
        self.apply(state, index, Gesture::of_click(body.input(|input| input.modifiers)), done);
        if response.double_clicked() {
            done.opened = Some(index);
        }
    }
}

fn describe_row(row: &DrawnRow, marked: bool, open: bool) {
    let DrawnRow { index, name, response } = row;
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Row);
        node.set_bounds(accesskit_rect(response.rect));
        node.set_row_index(*index);
        node.set_selected(marked);
        node.add_action(accesskit::Action::Click);
        node.set_label(name.as_str());
        if open {
            describe_open(node);
        }
    });
}

/// Describes the row whose page is open to screen readers: not every one tells which row is current, but each tells the
/// description.
pub fn describe_open(node: &mut accesskit::Node) {
    node.set_aria_current(accesskit::AriaCurrent::True);
    node.set_description(OPEN);
}

/// Returns whether the pointer is in this row. Its lower edge belongs to the row below.
pub(super) fn is_hovered(body: &Ui, row: Rect, pointer: Option<Pos2>) -> bool {
    pointer.is_some_and(|pointer| (row.top()..row.bottom()).contains(&pointer.y)) && body.rect_contains_pointer(row)
}

/// Paints the ground of a row, and the bar that marks it: the open one, or the selected ones of a table whose rows have
/// no page (`open` is `None`).
fn paint(body: &Ui, rect: Rect, marked: bool, open: Option<bool>, frame: &RowsFrame<'_>) {
    let RowsFrame { tokens: t, pointer, .. } = frame;
    let painter = body.painter();
    if marked {
        painter.rect_filled(rect, 0.0, t.selected_row);
    } else if is_hovered(body, rect, *pointer) {
        painter.rect_filled(rect, 0.0, t.hovered_row);
    }
    let width = match open {
        Some(true) => OPEN_BAR,
        None if marked => BAR,
        Some(false) | None => return,
    };
    painter.rect_filled(rect.with_max_x(rect.left() + width), 0.0, t.accent);
}

/// The lines below the rows, as one shape: they are on whole pixels and need no smooth edges.
struct RowLines {
    mesh: Mesh,
    color: Color32,
    width: f32,
}

impl RowLines {
    fn new(body: &Ui, tokens: &Tokens) -> Self {
        let pixels_per_point = body.pixels_per_point();
        let width = pixels_per_point.round().max(1.0) / pixels_per_point;
        Self { mesh: Mesh::default(), color: tokens.line.gamma_multiply(0.6), width }
    }

    fn add_below(&mut self, row: Rect) {
        self.mesh.add_colored_rect(row.with_min_y(row.bottom() - self.width), self.color);
    }
}
