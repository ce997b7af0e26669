//! What this machine's programs say of themselves: desktop entries, metadata of packages, property lists, uninstall keys.
//!
//! The bytes: the first one chooses the reader.

use lunette_service::detect::{Detected, macos, package, windows};

/// No description breaks its reader, and what is found of one is fit to be shown.
pub fn holds(data: &[u8]) {
    let Some((&kind, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    let found = match kind % 4 {
        0 => desktop_entry(&text),
        1 => package::latest_release(&text).map(|version| Detected {
            name: "a".to_owned(),
            version: Some(version),
            ..Detected::default()
        }),
        2 => macos::application("shown", data),
        _ => windows::uninstall_entry("key", &registry(&text)),
    };
    let Some(found) = found else { return };
    assert!(!found.name.trim().is_empty(), "a program without a name");
}

#[cfg(all(unix, not(target_os = "macos")))]
fn desktop_entry(text: &str) -> Option<Detected> {
    let name = lunette_service::detect::desktop::shown_name(text, "de_DE.UTF-8@euro")?;
    Some(Detected { name, ..Detected::default() })
}

/// Systems without desktop entries have no reader for them.
#[cfg(not(all(unix, not(target_os = "macos"))))]
fn desktop_entry(_text: &str) -> Option<Detected> {
    None
}

fn registry(text: &str) -> windows::RegistryValues {
    let value = |value: &str| match value.parse() {
        Ok(number) => windows::RegistryValue::Number(number),
        Err(_) => windows::RegistryValue::Text(value.to_owned()),
    };
    text.lines().filter_map(|line| line.split_once('=')).map(|(name, text)| (name.to_owned(), value(text))).collect()
}
