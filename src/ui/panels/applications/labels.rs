//! Display names of the interface's enum values for applications.

use egui::Color32;

use crate::app::listing::rows::InventoryState;
use crate::ui::theme::Tokens;
use crate::ui::widgets::shown_short;

/// Names whose capitalization cannot be derived.
const NAMES: &[(&str, &str)] = &[
    ("VS_CODE", "VS Code"),
    ("JETBRAINS", "JetBrains"),
    ("CHAT_GPT", "ChatGPT"),
    ("JUPYTER_HUB", "JupyterHub"),
    ("GITHUB_DESKTOP", "GitHub Desktop"),
    ("OS_SERVER", "OS Server"),
    ("R_STUDIO", "RStudio"),
    ("X_CODE", "Xcode"),
    ("ULTRA_EDIT", "UltraEdit"),
    ("NOTEPAD_PLUS_PLUS", "Notepad++"),
    ("NETBEANS", "NetBeans"),
    ("MCP_CLIENT", "MCP client"),
    ("OPEN_SOURCE", "Open source"),
    ("MACOS", "macOS"),
    ("IOS", "iOS"),
];

/// Returns the display name of an application: a known value made readable, or the name unchanged.
pub(in crate::ui) fn application(word: &str) -> String {
    if word.is_empty() { "Unnamed".to_owned() } else { plain(word) }
}

/// Returns an enum value made readable: `GOOGLE_CHAT` becomes "Google Chat". Other text is escaped for display.
pub(in crate::ui) fn plain(word: &str) -> String {
    if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == word) {
        return (*name).to_owned();
    }
    let is_word = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_word {
        return shown_short(word, 120).into_owned();
    }
    let capital = |part: &str| match part {
        "CLI" | "OS" | "MV2" | "MV3" => part.to_owned(),
        _ => {
            let (first, rest) = part.split_at(part.len().min(1));
            first.to_owned() + &rest.to_ascii_lowercase()
        }
    };
    word.split('_').map(capital).collect::<Vec<_>>().join(" ")
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
