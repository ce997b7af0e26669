//! Applications as cards.
//!
//! What must hold: a click selects, a double click or Enter opens; the arrow keys move between cards, scrolling as
//! needed. When the board is shown, the card of the open application is selected, or the first one.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Color32, EventFilter, FontId, Id, Key, Modifiers, PointerButton, Rect, Response, ScrollArea, Sense, StrokeKind, Ui,
    UiBuilder, pos2, vec2,
};

use crate::ui::app_icon;
use crate::ui::focus;
use crate::ui::theme::{RADIUS, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::context_menu;
use crate::ui::widgets::shown_short;
use crate::ui::widgets::table::{OPEN_BAR, describe_open};
use lunette_inspector::action::InventoryAction;
use lunette_inspector::listing::Listing;
use lunette_inspector::listing::rows::InventoryRow;
use lunette_inspector::navigation::in_view::Subject;
use lunette_inspector::{Action, State};

use super::{inventory, labels};

/// The minimum width of a card, and its height, in points.
const CARD: (f32, f32) = (190.0, 70.0);
/// The side of an icon, in points.
const ICON: f32 = 36.0;

/// The selected card and the pending focus.
#[derive(Default)]
pub(super) struct Board {
    /// The selected card, by the key of its row.
    selected: Option<String>,
    /// Whether the selected card takes the focus as soon as it is drawn.
    focus: bool,
    /// The pass in which the board was drawn last.
    drawn: Option<u64>,
}

impl Board {
    /// Draws the cards in the order of the list; only visible ones are laid out. Adds the keys of those whose changes are
    /// seen for the first time. Returns what commands act on: the card with the focus ring, if it is visible.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        seen: &mut BTreeSet<String>,
        actions: &mut Vec<Action>,
    ) -> Option<Subject> {
        let listing = &state.inventory.list;
        let width = ui.available_width() - SPACE_M;
        let in_row = ((width + SPACE_S) / (CARD.0 + SPACE_S)).floor().max(1.0);
        let size = vec2(((width + SPACE_S) / in_row - SPACE_S).floor(), CARD.1);
        let (in_row, pitch) = (in_row as usize, size.y + SPACE_S);
        let count = listing.order.len();
        let lines = count.div_ceil(in_row);
        let area = ScrollArea::vertical().id_salt("board").auto_shrink(false);
        let list = UiBuilder::new().accessibility_role(Role::ListBox).accessibility_label("Applications");
        let mut ringed = None;
        area.show_viewport(ui, |ui, sight| {
            ui.scope_builder(list, |ui| {
                ui.set_height(pitch * lines as f32);
                ui.set_width(ui.available_width());
                let corner = ui.max_rect().left_top();
                let rect_of = |index: usize| {
                    let (line, column) = (index / in_row, index % in_row);
                    let at = corner + vec2(column as f32 * (size.x + SPACE_S), line as f32 * pitch);
                    Rect::from_min_size(at, size)
                };
                let shown_at = self.shown_at(ui, state);
                if let Some(index) = shown_at.or_else(|| self.moved(ui, in_row, count, listing)) {
                    ui.scroll_to_rect(rect_of(index), None);
                }
                let (first, last) = ((sight.top() / pitch).floor().max(0.0), (sight.bottom() / pitch).ceil().max(0.0));
                for index in (first as usize * in_row)..(last as usize * in_row).min(count) {
                    if let Some(row) = listing.shown(index) {
                        seen.extend(state.inventory.is_unseen(row).then(|| row.key.clone()));
                        let card = self.card_ui(ui, rect_of(index), row, state, actions);
                        if card.has_focus() && focus::shows_ring(ui.ctx()) {
                            ringed = inventory::subject(row);
                        }
                    }
                }
            });
        });
        ringed
    }

    /// Selects the card of the open application, or the first one, if the board was not shown in the last frame or its
    /// selected card is gone; returns the index of the card.
    fn shown_at(&mut self, ui: &Ui, state: &State) -> Option<usize> {
        let listing = &state.inventory.list;
        let pass = ui.ctx().cumulative_pass_nr();
        let shown = self.drawn.replace(pass).is_none_or(|drawn| drawn + 1 < pass);
        let index_of =
            |key: &String| (0..listing.order.len()).find(|at| listing.shown(*at).is_some_and(|row| row.key == *key));
        if !shown && self.selected.as_ref().is_some_and(|key| index_of(key).is_some()) {
            return None;
        }
        let index = state.inventory.open.as_ref().and_then(index_of).unwrap_or(0);
        self.selected = listing.shown(index).map(|row| row.key.clone());
        Some(index)
    }

    /// Moves the selection with the keyboard while a card has the focus; returns the new index if it moved.
    fn moved(&mut self, ui: &Ui, in_row: usize, count: usize, listing: &Listing<InventoryRow>) -> Option<usize> {
        let focused = ui.memory(|memory| memory.focused()).filter(|id| focus::receives_keys(ui.ctx(), *id))?;
        let key = self.selected.clone().filter(|key| card_id(ui, key) == focused)?;
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(focused, filter));
        let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as isize;
        let line = in_row as isize;
        let steps = pressed(Key::ArrowRight) - pressed(Key::ArrowLeft)
            + line * (pressed(Key::ArrowDown) - pressed(Key::ArrowUp));
        let (home, end) = (pressed(Key::Home) > 0, pressed(Key::End) > 0);
        let at = (0..count).find(|index| listing.shown(*index).is_some_and(|row| row.key == key))?;
        let to = match (home, end) {
            (true, _) => 0,
            (_, true) => count.saturating_sub(1),
            (false, false) => at.checked_add_signed(steps).filter(|to| *to < count).unwrap_or(at),
        };
        if to == at {
            return None;
        }
        (self.selected, self.focus) = (listing.shown(to).map(|row| row.key.clone()), true);
        ui.ctx().request_repaint();
        Some(to)
    }

    fn card_ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        row: &InventoryRow,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Response {
        let response = ui.interact(rect, card_id(ui, &row.key), Sense::click());
        let name = labels::application(&row.name);
        let selected = self.selected.as_ref() == Some(&row.key);
        if selected {
            // Once it is drawn, it gets the focus if nothing else has it.
            focus::register_list(ui.ctx(), response.id);
            if std::mem::take(&mut self.focus) {
                response.request_focus();
            }
        }
        let accessible_name = format!("{name}, {}", facts(row).join(", "));
        response.widget_info(|| egui::WidgetInfo::selected(Role::ListBoxOption, true, selected, &accessible_name));
        let open = state.inventory.open.as_ref() == Some(&row.key);
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_selected(selected);
            if open {
                describe_open(node);
            }
        });
        if ui.is_rect_visible(rect) {
            paint(ui, rect, row, &name, (selected, open), &response);
            app_icon::paint(ui, icon_rect(rect), app_icon::path_of(row), &name, state);
        }
        let by_pointer = response.clicked_by(PointerButton::Primary);
        if by_pointer || response.secondary_clicked() || response.gained_focus() {
            self.selected = Some(row.key.clone());
        }
        if by_pointer {
            response.request_focus();
        }
        // Enter and assistive technology open a card; a click only selects it.
        if response.double_clicked() || (response.clicked() && !by_pointer) {
            actions.push(InventoryAction::Open(row.key.clone()).into());
        }
        context_menu(&response, &accessible_name, |ui| inventory::menu_ui(ui, row, state, actions));
        response
    }
}

