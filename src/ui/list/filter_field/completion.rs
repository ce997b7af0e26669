//! The list of suggestions below a filter field.

use egui::accesskit::Role;
use egui::text::{CCursor, CCursorRange};
use egui::widgets::text_edit::TextEditState;
use egui::{
    FontId, Id, Key, Modifiers, Popup, PopupCloseBehavior, Rect, RectAlign, Response, Sense, Ui, UiBuilder, pos2, vec2,
};

use crate::ui::focus;
use crate::ui::theme::{SPACE_S, Tokens};
use crate::ui::widgets::shown_short;
use lunette_inspector::filter::{Choice, Completion, Field, KnownValue, List, complete};

/// What is suggested.
pub(super) struct Source<'a> {
    /// The list, which has the fields.
    pub list: List,
    /// The known values of a field.
    pub known_values: &'a dyn Fn(Field) -> Vec<KnownValue>,
    /// What is suggested while nothing is typed.
    pub initial: &'a [Choice],
}

/// Height of a suggestion, in points.
const LINE: f32 = 26.0;
/// The least width of the list, in points.
const WIDTH: f32 = 320.0;

/// The suggestions at the cursor.
#[derive(Default)]
pub(super) struct Suggestions {
    /// The text and the cursor position that the suggestions are for.
    source: Option<(String, usize)>,
    offer: Option<Completion>,
    /// The suggestion chosen with the arrow keys.
    chosen: Option<usize>,
    /// Whether the list was dismissed, until the text changes.
    dismissed: bool,
    /// Where the list was drawn last; `None` while it is closed.
    open: Option<Rect>,
    /// Whether nothing is typed, so that Tab leaves the field.
    initial: bool,
}

/// Keys pressed while the list was open, consumed before the field sees them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TakenKeys {
    steps: isize,
    accept: bool,
}

impl Suggestions {
    /// Returns whether the list is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Returns whether Tab inserts a suggestion.
    pub fn takes_tab(&self) -> bool {
        self.is_open() && !self.initial
    }

    /// Takes the keys of the list while it is open. Enter belongs to the field until a suggestion is chosen.
    pub fn keys(&mut self, ui: &Ui, field: Id) -> TakenKeys {
        if self.open.is_none() || !focus::receives_keys(ui.ctx(), field) {
            return TakenKeys::default();
        }
        let (chosen, initial) = (self.chosen.is_some(), self.initial);
        let (keys, dismissed) = ui.input_mut(|input| {
            let mut count = |key| input.count_and_consume_key(Modifiers::NONE, key);
            let steps = count(Key::ArrowDown) as isize - count(Key::ArrowUp) as isize;
            let accept = !initial && count(Key::Tab) > 0 || (chosen || steps > 0) && count(Key::Enter) > 0;
            (TakenKeys { steps, accept }, count(Key::Escape) > 0)
        });
        self.dismissed |= dismissed;
        keys
    }

