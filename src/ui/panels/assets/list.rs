//! The list of assets: finding one by name, content or id, and importing more.
//!
//! What must hold: the rows and their order come from the state; input stays here until it is submitted.

use std::borrow::Cow;
use std::sync::Arc;

use egui::Ui;

use crate::app::action::{AssetsAction, SessionAction};
use crate::app::assets::Selected;
use crate::app::bulk::BulkOperation;
use crate::app::change::{Item, LinkKind};
use crate::app::filter::{Field, Filter};
use crate::app::listing::rows::AssetRow;
use crate::app::navigation::Panel;
use crate::app::session::{Status, feature::Feature};
use crate::app::{Action, Remote, State};
use crate::ui::command::Command;
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::focus;
use crate::ui::list::copy_as::action_bar_hint_ui;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::layout;
use crate::ui::panels::welcome::{self, WelcomeRequest};
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::shown_short;
use crate::ui::widgets::table::{Column, Selection, Sort, Table, TableState};
use lunette_client::model::id::AssetId;

use super::cells::{self, SearchMarks};
use super::draft_banner::has_draft;
use super::row_menu::{self, Chosen};
use super::selection::{SelectionBar, SelectionTool, copy_rows, plan};
use super::toolbar::Toolbar;

/// Maximum number of characters shown of a search text.
const MAX_QUERY_SHOWN: usize = 60;

/// The list, and what is typed above it.
pub struct AssetList {
    pub(super) toolbar: Toolbar,
    pub(super) table: TableState,
    /// The open asset when the table was drawn last.
    last_open: Option<AssetId>,
    marks: KeyedSelection<AssetRow, AssetId>,
    selection: SelectionBar,
    /// The tool for the selected assets that is still to be started.
    pending_tool: Option<SelectionTool>,
    /// The command chosen in the menu of a row, and its row.
    take_command: Option<(Command, Arc<AssetRow>)>,
    /// The change that is to be planned for the selected assets.
    pending_plan: Option<BulkOperation>,
}

impl Default for AssetList {
    fn default() -> Self {
        let marks = KeyedSelection::new(|row: &AssetRow| row.id.clone());
        let (toolbar, table, selection) = Default::default();
        Self {
            toolbar,
            table,
            last_open: None,
            marks,
            selection,
            pending_tool: None,
            take_command: None,
            pending_plan: None,
        }
    }
}

