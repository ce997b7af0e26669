//! The list of assets: finding one by name, content or id, and importing more.
//!
//! What must hold: the rows and their order come from the state; input stays here until it is submitted.

use std::sync::Arc;

use egui::Ui;

use crate::ui::command::Command;
use crate::ui::focus;
use crate::ui::list::list_view::{ListFrame, ListView};
use crate::ui::list::states::ListTexts;
use crate::ui::palette::Chosen;
use crate::ui::panels::welcome::WelcomeRequest;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::table::Sort;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::Selected;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::listing::Listing;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::navigation::in_view::InView;
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::{Action, State};

use super::past_dialog::PastDialog;
use super::selection::{Prompts, SelectedAssets, SelectionTool};
use super::toolbar;
use dropped::DroppedMenu;
use results::NoMatch;
use rows::{Painter, Shows};

mod dropped;
mod linked;
mod near_duplicates;
mod results;
mod rows;

/// The list, and what is typed above it.
pub(in crate::ui) struct AssetList {
    pub(super) view: ListView<AssetRow>,
    pub(super) tools: ListTools,
    /// Its rows.
    rows: fn(&State) -> &Listing<AssetRow>,
}

/// What is asked of the list, and of what is selected in it.
#[derive(Default)]
pub(super) struct ListTools {
    prompts: Prompts,
    /// The tool for the selected assets that is still to be started.
    pending_tool: Option<SelectionTool>,
    /// The command chosen in the menu of a row, and its row.
    command: Option<(Command, Arc<AssetRow>)>,
    /// The change that is to be planned for the selected assets.
    pending_plan: Option<BulkOperation>,
    /// Whether the rows get the keyboard as soon as they are drawn.
    enters: bool,
    /// The menu of an asset that was dropped on another one.
    dropped: DroppedMenu,
    /// Whether the tools for the selected assets are on their page.
    pub on_page: bool,
    /// The dialog for the past of the list.
    pub past: PastDialog,
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Assets",
    table: "Assets",
    reload: || Action::Refresh(Panel::Assets),
    refresh: Some("Refresh the assets"),
    select: Some("Select several assets to tag, reclassify, export or delete them together"),
    rows: "assets",
    noun: "assets",
    icon: Icon::EMPTY,
    empty_title: "No assets yet",
    empty_hint: "Assets that are imported or created are listed here.",
};

impl Default for AssetList {
    fn default() -> Self {
        Self { view: ListView::new("Filter assets"), tools: ListTools::default(), rows: |state| &state.assets.list }
    }
}

/// Draws the list in the available space; returns what it asks of its panel.
pub(super) fn list_ui(
    list: &mut ListView<AssetRow>,
    tools: &mut ListTools,
    ui: &mut Ui,
    state: &State,
    actions: &mut Vec<Action>,
) -> Option<WelcomeRequest> {
    // Our choice: a changed asset stays where it is in this order until the list is reloaded.
    let natural = state.connection.vendor.is_lunette() && state.assets.found.is_none();
    list.table.default_sort = natural.then(|| Sort::descending("updated"));
    let columns = &rows::columns(ui, state);
    let frame = ListFrame { state, list: &state.assets.list, texts: &TEXTS, columns };
    let asked = toolbar::ui(list, ui, &frame, actions);
    if asked.past {
        tools.past.open(actions);
    }
    results::search_ui(list, ui, state, actions);
    near_duplicates::ui(list, ui, state, actions);
    unlisted_ui(ui, state);
    if tools.enters && !frame.list.order.is_empty() {
        tools.enters = false;
        focus::enter_list(ui.ctx());
    }
    let mut painter = Painter::new(state, list.filter.text(), Shows::All);
    painter.has_folder_column = columns.iter().any(|column| column.key == "folder" && list.table.shows(column));
    if tools.on_page {
        painter.tools = &[];
    }
    if let Some(row) = list.rows_ui(ui, &frame, &painter, actions) {
        actions.push(AssetsAction::Open(row.id()).into());
        toolbar::keep_search(&list.filter, state.assets.found.is_some(), actions);
    }
    let Painter { tool, command, thumbnails, no_match, request, dropped, .. } = painter;
    tools.dropped.ui(ui, dropped.take(), actions);
    actions.extend(thumbnails.take().map(|in_sight| AssetsAction::ShowThumbnails(in_sight).into()));
    match no_match.get() {
        Some(NoMatch::Search) => toolbar::search(list, state, actions),
        Some(NoMatch::AnyWord) => results::search_any_word(list, state, actions),
        _ => {}
    }
    if let Some(tool) = tool.get() {
        tools.prompts.begin(tool, state, SelectedAssets { marks: &list.marks, list: frame.list }, actions);
    }
    tools.command = command.take().or(tools.command.take());
    asked.new_text.then_some(WelcomeRequest::NewText).or(request.take())
}

