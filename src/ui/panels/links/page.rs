//! The page of a tag, a website or a workstream summary: its assets and, behind tabs, its record and what happened.
//!
//! What must hold: what is typed remains until it is applied or cancelled, even if the change fails.

use std::sync::Arc;

use egui::{ScrollArea, Ui};
use serde_json::Value;

use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::format;
use crate::ui::link_icon::link_icon;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::list::split::page_title_ui;
use crate::ui::panels::assets::AssetList;
use crate::ui::panels::assets::website::checked_url;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{plural, shown_short, tabs};
use lunette_inspector::action::{GraphAction, LinksAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Item, ItemId, LinkKind};
use lunette_inspector::graph::Start;
use lunette_inspector::history::ItemWrite;
use lunette_inspector::links::LinkPage;
use lunette_inspector::listing::rows::LinkRow;
use lunette_inspector::navigation::in_view::InView;
use lunette_inspector::{Action, Remote, State};

use super::activity::ActivityList;
use super::color::color_ui;
use super::move_to::MoveButton;

/// The view state of the page.
pub(super) struct LinkPageView {
    /// The list of its assets.
    pub assets: AssetList,
    /// The id of the item whose page was drawn last.
    of: Option<ItemId>,
    tree: JsonTreeState,
    /// The record in the tree, for detecting a new one.
    shown: Option<Arc<Value>>,
    /// Counts the records shown in the tree.
    revision: u64,
    /// The item that is being renamed, and the typed text.
    editing: Option<Editing>,
    moving: MoveButton,
    /// The index of the shown tab.
    part: usize,
    activity: ActivityList,
}

/// The indices of the tabs.
const ASSETS: usize = 0;
const RECORD: usize = 1;

impl Default for LinkPageView {
    fn default() -> Self {
        let (of, tree, shown, revision, editing, moving, activity) = Default::default();
        Self { assets: AssetList::linked(), of, tree, shown, revision, editing, moving, part: ASSETS, activity }
    }
}

struct Editing {
    /// The item as it was when typing began.
    item: Item,
    name: String,
    url: String,
    fresh: bool,
}

