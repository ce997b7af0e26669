//! The list of tracked applications.

use std::sync::Arc;

use egui::Ui;

use lunette_inspector::action::ApplicationsAction;
use lunette_inspector::listing::rows::ApplicationRow;
use lunette_inspector::navigation::in_view::{InView, Subject};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use crate::ui::app_icon;
use crate::ui::list::cells::columns;
use crate::ui::list::copy_as;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::split::SplitPart;
use crate::ui::list::states::ListTexts;
use crate::ui::panels::compare;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::shown_short;

use super::head::shown_ui;
use super::inventory::graph_entry_ui;
use super::labels;
use super::page::ApplicationPageView;

/// The list and its view state.
pub(super) struct TrackedList(ListView<ApplicationRow>);

impl Default for TrackedList {
    fn default() -> Self {
        Self(ListView::new("Filter applications"))
    }
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Applications",
    table: "Applications",
    reload: || Action::Refresh(Panel::Applications),
    refresh: Some("Refresh the applications"),
    select: Some("Select several applications to copy them"),
    rows: "applications",
    noun: "applications",
    icon: Icon::EMPTY,
    empty_title: "No applications are tracked yet",
    empty_hint: "Track an installed application under External, or register one under Operations.",
};

impl TrackedList {
    /// Draws the list and the page of the open application.
    pub fn ui(&mut self, ui: &mut Ui, view: &mut ApplicationPageView, state: &State, actions: &mut Vec<Action>) {
        let page = state.applications.open.as_ref();
        let left =
            self.0.beside_page_ui(ui, state, page.is_some(), actions, |list, ui, part, actions| match (part, page) {
                (SplitPart::Page, Some(page)) => view.ui(ui, page, state, actions),
                (SplitPart::Page | SplitPart::SecondPage, _) => {}
                (SplitPart::List, _) => list_ui(list, ui, state, actions),
            });
        if left {
            actions.push(ApplicationsAction::Close.into());
        }
    }

    /// Returns what was shown in the last frame.
    pub(super) fn in_view(&self) -> &InView {
        &self.0.in_view
    }
}

fn list_ui(list: &mut ListView<ApplicationRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let columns = &columns::<ApplicationRow>(ui.available_width());
    let frame = ListFrame { state, list: &state.applications.list, texts: &TEXTS, columns };
    list.head_ui(ui, &frame, actions, |_, _| {});
    shown_ui(ui, state, actions);
    ui.add_space(SPACE_S);
    if let Some(row) = list.rows_ui(ui, &frame, &Painter(state), actions) {
        actions.push(ApplicationsAction::Open(row.id.clone()).into());
    }
}

struct Painter<'a>(&'a State);

impl RowPainter<ApplicationRow> for Painter<'_> {
    fn name(&self, row: &ApplicationRow) -> String {
        labels::application(&row.name)
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, ApplicationRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "name" => app_icon::named_ui(ui, app_icon::path_of_tracked(self.0, &row.id), &self.name(&row), self.0),
            "status" => {
                let color = labels::status_color(ui.tokens(), &row.status);
                ui.colored_label(color, shown_short(&row.status, 40));
            }
            "active" if row.status == labels::OPEN => _ = ui.label("now"),
            "active" if row.last_active.is_none() && row.sessions.is_some() => _ = ui.muted("never"),
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, ApplicationRow>, actions: &mut Vec<Action>) {
        if entry(ui, Icon::SHOWN, "Open") {
            actions.push(ApplicationsAction::Open(row.id.clone()).into());
        }
        graph_entry_ui(ui, &row, actions);
        compare::entries_ui(ui, &|| compare::of_application(&row), self.0, actions);
        separator(ui);
        copy_as::entry_ui(ui, "name", Some(&row.name), actions);
        copy_as::entry_ui(ui, "id", Some(&row.id), actions);
    }

    fn open(&self) -> Option<String> {
        self.0.applications.open.as_ref().map(|page| page.id.clone())
    }

    fn subject(&self, row: &Arc<ApplicationRow>) -> Option<Subject> {
        Some(Subject::Application { id: row.id.clone(), name: labels::application(&row.name) })
    }
}
