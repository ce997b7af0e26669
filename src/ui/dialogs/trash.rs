//! The Trash: deleted assets, to be restored or deleted permanently.
//!
//! What must hold: deleting permanently is confirmed first, with the number of assets; a disabled button says why.

use std::sync::Arc;

use egui::{Align, Context, Layout, Ui, vec2};

use lunette_client::model::trash::KEPT_DAYS;
use lunette_inspector::action::TrashAction;
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::capability::Capability;
use lunette_inspector::listing::rows::TrashRow;
use lunette_inspector::listing::{self, Listing};
use lunette_inspector::trash::MAX_ROWS;
use lunette_inspector::{Action, Remote, State};

use crate::ui::disabled_reason::{disabled_reason, enabled_unless, unsupported_ui};
use crate::ui::list::cells::{cell_ui, columns};
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::table::{Sort, Table, TableState};
use crate::ui::widgets::{buttons, dialog, grouped, shown_short};

/// Width of the dialog, in points.
const WIDTH: f32 = 860.0;
/// What the dialog needs of the window's height besides the rows, in points.
const RESERVED_HEIGHT: f32 = 300.0;

/// The dialog and its selection.
#[derive(Default)]
pub(in crate::ui) struct TrashDialog {
    table: TableState,
    marks: KeyedSelection<TrashRow>,
}

impl TrashDialog {
    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let trash = &state.trash;
        if !trash.open {
            return;
        }
        let listing = &trash.listing;
        self.marks.sync(listing, &mut self.table);
        let (close, outside) = dialog(ctx, "trash", "Trash", WIDTH, |ui| {
            ui.caption(&format!(
                "Deleted assets are kept here for {KEPT_DAYS} days. Restoring one brings back its content, links, history \
                 and scores."
            ));
            self.tools_ui(ui, state, actions);
            if states_ui(ui, state, actions) {
                self.rows_ui(ui, state, actions);
            }
            buttons(ui, |ui| {
                let close = ui.button("Close").clicked();
                empty_ui(ui, state, actions);
                close
            })
        });
        if close || outside {
            actions.push(TrashAction::Show(false).into());
        }
    }

    /// Draws the line above the list: the number of assets, and the buttons for the selected ones.
    fn tools_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let size = vec2(ui.available_width(), control(ui));
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            if ui.icon_button(Icon::REFRESH, "Refresh the Trash").clicked() {
                actions.push(TrashAction::Load.into());
            }
            let none = (self.marks.count() == 0).then(|| "Select assets in the list first".to_owned());
            let why_disabled = |capability| disabled_reason(state, capability).or_else(|| none.clone());
            let purge = |ui: &mut Ui| ui.button("Delete permanently…");
            if enabled_unless(ui, why_disabled(Capability::Purge).as_deref(), purge).clicked() {
                actions.push(TrashAction::Purge(self.selected(&state.trash.listing)).into());
            }
            let restore = |ui: &mut Ui| ui.icon_text_button(Icon::UNDO, "Restore");
            if enabled_unless(ui, why_disabled(Capability::Restore).as_deref(), restore).clicked() {
                actions.push(TrashAction::Restore(self.selected(&state.trash.listing)).into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.muted(&self.counted(state)));
        });
    }

    fn counted(&self, state: &State) -> String {
        let all = state.trash.listing.count();
        let mut message = match all {
            1 => "1 asset".to_owned(),
            MAX_ROWS => format!("The {} assets deleted last", grouped(all as u64)),
            _ => format!("{} assets", grouped(all as u64)),
        };
        if self.marks.count() > 0 {
            message.push_str(&format!(", {} selected", grouped(self.marks.count() as u64)));
        }
        if state.trash.listing.rows.loading() {
            message.push_str(", loading…");
        }
        message
    }

    /// Returns the selected assets in the order of the list.
    fn selected(&self, listing: &Listing<TrashRow>) -> NamedAssets {
        let rows = self.marks.rows(listing).into_iter();
        Arc::new(rows.map(|row| (row.asset.id(), row.name().into_owned())).collect())
    }

    fn rows_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let listing = &state.trash.listing;
        let mut chosen = None;
        let row = |index: usize| listing.shown(index);
        let key = |index: usize| row(index).map(|row| row.asset.id().to_string()).unwrap_or_default();
        let name = |index: usize| row(index).map(|row| shown_short(&row.name(), 120).into_owned()).unwrap_or_default();
        let number = |index: usize| listing.number(index);
        let height = ui.ctx().content_rect().height() - RESERVED_HEIGHT;
        let most = (height / theme::row(ui)).max(3.0) as usize;
        let columns = columns::<TrashRow>(WIDTH);
        let drawn = Table::new("Trash", &columns, listing.order.len(), &key)
            .row_name(&name)
            .number(&number)
            .at_most_rows(most)
            .row_menu(&mut |ui, _| chosen = menu_ui(ui, state).or(chosen))
            .show(ui, &mut self.table, |ui, index, column| {
                if let Some(row) = row(index) {
                    match columns[column].key {
                        "name" => _ = ui.label(shown_short(&row.name(), 120)),
                        key => cell_ui(ui, row, key),
                    }
                }
            });
        self.marks.record(listing, &self.table);
        match chosen {
            Some(Chosen::Restore) => actions.push(TrashAction::Restore(self.selected(listing)).into()),
            Some(Chosen::Purge) => actions.push(TrashAction::Purge(self.selected(listing)).into()),
            None => {}
        }
        if let Some(Sort { column, descending }) = drawn.sorted {
            actions.push(TrashAction::Sort(Some(listing::Sort { column, descending })).into());
        }
    }
}