impl LinkPageView {
    /// Draws the page; returns the item if its assets are to be shown.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        page: &LinkPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Option<Item> {
        let item = &page.item;
        let row = state.links.row(item);
        if self.of.as_ref() != Some(&item.id) {
            self.of = Some(item.id.clone());
            self.assets.forget();
        }
        if page_title_ui(ui, item.name(), "Close the page") {
            actions.push(LinksAction::Close.into());
        }
        ui.horizontal_wrapped(|ui| {
            ui.label(link_icon(item.kind).text());
            ui.muted(&facts(item, row.map(Arc::as_ref)));
        });
        ui.add_space(SPACE_S);
        let parts = [("Assets", None), ("Record", None), ("Activity", None)];
        tabs(ui, "Parts of the link", &parts, &mut self.part);
        ui.add_space(SPACE_S);
        match self.part {
            ASSETS => {
                self.assets.linked_ui(ui, state, actions);
                None
            }
            RECORD => self.record_part_ui(ui, page, state, actions),
            _ => {
                self.activity.ui(ui, page, state, actions);
                None
            }
        }
    }

    /// Returns what the list of assets showed in the last frame; `None` if another part is shown.
    pub(super) fn in_view(&self) -> Option<&InView> {
        (self.part == ASSETS).then(|| self.assets.in_view())
    }

    /// Draws the fields of the item, what is done with it, and its record.
    fn record_part_ui(
        &mut self,
        ui: &mut Ui,
        page: &LinkPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Option<Item> {
        let item = &page.item;
        let row = state.links.row(item);
        let area = ScrollArea::vertical().id_salt("link").auto_shrink(false);
        let drawn = area.show(ui, |ui| {
            let wanted = self.buttons_ui(ui, page, state, actions);
            self.editing_ui(ui, page, state, actions);
            if item.kind == LinkKind::Tag {
                color_ui(ui, item, state, actions);
            }
            if let Some(row) = row {
                similar_ui(ui, row, state, actions);
            }
            ui.add_space(SPACE_M);
            details_ui(ui, item, row.map(Arc::as_ref), actions);
            ui.add_space(SPACE_M);
            self.record_ui(ui, page, actions);
            wanted
        });
        drawn.inner
    }

    /// Opens the form for the name of an item, as soon as its page is drawn.
    pub(super) fn start_rename(&mut self, item: &Item) {
        self.part = RECORD;
        let (name, url) = (item.text.clone(), item.url.clone().unwrap_or_default());
        self.editing = Some(Editing { item: item.clone(), name, url, fresh: true });
    }

    /// Opens the picker of the item to move the assets of the open item to.
    pub(super) fn open_move(&mut self) {
        self.part = RECORD;
        self.moving.open();
    }

    /// Draws the actions in two rows, which fit a narrow page.
    fn buttons_ui(&mut self, ui: &mut Ui, page: &LinkPage, state: &State, actions: &mut Vec<Action>) -> Option<Item> {
        let item = &page.item;
        let wanted = ui.horizontal(|ui| {
            let wanted = ui.icon_text_button(Icon::ASSETS, "Show among all assets").clicked().then(|| item.clone());
            let rename = |ui: &mut Ui| ui.icon_text_button(Icon::EDIT, "Rename");
            let disabled_reason = write_disabled_reason(page, state, Capability::EditItem(item.kind));
            if enabled_unless(ui, disabled_reason.as_deref(), rename).clicked() {
                self.start_rename(item);
            }
            if ui.icon_text_button(Icon::GRAPH, "Show graph").clicked() {
                actions.push(GraphAction::Start(vec![Start::item(item)]).into());
            }
            wanted
        });
        ui.horizontal_wrapped(|ui| self.for_all_assets_ui(ui, page, state, actions));
        wanted.inner
    }

    /// Draws the actions that concern all assets of the item.
    fn for_all_assets_ui(&mut self, ui: &mut Ui, page: &LinkPage, state: &State, actions: &mut Vec<Action>) {
        let item = &page.item;
        let reason = |capability| write_disabled_reason(page, state, capability);
        let assets = state.links.row(item).and_then(|row| row.assets);
        let unused = (assets == Some(0)).then(|| "No asset is linked to it".to_owned());
        let used = used_reason(item, state).map(str::to_owned);
        let unreported = assets.is_none().then(|| "The service does not say which assets have it".to_owned());
        let remove = |ui: &mut Ui| ui.icon_text_button(Icon::UNLINK, "Remove from all assets…");
        let no_remove = reason(Capability::Unlink(item.kind)).or_else(|| unused.clone());
        let remove = enabled_unless(ui, no_remove.as_deref(), remove);
        if remove.on_hover_text("Shows a plan for all its assets first").clicked() {
            actions.push(LinksAction::RemoveEverywhere(item.clone()).into());
        }
        let no_move = reason(Capability::Relink(item.kind)).or(unused).or(unreported);
        if let Some(to) = self.moving.ui(ui, item, state, no_move.as_deref()) {
            actions.push(LinksAction::MoveAll(item.clone(), to).into());
        }
        let delete = |ui: &mut Ui| ui.danger_button("Delete…");
        if enabled_unless(ui, reason(Capability::DeleteItem(item.kind)).or(used).as_deref(), delete).clicked() {
            actions.push(LinksAction::Write(ItemWrite::Delete(item.clone())).into());
        }
    }

    /// Draws the form for renaming, if it is open for this item.
    fn editing_ui(&mut self, ui: &mut Ui, page: &LinkPage, state: &State, actions: &mut Vec<Action>) {
        let Some(editing) = self.editing.as_mut().filter(|editing| editing.item.id == page.item.id) else { return };
        // Applied: the item has the typed name.
        if page.item != editing.item && page.item.text == editing.name.trim() {
            self.editing = None;
            return;
        }
        ui.add_space(SPACE_S);
        let website = page.item.kind == LinkKind::Website;
        let wrong = editing.problem(website);
        let focus = std::mem::take(&mut editing.fresh);
        let name = TextField::new("Name").focus(focus).show(ui, &mut editing.name);
        let address = website.then(|| TextField::new("Address").show(ui, &mut editing.url));
        let submitted = name.submitted || address.is_some_and(|address| address.submitted);
        let close = ui.horizontal(|ui| {
            let saving = page.writing.then(|| "The change is being saved".to_owned());
            let reason = disabled_reason(state, Capability::EditItem(page.item.kind)).or(saving).or(wrong);
            let save = enabled_unless(ui, reason.as_deref(), |ui| ui.primary_button("Save"));
            if (save.clicked() || submitted) && reason.is_none() {
                actions.push(LinksAction::Write(editing.write(&page.item, website)).into());
            }
            ui.button("Cancel").clicked()
        });
        if close.inner {
            self.editing = None;
        }
    }

    fn record_ui(&mut self, ui: &mut Ui, page: &LinkPage, actions: &mut Vec<Action>) {
        let again = || Action::Links(LinksAction::Open(page.item.clone()));
        if let Remote::Failed { error, previous: None } = &page.record {
            if failure_ui(ui, "The record could not be read", error) {
                actions.push(again());
            }
            return;
        }
        let Some(record) = page.record.value() else { return skeleton(ui, "the record", 6) };
        if let Some(error) = page.record.error()
            && stale_ui(ui, "The record", error)
        {
            actions.push(again());
        }
        if self.shown.as_ref().is_none_or(|shown| !Arc::ptr_eq(shown, record)) {
            self.shown = Some(Arc::clone(record));
            self.revision += 1;
        }
        let height = (ui.available_height() - SPACE_M).max(220.0);
        let source = JsonSource { of: Arc::clone(record), tree: |record| record, revision: self.revision };
        json_tree(ui, "Record of the link", &source, &mut self.tree, height);
    }
}

