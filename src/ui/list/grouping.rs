//! Rows in groups: which groups are folded, what is drawn in which line, and the menu of what rows are grouped by.
//!
//! What must hold: folding a group asks nothing of the inspector; which groups are folded is forgotten once rows are grouped
//! by another column.

use std::collections::HashSet;
use std::sync::Arc;

use egui::{Popup, Ui};

use lunette_inspector::Action;
use lunette_inspector::filter::List;
use lunette_inspector::listing::{Change, Group, GroupValue, Line, Lines, Listing, Row};

use crate::ui::drawing::format;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use crate::ui::widgets::table::{Head, NO_ROW};

/// The name of the group of rows of which the service tells no value.
const NOT_TOLD: &str = "Unknown";

/// Width of the menu of what rows are grouped by, in points.
const MENU: f32 = 180.0;

/// The lines of a list, and which of its groups are folded.
#[derive(Default)]
pub(super) struct Grouping {
    /// The lines; `None` while the rows are in no groups.
    lines: Option<Lines>,
    column: &'static str,
    folded: HashSet<GroupValue>,
}

/// What is done with groups of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GroupRequest {
    /// Folds the group with the head in this line, or unfolds it.
    Toggle(usize),
    /// Folds all groups, or unfolds them.
    FoldAll(bool),
}

impl Grouping {
    /// Takes the groups of a list, unless its rows are drawn as tiles; must be called before it is drawn.
    pub fn sync<R: Row>(&mut self, list: &Listing<R>, tiles: bool) {
        let Some(groups) = list.groups.as_ref().filter(|_| !tiles) else {
            self.lines = None;
            return;
        };
        if self.column != groups.column {
            self.folded.clear();
            self.column = groups.column;
        }
        if self.lines.as_ref().is_none_or(|lines| !Arc::ptr_eq(lines.groups(), groups)) {
            self.lines = Some(Lines::new(Arc::clone(groups), |value| self.folded.contains(value)));
        }
    }

    /// Carries out what was asked for.
    pub fn handle(&mut self, request: GroupRequest) {
        let Some(lines) = &self.lines else { return };
        let groups = Arc::clone(lines.groups());
        match request {
            GroupRequest::FoldAll(true) => self.folded = groups.all.iter().map(|group| group.value.clone()).collect(),
            GroupRequest::FoldAll(false) => self.folded.clear(),
            GroupRequest::Toggle(line) => {
                let Some(Line::Head(group)) = lines.get(line) else { return };
                if !self.folded.remove(&group.value) {
                    self.folded.insert(group.value.clone());
                }
            }
        }
        self.lines = Some(Lines::new(groups, |value| self.folded.contains(value)));
    }

    /// How many lines the list has.
    pub fn count<R: Row>(&self, list: &Listing<R>) -> usize {
        self.lines.as_ref().map_or(list.order.len(), Lines::count)
    }

    /// Whether there are heads.
    pub fn has_heads(&self) -> bool {
        self.lines.is_some()
    }

    /// Returns the index among all rows of the row in a line; [`NO_ROW`] for a head.
    pub fn number<R: Row>(&self, list: &Listing<R>, line: usize) -> u32 {
        match &self.lines {
            None => list.number(line),
            Some(lines) => match lines.get(line) {
                Some(Line::Row(number)) => number,
                Some(Line::Head(_)) | None => NO_ROW,
            },
        }
    }