fn card_id(ui: &Ui, key: &str) -> Id {
    ui.unique_id().with(("card", key))
}

/// Returns the lines below the name of a card.
fn facts(row: &InventoryRow) -> Vec<String> {
    let version = shown_short(&row.version, 24);
    let first =
        if version.is_empty() { row.state.as_str().to_owned() } else { format!("{} · {version}", row.state.as_str()) };
    let change = row.change.as_ref().map(|change| shown_short(&change.description, 60).into_owned());
    std::iter::once(first).chain(change).collect()
}

/// Returns the position of the icon on a card.
fn icon_rect(card: Rect) -> Rect {
    Rect::from_min_size(card.min + vec2(10.0, 10.0), vec2(ICON, ICON))
}

fn paint(ui: &Ui, rect: Rect, row: &InventoryRow, name: &str, (selected, open): (bool, bool), response: &Response) {
    let tokens = ui.tokens();
    let fill = match (selected, response.hovered()) {
        (true, _) => tokens.selected_row,
        (false, true) => tokens.hovered,
        (false, false) => tokens.raised,
    };
    let line = if selected || response.has_focus() { tokens.accent } else { tokens.line };
    ui.painter().rect(rect, RADIUS, fill, (1.0, line), StrokeKind::Inside);
    if open {
        ui.painter().rect_filled(rect.with_max_x(rect.left() + OPEN_BAR), RADIUS, tokens.accent);
    }
    let left = icon_rect(rect).right() + 10.0;
    let clip = Rect::from_min_max(pos2(left, rect.top()), rect.max - vec2(8.0, 4.0));
    let painter = ui.painter().with_clip_rect(clip.intersect(ui.clip_rect()));
    let text = |y: f32, size: f32, color: Color32, text: String| {
        let mut job = LayoutJob::simple_singleline(text, FontId::proportional(size), color);
        job.wrap = TextWrapping::truncate_at_width(clip.width());
        painter.galley(pos2(left, rect.top() + y), ui.fonts_mut(|fonts| fonts.layout_job(job)), color);
    };
    text(8.0, 14.0, tokens.text, shown_short(name, 60).into_owned());
    for (index, fact) in facts(row).into_iter().enumerate() {
        let color = if index == 0 { labels::state_color(tokens, row.state) } else { tokens.warning };
        text(29.0 + 18.0 * index as f32, 12.0, color, fact);
    }
}
