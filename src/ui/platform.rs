//! What the window asks of the desktop: file dialogs, drag and drop, opening links, its preferences for the look, and how
//! keys are called.

use std::borrow::Cow;

pub mod desktop;
pub mod drag;
pub mod file_dialogs;
pub mod open_link;

/// Whether this is a Mac, where Cmd is what Ctrl is elsewhere.
pub const IS_MAC: bool = cfg!(target_os = "macos");

/// The key that deletes: on a Mac the one that is labelled Delete, which is Backspace elsewhere.
pub const DELETE_KEY: egui::Key = if IS_MAC { egui::Key::Backspace } else { egui::Key::Delete };

/// Returns a text with its keys as they are called on this system. It is written with `Ctrl`, which is Cmd on a Mac.
pub fn with_key_names(text: &'static str) -> Cow<'static, str> {
    key_names_on(IS_MAC, text)
}

fn key_names_on(mac: bool, text: &'static str) -> Cow<'static, str> {
    if mac { text.replace("Ctrl", "Cmd").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_cmd_on_a_mac_and_ctrl_elsewhere() {
        let text = "Ctrl+click selects one more, Ctrl+A all";
        assert_eq!(key_names_on(true, text), "Cmd+click selects one more, Cmd+A all");
        assert_eq!(key_names_on(false, text), text);
    }
}
