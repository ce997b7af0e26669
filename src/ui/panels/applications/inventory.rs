//! The applications of all lists as a table or as cards, with their changes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use egui::Ui;

use crate::ui::app_icon;
use crate::ui::format;
use crate::ui::list::cells::columns;
use crate::ui::list::copy_as;
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::split::SplitPart;
use crate::ui::list::states::{Drawn, ListTexts, states_ui};
use crate::ui::panels::compare;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::{grouped, shown_short};
use lunette_inspector::action::{ApplicationsAction, GraphAction, InventoryAction};
use lunette_inspector::filter::{Flag, List, parse};
use lunette_inspector::graph::Start;
use lunette_inspector::inventory::Shown;
use lunette_inspector::listing::rows::{ApplicationRow, InventoryRow, Usage};
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::board::Board;
use super::page::ApplicationPageView;
use super::{head, inventory_page, labels};

/// The list and its view state.
pub(super) struct InventoryList {
    list: ListView<InventoryRow>,
    head: Head,
    board: Board,
}

/// What is above the rows besides the filter.
#[derive(Default)]
struct Head {
    /// The typed day.
    day: String,
    /// The last handled request for the filter for changes.
    changed_seen: u64,
}

impl Default for InventoryList {
    fn default() -> Self {
        let (head, board) = Default::default();
        Self { list: ListView::new("Filter applications"), head, board }
    }
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Applications",
    table: "Applications of all lists",
    reload: || Action::Refresh(Panel::Applications),
    refresh: None,
    select: Some("Select several applications to copy them"),
    rows: "applications",
    noun: "applications",
    icon: Icon::EMPTY,
    empty_title: "No applications are known",
    empty_hint: "The service tracks no applications, found none on this machine, and knows no integrations.",
};

impl InventoryList {
    /// Draws the list and the page of the open application.
    pub fn ui(&mut self, ui: &mut Ui, view: &mut ApplicationPageView, state: &State, actions: &mut Vec<Action>) {
        let open = open_row(state);
        let Self { list, head, board } = self;
        let left =
            list.beside_page_ui(ui, state, open.is_some(), actions, |list, ui, part, actions| match (part, open) {
                (SplitPart::Page, Some(row)) => match &state.applications.open {
                    Some(page) if row.tracked.is_some() => view.ui(ui, page, state, actions),
                    _ => inventory_page::ui(ui, row, state, actions),
                },
                (SplitPart::Page | SplitPart::SecondPage, _) => {}
                (SplitPart::List, _) => list_ui(list, ui, (head, board), state, actions),
            });
        if left {
            actions.push(InventoryAction::Close.into());
        }
    }

    /// Returns what was shown in the last frame.
    pub(super) fn in_view(&self) -> &InView {
        &self.list.in_view
    }
}

fn list_ui(
    list: &mut ListView<InventoryRow>,
    ui: &mut Ui,
    (head, board): (&mut Head, &mut Board),
    state: &State,
    actions: &mut Vec<Action>,
) {
    let as_cards = state.inventory.shown == Shown::Board;
    let columns = if as_cards { Vec::new() } else { columns::<InventoryRow>(ui.available_width()) };
    let frame = ListFrame { state, list: &state.inventory.list, texts: &TEXTS, columns: &columns };
    list.head_ui(ui, &frame, actions, |ui, actions| {
        if ui.icon_button(Icon::REFRESH, "Refresh the applications").clicked() {
            actions.extend([Action::Refresh(Panel::Applications), Action::Refresh(Panel::External)]);
        }
    });
    head.ui(ui, &mut list.filter, state, actions);
    head::problems_ui(ui, state, actions);
    let painter = Painter { state, seen: RefCell::default() };
    if as_cards {
        // Cards are not selected in the table.
        list.marks.sync(frame.list, &mut list.table);
        match states_ui(ui, &frame, &painter, actions) {
            Drawn::Rows => list.in_view.focused = board.ui(ui, state, &mut painter.seen.borrow_mut(), actions),
            Drawn::Cleared => list.filter.clear(actions),
            Drawn::Placeholder => {}
        }
    } else if let Some(row) = list.rows_ui(ui, &frame, &painter, actions) {
        actions.push(InventoryAction::Open(row.key.clone()).into());
    }
    let seen = painter.seen.into_inner();
    if !seen.is_empty() {
        actions.push(InventoryAction::MarkSeen(seen).into());
    }
}

