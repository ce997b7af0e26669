//! The list of assets: finding one by name, content or id, and importing more.
//!
//! What must hold: the rows and their order come from the state; input stays here until it is submitted.

use std::sync::Arc;

use egui::Ui;

use crate::ui::command::Command;
use crate::ui::focus;
use crate::ui::list::copy_as::action_bar_hint_ui;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::panels::welcome::WelcomeRequest;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::table::{Column, TableState};
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_inspector::action::{AssetsAction, SessionAction};
use lunette_inspector::assets::Selected;
use lunette_inspector::bulk::BulkOperation;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, Remote, State};

use super::selection::{SelectionBar, SelectionTool, plan};
use super::toolbar::Toolbar;

mod results;
mod rows;

/// The list, and what is typed above it.
pub struct AssetList {
    pub(super) toolbar: Toolbar,
    pub(super) table: TableState,
    /// The open asset when the table was drawn last.
    last_open: Option<AssetId>,
    /// The filter and the search by which the rows were chosen that were drawn last.
    last_filter: (Filter, Option<String>),
    /// Whether the open asset had no row when it was opened.
    awaits_open_row: bool,
    marks: KeyedSelection<AssetRow>,
    selection: SelectionBar,
    /// The tool for the selected assets that is still to be started.
    pending_tool: Option<SelectionTool>,
    /// The command chosen in the menu of a row, and its row.
    take_command: Option<(Command, Arc<AssetRow>)>,
    /// The change that is to be planned for the selected assets.
    pending_plan: Option<BulkOperation>,
    /// The row with the focus ring in the last frame.
    ringed: Option<Arc<AssetRow>>,
    /// Whether the rows get the keyboard as soon as they are drawn.
    enters: bool,
}

impl Default for AssetList {
    fn default() -> Self {
        let (toolbar, table, marks, selection) = Default::default();
        Self {
            toolbar,
            table,
            last_open: None,
            last_filter: Default::default(),
            awaits_open_row: false,
            marks,
            selection,
            pending_tool: None,
            take_command: None,
            pending_plan: None,
            ringed: None,
            enters: false,
        }
    }
}

impl AssetList {
    /// Begins a frame, in which the list may not be drawn.
    pub(super) fn begin(&mut self) {
        self.ringed = None;
    }

    /// Jumps to a row by what was typed before the list was there, as soon as it is drawn.
    pub(super) fn type_ahead(&mut self, text: &str) {
        self.table.type_ahead(text);
        self.enters = true;
    }

    /// Returns what the list shows in this frame.
    pub(super) fn in_view(&self, state: &State) -> InView {
        let subject = |row: &Arc<AssetRow>| Some(Subject::Asset(Arc::clone(row)));
        InView {
            panel: Panel::Assets,
            focused: self.ringed.clone().map(Subject::Asset),
            selected: self.marks.in_view(&state.assets.list, subject),
        }
    }

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
        let columns = rows::columns(ui.available_width());
        let new_text = self.toolbar.ui(ui, state, &columns, &mut self.table, actions);
        self.search_ui(ui, state, actions);
        if !state.connection.offers(AssetsSnapshot::INFO) {
            ui.caption(
                "This service cannot list assets. These are the ones you opened recently; open any other by its UUID.",
            );
            ui.add_space(SPACE_S);
        }
        self.marks.sync(&state.assets.list, &mut self.table);
        self.selection_ui(ui, state, actions);
        let request = self.rows_ui(ui, state, &columns, beside, actions);
        new_text.then_some(WelcomeRequest::NewText).or(request)
    }

    /// Draws the rows, or why there are none.
    fn rows_ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        columns: &[Column],
        beside: bool,
        actions: &mut Vec<Action>,
    ) -> Option<WelcomeRequest> {
        let listing = &state.assets.list;
        match (&listing.rows, &state.connection.status) {
            (Remote::Failed { error, previous: None }, _) => {
                if failure_ui(ui, "Assets could not be loaded", error) {
                    actions.push(Action::Refresh(Panel::Assets));
                }
            }
            (Remote::NotRequested, Status::Down(problem)) => {
                let title = "No service answers";
                if empty(ui, Icon::UNCONNECTED, title, problem, &["Try again"]).is_some() {
                    actions.push(SessionAction::Reconnect.into());
                }
            }
            (Remote::NotRequested | Remote::Loading { previous: None }, _) => skeleton(ui, "assets", 12),
            (rows, _) => {
                if let Some(error) = rows.error()
                    && stale_ui(ui, "The list", error)
                {
                    actions.push(Action::Refresh(Panel::Assets));
                }
                // While an empty list is read again, too: an empty table for a moment would take the focus with it.
                if listing.count() == 0 {
                    return results::empty_ui(ui, state, actions);
                }
                if listing.order.is_empty() && !rows.loading() && !listing.applying_query {
                    self.no_match_ui(ui, state, actions);
                } else {
                    if std::mem::take(&mut self.enters) {
                        focus::enter_list(ui.ctx());
                    }
                    self.table_ui(ui, state, columns, beside, actions);
                }
            }
        }
        None
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
    }

    /// Plans a change of the selected assets, in the next frame of the panel.
    pub fn plan_for_selected(&mut self, operation: BulkOperation) {
        self.pending_plan = Some(operation);
    }

    /// Returns the selected assets, in the order of the list.
    pub fn selected_rows(&self, state: &State) -> Vec<Arc<AssetRow>> {
        self.marks.shared_rows(&state.assets.list)
    }

    /// Starts a tool for the selected assets in the next frame of the panel.
    pub fn start_selection_tool(&mut self, tool: SelectionTool) {
        self.pending_tool = Some(tool);
    }

    /// Starts the pending tool and draws its prompt, even if the list is hidden; reports which assets are selected.
    pub fn selected_ui(&mut self, ui: &Ui, state: &State, list_hidden: bool, actions: &mut Vec<Action>) {
        let Self { table, marks, selection, pending_tool, pending_plan, .. } = self;
        marks.sync(&state.assets.list, table);
        if let Some(request) = pending_plan.take()
            && marks.count() > 0
        {
            actions.push(plan(request, state, marks));
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

    /// Returns the command chosen in the menu of a row since the last call, and its row.
    pub(super) fn take_command(&mut self) -> Option<(Command, Arc<AssetRow>)> {
        self.take_command.take()
    }
}
