//! The list of conflicting fields; those that both sides changed come first.

use egui::{Rect, Response, ScrollArea, Sense, Stroke, StrokeKind, Ui, accesskit::Role, pos2, vec2};

use crate::ui::theme::{RADIUS, SPACE_S, UiExt as _, text};
use crate::ui::widgets::field_diff::{Cell, NAME, Value, cells, cut_text, hover, name_text, names, value_ui};
use crate::ui::widgets::{grouped, shown_short};
use lunette_inspector::Action;
use lunette_inspector::action::WriteAction;
use lunette_inspector::write::conflict::{Choice, Conflict, ContestedField};

/// Height of one field, in points: its path, and its three versions.
const ROW: f32 = 52.0;
/// What the dialog needs of the window's height besides the list, in points.
const RESERVED_HEIGHT: f32 = 280.0;
/// The titles of the columns, in order.
const COLUMN_TITLES: [&str; 3] = ["Began with", "Yours", "Theirs"];

/// The fields, in the order they are drawn.
pub struct Fields {
    /// The index of each in the conflict.
    order: Vec<usize>,
    /// The name of each.
    names: Vec<String>,
    /// What is drawn of each; computed when it first becomes visible.
    rows: Vec<Option<Row>>,
}

struct Row {
    path: String,
    cells: [Cell; 3],
}

impl Fields {
    /// The fields of a conflict; undecided ones come first.
    pub fn of(fields: &[ContestedField]) -> Self {
        let mut order: Vec<_> = (0..fields.len()).collect();
        order.sort_by_key(|&index| !fields[index].field.overlaps());
        let names = names(fields.iter().map(|contested| &contested.field.path));
        Self { order, names, rows: fields.iter().map(|_| None).collect() }
    }

    /// Draws the titles and the visible fields.
    pub fn ui(&mut self, ui: &mut Ui, conflict: &Conflict, actions: &mut Vec<Action>) {
        column_titles_ui(ui, conflict.fields.len());
        let height = (ui.ctx().content_rect().height() - RESERVED_HEIGHT).clamp(ROW + SPACE_S, 7.0 * (ROW + SPACE_S));
        let Self { order, names, rows } = self;
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = SPACE_S;
            let area = ScrollArea::vertical().id_salt("fields").max_height(height).auto_shrink([false, true]);
            area.show_rows(ui, ROW, order.len(), |ui, seen| {
                for &index in &order[seen] {
                    let (Some(row), Some(contested)) = (rows.get_mut(index), conflict.fields.get(index)) else {
                        continue;
                    };
                    let row = row.get_or_insert_with(|| Row::of(contested));
                    let name = names.get(index).map_or("", String::as_str);
                    if let Some(choice) = row_ui(ui, row, name, contested) {
                        actions.push(WriteAction::Decide(index, choice).into());
                    }
                }
            });
        });
    }
}

impl Row {
    fn of(contested: &ContestedField) -> Self {
        let field = &contested.field;
        let cells = cells([&field.base, &field.yours, &field.theirs].map(Option::as_ref));
        Self { path: shown_short(&field.path.to_string(), 400).into_owned(), cells }
    }
}

fn column_titles_ui(ui: &mut Ui, count: usize) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 16.0), Sense::hover());
    for (column, head) in COLUMN_TITLES.into_iter().enumerate() {
        let count =
            if column == 0 && count > 1 { format!(" · {} fields", grouped(count as u64)) } else { String::new() };
        let rect = column_rect(rect, column);
        let builder = egui::UiBuilder::new().max_rect(rect.shrink2(vec2(SPACE_S, 0.0)));
        ui.scope_builder(builder, |ui| ui.section_title(&format!("{head}{count}")));
    }
}

/// Returns a third of the row.
fn column_rect(rect: Rect, column: usize) -> Rect {
    let gap = SPACE_S / 2.0;
    let width = (rect.width() - 2.0 * gap) / 3.0;
    let left = rect.left() + column as f32 * (width + gap);
    Rect::from_min_max(pos2(left, rect.top()), pos2(left + width, rect.bottom()))
}

