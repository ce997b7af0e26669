//! The rows of a table in sight.

use super::{
    Side, Table, TableResponse, TableState, accesskit_rect, column::Placed, header::PADDING, marks::Mark, row_id,
};
use crate::ui::{
    theme::Tokens,
    widgets::{context_menu::menu_at, scroll::Viewport},
};
use egui::{
    Align, Layout, Rect, Response, Sense, Stroke, Ui, UiBuilder,
    accesskit::{self, Role},
    pos2, vec2,
};

impl Table<'_> {
    #[expect(clippy::too_many_arguments, reason = "one call, and every one of them differs by frame")]
    pub(super) fn body(
        &mut self,
        table: &mut Ui,
        response: &Response,
        state: &mut TableState,
        columns: &[Placed],
        viewport: &Viewport,
        done: &mut TableResponse,
        cell: &mut dyn FnMut(&mut Ui, usize, usize),
    ) {
        let mut body = table.new_child(UiBuilder::new().id_salt("rows").max_rect(viewport.rect));
        body.shrink_clip_rect(viewport.rect);
        // Cells are read at a glance: one line each, cut at the edge, and a click marks the row instead of text.
        body.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
        body.style_mut().interaction.selectable_labels = false;
        body.spacing_mut().item_spacing.x = 6.0;
        done.visible = viewport.visible(&state.scroll);
        let pixels_per_point = body.pixels_per_point();
        state.in_sight.begin(self.rows);
        for row in done.visible.clone() {
            let top = viewport.row_top(&state.scroll, row, pixels_per_point);
            let bottom = viewport.row_top(&state.scroll, row + 1, pixels_per_point);
            let rect = Rect::from_min_max(pos2(viewport.rect.left(), top), pos2(viewport.rect.right(), bottom));
            self.row(&mut body, response, state, columns, row, rect, done, cell);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one call, and every one of them differs by row")]
    fn row(
        &mut self,
        body: &mut Ui,
        table: &Response,
        state: &mut TableState,
        columns: &[Placed],
        row: usize,
        rect: Rect,
        done: &mut TableResponse,
        cell: &mut dyn FnMut(&mut Ui, usize, usize),
    ) {
        let key = (self.key)(row);
        state.in_sight.note(row, &key);
        let id = row_id(table, &key);
        // Not focusable: the table has the focus, and arrows go from row to row.
        let response = body.interact(rect, id, Sense::CLICK);
        self.mouse(body, table, &response, state, row, done);
        let name = self.row_name.map_or(key, |name| name(row));
        let marked = state.selection.contains(self.number_of(row));
        describe_row(&response, row, &name, marked);
        paint(body, rect, marked);
        self.row_box(body, table, &response, state, row, &name, done);
        let left = rect.left() - state.scroll.left;
        for place in columns {
            let column = &self.columns[place.index];
            let edges = pos2(left + place.left, rect.top());
            let space = Rect::from_min_size(edges, vec2(place.width, rect.height()));
            if !body.clip_rect().intersects(space) {
                continue;
            }
            let layout = match column.side {
                Side::Left => Layout::left_to_right(Align::Center),
                Side::Right => Layout::right_to_left(Align::Center),
            };
            let inner = space.shrink2(vec2(PADDING, 0.0));
            let builder = UiBuilder::new()
                .scope_id(id.with(column.key))
                .max_rect(inner)
                .layout(layout)
                .accessibility_parent(id)
                .accessibility_role(Role::Cell)
                .accessibility_label(column.title);
            let mut ui = body.new_child(builder);
            ui.shrink_clip_rect(inner);
            cell(&mut ui, row, place.index);
            ui.ctx().accesskit_node_builder(ui.unique_id(), |node| node.set_bounds(accesskit_rect(space)));
        }
        if let Some(menu) = &mut self.menu {
            let at = state
                .menu
                .take_if(|wanted| *wanted == row)
                .map(|_| rect.left_bottom() + vec2(columns.first().map_or(0.0, |first| first.left + PADDING), 0.0));
            menu_at(&response, &format!("Menu of {name}"), at, |ui| menu(ui, row));
        }
    }

    fn mouse(
        &self,
        body: &Ui,
        table: &Response,
        response: &Response,
        state: &mut TableState,
        row: usize,
        done: &mut TableResponse,
    ) {
        if response.secondary_clicked() {
            table.request_focus();
            state.rests = None;
            if state.selection.contains(self.number_of(row)) {
                self.go(state, row);
            } else {
                self.mark(state, row, Mark::Alone, done);
            }
        }
        if !response.clicked() {
            return;
        }
        table.request_focus();
        state.rests = None;
        self.mark(state, row, Mark::of_click(body.input(|input| input.modifiers)), done);
        if response.double_clicked() {
            done.opened = Some(row);
        }
    }
}

fn describe_row(response: &Response, row: usize, name: &str, marked: bool) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Row);
        node.set_bounds(accesskit_rect(response.rect));
        node.set_row_index(row);
        node.set_selected(marked);
        node.add_action(accesskit::Action::Click);
        node.set_label(name);
    });
}

fn paint(body: &Ui, rect: Rect, marked: bool) {
    let t = Tokens::of(body);
    let painter = body.painter();
    if marked {
        painter.rect_filled(rect, 0.0, t.selected_row);
        painter.rect_filled(rect.with_max_x(rect.left() + 2.0), 0.0, t.accent);
    } else if body.rect_contains_pointer(rect) {
        painter.rect_filled(rect, 0.0, t.hovered_row);
    }
    painter.hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, t.line.gamma_multiply(0.6)));
}
