//! The saved connections: choose, rename, change the address of, or forget one.

use egui::{Align, Label, Layout, RichText, Ui, vec2};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{buttons, shown_short};
use lunette_inspector::action::SessionAction;
use lunette_inspector::settings::Named;
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, Address, State};

/// The connection that is being edited, if any.
#[derive(Default)]
pub(super) struct SavedConnections {
    edited: Option<EditedConnection>,
}

/// A connection being edited.
struct EditedConnection {
    /// Its address before the edit.
    url: String,
    draft: Named,
    /// Takes the keyboard in the first frame.
    fresh: bool,
}

impl SavedConnections {
    /// Discards the edit.
    pub(super) fn close(&mut self) {
        self.edited = None;
    }

    /// Draws the connections; returns the one that was chosen.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Target> {
        let mut target = None;
        for named in &state.preferences.settings.connections {
            if self.edited.as_ref().is_some_and(|edited| edited.url == named.url) {
                self.edit_ui(ui, actions);
            } else if self.row_ui(ui, state, named, actions) {
                target = Some(Target::Url(named.url.clone()));
            }
        }
        target
    }

    /// Draws one connection; returns whether it was chosen.
    fn row_ui(&mut self, ui: &mut Ui, state: &State, named: &Named, actions: &mut Vec<Action>) -> bool {
        let Named { name, url } = named;
        let current = matches!(&state.connection.target, Target::Url(target) if target == url);
        let size = vec2(ui.available_width(), control(ui));
        let row = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let button = egui::Button::new("Connect").min_size(vec2(78.0, 0.0));
            let chosen = ui.add(button).accessible_name(format!("Connect to {name}")).clicked();
            if ui.icon_button(Icon::DELETE, &format!("Forget {name}")).clicked() {
                actions.push(SessionAction::Forget(url.clone()).into());
            }
            if ui.icon_button(Icon::EDIT, &format!("Edit {name}")).clicked() {
                self.edited = Some(EditedConnection { url: url.clone(), draft: named.clone(), fresh: true });
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(shown_short(name, 40));
                ui.add(Label::new(if current { text.strong() } else { text }).truncate());
                if named.is_named() {
                    let muted = ui.tokens().muted;
                    let address = RichText::new(shown_short(url.trim_start_matches("http://"), 60)).color(muted);
                    ui.add(Label::new(address).truncate());
                }
                if current {
                    ui.badge("in use");
                }
            });
            chosen
        });
        row.inner
    }

    fn edit_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let Some(EditedConnection { url, draft, fresh }) = &mut self.edited else { return };
        let valid = draft.url.trim().parse::<Address>().is_ok();
        let width = (ui.available_width() - SPACE_S) / 2.0;
        let mut submitted = false;
        let problem = (!valid).then_some("This is not a service address");
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let name = TextField::new("Name").width(width).limit(60).focus(std::mem::take(fresh));
            ui.allocate_ui(vec2(width, 0.0), |ui| submitted |= name.show(ui, &mut draft.name).submitted);
            let address = TextField::new("Address of the connection").width(width).mono().error(problem);
            ui.allocate_ui(vec2(width, 0.0), |ui| submitted |= address.show(ui, &mut draft.url).submitted);
        });
        let (mut save, mut cancel) = (submitted && valid, false);
        buttons(ui, |ui| {
            save |= enabled_unless(ui, problem, |ui| ui.button("Save")).clicked();
            cancel = ui.button("Cancel").clicked();
        });
        if save {
            actions.push(SessionAction::Save { url: url.clone(), named: draft.clone() }.into());
        }
        if save || cancel {
            self.edited = None;
        }
    }
}
