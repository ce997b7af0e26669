//! Fields, choices, pickers and editors.

use eframe::egui::Ui;
use lunette::ui::theme::{self, UiExt as _};
use lunette::ui::widgets::editor::{Editor, EditorView};
use lunette::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use lunette::ui::widgets::text_field::TextField;
use lunette::ui::widgets::{Choice, choose};

use lunette_inspector::highlighting::syntax;

use super::part;

/// The names that the picker offers.
const TAGS: [&str; 6] = ["async", "egui", "http", "rust", "sqlite", "testing"];

/// The contents of all fields.
pub struct State {
    empty: String,
    name: String,
    wrong: String,
    search: String,
    note: String,
    on: bool,
    density: usize,
    picker: PickerState,
    picked: String,
    editor: Editor,
    broken_editor: Editor,
}

/// An editor of JSON.
fn editor(text: &str) -> Editor {
    Editor::new(text.to_owned(), syntax("json"))
}

impl Default for State {
    fn default() -> Self {
        Self {
            empty: String::new(),
            name: "moon_phase.rs".to_owned(),
            wrong: "http://".to_owned(),
            search: "tag:rust".to_owned(),
            note: "Several lines,\nthe second one.".to_owned(),
            on: true,
            density: 0,
            picker: PickerState::default(),
            picked: "Nothing was picked.".to_owned(),
            editor: editor("{\n  \"name\": \"moon_phase.rs\",\n  \"score\": 12\n}"),
            broken_editor: editor("{\n  \"name\": moon\n}"),
        }
    }
}

impl State {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut Ui) {
        part(ui, "Fields", |ui| {
            ui.set_max_width(420.0);
            TextField::new("Empty").hint("Shown while it is empty").show(ui, &mut self.empty);
            TextField::new("Name").mono().show(ui, &mut self.name);
            let error = Some("An address begins with http:// or https:// and has a host.");
            TextField::new("Address").error(error).show(ui, &mut self.wrong);
            TextField::search("Filter assets").show(ui, &mut self.search);
            TextField::new("Note").rows(3).show(ui, &mut self.note);
        });
        part(ui, "Choices", |ui| {
            theme::checkbox(ui, &mut self.on, "A checkbox");
            let mut off = !self.on;
            ui.add_enabled_ui(false, |ui| theme::checkbox(ui, &mut off, "A disabled checkbox"));
            let names = ["Comfortable", "Compact"];
            for (density, name) in names.iter().enumerate() {
                theme::radio_value(ui, &mut self.density, density, name);
            }
            let choices = [0, 1].map(|value| Choice { value, name: names[value], icon: None });
            if let Some(density) = choose(ui, "Density", self.density, &choices) {
                self.density = density;
            }
        });
        part(ui, "Picker", |ui| self.picker_ui(ui));
        part(ui, "Editors", |ui| {
            let view = EditorView { name: "A record", height: 110.0, wraps: false, indents: true, fault: None };
            self.editor.ui(ui, view);
            let view = EditorView { name: "A record with an error", height: 90.0, fault: Some(2), ..view };
            self.broken_editor.ui(ui, view);
        });
    }

    fn picker_ui(&mut self, ui: &mut Ui) {
        let entry = |index: usize| PickerEntry { name: TAGS[index].into(), detail: format!("{index} assets").into() };
        let button = ui.line_button("Add a tag…");
        let picked = Picker::new("Add a tag", TAGS.len(), &entry).offer_new("tag").popup(&button, &mut self.picker);
        match picked {
            Some(Picked::Entry(index)) => self.picked = format!("{} was picked.", TAGS[index]),
            Some(Picked::New(name)) => self.picked = format!("A new tag, {name}, was picked."),
            None => {}
        }
        ui.caption(&self.picked);
    }
}
