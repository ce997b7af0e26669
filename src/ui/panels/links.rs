//! What assets are linked to: the lists of tags, websites and workstream summaries, and the page of the open one.

use std::sync::Arc;

use egui::{Align, Layout, Response, Ui};
use serde_json::json;

use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::dragging::{self, Dragged};
use crate::ui::link_icon::link_icon;
use crate::ui::list::copy_as::{self, Copied};
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::layout::{self, ListLayout};
use crate::ui::list::split::{Part, page_or_split_ui};
use crate::ui::list::states::{ListTexts, rows_ui};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::table::{Column, Selection, Sort, Table, TableResponse, TableState, columns_button};
use crate::ui::widgets::{Choice, choose, shown_short};
use cells::{cell_ui, columns};
use lunette_inspector::action::{GraphAction, LinksAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::{Field, Filter, Flag, List, parse};
use lunette_inspector::graph::Start;
use lunette_inspector::listing::rows::LinkRow;
use lunette_inspector::navigation::Panel;
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::{Action, State};
use menu::{MenuChoice, menu_ui};
use page::LinkPageView;

pub(in crate::ui) use page::used_reason;

mod activity;
mod cells;
mod color;
mod menu;
mod move_to;
mod page;

/// The panel and its view state.
pub struct LinksPanel {
    filter: FilterField,
    table: TableState,
    marks: KeyedSelection<LinkRow, String>,
    /// The list whose rows the table shows.
    kind: LinkKind,
    /// The item of the open page, as the table knows it.
    selected: Option<String>,
    page: LinkPageView,
    layout: ListLayout,
    /// What was shown in the last frame, for commands.
    in_view: InView,
}

/// An action on several selected items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum ItemsTool {
    /// Asks whether to delete those that no asset has.
    Delete,
    /// Shows what they are linked to.
    Graph,
}

impl Default for LinksPanel {
    fn default() -> Self {
        Self {
            filter: FilterField::new(List::Links, "Filter links"),
            table: TableState::default(),
            marks: KeyedSelection::new(|row| row.item.id.to_string()),
            kind: LinkKind::Tag,
            selected: None,
            page: LinkPageView::default(),
            layout: ListLayout::default(),
            in_view: InView::default(),
        }
    }
}

/// The columns of copied rows.
const COPY_COLUMNS: [&str; 7] = ["id", "name", "address", "assets", "last used", "created", "updated"];

