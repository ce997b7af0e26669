//! The pages of opened assets: one, or two beside each other, or two as tabs where there is no room for that.
//!
//! What must hold: what is typed stays with its asset, wherever its page is drawn, and while it is not; the page that has
//! the keyboard is the active one, and looks so.

use std::sync::Arc;

use egui::accesskit::{self, Role};
use egui::{Id, Rect, Sense, Ui, UiBuilder, vec2};

use crate::ui::command::{AssetRequest, Command};
use crate::ui::dragging;
use crate::ui::focus::{self, Region};
use crate::ui::list::split::{Beside, fits_two_pages, replaces_list};
use crate::ui::theme::{SPACE_S, SPACE_XS, UiExt as _};
use crate::ui::widgets::{TabEvent, TabText, shown_short, tab_strip};
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::page::Place;
use lunette_inspector::change::Item;
use lunette_inspector::listing::WIDE_WINDOW;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, State};

use super::contained;
use super::frame::PageLayout;
use super::page::Page;
use super::tab_strip::{distinct_name, name_of};

/// Height of the line above the active page, in points.
const ACTIVE_LINE: f32 = 2.0;

/// What is open and typed on the pages, by their places.
#[derive(Default)]
pub(super) struct Pages {
    pages: [Page; 2],
    /// The tool that is still to be opened, on the page that is active then.
    pending: Option<AssetRequest>,
    /// Where the active page was in the last frame.
    place: Place,
    /// Whether the page at each place had the keyboard in the last frame.
    had_keyboard: [bool; 2],
}

impl Pages {
    /// Opens a form, field or picker on the active page as soon as its asset is drawn.
    pub fn open_tool(&mut self, request: AssetRequest) {
        self.pending = Some(request);
    }

    /// The item whose assets are to be listed.
    pub fn take_listed(&mut self) -> Option<Item> {
        self.pages.iter_mut().find_map(Page::take_listed)
    }

    /// The command chosen in the menu of a related asset, and its row.
    pub fn take_row_command(&mut self) -> Option<(Command, Arc<AssetRow>)> {
        self.pages.iter_mut().find_map(Page::take_row_command)
    }

    /// Takes in which assets are shown: what is typed moves to where its asset is. Returns what is drawn beside the list; if
    /// several assets are selected, that is the page of the selection.
    pub fn sync(&mut self, ui: &Ui, several: bool, state: &State, actions: &[Action]) -> Beside {
        let shown = &state.assets.pages;
        let is_of = |page: &Page, place: Place| shown.at(place).is_some_and(|id| page.is_of(id));
        let [first, second] = &self.pages;
        let moved = |page: &Page, to: Place, there: &Page| is_of(page, to) && !is_of(there, to);
        if moved(second, Place::First, first) || moved(first, Place::Second, second) {
            self.pages.swap(0, 1);
        }
        for place in Place::ALL {
            let Some(id) = shown.at(place) else { continue };
            let header = self.pages[index(place.other())].take_unsaved_name(id);
            if let Some(header) = header {
                self.pages[index(place)].keep_unsaved_name(id, header);
            }
        }
        // A tool for an asset that is opened in this frame is for its page, which is drawn in the next one.
        let opens = |action: &Action| matches!(action, Action::Assets(AssetsAction::Open(_)));
        if let Some(request) = self.pending.take_if(|_| !actions.iter().any(opens)) {
            self.pages[index(shown.place)].open_tool(request);
        }
        let left = std::mem::replace(&mut self.place, shown.place);
        let two = !several && shown.are_two() && fits_two_pages(ui.ctx());
        if two && left != shown.place && self.had_keyboard[index(left)] {
            // The asset that was asked for on the page that had the keyboard is on the other one.
            focus::enter_page(ui.ctx());
        }
        match two {
            true => Beside::TwoPages(region_of(shown.place)),
            false => Beside::page(several || shown.open.is_some()),
        }
    }

