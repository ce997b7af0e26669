//! Display names of the interface's enum values for applications.

use egui::Color32;

use crate::ui::theme::Tokens;
use lunette_inspector::listing::rows::InventoryState;

pub(in crate::ui) use crate::ui::list::cells::readable as plain;

/// Returns the display name of an application: a known value made readable, or the name unchanged.
pub(in crate::ui) fn application(word: &str) -> String {
    if word.is_empty() { "Unnamed".to_owned() } else { plain(word) }
}

/// The status of an application that is open now.
pub(in crate::ui) const OPEN: &str = "Open";

/// Returns the colour of a status; its label says the same.
pub(in crate::ui) fn status_color(tokens: &Tokens, status: &str) -> Color32 {
    match status {
        OPEN => tokens.ok,
        "Not onboarded" => tokens.warning,
        _ => tokens.muted,
    }
}

/// Returns the colour of a state; its label says the same.
pub(super) fn state_color(tokens: &Tokens, state: InventoryState) -> Color32 {
    match state {
        InventoryState::Tracked => tokens.ok,
        InventoryState::Installed => tokens.text,
        InventoryState::NotInstalled | InventoryState::Anticipated | InventoryState::Unknown => tokens.muted,
        InventoryState::Gone => tokens.error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enum_values_are_made_readable_and_names_are_unchanged() {
        let message = ["VS_CODE", "GOOGLE_CHROME_EXTENSION_MV3", "PIECES_FOR_DEVELOPERS_CLI", "LINUX", "Zed Preview"];
        let wanted = ["VS Code", "Google Chrome Extension MV3", "Pieces For Developers CLI", "Linux", "Zed Preview"];
        assert_eq!(message.map(plain), wanted);
    }
}
