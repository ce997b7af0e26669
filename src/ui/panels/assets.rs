//! Assets: the list, and the page of the open asset beside it.

use egui::Ui;

use lunette_inspector::action::{AssetsAction, NavigationAction, OverviewAction, SessionAction};
use lunette_inspector::assets::page::{AssetPage, Content, Place};
use lunette_inspector::drafts::DraftKey;
use lunette_inspector::navigation::in_view::InView;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

mod activity;
mod cells;
mod changes;
pub(in crate::ui) mod details;
mod draft_banner;
mod forms;
mod frame;
mod header;
mod id_form;
mod links;
mod list;
mod page;
mod pages;
mod past_dialog;
mod past_list;
mod path_form;
mod peek;
mod preview;
mod record;
mod related;
mod remote_edits;
mod row_menu;
mod selection;
mod tab_strip;
mod tabs;
mod text_editor;
mod thumbnail;
mod toolbar;
mod versions;
pub(super) mod website;

use forms::NewText;
use id_form::IdForm;
use list::list_ui;
use pages::Pages;
use past_list::PastList;
use path_form::PathForm;
use peek::Peek;
use selection::{SelectedAssets, SelectionChoice, SelectionPage};

pub(in crate::ui) use list::AssetList;
pub(in crate::ui) use selection::{SelectionTool, hidden_ui};

use crate::ui::command::{AssetRequest, Command, UiRequest};
use crate::ui::list::split::{Beside, SplitPart, replaces_list};
use crate::ui::palette::Chosen;
use crate::ui::panels::welcome::{self, WelcomeRequest};
use crate::ui::widgets::type_ahead::text_for_list;
use lunette_inspector::change::Item;
use lunette_inspector::filter::Filter;

/// The panel, and what is being typed into it.
#[derive(Default)]
pub struct AssetsPanel {
    list: AssetList,
    pages: Pages,
    selection: SelectionPage,
    new: Option<NewText>,
    go_to: Option<IdForm>,
    peek: Peek,
    /// The command chosen in the menu of a row, for all selected assets.
    selection_command: Option<Command>,
    /// The list as it was.
    past: PastList,
    /// The form for a path to import.
    path: PathForm,
    /// How many requests for the form were handled.
    path_requests_seen: u64,
}

impl AssetsPanel {
    /// Opens a tool of the open asset's page as soon as the page is drawn.
    pub(in crate::ui) fn open_tool(&mut self, request: AssetRequest) {
        self.pages.open_tool(request);
    }

    /// Returns its list.
    pub(in crate::ui) fn list_mut(&mut self) -> &mut AssetList {
        &mut self.list
    }

    /// Opens the form for a new asset, with the draft of it.
    pub(in crate::ui) fn open_new_text(&mut self, state: &State) {
        self.new = Some(NewText::with_draft(state.drafts.typed.get(&DraftKey::NewText)));
    }

    /// Opens the form for the id of an asset.
    pub(in crate::ui) fn open_id_form(&mut self) {
        self.go_to = Some(IdForm::default());
    }

    /// Draws the form for an id, whatever panel is shown.
    pub(in crate::ui) fn id_form_ui(&mut self, ctx: &egui::Context, actions: &mut Vec<Action>) {
        if let Some(form) = &mut self.go_to
            && form.ui(ctx, actions)
        {
            self.go_to = None;
        }
    }

    /// Draws the asset that is looked at, whatever panel is shown.
    pub(in crate::ui) fn peek_ui(&mut self, ctx: &egui::Context, state: &State, actions: &mut Vec<Action>) {
        self.peek.ui(ctx, state, actions);
    }

    /// Returns whether the page is drawn in place of the list.
    fn hides_list(ui: &Ui, state: &State) -> bool {
        state.assets.pages.open.is_some() && replaces_list(ui.ctx())
    }

    /// Returns whether Find searches the text of the open asset rather than the list; `in_page` says whether the page
    /// has the focus.
    pub(in crate::ui) fn finds_in_page(&self, state: &State, in_page: bool) -> bool {
        let text = |page: &AssetPage| matches!(page.content.value(), Some(Content::Text(_) | Content::Part(..)));
        let has_text = state.page().is_some_and(|(_, page)| text(page));
        let shown = !state.navigation.welcome && !self.selection.is_shown();
        state.navigation.panel == Panel::Assets && shown && has_text && in_page
    }

    /// Shows the assets linked to an item.
    pub(in crate::ui) fn show_linked(&mut self, item: &Item, state: &State, actions: &mut Vec<Action>) {
        self.list.show_linked(item, state, actions);
    }

    /// Shows the assets that match a filter.
    pub(in crate::ui) fn show_filtered(&mut self, filter: &Filter, state: &State, actions: &mut Vec<Action>) {
        self.list.show_filtered(filter, state, actions);
    }

    /// Shows the list as tiles, or as rows.
    pub(in crate::ui) fn toggle_tiles(&mut self) {
        self.list.view.table.toggle_tiles();
    }

    /// Opens the dialog for the past of the list.
    pub(in crate::ui) fn open_past(&mut self, actions: &mut Vec<Action>) {
        self.list.tools.past.open(actions);
    }

    /// Returns what its list showed in the last frame.
    pub(in crate::ui) fn in_view(&self) -> &InView {
        &self.list.view.in_view
    }

