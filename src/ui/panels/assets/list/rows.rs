//! The table of the list: its columns, its odd cells, and what is done with its rows.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use egui::{Response, Ui, Vec2};

use super::linked;
use super::results::{self, NoMatch};
use crate::ui::command::Command;
use crate::ui::dragging::{self, Dragged, named_assets};
use crate::ui::list::cells::columns as columns_of;
use crate::ui::list::list_view::{GroupRows, ListRow, RowPainter};
use crate::ui::list::selection_bar::SelectionBar;
use crate::ui::list::states::{self, ListTexts};
use crate::ui::panels::assets::cells::{self, CellContext};
use crate::ui::panels::assets::draft_banner::has_draft;
use crate::ui::panels::assets::row_menu;
use crate::ui::panels::assets::selection::{SelectionTool, tools_ui};
use crate::ui::panels::assets::thumbnail;
use crate::ui::panels::welcome::WelcomeRequest;
use crate::ui::widgets::table::{CELL_PADDING, Column};
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::id::AssetId;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::pictures::{PictureOf, picture_of};
use lunette_inspector::assets::search::{Passage, Search};
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::listing::Listing;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::navigation::in_view::Subject;
use lunette_inspector::{Action, State};

/// What is special of the rows of assets, and what was asked for in them.
pub(super) struct Painter<'a> {
    state: &'a State,
    shows: Shows,
    /// The tools on the bar of the selection: none while they are on its page.
    pub tools: &'static [SelectionTool],
    /// Whether a column shows the folders of assets.
    pub has_folder_column: bool,
    /// The typed filter.
    filter: String,
    /// The tool chosen for the selected assets.
    pub tool: Cell<Option<SelectionTool>>,
    /// The command chosen in the menu of a row, and its row.
    pub command: RefCell<Option<(Command, Arc<AssetRow>)>>,
    /// The pictures that are in sight now, if these are others than before.
    pub thumbnails: RefCell<Option<Vec<PictureOf>>>,
    /// What was chosen because nothing matches.
    pub no_match: Cell<Option<NoMatch>>,
    /// What the welcome page asks for, which is drawn if there are no assets.
    pub request: RefCell<Option<WelcomeRequest>>,
    /// The asset that was dropped on another one, and that one, each with its name.
    pub dropped: RefCell<Option<[(AssetId, String); 2]>>,
}

impl<'a> Painter<'a> {
    /// What is special while this filter is typed.
    pub fn new(state: &'a State, filter: &str, shows: Shows) -> Self {
        let (tool, command, thumbnails, no_match, request, dropped) = Default::default();
        let (tools, filter) = (&SelectionTool::ALL, filter.to_owned());
        let has_folder_column = false;
        Self { state, shows, tools, has_folder_column, filter, tool, command, thumbnails, no_match, request, dropped }
    }

    /// Whether the search found passages, or assets that lack words.
    fn has_second_lines(&self) -> bool {
        let hits = self.found().and_then(|search| search.hits.value());
        hits.is_some_and(|hits| hits.passages || !hits.sections.is_empty())
    }

    /// The words that an asset does not have, by the search that found it.
    fn missing(&self, row: &AssetRow) -> &'a [String] {
        let hits = self.found().and_then(|search| search.hits.value());
        hits.and_then(|hits| hits.found_by(&row.id())).map_or(&[], |found_by| &found_by.missing)
    }

    /// The passage of an asset that the search found.
    fn passage(&self, row: &AssetRow) -> Option<&'a Passage> {
        self.found()?.hits.value()?.passage(&row.id())
    }

    /// Returns the search whose hits are shown.
    fn found(&self) -> Option<&'a Search> {
        self.state.assets.found.as_ref().filter(|_| self.shows == Shows::All)
    }
}

/// Which assets are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// All, or the hits of a search.
    All,
    /// Those of the open tag, website or workstream summary.
    Linked,
}

