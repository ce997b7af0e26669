//! Fields of records that differ: the name of each, and its value on either side, as plans, conflicts, changes made
//! elsewhere and comparisons draw them.
//!
//! What must hold: a value that was added or removed is told by its sign and its accessible name, not by its colour
//! alone; only visible rows are drawn.

use egui::{Color32, Rect, Response, ScrollArea, Sense, Ui, accesskit::Role, pos2, vec2};
use lunette_client::model::diff::FieldChange;

use crate::ui::theme::{RADIUS, SPACE_S, UiExt as _, text};
use crate::ui::widgets::{grouped, shown, shown_short};

mod cells;
mod names;

pub use cells::{Cell, cells};
pub use names::{names, value_in_words};

/// Height of one field, in points: its name, and its values.
const ROW: f32 = 50.0;
/// Height of the line of its name, in points.
pub const NAME: f32 = 22.0;
/// Maximum number of characters of a path.
const MAX_PATH: usize = 400;

/// One field as it is drawn.
pub struct FieldRow {
    /// What people call it.
    pub name: String,
    /// Its path in the record.
    pub path: String,
    /// Its values: before and after, or left and right.
    pub cells: [Cell; 2],
}

/// Returns the rows for the changed fields.
pub fn rows(fields: &[FieldChange]) -> Vec<FieldRow> {
    let names = names(fields.iter().map(|field| &field.path));
    let row = |(field, name): (&FieldChange, String)| FieldRow {
        name,
        path: path_text(field),
        cells: cells([field.before.as_ref(), field.after.as_ref()]),
    };
    fields.iter().zip(names).map(row).collect()
}

fn path_text(field: &FieldChange) -> String {
    shown_short(&field.path.to_string(), MAX_PATH).into_owned()
}

/// Draws the rows of a change, at most `most` of them visible at once.
pub fn changes(ui: &mut Ui, rows: &[FieldRow], most: usize) {
    if rows.len() > most {
        ui.caption(&format!("{} fields change", grouped(rows.len() as u64)));
    }
    virtual_rows(ui, ROW, rows.len(), most, |ui, row| change_ui(ui, &rows[row]));
}

/// Draws those of so many rows of this height that are visible, at most `most` at once.
pub fn virtual_rows(ui: &mut Ui, row: f32, count: usize, most: usize, mut draw: impl FnMut(&mut Ui, usize)) {
    let height = (count.min(most) as f32) * (row + SPACE_S);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = SPACE_S;
        let area = ScrollArea::vertical().id_salt("fields").max_height(height).auto_shrink([false, true]);
        area.show_rows(ui, row, count, |ui, seen| seen.for_each(|row| draw(ui, row)));
    });
}

fn change_ui(ui: &mut Ui, row: &FieldRow) {
    let t = ui.tokens();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let FieldRow { name, path, cells: [before, after] } = row;
    let message = match (before.is_absent(), after.is_absent()) {
        (false, false) => format!("{name}: {} becomes {}", before.short, after.short),
        (false, true) => format!("{name}: {} is removed", before.short),
        (true, false) => format!("{name}: {} is added", after.short),
        (true, true) => format!("{name}: nothing"),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &message));
    name_text(ui, rect.with_max_y(rect.top() + NAME), name, t.muted);
    response.on_hover_text(path);
    let values = rect.with_min_y(rect.top() + NAME);
    let (left, right) = match before.is_absent() || after.is_absent() {
        false => values.split_left_right_at_fraction(0.5),
        true => (values, values),
    };
    for (rect, sign, cell, ground) in [(left, "−", before, t.removed_ground), (right, "+", after, t.added_ground)] {
        if !cell.is_absent() {
            value_ui(ui, rect, &Value { sign, cell, ground, color: t.text });
        }
    }
}

/// How a value is drawn.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    /// The sign before it, or nothing.
    pub sign: &'a str,
    /// The value.
    pub cell: &'a Cell,
    /// Its background.
    pub ground: Color32,
    /// Its colour.
    pub color: Color32,
}

/// Draws a value, with more of it on hover.
pub fn value_ui(ui: &Ui, rect: Rect, value: &Value<'_>) -> Response {
    let Value { sign, cell, ground, color } = *value;
    ui.painter().rect_filled(rect, f32::from(RADIUS) / 2.0, ground);
    let inner = rect.shrink2(vec2(SPACE_S, 0.0));
    let (mark, words) = inner.split_left_right_at_x(inner.left() + if sign.is_empty() { 0.0 } else { 16.0 });
    cut_text(ui, mark, sign, color);
    cut_text(ui, words, &cell.short, color);
    let id = ui.next_auto_id().with((sign, rect.left() as i32, rect.top() as i32));
    hover(ui.interact(rect, id, Sense::hover()), cell)
}

/// Shows more of a value on hover.
pub fn hover(response: Response, cell: &Cell) -> Response {
    let Some(whole) = &cell.whole else { return response };
    response.on_hover_ui(|ui| {
        ui.set_max_width(520.0);
        ui.label(egui::RichText::new(shown(whole)).text_style(text::mono_small()));
    })
}

/// Draws the name of a field, truncated at the end of the space.
pub fn name_text(ui: &Ui, rect: Rect, name: &str, color: Color32) {
    cut_line(ui, rect, name, egui::FontId::proportional(12.0), color);
}

/// Draws one line of code, truncated at the end of the space.
pub fn cut_text(ui: &Ui, rect: Rect, words: &str, color: Color32) {
    cut_line(ui, rect, words, text::mono_small().resolve(ui.style()), color);
}

fn cut_line(ui: &Ui, rect: Rect, words: &str, font: egui::FontId, color: Color32) {
    let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(rect.width());
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let pos = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(pos, galley, color);
}
