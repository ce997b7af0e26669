//! Keyboard shortcuts, and changing them.
//!
//! What must hold: keys that another command has are taken from it only after confirmation; while a combination is
//! being captured, keys do nothing else.

use egui::{Align, Event, Key, Layout, Ui};

use crate::ui::command::{self, Command, Keys};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::buttons;
use crate::ui::widgets::text_field::TextField;
use lunette_inspector::action::SettingsAction;
use lunette_inspector::{Action, State};

/// Height of a row, in points.
const LINE: f32 = 32.0;

/// The search text, and the command whose new keys are being captured.
#[derive(Default)]
pub(super) struct KeysSection {
    words: String,
    capture: Option<KeyCapture>,
}

/// A command that is getting new keys.
struct KeyCapture {
    command: Command,
    /// Keys that another command has, awaiting confirmation.
    clash: Option<(Keys, Command)>,
    /// Why the pressed keys cannot be used.
    problem: Option<&'static str>,
}

impl KeysSection {
    /// Returns whether a key combination is being captured; keys then do nothing else.
    pub(super) fn is_capturing(&self) -> bool {
        self.capture.as_ref().is_some_and(|capture| capture.clash.is_none())
    }

    /// Stops capturing.
    pub(super) fn stop_capture(&mut self) {
        self.capture = None;
    }

    /// Draws the commands with their keys.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        self.consume_captured_keys(ui, state, actions);
        ui.section_title("Keys");
        match self.capture.take() {
            Some(capture) => self.capture = capture_ui(ui, capture, state, actions),
            None => self.head_ui(ui, state, actions),
        }
        let words = self.words.to_lowercase();
        let wanted = |command: &Command| {
            let text = format!("{} {}", command.title(), shown(*command, state)).to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        };
        let commands: Vec<Command> = Command::ALL.iter().copied().filter(wanted).collect();
        if commands.is_empty() {
            ui.muted("No command matches.");
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        // It scrolls with the rest of the dialog.
        for command in commands {
            self.line_ui(ui, command, state, actions);
        }
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        buttons(ui, |ui| {
            let look = &state.preferences.settings.look;
            let changed = Command::ALL.iter().any(|command| command::is_changed(*command, look));
            let reset = ui.add_enabled(changed, egui::Button::new("Reset all keys"));
            if reset.on_hover_text("Gives every command its default keys").clicked() {
                actions.push(SettingsAction::Look(command::reset_all(look)).into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                TextField::search("Find a command").limit(100).show(ui, &mut self.words);
            });
        });
    }

    /// Takes the captured keys before anything else handles them.
    fn consume_captured_keys(&mut self, ui: &Ui, state: &State, actions: &mut Vec<Action>) {
        if !self.is_capturing() {
            return;
        }
        let Some(capture) = &mut self.capture else { return };
        let Some(keys) = pressed(ui) else { return };
        let look = &state.preferences.settings.look;
        if keys == Keys::plain(Key::Escape) {
            self.capture = None;
        } else if let Some(problem) = keys.reserved_reason() {
            capture.problem = Some(problem);
        } else if let Some(other) = command::command_with_keys(keys, look).filter(|other| *other != capture.command) {
            capture.clash = Some((keys, other));
        } else {
            actions.push(SettingsAction::Look(command::bind(capture.command, Some(keys), look)).into());
            self.capture = None;
        }
    }

    fn line_ui(&mut self, ui: &mut Ui, command: Command, state: &State, actions: &mut Vec<Action>) {
        let look = &state.preferences.settings.look;
        let size = egui::vec2(ui.available_width(), LINE);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            ui.add_space(SPACE_S);
            let change = ui.button("Change").accessible_name(format!("Change the keys of {}", command.title()));
            if change.clicked() {
                self.capture = Some(KeyCapture { command, clash: None, problem: None });
            }
            if command::is_changed(command, look) {
                let name = format!("Reset the keys of {}", command.title());
                if ui.icon_button(Icon::UNDO, &name).clicked() {
                    actions.push(SettingsAction::Look(command::reset(command, look)).into());
                }
            }
            let keys = shown(command, state);
            if keys.is_empty() {
                ui.caption("none");
            } else {
                ui.muted(&keys);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.decoration(command.row().icon.text().color(ui.tokens().muted));
                ui.add(egui::Label::new(command.title()).truncate()).on_hover_text(command.row().tip);
            });
        });
    }
}

/// Draws the prompt; returns what is still being captured.
fn capture_ui(ui: &mut Ui, capture: KeyCapture, state: &State, actions: &mut Vec<Action>) -> Option<KeyCapture> {
    let KeyCapture { command, clash, problem } = &capture;
    let (look, title) = (&state.preferences.settings.look, command.title());
    let mut bind = |keys: Option<Keys>| actions.push(SettingsAction::Look(command::bind(*command, keys, look)).into());
    let mut done = false;
    match clash {
        Some((keys, other)) => {
            let (keys_shown, holder) = (keys.display(), other.title());
            ui.warning_text(&format!("{keys_shown} is used by “{holder}”. Use it for “{title}” instead?"));
            buttons(ui, |ui| {
                if ui.primary_button("Use here").clicked() {
                    bind(Some(*keys));
                    done = true;
                }
                done |= ui.button("Cancel").clicked();
            });
        }
        None => {
            ui.label(format!("Press the keys for “{title}”. Esc cancels."));
            if let Some(problem) = problem {
                ui.error_text(problem);
            }
            buttons(ui, |ui| {
                if ui.button("No keys").on_hover_text("Removes the keys of the command").clicked() {
                    bind(None);
                    done = true;
                }
                done |= ui.button("Cancel").clicked();
            });
        }
    }
    (!done).then_some(capture)
}

/// Returns the keys of a command as one text.
fn shown(command: Command, state: &State) -> String {
    let keys = command::keys_of(command, &state.preferences.settings.look);
    keys.into_iter().map(|keys| keys.display()).collect::<Vec<_>>().join(", ")
}

/// Returns the keys pressed in this frame and consumes them.
fn pressed(ui: &Ui) -> Option<Keys> {
    let mut heard = None;
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let keys = match event {
                Event::Copy => Some(Keys::ctrl(Key::C)),
                Event::Cut => Some(Keys::ctrl(Key::X)),
                Event::Paste(_) => Some(Keys::ctrl(Key::V)),
                event => Keys::of_event(event).filter(|(_, repeat)| !repeat).map(|(keys, _)| keys),
            };
            heard = heard.or(keys);
            !matches!(event, Event::Key { .. } | Event::Text(_) | Event::Copy | Event::Cut | Event::Paste(_))
        });
    });
    heard
}
