//! The operations by group, in the order of the document; the deprecated ones are collapsed.
//!
//! It is a tree of two levels under one focus; only visible lines are drawn.

use std::borrow::Cow;
use std::collections::BTreeSet;

use egui::{Ui, accesskit::Role};

use crate::ui::command::filter_field;
use crate::ui::focus;
use crate::ui::theme::{ROW_COMPACT, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::menu_key;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{List, ListKeys, ListMove, ListState};
use lunette_client::operation::{Group, OPERATIONS, OperationInfo};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

mod row;

/// The search text, and where the keyboard is.
#[derive(Default)]
pub struct OperationList {
    filter: String,
    /// The groups that were expanded or collapsed by hand; the legacy group starts collapsed, the others expanded.
    toggled: BTreeSet<&'static str>,
    list: ListState,
    keys: ListKeys,
    /// The line that the keyboard is on.
    line: usize,
    /// The operation last scrolled to.
    shown: Option<&'static OperationInfo>,
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ListLine {
    /// The name of a group, the number of its operations, and whether it is expanded.
    Group(&'static str, usize, bool),
    Operation(&'static OperationInfo),
}

/// What happened in the list.
#[derive(Default)]
pub struct ListResponse {
    /// The operation that was chosen.
    pub picked: Option<&'static OperationInfo>,
    /// Whether it was opened rather than only moved to.
    pub opened: bool,
    /// The group that was expanded or collapsed.
    toggled: Option<&'static str>,
}

/// The group of the deprecated operations.
const LEGACY: &str = "Legacy";

impl OperationList {
    /// Draws the list, with `below_title` below its title; returns what happened in it.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        chosen: &'static OperationInfo,
        state: &State,
        actions: &mut Vec<Action>,
        below_title: impl FnOnce(&mut Ui),
    ) -> ListResponse {
        title_ui(ui);
        below_title(ui);
        ui.add_space(SPACE_S);
        TextField::search("Find an operation").id(filter_field(Panel::Operations)).show(ui, &mut self.filter);
        ui.add_space(SPACE_S);
        let lines = self.lines(chosen);
        if lines.is_empty() {
            ui.muted("No operation matches.");
            return ListResponse::default();
        }
        if self.shown != Some(chosen) {
            // It may have been chosen elsewhere.
            self.shown = Some(chosen);
            let index = lines.iter().position(|line| *line == ListLine::Operation(chosen));
            self.line = index.unwrap_or(self.line);
            self.list.reveal = index;
        }
        self.line = self.line.min(lines.len() - 1);
        self.lines_ui(ui, &lines, chosen, state, actions)
    }

    fn lines_ui(
        &mut self,
        ui: &mut Ui,
        lines: &[ListLine],
        chosen: &'static OperationInfo,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> ListResponse {
        let rect = ui.available_rect_before_wrap();
        let width = rect.width() - 12.0;
        let (pitch, rows, sense) = (ROW_COMPACT + 3.0, lines.len(), egui::Sense::click());
        let list = List { name: "List of operations", role: Role::Tree, rect, rows, pitch, width, sense };
        let mut drawn = list.begin(ui, &mut self.list);
        ui.advance_cursor_after_rect(rect);
        focus::register_list(ui.ctx(), drawn.response.id);
        let name = |row: usize| Cow::Borrowed(lines[row].name());
        let list_move = self.keys.handle(&drawn, &mut self.list, &mut self.line, &name);
        let ListResponse { mut picked, mut opened, mut toggled } = self.handle_keys(ui, list_move, lines);
        let menu_of = (focus::receives_keys(ui.ctx(), drawn.response.id) && menu_key(ui.ctx())).then_some(self.line);
        let visible = drawn.viewport.visible(&self.list.scroll);
        // Until the current line, which may be out of sight, sets its own.
        let first = drawn.row_rect(&self.list.scroll, visible.start).intersect(rect);
        focus::set_ring(ui.ctx(), drawn.response.id, first);
        for row in visible {
            let rect = drawn.row_rect(&self.list.scroll, row);
            let look = row::LineContext { chosen, state };
            let by_key = (menu_of == Some(row)).then(|| rect.left_bottom() + egui::vec2(22.0, 0.0));
            let response = row::ui(&mut drawn, lines[row], rect, row == self.line, &look, by_key, actions);
            if response != row::LineAction::Nothing {
                drawn.response.request_focus();
                self.line = row;
            }
            if matches!(response, row::LineAction::Clicked | row::LineAction::Opened) {
                picked = lines[row].operation().or(picked);
                opened |= picked.is_some();
                if let ListLine::Group(name, ..) = lines[row] {
                    toggled = Some(name);
                }
            }
        }
        self.keys.show(&drawn);
        drawn.end(&mut self.list, "List of operations");
        if let Some(name) = toggled
            && !self.toggled.remove(name)
        {
            self.toggled.insert(name);
        }
        self.shown = picked.or(self.shown);
        ListResponse { picked, opened, toggled: None }
    }

    /// Handles the keys of the list.
    fn handle_keys(&mut self, ui: &Ui, list_move: Option<ListMove>, lines: &[ListLine]) -> ListResponse {
        let Some(list_move) = list_move else { return ListResponse::default() };
        let nothing = ListResponse::default();
        match (lines[self.line], list_move) {
            (_, ListMove::Back) => {
                self.filter.clear();
                nothing
            }
            (ListLine::Operation(info), ListMove::To(_)) => ListResponse { picked: Some(info), ..nothing },
            (ListLine::Operation(info), ListMove::Expand | ListMove::Open) => {
                focus::enter_page(ui.ctx());
                ListResponse { picked: Some(info), opened: true, ..nothing }
            }
            (ListLine::Operation(_), ListMove::Collapse) => {
                let above = (0..self.line).rev().find(|row| lines[*row].operation().is_none());
                self.line = above.unwrap_or(self.line);
                self.list.reveal = above;
                nothing
            }
            (ListLine::Group(_, _, true), ListMove::Expand) => {
                self.line = (self.line + 1).min(lines.len() - 1);
                nothing
            }
            (ListLine::Group(name, _, true), ListMove::Collapse) | (ListLine::Group(name, ..), ListMove::Open) => {
                ListResponse { toggled: Some(name), ..nothing }
            }
            (ListLine::Group(name, _, false), ListMove::Expand) => ListResponse { toggled: Some(name), ..nothing },
            (ListLine::Group(..), ListMove::To(_) | ListMove::Collapse) => nothing,
        }
    }

    /// Returns the lines to draw: groups in order, and the matching operations of expanded groups.
    fn lines(&self, chosen: &'static OperationInfo) -> Vec<ListLine> {
        let filter = self.filter.to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let found = |info: &&'static OperationInfo| {
            let text = format!("{} {} {} {}", info.name, info.method, info.path, info.summary).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let found: Vec<&'static OperationInfo> = OPERATIONS.iter().copied().filter(found).collect();
        let current = [Group::Applications, Group::Asset, Group::Extension].map(|group| (group.as_str(), Some(group)));
        let mut lines = Vec::new();
        for (name, group) in current.into_iter().chain([(LEGACY, None)]) {
            let of = |info: &&&'static OperationInfo| match group {
                Some(group) => info.group == group && !info.deprecated,
                None => info.deprecated,
            };
            let rows: Vec<&'static OperationInfo> = found.iter().filter(of).copied().collect();
            // Search results and an operation chosen elsewhere are not collapsed.
            let wanted = !words.is_empty() || (group.is_none() && self.shown != Some(chosen) && chosen.deprecated);
            let open = wanted || (group.is_some() != self.toggled.contains(name));
            if !rows.is_empty() {
                lines.push(ListLine::Group(name, rows.len(), open));
            }
            if open {
                lines.extend(rows.into_iter().map(ListLine::Operation));
            }
        }
        lines
    }
}

/// Draws the title, with the number of operations: those of the interface, as in the sidebar, and the extensions.
fn title_ui(ui: &mut Ui) {
    let of_interface = OPERATIONS.iter().filter(|info| info.group != Group::Extension).count();
    ui.horizontal(|ui| {
        ui.heading("Operations");
        ui.count_badge(of_interface);
        let more = format!("+ {} extensions", OPERATIONS.len() - of_interface);
        ui.caption(&more)
            .on_hover_text("Operations that Lunette’s own service has in addition to those of the interface");
    });
}

impl ListLine {
    fn name(&self) -> &'static str {
        match self {
            Self::Group(name, ..) => name,
            Self::Operation(info) => info.name,
        }
    }

    fn operation(&self) -> Option<&'static OperationInfo> {
        match self {
            Self::Group(..) => None,
            Self::Operation(info) => Some(info),
        }
    }
}