impl LinksPanel {
    /// Draws the panel; returns the item whose assets to show.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Item> {
        self.in_view = InView::nothing(Panel::Links);
        let kept = self.layout.restore("links", &mut self.table, state);
        let page = state.links.open.as_ref();
        let mut wanted = None;
        let (drawn, left) = page_or_split_ui(ui, "links", page.is_some(), kept, |ui, part| match (part, page) {
            (Part::Page, Some(page)) => wanted = self.page.ui(ui, page, state, actions).or(wanted.take()),
            (Part::Page, None) => {}
            (Part::List, _) => wanted = self.list_ui(ui, state, actions).or(wanted.take()),
        });
        if left {
            actions.push(LinksAction::Close.into());
        }
        self.layout.page_drawn(drawn);
        self.layout.save(ui, "links", &self.table, actions);
        wanted
    }

    /// Returns what its list showed in the last frame.
    pub(in crate::ui) fn in_view(&self) -> &InView {
        &self.in_view
    }

    /// Opens the form for the name of an item on its page.
    pub(in crate::ui) fn start_rename(&mut self, item: &Item) {
        self.page.start_rename(item);
    }

    /// Runs a tool for the selected items.
    pub(in crate::ui) fn run_for_selected(&self, tool: ItemsTool, state: &State, actions: &mut Vec<Action>) {
        let items = self.marks.rows(state.links.shown()).into_iter().map(|row| &row.item);
        actions.push(match tool {
            ItemsTool::Delete => LinksAction::Delete(items.cloned().collect()).into(),
            ItemsTool::Graph => GraphAction::Start(items.map(Start::item).collect()).into(),
        });
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Item> {
        let wanted = self.rows_ui(ui, state, actions);
        let subject = |row: &Arc<LinkRow>| Some(Subject::Item(row.item.clone()));
        self.in_view.selected = self.marks.in_view(state.links.shown(), subject);
        wanted
    }

    fn rows_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Item> {
        if self.kind != state.links.kind {
            self.kind = state.links.kind;
            let sort = (self.table.sort.clone(), self.table.secondary_sort.clone());
            self.table.renumber(Selection::default(), None);
            (self.marks, self.selected) = (KeyedSelection::new(|row: &LinkRow| row.item.id.to_string()), None);
            (self.table.sort, self.table.secondary_sort) = sort;
        }
        self.table.default_sort = Some(Sort::ascending("name"));
        let columns = columns(ui.available_width(), self.kind);
        self.head_ui(ui, state, &columns, actions);
        let listing = state.links.shown();
        self.marks.sync(listing, &mut self.table);
        self.selection_bar_ui(ui, state, actions);
        let Self { filter, .. } = self;
        let drawn = rows_ui(ui, state, listing, &words(state.links.kind), actions, |actions| {
            filter.clear(actions);
            actions.push(LinksAction::SetQuery(listing.query.filtered(Filter::default())).into());
        });
        if !drawn {
            return None;
        }
        if listing.shown(0).is_some_and(|row| row.known_from.is_some()) {
            let things = state.links.kind.many().to_lowercase();
            ui.caption(&format!(
                "This service does not list {things}. These were found in the assets that you opened."
            ));
        }
        let open = state.links.open.as_ref().map(|page| page.item.id.as_str());
        layout::select_open_row(&mut self.table, &mut self.selected, open, listing, |row| &row.item.id);
        self.table_ui(ui, state, &columns, actions)
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) {
        let mut changed = false;
        ui.horizontal(|ui| {
            ui.heading("Links");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.icon_button(Icon::REFRESH, "Refresh the links").clicked() {
                    actions.push(Action::Refresh(Panel::Links));
                }
                columns_button(ui, columns, &mut self.table);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    changed = self.filter.ui(ui, state, f32::INFINITY, "", actions).changed;
                });
            });
        });
        if self.filter.fault_ui(ui, actions) || changed {
            self.push_query(state, actions);
        }
        ui.add_space(SPACE_S);
        if let Some(kind) = choose(ui, "Kind of link", state.links.kind, &kinds()) {
            actions.push(LinksAction::Show(kind).into());
        }
        ui.horizontal(|ui| self.quick_filters_ui(ui, state, actions));
    }

    /// Draws the quick filters for tidying; a click on the active one clears it.
    fn quick_filters_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        for (flag, name, tip) in [
            (Flag::Unused, "Unused", "Shows links that no asset has"),
            (Flag::Once, "Used once", "Shows links that exactly one asset has"),
            (
                Flag::Similar,
                "Similar",
                "Shows links that differ from another only in case, spacing, plural or the form of the address",
            ),
        ] {
            let text = format!("{}:{}", Field::Is.name(), flag.word());
            let on = self.filter.text().trim() == text;
            let button = egui::Button::selectable(on, name);
            if ui.add(button).on_hover_text(tip).clicked() {
                match parse(if on { "" } else { &text }, List::Links) {
                    Ok(filter) => self.filter.set_filter(&filter, actions),
                    Err(_) => self.filter.clear(actions),
                }
                self.push_query(state, actions);
            }
        }
    }

    fn push_query(&self, state: &State, actions: &mut Vec<Action>) {
        let filter = self.filter.filter().clone();
        actions.push(LinksAction::SetQuery(state.links.shown().query.filtered(filter)).into());
    }

    /// Draws the bar below the list while several items are selected.
    fn selection_bar_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Self { table, marks, .. } = self;
        if marks.count() < 2 {
            copy_as::action_bar_hint_ui(ui, "links", "Select several to merge or copy them");
            return;
        }
        let counts = (marks.count(), marks.hidden());
        let (mut merge, mut delete) = (false, false);
        let copied = copy_as::marked_with_ui(ui, "links", counts, table, |ui| {
            let reason = disabled_reason(state, Capability::Relink(state.links.kind));
            let button = |ui: &mut Ui| ui.icon_text_button(Icon::CONFLICT, "Merge…");
            merge = enabled_unless(ui, reason.as_deref(), button)
                .on_hover_text("Links all their assets to one of them")
                .clicked();
            let used = "Only unused ones can be deleted, and all of these are used".to_owned();
            let none = (!marks.any_if_few(state.links.shown(), LinkRow::unused)).then_some(used);
            let reason = disabled_reason(state, Capability::DeleteItem(state.links.kind)).or(none);
            delete = enabled_unless(ui, reason.as_deref(), |ui| ui.danger_button("Delete unused…")).clicked();
        });
        let items = || marks.rows(state.links.shown()).into_iter().map(|row| row.item.clone()).collect();
        if merge {
            actions.push(LinksAction::Merge(items()).into());
        }
        if delete {
            actions.push(LinksAction::Delete(items()).into());
        }
        if let Some(kind) = copied {
            let rows = marks.rows(state.links.shown()).into_iter().map(copy_cells).collect();
            copy_as::copy(ui, kind, &Copied { columns: &COPY_COLUMNS, rows }, "links", actions);
        }
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], actions: &mut Vec<Action>) -> Option<Item> {
        let Self { table, marks, page, in_view, .. } = self;
        let listing = state.links.shown();
        let is_open = |index: usize| is_open(index, state);
        let row = |index: usize| listing.shown(index);
        let key = |index: usize| row(index).map(|row| row.item.id.to_string()).unwrap_or_default();
        let name = |index: usize| row(index).map(row_name).unwrap_or_default();
        let number = |index: usize| listing.number(index);
        let (mut wanted, mut dropped) = (None, None);
        let mut menu = |ui: &mut Ui, index: usize| {
            if let Some(row) = row(index) {
                match menu_ui(ui, row, state, actions) {
                    Some(MenuChoice::Assets(item)) => wanted = Some(item),
                    Some(MenuChoice::Move) => page.open_move(),
                    None => {}
                }
            }
        };
        let colors = &state.preferences.settings.look.tag_colors;
        let mut drag = |ui: &Ui, response: &Response, index: usize| {
            let Some(row) = row(index) else { return };
            dragging::begin(response, || Some(Dragged::Item(row.item.clone())));
            dropped = dragging::drop_on_item(ui, response, &row.item).or(dropped.take());
        };
        let drawn = Table::new(state.links.kind.many(), columns, listing.order.len(), &key)
            .row_menu(&mut menu)
            .row_name(&name)
            .number(&number)
            .secondary_sort()
            .row_drag(&mut drag)
            .open_row(&is_open)
            .show(ui, table, |ui, index, column| {
                if let Some(row) = row(index) {
                    cell_ui(ui, row, columns[column].key, colors);
                }
            });
        actions.extend(dropped);
        marks.record(listing, table);
        in_view.focused = drawn.ringed.and_then(row).map(|row| Subject::Item(row.item.clone()));
        self.handle_response(ui, &drawn, drawn.opened.or(drawn.focused).and_then(row), actions);
        wanted
    }

    /// Clears the filter, sorts and opens as the keyboard or the mouse asked for.
    fn handle_response(&mut self, ui: &Ui, drawn: &TableResponse, opened: Option<&LinkRow>, actions: &mut Vec<Action>) {
        if drawn.escaped && !self.filter.text().is_empty() {
            self.filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(LinksAction::SetQuery(layout::query(&self.table, self.filter.filter().clone())).into());
        }
        if let Some(row) = opened
            && self.selected.as_deref() != Some(row.item.id.as_str())
        {
            self.selected = Some(row.item.id.to_string());
            actions.push(LinksAction::Open(row.item.clone()).into());
        }
    }
}

