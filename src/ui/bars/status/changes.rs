//! The word of the status bar that applications changed.

use egui::Ui;

use super::small_button;
use crate::app::action::{InventoryAction, NavigationAction};
use crate::app::inventory::Shown;
use crate::app::navigation::Panel;
use crate::app::{Action, State};
use crate::ui::widgets::grouped;

/// Draws that applications changed, until somebody looks.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let words = match state.inventory.unseen {
        0 => return,
        1 => "1 change of applications".to_owned(),
        count => format!("{} changes of applications", grouped(count as u64)),
    };
    if small_button(ui, &words, &words).on_hover_text("Shows all applications with their changes").clicked() {
        actions.extend([
            Action::Navigation(NavigationAction::Show(Panel::Applications)),
            Action::Inventory(InventoryAction::Show(Shown::All)),
        ]);
    }
}
