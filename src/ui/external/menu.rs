//! The context menu of an external application.

use egui::Ui;

use super::track;
use crate::app::listing::rows::ExternalRow;
use crate::app::session::feature::Feature;
use crate::app::{Action, State};
use crate::ui::copies;
use crate::ui::obstacle::obstacle;
use crate::ui::theme::Icon;
use crate::ui::widget::context_menu::{Entry, entry, separator};

/// Draws the menu.
pub(super) fn ui(ui: &mut Ui, row: &ExternalRow, tracked: bool, state: &State, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(Action::OpenExternal(Some(row.key())));
    }
    if !tracked {
        let reason = obstacle(state, Feature::Track).or_else(|| row.track_obstacle().map(str::to_owned));
        if Entry::new(Icon::ADD, "Track…").obstacle(reason.as_deref()).show(ui) {
            actions.push(track(row));
        }
    }
    separator(ui);
    copies::entry_ui(ui, "name", Some(&row.name), actions);
    copies::entry_ui(ui, "version", Some(&row.version).filter(|version| !version.is_empty()), actions);
    copies::entry_ui(ui, "path", row.path.as_ref(), actions);
}