/// Returns whether the row at this index is that of the open item.
fn is_open(index: usize, state: &State) -> bool {
    let (row, page) = (state.links.shown().shown(index), state.links.open.as_ref());
    row.zip(page).is_some_and(|(row, page)| row.item.id == page.item.id)
}

/// Returns the accessible name of a row.
fn row_name(row: &LinkRow) -> String {
    shown_short(row.item.name(), 120).into_owned()
}

/// Returns the kinds as choices.
fn kinds() -> [Choice<'static, LinkKind>; 3] {
    LinkKind::ALL.map(|kind| Choice { value: kind, name: kind.many(), icon: Some(link_icon(kind)) })
}

/// Returns the texts of a list.
fn words(kind: LinkKind) -> ListTexts {
    let (things, none, advice) = match kind {
        LinkKind::Tag => ("tags", "There are no tags yet", "Add one to an asset: open it and choose “Add tag”."),
        LinkKind::Website => {
            ("websites", "There are no websites yet", "Link one to an asset: open it and choose “Add website”.")
        }
        LinkKind::Summary => (
            "workstream summaries",
            "There are no workstream summaries yet",
            "Link one to an asset: open it and choose “Add workstream summary”.",
        ),
    };
    ListTexts { panel: Panel::Links, things, none, advice }
}

/// Returns the cells of a copied row.
fn copy_cells(row: &LinkRow) -> Vec<serde_json::Value> {
    let LinkRow { item, assets, last_used, created, updated, .. } = row;
    let last_used = Some(last_used).filter(|at| !at.is_empty());
    vec![
        json!(item.id),
        json!(item.text),
        json!(item.url),
        json!(assets),
        json!(last_used),
        json!(created),
        json!(updated),
    ]
}
