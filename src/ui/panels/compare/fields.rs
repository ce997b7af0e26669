//! The fields and links that differ, each with its value on either side and the buttons that copy it.

use std::sync::Arc;

use egui::{Rect, Sense, Ui, UiBuilder, accesskit::Role, pos2, vec2};

use lunette_client::model::display::capitalized;
use lunette_inspector::action::CompareAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::compare::{Comparison, CopyPart, Position, Tab};
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::{change_disabled_reason, enabled_unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::field_diff::{self, Cell, FieldRow, Value, name_text, value_ui};
use crate::ui::widgets::grouped;

/// Height of the values of a row, in points.
const VALUES: f32 = 26.0;
/// The most rows that are visible at once.
const MOST: usize = 4;

/// The rows of a comparison.
#[derive(Default)]
pub(super) struct FieldsView {
    rows: Vec<FieldRow>,
    folded: bool,
}

impl FieldsView {
    /// Makes the rows of fields and links, in this order.
    pub fn of(comparison: &Arc<Comparison>) -> Self {
        let mut rows = field_diff::rows(&comparison.fields);
        rows.extend(comparison.links.iter().map(|link| {
            let name = capitalized(link.item.kind.one());
            let cell = |at: Position| match at == link.on {
                true => {
                    Cell { short: link.item.name().to_owned(), whole: Some(link.item.name().to_owned()), words: None }
                }
                false => Cell { short: "not linked".to_owned(), whole: None, words: None },
            };
            FieldRow { name, path: link.item.id.to_string(), cells: Position::ALL.map(cell) }
        }));
        Self { rows, folded: false }
    }

    /// Draws the rows below their title, if there are any.
    pub fn ui(&mut self, ui: &mut Ui, tab: &Tab, comparison: &Comparison, state: &State, actions: &mut Vec<Action>) {
        if self.rows.is_empty() {
            return;
        }
        let count = self.rows.len();
        let title = if count == 1 {
            "1 field or link differs".to_owned()
        } else {
            format!("{} fields and links differ", grouped(count as u64))
        };
        let (icon, name) = match self.folded {
            true => (Icon::FOLDED, "Show fields and links"),
            false => (Icon::UNFOLDED, "Hide fields and links"),
        };
        ui.horizontal(|ui| {
            if ui.icon_button(icon, name).clicked() {
                self.folded = !self.folded;
            }
            ui.section_title(&title);
        });
        if self.folded {
            return;
        }
        let pitch = control(ui) + VALUES;
        // The content needs the room more.
        let fits = (ui.available_height() * 0.4 / (pitch + SPACE_S)) as usize;
        let rows = &self.rows;
        field_diff::virtual_rows(ui, pitch, count, fits.clamp(1, MOST), |ui, row| {
            row_ui(ui, &rows[row], row, (tab, comparison), state, actions);
        });
        ui.add_space(SPACE_S);
    }
}

/// Returns the part that a row copies.
fn part(comparison: &Comparison, row: usize) -> (CopyPart, Capability) {
    match row.checked_sub(comparison.fields.len()) {
        None => {
            let language = comparison.fields[row].path.to_string() == "$.language";
            (CopyPart::Field(row), if language { Capability::Reclassify } else { Capability::Edit })
        }
        Some(link) => (CopyPart::Link(link), Capability::Link(comparison.links[link].item.kind)),
    }
}

fn row_ui(
    ui: &mut Ui,
    row: &FieldRow,
    index: usize,
    (tab, comparison): (&Tab, &Comparison),
    state: &State,
    actions: &mut Vec<Action>,
) {
    let t = ui.tokens();
    let side = control(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), side + VALUES), Sense::hover());
    let FieldRow { name, path, cells: [left, right] } = row;
    let message = format!("{name}: {} on the left, {} on the right", left.short, right.short);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &message));
    let line = rect.with_max_y(rect.top() + side);
    let (title, buttons) = line.split_left_right_at_x(line.right() - 2.0 * side - SPACE_S);
    name_text(ui, title, name, t.muted);
    response.on_hover_text(path);
    let values = rect.with_min_y(line.bottom());
    let gap = SPACE_S / 2.0;
    let middle = values.center().x;
    let halves = [values.with_max_x(middle - gap), values.with_min_x(middle + gap)];
    let looks = [("−", left, t.removed_ground), ("+", right, t.added_ground)];
    for (rect, (sign, cell, ground)) in halves.into_iter().zip(looks) {
        let absent = cell.is_absent();
        let (sign, ground) = if absent { ("", t.code_ground) } else { (sign, ground) };
        value_ui(ui, rect, &Value { sign, cell, ground, color: if absent { t.muted } else { t.text } });
    }
    let (part, capability) = part(comparison, index);
    for into in Position::ALL {
        let left = buttons.right() - side * if into == Position::Left { 2.0 } else { 1.0 };
        let at = Rect::from_min_size(pos2(left, buttons.top()), vec2(side, side));
        let name = format!("Copy {name} to the {}", into.as_str());
        if copy_ui(ui, at, &Wanted { into, part: &part, capability, name: &name }, (comparison, state)) {
            actions.push(CompareAction::CopyPart(tab.number, into, part.clone()).into());
        }
    }
}

/// What a button copies.
pub(super) struct Wanted<'a> {
    pub into: Position,
    pub part: &'a CopyPart,
    pub capability: Capability,
    pub name: &'a str,
}

/// Returns why a part cannot be copied to a side.
pub(super) fn obstacle(wanted: &Wanted<'_>, comparison: &Comparison, state: &State) -> Option<String> {
    let Wanted { into, part, capability, .. } = wanted;
    if let Err(error) = comparison.can_copy_part(*into, part) {
        return Some(error.to_string());
    }
    let target = comparison.side(*into).target.as_ref()?;
    change_disabled_reason(state, target, *capability)
}

/// Draws the button that copies a part; returns whether it was clicked.
fn copy_ui(ui: &mut Ui, rect: Rect, wanted: &Wanted<'_>, (comparison, state): (&Comparison, &State)) -> bool {
    let reason = obstacle(wanted, comparison, state);
    let icon = match wanted.into {
        Position::Left => Icon::BACK,
        Position::Right => Icon::FORWARD,
    };
    // The row was allocated as a whole.
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect));
    enabled_unless(&mut ui, reason.as_deref(), |ui| ui.icon_button(icon, wanted.name)).clicked()
}