impl AssetList {
    /// Draws the list in the available space; returns what it asks of its panel.
    ///
    /// `beside` says whether the page is beside the list, where it can follow the keyboard, or in its place.
    pub(in crate::ui) fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        beside: bool,
        actions: &mut Vec<Action>,
    ) -> Option<WelcomeRequest> {
        let columns = columns(ui.available_width());
        let new_text = self.toolbar.ui(ui, state, &columns, &mut self.table, actions);
        let mut wish = new_text.then_some(WelcomeRequest::NewText);
        self.search_ui(ui, state, actions);
        if !state.connection.offers("assetsSnapshot") {
            ui.caption(
                "This service cannot list assets. These are the ones you opened lately; open any other by its UUID.",
            );
            ui.add_space(SPACE_S);
        }
        let listing = &state.assets.list;
        self.marks.sync(listing, &mut self.table);
        self.selection_ui(ui, state, actions);
        match (&listing.rows, &state.connection.status) {
            (Remote::Failed { error, previous: None }, _) => {
                if failure_ui(ui, "Assets could not be loaded", error) {
                    actions.push(Action::Refresh(Panel::Assets));
                }
            }
            (Remote::Unasked, Status::Down(problem)) => {
                let title = "No service answers";
                if empty(ui, Icon::UNCONNECTED, title, problem, &["Try again"]).is_some() {
                    actions.push(SessionAction::Reconnect.into());
                }
            }
            (Remote::Unasked | Remote::Loading { previous: None }, _) => skeleton(ui, "assets", 12),
            (rows, _) if listing.count() == 0 && !rows.loading() => {
                wish = wish.or(empty_ui(ui, state, actions));
            }
            (rows, _) => {
                if let Some(error) = rows.error()
                    && stale_ui(ui, "The list", error)
                {
                    actions.push(Action::Refresh(Panel::Assets));
                }
                if listing.order.is_empty() && !rows.loading() && !listing.arranging {
                    self.no_match_ui(ui, state, actions);
                } else {
                    self.table_ui(ui, state, &columns, beside, actions);
                }
            }
        }
        wish
    }

    /// Shows the assets linked to an item, using the filter: every row knows its links.
    pub fn show_linked(&mut self, item: &Item, state: &State, actions: &mut Vec<Action>) {
        let field = match item.kind {
            LinkKind::Tag => Field::Tag,
            LinkKind::Website => Field::Website,
            LinkKind::Summary => Field::Summary,
        };
        let text = item.url.as_ref().filter(|url| !url.is_empty()).unwrap_or(&item.text);
        self.show_filtered(&Filter::of(field, text), state, actions);
    }

    /// Shows the assets that match a filter.
    pub fn show_filtered(&mut self, filter: &Filter, state: &State, actions: &mut Vec<Action>) {
        self.toolbar.filter.set_filter(filter, actions);
        if state.assets.found.is_some() {
            actions.push(AssetsAction::Search(String::new()).into());
        }
        let filter = self.toolbar.filter.filter().clone();
        actions.push(AssetsAction::Arrange(state.assets.list.query.filtered(filter)).into());
    }

    /// Plans a change of the selected assets, in the next frame of the panel.
    pub fn plan_for_selected(&mut self, wish: BulkOperation) {
        self.pending_plan = Some(wish);
    }

    /// Starts a tool for the selected assets in the next frame of the panel.
    pub fn start_selection_tool(&mut self, tool: SelectionTool) {
        self.pending_tool = Some(tool);
    }

    /// Starts the pending tool and draws its prompt, even if the list is hidden; reports which assets are selected.
    pub fn selected_ui(&mut self, ui: &Ui, state: &State, list_hidden: bool, actions: &mut Vec<Action>) {
        let Self { table, marks, selection, pending_tool, pending_plan, .. } = self;
        marks.sync(&state.assets.list, table);
        if let Some(wish) = pending_plan.take()
            && marks.count() > 0
        {
            actions.push(plan(wish, state, marks));
        }
        if let Some(tool) = pending_tool.take()
            && marks.count() > 0
        {
            selection.begin(tool, state, marks, actions);
        }
        selection.prompt_ui(ui, state, marks, actions);
        let count = marks.count();
        let selected = Selected {
            count,
            hidden: if list_hidden { count } else { marks.hidden() },
            favourites: count > 1 && marks.all_if_few(&state.assets.list, |row| row.favorited),
        };
        if state.assets.selected != selected {
            actions.push(AssetsAction::Select(selected).into());
        }
    }

    /// Draws the bar below the list while several assets are selected.
    fn selection_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Self { table, marks, selection, .. } = self;
        if marks.count() > 1 || selection.has_prompt() {
            selection.ui(ui, state, marks, table, actions);
        } else if state.assets.list.count() > 1 {
            action_bar_hint_ui(
                ui,
                "assets",
                "Select several assets to tag, reclassify, export or delete them together",
            );
        }
    }

    fn table_ui(&mut self, ui: &mut Ui, state: &State, columns: &[Column], beside: bool, actions: &mut Vec<Action>) {
        let Self { table, last_open, toolbar, marks, .. } = self;
        let listing = &state.assets.list;
        let mut chosen = None;
        // Our choice: a changed asset stays where it is in this order until the list is reloaded.
        let natural = state.connection.own && state.assets.found.is_none();
        table.default_sort = natural.then(|| Sort::descending("updated"));
        if *last_open != state.pages.open {
            last_open.clone_from(&state.pages.open);
            select_open_row(table, state);
        }
        let row = |place: usize| listing.shown(place);
        let key = |place: usize| row(place).map(|row| row.id.to_string()).unwrap_or_default();
        let name = |place: usize| row(place).map(cells::row_name).unwrap_or_default();
        let search = state.assets.found.as_ref();
        let hits = search.and_then(|search| search.hits.value());
        // All rows have the same height, so that a million of them scroll smoothly.
        let passages = hits.is_some_and(|hits| hits.passages);
        let height = if passages { cells::passage_row(ui) } else { theme::row(ui) };
        let number = |place: usize| listing.number(place);
        let typed = |place: usize| row(place).map_or(Cow::Borrowed(""), cells::typed_name);
        let drawn = Table::new("Assets", columns, listing.order.len(), &key)
            .row_name(&name)
            .number(&number)
            .typed_name(&typed)
            .follow_focus(beside)
            .secondary_sort()
            .row_height(height)
            .row_menu(&mut |ui, place| {
                if let Some(row) = row(place)
                    && let Some(choice) = row_menu::ui(ui, row, state)
                {
                    chosen = Some((place, choice));
                }
            })
            .show(ui, table, |ui, place, column| {
                if let Some(row) = row(place) {
                    let begun = columns[column].key == "name" && has_draft(state, &row.id);
                    let last_open = search.map(|search| SearchMarks {
                        words: &search.words,
                        passage: hits.and_then(|hits| hits.passage(&row.id)),
                    });
                    cells::cell_ui(ui, row, columns[column].key, begun, last_open);
                }
            });
        marks.record(listing, table);
        if drawn.escaped && !toolbar.filter.text().is_empty() {
            toolbar.filter.select_all(ui);
        }
        if drawn.sorted.is_some() {
            actions.push(AssetsAction::Arrange(layout::query(table, toolbar.filter.filter().clone())).into());
        }
        // If the page would replace the list, the right mouse button only selects.
        let focused = drawn.focused.filter(|_| beside || !ui.input(|input| input.pointer.secondary_clicked()));
        if let Some(row) = drawn.opened.or(focused).and_then(row)
            && state.pages.open.as_ref() != Some(&row.id)
        {
            *last_open = Some(row.id.clone());
            actions.push(AssetsAction::Open(row.id.clone()).into());
            if !beside {
                focus::enter_page(ui.ctx());
            }
        }
        if let Some((place, choice)) = chosen {
            self.run_menu_choice(ui, place, choice, state, actions);
        }
    }

    /// Runs what was chosen in the menu of a row.
    fn run_menu_choice(&mut self, ui: &Ui, place: usize, choice: Chosen, state: &State, actions: &mut Vec<Action>) {
        let Some(row) = state.assets.list.shared(place) else { return };
        match choice {
            Chosen::Open => {
                actions.push(AssetsAction::Open(row.id.clone()).into());
                focus::enter_page(ui.ctx());
            }
            Chosen::CopyName => {
                ui.ctx().copy_text(row.name.clone());
                actions.push(Action::Notify("Copied the name".to_owned()));
            }
            Chosen::Copy(kind) => copy_rows(ui, kind, &self.marks.rows(&state.assets.list), actions),
            Chosen::Command(take_command) => self.take_command = Some((take_command, Arc::clone(row))),
        }
    }

    /// Returns the command chosen in the menu of a row since the last call, and its row.
    pub(super) fn take_command(&mut self) -> Option<(Command, Arc<AssetRow>)> {
        self.take_command.take()
    }

    /// Draws the status of the search, if there is one. Previous results stay until the new ones arrive.
    fn search_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let Some(search) = &state.assets.found else { return };
        let found = &search.hits;
        let order = if state.assets.list.query.sort.is_some() { "sorted by a column" } else { "best first" };
        let shown = |text: &str| shown_short(text, MAX_QUERY_SHOWN).into_owned();
        ui.horizontal_wrapped(|ui| {
            match (found, found.error()) {
                (_, Some(error)) => {
                    let said = ui.error_text(&format!("the search failed: {}", error.reason()));
                    said.on_hover_text(error.advice());
                }
                (Remote::Known(found), None) => {
                    ui.caption(&format!(
                        "{} found by the service for “{}”, {order}",
                        found.count(),
                        shown(&search.text)
                    ));
                }
                _ => {
                    ui.caption(&format!("Searching for “{}”…", shown(&search.text)));
                }
            }
            if ui.line_button("End search").clicked() {
                self.toolbar.filter.clear(actions);
                actions.push(AssetsAction::Arrange(state.assets.list.query.filtered(Filter::default())).into());
                actions.push(AssetsAction::Search(String::new()).into());
            }
        });
        ui.add_space(SPACE_S);
    }

    fn no_match_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let searched = state.assets.found.as_ref().filter(|search| search.hits.value().is_some());
        let title = match searched {
            Some(search) => format!("The service found nothing for “{}”", shown_short(&search.text, MAX_QUERY_SHOWN)),
            None => format!("Nothing matches “{}”", shown_short(self.toolbar.filter.text().trim(), MAX_QUERY_SHOWN)),
        };
        let searchable = state.assets.found.is_none() && state.connection.offers("searchAssets");
        let advice = if searched.is_some() {
            "It searched names, tags, websites, descriptions and contents."
        } else if searchable {
            "The filter matches names, languages, tags and UUIDs. Press Enter to search the contents."
        } else {
            "The filter matches names, languages, tags and UUIDs."
        };
        let buttons: &[&str] =
            if searchable { &["Search contents", "Clear the filter"] } else { &["Clear the filter"] };
        match empty(ui, Icon::NO_MATCH, &title, advice, buttons) {
            Some(0) if searchable => self.toolbar.search(state, &mut self.table, actions),
            Some(_) => {
                self.toolbar.filter.clear(actions);
                actions.push(AssetsAction::Arrange(state.assets.list.query.filtered(Filter::default())).into());
                if state.assets.found.is_some() {
                    actions.push(AssetsAction::Search(String::new()).into());
                }
            }
            None => {}
        }
    }
}

