//! The choice of a colour for a tag.

use egui::{Button, RichText, Stroke, Ui, WidgetInfo, accesskit::Role};

use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use lunette_inspector::action::SettingsAction;
use lunette_inspector::change::Item;
use lunette_inspector::settings::TagColor;
use lunette_inspector::{Action, State};

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
        let (chosen, name) = (color == current, color.map_or("No colour", TagColor::name));
        let text = RichText::new(name).color(t.text);
        // A check mark and a frame show the selection: its usual colour would not stand out from the others.
        let button = match chosen {
            true => Button::new((Icon::CHECK.text().color(t.text), text)).stroke(Stroke::new(2.0, t.accent)),
            false => Button::new(text),
        };
        let button = match color {
            Some(color) => button.fill(t.tag_fill(color)),
            None => button,
        };
        let response = ui.add(button);
        response.widget_info(|| WidgetInfo::selected(Role::Button, response.enabled(), chosen, name));
        if response.clicked() && !chosen {
            actions.push(SettingsAction::TagColor(item.text.clone(), color).into());
        }
    }
}
