//! The choice of a colour for a tag.

use egui::{Button, Ui};

use crate::app::action::SettingsAction;
use crate::app::change::Item;
use crate::app::settings::TagColor;
use crate::app::{Action, State};
use crate::ui::theme::{SPACE_S, UiExt as _};

/// Draws the colours; the one that the tag has is selected.
pub(super) fn color_ui(ui: &mut Ui, item: &Item, state: &State, actions: &mut Vec<Action>) {
    ui.add_space(SPACE_S);
    ui.section_title("Colour");
    ui.horizontal_wrapped(|ui| choices_ui(ui, item, state, actions));
}

/// Draws the colours as buttons, beside or below one another.
pub(super) fn choices_ui(ui: &mut Ui, item: &Item, state: &State, actions: &mut Vec<Action>) {
    let (t, current) = (ui.tokens(), state.preferences.settings.look.tag_colors.of(&item.text));
    for color in std::iter::once(None).chain(TagColor::ALL.map(Some)) {
        let button = Button::selectable(color == current, color.map_or("No colour", TagColor::name));
        let button = match color {
            Some(color) => button.fill(t.tag_fill(color)),
            None => button,
        };
        if ui.add(button).clicked() && color != current {
            actions.push(SettingsAction::TagColor(item.text.clone(), color).into());
        }
    }
}