    /// Draws the panel; returns what it asks of the window.
    pub(in crate::ui) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
        self.list.view.in_view = InView::nothing(Panel::Assets);
        peek::close_on_escape(ui.ctx(), state, actions);
        let request = match state.navigation.welcome {
            true => self.welcome_ui(ui, state, actions),
            false => self.assets_ui(ui, state, actions),
        };
        self.past_dialog_ui(ui.ctx(), state, actions);
        if request == Some(WelcomeRequest::NewText) {
            self.open_new_text(state);
        }
        if let Some(form) = &mut self.new
            && form.ui(ui, state, actions)
        {
            self.new = None;
        }
        if std::mem::replace(&mut self.path_requests_seen, state.import.path_requests) < state.import.path_requests {
            self.path.open(state);
        }
        self.path.ui(ui.ctx(), state, actions);
        if let Some(WelcomeRequest::Filter(filter)) = &request {
            self.show_filtered(filter, state, actions);
        }
        let connection = (request == Some(WelcomeRequest::Connection)).then_some(Command::Connection);
        connection.or(self.selection_command.take())
    }

    /// Draws the dialog for the past of the list while it is open.
    fn past_dialog_ui(&mut self, ctx: &egui::Context, state: &State, actions: &mut Vec<Action>) {
        let AssetList { view, tools, .. } = &mut self.list;
        if tools.past.is_open() {
            let selected: Vec<_> = view.marks.rows(&state.assets.list).iter().map(|row| row.id()).collect();
            tools.past.ui(ctx, state, &selected, actions);
        }
    }

    /// Runs the command chosen in the menu of a row.
    fn row_command(&mut self, ui: &Ui, state: &State, actions: &mut Vec<Action>) {
        match self.list.run_row_command(state, actions) {
            Some(Chosen::Command(command)) => self.selection_command = Some(command),
            Some(Chosen::Requested(UiRequest::Asset(request))) => self.pages.open_tool(request),
            Some(Chosen::Requested(UiRequest::Copy(text))) => ui.ctx().copy_text(text),
            _ => {}
        }
    }

    /// Draws the requested welcome page; any choice on it closes it, and so does typing.
    fn welcome_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
        let before = actions.len();
        // The margin of a list.
        let frame = egui::Frame::new().inner_margin(egui::Margin { left: 14, right: 12, top: 12, bottom: 4 });
        let request = frame.show(ui, |ui| welcome::ui(ui, state, true, actions)).inner;
        let quiet = |action: &Action| {
            matches!(action, Action::Session(SessionAction::Discover) | Action::Overview(OverviewAction::Count(..)))
        };
        let chose = !actions[before..].iter().all(quiet);
        let typed = text_for_list(ui.ctx());
        if request.is_some() || chose || typed.is_some() {
            actions.push(NavigationAction::CloseWelcome.into());
        }
        // What is typed where no field has the focus is typed for the list.
        if let Some(text) = typed {
            self.list.type_ahead(&text);
        }
        request
    }

    fn assets_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
        let Self { list: AssetList { view, tools, .. }, pages, selection, past, .. } = self;
        selection.sync(state, SelectedAssets { marks: &view.marks, list: &state.assets.list }, actions);
        let several = selection.is_shown() && !replaces_list(ui.ctx());
        tools.on_page = several;
        let beside = pages.sync(ui, several, state, actions);
        let two = matches!(beside, Beside::TwoPages(_));
        let (mut left, mut request, mut chosen) = (false, None, None);
        let escaped = view.beside_pages_ui(ui, state, beside, actions, |view, ui, part, actions| match part {
            SplitPart::Page if several => {
                let selected = SelectedAssets { marks: &view.marks, list: &state.assets.list };
                chosen = contained(ui, |ui| selection.ui(ui, state, selected, actions)).or(chosen.take());
            }
            SplitPart::Page if two => left |= pages.one_of_two_ui(ui, Place::First, state, actions),
            SplitPart::Page => left |= pages.active_ui(ui, state, actions),
            SplitPart::SecondPage => left |= pages.one_of_two_ui(ui, Place::Second, state, actions),
            SplitPart::List if state.versions.then.at.is_some() => past.ui(ui, state, actions),
            SplitPart::List => request = list_ui(view, tools, ui, state, actions),
        });
        left |= escaped;
        match chosen {
            Some(SelectionChoice::Clear) => self.list.view.table.clear_selection(),
            Some(SelectionChoice::Tool(tool)) => self.list.start_selection_tool(tool),
            Some(SelectionChoice::Filter(filter)) => self.show_filtered(&filter, state, actions),
            None => {}
        }
        let Self { list, pages, .. } = self;
        if let Some(chosen) = pages.take_row_command() {
            list.choose_row_command(chosen);
        }
        if let Some(item) = pages.take_listed() {
            list.show_linked(&item, state, actions);
            left |= Self::hides_list(ui, state);
        }
        list.selected_ui(ui, state, Self::hides_list(ui, state), actions);
        if left {
            actions.push(AssetsAction::Close.into());
        }
        self.row_command(ui, state, actions);
        request
    }
}

/// Draws within the available space: content that is too wide is clipped and does not push the splitter.
fn contained<R>(ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> R) -> R {
    let rect = ui.available_rect_before_wrap();
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect));
    inner.set_clip_rect(rect.expand(4.0).intersect(ui.clip_rect()));
    let drawn = draw(&mut inner);
    ui.advance_cursor_after_rect(rect);
    drawn
}
