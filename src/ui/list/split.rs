//! A list with the page of the open item beside it, and the draggable edge between them.
//!
//! What must hold: the edge is where the user put it last in a window of this size; another size changes nothing of that.

use egui::accesskit::Action as AccessKitAction;
use egui::containers::panel::PanelState;
use egui::{
    Align, CentralPanel, Context, Frame, Id, InnerResponse, Label, Layout, Margin, Panel, Rect, RichText, Ui,
    UiBuilder, vec2,
};

use lunette_inspector::action::SettingsAction;
use lunette_inspector::listing::{MEDIUM_WINDOW, PageWidths, WIDE_WINDOW};
use lunette_inspector::{Action, State};

use crate::ui::focus::{self, Region, leaves_page, region};
use crate::ui::theme::{Icon, SPACE_S, Tokens, UiExt as _, control};
use crate::ui::widgets::shown_short;

/// One side of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitPart {
    /// The list, at the left.
    List,
    /// The page, at the right.
    Page,
    /// The second page, at the right of the first.
    SecondPage,
}

/// What is drawn beside a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// A page.
    Page,
    /// Two pages; the region of the one that is active.
    TwoPages(Region),
}

impl Beside {
    /// A page, if there is one.
    pub fn page(page: bool) -> Self {
        if page { Self::Page } else { Self::Nothing }
    }
}

/// Minimum width of either side, in points.
const MIN_WIDTH: f32 = 260.0;
/// The part of the width that the page has until the user changes it: about half of the window, and more in a window that
/// is wide enough for a line of 90 characters of code with a column of details beside it.
const PAGE: f32 = 0.535;
const PAGE_OF_WIDE: f32 = 0.6;
/// The part of the width that each of two pages has until the user changes it.
const ONE_OF_TWO: f32 = 0.34;
/// The names under which the widths of two pages are saved.
const TWO_PAGES: [&str; 2] = ["assets-first", "assets-second"];

/// The widths of what is beside a list: of a page that is alone, and of each of two.
#[derive(Clone, Copy, Debug, Default)]
pub struct PagesWidth {
    alone: SideWidth,
    two: [SideWidth; 2],
}

/// The width of one side of a panel, saved for each connection and each size of the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct SideWidth {
    /// What the user chose.
    chosen: PageWidths,
    /// The view that it was read from; `None` before the first frame.
    view: Option<u64>,
}

impl SideWidth {
    /// Takes in the saved widths of the panel with this name if the view is another one.
    fn restore(&mut self, name: &str, state: &State) {
        if self.view != Some(state.preferences.view_number) {
            *self = Self { chosen: state.preferences.view.list(name).pages, view: Some(state.preferences.view_number) };
        }
    }

    /// Saves what was chosen, once the mouse button is released.
    fn save(self, ui: &Ui, name: &'static str, state: &State, actions: &mut Vec<Action>) {
        if self.chosen != state.preferences.view.list(name).pages && !ui.input(|input| input.pointer.any_down()) {
            actions.push(SettingsAction::KeepPages(name, self.chosen).into());
        }
    }
}

/// A side of a panel, at the left or at the right of it, whose width the user can change.
pub struct Side<'a> {
    /// The name of the panel, which is unique in the window.
    pub name: &'static str,
    /// The width until the user changes it, in points.
    pub usual: f32,
    /// The smallest and the largest width, in points.
    pub range: (f32, f32),
    /// Its ground and its margins.
    pub frame: Frame,
    /// What the window shows.
    pub state: &'a State,
}

