//! What assets are linked to: the lists of tags, websites and workstream summaries, and the page of the open one.

use std::cell::RefCell;
use std::sync::Arc;

use egui::{Response, Ui};

use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::dragging::{self, Dragged};
use crate::ui::link_icon::link_icon;
use crate::ui::list::cells::columns;
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::selection_bar::SelectionBar;
use crate::ui::list::split::SplitPart;
use crate::ui::list::states::ListTexts;
use crate::ui::palette::Chosen;
use crate::ui::panels::assets::AssetList;
use crate::ui::panels::compare::selection_sources;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::table::Sort;
use crate::ui::widgets::{Choice, choose, shown_short};
use lunette_inspector::action::{CompareAction, GraphAction, LinksAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::compare::Source;
use lunette_inspector::filter::{Field, Flag, List, parse};
use lunette_inspector::graph::Start;
use lunette_inspector::listing::rows::LinkRow;
use lunette_inspector::navigation::in_view::{InView, SelectedRows, Subject};
use lunette_inspector::panel::Panel;
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
    list: ListView<LinkRow>,
    /// The list whose rows the table shows.
    kind: LinkKind,
    page: LinkPageView,
    /// What the list and the assets on the page showed in the last frame.
    in_view: [InView; 2],
    /// Whether commands act on the assets on the page: what was selected or focused last is there.
    in_assets: bool,
}

/// An action on several selected items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemsTool {
    /// Asks whether to delete those that no asset has.
    Delete,
    /// Shows what they are linked to.
    Graph,
    /// Compares the two.
    Compare,
}

impl Default for LinksPanel {
    fn default() -> Self {
        let (page, in_view, in_assets) = Default::default();
        Self { list: ListView::new("Filter links"), kind: LinkKind::Tag, page, in_view, in_assets }
    }
}

impl LinksPanel {
    /// Draws the panel; returns what was chosen.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
        if std::mem::replace(&mut self.kind, state.links.kind) != state.links.kind {
            self.list.forget();
        }
        let open = state.links.open.as_ref();
        let Self { list, page, .. } = &mut *self;
        let mut wanted = None;
        let left =
            list.beside_page_ui(ui, state, open.is_some(), actions, |list, ui, part, actions| match (part, open) {
                (SplitPart::Page, Some(open)) => wanted = page.ui(ui, open, state, actions).or(wanted.take()),
                (SplitPart::Page | SplitPart::SecondPage, _) => {}
                (SplitPart::List, _) => match list_ui(list, ui, state, actions) {
                    Some(MenuChoice::Assets(item)) => wanted = Some(item),
                    Some(MenuChoice::Move) => page.open_move(),
                    None => {}
                },
            });
        if left {
            actions.push(LinksAction::Close.into());
        }
        self.compare_in_view(open.is_some());
        self.page.assets.run_row_command(state, actions).or(wanted.map(Chosen::Linked))
    }

    /// Takes in what the list and the assets on the page show.
    fn compare_in_view(&mut self, page: bool) {
        let assets = if page { self.page.in_view() } else { None };
        let now = [self.list.in_view.clone(), assets.cloned().unwrap_or_else(|| InView::nothing(Panel::Links))];
        let acted = |part: usize| {
            let (now, before): (&InView, &InView) = (&now[part], &self.in_view[part]);
            now.selected != before.selected || now.focused.is_some() && now.focused != before.focused
        };
        self.in_assets = match (acted(0), acted(1)) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => self.in_assets,
        };
        self.in_assets &= now[1].focused.is_some() || now[1].selected != SelectedRows::None;
        self.in_view = now;
    }

    /// Returns what the list that commands act on showed in the last frame.
    pub(in crate::ui) fn in_view(&self) -> &InView {
        &self.in_view[usize::from(self.in_assets)]
    }

    /// Returns the list of the assets of the open item.
    pub(in crate::ui) fn assets_mut(&mut self) -> &mut AssetList {
        &mut self.page.assets
    }

    /// Opens the form for the name of an item on its page.
    pub(in crate::ui) fn start_rename(&mut self, item: &Item) {
        self.page.start_rename(item);
    }

    /// Runs a tool for the selected items.
    pub(in crate::ui) fn run_for_selected(&self, tool: ItemsTool, state: &State, actions: &mut Vec<Action>) {
        let items = self.list.marks.rows(state.links.shown()).into_iter().map(|row| &row.item);
        actions.push(match tool {
            ItemsTool::Delete => LinksAction::Delete(items.cloned().collect()).into(),
            ItemsTool::Compare => match selection_sources(items.cloned().map(Source::Item)) {
                Some(sources) => CompareAction::Open(sources).into(),
                None => Action::Hint("Compare takes two: select exactly two".to_owned()),
            },
            ItemsTool::Graph => GraphAction::Start(items.map(Start::item).collect()).into(),
        });
    }
}

