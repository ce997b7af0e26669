//! Rows drawn as tiles, as many beside each other as fit: a row of the scroll position is a line of tiles.
//!
//! What must hold: selection, keys, menus and dragging are those of the table; only visible tiles are drawn.

use super::column::Placed;
use super::{Table, TableState};
use crate::ui::theme;
use crate::ui::widgets::scroll::{BAR, Scroll, Viewport};
use egui::{Rect, Ui, UiBuilder, Vec2, pos2, vec2};
use std::ops::Range;

/// How rows are drawn as tiles.
pub struct Tiles<'a> {
    /// The size of a tile, in points.
    pub size: Vec2,
    /// Draws the tile of a row.
    pub draw: &'a mut dyn FnMut(&mut Ui, usize),
}

impl<'a> Table<'a> {
    /// Draws rows as tiles instead of cells, if it is told how.
    pub fn tiles(self, tiles: Option<Tiles<'a>>) -> Self {
        Table { tiles, ..self }
    }

    /// Returns the height of a line, in points.
    pub(super) fn pitch(&self, ui: &Ui) -> f32 {
        let tile = self.tiles.as_ref().map(|tiles| tiles.size.y);
        tile.or(self.row_height).unwrap_or_else(|| theme::row(ui))
    }

    /// Determines how many rows are beside each other in this width; returns the width of the rows, in points.
    pub(super) fn place_tiles(&mut self, columns: &[Placed], width: f32) -> f32 {
        match &self.tiles {
            Some(tiles) => {
                self.in_line = ((width - BAR) / tiles.size.x).floor().max(1.0) as usize;
                0.0
            }
            None => columns.last().map_or(0.0, |last| last.left + last.width),
        }
    }

    /// Returns how many lines the rows take.
    pub(super) fn lines(&self) -> usize {
        self.rows.div_ceil(self.in_line)
    }

    /// Returns the rows of which any part is visible.
    pub(super) fn visible(&self, viewport: &Viewport, scroll: &Scroll) -> Range<usize> {
        let lines = viewport.visible(scroll);
        (lines.start * self.in_line).min(self.rows)..(lines.end * self.in_line).min(self.rows)
    }

    /// Scrolls as little as needed to make the whole row visible.
    pub(super) fn reveal(&self, state: &mut TableState, row: usize, viewport: &Viewport) {
        state.scroll.reveal(row / self.in_line, viewport);
    }

    /// Returns where a row is drawn.
    pub(super) fn rect_of(&self, row: usize, viewport: &Viewport, scroll: &Scroll, pixels_per_point: f32) -> Rect {
        let line = row / self.in_line;
        let top = viewport.row_top(scroll, line, pixels_per_point);
        let bottom = viewport.row_top(scroll, line + 1, pixels_per_point);
        let (left, right) = (viewport.rect.left(), viewport.rect.right());
        if self.tiles.is_none() {
            return Rect::from_min_max(pos2(left, top), pos2(right, bottom));
        }
        // What is left over beside the tiles is shared by them.
        let width = ((right - BAR - left) / self.in_line as f32).floor();
        let left = left + width * (row % self.in_line) as f32;
        Rect::from_min_max(pos2(left, top), pos2(left + width, bottom)).shrink(GAP / 2.0)
    }

    /// Draws the tile of a row; returns false if rows are not drawn as tiles.
    pub(super) fn tile_ui(&mut self, body: &mut Ui, row: usize, rect: Rect) -> bool {
        let Some(tiles) = &mut self.tiles else { return false };
        let mut ui = body.new_child(UiBuilder::new().id_salt(("tile", row)).max_rect(rect.shrink2(vec2(GAP, GAP))));
        ui.shrink_clip_rect(rect);
        (tiles.draw)(&mut ui, row);
        true
    }
}

/// Space between tiles, and between the edge of one and what is in it, in points.
const GAP: f32 = 6.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::table::Column;
    use egui::{Key, Modifiers};
    use egui_kittest::Harness;

    const COLUMNS: [Column; 1] = [Column::text("name", "Name", 200.0).growing()];

    /// A table of 100,000 tiles, the state of the table, and how many tiles were drawn in the last frame.
    fn harness(height: f32) -> Harness<'static, (TableState, usize)> {
        let draw = |ui: &mut Ui, (table, drawn): &mut (TableState, usize)| {
            let key = |row: usize| row.to_string();
            *drawn = 0;
            let mut tile = |ui: &mut Ui, row: usize| {
                *drawn += 1;
                ui.label(row.to_string());
            };
            let tiles = Tiles { size: vec2(100.0, 100.0), draw: &mut tile };
            Table::new("tiles", &COLUMNS, 100_000, &key).tiles(Some(tiles)).show(ui, table, |_, _, _| {});
        };
        let mut harness = Harness::builder()
            .with_size([640.0, height])
            .with_context_setup(crate::ui::theme::install)
            .build_ui_state(draw, Default::default());
        harness.run();
        harness
    }

    #[test]
    fn tiles_end_where_the_room_for_them_does() {
        let harness = harness(250.0);
        let table = egui_kittest::kittest::Queryable::get_by_role(&harness, egui::Role::Table).rect();
        assert!(table.bottom() <= 250.0, "{table:?}");
    }

    #[test]
    fn of_100_000_tiles_those_in_sight_are_drawn_and_keys_move_by_tiles_and_lines() {
        let mut harness = harness(480.0);
        assert!((24..=42).contains(&harness.state().1), "{}", harness.state().1);
        egui_kittest::kittest::Queryable::get_by_role(&harness, egui::Role::Table).focus();
        harness.run();
        let mut after = |key: Key, modifiers: Modifiers| {
            harness.key_press_modifiers(modifiers, key);
            harness.run();
            let (table, drawn) = harness.state();
            assert!(*drawn <= 42, "{drawn}");
            (table.focus, table.selection.count())
        };
        let none = Modifiers::NONE;
        assert_eq!(after(Key::Home, none), (Some(0), 1));
        assert_eq!(after(Key::ArrowLeft, none), (Some(0), 1));
        assert_eq!(after(Key::ArrowRight, none), (Some(1), 1));
        assert_eq!(after(Key::ArrowDown, none), (Some(7), 1));
        assert_eq!(after(Key::ArrowDown, Modifiers::SHIFT), (Some(13), 7));
        assert_eq!(after(Key::ArrowUp, none), (Some(7), 1));
        assert_eq!(after(Key::End, none), (Some(99_999), 1));
        assert_eq!(after(Key::ArrowDown, none), (Some(99_999), 1));
        assert_eq!(after(Key::ArrowUp, none), (Some(99_993), 1));
        assert_eq!(after(Key::A, Modifiers::COMMAND).1, 100_000);
    }
}
