//! The changes of one asset in the history of this connection, newest first, each with Undo if possible.

use egui::{Align, Layout, ScrollArea, Ui};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::panels::history::labels::{status, status_color, status_icon, undo_disabled_reason};
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{HistoryAction, NavigationAction};
use lunette_inspector::history::EntryStatus;
use lunette_inspector::journal::{Entry, EntryKind, EntryRelation};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::frame::AssetFrame;

/// Maximum number of changes listed; the others are in the history.
const MAX_ENTRIES: usize = 50;

/// Height of a change, in points.
const ROW_HEIGHT: f32 = 30.0;

/// Maximum number of changes visible at once; the others are scrolled to.
const VISIBLE_ROWS: usize = 5;

/// Draws the changes, if there are any.
pub fn ui(ui: &mut Ui, frame: &mut AssetFrame<'_>) {
    let steps: Vec<&Entry> = entries_of_asset(frame.id, frame.state).take(MAX_ENTRIES).collect();
    if steps.is_empty() {
        return;
    }
    ui.section_title("Changes you can undo or look up");
    let height = steps.len().min(VISIBLE_ROWS) as f32 * (ROW_HEIGHT + ui.spacing().item_spacing.y);
    ScrollArea::vertical().id_salt("steps of the asset").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        for entry in steps {
            ui.push_id(entry.id, |ui| entry_ui(ui, entry, frame.state, frame.actions));
        }
    });
    ui.add_space(SPACE_S);
    ui.section_title("Activity");
}

/// Returns the single entries that changed an asset, newest first.
fn entries_of_asset<'a>(id: &'a AssetId, state: &'a State) -> impl Iterator<Item = &'a Entry> {
    let entries = state.history.entries.iter().rev().map(AsRef::as_ref);
    entries.filter(move |entry: &&Entry| match &entry.kind {
        EntryKind::Change(change) => change.asset() == id,
        EntryKind::Batch { .. } | EntryKind::Call { .. } => false,
    })
}

fn entry_ui(ui: &mut Ui, entry: &Entry, state: &State, actions: &mut Vec<Action>) {
    let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        let title = shown_short(&entry.title, 120).into_owned();
        let show = ui.line_button("Details").accessible_name(format!("Details of {title}"));
        if show.clicked() {
            actions.extend([
                Action::History(HistoryAction::Select(Some(entry.id))),
                Action::Navigation(NavigationAction::Show(Panel::History)),
            ]);
        }
        // An undo is itself undone by Redo, in the history.
        if entry.answers == EntryRelation::None && !entry.undone {
            let why_disabled = undo_disabled_reason(entry, state);
            let undo = enabled_unless(ui, why_disabled.as_deref(), |ui| ui.line_button("Undo"));
            if undo.accessible_name(format!("Undo {title}")).clicked() {
                actions.push(HistoryAction::UndoStep(entry.id).into());
            }
        }
        let at = entry.at.to_string();
        ui.caption(&format::ago(&at)).on_hover_text(format::exact(&at));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let standing = EntryStatus::of(entry, &state.history, &state.bulk.runs);
            let sign = status_icon(standing).text().color(status_color(standing, ui.tokens()));
            let sign = ui.label(sign).on_hover_text(status(entry, state).into_owned());
            sign.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, status(entry, state)));
            ui.add(egui::Label::new(&title).truncate());
        });
    });
}