impl Editing {
    /// Returns why the typed text cannot be applied.
    fn problem(&self, website: bool) -> Option<String> {
        let same = self.name.trim() == self.item.text
            && (!website || self.url.trim() == self.item.url.as_deref().unwrap_or_default());
        if self.name.trim().is_empty() {
            Some("Enter a name".to_owned())
        } else if same {
            Some("Nothing changed".to_owned())
        } else {
            website.then(|| checked_url(&self.url).err().map(|error| error.to_string())).flatten()
        }
    }

    fn write(&self, item: &Item, website: bool) -> ItemWrite {
        let url = if website { checked_url(&self.url).ok() } else { item.url.clone() };
        ItemWrite::Rename { item: item.clone(), to: Item { text: self.name.trim().to_owned(), url, ..item.clone() } }
    }
}

/// Returns what kind of item it is, and how many assets it has.
fn facts(item: &Item, row: Option<&LinkRow>) -> String {
    let kind = match item.kind {
        LinkKind::Tag => "Tag",
        LinkKind::Website => "Website",
        LinkKind::Summary => "Workstream summary",
    };
    if let Some(known) = row.and_then(|row| row.known_from) {
        return format!("{kind} · found in {}", plural(known, "opened asset"));
    }
    match row.and_then(|row| row.assets) {
        Some(count) => format!("{kind} · {}", plural(count, "asset")),
        None => format!("{kind} · the service does not say which assets have it"),
    }
}

/// Offers to merge the item with a similar one.
fn similar_ui(ui: &mut Ui, row: &LinkRow, state: &State, actions: &mut Vec<Action>) {
    let Some(similar) = &row.similar else { return };
    ui.add_space(SPACE_S);
    ui.horizontal_wrapped(|ui| {
        // Centres the sentence vertically beside its button.
        ui.set_row_height(ui.spacing().interact_size.y);
        ui.warning_text(&format!("Similar to “{}”.", shown_short(similar.name(), 60)));
        let reason = disabled_reason(state, Capability::Relink(row.item.kind));
        if enabled_unless(ui, reason.as_deref(), |ui| ui.button("Merge…")).clicked() {
            actions.push(LinksAction::Merge(vec![row.item.clone(), similar.clone()]).into());
        }
    });
}

/// Returns why an item cannot be deleted: assets have it, or may have it.
pub(in crate::ui) fn used_reason(item: &Item, state: &State) -> Option<&'static str> {
    match state.links.row(item).and_then(|row| row.assets) {
        Some(0) => None,
        Some(_) => Some("Assets are linked to it; remove it from them first"),
        None => Some("The service does not say which assets have it; deleting it could not be undone for them"),
    }
}

/// Returns why the item cannot be written now: the service or its policy, or a change that is being saved.
fn write_disabled_reason(page: &LinkPage, state: &State, capability: Capability) -> Option<String> {
    let saving = || page.writing.then(|| "The last change is being saved".to_owned());
    disabled_reason(state, capability).or_else(saving)
}

fn details_ui(ui: &mut Ui, item: &Item, row: Option<&LinkRow>, actions: &mut Vec<Action>) {
    ui.section_title("Details");
    if let Some(url) = &item.url {
        ui.key_value("Address", &shown_short(url, 200));
    }
    if let Some(row) = row {
        for (name, at) in [("Last used", &row.last_used), ("Updated", &row.updated), ("Created", &row.created)] {
            if !at.is_empty() {
                ui.key_value(name, &format::ago(at)).on_hover_text(format::exact(at));
            }
        }
    }
    ui.horizontal(|ui| {
        ui.code_text(&shown_short(&item.id, 40));
        if ui.icon_button(Icon::COPY, "Copy the id").clicked() {
            ui.ctx().copy_text(item.id.to_string());
            actions.push(Action::Notify("Copied the id".to_owned()));
        }
    });
}
