//! Rows of one height that hold other widgets, under one focus: formats, activities, many links.
//!
//! What must hold: only visible rows are drawn, however many there are. The height of a row is measured when the first
//! ones are drawn, so that a row is as high as what it holds.

use std::borrow::Cow;

use egui::emath::GuiRounding as _;
use egui::{
    PointerButton, Pos2, Rect, Response, Sense, Ui, UiBuilder,
    accesskit::{Action, Role},
    pos2,
};

use crate::ui::focus;
use crate::ui::theme::control;
use crate::ui::widgets::context_menu::{menu_at, menu_key};
use crate::ui::widgets::list::{DrawnList, List, ListState};
use crate::ui::widgets::list_keys::{ListKeys, ListMove};
use crate::ui::widgets::scroll::BAR;

/// Height of a row until it is measured, in points.
const GUESSED: f32 = 64.0;

/// The state of a list of rows.
#[derive(Clone, Debug)]
pub struct RowListState {
    list: ListState,
    keys: ListKeys,
    /// The row that the keyboard is on.
    row: usize,
    measured: Option<Measured>,
}

impl Default for RowListState {
    fn default() -> Self {
        Self { list: ListState::default(), keys: ListKeys::in_page(), row: 0, measured: None }
    }
}

/// The height of a row, and the sizes of the theme that it was measured with.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    pitch: f32,
    sizes: (f32, f32),
}

/// A list of rows to be drawn.
pub struct RowList<'a, 'n> {
    /// The accessible name of the list.
    pub name: &'a str,
    /// Where it is drawn.
    pub rect: Rect,
    /// How many rows there are.
    pub rows: usize,
    /// The accessible name of a row, by which it is also found by typing.
    pub row_name: &'a dyn Fn(usize) -> Cow<'n, str>,
    /// Whether rows can be dragged.
    pub drags: bool,
}

/// What happened in a list of rows.
pub struct RowListResponse {
    /// The list as a whole, which has the focus.
    pub response: Response,
    /// The row that the keyboard is on.
    pub row: usize,
    /// Whether Enter or Space was pressed on it.
    pub opened: bool,
    /// Whether a row was clicked, also by assistive technology.
    pub clicked: bool,
    /// The row that was clicked with the right button.
    pub menu_of: Option<usize>,
    /// The row that the pointer starts to drag.
    pub dragged: Option<usize>,
    /// Where the menu of the row is opened by a key.
    menu_at: Pos2,
    /// Where a button of the row opens its menu.
    opened_menu: Option<Pos2>,
}

impl RowListResponse {
    /// Draws the menu of the row that the keyboard is on, which a click with the right button sets first. `name` is the
    /// accessible name of the menu; `draw` draws its entries and returns what was chosen.
    pub fn menu<R>(&self, name: &str, draw: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        let at_pointer = || self.menu_of.and_then(|_| self.response.ctx.pointer_interact_pos());
        let at = self.opened_menu.or_else(|| self.menu_key()).or_else(at_pointer);
        menu_at(&self.response, name, at, draw)
    }

    /// Opens the menu of a row below a button of the row; the keyboard goes to that row.
    pub fn open_menu(&mut self, row: usize, button: &Response, state: &mut RowListState) {
        (self.row, state.row) = (row, row);
        self.opened_menu = Some(button.rect.left_bottom());
    }

    /// Draws the menu of a row whose content has a menu of its own, which a click on that content opens.
    pub fn menu_besides<R>(&self, name: &str, draw: impl FnOnce(&mut Ui) -> R) -> Option<R> {
        menu_at(&self.response, name, self.menu_key(), draw)
    }

    /// Where the menu is opened, if that was done by a key.
    fn menu_key(&self) -> Option<Pos2> {
        (focus::receives_keys(&self.response.ctx, self.response.id) && menu_key(&self.response.ctx))
            .then_some(self.menu_at)
    }
}

impl RowList<'_, '_> {
    /// Draws the visible rows, each by `draw` into a `Ui` of its own.
    pub fn show(&self, ui: &mut Ui, state: &mut RowListState, mut draw: impl FnMut(&mut Ui, usize)) -> RowListResponse {
        let pitch = state.pitch(ui);
        let Self { name, rect, rows, row_name, drags } = *self;
        let sense = if drags { Sense::click_and_drag() } else { Sense::click() };
        let list = List { name, role: Role::List, rect, rows, pitch, width: rect.width() - BAR, sense };
        let mut drawn = list.begin(ui, &mut state.list);
        ui.advance_cursor_after_rect(rect);
        state.row = state.row.min(rows.saturating_sub(1));
        let moved = state.keys.handle(&drawn, &mut state.list, &mut state.row, row_name);
        if let Some(row) = clicked_row(&drawn, state) {
            state.row = row;
        }
        let menu_of = secondary_clicked(&drawn).then(|| row_below(&drawn, state)).flatten();
        if let Some(row) = menu_of {
            state.row = row;
            drawn.response.request_focus();
        }
        let dragged =
            drawn.response.drag_started_by(PointerButton::Primary).then(|| pressed_row(&drawn, state)).flatten();
        let (mut height, before) = (0.0_f32, state.row);
        let mut asked = false;
        for row in drawn.viewport.visible(&state.list.scroll) {
            height = height.max(self.row_ui(&mut drawn, state, row, &mut draw));
            asked |= self.asked_for(&drawn, state, row);
        }
        if state.row != before {
            drawn.ui.ctx().request_repaint();
        }
        state.measure(ui, height);
        state.keys.show(&drawn);
        let response = drawn.response.clone();
        let menu_at = drawn.row_rect(&state.list.scroll, state.row).intersect(rect).left_bottom();
        drawn.end(&mut state.list, name);
        let clicked = is_clicked(&response) || asked;
        let opened = moved == Some(ListMove::Open);
        RowListResponse { response, row: state.row, opened, clicked, menu_of, dragged, menu_at, opened_menu: None }
    }