    /// Draws the list if there are suggestions; returns the index of the one that was inserted.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        field: &Response,
        text: &mut String,
        source: &Source<'_>,
        keys: TakenKeys,
    ) -> Option<usize> {
        let pressed = self.open.is_some_and(|rect| ui.ctx().pointer_interact_pos().is_some_and(|at| rect.contains(at)));
        if !field.has_focus() && !pressed {
            *self = Self { dismissed: true, source: self.source.take(), ..Self::default() };
            return None;
        }
        self.update(ui, field, text, source);
        let Some(offer) = self.offer.clone().filter(|_| !self.dismissed) else {
            self.open = None;
            return None;
        };
        let last = offer.choices.len() - 1;
        if keys.steps != 0 {
            let now = self.chosen.map_or(-1, |chosen| chosen as isize);
            self.chosen = Some((now + keys.steps).clamp(0, last as isize) as usize);
        }
        let clicked = self.list_ui(field, &offer.choices);
        let choice = clicked.or(keys.accept.then_some(self.chosen.unwrap_or(0)))?;
        insert_choice(ui, field, text, &offer, choice, !self.initial);
        *self = Self::default();
        Some(choice)
    }

    /// Updates the suggestions if the text or the cursor changed.
    fn update(&mut self, ui: &Ui, field: &Response, text: &str, source: &Source<'_>) {
        if field.gained_focus() && text.is_empty() {
            // What is suggested then may be other things than before.
            (self.source, self.dismissed) = (None, false);
        }
        let state = TextEditState::load(ui.ctx(), field.id);
        let letters = state.and_then(|state| state.cursor.char_range()).map(|range| range.primary.index.0);
        let cursor = text.char_indices().nth(letters.unwrap_or(usize::MAX)).map_or(text.len(), |(offset, _)| offset);
        if self.source.as_ref().is_some_and(|(before, at)| before == text && *at == cursor) {
            return;
        }
        // Moving the cursor does not reopen a dismissed list.
        self.dismissed &= self.source.as_ref().is_some_and(|(before, _)| before == text);
        self.source = Some((text.to_owned(), cursor));
        self.initial = text.is_empty();
        let initial = || Completion { span: 0..0, choices: source.initial.to_vec() };
        self.offer = match self.initial {
            true => Some(initial()).filter(|offer| !offer.choices.is_empty()),
            false => complete(text, cursor, source.list, source.known_values),
        };
        self.chosen = None;
    }

    /// Draws the suggestions; returns the one that was clicked.
    fn list_ui(&mut self, field: &Response, choices: &[Choice]) -> Option<usize> {
        let popup = Popup::from_response(field)
            .id(field.id.with("suggestions"))
            .open(true)
            .align(RectAlign::BOTTOM_START)
            .align_alternatives(&[RectAlign::TOP_START])
            .close_behavior(PopupCloseBehavior::IgnoreClicks)
            .width(field.rect.width().clamp(WIDTH, WIDTH * 1.5))
            .accessible_name("Suggestions");
        let drawn = popup.show(|ui| {
            let builder = UiBuilder::new().accessibility_role(Role::ListBox).accessibility_label("Suggestions");
            let rows = ui.scope_builder(builder, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let rows = choices.iter().enumerate();
                rows.map(|(index, choice)| row_ui(ui, choice, self.chosen == Some(index))).collect::<Vec<_>>()
            });
            let rows = rows.inner;
            if let Some(row) = self.chosen.and_then(|chosen| rows.get(chosen)) {
                let row = row.id.accesskit_id();
                ui.ctx().accesskit_node_builder(field.id, |node| node.set_active_descendant(row));
            }
            rows.iter().position(Response::clicked)
        });
        self.open = drawn.as_ref().map(|drawn| drawn.response.rect);
        drawn.and_then(|drawn| drawn.inner)
    }
}

fn row_ui(ui: &mut Ui, choice: &Choice, chosen: bool) -> Response {
    let t = Tokens::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::CLICK);
    let painter = ui.painter();
    if chosen || response.hovered() {
        painter.rect_filled(rect, 4.0, if chosen { t.selected_row } else { t.hovered_row });
    }
    let font = FontId::proportional(13.0);
    let name = shown_short(&choice.text, 60).into_owned();
    let galley = painter.layout_no_wrap(name.clone(), font, t.text);
    let middle = rect.center().y;
    let right = rect.left() + SPACE_S + galley.size().x;
    painter.galley(pos2(rect.left() + SPACE_S, middle - galley.size().y / 2.0), galley, t.text);
    let about = painter.layout_no_wrap(choice.about.clone(), FontId::proportional(12.0), t.muted);
    let left = rect.right() - SPACE_S - about.size().x;
    if left > right + SPACE_S {
        painter.galley(pos2(left, middle - about.size().y / 2.0), about, t.muted);
    }
    response.widget_info(|| egui::WidgetInfo::labeled(Role::ListBoxOption, true, &name));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_selected(chosen);
        if !choice.about.is_empty() {
            node.set_description(choice.about.clone());
        }
    });
    response
}

/// Inserts a suggestion and moves the cursor behind it. If it is `spaced`, a value at the end of the text is followed by a
/// space; a field name is not, since its value follows.
fn insert_choice(ui: &Ui, field: &Response, text: &mut String, offer: &Completion, choice: usize, spaced: bool) {
    let (Some(choice), Some(_)) = (offer.choices.get(choice), text.get(offer.span.clone())) else { return };
    let ends = spaced && offer.span.end == text.len() && !choice.text.ends_with(':');
    let insert_choice = if ends { format!("{} ", choice.text) } else { choice.text.clone() };
    text.replace_range(offer.span.clone(), &insert_choice);
    let letters = text[..offer.span.start + insert_choice.len()].chars().count();
    let mut state = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(letters))));
    state.store(ui.ctx(), field.id);
    field.request_focus();
}
