//! Runs commands at the beginning of a frame: those of its keys, and what was chosen in the previous frame.
//!
//! What must hold: what is chosen in a menu or the palette runs after that is closed, so that whatever opens then gets
//! the focus, and a screenshot shows the window without it.

use egui::Ui;

use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, ExportAction, NavigationAction};
use lunette_inspector::change::Item;
use lunette_inspector::filter::{Filter, Flag};
use lunette_inspector::panel::Panel;

use super::Window;
use crate::ui::command::{self, AssetRequest, Command, UiRequest};
use crate::ui::list::split;
use crate::ui::palette::Chosen;
use crate::ui::panels::info::info;
use crate::ui::widgets::text_field::focus_selected;

impl Window {
    /// Runs the pending commands.
    pub(in crate::ui) fn run_pending_commands(&mut self, ui: &Ui, actions: &mut Vec<Action>) {
        let ctx = ui.ctx();
        if let Some(field) = self.focus.take() {
            focus_selected(ctx, field);
        }
        actions.extend(self.capture.receive(ctx));
        actions.extend(self.screenshots.receive().map(|value| Action::Export(ExportAction::SavePicture(value))));
        let mut chosen = std::mem::take(&mut self.chosen);
        if !self.dialogs.preferences.is_capturing() {
            chosen.extend(command::pressed_commands(ctx, self.app.state()).into_iter().map(Chosen::Command));
        }
        for chosen in chosen {
            match chosen {
                Chosen::Command(command) => {
                    let from = self.app.state().navigation.panel;
                    let goes = Panel::ALL.into_iter().any(|to| to != from && Command::of_panel(to) == command);
                    if goes {
                        release_focus(ctx);
                    }
                    if let Some(request) = command.run(self.app.state(), actions) {
                        self.handle_request(ui, request, actions);
                    }
                }
                Chosen::Linked(item) => self.show_linked(&item, actions),
                Chosen::Filtered(filter) => self.show_filtered(&filter, actions),
                Chosen::ForSelected(request) => {
                    let state = self.app.state();
                    if state.navigation.panel != Panel::Links {
                        actions.push(NavigationAction::Show(Panel::Assets).into());
                    }
                    self.panels.selected_assets(state).plan_for_selected(request);
                }
                Chosen::Requested(request) => self.handle_request(ui, request, actions),
            }
        }
    }

    fn handle_request(&mut self, ui: &Ui, request: UiRequest, actions: &mut Vec<Action>) {
        let Self { app, panels, palette, dialogs, screenshots, capture, notifications, keyboard, .. } = self;
        let state = app.state();
        match request {
            UiRequest::Palette => palette.open(state, actions),
            UiRequest::Connection => dialogs.connection.open(state, actions),
            UiRequest::Backups => dialogs.backups.open(actions),
            UiRequest::Preferences => dialogs.preferences.open(),
            UiRequest::Help => dialogs.help.open(),
            UiRequest::About => dialogs.about.open(),
            UiRequest::Messages => notifications.open_history(),
            UiRequest::Check => panels.operations.show_check(),
            UiRequest::NewText => panels.assets.open_new_text(state),
            // On the page of an asset, Find searches its text.
            UiRequest::Find if panels.assets.finds_in_page(state, keyboard.in_page()) => {
                panels.assets.open_tool(AssetRequest::Find);
            }
            UiRequest::Find => {
                let panel = state.navigation.panel;
                self.focus_on(ui, panel, command::filter_field(panel), actions);
            }
            UiRequest::GoToId => panels.assets.open_id_form(),
            UiRequest::Asset(request) => panels.assets.open_tool(request),
            UiRequest::Selected(tool) => panels.selected_assets(state).start_selection_tool(tool),
            UiRequest::SelectedItems(tool) => panels.links.run_for_selected(tool, state, actions),
            UiRequest::RenameItem(item) => panels.links.start_rename(&item),
            UiRequest::NearDuplicates => self.show_filtered(&Filter::flag(Flag::NearDuplicate), actions),
            UiRequest::Gallery => panels.assets.toggle_tiles(),
            UiRequest::PastOfList => panels.assets.open_past(actions),
            UiRequest::ClosePage => self.close_shown_page(actions),
            UiRequest::Change(forward) => panels.compare.go_to_change(state, forward, actions),
            UiRequest::Area(forward) => keyboard.go_to_area(ui.ctx(), forward),
            UiRequest::Copy(text) => ui.ctx().copy_text(text),
            UiRequest::ExportMany => {
                dialogs.export_many.open(state, panels.selected_assets(state).selected_rows(state));
            }
            UiRequest::Capture => capture.request(ui.ctx()),
            UiRequest::Screenshot => screenshots.request(ui.ctx()),
            UiRequest::Quit => ui.ctx().send_viewport_cmd(egui::ViewportCommand::Close),
        }
    }

    /// Focuses a field of a panel's list, now or as soon as the list is drawn.
    fn focus_on(&mut self, ui: &Ui, panel: Panel, field: egui::Id, actions: &mut Vec<Action>) {
        let hidden = split::replaces_list(ui.ctx()) && self.close_page(panel, actions);
        let navigation = &self.app.state().navigation;
        if navigation.welcome {
            actions.push(NavigationAction::CloseWelcome.into());
        }
        if hidden || navigation.welcome || navigation.panel != panel {
            self.focus = Some(field);
        } else {
            focus_selected(ui.ctx(), field);
        }
    }

    /// Closes the tab or the page of the panel that is shown.
    fn close_shown_page(&mut self, actions: &mut Vec<Action>) {
        let state = self.app.state();
        let (panel, pages) = (state.navigation.panel, &state.assets.pages);
        match pages.open.as_ref().filter(|open| panel == Panel::Assets && pages.tabs.contains(open)) {
            Some(tab) => actions.push(AssetsAction::CloseTab(tab.clone()).into()),
            None => _ = self.close_page(panel, actions),
        }
    }

    /// Closes the page of a panel; returns whether there was one.
    fn close_page(&mut self, panel: Panel, actions: &mut Vec<Action>) -> bool {
        let Self { app, panels, .. } = self;
        let state = app.state();
        let Some(close) = (info(panel).close)(state) else { return panels.close_page(panel) };
        actions.push(close);
        true
    }

    fn show_filtered(&mut self, filter: &Filter, actions: &mut Vec<Action>) {
        let Self { app, panels, .. } = self;
        actions.push(NavigationAction::Show(Panel::Assets).into());
        panels.assets.show_filtered(filter, app.state(), actions);
    }

    fn show_linked(&mut self, item: &Item, actions: &mut Vec<Action>) {
        let Self { app, panels, .. } = self;
        actions
            .extend([Action::Navigation(NavigationAction::Show(Panel::Assets)), Action::Assets(AssetsAction::Close)]);
        panels.assets.show_linked(item, app.state(), actions);
    }
}

/// Releases the focus in the panel or sidebar that is left: the list of the next panel gets it.
fn release_focus(ctx: &egui::Context) {
    ctx.memory_mut(|memory| {
        if let Some(focused) = memory.focused() {
            memory.surrender_focus(focused);
        }
    });
}