/// Draws the list; returns what was chosen in the menu of a row.
fn list_ui(list: &mut ListView<LinkRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<MenuChoice> {
    list.table.default_sort = Some(Sort::ascending("name"));
    let (mut columns, texts) = (columns::<LinkRow>(ui.available_width()), texts(state.links.kind));
    columns.retain(|column| column.key != "address" || state.links.kind == LinkKind::Website);
    let frame = ListFrame { state, list: state.links.shown(), texts: &texts, columns: &columns };
    list.head_ui(ui, &frame, actions, |_, _| {});
    ui.add_space(SPACE_S);
    if let Some(kind) = choose(ui, "Kind of link", state.links.kind, &kinds()) {
        actions.push(LinksAction::Show(kind).into());
    }
    ui.horizontal(|ui| quick_filters_ui(ui, &mut list.filter, actions));
    if frame.list.shown(0).is_some_and(|row| row.known_from.is_some()) {
        let things = state.links.kind.many().to_lowercase();
        ui.caption(&format!("This service does not list {things}. These were found in the assets that you opened."));
    }
    let painter = Painter { state, chosen: RefCell::new(None) };
    if let Some(row) = list.rows_ui(ui, &frame, &painter, actions) {
        actions.push(LinksAction::Open(row.item.clone()).into());
    }
    painter.chosen.into_inner()
}

/// Draws the quick filters for tidying; a click on the active one clears it.
fn quick_filters_ui(ui: &mut Ui, filter: &mut FilterField, actions: &mut Vec<Action>) {
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
        let on = filter.text().trim() == text;
        if ui.add(egui::Button::selectable(on, name)).on_hover_text(tip).clicked() {
            match parse(if on { "" } else { &text }, List::Links) {
                Ok(parsed) => filter.set_filter(&parsed, actions),
                Err(_) => filter.clear(actions),
            }
        }
    }
}

/// Draws the buttons for several selected items.
fn tools_ui(ui: &mut Ui, bar: &SelectionBar<'_, LinkRow>, state: &State, actions: &mut Vec<Action>) {
    let kind = state.links.kind;
    let reason = disabled_reason(state, Capability::Relink(kind));
    let merge = enabled_unless(ui, reason.as_deref(), |ui| ui.icon_text_button(Icon::CONFLICT, "Merge…"))
        .on_hover_text("Links all their assets to one of them")
        .clicked();
    let used = "Only unused ones can be deleted, and all of these are used".to_owned();
    let none = (!bar.marks.any_if_few(bar.list, LinkRow::unused)).then_some(used);
    let reason = disabled_reason(state, Capability::DeleteItem(kind)).or(none);
    let delete = enabled_unless(ui, reason.as_deref(), |ui| ui.danger_button("Delete unused…")).clicked();
    let items = || bar.rows().into_iter().map(|row| row.item.clone()).collect();
    match (merge, delete) {
        (true, _) => actions.push(LinksAction::Merge(items()).into()),
        (_, true) => actions.push(LinksAction::Delete(items()).into()),
        _ => {}
    }
}

struct Painter<'a> {
    state: &'a State,
    /// What was chosen in the menu of a row.
    chosen: RefCell<Option<MenuChoice>>,
}

impl RowPainter<LinkRow> for Painter<'_> {
    const DRAGS: bool = true;

    fn name(&self, row: &LinkRow) -> String {
        shown_short(row.item.name(), 120).into_owned()
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, LinkRow>, key: &str, _: &mut Vec<Action>) -> bool {
        cells::cell_ui(ui, &row, key, &self.state.preferences.settings.look.tag_colors)
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, LinkRow>, actions: &mut Vec<Action>) {
        if let Some(choice) = menu_ui(ui, &row, self.state, actions) {
            self.chosen.replace(Some(choice));
        }
    }

    fn open(&self) -> Option<String> {
        self.state.links.open.as_ref().map(|page| page.item.id.to_string())
    }

    fn subject(&self, row: &Arc<LinkRow>) -> Option<Subject> {
        Some(Subject::Item(row.item.clone()))
    }

    fn selected_ui(&self, ui: &mut Ui, bar: &mut SelectionBar<'_, LinkRow>, actions: &mut Vec<Action>) {
        tools_ui(ui, bar, self.state, actions);
        bar.copy_ui(ui, |_| {});
    }

    fn drag_ui(&self, ui: &Ui, response: &Response, row: ListRow<'_, LinkRow>, actions: &mut Vec<Action>) {
        dragging::begin(response, || Some(Dragged::Item(row.item.clone())));
        actions.extend(dragging::drop_on_item(ui, response, &row.item));
    }
}

/// Returns the kinds as choices.
fn kinds() -> [Choice<'static, LinkKind>; 3] {
    LinkKind::ALL.map(|kind| Choice { value: kind, name: kind.many(), icon: Some(link_icon(kind)) })
}

/// Returns the texts of a list.
fn texts(kind: LinkKind) -> ListTexts {
    let (noun, empty_title, empty_hint) = match kind {
        LinkKind::Tag => ("tags", "There are no tags yet", "Add one to an asset: open it and choose “+ Tag”."),
        LinkKind::Website => {
            ("websites", "There are no websites yet", "Link one to an asset: open it and choose “+ Website”.")
        }
        LinkKind::Summary => (
            "workstream summaries",
            "There are no workstream summaries yet",
            "Link one to an asset: open it and choose “+ Summary”.",
        ),
    };
    ListTexts {
        heading: "Links",
        table: kind.many(),
        reload: || Action::Refresh(Panel::Links),
        refresh: Some("Refresh the links"),
        select: Some("Select two or more to merge or copy them"),
        rows: "links",
        noun,
        icon: Icon::EMPTY,
        empty_title,
        empty_hint,
    }
}
