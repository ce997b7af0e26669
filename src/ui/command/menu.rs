//! The menu of the window: every command in its group, with its keys, and with the reason if it is disabled.

use egui::containers::menu::MenuButton;
use egui::{Button, Ui};

use super::availability::DisabledReason;
use super::target::target;
use super::title::is_favourite;
use super::{Command, Group};
use crate::ui::widgets::context_menu::Entry;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Theme;
use lunette_inspector::{State, WritePolicy};

/// Width of a submenu, in points.
const WIDTH: f32 = 290.0;

/// Draws the button that opens the menu; returns its rectangle and the command that was chosen.
pub(in crate::ui) fn ui(ui: &mut Ui, button: Button<'_>, state: &State) -> (egui::Rect, Option<Command>) {
    let mut chosen = None;
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_min_width(120.0);
        for group in Group::ALL {
            let part = ui.menu_button(group.name(), |ui| {
                ui.set_min_width(WIDTH);
                for command in group.commands() {
                    if item_ui(ui, command, state) {
                        chosen = Some(command);
                    }
                }
            });
            part.response.accessible_name(group.name());
        }
    });
    let response = response.accessible_name("Menu").on_hover_text("All commands and their keys");
    (response.rect, chosen)
}

fn item_ui(ui: &mut Ui, command: Command, state: &State) -> bool {
    let (title, disabled_reason) = (command.title_now(state), command.disabled_reason(state));
    let keys = command.keys_shown(state);
    entry(command, &title, disabled_reason.as_ref(), &keys).checked(command.is_on(state)).show(ui)
}

/// Draws a command as a menu entry, with its keys and the reason if it is disabled; returns whether it was chosen.
pub(in crate::ui) fn entry_ui(
    ui: &mut Ui,
    command: Command,
    title: &str,
    disabled_reason: Option<&DisabledReason>,
    state: &State,
) -> bool {
    entry(command, title, disabled_reason, &command.keys_shown(state)).show(ui)
}

fn entry<'a>(
    command: Command,
    title: &'a str,
    disabled_reason: Option<&'a DisabledReason>,
    keys: &'a str,
) -> Entry<'a> {
    let entry = Entry::new(command.row().icon, title).keys(keys).tip(command.row().tip);
    let entry = if command == Command::Delete { entry.danger() } else { entry };
    entry.disabled_reason(disabled_reason.map(|disabled_reason| disabled_reason.sentence.as_str()))
}

impl Command {
    /// Returns whether the state that the command sets is already set.
    pub(in crate::ui) fn is_on(self, state: &State) -> bool {
        let (theme, policy) = (state.preferences.settings.theme, state.connection.write_policy);
        match self {
            Self::ThemeSystem => theme == Theme::System,
            Self::ThemeLight => theme == Theme::Light,
            Self::ThemeDark => theme == Theme::Dark,
            Self::AllowWrites => policy == WritePolicy::Allow,
            Self::ConfirmWrites => policy == WritePolicy::Confirm,
            Self::ReadOnlyWrites => policy == WritePolicy::ReadOnly,
            Self::Favourite => is_favourite(&target(state), state),
            _ => Panel::ALL.into_iter().any(|panel| Self::of_panel(panel) == self && state.navigation.panel == panel),
        }
    }
}
