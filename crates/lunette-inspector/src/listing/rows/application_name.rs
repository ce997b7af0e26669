//! The names of applications: on the wire many are words of the interface, such as `VS_CODE`.

use std::borrow::Cow;

/// The id of this program as the application that creates an asset.
pub const LUNETTE: &str = "6c756e65-7474-4e00-8000-000000000001";

/// The id and the name of the application that a conformance check registers, always the same one.
pub const CHECK: (&str, &str) = ("6c756e65-7474-4e00-8000-000000000004", "Lunette check");

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

/// Returns the name of an application. This program has no word in the interface, and is known by its id.
pub fn application_name<'a>(id: &str, name: &'a str) -> &'a str {
    if id == LUNETTE { "Lunette" } else { name }
}

/// Returns a word of the interface as people write it: `GOOGLE_CHAT` becomes "Google Chat". Other text is unchanged.
pub fn readable_word(word: &str) -> Cow<'_, str> {
    if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == word) {
        return Cow::Borrowed(name);
    }
    let is_word = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_word {
        return Cow::Borrowed(word);
    }
    let capital = |part: &str| match part {
        "CLI" | "OS" | "MV2" | "MV3" => part.to_owned(),
        _ => {
            let (first, rest) = part.split_at(part.len().min(1));
            first.to_owned() + &rest.to_ascii_lowercase()
        }
    };
    Cow::Owned(word.split('_').map(capital).collect::<Vec<_>>().join(" "))
}
