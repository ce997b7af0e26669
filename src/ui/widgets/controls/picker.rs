//! Chooses one of many items by typing a part of its name.
//!
//! Names are matched some thousands per frame, so that a list of 100,000 delays no frame.

mod matching;

use crate::ui::focus;
use crate::ui::theme::{Icon, SPACE_S, Tokens, UiExt as _};
use crate::ui::widgets::list::{List, ListState};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{shown, shown_short};
use egui::{FontId, Key, Modifiers, Popup, Rect, Response, RichText, Sense, Ui, accesskit::Role, pos2, vec2};
use matching::Matching;
use std::borrow::Cow;

/// Height of an entry, in points.
const LINE: f32 = 30.0;
/// Maximum number of entries visible at once.
const MAX_ROWS: usize = 9;
/// Width of a picker that opens from a button, in points.
const WIDTH: f32 = 340.0;

/// An item to choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PickerEntry<'a> {
    /// The name that is matched.
    pub name: Cow<'a, str>,
    /// Muted text on the right.
    pub detail: Cow<'a, str>,
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The entry with this index.
    Entry(usize),
    /// A new item with this name.
    New(String),
}

/// The state of a picker.
#[derive(Clone, Debug, Default)]
pub struct PickerState {
    query: String,
    focus: usize,
    list: ListState,
    matching: Matching,
    open: bool,
    /// Enter was pressed before all entries were known; it takes effect as soon as they are.
    entered: bool,
}

impl PickerState {
    /// Returns what was typed so far.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Returns whether it was open in the last frame.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Resets the picker: no text, the first entry visible.
    pub fn clear(&mut self) {
        *self = PickerState { open: self.open, ..PickerState::default() };
    }
}

/// Returns the id of a picker that opens from a button; `of` tells it from others of this name. The button's own id would
/// not do: it changes when something appears above, and the picker would close.
pub fn popup_id(name: &str, of: &str) -> egui::Id {
    egui::Id::unique(("picker", name, of))
}

/// A list to choose from; see [`Picker::show`] and [`Picker::popup`].
#[must_use = "a picker is drawn by `show` or `popup`"]
pub struct Picker<'a> {
    name: &'a str,
    of: &'a str,
    entries: usize,
    entry: &'a dyn Fn(usize) -> PickerEntry<'a>,
    /// The words before what was typed, if a new item can be created from it.
    offer_new: Option<Cow<'a, str>>,
    revision: u64,
    status: Option<&'a str>,
    loading: bool,
}

impl<'a> Picker<'a> {
    /// A list called `name` ("Add a tag") of `entries` items, each returned by `entry`.
    pub fn new(name: &'a str, entries: usize, entry: &'a dyn Fn(usize) -> PickerEntry<'a>) -> Self {
        Picker { name, of: "", entries, entry, offer_new: None, revision: 0, status: None, loading: false }
    }

    /// Offers to create a new `kind` ("tag") with the typed name, if no item has that name.
    pub fn offer_new(self, kind: &'a str) -> Self {
        Picker { offer_new: Some(format!("Create {kind}").into()), ..self }
    }

    /// Offers to use the typed text itself, in these words ("Link by id"), if no item has that name.
    pub fn offer_as_typed(self, words: &'a str) -> Self {
        Picker { offer_new: Some(words.into()), ..self }
    }

    /// What tells it from others of its name that can be open.
    pub fn of(self, of: &'a str) -> Self {
        Picker { of, ..self }
    }

    /// Must change whenever the entries do: they are matched again only then, and when the text changes.
    pub fn revision(self, revision: u64) -> Self {
        Picker { revision, ..self }
    }

    /// A line below the field, while entries load or when they could not be loaded.
    pub fn status(self, status: Option<&'a str>) -> Self {
        Picker { status, ..self }
    }

    /// Whether more entries are being loaded: until then, nothing new is created from the typed text, since it may be
    /// the name of one of them, and Enter waits.
    pub fn loading(self, loading: bool) -> Self {
        Picker { loading, ..self }
    }

    /// Draws the picker below the button that opened it; it closes when something is chosen.
    pub fn popup(self, button: &Response, state: &mut PickerState) -> Option<Picked> {
        let popup = Popup::from_toggle_button_response(button)
            .id(popup_id(self.name, self.of))
            .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
            .accessible_name(self.name)
            .width(WIDTH);
        let id = popup.get_id();
        let open = popup.is_open();
        if open && !state.open {
            state.clear();
        }
        state.open = open;
        let ctx = button.ctx.clone();
        let picked = popup.show(|ui| self.show(ui, state)).and_then(|shown| shown.inner);
        if picked.is_some() {
            Popup::close_id(&ctx, id);
            state.open = false;
        }
        picked
    }

