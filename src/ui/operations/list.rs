//! The operations by group, those of the document in its order; the deprecated ones folded away.

use egui::{CollapsingHeader, RichText, ScrollArea, Ui};

use crate::app::State;
use crate::app::capability::{Capabilities, Capability};
use crate::app::state::Panel;
use crate::operation::{Group, OPERATIONS, OperationInfo};
use crate::ui::command::filter_field;
use crate::ui::moment;
use crate::ui::theme::{ROW_COMPACT, SPACE_S, UiExt as _, text};
use crate::ui::widget::text_field::TextField;

/// What is typed to find an operation.
#[derive(Default)]
pub struct OperationList {
    filter: String,
}

impl OperationList {
    /// Draws the list; gives the operation that was chosen.
    pub fn ui(&mut self, ui: &mut Ui, chosen: &OperationInfo, state: &State) -> Option<&'static OperationInfo> {
        ui.horizontal(|ui| {
            ui.heading("Operations");
            ui.count_badge(OPERATIONS.len());
        });
        ui.add_space(SPACE_S);
        TextField::search("Find an operation").id(filter_field(Panel::Operations)).show(ui, &mut self.filter);
        ui.add_space(SPACE_S);
        let filter = self.filter.to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let found = OPERATIONS.iter().copied().filter(|info| {
            let text = format!("{} {} {} {}", info.name, info.method, info.path, info.summary).to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
        let (legacy, current): (Vec<_>, Vec<_>) = found.partition(|info| info.deprecated);
        let scroll = ScrollArea::vertical().auto_shrink([false, false]);
        let drawn = scroll.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            if legacy.is_empty() && current.is_empty() {
                ui.muted("No operation matches.");
            }
            let look = (chosen, &state.connection.capabilities);
            let mut picked = None;
            for group in [Group::Applications, Group::Asset, Group::Companion] {
                picked = group_ui(ui, group, &current, look).or(picked);
            }
            let open = chosen.deprecated || !words.is_empty();
            picked.or(legacy_ui(ui, &legacy, open, look))
        });
        drawn.inner
    }
}

type Rows = [&'static OperationInfo];

/// The operation that is chosen, and what is known of all of them.
type Look<'a> = (&'a OperationInfo, &'a Capabilities);

/// Draws the operations of a group under its name; nothing where it has none.
fn group_ui(ui: &mut Ui, group: Group, rows: &Rows, look: Look<'_>) -> Option<&'static OperationInfo> {
    let mut picked = None;
    let rows = rows.iter().filter(|info| info.group == group);
    for (place, info) in rows.enumerate() {
        if place == 0 {
            ui.add_space(SPACE_S);
            ui.section_title(group.as_str());
        }
        picked = row_ui(ui, info, look).or(picked);
    }
    picked
}

/// Draws the deprecated operations, folded away unless one of them is wanted.
fn legacy_ui(ui: &mut Ui, rows: &Rows, open: bool, look: Look<'_>) -> Option<&'static OperationInfo> {
    if rows.is_empty() {
        return None;
    }
    ui.add_space(SPACE_S);
    let title = RichText::new(format!("Legacy  {}", rows.len())).text_style(text::section());
    let header = CollapsingHeader::new(title).id_salt("legacy").open(open.then_some(true));
    let drawn =
        header.show_unindented(ui, |ui| rows.iter().fold(None, |picked, info| row_ui(ui, info, look).or(picked)));
    drawn.body_returned.flatten()
}

fn row_ui(
    ui: &mut Ui,
    info: &'static OperationInfo,
    (chosen, capabilities): Look<'_>,
) -> Option<&'static OperationInfo> {
    let selected = info == chosen;
    let lacking = match capabilities.of(info.name) {
        Capability::Lacking(lack) => Some(lack),
        Capability::Unknown | Capability::Offered => None,
    };
    let t = ui.tokens();
    let size = egui::vec2(ui.available_width(), ROW_COMPACT + 2.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
    if selected || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, 4.0, if selected { t.selected_row } else { t.hovered_row });
    }
    if response.has_focus() {
        let stroke = egui::Stroke::new(1.0, t.accent);
        ui.painter().rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Inside);
    }
    let method = egui::FontId::monospace(10.0);
    let left = rect.left_center() + egui::vec2(6.0, 0.0);
    let color = if info.writes() { t.accent } else { t.muted };
    ui.painter().text(left, egui::Align2::LEFT_CENTER, info.method.as_str(), method, color);
    let job = egui::text::LayoutJob {
        wrap: egui::text::TextWrapping::truncate_at_width(rect.width() - if lacking.is_some() { 116.0 } else { 50.0 }),
        ..egui::text::LayoutJob::simple_singleline(
            info.name.to_owned(),
            egui::FontId::proportional(12.5),
            if (info.deprecated || lacking.is_some()) && !selected { t.muted } else { t.text },
        )
    };
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = egui::pos2(rect.left() + 42.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, t.text);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, info.name));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_selected(selected));
    let mut hover = format!("{} {}\n{}", info.method, info.path, info.summary);
    if let Some(lack) = lacking {
        let at = rect.right_center() - egui::vec2(6.0, 0.0);
        let font = egui::FontId::proportional(11.0);
        ui.painter().text(at, egui::Align2::RIGHT_CENTER, "not offered", font, t.warning);
        let said = format!("Not offered: status {}, {}", lack.status, moment::ago(&lack.at.to_string()));
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(said.clone()));
        hover = format!("{hover}\n{said}");
    }
    response.on_hover_text(hover).clicked().then_some(info)
}
