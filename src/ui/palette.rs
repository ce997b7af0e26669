//! The palette: one field that finds commands, applications, assets and linked items, and opens an asset by its id.
//!
//! What must hold: names are searched in steps, so that no frame waits for a million of them; disabled commands are
//! found too, and say why they are disabled.

mod commands;
mod draw;
mod entry;
mod finder;
mod found;
mod names;

use egui::{Align2, Context, Frame, Id, Key, Modal, Modifiers, Ui, vec2};

use lunette_inspector::action::{AssetsAction, SettingsAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::Filter;
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::{Action, Remote, State};

use crate::ui::command::{Command, Keys, UiRequest, keys_of};
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::text_field::TextField;
use draw::ENTRY;
use entry::{Entry, EntryAction};
use finder::Finder;

/// Number of entries that Page Up and Page Down move by.
const PAGE: usize = 9;

/// What was chosen, if it concerns the window rather than the inspector.
#[derive(Clone, Debug, PartialEq)]
pub enum Chosen {
    /// A command.
    Command(Command),
    /// Show the assets linked to this item.
    Linked(Item),
    /// Filter the asset list by this.
    Filtered(Filter),
    /// Change the selected assets, after showing the plan.
    ForSelected(BulkOperation),
    /// What a command asks of the window.
    Requested(UiRequest),
}

/// The palette, and what is being typed.
#[derive(Default)]
pub struct Palette {
    open: bool,
    query: String,
    /// The entry that Enter chooses.
    active: usize,
    /// Whether the keyboard moved to another entry, which must become visible.
    scroll_to_active: bool,
    /// Whether Enter was pressed; it takes effect once all names have been searched.
    enter_pending: bool,
    finder: Finder,
    /// Whether the chosen asset is to be opened beside the open one.
    beside: bool,
    /// The text that the service was asked to search for.
    asked: String,
}

impl Palette {
    /// Opens the palette with an empty field, and requests the lists that are not loaded yet.
    pub fn open(&mut self, state: &State, actions: &mut Vec<Action>) {
        *self = Self { open: true, ..Self::default() };
        for kind in LinkKind::ALL {
            let known = state.assets.linkable.get(&kind);
            let wanted = known.is_none_or(|items| matches!(items, Remote::NotRequested | Remote::Failed { .. }));
            if wanted && state.connection.can_do(Capability::Items(kind)).is_ok() {
                actions.push(AssetsAction::LoadLinkable(kind).into());
            }
        }
    }

    /// Returns whether every name was searched for the current text.
    pub fn is_complete(&self) -> bool {
        self.finder.is_done()
    }

    /// Returns the number of entries for the current text.
    pub fn count(&mut self, state: &State) -> usize {
        self.finder.entries(&self.query, state).len()
    }

    /// Draws the palette if it is open; returns what was chosen.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
        if !self.open {
            return None;
        }
        if self.finder.search(&self.query, state) {
            ctx.request_repaint();
        }
        found::ask(&mut self.asked, &self.query, state, actions);
        let entries = self.finder.entries(&self.query, state);
        let close = self.keys(ctx, entries.len(), state);
        let frame = Frame::popup(&ctx.global_style()).inner_margin(8);
        let id = Id::unique("palette");
        let area = Modal::default_area(id).accessible_name("Palette").anchor(Align2::CENTER_TOP, vec2(0.0, 52.0));
        let modal = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
            ui.set_width(680.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            self.contents_ui(ui, &entries, state)
        });
        let (clicked, changed) = modal.inner;
        let enter_pending = self.enter_pending && !changed && self.finder.is_done();
        self.enter_pending &= !enter_pending;
        let chosen = clicked.or(enter_pending.then_some(self.active));
        self.open &= !(close || modal.backdrop_response.clicked());
        let entry = chosen.and_then(|chosen| entries.into_iter().nth(chosen));
        self.open &= entry.as_ref().is_none_or(|entry| matches!(entry.action, EntryAction::Retype(_)));
        if !self.open {
            found::ask(&mut self.asked, "", state, actions);
        }
        self.chosen(entry?, state, actions)
    }

    /// Does what an entry stands for; returns what concerns the window.
    fn chosen(&mut self, entry: Entry, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
        match entry.action {
            EntryAction::Retype(query) => {
                (self.query, self.active, self.scroll_to_active) = (query, 0, true);
                None
            }
            EntryAction::Filtered(filter) => Some(Chosen::Filtered(filter)),
            EntryAction::Act(entry_actions) => {
                let beside = std::mem::take(&mut self.beside);
                actions.extend(entry_actions.into_iter().map(|action| match action {
                    Action::Assets(AssetsAction::Open(id)) if beside => AssetsAction::OpenBeside(id).into(),
                    action => action,
                }));
                None
            }
            EntryAction::Run(command) => {
                if command.disabled_reason(state).is_none() {
                    actions.push(SettingsAction::Used(command.row().name).into());
                }
                Some(Chosen::Command(command))
            }
            EntryAction::Linked(item) => Some(Chosen::Linked(item)),
            EntryAction::ForSelected(request) => Some(Chosen::ForSelected(request)),
        }
    }

    /// Takes the navigation keys and Enter before the field does; returns whether the palette is to be closed.
    fn keys(&mut self, ctx: &Context, count: usize, state: &State) -> bool {
        let times = |key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as isize;
        let page = PAGE as isize;
        let steps = times(Key::ArrowDown) - times(Key::ArrowUp) + page * (times(Key::PageDown) - times(Key::PageUp));
        self.scroll_to_active |= steps != 0;
        self.active = self.active.saturating_add_signed(steps).min(count.saturating_sub(1));
        let beside = ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
        self.beside |= beside;
        self.enter_pending |= beside || times(Key::Enter) > 0;
        // The keys that opened it close it again.
        let own = keys_of(Command::Palette, &state.preferences.settings.look);
        let again = ctx.input(|input| {
            let mut pressed = input.events.iter().filter_map(Keys::of_event);
            pressed.any(|(keys, _)| own.contains(&keys))
        });
        again || times(Key::Escape) > 0
    }

    /// Draws the field and the entries; returns the entry that was clicked, and whether the text changed.
    fn contents_ui(&mut self, ui: &mut Ui, entries: &[Entry], state: &State) -> (Option<usize>, bool) {
        let field = TextField::search(Command::Palette.title()).focus(true).limit(200).show(ui, &mut self.query);
        if field.response.changed() {
            (self.active, self.scroll_to_active) = (0, true);
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
        let query = self.query.trim();
        let list = draw::EntryList { entries, active: self.active, height, query, state };
        let scroll_to_active = std::mem::take(&mut self.scroll_to_active);
        let finder = &mut self.finder;
        let (chosen, active) = list.ui(ui, scroll_to_active, |title| finder.match_positions(title));
        if let Some(active) = active {
            ui.ctx().accesskit_node_builder(field.response.id, |node| {
                node.set_active_descendant(active.accesskit_id());
            });
        }
        draw::hints_ui(ui);
        (chosen, field.response.changed())
    }
}
