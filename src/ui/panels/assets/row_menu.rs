//! The context menu of the asset list.
//!
//! What must hold: it offers the commands of the window with their keys and reasons; on a selected row it acts on the
//! whole selection.

use egui::Ui;

use crate::ui::command::{Command, entry_ui};
use crate::ui::list::copy_as::{CopyAs, entries_ui};
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{entry, separator};
use lunette_inspector::State;
use lunette_inspector::listing::rows::AssetRow;

/// What was chosen in the menu of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// Open the asset.
    Open,
    /// Copy its name.
    CopyName,
    /// Copy the selected rows.
    Copy(CopyAs),
    /// Run a command for the asset, or for the selection.
    Command(Command),
}

/// The commands between copying and deleting.
const COMMANDS: [Command; 10] = [
    Command::Tag,
    Command::Website,
    Command::Summary,
    Command::Reclassify,
    Command::Score,
    Command::Export,
    Command::Favourite,
    Command::Rename,
    Command::EditText,
    Command::ShowGraph,
];

/// Draws the menu of a row; returns what was chosen.
pub fn ui(ui: &mut Ui, row: &AssetRow, state: &State) -> Option<Chosen> {
    let several = state.assets.selected.several();
    let mut chosen = entry(ui, Icon::SHOWN, "Open").then_some(Chosen::Open);
    separator(ui);
    if several {
        chosen = chosen.or(entries_ui(ui).map(Chosen::Copy));
    } else {
        if entry(ui, Icon::COPY, "Copy name") {
            chosen = Some(Chosen::CopyName);
        }
        chosen = command_ui(ui, Command::CopyId, row, state).or(chosen);
    }
    separator(ui);
    for command in COMMANDS {
        chosen = command_ui(ui, command, row, state).or(chosen);
    }
    separator(ui);
    command_ui(ui, Command::Delete, row, state).or(chosen)
}

fn command_ui(ui: &mut Ui, command: Command, row: &AssetRow, state: &State) -> Option<Chosen> {
    let title = command.title_for_row(row, state);
    let disabled_reason = command.row_disabled_reason(&row.id(), state);
    entry_ui(ui, command, &title, disabled_reason.as_ref(), state).then_some(Chosen::Command(command))
}
