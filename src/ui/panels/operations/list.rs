//! The operations by group, those of the document in its order; the deprecated ones folded away.
//!
//! It is a tree of two levels under one focus, of which only the lines in sight are drawn.

use std::borrow::Cow;
use std::collections::BTreeSet;

use egui::{Ui, accesskit::Role};

use crate::app::state::Panel;
use crate::app::{Action, State};
use crate::ui::command::filter_field;
use crate::ui::focus;
use crate::ui::theme::{ROW_COMPACT, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::menu_key;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{List, ListKeys, ListState, Went};
use lunette_client::operation::{Group, OPERATIONS, OperationInfo};

mod line;

/// What is typed to find an operation, and where the keyboard is.
#[derive(Default)]
pub struct OperationList {
    filter: String,
    /// The groups that were folded or unfolded by hand; the legacy one is folded from the start, the others are not.
    turned: BTreeSet<&'static str>,
    list: ListState,
    keys: ListKeys,
    /// The line on which the keyboard stands.
    line: usize,
    /// The operation last brought into sight.
    shown: Option<&'static OperationInfo>,
}

/// A line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    /// The name of a group, how many operations it has, and whether they are shown.
    Group(&'static str, usize, bool),
    Operation(&'static OperationInfo),
}

/// What was done in the list.
#[derive(Default)]
pub struct Done {
    /// The operation that was chosen.
    pub picked: Option<&'static OperationInfo>,
    /// Whether it was opened, and not only moved to.
    pub opened: bool,
    /// The group that was folded or unfolded.
    turned: Option<&'static str>,
}

/// What the deprecated operations stand under.
const LEGACY: &str = "Legacy";

impl OperationList {
    /// Draws the list, with `below_title` below its title; gives what was done in it.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        chosen: &'static OperationInfo,
        state: &State,
        actions: &mut Vec<Action>,
        below_title: impl FnOnce(&mut Ui),
    ) -> Done {
        title_ui(ui);
        below_title(ui);
        ui.add_space(SPACE_S);
        TextField::search("Find an operation").id(filter_field(Panel::Operations)).show(ui, &mut self.filter);
        ui.add_space(SPACE_S);
        let lines = self.lines(chosen);
        if lines.is_empty() {
            ui.muted("No operation matches.");
            return Done::default();
        }
        if self.shown != Some(chosen) {
            // It may have been chosen elsewhere.
            self.shown = Some(chosen);
            let place = lines.iter().position(|line| *line == Line::Operation(chosen));
            self.line = place.unwrap_or(self.line);
            self.list.reveal = place;
        }
        self.line = self.line.min(lines.len() - 1);
        self.lines_ui(ui, &lines, chosen, state, actions)
    }

    fn lines_ui(
        &mut self,
        ui: &mut Ui,
        lines: &[Line],
        chosen: &'static OperationInfo,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Done {
        let rect = ui.available_rect_before_wrap();
        let width = rect.width() - 12.0;
        let (pitch, rows, sense) = (ROW_COMPACT + 3.0, lines.len(), egui::Sense::click());
        let list = List { name: "List of operations", role: Role::Tree, rect, rows, pitch, width, sense };
        let mut drawn = list.begin(ui, &mut self.list);
        ui.advance_cursor_after_rect(rect);
        focus::register_list(ui.ctx(), drawn.response.id);
        let name = |row: usize| Cow::Borrowed(lines[row].name());
        let went = self.keys.take(&drawn, &mut self.list, &mut self.line, &name);
        let Done { mut picked, mut opened, mut turned } = self.steer(ui, went, lines);
        let menu_of = (drawn.response.has_focus() && menu_key(ui.ctx())).then_some(self.line);
        let visible = drawn.viewport.visible(&self.list.scroll);
        // Until the current line, which may be out of sight, says its own.
        let first = drawn.row_rect(&self.list.scroll, visible.start).intersect(rect);
        focus::set_ring(ui.ctx(), drawn.response.id, first);
        for row in visible {
            let place = drawn.row_rect(&self.list.scroll, row);
            let look = line::Look { chosen, state };
            let by_key = (menu_of == Some(row)).then(|| place.left_bottom() + egui::vec2(22.0, 0.0));
            let done = line::ui(&mut drawn, lines[row], place, row == self.line, &look, by_key, actions);
            if done != line::Done::Nothing {
                drawn.response.request_focus();
                self.line = row;
            }
            if matches!(done, line::Done::Clicked | line::Done::Opened) {
                picked = lines[row].operation().or(picked);
                opened |= picked.is_some();
                if let Line::Group(name, ..) = lines[row] {
                    turned = Some(name);
                }
            }
        }
        self.keys.show(&drawn);
        drawn.end(&mut self.list, "List of operations");
        if let Some(name) = turned
            && !self.turned.remove(name)
        {
            self.turned.insert(name);
        }
        self.shown = picked.or(self.shown);
        Done { picked, opened, turned: None }
    }

    /// Does what the keyboard asks for.
    fn steer(&mut self, ui: &Ui, went: Option<Went>, lines: &[Line]) -> Done {
        let Some(went) = went else { return Done::default() };
        let nothing = Done::default();
        match (lines[self.line], went) {
            (_, Went::Back) => {
                self.filter.clear();
                nothing
            }
            (Line::Operation(info), Went::To(_)) => Done { picked: Some(info), ..nothing },
            (Line::Operation(info), Went::In | Went::Open) => {
                focus::enter_page(ui.ctx());
                Done { picked: Some(info), opened: true, ..nothing }
            }
            (Line::Operation(_), Went::Out) => {
                let above = (0..self.line).rev().find(|row| lines[*row].operation().is_none());
                self.line = above.unwrap_or(self.line);
                self.list.reveal = above;
                nothing
            }
            (Line::Group(_, _, true), Went::In) => {
                self.line = (self.line + 1).min(lines.len() - 1);
                nothing
            }
            (Line::Group(name, _, true), Went::Out) | (Line::Group(name, ..), Went::Open) => {
                Done { turned: Some(name), ..nothing }
            }
            (Line::Group(name, _, false), Went::In) => Done { turned: Some(name), ..nothing },
            (Line::Group(..), Went::To(_) | Went::Out) => nothing,
        }
    }

    /// The lines there are to draw: groups in their order, and what is found of those that are unfolded.
    fn lines(&self, chosen: &'static OperationInfo) -> Vec<Line> {
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
            // What is searched for, or was chosen elsewhere, is not folded away.
            let wanted = !words.is_empty() || (group.is_none() && self.shown != Some(chosen) && chosen.deprecated);
            let open = wanted || (group.is_some() != self.turned.contains(name));
            if !rows.is_empty() {
                lines.push(Line::Group(name, rows.len(), open));
            }
            if open {
                lines.extend(rows.into_iter().map(Line::Operation));
            }
        }
        lines
    }
}

/// The title, with how many operations there are: those of the interface, as in the sidebar, and those beside it.
fn title_ui(ui: &mut Ui) {
    let of_interface = OPERATIONS.iter().filter(|info| info.group != Group::Extension).count();
    ui.horizontal(|ui| {
        ui.heading("Operations");
        ui.count_badge(of_interface);
        let more = format!("+ {} extensions", OPERATIONS.len() - of_interface);
        ui.caption(&more).on_hover_text("Operations that Lunette’s own service has beside those of the interface");
    });
}

impl Line {
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