/// Says that the rows are the assets opened recently, if the service lists none.
fn unlisted_ui(ui: &mut Ui, state: &State) {
    if !state.connection.offers(AssetsSnapshot::INFO) {
        ui.caption(
            "This service cannot list assets. These are the ones you opened recently; open any other by its UUID.",
        );
        ui.add_space(SPACE_S);
    }
}

impl AssetList {
    /// Jumps to a row by what was typed before the list was there, as soon as it is drawn.
    pub(super) fn type_ahead(&mut self, text: &str) {
        self.view.table.type_ahead(text);
        self.tools.enters = true;
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
        self.view.filter.set_filter(filter, actions);
        if state.assets.found.is_some() {
            actions.push(AssetsAction::Search(String::new()).into());
        }
    }

    /// Plans a change of the selected assets, in the next frame of the panel.
    pub fn plan_for_selected(&mut self, operation: BulkOperation) {
        self.tools.pending_plan = Some(operation);
    }

    /// Returns the selected assets, in the order of the list.
    pub fn selected_rows(&self, state: &State) -> Vec<Arc<AssetRow>> {
        self.view.marks.shared_rows((self.rows)(state))
    }

    /// Starts a tool for the selected assets in the next frame of the panel.
    pub fn start_selection_tool(&mut self, tool: SelectionTool) {
        self.tools.pending_tool = Some(tool);
    }

    /// Starts the pending tool and draws its prompt, even if the list is hidden; reports which assets are selected.
    pub fn selected_ui(&mut self, ui: &Ui, state: &State, list_hidden: bool, actions: &mut Vec<Action>) {
        let Self { view: ListView { table, marks, .. }, tools, rows } = self;
        let list = rows(state);
        let ListTools { prompts, pending_tool, pending_plan, .. } = tools;
        marks.sync(list, table);
        let selected = SelectedAssets { marks, list };
        if let Some(request) = pending_plan.take()
            && marks.count() > 0
        {
            actions.push(selected.plan(request));
        }
        if let Some(tool) = pending_tool.take()
            && marks.count() > 0
        {
            prompts.begin(tool, state, selected, actions);
        }
        prompts.ui(ui, state, selected, actions);
        let count = marks.count();
        let selected = Selected {
            count,
            hidden: if list_hidden { count } else { marks.hidden() },
            favourites: count > 1 && marks.all_if_few(list, |row| row.favorited),
        };
        if state.assets.selected != selected {
            actions.push(AssetsAction::Select(selected).into());
        }
    }

    /// Has a command run that was chosen in the menu of an asset beside the list.
    pub fn choose_row_command(&mut self, chosen: (Command, Arc<AssetRow>)) {
        self.tools.command = Some(chosen);
    }

    /// Runs the command chosen in the menu of a row since the last call; returns what it asks of the window.
    pub fn run_row_command(&mut self, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
        let (command, row) = self.tools.command.take()?;
        if state.assets.selected.several() {
            return Some(Chosen::Command(command));
        }
        command.run_for_row(&row, state, actions).map(Chosen::Requested)
    }

    /// Returns what its list showed in the last frame.
    pub fn in_view(&self) -> &InView {
        &self.view.in_view
    }

    /// Forgets what is selected: other assets are shown in their place.
    pub fn forget(&mut self) {
        self.view.forget();
    }
}