impl RowPainter<AssetRow> for Painter<'_> {
    const DRAGS: bool = true;

    fn name(&self, row: &AssetRow) -> String {
        if self.found().is_some() { cells::hit_name(row) } else { cells::row_name(row) }
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, AssetRow>, key: &str, _: &mut Vec<Action>) -> bool {
        let state = self.state;
        let context = CellContext {
            has_draft: key == "name" && has_draft(state, &row.id()),
            colors: &state.preferences.settings.look.tag_colors,
            searched: self.found().map(|search| &search.words),
            with_folder: !self.has_folder_column,
        };
        cells::cell_ui(ui, &row, key, context)
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, AssetRow>, actions: &mut Vec<Action>) {
        if let Some(command) = row_menu::ui(ui, row, self.state, actions) {
            self.command.replace(Some((command, Arc::clone(row.row))));
        }
    }

    fn open(&self) -> Option<AssetId> {
        self.state.assets.pages.open.clone().filter(|_| self.shows == Shows::All)
    }

    fn id(&self, row: &AssetRow, _: u32) -> String {
        row.id().to_string()
    }

    fn subject(&self, row: &Arc<AssetRow>) -> Option<Subject> {
        Some(Subject::Asset(Arc::clone(row)))
    }

    fn typed_name<'r>(&self, row: &'r AssetRow) -> Cow<'r, str> {
        row.title()
    }

    fn search(&self) -> Option<&str> {
        self.found().filter(|search| search.hits.value().is_some()).map(|search| search.text.as_str())
    }

    // All rows have the same height, so that a million of them scroll smoothly.
    fn row_height(&self, ui: &Ui) -> Option<f32> {
        self.has_second_lines().then(|| cells::passage_row(ui))
    }

    fn second_line(&self, ui: &Ui) -> f32 {
        cells::passage_line(ui)
    }

    fn has_second_line(&self, row: &AssetRow) -> bool {
        self.passage(row).is_some() || !self.missing(row).is_empty()
    }

    fn second_line_ui(&self, ui: &mut Ui, row: &AssetRow) {
        // The words that an asset does not have come first: a long passage leaves no room behind it.
        cells::missing_ui(ui, self.missing(row));
        if let Some(passage) = self.passage(row) {
            cells::passage_ui(ui, passage);
        }
    }

    fn drag_ui(&self, ui: &Ui, response: &Response, row: ListRow<'_, AssetRow>, actions: &mut Vec<Action>) {
        dragging::begin(response, || Some(Dragged::Assets(dragged_assets(row))));
        actions.extend(dragging::drop_on_assets(ui, response, || dragged_name(row), || dragged_assets(row)));
        if let Some(dragged) = dragging::drop_on_row(ui, response, row.row) {
            self.dropped.replace(Some([dragged, (row.id(), row.title().into_owned())]));
        }
    }

    fn drag_group_ui(&self, ui: &Ui, response: &Response, group: GroupRows<'_, AssetRow>, actions: &mut Vec<Action>) {
        let all = || named_assets(group.iter());
        dragging::begin(response, || Some(Dragged::Assets(all())));
        let named = || format!("{} assets of “{}”", grouped(group.count() as u64), shown_short(group.title(), 40));
        actions.extend(dragging::drop_on_assets(ui, response, named, all));
    }

    fn selected_ui(&self, ui: &mut Ui, bar: &mut SelectionBar<'_, AssetRow>, _: &mut Vec<Action>) {
        self.tool.set(tools_ui(ui, bar, self.tools, self.state).or(self.tool.get()));
    }

    // The page of an asset is not beside the assets of a tag, so that moving through them leaves them where they are; and
    // what is only looked at is not opened.
    fn follows(&self) -> bool {
        self.shows == Shows::All && self.state.assets.pages.peeked.is_none()
    }

    fn tile_size(&self) -> Option<Vec2> {
        Some(thumbnail::TILE)
    }

    fn tile_ui(&self, ui: &mut Ui, row: ListRow<'_, AssetRow>) {
        thumbnail::tile_ui(ui, &row, self.state);
    }

    fn drawn(&self, list: &Listing<AssetRow>, rows: Range<usize>, tiles: bool) {
        let rows = if tiles { rows } else { 0..0 };
        let in_sight: Vec<PictureOf> = rows.filter_map(|index| picture_of(list.shown(index)?)).collect();
        if !self.state.assets.thumbnails.shows(&in_sight) {
            self.thumbnails.replace(Some(in_sight));
        }
    }

    fn empty_ui(&self, ui: &mut Ui, _: &ListTexts, actions: &mut Vec<Action>) {
        match self.shows {
            Shows::All => _ = self.request.replace(results::empty_ui(ui, self.state, actions)),
            Shows::Linked => linked::empty_ui(ui, self.state, actions),
        }
    }

    fn no_match_ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        if self.shows == Shows::Linked {
            return states::no_match_ui(ui, "The filter matches names, languages, tags and UUIDs.");
        }
        let chosen = results::no_match_ui(ui, &self.filter, self.state, actions);
        self.no_match.set(chosen);
        let all = chosen == Some(NoMatch::ShowAll);
        if all && self.state.assets.found.is_some() {
            actions.push(AssetsAction::Search(String::new()).into());
        }
        all
    }
}