    /// Returns the row in a line.
    pub fn row<'a, R: Row>(&self, list: &'a Listing<R>, line: usize) -> Option<&'a Arc<R>> {
        match &self.lines {
            None => list.shared(line),
            Some(_) => list.rows.value()?.get(self.number(list, line) as usize),
        }
    }

    /// Returns the first line that shows the row known by this.
    pub fn line_of<R: Row>(&self, list: &Listing<R>, key: &R::Key) -> Option<usize> {
        let index = list.index_of(key)?;
        match &self.lines {
            None => Some(index),
            Some(lines) => lines.line_of(list.number(index)),
        }
    }

    /// Returns what identifies a line among all that are drawn, given what identifies its row: a row may be in several
    /// groups.
    pub fn id(&self, line: usize, of_row: String) -> String {
        let Some(lines) = &self.lines else { return of_row };
        let group = lines.head_of(line).and_then(|head| lines.get(head));
        let Some(Line::Head(Group { value, .. })) = group else { return of_row };
        format!("{value:?} {of_row}")
    }

    /// Returns the head in a line.
    pub fn head<R: Row>(&self, line: usize) -> Option<Head<'_>> {
        let lines = self.lines.as_ref()?;
        let Some(Line::Head(group)) = lines.get(line) else { return None };
        let title = title::<R>(lines.groups().column, &group.value);
        Some(Head { title, rows: lines.groups().rows(group), folded: lines.is_folded(line) })
    }
}

/// The title of a group.
fn title<R: Row>(column: &str, value: &GroupValue) -> String {
    match value {
        GroupValue::Day(date) => format::day(*date),
        GroupValue::Text(text) => text.to_string(),
        GroupValue::Nothing => R::column(column).and_then(|column| column.group).map_or("", |by| by.none).to_owned(),
        GroupValue::NotTold => NOT_TOLD.to_owned(),
    }
}

/// Draws the button with the menu of what rows are grouped by; nothing for a list whose rows are not grouped.
pub(in crate::ui) fn group_button<R: Row>(ui: &mut Ui, list: &Listing<R>, actions: &mut Vec<Action>) {
    if columns::<R>().next().is_none() {
        return;
    }
    let now = list.query.group.as_deref();
    let tip = columns::<R>()
        .find(|(key, _)| Some(*key) == now)
        .map(|(_, name)| format!("Grouped by {}", name.to_lowercase()));
    let tip = tip.unwrap_or_else(|| "Group by".to_owned());
    let button = ui.icon_button_with(Icon::GROUPED, "Group by", &tip);
    Popup::menu(&button).accessible_name("Group by").show(|ui| group_menu_ui(ui, list, actions));
}

/// Draws the menu of what rows are grouped by.
pub(in crate::ui) fn group_menu_ui<R: Row>(ui: &mut Ui, list: &Listing<R>, actions: &mut Vec<Action>) {
    let now = list.query.group.as_deref();
    ui.set_width(MENU);
    if Entry::new(Icon::ROWS, "No groups").checked(now.is_none()).show(ui) {
        actions.push(group_by(list.list, None));
    }
    separator(ui);
    for (key, name) in columns::<R>() {
        if Entry::new(Icon::GROUPED, name).checked(now == Some(key)).show(ui) {
            actions.push(group_by(list.list, Some(key)));
        }
    }
}

/// The keys and names of the columns that rows can be grouped by.
fn columns<R: Row>() -> impl Iterator<Item = (&'static str, &'static str)> {
    R::COLUMNS.iter().filter_map(|column| Some((column.key, column.group?.name)))
}

/// Draws the entries of the menu of a head; returns what was chosen.
pub(super) fn head_menu_ui(ui: &mut Ui, line: usize, folded: bool) -> Option<GroupRequest> {
    let (icon, text) = if folded { (Icon::UNFOLDED, "Unfold group") } else { (Icon::FOLDED, "Fold group") };
    let toggle = entry(ui, icon, text).then_some(GroupRequest::Toggle(line));
    let fold = entry(ui, Icon::FOLD_ALL, "Fold all groups").then_some(GroupRequest::FoldAll(true));
    let unfold = entry(ui, Icon::UNFOLD_ALL, "Unfold all groups").then_some(GroupRequest::FoldAll(false));
    toggle.or(fold).or(unfold)
}

fn group_by(list: List, key: Option<&str>) -> Action {
    Action::List(list, Change::Group(key.map(str::to_owned)))
}
