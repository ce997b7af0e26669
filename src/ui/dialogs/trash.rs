//! The Trash: deleted assets, to be restored or deleted permanently.
//!
//! What must hold: deleting permanently is confirmed first, with the number of assets; a disabled button says why.

use std::sync::Arc;

use egui::{Align, Context, Layout, Ui, vec2};

use lunette_client::model::trash::KEPT_DAYS;
use lunette_inspector::action::TrashAction;
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::capability::Capability;
use lunette_inspector::listing::Listing;
use lunette_inspector::listing::rows::TrashRow;
use lunette_inspector::trash::MAX_ROWS;
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::{disabled_reason, enabled_unless, unsupported_ui};
use crate::ui::list::cells::columns;
use crate::ui::list::keyed_selection::KeyedSelection;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::{buttons, dialog, grouped, plural, shown_short};

/// Width of the dialog, in points.
const WIDTH: f32 = 860.0;
/// What the dialog needs of the window's height besides the rows, in points.
const RESERVED_HEIGHT: f32 = 340.0;

/// The dialog and its selection.
pub(in crate::ui) struct TrashDialog(ListView<TrashRow>);

impl Default for TrashDialog {
    fn default() -> Self {
        Self(ListView::new("Filter deleted assets"))
    }
}

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Trash",
    table: "Trash",
    reload: || TrashAction::Load.into(),
    refresh: None,
    select: None,
    rows: "deleted assets",
    noun: "deleted assets",
    icon: Icon::EMPTY,
    empty_title: "Trash is empty",
    empty_hint: "Deleted assets are kept here for 30 days.",
};

impl TrashDialog {
    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let trash = &state.trash;
        if !trash.open {
            return;
        }
        self.0.marks.sync(&trash.listing, &mut self.0.table);
        let (close, outside) = dialog(ctx, "trash", "Trash", WIDTH, |ui| {
            ui.caption(&format!(
                "Deleted assets are kept here for {KEPT_DAYS} days. Restoring one brings back its content, links, history \
                 and scores."
            ));
            self.tools_ui(ui, state, actions);
            match unsupported_ui(ui, state, Capability::Trash) {
                Some(again) => actions.extend(again.then(TEXTS.reload)),
                None => self.rows_ui(ui, state, actions),
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
            let none = (self.0.marks.count() == 0).then(|| "Select assets in the list first".to_owned());
            let why_disabled = |capability| disabled_reason(state, capability).or_else(|| none.clone());
            let purge = |ui: &mut Ui| ui.button("Delete permanently…");
            if enabled_unless(ui, why_disabled(Capability::Purge).as_deref(), purge).clicked() {
                actions.push(TrashAction::Purge(selected(&self.0.marks, &state.trash.listing)).into());
            }
            let restore = |ui: &mut Ui| ui.icon_text_button(Icon::UNDO, "Restore");
            if enabled_unless(ui, why_disabled(Capability::Restore).as_deref(), restore).clicked() {
                actions.push(TrashAction::Restore(selected(&self.0.marks, &state.trash.listing)).into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.muted(&self.counted(state)));
        });
    }

    fn rows_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let columns = columns::<TrashRow>(WIDTH);
        let frame = ListFrame { state, list: &state.trash.listing, texts: &TEXTS, columns: &columns };
        if frame.list.count() > 0 {
            self.0.filter.ui(ui, state, f32::INFINITY, "", actions);
            self.0.filter.fault_ui(ui, actions);
        }
        self.0.in_dialog_ui(ui, &frame, &Painter(state), actions);
    }

    fn counted(&self, state: &State) -> String {
        let all = state.trash.listing.count();
        let mut message = match all {
            MAX_ROWS => format!("The {} assets deleted last", grouped(all as u64)),
            _ => plural(all, "asset"),
        };
        if self.0.marks.count() > 0 {
            message.push_str(&format!(", {} selected", grouped(self.0.marks.count() as u64)));
        }
        if state.trash.listing.rows.loading() {
            message.push_str(", loading…");
        }
        message
    }
}

struct Painter<'a>(&'a State);

impl RowPainter<TrashRow> for Painter<'_> {
    const OPENS: bool = false;

    fn name(&self, row: &TrashRow) -> String {
        shown_short(&row.name(), 120).into_owned()
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, TrashRow>, key: &str, _: &mut Vec<Action>) -> bool {
        if key == "name" {
            ui.label(shown_short(&row.name(), 120));
        }
        key == "name"
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, TrashRow>, actions: &mut Vec<Action>) {
        let restore = disabled_reason(self.0, Capability::Restore);
        if Entry::new(Icon::UNDO, "Restore").disabled_reason(restore.as_deref()).show(ui) {
            actions.push(TrashAction::Restore(selected(row.marks, row.list)).into());
        }
        let purge = disabled_reason(self.0, Capability::Purge);
        if Entry::new(Icon::DELETE, "Delete permanently…").danger().disabled_reason(purge.as_deref()).show(ui) {
            actions.push(TrashAction::Purge(selected(row.marks, row.list)).into());
        }
    }

    fn most_rows(&self, ui: &Ui) -> Option<usize> {
        let height = ui.ctx().content_rect().height() - RESERVED_HEIGHT;
        Some((height / theme::row(ui)).max(3.0) as usize)
    }
}

/// Returns the selected assets in the order of the list.
fn selected(marks: &KeyedSelection<TrashRow>, list: &Listing<TrashRow>) -> NamedAssets {
    Arc::new(marks.rows(list).into_iter().map(|row| (row.asset.id(), row.name().into_owned())).collect())
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
