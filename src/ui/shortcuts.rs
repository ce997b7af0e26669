//! The keys of the whole window.
//!
//! A key of a text field stays the field's: Ctrl+Z takes back a write, and Ctrl+Shift+Z does it again, only while no field
//! has the focus.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use crate::app::state::Panel;
use crate::app::{Action, State};

/// The keys of the panels, in the order of the rail.
const PANELS: [Key; 6] = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6];

/// What a key asks of the frame itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameWish {
    /// Opens the palette.
    Palette,
}

/// Turns the keys pressed in this frame into actions; gives what the frame itself is asked for.
pub(super) fn take(ctx: &Context, state: &State, actions: &mut Vec<Action>) -> Option<FrameWish> {
    let typing = ctx.text_edit_focused();
    let pressed = |key| ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(Modifiers::COMMAND, key)));
    for (panel, key) in Panel::ALL.into_iter().zip(PANELS) {
        if pressed(key) {
            actions.push(Action::Show(panel));
        }
    }
    if pressed(Key::R) || ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F5)) {
        actions.push(Action::Refresh(state.panel));
    }
    if !typing {
        undo_keys(ctx, actions);
    }
    (pressed(Key::K) || pressed(Key::P)).then_some(FrameWish::Palette)
}

/// Ctrl+Z takes back, Ctrl+Shift+Z and Ctrl+Y do again. The longer one is looked for first: a shortcut counts as pressed
/// with more modifiers than it names.
fn undo_keys(ctx: &Context, actions: &mut Vec<Action>) {
    let both = Modifiers::COMMAND | Modifiers::SHIFT;
    let keys = [
        (both, Key::Z, Action::Redo),
        (Modifiers::COMMAND, Key::Z, Action::Undo),
        (Modifiers::COMMAND, Key::Y, Action::Redo),
    ];
    for (modifiers, key, action) in keys {
        if ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key))) {
            actions.push(action);
        }
    }
}

/// Keeps the zoom: the toolkit changes it on Ctrl and plus, minus or zero, and the settings remember it.
pub(super) fn zoom(ctx: &Context, applied: &mut Option<f32>, state: &State, actions: &mut Vec<Action>) {
    let wanted = state.settings.zoom;
    let shown = ctx.zoom_factor();
    match *applied {
        Some(last) if last == wanted && shown != wanted => {
            let zoom = shown.clamp(0.5, 3.0);
            ctx.set_zoom_factor(zoom);
            *applied = Some(zoom);
            actions.push(Action::Zoom(zoom));
        }
        Some(last) if last == wanted => {}
        _ => {
            ctx.set_zoom_factor(wanted);
            *applied = Some(wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a key asks for, pressed with these modifiers.
    fn pressed(modifiers: Modifiers, key: Key) -> Vec<Action> {
        let ctx = Context::default();
        let event = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let input = egui::RawInput { events: vec![event], ..egui::RawInput::default() };
        let mut actions = Vec::new();
        let take = |ui: &mut egui::Ui| {
            take(ui.ctx(), &State::default(), &mut actions);
        };
        ctx.run_ui(input, take).textures_delta.clear();
        actions
    }

    #[test]
    fn undo_and_redo_have_the_usual_keys() {
        let both = Modifiers::COMMAND | Modifiers::SHIFT;
        assert_eq!(pressed(Modifiers::COMMAND, Key::Z), [Action::Undo]);
        assert_eq!(pressed(both, Key::Z), [Action::Redo]);
        assert_eq!(pressed(Modifiers::COMMAND, Key::Y), [Action::Redo]);
        assert_eq!(pressed(Modifiers::COMMAND, Key::Num6), [Action::Show(Panel::History)]);
    }
}
