//! The fields that a write changes, each before and after.

use egui::{Color32, Rect, Response, ScrollArea, Sense, Ui, accesskit::Role, pos2, vec2};
use serde_json::Value;

use super::field_names::{names, value_in_words};
use crate::ui::theme::{RADIUS, SPACE_S, UiExt as _, text};
use crate::ui::widgets::{grouped, shown, shown_short};
use lunette_client::model::diff::FieldChange;

/// Height of one field, in points: its path, and its value before and after.
const ROW: f32 = 50.0;
/// Maximum number of characters of a value in its cell.
const CELL: usize = 160;
/// Maximum number of characters of a value shown on hover.
const HOVERED: usize = 2_000;
/// If two texts first differ after this many characters, their common prefix is omitted.
const SAME: usize = 40;

/// One field as it is drawn.
pub struct Row {
    name: String,
    path: String,
    before: Option<Cell>,
    after: Option<Cell>,
}

/// The short form of a value, and the form shown on hover.
struct Cell {
    short: String,
    whole: String,
}

/// Returns the rows for the changed fields.
pub fn rows(fields: &[FieldChange]) -> Vec<Row> {
    let names = names(fields.iter().map(|field| &field.path));
    fields.iter().zip(names).map(|(field, name)| row(field, name)).collect()
}

fn row(field: &FieldChange, name: String) -> Row {
    let texts = [&field.before, &field.after].map(|value| value.as_ref().map(Value::to_string));
    let same = match &texts {
        [Some(before), Some(after)] => common_prefix(before, after),
        _ => 0,
    };
    let words = [&field.before, &field.after].map(|value| value.as_ref().and_then(value_in_words));
    // Both as words or both as JSON, so that they can be compared.
    let readable = words.iter().zip(&texts).all(|(words, text)| words.is_some() || text.is_none());
    let mut cells = texts.into_iter().zip(words).map(|(text, words)| {
        let cell = cell(&text?, same);
        Some(Cell { short: words.filter(|_| readable).map_or(cell.short, |words| short(&words)), ..cell })
    });
    let (before, after) = (cells.next().flatten(), cells.next().flatten());
    let path = shown_short(&field.path.to_string(), 400).into_owned();
    Row { name, path, before, after }
}

fn short(text: &str) -> String {
    shown_short(text, CELL).into_owned()
}

fn cell(text: &str, same: usize) -> Cell {
    let rest = &text[same..];
    let short = shown_short(rest, CELL);
    let short = if same > 0 { format!("…{short}") } else { short.into_owned() };
    Cell { short, whole: shown_short(text, HOVERED).into_owned() }
}

/// Returns how many bytes to omit at the start of two texts so that their difference is visible.
fn common_prefix(before: &str, after: &str) -> usize {
    let same = before.chars().zip(after.chars()).take_while(|(before, after)| before == after).count();
    if same <= SAME {
        return 0;
    }
    before.char_indices().nth(same - SAME / 2).map_or(0, |(start, _)| start)
}

/// Draws the rows, at most `most` of them visible at once; only visible ones are drawn.
pub fn ui(ui: &mut Ui, rows: &[Row], most: usize) {
    if rows.len() > most {
        ui.caption(&format!("{} fields change", grouped(rows.len() as u64)));
    }
    let height = (rows.len().min(most) as f32) * (ROW + SPACE_S);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = SPACE_S;
        let area = ScrollArea::vertical().id_salt("fields").max_height(height).auto_shrink([false, true]);
        area.show_rows(ui, ROW, rows.len(), |ui, seen| {
            for row in seen {
                row_ui(ui, &rows[row]);
            }
        });
    });
}

fn row_ui(ui: &mut Ui, row: &Row) {
    let t = ui.tokens();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let Row { name, path, before, after } = row;
    let message = match (before, after) {
        (Some(before), Some(after)) => format!("{name}: {} becomes {}", before.short, after.short),
        (Some(before), None) => format!("{name}: {} is removed", before.short),
        (None, Some(after)) => format!("{name}: {} is added", after.short),
        (None, None) => format!("{name}: nothing"),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &message));
    let line = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
    name_text(ui, line, name, t.muted);
    response.on_hover_text(path);
    let cells = Rect::from_min_max(pos2(rect.left(), rect.top() + 22.0), rect.max);
    let (left, right) = match (before, after) {
        (Some(_), Some(_)) => cells.split_left_right_at_fraction(0.5),
        _ => (cells, cells),
    };
    if let Some(before) = before {
        cell_ui(ui, left, "−", before, t.removed_ground, "before");
    }
    if let Some(after) = after {
        cell_ui(ui, right, "+", after, t.added_ground, "after");
    }
}

fn cell_ui(ui: &Ui, rect: Rect, sign: &str, cell: &Cell, ground: Color32, salt: &str) -> Response {
    let t = ui.tokens();
    ui.painter().rect_filled(rect, f32::from(RADIUS) / 2.0, ground);
    let inner = rect.shrink2(vec2(SPACE_S, 0.0));
    let (mark, value) = inner.split_left_right_at_x(inner.left() + 16.0);
    cut_text(ui, mark, sign, t.text);
    cut_text(ui, value, &cell.short, t.text);
    let id = ui.next_auto_id().with((salt, rect.left() as i32, rect.top() as i32));
    ui.interact(rect, id, Sense::hover()).on_hover_ui(|ui| {
        ui.set_max_width(520.0);
        ui.label(egui::RichText::new(shown(&cell.whole)).text_style(text::mono_small()));
    })
}

/// Draws the name of a field, truncated at the end of the space.
pub(in crate::ui) fn name_text(ui: &Ui, rect: Rect, name: &str, color: Color32) {
    cut_line(ui, rect, name, egui::FontId::proportional(12.0), color);
}

/// Draws one line of code, truncated at the end of the space.
pub(in crate::ui) fn cut_text(ui: &Ui, rect: Rect, words: &str, color: Color32) {
    cut_line(ui, rect, words, text::mono_small().resolve(ui.style()), color);
}

fn cut_line(ui: &Ui, rect: Rect, words: &str, font: egui::FontId, color: Color32) {
    let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(rect.width());
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let pos = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(pos, galley, color);
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::model::diff::{Path, Step};

    fn change(before: Option<Value>, after: Option<Value>) -> FieldChange {
        FieldChange { path: Path(vec![Step::Key("name".to_owned())]), before, after }
    }

    #[test]
    fn a_distant_difference_is_scrolled_into_view() {
        let long = "é".repeat(300);
        let row = row(&change(Some(format!("{long}a").into()), Some(format!("{long}bc").into())), "Name".to_owned());
        let [Some(before), Some(after)] = [row.before, row.after] else { panic!("two values") };
        assert!(before.short.starts_with('…') && before.short.ends_with("éa\"") && after.short.ends_with("ébc\""));
        assert!(before.whole.starts_with("\"é"));
    }

    #[test]
    fn digits_and_quotes_of_a_value_stay_as_they_are() {
        let number: Value = serde_json::from_str("1.10").expect("a number");
        let row = row(&change(Some(number), Some("1.10".into())), "Name".to_owned());
        assert_eq!(row.before.map(|cell| cell.short).as_deref(), Some("1.10"));
        assert_eq!(row.after.map(|cell| cell.short).as_deref(), Some("\"1.10\""));
    }
}