    /// Draws the only page, or the active one of two below their tabs; returns whether it is to be closed.
    pub fn active_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
        let shown = &state.assets.pages;
        if shown.are_two() {
            two_tabs_ui(ui, state, actions);
        }
        let Some(id) = shown.at(shown.place) else { return false };
        let layout = PageLayout {
            back: replaces_list(ui.ctx()),
            column: ui.ctx().content_rect().width() >= WIDE_WINDOW,
            place: shown.place,
        };
        self.had_keyboard = [false; 2];
        let from = focus::widget_count(ui);
        let page = &mut self.pages[index(shown.place)];
        let own = UiBuilder::new().scope_id(page_id(shown.place));
        let left = ui.scope_builder(own, |ui| contained(ui, |ui| page.ui(ui, id, layout, state, actions))).inner;
        if focus::is_within(ui, from) && shown.attended.as_ref() != Some(id) {
            actions.push(AssetsAction::Activate(shown.place).into());
        }
        left
    }

    /// Draws one of two pages; returns whether it is to be closed, which is the active page then.
    pub fn one_of_two_ui(&mut self, ui: &mut Ui, place: Place, state: &State, actions: &mut Vec<Action>) -> bool {
        let shown = &state.assets.pages;
        let Some(id) = shown.at(place) else { return false };
        let rect = ui.max_rect();
        let from = focus::widget_count(ui);
        // Below everything on the page, so that what is there takes a click first.
        let ground = ui.interact(rect, ui.unique_id().with("page"), Sense::hover());
        let node = UiBuilder::new().accessibility_role(Role::Group).accessibility_label(page_name(place, state));
        let node = node.scope_id(page_id(place));
        let layout = PageLayout { back: false, column: false, place };
        let page = &mut self.pages[index(place)];
        let drawn = ui.scope_builder(node, |ui| {
            ui.ctx().accesskit_node_builder(ui.unique_id(), |node| node.set_bounds(bounds(rect)));
            contained(ui, |ui| page.ui(ui, id, layout, state, actions))
        });
        let left = drawn.inner;
        let has_keyboard = focus::is_within(ui, from);
        let begins = has_keyboard && !std::mem::replace(&mut self.had_keyboard[index(place)], has_keyboard);
        self.had_keyboard[index(place)] = has_keyboard;
        let pressed = ground.contains_pointer() && ui.input(|input| input.pointer.any_pressed());
        let active = shown.place == place;
        if (begins || pressed || left || active && has_keyboard) && (!active || shown.attended.as_ref() != Some(id)) {
            actions.push(AssetsAction::Activate(place).into());
        }
        active_line_ui(ui, rect, active, has_keyboard);
        let item_is_linked = |item: &Item| page.is_linked(item);
        let name = || format!("“{}”", shown_short(&name_of(id, state), 40));
        actions.extend(dragging::drop_on_page(ui, &ground, id, name, item_is_linked));
        left
    }
}

/// Returns the region of the page at a place.
fn region_of(place: Place) -> Region {
    match place {
        Place::First => Region::Page,
        Place::Second => Region::SecondPage,
    }
}

/// Returns a rectangle as assistive technology has it.
fn bounds(rect: Rect) -> accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    accesskit::Rect { x0, y0, x1, y1 }
}

fn index(place: Place) -> usize {
    match place {
        Place::First => 0,
        Place::Second => 1,
    }
}

/// Returns the id of the page at a place: the same beside the list, in place of it and beside another page, so that what has
/// the keyboard keeps it when the window gets another width.
fn page_id(place: Place) -> Id {
    Id::unique(("page of an asset", index(place)))
}

/// Returns what the page at a place is called.
fn page_name(place: Place, state: &State) -> &'static str {
    match (place, state.assets.pages.place == place) {
        (Place::First, true) => "First page, active",
        (Place::First, false) => "First page",
        (Place::Second, true) => "Second page, active",
        (Place::Second, false) => "Second page",
    }
}

/// Marks the active page by a line above it: in the accent while it has the keyboard.
fn active_line_ui(ui: &Ui, page: Rect, active: bool, has_keyboard: bool) {
    if !active {
        return;
    }
    let t = ui.tokens();
    let above = page.min - vec2(SPACE_S, SPACE_S);
    let line = Rect::from_min_size(above, vec2(page.width() + 2.0 * SPACE_S, ACTIVE_LINE));
    ui.painter().rect_filled(line, 0.0, if has_keyboard { t.accent } else { t.faint });
}

/// Draws the two pages as tabs: there is room for one of them.
fn two_tabs_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let shown = &state.assets.pages;
    let places: Vec<Place> = Place::ALL.into_iter().filter(|place| shown.at(*place).is_some()).collect();
    let text = |place: &Place| TabText {
        name: shown.at(*place).map(|id| distinct_name(id, state)).unwrap_or_default(),
        open: *place == shown.place,
    };
    let texts: Vec<TabText> = places.iter().map(text).collect();
    match tab_strip(ui, "Pages", &texts).event {
        Some(TabEvent::Open(index)) => actions.push(AssetsAction::Activate(places[index]).into()),
        Some(TabEvent::Close(index)) => {
            actions.extend([AssetsAction::Activate(places[index]).into(), AssetsAction::Close.into()]);
        }
        None => {}
    }
    ui.add_space(SPACE_XS);
}
