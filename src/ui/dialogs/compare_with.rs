//! Asks what something is to be compared with: any asset, a version of it, another item of its kind, or a file.
//!
//! What must hold: however many assets there are, no frame waits for all of them; recent ones come first.

use std::borrow::Cow;
use std::sync::Arc;

use egui::{Context, Ui};

use crate::ui::format;
use crate::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use crate::ui::widgets::{buttons, dialog, shown_short};
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::version::AssetVersions;
use lunette_inspector::action::{CompareAction, VersionsAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Item;
use lunette_inspector::compare::Source;
use lunette_inspector::listing::RowList;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::settings::Recent;
use lunette_inspector::versions::VersionRow;
use lunette_inspector::{Action, Remote, State};

/// Width of the dialog, in points.
const WIDTH: f32 = 560.0;
/// How many recent assets come first.
const RECENT: usize = 5;
/// The name of the field and of the list.
const NAME: &str = "What to compare with";

/// The dialog, and what is typed into it.
#[derive(Default)]
pub struct CompareWithDialog {
    /// What the choice is for.
    of: Option<Source>,
    picker: PickerState,
    offered: Offered,
    /// How often the offered changed.
    revision: u64,
}

/// What is offered, in this order.
#[derive(Default)]
struct Offered {
    recent: Vec<(AssetId, String)>,
    /// The versions of the asset.
    versions: Vec<VersionRow>,
    /// What the rows of the versions were made from; kept alive, so that its address is not reused.
    versions_of: Option<Arc<AssetVersions>>,
    /// The items of the kind of the item.
    items: Option<Arc<Vec<Item>>>,
    /// All assets.
    rows: Option<RowList<AssetRow>>,
    /// The index of the asset among them, which is not offered.
    own: Option<usize>,
}

/// An entry.
enum Entry<'a> {
    Asset(AssetId, Cow<'a, str>),
    File,
    Version(&'a VersionRow),
    Item(&'a Item),
    Row(&'a AssetRow),
}

impl CompareWithDialog {
    /// Draws the dialog while something is to be compared.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(source) = &state.compare.choosing else {
            if self.of.is_some() {
                *self = Self::default();
            }
            return;
        };
        if self.of.as_ref() != Some(source) {
            *self = Self { of: Some(source.clone()), ..Self::default() };
            load_versions(source, state, actions);
        }
        self.revision += u64::from(self.offered.follow(source, state));
        let Self { picker, offered, revision, .. } = self;
        let title = format!("Compare “{}” with", shown_short(&source.name(), 60));
        let ((picked, cancelled), closed) = dialog(ctx, "compare with", &title, WIDTH, |ui| {
            let picked = offered.picker_ui(ui, *revision, state, picker);
            (picked, buttons(ui, |ui| ui.button("Cancel").clicked()))
        });
        match picked {
            Some(Picked::Entry(index)) => actions.extend(offered.choose(index, source)),
            Some(Picked::New(_)) | None if cancelled || closed => actions.push(CompareAction::CancelChoice.into()),
            Some(Picked::New(_)) | None => {}
        }
    }
}

/// Loads the versions of the asset that is to be compared, if the service keeps some.
fn load_versions(source: &Source, state: &State, actions: &mut Vec<Action>) {
    let Source::Asset(id, _) = source else { return };
    if state.connection.can_do(Capability::Versions).is_ok() {
        actions.push(VersionsAction::Load(id.clone()).into());
    }
}

impl Offered {
    /// Takes in what can be chosen now; returns whether that changed.
    fn follow(&mut self, source: &Source, state: &State) -> bool {
        let other = |recent: &&Recent| !matches!(source, Source::Asset(id, _) if id.as_str() == recent.id);
        let named = |recent: &Recent| Some((recent.id.parse().ok()?, recent.name.clone()));
        let recent: Vec<_> = state.recent().iter().filter(other).take(RECENT).filter_map(named).collect();
        let mut changed = std::mem::replace(&mut self.recent, recent.clone()) != recent;
        let versions = match source {
            Source::Asset(id, _) => state.versions.of_asset(id).and_then(Remote::value),
            Source::Item(_) | Source::File(_) | Source::Ready(_) => None,
        };
        if versions.map(Arc::as_ptr) != self.versions_of.as_ref().map(Arc::as_ptr) {
            self.versions_of = versions.cloned();
            let all = versions.map(|versions| VersionRow::all(versions)).unwrap_or_default();
            self.versions = all.into_iter().filter(|row| !row.is_current && !row.is_missing).collect();
            changed = true;
        }
        let items = match source {
            Source::Item(item) => state.assets.linkable.get(&item.kind).and_then(Remote::value),
            Source::Asset(..) | Source::File(_) | Source::Ready(_) => None,
        };
        if items.map(Arc::as_ptr) != self.items.as_ref().map(Arc::as_ptr) {
            self.items = items.cloned();
            changed = true;
        }
        let rows = state.assets.list.rows.value();
        let same = match (rows, &self.rows) {
            (Some(now), Some(then)) => now.same(then),
            (now, then) => now.is_none() && then.is_none(),
        };
        if !same {
            self.rows = rows.cloned();
            self.own = match source {
                Source::Asset(id, _) => rows.and_then(|rows| rows.iter().position(|row| row.is_of(id))),
                Source::Item(_) | Source::File(_) | Source::Ready(_) => None,
            };
            changed = true;
        }
        changed
    }

    /// Draws the field and the entries; returns what was picked.
    fn picker_ui(&self, ui: &mut Ui, revision: u64, state: &State, picker: &mut PickerState) -> Option<Picked> {
        let rows = &state.assets.list.rows;
        let failed = rows.error().map(|error| format!("The list of assets could not be loaded: {}", error.reason()));
        let status = failed.or_else(|| rows.loading().then(|| "Loading the assets…".to_owned()));
        let entry = |index: usize| self.entry(index).map(|entry| entry.shown()).unwrap_or_default();
        Picker::new(NAME, self.count(), &entry).revision(revision).status(status.as_deref()).show(ui, picker)
    }

    fn count(&self) -> usize {
        let items = self.items.as_ref().map_or(0, |items| items.len());
        let rows = self.rows.as_ref().map_or(0, RowList::len) - usize::from(self.own.is_some());
        self.recent.len() + 1 + self.versions.len() + items + rows
    }

    fn entry(&self, index: usize) -> Option<Entry<'_>> {
        if let Some((id, name)) = self.recent.get(index) {
            return Some(Entry::Asset(id.clone(), Cow::Borrowed(name)));
        }
        let Some(index) = (index - self.recent.len()).checked_sub(1) else { return Some(Entry::File) };
        if let Some(version) = self.versions.get(index) {
            return Some(Entry::Version(version));
        }
        let index = index - self.versions.len();
        let items = self.items.as_ref().map_or(&[][..], |items| items.as_slice());
        if let Some(item) = items.get(index) {
            return Some(Entry::Item(item));
        }
        let index = index - items.len();
        let row = index + usize::from(self.own.is_some_and(|own| own <= index));
        self.rows.as_ref()?.get(row).map(|row| Entry::Row(row))
    }

    /// Returns what compares with the entry at an index.
    fn choose(&self, index: usize, source: &Source) -> Option<Action> {
        let asset = |id: AssetId, name: &str| {
            Some(CompareAction::Open([source.clone(), Source::Asset(id, name.to_owned())]).into())
        };
        match self.entry(index)? {
            Entry::Asset(id, name) => asset(id, &name),
            Entry::Row(row) => asset(row.id(), row.name()),
            Entry::File => Some(CompareAction::PickFile(source.clone()).into()),
            Entry::Item(item) => Some(CompareAction::Open([source.clone(), Source::Item(item.clone())]).into()),
            Entry::Version(version) => {
                let Source::Asset(id, _) = source else { return None };
                let number = u32::try_from(version.number).ok().and_then(VersionNumber::of)?;
                Some(VersionsAction::Compare(id.clone(), number, source.clone()).into())
            }
        }
    }
}

impl<'a> Entry<'a> {
    /// Returns how it is drawn, and the name by which it is found.
    fn shown(self) -> PickerEntry<'a> {
        match self {
            Self::Asset(id, name) if name.trim().is_empty() => {
                PickerEntry { name: id.to_string().into(), detail: "Recent".into() }
            }
            Self::Asset(_, name) => PickerEntry { name, detail: "Recent".into() },
            Self::File => PickerEntry { name: "A file on disk…".into(), detail: "File".into() },
            Self::Version(version) => {
                let at = if version.at.is_empty() { "time not recorded".to_owned() } else { format::ago(&version.at) };
                let name = format!("Version {}, {at}", version.number);
                PickerEntry { name: name.into(), detail: version.changed.clone().into() }
            }
            Self::Item(item) => PickerEntry { name: item.name().into(), detail: item.kind.one().into() },
            Self::Row(row) => {
                let folder = row.folder().map(|folder| &**folder);
                PickerEntry { name: row.title(), detail: folder.unwrap_or(row.language()).into() }
            }
        }
    }
}
