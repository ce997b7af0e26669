//! Translates the keys and mouse buttons pressed in a frame into commands.
//!
//! What must hold: a key that a text field needs goes to the field while it has the keyboard; while a dialog is open,
//! only commands for the window as a whole work. The keys of Undo and Redo are a command in a field of one line in which
//! no typing can be undone or redone, but not while they are held down.

use egui::{Context, Event, Key, PointerButton};

use super::{Command, Keys, keys_of};
use crate::ui::widgets::typing::{can_undo_typing, in_editor};
use lunette_inspector::action::SettingsAction;
use lunette_inspector::settings::Look;
use lunette_inspector::{Action, State};

/// Returns the commands whose keys were pressed in this frame, in order.
pub(in crate::ui) fn pressed_commands(ctx: &Context, state: &State) -> Vec<Command> {
    let (typing, editor) = (ctx.text_edit_focused(), in_editor(ctx));
    let dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
    let look = &state.preferences.settings.look;
    let unused = if typing { unused_by_field(ctx) } else { Vec::new() };
    let mut commands = Vec::new();
    ctx.input_mut(|input| {
        // `typed` says that the field gets an earlier event of this frame, which can then be undone there.
        let (mut taken, mut typed) = (false, false);
        input.events.retain(|event| {
            // The text event follows the key event: it must not reach a field that the command focuses.
            if taken && matches!(event, Event::Text(_)) {
                return false;
            }
            let Some((keys, repeat)) = Keys::of_event(event) else {
                typed |= matches!(event, Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_));
                return true;
            };
            let of_field = typing && keys.used_by_text_fields() || editor && keys.used_by_editors();
            let mine = !of_field || !typed && !repeat && unused.contains(&keys);
            let Some(command) = mine.then(|| command_for(keys, dialog, look)).flatten() else {
                typed = true;
                return true;
            };
            if !repeat || command.repeats() {
                commands.push(command);
            }
            taken = true;
            false
        });
    });
    if !dialog {
        commands.extend(mouse_button_command(ctx));
    }
    commands
}

/// Returns the keys of undo and redo that were pressed in this frame and have nothing to do in the focused field.
fn unused_by_field(ctx: &Context) -> Vec<Keys> {
    let (undo, redo) = (Keys::ctrl(Key::Z), [Keys::ctrl(Key::Z).shift(), Keys::ctrl(Key::Y)]);
    let pressed = ctx.input(|input| {
        let keys = input.events.iter().filter_map(Keys::of_event).map(|(keys, _)| keys);
        keys.filter(|keys| *keys == undo || redo.contains(keys)).collect::<Vec<_>>()
    });
    pressed.into_iter().filter(|keys| !can_undo_typing(ctx, redo.contains(keys))).collect()
}

/// Returns the command of these keys if it is allowed now.
fn command_for(keys: Keys, dialog: bool, look: &Look) -> Option<Command> {
    let of_keys = |command: &Command| keys_of(*command, look).contains(&keys);
    let command = Command::ALL.iter().copied().find(of_keys)?;
    (!dialog || command.works_over_dialogs()).then_some(command)
}

/// Most mice have two thumb buttons for back and forward.
fn mouse_button_command(ctx: &Context) -> Option<Command> {
    ctx.input(|input| {
        if input.pointer.button_pressed(PointerButton::Extra1) {
            Some(Command::Back)
        } else if input.pointer.button_pressed(PointerButton::Extra2) {
            Some(Command::Forward)
        } else {
            None
        }
    })
}

impl Command {
    /// Returns whether holding its keys down repeats it.
    fn repeats(self) -> bool {
        matches!(self, Self::ZoomIn | Self::ZoomOut | Self::NextAsset | Self::PreviousAsset | Self::Undo | Self::Redo)
    }

    /// Returns whether it works while a dialog is open.
    fn works_over_dialogs(self) -> bool {
        matches!(self, Self::ZoomIn | Self::ZoomOut | Self::ZoomReset | Self::Screenshot | Self::Quit)
    }
}

/// Keeps the zoom in sync: applies the setting, and records a change made by the toolkit.
pub(in crate::ui) fn sync_zoom(ctx: &Context, applied: &mut Option<f32>, state: &State, actions: &mut Vec<Action>) {
    let command_for = state.preferences.settings.zoom;
    let shown = ctx.zoom_factor();
    match *applied {
        Some(last) if last == command_for && shown != command_for => {
            let zoom = shown.clamp(0.5, 3.0);
            ctx.set_zoom_factor(zoom);
            *applied = Some(zoom);
            actions.push(SettingsAction::Zoom(zoom).into());
        }
        Some(last) if last == command_for => {}
        _ => {
            // The zoom keys are commands of ours.
            ctx.options_mut(|options| options.zoom_with_keyboard = false);
            ctx.set_zoom_factor(command_for);
            *applied = Some(command_for);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Key, Modifiers};

    /// Returns the commands for a key press.
    fn pressed(modifiers: Modifiers, key: Key) -> Vec<Command> {
        let ctx = Context::default();
        let event = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let input = egui::RawInput { events: vec![event], ..egui::RawInput::default() };
        let mut commands = Vec::new();
        let pressed_commands = |ui: &mut egui::Ui| commands = pressed_commands(ui.ctx(), &State::default());
        ctx.run_ui(input, pressed_commands).textures_delta.clear();
        commands
    }

    #[test]
    fn undo_and_redo_have_the_usual_keys() {
        let both = Modifiers::COMMAND | Modifiers::SHIFT;
        assert_eq!(pressed(Modifiers::COMMAND, Key::Z), [Command::Undo]);
        assert_eq!(pressed(both, Key::Z), [Command::Redo]);
        assert_eq!(pressed(Modifiers::COMMAND, Key::Y), [Command::Redo]);
        assert_eq!(pressed(Modifiers::COMMAND, Key::Num7), [Command::GoHistory]);
    }

    #[test]
    fn a_question_mark_asks_for_help_with_shift_and_without() {
        assert_eq!(pressed(Modifiers::SHIFT, Key::Questionmark), [Command::Help]);
        assert_eq!(pressed(Modifiers::NONE, Key::Questionmark), [Command::Help]);
        assert_eq!(pressed(Modifiers::COMMAND, Key::Questionmark), []);
    }

    #[test]
    fn every_key_of_every_command_asks_for_it() {
        for command in Command::ALL {
            for keys in command.row().keys {
                let (modifiers, key) = keys.parts();
                assert_eq!(pressed(modifiers, key), [*command], "{keys:?}");
            }
        }
    }
}