impl Side<'_> {
    /// Draws it with the panel that this makes: [`Panel::left`] or [`Panel::right`].
    pub fn show<R>(
        self,
        ui: &mut Ui,
        panel: fn((&'static str, &'static str)) -> Panel,
        width: &mut SideWidth,
        actions: &mut Vec<Action>,
        draw: impl FnOnce(&mut Ui, &mut Vec<Action>) -> R,
    ) -> InnerResponse<R> {
        let Self { name, usual, range: (least, most), frame, state } = self;
        width.restore(name, state);
        let window = ui.ctx().content_rect().width();
        let asked = width.chosen.of(window).unwrap_or(usual).clamp(least, most);
        let salt = ("side", name);
        // The width is kept here: the toolkit knows one for all sizes of the window.
        let id = ui.scope_id().with(salt);
        ui.data_mut(|data| data.remove::<PanelState>(id));
        let panel = panel(salt).resizable(true).default_size(asked).size_range(least..=most).frame(frame);
        let drawn = panel.show(ui, |ui| draw(ui, actions));
        let now = drawn.response.rect.width();
        if (now - asked).abs() > 1.0 && is_moved(ui, id.with("__resize")) {
            width.chosen.set(window, now.round());
        }
        width.save(ui, name, state, actions);
        drawn
    }
}

/// Returns whether this edge is moved in this frame, by the pointer or by assistive technology.
fn is_moved(ui: &Ui, edge: Id) -> bool {
    let by_pointer = ui.read_response(edge).is_some_and(|edge| edge.dragged() || edge.drag_stopped());
    let requests = [AccessKitAction::Increment, AccessKitAction::Decrement, AccessKitAction::SetValue];
    by_pointer || ui.input(|input| requests.iter().any(|request| input.has_accesskit_action_request(edge, *request)))
}

/// The margin of a page beside a list.
const PAGE_MARGIN: Margin = Margin { left: 16, right: 14, top: 12, bottom: 8 };

/// A list beside a page, or two.
pub struct Split<'a> {
    /// The name of the panel, which is unique in the window.
    pub name: &'static str,
    /// The width of the page until the user changes it, in points; `None` for about half of the window.
    pub usual: Option<f32>,
    /// What the window shows.
    pub state: &'a State,
}

impl Split<'_> {
    /// Draws the list and what is beside it, each with its background and margin; the pages first.
    pub fn show(
        self,
        ui: &mut Ui,
        beside: Beside,
        width: &mut PagesWidth,
        actions: &mut Vec<Action>,
        mut draw: impl FnMut(&mut Ui, SplitPart, &mut Vec<Action>),
    ) {
        match beside {
            Beside::Nothing => {}
            Beside::Page => {
                let side = self.alone(ui);
                page_ui(ui, side, &mut width.alone, Region::Page, actions, |ui, actions| {
                    draw(ui, SplitPart::Page, actions);
                });
            }
            Beside::TwoPages(active) => {
                focus::set_active_page(ui.ctx(), active);
                let available = ui.available_width();
                let [first, second] = &mut width.two;
                // The outer one is drawn first, and leaves room for the other and for the list.
                let side = self.one_of_two(1, available, available - 2.0 * MIN_WIDTH);
                page_ui(ui, side, second, Region::SecondPage, actions, |ui, actions| {
                    draw(ui, SplitPart::SecondPage, actions);
                });
                let side = self.one_of_two(0, available, ui.available_width() - MIN_WIDTH);
                page_ui(ui, side, first, Region::Page, actions, |ui, actions| draw(ui, SplitPart::Page, actions));
            }
        }
        // The window is that of lists already.
        let frame = Frame::new().inner_margin(Margin { left: 14, right: 12, top: 12, bottom: 4 });
        CentralPanel::default()
            .frame(frame)
            .show(ui, |ui| region(ui, Region::List, |ui| draw(ui, SplitPart::List, actions)));
    }

    /// Returns the side of a page that is alone.
    fn alone(&self, ui: &Ui) -> Side<'_> {
        let available = ui.available_width();
        let share = if ui.ctx().content_rect().width() < WIDE_WINDOW { PAGE } else { PAGE_OF_WIDE };
        let range = (MIN_WIDTH, (available - MIN_WIDTH).max(MIN_WIDTH));
        let usual = self.usual.unwrap_or(available * share);
        Side { name: self.name, usual, range, frame: Frame::new().inner_margin(PAGE_MARGIN), state: self.state }
    }

    /// Returns the side of the one of two pages with this index, at most `most` points wide.
    fn one_of_two(&self, index: usize, available: f32, most: f32) -> Side<'_> {
        let frame = Frame::new().inner_margin(PAGE_MARGIN);
        let range = (MIN_WIDTH, most.max(MIN_WIDTH));
        Side { name: TWO_PAGES[index], usual: available * ONE_OF_TWO, range, frame, state: self.state }
    }

    /// Draws pages that can be closed: in a narrow window one is drawn in place of the list. Returns whether Escape closes
    /// the page.
    pub fn show_closable(
        self,
        ui: &mut Ui,
        beside: Beside,
        width: &mut PagesWidth,
        actions: &mut Vec<Action>,
        mut draw: impl FnMut(&mut Ui, SplitPart, &mut Vec<Action>),
    ) -> bool {
        if beside == Beside::Nothing || !replaces_list(ui.ctx()) {
            self.show(ui, beside, width, actions, draw);
            return false;
        }
        let frame = Frame::new().fill(Tokens::of(ui).panel).inner_margin(Margin::symmetric(16, 12));
        CentralPanel::default()
            .frame(frame)
            .show(ui, |ui| region(ui, Region::Page, |ui| draw(ui, SplitPart::Page, actions)));
        leaves_page(ui.ctx())
    }
}

