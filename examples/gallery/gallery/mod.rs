//! The gallery: a list of sections on the left, the widgets of one section beside it.

mod content;
mod files;
mod input;
mod lists;
mod states;
mod text;

use eframe::egui;
use egui::{Frame, Panel, ScrollArea, Ui};
use lunette::ui::theme::{self, SPACE_L, SPACE_M, SPACE_S, UiExt as _};
use lunette::ui::widgets::{Choice, choose, nav_item};

/// A group of widgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Text, buttons, chips and figures.
    Text,
    /// Fields, choices and pickers.
    Input,
    /// Tables, rows, tabs and links.
    Lists,
    /// Code, records, Markdown, pictures and plots.
    Content,
    /// Drawings, tables and bytes.
    Files,
    /// Empty, loading and failed; progress, menus, messages and dialogs.
    States,
}

impl Section {
    /// Every section, in the order of the list.
    pub const ALL: [Self; 6] = [Self::Text, Self::Input, Self::Lists, Self::Content, Self::Files, Self::States];

    /// Returns the name in the list.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "Text",
            Self::Input => "Input",
            Self::Lists => "Lists",
            Self::Content => "Content",
            Self::Files => "Files",
            Self::States => "States",
        }
    }
}

/// The state of all sections.
pub struct Gallery {
    section: Section,
    text: text::State,
    input: input::State,
    lists: lists::State,
    content: content::State,
    files: files::State,
    states: states::State,
}

impl Gallery {
    /// Creates a gallery that shows one section.
    pub fn new(section: Section) -> Self {
        Self {
            section,
            text: text::State::default(),
            input: input::State::default(),
            lists: lists::State::default(),
            content: content::State::default(),
            files: files::State::default(),
            states: states::State::default(),
        }
    }

    /// Draws the list and the chosen section.
    pub fn ui(&mut self, ui: &mut Ui) {
        let frame = Frame::new().fill(ui.tokens().panel).inner_margin(SPACE_S);
        Panel::left("sections").frame(frame).exact_size(theme::SIDEBAR).resizable(false).show(ui, |ui| {
            ui.section_title("Widgets");
            for section in Section::ALL {
                if nav_item(ui, None, section.name(), None, section == self.section).clicked() {
                    self.section = section;
                }
            }
            ui.add_space(SPACE_L);
            theme_ui(ui);
        });
        let frame = Frame::new().fill(ui.tokens().background).inner_margin(SPACE_M);
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            ScrollArea::vertical().id_salt(self.section.name()).auto_shrink(false).show(ui, |ui| self.section_ui(ui));
        });
    }

    fn section_ui(&mut self, ui: &mut Ui) {
        match self.section {
            Section::Text => self.text.ui(ui),
            Section::Input => self.input.ui(ui),
            Section::Lists => self.lists.ui(ui),
            Section::Content => self.content.ui(ui),
            Section::Files => self.files.ui(ui),
            Section::States => self.states.ui(ui),
        }
    }
}

/// Draws the choice of the theme.
fn theme_ui(ui: &mut Ui) {
    let choice = |value, name| Choice { value, name, icon: None };
    let choices = [choice(egui::Theme::Dark, "Dark"), choice(egui::Theme::Light, "Light")];
    let theme = ui.ctx().theme();
    if let Some(theme) = choose(ui, "Theme", theme, &choices) {
        theme::set_preference(ui.ctx(), theme.into());
    }
}

/// Draws a titled part of a section.
pub(crate) fn part(ui: &mut Ui, title: &str, draw: impl FnOnce(&mut Ui)) {
    ui.push_id(title, |ui| {
        ui.section_title(title);
        ui.add_space(SPACE_S);
        draw(ui);
        ui.add_space(SPACE_L);
    });
}