    /// Puts the keyboard on a row that assistive technology clicked; returns whether it did.
    fn asked_for(&self, drawn: &DrawnList, state: &mut RowListState, row: usize) -> bool {
        let id = drawn.row_id(row);
        let asked = drawn.ui.input(|input| input.has_accesskit_action_request(id, Action::Click));
        if asked {
            state.row = row;
            drawn.response.request_focus();
        }
        asked
    }

    /// Draws a row; returns how high it is.
    fn row_ui(
        &self,
        drawn: &mut DrawnList,
        state: &RowListState,
        row: usize,
        draw: &mut impl FnMut(&mut Ui, usize),
    ) -> f32 {
        let rect = drawn.row_rect(&state.list.scroll, row);
        let node = drawn.ui.interact(rect, drawn.row_id(row), Sense::hover());
        node.widget_info(|| egui::WidgetInfo::labeled(Role::ListItem, true, (self.row_name)(row)));
        let ctx = drawn.ui.ctx().clone();
        ctx.accesskit_node_builder(node.id, |node| {
            node.set_size_of_set(self.rows);
            node.set_position_in_set(row);
            node.add_action(Action::Click);
        });
        if row == state.row {
            let id = node.id.accesskit_id();
            ctx.accesskit_node_builder(drawn.response.id, |node| node.set_active_descendant(id));
            focus::set_ring(&ctx, drawn.response.id, rect.intersect(drawn.viewport.rect));
        }
        let scrolls = drawn.viewport.page() < self.rows as f64;
        let end = if scrolls { rect.right() - BAR } else { rect.right() };
        // On whole pixels, as in any other area that scrolls.
        let left = rect.left().round_to_pixels(drawn.ui.pixels_per_point());
        let rect = Rect::from_min_max(pos2(left, rect.top()), pos2(end, rect.bottom()));
        let builder = UiBuilder::new().scope_id(node.id.with("content")).max_rect(rect).accessibility_parent(node.id);
        let mut ui = drawn.ui.new_child(builder);
        draw(&mut ui, row);
        ui.cursor().top() - rect.top()
    }
}

impl RowListState {
    /// Goes to the first row, for another list.
    pub fn reset(&mut self) {
        *self = Self { measured: self.measured, ..Self::default() };
    }

    /// Puts the keyboard on a row, and shows it.
    pub fn go_to(&mut self, row: usize) {
        self.row = row;
        self.list.reveal = Some(row);
    }

    /// Returns how high so many rows are.
    pub fn height_of(&self, ui: &Ui, rows: usize) -> f32 {
        self.pitch(ui) * rows as f32
    }

    fn sizes(ui: &Ui) -> (f32, f32) {
        (control(ui), ui.spacing().item_spacing.y)
    }

    fn pitch(&self, ui: &Ui) -> f32 {
        let sizes = Self::sizes(ui);
        self.measured.filter(|measured| measured.sizes == sizes).map_or(GUESSED, |measured| measured.pitch)
    }

    /// Takes the height of the rows that were drawn. It only grows, since rows of several heights would otherwise make
    /// the list jump.
    fn measure(&mut self, ui: &Ui, height: f32) {
        let sizes = Self::sizes(ui);
        let known = self.measured.filter(|measured| measured.sizes == sizes);
        if height > 0.0 && known.is_none_or(|known| height > known.pitch + 0.5) {
            self.measured = Some(Measured { pitch: height, sizes });
            ui.ctx().request_discard("the rows of a list have another height");
            ui.ctx().request_repaint();
        }
    }
}

/// Returns the row whose own area was clicked.
fn clicked_row(drawn: &DrawnList, state: &RowListState) -> Option<usize> {
    is_clicked(&drawn.response).then(|| row_below(drawn, state)).flatten()
}

/// Returns whether the pointer clicked the list. The toolkit takes Enter and Space on the list for clicks too, and these are
/// for the row that the keyboard is on, wherever the pointer is.
fn is_clicked(list: &Response) -> bool {
    list.clicked_by(PointerButton::Primary)
}

/// Returns whether the right button was clicked on the list. A text in it takes the click from the list, since it can be
/// selected; the menu is that of the row all the same.
fn secondary_clicked(drawn: &DrawnList) -> bool {
    let on_content = drawn.ui.input(|input| input.pointer.secondary_clicked())
        && drawn.ui.rect_contains_pointer(drawn.viewport.rect);
    drawn.response.secondary_clicked() || on_content
}

/// Returns the row whose own area is below the pointer.
fn row_below(drawn: &DrawnList, state: &RowListState) -> Option<usize> {
    let at = drawn.response.interact_pointer_pos().or_else(|| drawn.ui.ctx().pointer_interact_pos())?;
    row_at(drawn, state, at)
}

/// Returns the row on which the button of the pointer was pressed.
fn pressed_row(drawn: &DrawnList, state: &RowListState) -> Option<usize> {
    row_at(drawn, state, drawn.ui.input(|input| input.pointer.press_origin())?)
}

fn row_at(drawn: &DrawnList, state: &RowListState, at: Pos2) -> Option<usize> {
    let from_top = f64::from(at.y - drawn.viewport.rect.top()) / f64::from(drawn.viewport.pitch);
    let row = (state.list.scroll.top + from_top).max(0.0) as usize;
    (row < drawn.viewport.rows).then_some(row)
}