    /// Draws the field and the list; the field keeps the focus while it is drawn.
    pub fn show(self, ui: &mut Ui, state: &mut PickerState) -> Option<Picked> {
        let field = ui.make_persistent_id(("picker", self.name));
        // Before the field sees them: it would move its own cursor.
        let (steps, enter) = if focus::receives_keys(ui.ctx(), field) { consume_keys(ui) } else { (0, false) };
        ui.spacing_mut().item_spacing.y = SPACE_S;
        let field = TextField::search(self.name).id(field).limit(200).focus(true).show(ui, &mut state.query);
        if field.response.changed() {
            state.focus = 0;
            state.list.reveal = Some(0);
            state.entered = false;
        }
        if let Some(status) = self.status {
            ui.caption(status);
        }
        let name_of = |index: usize| (self.entry)(index).name;
        state.matching.advance(&state.query, self.entries, self.revision, &name_of);
        if state.matching.is_unfinished(self.entries) {
            ui.ctx().request_repaint();
        }
        state.entered |= enter;
        let known = !self.loading && !state.matching.is_unfinished(self.entries);
        let enter = known && std::mem::take(&mut state.entered);
        let offer_new = self.offers_to_create(state);
        let rows = state.matching.found().len() + usize::from(offer_new);
        if rows == 0 {
            let words = RichText::new(self.no_rows_text()).color(Tokens::of(ui).muted);
            ui.add(egui::Label::new(words).selectable(false));
            return None;
        }
        state.focus = state.focus.saturating_add_signed(steps).min(rows - 1);
        if steps != 0 {
            state.list.reveal = Some(state.focus);
        }
        let clicked = self.list_ui(ui, state, rows);
        let row = clicked.or(enter.then_some(state.focus))?;
        Some(match state.matching.found().get(row) {
            Some(&index) => Picked::Entry(index as usize),
            None => Picked::New(state.query.trim().to_owned()),
        })
    }

    /// Returns why there is nothing to choose from.
    fn no_rows_text(&self) -> &'static str {
        match (self.entries, &self.offer_new) {
            _ if self.loading => "",
            (0, Some(_)) => "Type to create one.",
            (0, None) => "Nothing to choose from yet.",
            _ => "Nothing matches.",
        }
    }

    fn offers_to_create(&self, state: &PickerState) -> bool {
        let query = state.query.trim();
        self.offer_new.is_some()
            && !query.is_empty()
            && !self.loading
            && !state.matching.is_unfinished(self.entries)
            && !state.matching.has_exact()
    }

    /// Draws the entries; returns the row that was clicked.
    fn list_ui(&self, ui: &mut Ui, state: &mut PickerState, rows: usize) -> Option<usize> {
        let height = LINE * rows.min(MAX_ROWS) as f32;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let width = rect.width() - crate::ui::widgets::scroll::BAR;
        let list = List { name: self.name, role: Role::ListBox, rect, rows, pitch: LINE, width, sense: Sense::hover() };
        let mut drawn = list.begin(ui, &mut state.list);
        let mut clicked = None;
        for row in drawn.viewport.visible(&state.list.scroll) {
            let rect = drawn.row_rect(&state.list.scroll, row);
            let index = state.matching.found().get(row).copied();
            let id = drawn.row_id(index);
            let response = drawn.ui.interact(rect, id, Sense::CLICK);
            if response.contains_pointer() && ui.input(|input| input.pointer.is_moving()) {
                state.focus = row;
            }
            if response.clicked() {
                clicked = Some(row);
            }
            self.row_ui(&mut drawn.ui, &response, index, &state.query, row == state.focus, rect);
        }
        drawn.end(&mut state.list, self.name);
        clicked
    }

    fn row_ui(&self, ui: &mut Ui, response: &Response, index: Option<u32>, query: &str, focused: bool, rect: Rect) {
        let t = Tokens::of(ui);
        if focused {
            ui.painter().rect_filled(rect, 4.0, if t.dark { t.hovered } else { t.selected_row });
        }
        let entry = match index {
            Some(index) => (self.entry)(index as usize),
            None => PickerEntry { name: new_name(self.offer_new.as_deref(), query).into(), detail: "".into() },
        };
        let name = shown_short(&entry.name, 120).into_owned();
        let detail = ui.painter().layout_no_wrap(
            shown_short(&entry.detail, 40).into_owned(),
            FontId::proportional(12.0),
            t.muted,
        );
        let mut left = rect.left() + SPACE_S;
        if index.is_none() {
            Icon::ADD.paint(ui.painter(), pos2(left + 7.0, rect.center().y), 14.0, t.accent);
            left += 20.0;
        }
        let end = rect.right() - SPACE_S - crate::ui::widgets::scroll::BAR - detail.size().x;
        let job = egui::text::LayoutJob {
            wrap: egui::text::TextWrapping::truncate_at_width((end - left - SPACE_S).max(20.0)),
            ..egui::text::LayoutJob::simple_singleline(name.clone(), FontId::proportional(13.0), t.text)
        };
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, t.text);
        ui.painter().galley(pos2(end, rect.center().y - detail.size().y / 2.0), detail, t.muted);
        response.widget_info(|| egui::WidgetInfo::labeled(Role::ListBoxOption, true, &name));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_selected(focused);
            node.set_description(shown(&entry.detail).into_owned());
        });
    }
}

fn new_name(words: Option<&str>, query: &str) -> String {
    format!("{} “{}”", words.unwrap_or_default(), query.trim())
}

/// Returns the rows to move by, and whether Enter was pressed.
fn consume_keys(ui: &Ui) -> (isize, bool) {
    ui.input_mut(|input| {
        let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key) as isize;
        let page = MAX_ROWS as isize - 1;
        let steps = count(Key::ArrowDown) - count(Key::ArrowUp) + page * (count(Key::PageDown) - count(Key::PageUp));
        (steps, count(Key::Enter) > 0)
    })
}
