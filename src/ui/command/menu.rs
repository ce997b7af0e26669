//! The menu of the window: every command under its part, with its keys, and with its reason where it cannot be done.

use egui::containers::menu::MenuButton;
use egui::{Button, Ui, WidgetInfo, accesskit::Role};

use super::{Command, Group};
use crate::app::settings::Theme;
use crate::app::state::Panel;
use crate::app::{Rail, State};
use crate::model::record::Record as _;
use crate::ui::theme::{Icon, UiExt as _};

/// Width of a part of the menu, in points.
const WIDTH: f32 = 290.0;

/// Draws the button that opens the menu; gives where it stands, and the command that was chosen.
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
                        ui.close();
                    }
                }
            });
            part.response.accessible_name(group.name());
        }
    });
    let response = response.accessible_name("Menu").on_hover_text("Every command of the window, with its keys");
    (response.rect, chosen)
}

/// Draws a command; true when it was chosen.
fn item_ui(ui: &mut Ui, command: Command, state: &State) -> bool {
    let (obstacle, on) = (command.obstacle(state), command.is_on(state));
    let icon = if on { Icon::CHECK } else { command.row().icon };
    let color = if on { ui.tokens().accent } else { ui.tokens().muted };
    let (title, keys) = (command.title_now(state), command.keys_shown(state));
    let shown = crate::ui::widget::shown_short(&title, 40).into_owned();
    let button = Button::new((icon.text().color(color), shown)).shortcut_text(keys.clone()).frame_when_inactive(false);
    let enabled = obstacle.is_none();
    let response = ui.add_enabled(enabled, button.min_size(egui::vec2(ui.available_width(), 0.0)));
    response.widget_info(|| WidgetInfo::labeled(Role::MenuItem, enabled, &title));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_role(Role::MenuItem);
        if !keys.is_empty() {
            node.set_keyboard_shortcut(keys);
        }
        if on {
            node.set_toggled(egui::accesskit::Toggled::True);
        }
        let description = obstacle.as_ref().map_or(command.row().tip, |obstacle| obstacle.sentence.as_str());
        node.set_description(description);
    });
    let clicked = response.clicked();
    match obstacle {
        Some(obstacle) => response.on_disabled_hover_text(obstacle.sentence),
        None => response.on_hover_text(command.row().tip),
    };
    clicked
}

impl Command {
    /// Whether what it brings about is so already, for one that chooses among some.
    pub(in crate::ui) fn is_on(self, state: &State) -> bool {
        let (theme, rail) = (state.settings.theme, state.connection.rail);
        match self {
            Self::ThemeSystem => theme == Theme::System,
            Self::ThemeLight => theme == Theme::Light,
            Self::ThemeDark => theme == Theme::Dark,
            Self::RailFree => rail == Rail::Free,
            Self::RailConfirm => rail == Rail::Confirm,
            Self::RailReadOnly => rail == Rail::ReadOnly,
            Self::Favourite if state.selected.several() => state.selected.favourites,
            Self::Favourite => {
                let record = state.page().and_then(|(_, page)| page.record.value());
                record.is_some_and(|asset| asset.view().favorited().unwrap_or_default())
            }
            _ => Panel::ALL.into_iter().any(|panel| Self::of_panel(panel) == self && state.panel == panel),
        }
    }
}
