//! One line of the list of operations: a collapsible group, or an operation with its method.

use egui::{Align2, Color32, FontId, Rect, Response, Sense, Ui, accesskit::AriaCurrent, accesskit::Role, pos2, vec2};

use super::ListLine;
use crate::ui::theme::{Icon, Tokens, fonts};
use crate::ui::widgets::ListDrawn;
use crate::ui::widgets::context_menu::{entry, menu_at, separator};
use crate::ui::widgets::table::OPEN_BAR;
use crate::ui::{focus, format};
use lunette_client::operation::OperationInfo;
use lunette_inspector::session::support::{Support, Unsupported};
use lunette_inspector::{Action, State};

/// The context of a line.
pub(super) struct LineContext<'a> {
    pub chosen: &'static OperationInfo,
    pub state: &'a State,
}

/// What happened on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineAction {
    Nothing,
    Clicked,
    /// Opened from its menu.
    Opened,
    /// The menu was opened.
    Menu,
}

/// Draws a line and its menu. `active` is the line that the keyboard is on, or would be; `menu` is where the menu opens
/// if it is opened by a key.
pub(super) fn ui(
    drawn: &mut ListDrawn,
    line: ListLine,
    rect: Rect,
    active: bool,
    context: &LineContext<'_>,
    menu: Option<egui::Pos2>,
    actions: &mut Vec<Action>,
) -> LineAction {
    let response = drawn.ui.interact(rect, drawn.row_id(line.name()), Sense::CLICK);
    if active {
        let id = response.id.accesskit_id();
        drawn.ui.ctx().accesskit_node_builder(drawn.response.id, |node| node.set_active_descendant(id));
    }
    let t = Tokens::of(&drawn.ui);
    let selected = line == ListLine::Operation(context.chosen);
    if selected || response.hovered() {
        drawn.ui.painter().rect_filled(rect, 4.0, if selected { t.selected_row } else { t.hovered_row });
    }
    if selected {
        drawn.ui.painter().rect_filled(rect.with_max_x(rect.left() + OPEN_BAR), 2.0, t.accent);
    }
    if active {
        focus::set_ring(drawn.ui.ctx(), drawn.response.id, rect.intersect(drawn.viewport.rect));
    }
    match line {
        ListLine::Group(name, count, open) => {
            group_ui(&drawn.ui, &response, rect, name, count, open);
            if response.clicked() { LineAction::Clicked } else { LineAction::Nothing }
        }
        ListLine::Operation(info) => {
            let chosen = menu_at(&response, &format!("Menu of {}", info.name), menu, |ui| menu_ui(ui, info, actions));
            let secondary = response.secondary_clicked();
            let clicked = operation_ui(&drawn.ui, response, rect, info, selected, context);
            match (clicked, chosen) {
                (_, Some(true)) => LineAction::Opened,
                (true, _) => LineAction::Clicked,
                (false, _) if secondary => LineAction::Menu,
                (false, _) => LineAction::Nothing,
            }
        }
    }
}

/// Draws the menu of an operation; returns whether it is to be opened.
fn menu_ui(ui: &mut Ui, info: &OperationInfo, actions: &mut Vec<Action>) -> bool {
    let open = entry(ui, Icon::SHOWN, "Open");
    separator(ui);
    for (name, text, message) in
        [("Copy path", info.path, "Copied the path"), ("Copy name", info.name, "Copied the name of the operation")]
    {
        if entry(ui, Icon::COPY, name) {
            ui.ctx().copy_text(text.to_owned());
            actions.push(Action::Notify(message.to_owned()));
        }
    }
    open
}

fn group_ui(ui: &Ui, response: &Response, rect: Rect, name: &str, count: usize, open: bool) {
    let t = Tokens::of(ui);
    let icon = if open { Icon::UNFOLDED } else { Icon::FOLDED };
    icon.paint(ui.painter(), pos2(rect.left() + 10.0, rect.center().y), 13.0, t.muted);
    let font = FontId::new(11.5, fonts::semibold());
    let at = ui.painter().text(rect.left_center() + vec2(22.0, 0.0), Align2::LEFT_CENTER, name, font, t.muted);
    let font = FontId::proportional(11.0);
    ui.painter().text(pos2(at.right() + 6.0, rect.center().y), Align2::LEFT_CENTER, count.to_string(), font, t.muted);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::TreeItem, true, name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_level(1);
        node.set_expanded(open);
        node.set_description(format!("{count} operations"));
    });
}

fn operation_ui(
    ui: &Ui,
    response: Response,
    rect: Rect,
    info: &'static OperationInfo,
    selected: bool,
    context: &LineContext<'_>,
) -> bool {
    let t = Tokens::of(ui);
    let lacking = match context.state.connection.capabilities.of(info.name) {
        Support::Unsupported(lack) => Some(lack),
        Support::Unknown | Support::Offered => None,
    };
    let color = if info.writes() { t.accent } else { t.muted };
    let left = rect.left_center() + vec2(22.0, 0.0);
    ui.painter().text(left, Align2::LEFT_CENTER, info.method.as_str(), FontId::monospace(10.0), color);
    let quiet = (info.deprecated || lacking.is_some()) && !selected;
    let end = if lacking.is_some() { 132.0 } else { 66.0 };
    name_ui(ui, rect, info.name, rect.width() - end, if quiet { t.muted } else { t.text });
    response.widget_info(|| egui::WidgetInfo::labeled(Role::TreeItem, true, info.name));
    let mut hover = format!("{} {}\n{}", info.method, info.path, info.summary);
    let message = lacking.map(|lack| unsupported_ui(ui, rect, &lack));
    if let Some(message) = &message {
        hover = format!("{hover}\n{message}");
    }
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_level(2);
        node.set_selected(selected);
        if selected {
            node.set_aria_current(AriaCurrent::True);
        }
        node.set_description(message.unwrap_or_else(|| format!("{} {}", info.method, info.path)));
    });
    response.on_hover_text(hover).clicked()
}

fn name_ui(ui: &Ui, rect: Rect, name: &str, width: f32, color: Color32) {
    let job = egui::text::LayoutJob {
        wrap: egui::text::TextWrapping::truncate_at_width(width),
        ..egui::text::LayoutJob::simple_singleline(name.to_owned(), FontId::proportional(12.5), color)
    };
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = pos2(rect.left() + 58.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, color);
}

/// Draws that the service does not support the operation; returns the same with how that is known.
fn unsupported_ui(ui: &Ui, rect: Rect, lack: &Unsupported) -> String {
    let at = rect.right_center() - vec2(6.0, 0.0);
    let color = Tokens::of(ui).warning;
    ui.painter().text(at, Align2::RIGHT_CENTER, "not offered", FontId::proportional(11.0), color);
    let at = lack.at.to_string();
    format!("Not offered: status {}, {} ({})", lack.status, format::ago(&at), format::exact(&at))
}