/// Draws a field; returns the version that was chosen.
fn row_ui(ui: &mut Ui, row: &Row, name: &str, contested: &ContestedField) -> Option<Choice> {
    let t = ui.tokens();
    let Row { path, cells: [base, yours, theirs] } = row;
    let both = contested.field.overlaps();
    let changed_by = changed_by(contested);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let explanation =
        format!("{name}: began with {}, yours {}, theirs {}; {changed_by}", base.short, yours.short, theirs.short);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &explanation));
    let line = Rect::from_min_size(rect.min, vec2(rect.width(), NAME));
    let (way, word) = line.split_left_right_at_x(line.right() - 130.0);
    name_text(ui, way, name, t.text);
    response.on_hover_text(path);
    let color = if contested.choice == Choice::Open { t.warning } else { t.muted };
    let painter = ui.painter();
    painter.text(word.right_center(), egui::Align2::RIGHT_CENTER, changed_by, text::tiny().resolve(ui.style()), color);
    let cells = Rect::from_min_max(pos2(rect.left(), rect.top() + NAME), rect.max);
    let [first, second, third] = [0, 1, 2].map(|column| column_rect(cells, column));
    value_ui(ui, first, &Value { sign: "", cell: base, ground: t.code_ground, color: t.muted });
    let mut chosen = None;
    for (rect, cell, choice) in [(second, yours, Choice::Yours), (third, theirs, Choice::Theirs)] {
        let stands = contested.choice == choice;
        if both {
            if choice_ui(ui, rect, cell, (name, choice), stands).clicked() {
                chosen = Some(choice);
            }
        } else {
            let (ground, color) = if stands { (t.added_ground, t.text) } else { (t.code_ground, t.muted) };
            value_ui(ui, rect, &Value { sign: "", cell, ground, color });
        }
    }
    chosen
}

/// Returns who changed the field.
fn changed_by(contested: &ContestedField) -> &'static str {
    let field = &contested.field;
    match contested.choice {
        Choice::Open => "both: choose one",
        Choice::Yours | Choice::Theirs if field.overlaps() => "both, decided",
        Choice::Yours | Choice::Theirs if field.yours == field.theirs => "both, to the same",
        Choice::Yours => "only you",
        Choice::Theirs => "only the service",
    }
}

fn choice_label(choice: Choice) -> &'static str {
    match choice {
        Choice::Yours => "yours",
        Choice::Theirs => "theirs",
        Choice::Open => "neither",
    }
}

/// Draws a version that can be chosen; the whole cell is the button.
fn choice_ui(ui: &Ui, rect: Rect, cell: &Cell, (name, choice): (&str, Choice), chosen: bool) -> Response {
    let t = ui.tokens();
    let word = choice_label(choice);
    let response = ui.interact(rect, ui.scope_id().with((name, word)), Sense::click());
    let name = format!("Take {word}: {name}");
    response.widget_info(|| egui::WidgetInfo::selected(Role::RadioButton, true, chosen, &name));
    let ground = match () {
        () if chosen => t.added_ground,
        () if response.hovered() => t.hovered,
        () => t.code_ground,
    };
    let line = if chosen { t.accent } else { t.line };
    let round = f32::from(RADIUS) / 2.0;
    ui.painter().rect(rect, round, ground, Stroke::new(1.0, line), StrokeKind::Inside);
    let (sign, value) = rect.split_left_right_at_x(rect.left() + 28.0);
    ui.painter().circle_stroke(sign.center(), 6.0, Stroke::new(1.5, if chosen { t.accent } else { t.bar }));
    if chosen {
        ui.painter().circle_filled(sign.center(), 3.0, t.accent);
    }
    cut_text(ui, value.with_max_x(value.right() - SPACE_S), &cell.short, t.text);
    hover(response, cell)
}
