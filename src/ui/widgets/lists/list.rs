//! Rows of one height under one focus, used by code views, trees and pickers.
//!
//! Only visible rows are drawn. The list as a whole has the focus; its rows are nodes of the accessibility tree.

use crate::ui::widgets::scroll::{Scroll, Viewport};
use egui::{Id, Rect, Response, Sense, Ui, UiBuilder, accesskit::Role, pos2};

/// The state of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::ui) struct ListState {
    pub scroll: Scroll,
    pub reveal: Option<usize>,
}

/// A list to be drawn.
pub(in crate::ui) struct List<'a> {
    pub name: &'a str,
    pub role: Role,
    pub rect: Rect,
    pub rows: usize,
    pub pitch: f32,
    /// Width of the rows; if wider than the list, it scrolls sideways.
    pub width: f32,
    pub sense: Sense,
}

/// A list being drawn.
pub(in crate::ui) struct DrawnList {
    pub ui: Ui,
    /// The list as a whole, which has the focus.
    pub response: Response,
    pub viewport: Viewport,
    /// Where the rows and the bars are drawn.
    clip: Rect,
}

impl List<'_> {
    /// Begins the list: scrolls it, and returns where its rows are to be drawn. [`DrawnList::end`] draws its bars.
    pub fn begin(&self, ui: &mut Ui, state: &mut ListState) -> DrawnList {
        let Self { name, role, rect, rows, pitch, width, sense } = *self;
        // A `Ui` cannot have the focus, so the list's node is a widget of its own with the rows below it.
        let response = ui.interact(rect, ui.make_persistent_id(("list", name)), sense);
        response.widget_info(|| egui::WidgetInfo::labeled(role, true, name));
        let builder = UiBuilder::new().id_salt(name).max_rect(rect).accessibility_parent(response.id);
        let mut child = ui.new_child(builder);
        child.shrink_clip_rect(rect);
        let viewport = Viewport::new(rect, rows, pitch, width);
        if let Some(row) = state.reveal.take() {
            state.scroll.reveal(row.min(rows.saturating_sub(1)), &viewport);
        }
        state.scroll.consume_wheel(&child, &viewport);
        let clip = child.clip_rect();
        child.shrink_clip_rect(viewport.rect);
        DrawnList { ui: child, response, viewport, clip }
    }
}

impl DrawnList {
    /// Returns the rectangle of a row, over the whole width of the list.
    pub fn row_rect(&self, scroll: &Scroll, row: usize) -> Rect {
        let pixels = self.ui.pixels_per_point();
        let Viewport { rect, .. } = self.viewport;
        let top = self.viewport.row_top(scroll, row, pixels);
        let bottom = self.viewport.row_top(scroll, row + 1, pixels);
        Rect::from_min_max(pos2(rect.left(), top), pos2(rect.right(), bottom))
    }

    /// Returns the id of a row's node, from what identifies the row.
    pub fn row_id(&self, row: impl std::hash::Hash + std::fmt::Debug) -> Id {
        self.response.id.with(("row", row))
    }

    /// Draws the scroll bars.
    pub fn end(mut self, state: &mut ListState, name: &str) {
        self.ui.set_clip_rect(self.clip);
        state.scroll.bars(&self.ui, &self.viewport, self.response.id, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::scroll::BAR;

    #[test]
    fn no_row_is_drawn_below_the_bar_of_a_list_that_scrolls_sideways() {
        egui::__run_test_ui(|ui| {
            let rect = Rect::from_min_size(ui.cursor().min, egui::vec2(100.0, 55.0));
            let drawn_to = |ui: &mut Ui, width: f32| {
                let list =
                    List { name: "rows", role: Role::List, rect, rows: 10, pitch: 20.0, width, sense: Sense::hover() };
                let mut state = ListState::default();
                let drawn = list.begin(ui, &mut state);
                let bottom = drawn.ui.clip_rect().bottom();
                drawn.end(&mut state, "rows");
                bottom
            };
            assert_eq!(drawn_to(ui, 50.0), rect.bottom());
            assert_eq!(drawn_to(ui, 500.0), rect.bottom() - BAR);
        });
    }
}
