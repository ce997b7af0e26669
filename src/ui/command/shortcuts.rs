//! The keys of a command: its defaults, or those that the user chose.

use std::collections::BTreeMap;

use super::{Command, Keys};
use lunette_inspector::settings::Look;

/// Returns the keys of a command. Stored texts that cannot be parsed are ignored; if none can be parsed, the defaults
/// apply.
pub(in crate::ui) fn keys_of(command: Command, look: &Look) -> Vec<Keys> {
    let own = command.row().keys;
    match look.shortcuts.get(command.row().name) {
        None => own.to_vec(),
        Some(texts) => {
            let read: Vec<Keys> = texts.iter().filter_map(|text| Keys::parse(text)).collect();
            if read.is_empty() && !texts.is_empty() { own.to_vec() } else { read }
        }
    }
}

/// Returns whether the user changed the keys.
pub(in crate::ui) fn is_changed(command: Command, look: &Look) -> bool {
    keys_of(command, look) != command.row().keys
}

/// Returns the command that has these keys.
pub(in crate::ui) fn command_with_keys(keys: Keys, look: &Look) -> Option<Command> {
    Command::ALL.iter().copied().find(|command| keys_of(*command, look).contains(&keys))
}

/// Replaces the keys of a command; a command that had them before loses them.
pub(in crate::ui) fn bind(command: Command, keys: Option<Keys>, look: &Look) -> Look {
    let mut look = look.clone();
    if let Some(keys) = keys {
        while let Some(other) = command_with_keys(keys, &look).filter(|other| *other != command) {
            let left = keys_of(other, &look).into_iter().filter(|known| *known != keys).collect();
            store_keys(other, left, &mut look.shortcuts);
        }
    }
    store_keys(command, keys.into_iter().collect(), &mut look.shortcuts);
    look
}

/// Resets a command to its default keys; a command that has one of them now loses it.
pub(in crate::ui) fn reset(command: Command, look: &Look) -> Look {
    let mut look = look.clone();
    look.shortcuts.remove(command.row().name);
    for keys in command.row().keys {
        let others = |other: &Command| *other != command && keys_of(*other, &look).contains(keys);
        if let Some(other) = Command::ALL.iter().copied().find(others) {
            let left = keys_of(other, &look).into_iter().filter(|known| known != keys).collect();
            store_keys(other, left, &mut look.shortcuts);
        }
    }
    look
}

/// Resets every command to its default keys. Entries under unknown names are kept.
pub(in crate::ui) fn reset_all(look: &Look) -> Look {
    let mut look = look.clone();
    look.shortcuts.retain(|name, _| Command::named(name).is_none());
    look
}

/// Stores the keys of a command together with previously stored texts that cannot be parsed.
fn store_keys(command: Command, keys: Vec<Keys>, kept: &mut BTreeMap<String, Vec<String>>) {
    let name = command.row().name;
    let before = kept.remove(name).unwrap_or_default();
    // Otherwise the unparsed texts alone would bring the default keys back.
    let unread = before.into_iter().filter(|text| Keys::parse(text).is_none() && !keys.is_empty());
    let texts: Vec<String> = keys.iter().map(|keys| keys.serialized()).chain(unread).collect();
    if keys != command.row().keys || texts.len() > keys.len() {
        kept.insert(name.to_owned(), texts);
    }
}