/// Returns the columns for a list this wide; the most important ones are hidden last.
fn columns(width: f32) -> Vec<Column> {
    let tags = Column::text("tags", "Tags", 112.0).growing_by(4.0);
    let created = Column::figures("created", "Created", 92.0);
    vec![
        Column::text("name", "Name", 160.0).growing_by(4.0),
        Column::text("language", "Language", 108.0),
        if width < 560.0 { tags.hidden() } else { tags },
        Column::figures("score", "Score", 66.0),
        Column::figures("size", "Size", 72.0),
        if width < 760.0 { created.hidden() } else { created },
        Column::figures("updated", "Updated", 92.0),
    ]
}

/// Selects the row of the open asset if it is in the list; a selection of several rows is kept.
fn select_open_row(table: &mut TableState, state: &State) {
    let several = table.selection.count() > 1;
    let Some(id) = &state.pages.open else {
        if !several {
            table.selection = Selection::default();
        }
        return;
    };
    let listing = &state.assets.list;
    let is_row = |place: &usize| listing.shown(*place).is_some_and(|row: &AssetRow| row.id == *id);
    let Some(place) = (0..listing.order.len()).find(is_row) else { return };
    if several {
        table.move_to(place, listing.number(place));
    } else {
        table.select(place, listing.number(place));
    }
}

/// Draws the empty list: the welcome page if assets can be created here, otherwise why there are none.
fn empty_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
    if !state.connection.offers("assetsSnapshot") {
        let advice = "Paste the UUID of an asset into the filter. Assets that you open are listed here.";
        empty(ui, Icon::EMPTY, "No assets opened yet", advice, &[]);
        return None;
    }
    if let Some(disabled_reason) = disabled_reason(state, Feature::Make) {
        empty(ui, Icon::EMPTY, "No assets yet", &format!("None can be created here: {disabled_reason}."), &[]);
        return None;
    }
    welcome::ui(ui, state, false, actions)
}