impl Head {
    /// Draws the choice of the view, the chips that filter, and the start of the shown changes.
    fn ui(&mut self, ui: &mut Ui, filter: &mut FilterField, state: &State, actions: &mut Vec<Action>) {
        ui.horizontal_wrapped(|ui| {
            head::shown_ui(ui, state, actions);
            let mut toggled = head::lists_ui(ui, state, filter.text());
            let on = head::has_term(filter.text(), Flag::Changed);
            if head::since_ui(ui, state, on, &mut self.day, actions) {
                toggled = Some(Flag::Changed);
            }
            let asked = std::mem::replace(&mut self.changed_seen, state.inventory.changed_requests);
            if asked < state.inventory.changed_requests {
                // A typed filter would hide some of them.
                filter.clear(actions);
                toggled = Some(Flag::Changed);
            }
            if let Some(flag) = toggled {
                match parse(&head::with_term_toggled(filter.text(), flag), List::Inventory) {
                    Ok(changed) => filter.set_filter(&changed, actions),
                    Err(_) => filter.clear(actions),
                }
            }
        });
        ui.add_space(SPACE_S);
    }
}

struct Painter<'a> {
    state: &'a State,
    /// The keys of the rows whose changes are seen for the first time.
    seen: RefCell<BTreeSet<String>>,
}

impl RowPainter<InventoryRow> for Painter<'_> {
    fn name(&self, row: &InventoryRow) -> String {
        labels::application(&row.name)
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, InventoryRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "name" => {
                if self.state.inventory.is_unseen(&row) {
                    self.seen.borrow_mut().insert(row.key.clone());
                }
                app_icon::named_ui(ui, app_icon::path_of(&row), &self.name(&row), self.state);
            }
            "state" => {
                let color = labels::state_color(ui.tokens(), row.state);
                ui.colored_label(color, row.state.as_str());
            }
            "change" => {
                if let Some(change) = &row.change {
                    let at = change.at.to_string();
                    let text = format!("{}, {}", shown_short(&change.description, 80), format::ago(&at));
                    ui.colored_label(ui.tokens().warning, text).on_hover_text(format::exact(&at));
                }
            }
            "used" => used_ui(ui, row.used),
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, InventoryRow>, actions: &mut Vec<Action>) {
        menu_ui(ui, &row, self.state, actions);
    }

    fn open(&self) -> Option<String> {
        open_row(self.state).map(|row| row.key.clone())
    }

    fn subject(&self, row: &Arc<InventoryRow>) -> Option<Subject> {
        subject(row)
    }
}

/// Returns the row of the open page: that of a tracked application closes with its record.
fn open_row(state: &State) -> Option<&InventoryRow> {
    let row = state.inventory.open_row()?;
    (row.tracked.is_none() || state.applications.open.is_some()).then_some(row)
}

/// Returns what commands act on in a row: the tracked application, or what is only compared.
pub(super) fn subject(row: &InventoryRow) -> Option<Subject> {
    Some(match &row.tracked {
        Some(tracked) => Subject::Application { id: tracked.id.clone(), name: labels::application(&row.name) },
        None => Subject::Joined(Arc::new(row.clone())),
    })
}

/// Draws the context menu of an application.
pub(super) fn menu_ui(ui: &mut Ui, row: &InventoryRow, state: &State, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(InventoryAction::Open(row.key.clone()).into());
    }
    compare::entries_ui(ui, &|| compare::of_inventory(row), state, actions);
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&row.name), actions);
    copy_as::entry_ui(ui, "version", Some(&row.version).filter(|version| !version.is_empty()), actions);
    if let Some(tracked) = &row.tracked {
        copy_as::entry_ui(ui, "id", Some(&tracked.id), actions);
        graph_entry_ui(ui, tracked, actions);
        if entry(ui, Icon::APPLICATIONS, "Show in tracked applications") {
            actions.push(InventoryAction::Show(Shown::Tracked).into());
            actions.push(ApplicationsAction::Open(tracked.id.clone()).into());
        }
    }
}

/// Draws the entry that shows the graph of a tracked application.
pub(super) fn graph_entry_ui(ui: &mut Ui, row: &ApplicationRow, actions: &mut Vec<Action>) {
    if entry(ui, Icon::GRAPH, "Show graph") {
        let start = Start::application(&row.id, &labels::application(&row.name));
        actions.push(GraphAction::Start(vec![start]).into());
    }
}

/// Draws the usage of an application; draws nothing if it is unknown, which is not zero.
fn used_ui(ui: &mut Ui, used: Option<Usage>) {
    let Some(used) = used else { return };
    let Usage { sessions, open_seconds, .. } = used;
    let events = grouped(used.events());
    let tip = format!("{} sessions, {} minutes open, {events} events", grouped(sessions), grouped(open_seconds / 60));
    ui.label(events).on_hover_text(tip);
}
