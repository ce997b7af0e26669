//! The words that mean the same in searches: a group a line.

use std::sync::Arc;

use egui::{ScrollArea, Ui};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::text_field::TextField;
use lunette_inspector::action::SettingsAction;
use lunette_inspector::settings::{Synonyms, SynonymsError};
use lunette_inspector::{Action, State};

/// The fewest lines of the field, and the height of what is visible of it at once, in points.
const ROWS: usize = 8;
const HEIGHT: f32 = 160.0;
/// Maximum length of the text, in characters.
const MAX_LENGTH: usize = 100_000;

/// The list while it is edited.
pub(super) struct SynonymsSection {
    /// The list that the text was made of; `None` before it is drawn.
    made_of: Option<Arc<Synonyms>>,
    text: String,
    /// What the text says, or why it is not a list.
    parsed: Result<Synonyms, SynonymsError>,
}

impl Default for SynonymsSection {
    fn default() -> Self {
        Self { made_of: None, text: String::new(), parsed: Ok(Synonyms::default()) }
    }
}

impl SynonymsSection {
    /// Draws the list, which is saved by a button.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let now = &state.preferences.synonyms;
        if self.made_of.as_ref() != Some(now) {
            self.set(now);
        }
        ui.section_title("Words that mean the same");
        ui.muted(
            "A search that finds few assets goes on with these. Each line is a group of words, such as “delete remove \
             prune”; change, add and remove lines.",
        );
        ui.add_space(SPACE_S);
        // The field is as high as its lines.
        let area = ScrollArea::vertical().id_salt("words").max_height(HEIGHT).min_scrolled_height(HEIGHT);
        area.show(ui, |ui| {
            let field = TextField::new("Words that mean the same").label_hidden().rows(ROWS).limit(MAX_LENGTH);
            if field.show(ui, &mut self.text).response.changed() {
                self.parsed = Synonyms::parse(&self.text);
            }
        });
        if let Err(error) = &self.parsed {
            ui.error_text(&format!("Not a list: {error}."));
        }
        ui.caption(&summary(self.parsed.as_ref().unwrap_or(now)));
        ui.add_space(SPACE_S);
        ui.horizontal(|ui| self.buttons_ui(ui, now, actions));
    }

    /// Draws the buttons that save and reset the list.
    fn buttons_ui(&mut self, ui: &mut Ui, now: &Arc<Synonyms>, actions: &mut Vec<Action>) {
        let why = match &self.parsed {
            Err(_) => Some("A line is not a group of words"),
            Ok(list) if list == &**now => Some("These words are saved"),
            Ok(_) => None,
        };
        if enabled_unless(ui, why, |ui| ui.button("Save the words")).clicked() {
            actions.extend(self.parsed.as_ref().ok().map(keep));
        }
        let ours = Synonyms::ours();
        let is_ours = self.parsed.as_ref() == Ok(ours) && **now == *ours;
        let why = is_ours.then_some("The words are already the default ones");
        if enabled_unless(ui, why, |ui| ui.button("Reset the words")).clicked() {
            self.set(now);
            actions.extend(Some(ours).filter(|ours| **ours != **now).map(keep));
        }
    }

    fn set(&mut self, list: &Arc<Synonyms>) {
        *self = Self { made_of: Some(Arc::clone(list)), text: list.text(), parsed: Ok((**list).clone()) };
    }
}

/// Saves a list.
fn keep(list: &Synonyms) -> Action {
    SettingsAction::Synonyms(Arc::new(list.clone())).into()
}

/// Says how a list differs from ours.
fn summary(list: &Synonyms) -> String {
    match (list.count(), list.changes()) {
        (count, (0, 0)) => format!("{count} groups, the default ones"),
        (count, (own, missing)) => {
            format!("{count} groups: {own} of your own, {missing} of Lunette's changed or removed")
        }
    }
}
