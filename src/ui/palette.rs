//! The palette: one field that finds panels, commands, applications and assets, and opens an asset by its UUID.
//!
//! What must hold: a million names are looked through a part at a time, so that no frame waits for them.

mod commands;
mod finder;

use egui::{Align2, Context, Frame, Id, Key, Modal, Modifiers, ScrollArea, Sense, Ui, accesskit::Role, vec2};

use crate::app::{Action, State};

use super::theme::{Icon, SPACE_S, UiExt as _, text};
use super::widget::shown_short;
use super::widget::text_field::TextField;
use finder::Finder;

/// Height of an entry, in points.
const ENTRY: f32 = 34.0;

/// One thing that can be chosen.
#[derive(Clone, Debug)]
struct Entry {
    icon: Icon,
    title: String,
    /// What kind of thing it is, or the keys that do the same.
    hint: String,
    deed: Deed,
}

/// What choosing an entry does.
#[derive(Clone, Debug)]
enum Deed {
    /// Asks the inspector.
    Act(Vec<Action>),
    /// Opens the dialog for the connection.
    Connection,
}

/// What the palette asks of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaletteWish {
    /// Opens the dialog for the connection.
    Connection,
}

/// The palette, and what is being typed into it.
#[derive(Default)]
pub(super) struct Palette {
    open: bool,
    query: String,
    /// The entry that Enter chooses.
    place: usize,
    finder: Finder,
}

impl Palette {
    /// Opens it with an empty field.
    pub(super) fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    /// Draws the palette if it is open.
    pub(super) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) -> Option<PaletteWish> {
        if !self.open {
            return None;
        }
        if self.finder.search(&self.query, state) {
            ctx.request_repaint();
        }
        let entries = self.finder.entries(&self.query, state);
        let entered = self.keys(ctx, entries.len());
        let frame = Frame::popup(&ctx.global_style()).inner_margin(8);
        let id = Id::unique("palette");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 52.0));
        let modal = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
            ui.set_width(680.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            self.contents_ui(ui, &entries)
        });
        let chosen = modal.inner.or(entered.then_some(self.place));
        if modal.backdrop_response.clicked() || ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.open = false;
        }
        let entry = entries.into_iter().nth(chosen?)?;
        self.open = false;
        match entry.deed {
            Deed::Act(deeds) => actions.extend(deeds),
            Deed::Connection => return Some(PaletteWish::Connection),
        }
        None
    }

    /// Takes the keys that walk through the entries before the field does; true when one is chosen.
    fn keys(&mut self, ctx: &Context, count: usize) -> bool {
        let pressed = |key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let last = count.saturating_sub(1);
        if pressed(Key::ArrowDown) {
            self.place += 1;
        }
        if pressed(Key::ArrowUp) {
            self.place = self.place.saturating_sub(1);
        }
        self.place = self.place.min(last);
        pressed(Key::Enter) && count > 0
    }

    fn contents_ui(&mut self, ui: &mut Ui, entries: &[Entry]) -> Option<usize> {
        let field = TextField::search("Search or run a command").focus(true).limit(200);
        if field.show(ui, &mut self.query).response.changed() {
            self.place = 0;
        }
        ui.add_space(SPACE_S);
        if entries.is_empty() {
            ui.muted("Nothing found. Paste a UUID to open any asset.");
        }
        let mut chosen = None;
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().id_salt("entries").max_height(ENTRY * 10.0).show(ui, |ui| {
            for (place, entry) in entries.iter().enumerate() {
                if entry_ui(ui, entry, place, place == self.place) {
                    chosen = Some(place);
                }
            }
        });
        chosen
    }
}

/// Draws an entry; true when it was clicked.
fn entry_ui(ui: &mut Ui, entry: &Entry, place: usize, marked: bool) -> bool {
    let tokens = ui.tokens();
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ENTRY), Sense::hover());
    let response = ui.interact(rect, ui.unique_id().with(("entry", place)), Sense::CLICK);
    if marked {
        ui.painter().rect_filled(rect, 6.0, tokens.selected_row);
        response.scroll_to_me(None);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 6.0, tokens.hovered_row);
    }
    let title = shown_short(&entry.title, 70);
    let builder = egui::UiBuilder::new().max_rect(rect.shrink2(vec2(10.0, 0.0)));
    let mut row = ui.new_child(builder.layout(egui::Layout::left_to_right(egui::Align::Center)));
    row.style_mut().interaction.selectable_labels = false;
    let icon = row.label(entry.icon.text().color(tokens.muted));
    let words = row.label(title.as_ref());
    let hint = row.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.label(egui::RichText::new(&entry.hint).text_style(text::tiny()).color(tokens.muted))
    });
    for part in [icon, words, hint.inner] {
        // The entry is one thing to those who do not see it.
        ui.ctx().accesskit_node_builder(part.id, |node| node.set_hidden());
    }
    let name = if entry.hint.is_empty() { title.into_owned() } else { format!("{title}, {}", entry.hint) };
    response.widget_info(|| egui::WidgetInfo::selected(Role::ListBoxOption, true, marked, &name));
    response.clicked()
}
