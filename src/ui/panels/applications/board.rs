//! Applications as cards: for looking rather than reading.

use egui::accesskit::Role;
use egui::{Align2, Color32, FontId, Rect, Response, ScrollArea, Sense, StrokeKind, Ui, pos2, vec2};

use crate::app::action::InventoryAction;
use crate::app::listing::rows::InventoryRow;
use crate::app::{Action, State};
use crate::ui::app_icon::AppIcons;
use crate::ui::theme::{RADIUS, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::context_menu;
use crate::ui::widgets::shown_short;

use super::{inventory, labels};

/// The least width of a card, and its height, in points.
const CARD: (f32, f32) = (190.0, 70.0);
/// The side of an icon, in points.
const ICON: f32 = 36.0;

/// Draws the cards in the order of the list; only those in sight are laid out.
pub(super) fn ui(ui: &mut Ui, icons: &mut AppIcons, state: &State, actions: &mut Vec<Action>) {
    let listing = &state.inventory.list;
    let width = ui.available_width() - SPACE_M;
    let in_row = ((width + SPACE_S) / (CARD.0 + SPACE_S)).floor().max(1.0);
    let size = vec2(((width + SPACE_S) / in_row - SPACE_S).floor(), CARD.1);
    let in_row = in_row as usize;
    ui.spacing_mut().item_spacing = vec2(SPACE_S, SPACE_S);
    let lines = listing.order.len().div_ceil(in_row);
    ScrollArea::vertical().id_salt("board").auto_shrink(false).show_rows(ui, size.y, lines, |ui, lines| {
        for line in lines {
            ui.horizontal(|ui| {
                for row in (line * in_row..(line + 1) * in_row).filter_map(|place| listing.shown(place)) {
                    card_ui(ui, row, size, icons, state, actions);
                }
            });
        }
    });
    icons.request(actions);
}

fn card_ui(
    ui: &mut Ui,
    row: &InventoryRow,
    size: egui::Vec2,
    icons: &mut AppIcons,
    state: &State,
    actions: &mut Vec<Action>,
) {
    let (id, rect) = ui.allocate_space(size);
    let response = ui.interact(rect, id.with(&row.key), Sense::click());
    let name = labels::application(&row.name);
    let selected = state.inventory.open.as_ref() == Some(&row.key);
    let said = format!("{name}, {}", facts(row).join(", "));
    response.widget_info(|| egui::WidgetInfo::selected(Role::ListBoxOption, true, selected, &said));
    if ui.is_rect_visible(rect) {
        paint(ui, rect, row, &name, selected, &response);
        icons.paint(ui, icon_rect(rect), row, &name, state);
    }
    if response.clicked() {
        actions.push(InventoryAction::Open(row.key.clone()).into());
    }
    context_menu(&response, &said, |ui| inventory::menu_ui(ui, row, actions));
}

/// What a card says below its name.
fn facts(row: &InventoryRow) -> Vec<String> {
    let version = shown_short(&row.version, 24);
    let first = if version.is_empty() {
        row.standing.as_str().to_owned()
    } else {
        format!("{} · {version}", row.standing.as_str())
    };
    let change = row.change.as_ref().map(|change| shown_short(&change.words, 60).into_owned());
    std::iter::once(first).chain(change).collect()
}

/// The place of the icon on a card.
fn icon_rect(card: Rect) -> Rect {
    Rect::from_min_size(card.min + vec2(10.0, 10.0), vec2(ICON, ICON))
}

fn paint(ui: &Ui, rect: Rect, row: &InventoryRow, name: &str, selected: bool, response: &Response) {
    let tokens = ui.tokens();
    let fill = match (selected, response.hovered()) {
        (true, _) => tokens.selected_row,
        (false, true) => tokens.hovered,
        (false, false) => tokens.raised,
    };
    let line = if selected || response.has_focus() { tokens.accent } else { tokens.line };
    ui.painter().rect(rect, RADIUS, fill, (1.0, line), StrokeKind::Inside);
    let left = icon_rect(rect).right() + 10.0;
    let clip = Rect::from_min_max(pos2(left, rect.top()), rect.max - vec2(8.0, 4.0));
    let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
    let text = |y: f32, size: f32, color: Color32, text: String| {
        painter.text(pos2(left, rect.top() + y), Align2::LEFT_TOP, text, FontId::proportional(size), color);
    };
    text(8.0, 14.0, tokens.text, shown_short(name, 60).into_owned());
    for (place, fact) in facts(row).into_iter().enumerate() {
        let color = if place == 0 { labels::standing_color(tokens, row.standing) } else { tokens.warning };
        text(29.0 + 18.0 * place as f32, 12.0, color, fact);
    }
}