/// What was chosen in the menu of the selected assets.
#[derive(Clone, Copy)]
enum Chosen {
    Restore,
    Purge,
}

/// Draws the menu of the selected assets.
fn menu_ui(ui: &mut Ui, state: &State) -> Option<Chosen> {
    let restore = disabled_reason(state, Capability::Restore);
    let purge = disabled_reason(state, Capability::Purge);
    let restore = Entry::new(Icon::UNDO, "Restore").disabled_reason(restore.as_deref()).show(ui);
    let purge = Entry::new(Icon::DELETE, "Delete permanently…").danger().disabled_reason(purge.as_deref()).show(ui);
    restore.then_some(Chosen::Restore).or(purge.then_some(Chosen::Purge))
}

/// Draws the placeholder for an empty list; returns whether there are rows to draw.
fn states_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
    if let Some(again) = unsupported_ui(ui, state, Capability::Trash) {
        if again {
            actions.push(TrashAction::Load.into());
        }
        return false;
    }
    match &state.trash.listing.rows {
        Remote::Failed { error, previous: None } => {
            if failure_ui(ui, "The Trash could not be read", error) {
                actions.push(TrashAction::Load.into());
            }
            false
        }
        Remote::NotRequested | Remote::Loading { previous: None } => {
            skeleton(ui, "the Trash", 5);
            false
        }
        rows => {
            if let Some(error) = rows.error()
                && stale_ui(ui, "The Trash", error)
            {
                actions.push(TrashAction::Load.into());
            }
            let any = rows.value().is_some_and(|rows| !rows.is_empty());
            if !any {
                empty(ui, Icon::EMPTY, "Trash is empty", "Deleted assets are kept here for 30 days.", &[]);
            }
            any
        }
    }
}

/// Draws the button that empties the Trash.
fn empty_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let trash = &state.trash;
    let nothing = (trash.listing.count() == 0).then(|| "The Trash is empty".to_owned());
    let under_way = trash.emptying.then(|| "The Trash is being emptied".to_owned());
    let why_disabled = disabled_reason(state, Capability::EmptyTrash).or(under_way).or(nothing);
    if enabled_unless(ui, why_disabled.as_deref(), |ui| ui.danger_button("Empty Trash…")).clicked() {
        actions.push(TrashAction::Empty.into());
    }
}