/// Returns what is dragged with a row: all selected assets if it is one of them, otherwise its own.
fn dragged_assets(row: ListRow<'_, AssetRow>) -> NamedAssets {
    match row.marks.contains(row.index) {
        true => named_assets(row.marks.rows(row.list)),
        false => named_assets([row.row.as_ref()]),
    }
}

/// What these are called on the label of a drag.
fn dragged_name(row: ListRow<'_, AssetRow>) -> String {
    match row.marks.count() < 2 || !row.marks.contains(row.index) {
        true => format!("“{}”", shown_short(&row.title(), 40)),
        false => format!("{} assets", grouped(row.marks.count() as u64)),
    }
}

/// Below this width, in points, a list is most likely beside a page.
const BESIDE_PAGE: f32 = 660.0;

/// The width of the column of tags while no asset has one, in points.
const NO_TAGS: f32 = 64.0;

/// How many languages are measured: those that most assets have.
const MEASURED: usize = 20;
/// The least and the greatest width of the column of languages until the user changes it, in points.
const LANGUAGE: (f32, f32) = (84.0, 150.0);
/// The greatest width of that column beside a page, in points.
const LANGUAGE_BESIDE_PAGE: f32 = 114.0;

/// Returns the columns for a list that is drawn here. The languages of most assets are whole. Beside a page, names get what
/// the columns beside them can spare; while no asset has a tag, the others get what tags do not need.
pub(super) fn columns(ui: &Ui, state: &State) -> Vec<Column> {
    let width = ui.available_width();
    let mut columns = columns_of::<AssetRow>(width);
    let summary = state.overview.summary.as_ref();
    let untagged = summary.is_some_and(|summary| summary.tags.most.is_empty());
    let languages = summary.into_iter().flat_map(|summary| summary.languages.most.iter().take(MEASURED));
    let widest = languages.map(|(name, _)| cells::language_width(ui, name)).reduce(f32::max);
    for (column, widest) in columns.iter_mut().filter(|column| column.key == "language").zip(widest) {
        let most = if width < BESIDE_PAGE { LANGUAGE_BESIDE_PAGE } else { LANGUAGE.1 };
        column.width = (widest + 2.0 * CELL_PADDING).ceil().clamp(LANGUAGE.0, most);
        column.full = column.width;
    }
    for column in columns.iter_mut().filter(|_| width < BESIDE_PAGE) {
        match column.key {
            "name" => (column.width, column.full) = (210.0, 210.0),
            "tags" => (column.width, column.full) = (90.0, 90.0),
            _ => {}
        }
    }
    for column in columns.iter_mut().filter(|column| column.key == "tags" && untagged) {
        (column.width, column.full, column.grows) = (NO_TAGS, NO_TAGS, 0.0);
    }
    columns
}
