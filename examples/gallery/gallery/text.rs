//! Text, buttons, chips, figures.

use eframe::egui::Ui;
use lunette::ui::theme::{Icon, UiExt as _};
use lunette::ui::widgets::{Stat, chip_row, locked_chip, removable_chip, stats};
use lunette_inspector::settings::TagColor;

use super::part;

/// Text that must not be cut without a sign.
const LONG: &str = "A name that is longer than there is room for, as names of files and of windows often are";

/// Which toggle is on, and what was pressed.
#[derive(Default)]
pub struct State {
    favourite: bool,
    pressed: Option<&'static str>,
}

impl State {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut Ui) {
        part(ui, "Text", |ui| {
            ui.title("A title");
            ui.section_title("A section title");
            ui.label("A text");
            ui.muted("A muted text");
            ui.caption("A caption");
            ui.tiny("A tiny text");
            ui.code_text("let code = \"text\";");
            ui.warning_text("A warning");
            ui.error_text("An error");
        });
        part(ui, "Buttons", |ui| self.buttons_ui(ui));
        part(ui, "Disabled buttons", |ui| ui.add_enabled_ui(false, |ui| self.buttons_ui(ui)).inner);
        part(ui, "Chips and badges", chips_ui);
        part(ui, "Keys and values", |ui| {
            ui.key_value("Created", "2 days ago");
            ui.key_value("Name", LONG);
        });
        part(ui, "Figures", |ui| {
            let stat = |value, caption| Stat { value, caption };
            stats(ui, &[stat("63 h", "open"), stat("1,204", "key presses"), stat("0", "sessions")]);
        });
    }

    fn buttons_ui(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            let mut pressed = |name, clicked| self.pressed = if clicked { Some(name) } else { self.pressed };
            pressed("Primary", ui.primary_button("Primary").clicked());
            pressed("Plain", ui.button("Plain").clicked());
            pressed("Line", ui.line_button("Line").clicked());
            pressed("Ghost", ui.ghost_button("Ghost").clicked());
            pressed("Delete", ui.danger_button("Delete").clicked());
            pressed("Import", ui.icon_text_button(Icon::IMPORT, "Import").clicked());
            pressed("Refresh", ui.icon_button(Icon::REFRESH, "Refresh").clicked());
            if ui.toggle_icon_button(Icon::STAR, "Favourite", self.favourite).clicked() {
                self.favourite = !self.favourite;
            }
            ui.icon_menu(Icon::MORE, "More", |ui| {
                pressed("An entry", ui.button("An entry").clicked());
            });
        });
        ui.caption(&self.pressed.map_or("Nothing was pressed.".to_owned(), |name| format!("{name} was pressed.")));
    }
}

fn chips_ui(ui: &mut Ui) {
    chip_row(ui, |ui| {
        ui.chip("rust");
        removable_chip(ui, "removable", "tag", "removable", None);
        locked_chip(ui, "locked", "locked", "The service does not support unlinking.", None);
        removable_chip(ui, "long", "tag", LONG, None);
        ui.badge("built-in");
        ui.count_badge(12_345);
    });
    ui.add_space(6.0);
    chip_row(ui, |ui| {
        for color in TagColor::ALL {
            let fill = ui.tokens().tag_fill(color);
            removable_chip(ui, &format!("{color:?}"), "tag", &format!("{color:?}").to_lowercase(), Some(fill));
        }
    });
}
