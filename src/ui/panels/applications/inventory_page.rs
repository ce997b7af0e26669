//! The page of an application that is not tracked: its details and its changes.

use egui::{ScrollArea, Ui};

use crate::ui::list::split::page_title_ui;
use crate::ui::panels::external;
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_inspector::action::InventoryAction;
use lunette_inspector::listing::rows::InventoryRow;
use lunette_inspector::{Action, State};

use super::{changes, labels};

/// Draws the page.
pub(super) fn ui(ui: &mut Ui, row: &InventoryRow, state: &State, actions: &mut Vec<Action>) {
    ScrollArea::vertical().id_salt("inventory page").auto_shrink(false).show(ui, |ui| {
        if page_title_ui(ui, &labels::application(&row.name), "Close the application") {
            actions.push(InventoryAction::Close.into());
        }
        match &row.external {
            Some(external) => external::page_body_ui(ui, external, state, actions),
            None => {
                ui.label(row.state.as_str());
                if !row.version.is_empty() {
                    ui.muted(&format!("Its version was {}.", shown_short(&row.version, 60)));
                }
                ui.add_space(SPACE_S);
                ui.label("The service no longer lists it.");
            }
        }
        changes::ui(ui, row, state, actions);
    });
}