/// Draws a page at the right of what is left.
fn page_ui(
    ui: &mut Ui,
    side: Side<'_>,
    width: &mut SideWidth,
    of: Region,
    actions: &mut Vec<Action>,
    draw: impl FnOnce(&mut Ui, &mut Vec<Action>),
) {
    let side = Side { frame: side.frame.fill(Tokens::of(ui).panel), ..side };
    side.show(ui, Panel::right, width, actions, |ui, actions| {
        ui.set_min_size(ui.available_size());
        region(ui, of, |ui| draw(ui, actions));
    });
}

/// Returns whether the window has room for two pages beside a list.
pub fn fits_two_pages(ctx: &Context) -> bool {
    ctx.content_rect().width() >= MEDIUM_WINDOW
}

/// Below this window width, in points, the page is drawn in place of the list.
const MIN_WIDTH_FOR_BOTH: f32 = 1000.0;

/// Returns whether the page is drawn in place of its list.
pub fn replaces_list(ctx: &Context) -> bool {
    ctx.content_rect().width() < MIN_WIDTH_FOR_BOTH
}

/// Draws the title of a page with the button that closes it: a cross on the right beside the list, an arrow on the left
/// in place of it. Returns whether it was clicked.
pub fn page_title_ui(ui: &mut Ui, title: &str, close: &str) -> bool {
    let back = replaces_list(ui.ctx());
    let title = egui::RichText::new(shown_short(title, 120)).heading();
    ui.horizontal(|ui| {
        let mut pressed = back && ui.icon_button(Icon::BACK, "Back to the list").clicked();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            pressed |= !back && ui.icon_button(Icon::CLOSE, close).clicked();
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(title).truncate());
            });
        });
        pressed
    })
    .inner
}

/// Draws the title of a page and then the page, with a button that closes it: on the right, or if the page replaces the
/// list, on the left and called "Back to the list". Returns whether it was clicked.
///
/// The button is drawn last, so that the keyboard reaches the page's actions first.
pub fn titled_page_ui(ui: &mut Ui, title: &str, close: &str, draw: impl FnOnce(&mut Ui)) -> bool {
    let one_page = replaces_list(ui.ctx());
    let side = control(ui);
    let line = Rect::from_min_size(ui.max_rect().min, vec2(ui.available_width(), side));
    let (left, right) =
        line.split_left_right_at_x(if one_page { line.left() + side + SPACE_S } else { line.right() - side });
    let (button, text) = if one_page { (left, right) } else { (right, left) };
    let layout = Layout::left_to_right(Align::Center);
    ui.new_child(UiBuilder::new().max_rect(text).layout(layout))
        .add(Label::new(RichText::new(title).heading()).truncate());
    ui.advance_cursor_after_rect(line);
    draw(ui);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(button).layout(layout));
    match one_page {
        true => ui.icon_button(Icon::BACK, "Back to the list").clicked(),
        false => ui.icon_button(Icon::CLOSE, close).clicked(),
    }
}
