//! The records of a kind, or those that are missing, and one of them as it was received.

use std::sync::Arc;

use egui::Ui;

use lunette_inspector::action::RescueAction;
use lunette_inspector::listing::Row as _;
use lunette_inspector::panel::Panel;
use lunette_inspector::rescue::Kind;
use lunette_inspector::rescue::window::{OpenRecord, ReceivedRecord, RescueRow, RowStatus, Shown};
use lunette_inspector::{Action, State};

use crate::ui::list::cells;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter, enter_page};
use crate::ui::list::split::{SplitPart, page_title_ui};
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use crate::ui::widgets::placeholder::{empty, skeleton_text};
use crate::ui::widgets::revision::Revision;
use crate::ui::widgets::{shown, shown_short};

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Records",
    table: "Records",
    reload: || Action::Refresh(Panel::Rescue),
    refresh: None,
    select: Some("Select several records to copy them"),
    rows: "records",
    noun: "records",
    icon: Icon::EMPTY,
    empty_title: "No records",
    empty_hint: "The service has none of this kind, or none was received yet.",
};

/// The list, and the page of the open record.
pub(super) struct Records {
    list: ListView<RescueRow>,
    tree: JsonTreeState,
    revision: Revision<ReceivedRecord>,
    /// The record that the tree is of.
    of: Option<(Kind, String)>,
}

impl Default for Records {
    fn default() -> Self {
        let (tree, revision, of) = Default::default();
        Self { list: ListView::new("Filter records"), tree, revision, of }
    }
}

impl Records {
    /// Draws the list, and the page of the open record beside it.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let open = state.rescue.open.as_ref();
        let Self { list, tree, revision, of } = self;
        let shown = open.map(|open| (open.kind, open.id.clone()));
        if *of != shown {
            (*of, *tree) = (shown, JsonTreeState::default());
        }
        let left =
            list.beside_page_ui(ui, state, open.is_some(), actions, |list, ui, part, actions| match (part, open) {
                (SplitPart::Page, Some(open)) => page_ui(ui, open, (tree, revision), state, actions),
                (SplitPart::Page, None) | (SplitPart::SecondPage, _) => {}
                (SplitPart::List, _) => list_ui(list, ui, state, actions),
            });
        if left {
            actions.push(RescueAction::Open(None).into());
        }
    }
}

fn list_ui(list: &mut ListView<RescueRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(shown) = state.rescue.shown else {
        empty(ui, Icon::RECORD, "Choose a kind", "Its records are shown here as they were received.", &[]);
        return;
    };
    if let Shown::Kind(kind) = shown {
        ui.horizontal(|ui| {
            ui.strong(kind.name());
            if !kind.is_stored() {
                ui.caption("kept as received: the built-in service has no place for them");
            }
            if ui.icon_text_button(Icon::SAVE, "Export…").on_hover_text("Writes them as one JSON file").clicked() {
                actions.push(RescueAction::Export(kind).into());
            }
        });
    } else {
        ui.strong("Missing or different");
    }
    let columns = cells::columns::<RescueRow>(ui.available_width());
    let frame = ListFrame { state, list: &state.rescue.list, texts: &TEXTS, columns: &columns };
    list.head_ui(ui, &frame, actions, |_, _| {});
    ui.add_space(SPACE_M);
    let painter = Painter { state };
    if let Some(row) = list.rows_ui(ui, &frame, &painter, actions) {
        actions.push(RescueAction::Open(Some(row.key())).into());
        enter_page(ui);
    }
}

fn page_ui(
    ui: &mut Ui,
    open: &OpenRecord,
    (tree, revision): (&mut JsonTreeState, &mut Revision<ReceivedRecord>),
    state: &State,
    actions: &mut Vec<Action>,
) {
    let row = state.rescue.list.iter().find(|row| row.has_key(&(open.kind, open.id.clone())));
    if page_title_ui(ui, row.map_or(&open.id, |row| row.title()), "Close the record") {
        actions.push(RescueAction::Open(None).into());
    }
    ui.caption(&format!("{} · {}", open.kind.name(), shown(&open.id)));
    match row.map(|row| &row.status) {
        Some(RowStatus::Missing(why) | RowStatus::Different(why)) => drop(ui.warning_text(why)),
        Some(RowStatus::StoredAs(here)) => drop(ui.caption(&format!("It was here before under the id {here}."))),
        _ => {}
    }
    ui.add_space(SPACE_S);
    let Some(record) = open.record.value() else {
        match open.record.error() {
            Some(why) => drop(ui.error_text(&format!("It cannot be shown: {why}."))),
            None => skeleton_text(ui, "the record", 8),
        }
        return;
    };
    if ui.icon_text_button(Icon::COPY, "Copy as received").clicked() {
        ui.ctx().copy_text(record.raw.clone());
    }
    let source = JsonSource { of: Arc::clone(record), tree: |record| &record.tree, revision: revision.of(record) };
    json_tree(ui, "Record as received", &source, tree, ui.available_height());
}

struct Painter<'a> {
    state: &'a State,
}

impl RowPainter<RescueRow> for Painter<'_> {
    fn name(&self, row: &RescueRow) -> String {
        format!("{}, {}", shown_short(row.title(), 120), row.status_text())
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, RescueRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match (key, &row.status) {
            ("name", _) => drop(ui.label(shown_short(row.title(), 120))),
            ("state", RowStatus::Missing(_) | RowStatus::Different(_)) => {
                drop(ui.colored_label(ui.tokens().warning, row.status_text()));
            }
            ("reason", _) => {
                drop(ui.muted(&shown_short(row.reason(), 200)).on_hover_text(shown_short(row.reason(), 400)))
            }
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, RescueRow>, actions: &mut Vec<Action>) {
        if Entry::new(Icon::RECORD, "Show as received").show(ui) {
            actions.push(RescueAction::Open(Some(row.key())).into());
        }
    }

    fn open(&self) -> Option<(Kind, String)> {
        self.state.rescue.open.as_ref().map(|open| (open.kind, open.id.clone()))
    }
}
