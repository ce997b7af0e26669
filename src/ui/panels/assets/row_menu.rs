//! The context menu of the asset list.
//!
//! What must hold: it offers the commands of the window with their keys and reasons; on a selected row it acts on the
//! whole selection.

use egui::Ui;

use crate::ui::command::{Command, entry_ui};
use crate::ui::focus;
use crate::ui::list::copy_as::{self, copy, entries_ui};
use crate::ui::list::list_view::ListRow;
use crate::ui::panels::compare::entries_ui as entries_ui_of_compare;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{entry, separator};
use lunette_inspector::action::AssetsAction;
use lunette_inspector::compare::Source;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, State};

/// The commands between copying and deleting.
const COMMANDS: [Command; 12] = [
    Command::Tag,
    Command::Website,
    Command::Summary,
    Command::Reclassify,
    Command::Score,
    Command::Export,
    Command::Favourite,
    Command::PinRecent,
    Command::Rename,
    Command::EditText,
    Command::ShowVersions,
    Command::ShowGraph,
];

/// Draws the menu of a row; returns the command to run for the asset, or for the selection.
pub fn ui(ui: &mut Ui, row: ListRow<'_, AssetRow>, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
    if !state.assets.selected.several() {
        return one_ui(ui, &row, state, actions);
    }
    menu_ui(ui, &row, state, actions, |ui, actions| {
        if let Some(kind) = entries_ui(ui) {
            copy(ui, kind, &row.marks.rows(row.list), "assets", actions);
        }
        None
    })
}

/// Draws the menu of one asset; returns the command to run for it.
pub fn one_ui(ui: &mut Ui, row: &AssetRow, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
    menu_ui(ui, row, state, actions, |ui, actions| {
        copy_as::entry_ui(ui, "name", Some(&row.name().to_owned()), actions);
        command_ui(ui, Command::CopyId, row, state)
    })
}

/// Draws a menu, with these entries for copying.
fn menu_ui(
    ui: &mut Ui,
    row: &AssetRow,
    state: &State,
    actions: &mut Vec<Action>,
    copy_ui: impl FnOnce(&mut Ui, &mut Vec<Action>) -> Option<Command>,
) -> Option<Command> {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(AssetsAction::Open(row.id()).into());
        focus::enter_page(ui.ctx());
    }
    let one = !state.assets.selected.several();
    let beside = one && command_ui(ui, Command::OpenBeside, row, state).is_some();
    separator(ui);
    let mut chosen = copy_ui(ui, actions).or(beside.then_some(Command::OpenBeside));
    separator(ui);
    for command in COMMANDS {
        chosen = command_ui(ui, command, row, state).or(chosen);
    }
    if state.assets.selected.several() {
        chosen = command_ui(ui, Command::Compare, row, state).or(chosen);
    } else {
        entries_ui_of_compare(ui, &|| Source::Asset(row.id(), row.name().to_owned()), state, actions);
    }
    separator(ui);
    command_ui(ui, Command::Delete, row, state).or(chosen)
}

fn command_ui(ui: &mut Ui, command: Command, row: &AssetRow, state: &State) -> Option<Command> {
    let title = command.title_for_row(row, state);
    let disabled_reason = command.row_disabled_reason(&row.id(), state);
    entry_ui(ui, command, &title, disabled_reason.as_ref(), state).then_some(command)
}
