//! The changes of one asset that this connection knows of, newest first, each with Undo where that is possible.

use egui::{Align, Layout, ScrollArea, Ui};

use crate::app::journal::{Entry, EntryKind, EntryRelation};
use crate::app::state::Panel;
use crate::app::{Action, State};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::panels::history::words::{EntryStatus, status, undo_obstacle};
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_client::model::id::AssetId;

/// So many changes are listed; the rest is in the history.
const MOST: usize = 50;

/// Height of a change, in points.
const ROW: f32 = 30.0;

/// So many are seen at once; the rest is scrolled to.
const SEEN: usize = 5;

/// Draws the changes, if there are any.
pub fn ui(ui: &mut Ui, id: &AssetId, state: &State, actions: &mut Vec<Action>) {
    let steps: Vec<&Entry> = of_asset(id, state).take(MOST).collect();
    if steps.is_empty() {
        return;
    }
    ui.section_title("Changes you can undo or look up");
    let height = steps.len().min(SEEN) as f32 * (ROW + ui.spacing().item_spacing.y);
    ScrollArea::vertical().id_salt("steps of the asset").max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        for entry in steps {
            ui.push_id(entry.id, |ui| step_ui(ui, entry, state, actions));
        }
    });
    ui.add_space(SPACE_S);
    ui.section_title("Activity");
}

/// The single steps that changed an asset, newest first.
fn of_asset<'a>(id: &'a AssetId, state: &'a State) -> impl Iterator<Item = &'a Entry> {
    let entries = state.history.entries.iter().rev().map(AsRef::as_ref);
    entries.filter(move |entry: &&Entry| match &entry.deed {
        EntryKind::Change(change) => change.asset() == id,
        EntryKind::Batch { .. } | EntryKind::Call { .. } => false,
    })
}

fn step_ui(ui: &mut Ui, entry: &Entry, state: &State, actions: &mut Vec<Action>) {
    let size = egui::vec2(ui.available_width(), ROW);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        let title = shown_short(&entry.title, 120).into_owned();
        let show = ui.line_button("Details").accessible_name(format!("Details of {title}"));
        if show.clicked() {
            actions.extend([Action::SelectStep(Some(entry.id)), Action::Show(Panel::History)]);
        }
        // What undid another step is undone by doing that again, in the history.
        if entry.answers == EntryRelation::Nothing && !entry.undone {
            let held = undo_obstacle(entry, state);
            let undo = enabled_unless(ui, held.as_deref(), |ui| ui.line_button("Undo"));
            if undo.accessible_name(format!("Undo {title}")).clicked() {
                actions.push(Action::UndoStep(entry.id));
            }
        }
        let at = entry.at.to_string();
        ui.caption(&format::ago(&at)).on_hover_text(format::exact(&at));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let standing = EntryStatus::of(entry, state);
            let sign = standing.icon().text().color(standing.color(ui.tokens()));
            ui.label(sign).on_hover_text(status(entry, state).into_owned());
            ui.add(egui::Label::new(&title).truncate());
        });
    });
}
