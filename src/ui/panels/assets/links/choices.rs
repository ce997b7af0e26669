//! The items that can be linked, as a picker offers them.
//!
//! What must hold: they are narrowed down once for each version of the list, on another thread if there are many;
//! meanwhile nothing is created from the typed text, which may be the name of one of them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use egui::{Context, Response, Ui};

use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use lunette_client::model::id::AssetId;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::session::support::Reason;
use lunette_inspector::{Remote, State};

use super::picker_name;

/// Which items are offered.
#[derive(Clone, PartialEq)]
pub(in crate::ui::panels::assets) enum Narrowed {
    /// All of them.
    All,
    /// Those that are not linked yet.
    Without(Identity<Vec<Item>>),
    /// Those with one of these names.
    Named(Identity<BTreeMap<String, usize>>),
}

impl Narrowed {
    fn count(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Without(linked) => linked.0.len(),
            Self::Named(names) => names.0.len(),
        }
    }

    /// Returns the indices of the offered items.
    fn indices(&self, items: &[Item]) -> Vec<u32> {
        let all = items.iter().zip(0..);
        match self {
            Self::All => all.map(|(_, index)| index).collect(),
            Self::Without(linked) => {
                let linked: HashSet<&str> = linked.0.iter().map(|item| item.id.as_str()).collect();
                all.filter(|(item, _)| !linked.contains(item.id.as_str())).map(|(_, index)| index).collect()
            }
            Self::Named(names) => {
                all.filter(|(item, _)| names.0.contains_key(&item.text)).map(|(_, index)| index).collect()
            }
        }
    }
}

/// The offered items, once they are narrowed down.
#[derive(Default)]
pub(in crate::ui::panels::assets) struct ChoiceList {
    indices: Background<ChoicesKey, Vec<u32>>,
    /// What the indices were made from, and how often that has changed.
    shown: Option<ChoicesKey>,
    revision: u64,
}

type ChoicesKey = (Identity<Vec<Item>>, Narrowed);

/// The items that can be chosen now.
#[derive(Default)]
pub(in crate::ui::panels::assets) struct Choices<'a> {
    items: &'a [Item],
    indices: &'a [u32],
    /// Changes whenever the items do.
    revision: u64,
    status: Option<String>,
    /// Whether the list is being loaded for the first time, or narrowed down.
    loading: bool,
    /// Whether the service has no list to choose from, so that ids are typed.
    pub unlisted: bool,
    /// Whether the service can create new items.
    can_make: bool,
}

impl ChoiceList {
    /// Returns what a picker offers now.
    pub fn get<'a>(&'a mut self, ctx: &Context, state: &'a State, kind: LinkKind, narrowed: Narrowed) -> Choices<'a> {
        let remote = state.assets.linkable.get(&kind);
        let mut choices = Choices::of(state, kind, remote.and_then(Remote::error));
        choices.loading = remote.is_none_or(|remote| remote.loading() && remote.value().is_none()) && !choices.unlisted;
        if choices.status.is_none() && remote.is_some_and(Remote::loading) {
            choices.status = Some("Loading…".to_owned());
        }
        let Some(items) = remote.and_then(Remote::value) else { return choices };
        let key = (Identity(Arc::clone(items)), narrowed.clone());
        let (given, count) = (Arc::clone(items), items.len() + narrowed.count());
        let indices = self.indices.get_prepared(ctx, &key, count, move || narrowed.indices(&given));
        match indices {
            Some(Ok(indices)) => {
                if self.shown.as_ref() != Some(&key) {
                    self.shown = Some(key);
                    self.revision += 1;
                }
                Choices { items, indices, revision: self.revision, ..choices }
            }
            Some(Err(problem)) => Choices { status: Some(format!("They could not be listed: {problem}")), ..choices },
            None => Choices { status: Some("Loading…".to_owned()), loading: true, ..choices },
        }
    }
}

impl<'a> Choices<'a> {
    /// No items yet, and why there may never be any.
    fn of(state: &State, kind: LinkKind, error: Option<&lunette_inspector::CallError>) -> Self {
        let unsupported = matches!(state.connection.can_do(Capability::Items(kind)), Err(Reason::Unsupported { .. }));
        let unlisted = unsupported || error.is_some_and(|error| error.missing());
        let status = match error {
            _ if unlisted => Some(format!("This service does not list {}; type an id.", kind.many().to_lowercase())),
            Some(error) => Some(format!("They could not be loaded: {}", error.reason())),
            None => None,
        };
        let can_make = state.connection.can_do(Capability::LinkNew(kind)).is_ok();
        Self { status, unlisted, can_make, ..Self::default() }
    }

    /// Returns the item at an index of the picker.
    pub fn item(&self, index: usize) -> Option<&'a Item> {
        self.indices.get(index).and_then(|index| self.items.get(*index as usize))
    }

    /// Draws a picker of these items in place; `kind` is what can be created, if anything.
    pub fn show(&self, ui: &mut Ui, name: &str, new: Option<LinkKind>, state: &mut PickerState) -> Option<Picked> {
        let entry = |index: usize| self.entry(index);
        self.picker(name, &entry, new, "Use the id").show(ui, state)
    }

    /// Draws the picker of an asset below its button.
    pub fn popup(&self, button: &Response, kind: LinkKind, of: &AssetId, state: &mut PickerState) -> Option<Picked> {
        let entry = |index: usize| self.entry(index);
        let name = picker_name(kind);
        self.picker(&name, &entry, Some(kind), "Link by id").of(of.as_str()).popup(button, state)
    }

    fn picker<'p>(
        &'p self,
        name: &'p str,
        entry: &'p dyn Fn(usize) -> PickerEntry<'p>,
        new: Option<LinkKind>,
        by_id: &'p str,
    ) -> Picker<'p> {
        let picker = Picker::new(name, self.indices.len(), entry);
        let picker = picker.revision(self.revision).status(self.status.as_deref()).loading(self.loading);
        match new {
            _ if self.unlisted => picker.offer_as_typed(by_id),
            Some(kind) if self.can_make => picker.offer_new(kind.one()),
            Some(_) | None => picker,
        }
    }

    fn entry(&self, index: usize) -> PickerEntry<'a> {
        let Some(item) = self.item(index) else { return PickerEntry::default() };
        PickerEntry { name: item.name().into(), detail: item.url.as_deref().unwrap_or_default().into() }
    }
}
