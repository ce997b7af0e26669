//! The palette: one field that finds commands, applications, assets and what they are linked to, and opens an asset by
//! its UUID.
//!
//! What must hold: names are looked through a part at a time, so that no frame waits for a million of them; what cannot
//! be done is found too, and says why.

mod commands;
mod draw;
mod entry;
mod finder;
mod names;

use egui::{Align2, Context, Frame, Id, Key, Modal, Modifiers, Ui, vec2};

use crate::app::bulk::BulkOperation;
use crate::app::change::{Item, LinkKind};
use crate::app::filter::Filter;
use crate::app::session::feature::Feature;
use crate::app::{Action, Remote, State};

use crate::ui::command::{Command, Keys, keys_of};
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::text_field::TextField;
use draw::ENTRY;
use entry::{Deed, Entry};
use finder::Finder;

/// How many entries a page is, for the keys that go by pages.
const PAGE: usize = 9;

/// What was chosen, where it is not for the inspector.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// A command.
    Command(Command),
    /// Something whose assets are to be shown.
    Linked(Item),
    /// The list of assets is to be filtered by this.
    Filtered(Filter),
    /// The selected assets are to be changed, after their plan was shown.
    ForSelected(BulkOperation),
}

/// The palette, and what is being typed into it.
#[derive(Default)]
pub struct Palette {
    open: bool,
    query: String,
    /// The entry that Enter chooses.
    place: usize,
    /// Whether the keyboard moved, so that the entry must come into sight.
    moved: bool,
    /// Whether Enter was pressed for what is typed; it chooses once all names were looked at for that.
    entered: bool,
    finder: Finder,
}

impl Palette {
    /// Opens it with an empty field, and asks for what it has not seen yet.
    pub fn open(&mut self, state: &State, actions: &mut Vec<Action>) {
        *self = Self { open: true, ..Self::default() };
        for kind in LinkKind::ALL {
            let known = state.linkable.get(&kind);
            let wanted = known.is_none_or(|items| matches!(items, Remote::Unasked | Remote::Failed { .. }));
            if wanted && state.can_do(Feature::Items(kind)).is_ok() {
                actions.push(Action::LoadLinkable(kind));
            }
        }
    }

    /// Whether every name was looked at for what is typed.
    pub fn is_answered(&self) -> bool {
        self.finder.is_done()
    }

    /// How many entries there are for what is typed.
    pub fn count(&mut self, state: &State) -> usize {
        self.finder.entries(&self.query, state).len()
    }

    /// Draws the palette if it is open; gives what was chosen.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
        if !self.open {
            return None;
        }
        if self.finder.search(&self.query, state) {
            ctx.request_repaint();
        }
        let entries = self.finder.entries(&self.query, state);
        let close = self.keys(ctx, entries.len(), state);
        let frame = Frame::popup(&ctx.global_style()).inner_margin(8);
        let id = Id::unique("palette");
        let area = Modal::default_area(id).accessible_name("Palette").anchor(Align2::CENTER_TOP, vec2(0.0, 52.0));
        let modal = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
            ui.set_width(680.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            self.contents_ui(ui, &entries)
        });
        let (clicked, changed) = modal.inner;
        let entered = self.entered && !changed && self.finder.is_done();
        self.entered &= !entered;
        let chosen = clicked.or(entered.then_some(self.place));
        self.open &= !(close || modal.backdrop_response.clicked());
        let entry = entries.into_iter().nth(chosen?)?;
        self.open = false;
        match entry.deed {
            Deed::Act(deeds) => {
                actions.extend(deeds);
                None
            }
            Deed::Run(command) => {
                if command.disabled_reason(state).is_none() {
                    actions.push(Action::Used(command.row().name));
                }
                Some(Chosen::Command(command))
            }
            Deed::Linked(item) => Some(Chosen::Linked(item)),
            Deed::ForSelected(wish) => Some(Chosen::ForSelected(wish)),
        }
    }

    /// Takes the keys that walk through the entries, and the one that chooses, before the field does; gives whether the
    /// palette is to be closed.
    fn keys(&mut self, ctx: &Context, count: usize, state: &State) -> bool {
        let times = |key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as isize;
        let page = PAGE as isize;
        let steps = times(Key::ArrowDown) - times(Key::ArrowUp) + page * (times(Key::PageDown) - times(Key::PageUp));
        self.moved |= steps != 0;
        self.place = self.place.saturating_add_signed(steps).min(count.saturating_sub(1));
        self.entered |= times(Key::Enter) > 0;
        // The keys that opened it close it again.
        let own = keys_of(Command::Palette, &state.settings.look);
        let again = ctx.input(|input| {
            let mut pressed = input.events.iter().filter_map(Keys::of_event);
            pressed.any(|(keys, _)| own.contains(&keys))
        });
        again || times(Key::Escape) > 0
    }

    /// Draws field and entries; gives the entry that was clicked, and whether another text was typed.
    fn contents_ui(&mut self, ui: &mut Ui, entries: &[Entry]) -> (Option<usize>, bool) {
        let field = TextField::search(Command::Palette.title()).focus(true).limit(200).show(ui, &mut self.query);
        if field.response.changed() {
            (self.place, self.moved) = (0, true);
        }
        ui.add_space(SPACE_S);
        if entries.is_empty() {
            ui.muted(if self.finder.is_done() {
                "Nothing found. Paste a UUID to open any asset."
            } else {
                "Searching…"
            });
        }
        let height = (ui.ctx().content_rect().height() - 220.0).clamp(3.0 * ENTRY, 11.0 * ENTRY);
        let list = draw::EntryList { entries, place: self.place, height };
        let moved = std::mem::take(&mut self.moved);
        let finder = &mut self.finder;
        let (chosen, active) = list.ui(ui, moved, |title| finder.marks(title));
        if let Some(active) = active {
            ui.ctx().accesskit_node_builder(field.response.id, |node| {
                node.set_active_descendant(active.accesskit_id());
            });
        }
        draw::hints_ui(ui);
        (chosen, field.response.changed())
    }
}
