//! The menu of saved filters: apply one, save the current one, rename, delete.

use egui::{Popup, PopupCloseBehavior, Ui};

use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::shown_short;
use crate::ui::widgets::text_field::TextField;
use lunette_inspector::action::SettingsAction;
use lunette_inspector::filter::{List, Saved, save};
use lunette_inspector::{Action, State};

/// Width of the menu, in points.
const WIDTH: f32 = 320.0;
/// Maximum length of a filter's name.
const MAX_LENGTH: usize = 60;

/// What is being typed in the menu.
#[derive(Default)]
pub(super) struct SavedMenu {
    name: String,
    /// The filter being renamed, and its new name.
    renaming: Option<(String, String)>,
    open: bool,
}

impl SavedMenu {
    /// Draws the button and its menu; returns the filter that was chosen. `text` is the text of the field, which can be
    /// saved if it is `good`. The button has its label if it is `labelled`.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        list: List,
        (text, good): (&str, bool),
        labelled: bool,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> Option<String> {
        let kept = state.preferences.settings.filters.get(list.key()).map_or(&[][..], |kept| kept.as_slice());
        let button = match labelled {
            true => ui.icon_text_button(Icon::FILTER, "Saved filters"),
            false => ui.icon_button(Icon::FILTER, "Saved filters"),
        };
        let popup = Popup::from_toggle_button_response(&button)
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
            .accessible_name("Saved filters")
            .width(WIDTH);
        let (id, open) = (popup.get_id(), popup.is_open());
        if open && !self.open {
            *self = Self::default();
        }
        self.open = open;
        let chosen = popup.show(|ui| {
            let chosen = self.menu_ui(ui, kept, text, good, list, actions);
            if list == List::Assets && !state.searches().is_empty() {
                forget_ui(ui, actions);
            }
            chosen
        });
        let chosen = chosen?.inner;
        if chosen.is_some() {
            Popup::close_id(ui.ctx(), id);
        }
        chosen
    }

    fn menu_ui(
        &mut self,
        ui: &mut Ui,
        kept: &[Saved],
        text: &str,
        good: bool,
        list: List,
        actions: &mut Vec<Action>,
    ) -> Option<String> {
        ui.spacing_mut().item_spacing.y = SPACE_S;
        let mut chosen = None;
        if kept.is_empty() {
            ui.muted("No saved filters yet.");
        }
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for saved in kept {
                if self.renaming.as_ref().is_some_and(|(of, _)| *of == saved.name) {
                    self.rename_ui(ui, kept, list, actions);
                } else if self.saved_ui(ui, saved, kept, list, actions) {
                    chosen = Some(saved.filter.clone());
                }
            }
        });
        ui.line();
        self.save_ui(ui, kept, text, good, list, actions);
        chosen
    }

    /// Draws the form that saves the current filter, or why it cannot be saved.
    fn save_ui(&mut self, ui: &mut Ui, kept: &[Saved], text: &str, good: bool, list: List, actions: &mut Vec<Action>) {
        let why = match (text.trim().is_empty(), good) {
            (true, _) => Some("Type a filter to save it."),
            (false, false) => Some("The filter has an error and cannot be saved."),
            (false, true) => None,
        };
        if let Some(why) = why {
            ui.caption(why);
            return;
        }
        ui.caption(&format!("Save “{}”", shown_short(text.trim(), 60)));
        let done = name_ui(ui, "Name of the filter", "Save", &mut self.name);
        if done {
            let mut kept = kept.to_vec();
            save(&mut kept, Saved { name: self.name.trim().to_owned(), filter: text.trim().to_owned() });
            actions.push(SettingsAction::KeepFilters(list, kept).into());
            self.name.clear();
        }
    }

    /// Draws one saved filter; returns whether it was chosen.
    fn saved_ui(&mut self, ui: &mut Ui, saved: &Saved, kept: &[Saved], list: List, actions: &mut Vec<Action>) -> bool {
        let name = shown_short(&saved.name, MAX_LENGTH);
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.icon_button(Icon::DELETE, &format!("Forget {name}")).clicked() {
                    let kept = kept.iter().filter(|known| known.name != saved.name).cloned().collect();
                    actions.push(SettingsAction::KeepFilters(list, kept).into());
                }
                if ui.icon_button(Icon::EDIT, &format!("Rename {name}")).clicked() {
                    self.renaming = Some((saved.name.clone(), saved.name.clone()));
                }
                ui.with_layout(egui::Layout::top_down_justified(egui::Align::Min), |ui| {
                    let button = egui::Button::new(&*name).frame_when_inactive(false).truncate();
                    ui.add(button).on_hover_text(shown_short(&saved.filter, 200)).clicked()
                })
                .inner
            })
            .inner
        })
        .inner
    }

    fn rename_ui(&mut self, ui: &mut Ui, kept: &[Saved], list: List, actions: &mut Vec<Action>) {
        let Some((of, name)) = &mut self.renaming else { return };
        if !name_ui(ui, "New name of the filter", "Rename", name) {
            return;
        }
        let (of, name) = (of.clone(), name.trim().to_owned());
        // Another filter with the new name is replaced.
        let mut kept: Vec<Saved> =
            kept.iter().filter(|known| known.name == of || known.name != name).cloned().collect();
        for known in kept.iter_mut().filter(|known| known.name == of) {
            known.name.clone_from(&name);
        }
        actions.push(SettingsAction::KeepFilters(list, kept).into());
        self.renaming = None;
    }
}

/// Draws what forgets the recent searches.
fn forget_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.line();
    if Entry::new(Icon::DELETE, "Forget recent searches").show(ui) {
        actions.push(SettingsAction::ForgetSearches.into());
        ui.close();
    }
}

/// Draws a field for a name with its button; returns whether the name was confirmed.
fn name_ui(ui: &mut Ui, label: &str, button: &str, name: &mut String) -> bool {
    ui.horizontal(|ui| {
        let field =
            TextField::new(label).label_hidden().hint(label).limit(MAX_LENGTH).width(WIDTH - 90.0).show(ui, name);
        let named = !name.trim().is_empty();
        let pressed = ui.add_enabled(named, egui::Button::new(button)).clicked();
        named && (pressed || field.submitted)
    })
    .inner
}
