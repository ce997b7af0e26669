//! The context menu of an external application.

use egui::Ui;

use super::track;
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::list::copy_as;
use crate::ui::panels::compare;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use lunette_inspector::action::ApplicationsAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::listing::Row as _;
use lunette_inspector::listing::rows::ExternalRow;
use lunette_inspector::{Action, State};

/// Draws the menu.
pub(super) fn ui(ui: &mut Ui, row: &ExternalRow, tracked: bool, state: &State, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(ApplicationsAction::OpenExternal(Some(row.key())).into());
    }
    if !tracked {
        let reason = disabled_reason(state, Capability::Track).or_else(|| row.why_not_trackable().map(str::to_owned));
        if Entry::new(Icon::ADD, "Track…").disabled_reason(reason.as_deref()).show(ui) {
            actions.push(track(row));
        }
    }
    compare::entries_ui(ui, &|| compare::of_external(row), state, actions);
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&row.name), actions);
    copy_as::entry_ui(ui, "version", Some(&row.version).filter(|version| !version.is_empty()), actions);
    copy_as::entry_ui(ui, "path", row.path.as_ref(), actions);
}
