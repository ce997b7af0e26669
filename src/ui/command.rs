//! The commands of the window: everything that can be started from the palette, a menu, a key or a button.
//!
//! What must hold: palette, menu, shortcuts, tooltips and help sheet are generated from [`Command::ALL`]; a disabled
//! command says why; custom keys are stored under the name of the command, and a stored text that cannot be parsed is
//! ignored but not lost.

mod availability;
mod compare;
mod execute;
mod input;
mod item;
mod keys;
mod menu;
mod row;
mod selected;
mod shortcuts;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod title;

use egui::{Id, Response};

use lunette_inspector::State;
use lunette_inspector::panel::Panel;

use crate::ui::panels::info::info;

pub use keys::Keys;
pub use table::Command;

pub(super) use execute::{AssetRequest, UiRequest};
pub(super) use input::{pressed_commands, sync_zoom};
pub(super) use menu::{entry_ui, ui as menu_ui};
pub(super) use row::delete_name;
pub(super) use shortcuts::{bind, command_with_keys, is_changed, keys_of, reset, reset_all};
pub(super) use target::{CommandTarget, Naming, target};

/// The groups of the menu and of the help sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the part of its name")]
pub enum Group {
    File,
    Edit,
    View,
    Go,
    Asset,
    Service,
    Help,
}

impl Group {
    /// All groups, in the order of the menu.
    pub const ALL: [Self; 7] = [Self::File, Self::Edit, Self::View, Self::Go, Self::Asset, Self::Service, Self::Help];

    /// Returns the name of the group.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Go => "Go",
            Self::Asset => "Asset",
            Self::Service => "Service",
            Self::Help => "Help",
        }
    }

    /// Returns the commands of the group.
    pub fn commands(self) -> impl Iterator<Item = Command> {
        Command::ALL.iter().copied().filter(move |command| command.row().group == self)
    }
}

/// Where a command applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere.
    Always,
    /// While a row or a page is in view that it acts on: mostly an asset.
    Asset,
    /// While a list that can be filtered is shown.
    List,
}

impl Command {
    /// Returns the command with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|command| command.row().name == name)
    }

    /// Returns its keys as one text, the first one first; empty if it has none.
    pub fn keys_shown(self, state: &State) -> String {
        keys_of(self, &state.preferences.settings.look).first().map(|keys| keys.display()).unwrap_or_default()
    }

    /// Returns what it does, with its keys, and what these act on now.
    pub fn tooltip(self, state: &State) -> String {
        let keys = self.keys_shown(state);
        match self.title_for_target(state, Naming::Name).filter(|_| !keys.is_empty()) {
            Some(title) => format!("{}\n{keys}: {title}", self.row().tip),
            None => self.with_keys(self.row().tip, state),
        }
    }

    /// Returns a text followed by the keys of the command.
    pub fn with_keys(self, text: &str, state: &State) -> String {
        match self.keys_shown(state) {
            keys if keys.is_empty() => text.to_owned(),
            keys => format!("{text} ({keys})"),
        }
    }

    /// Shows on hover of a control what this command does and its keys.
    pub(super) fn on(self, response: Response, state: &State) -> Response {
        response.on_hover_text(self.tooltip(state))
    }

    /// Returns the command that shows a panel.
    pub fn of_panel(panel: Panel) -> Self {
        info(panel).command
    }
}

/// Returns the id of the filter field of a panel, for giving it the keyboard.
pub(super) fn filter_field(panel: Panel) -> Id {
    Id::unique(("filter", panel.name()))
}
