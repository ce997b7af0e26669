//! A key combination: pressed, serialized, parsed and displayed.
//!
//! What must hold: a serialized combination parses to the same combination; each combination has one form, so that two
//! that are pressed alike are equal. `Ctrl` is the command key: on macOS it is Cmd.

use egui::{Event, Key, Modifiers};

use crate::ui::platform::IS_MAC;

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Keys {
    /// Whether the command key is held: Ctrl, or Cmd on macOS.
    ctrl: bool,
    alt: bool,
    /// Whether Shift is held; always false for symbols, since keyboards differ in which symbols need it.
    shift: bool,
    key: Key,
}

impl Keys {
    /// A key without modifiers.
    pub const fn plain(key: Key) -> Self {
        Self { ctrl: false, alt: false, shift: false, key }
    }

    /// A key with Ctrl.
    pub const fn ctrl(key: Key) -> Self {
        Self { ctrl: true, ..Self::plain(key) }
    }

    /// A key with Alt.
    pub const fn alt(key: Key) -> Self {
        Self { alt: true, ..Self::plain(key) }
    }

    /// Adds Shift to the combination.
    pub const fn shift(self) -> Self {
        Self { shift: true, ..self }
    }

    /// Returns what was pressed; `None` for a key that only modifies others.
    pub fn pressed(key: Key, modifiers: Modifiers) -> Option<Self> {
        let ctrl = modifiers.command || modifiers.ctrl && !IS_MAC;
        let keys = Self { ctrl, alt: modifiers.alt, shift: modifiers.shift && !is_printable(key), key };
        (!is_modifier(key)).then_some(keys)
    }

    /// Returns the combination of a key event, and whether it is a repeat; `None` for other events.
    pub fn of_event(event: &Event) -> Option<(Self, bool)> {
        match event {
            Event::Key { key, pressed: true, repeat, modifiers, .. } => {
                Some((Self::pressed(*key, *modifiers)?, *repeat))
            }
            _ => None,
        }
    }

    /// Returns the modifiers and the key.
    pub fn parts(self) -> (Modifiers, Key) {
        let Self { ctrl: command, alt, shift, key } = self;
        (Modifiers { alt, shift, command, ..Modifiers::NONE }, key)
    }

    /// Parses what [`Keys::serialized`] returns; symbols may be written as such. `None` if it is not a key combination.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut rest, mut held) = (text.trim(), Modifiers::NONE);
        while let Some((word, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
            match word.trim().to_ascii_lowercase().as_str() {
                "ctrl" | "cmd" => held.command = true,
                "alt" | "option" => held.alt = true,
                "shift" => held.shift = true,
                _ => return None,
            }
            rest = after.trim_start();
        }
        Self::pressed(Key::from_name(rest)?, held)
    }

    /// Returns the stored form, such as `Ctrl+Shift+E`, the same on every system.
    pub fn serialized(self) -> String {
        let Self { ctrl, alt, shift, key } = self;
        joined([(ctrl, "Ctrl"), (alt, "Alt"), (shift, "Shift")], key.name())
    }

    /// Returns the displayed form.
    pub fn display(self) -> String {
        self.display_on(IS_MAC)
    }

    /// Returns the displayed form, in the order and with the names that the system uses.
    fn display_on(self, mac: bool) -> String {
        let Self { ctrl, alt, shift, key } = self;
        match mac {
            true => joined([(alt, "Option"), (shift, "Shift"), (ctrl, "Cmd")], mac_name(key)),
            false => joined([(ctrl, "Ctrl"), (alt, "Alt"), (shift, "Shift")], symbol(key)),
        }
    }

    /// Returns whether text fields use this combination.
    pub fn used_by_text_fields(self) -> bool {
        let Self { ctrl, alt, key, .. } = self;
        match (ctrl, alt) {
            (false, false) => !is_function(key),
            // On macOS these move by words; elsewhere Ctrl does.
            (false, true) => IS_MAC && MOVEMENT_KEYS.contains(&key),
            (true, _) => FIELD_SHORTCUTS.contains(&key) || MOVEMENT_KEYS.contains(&key),
        }
    }

    /// Returns whether editors of code use this combination besides those of text fields: to find, to comment, and to
    /// move lines.
    pub fn used_by_editors(self) -> bool {
        let Self { ctrl, alt, shift, key } = self;
        match (ctrl, alt) {
            (false, false) => key == Key::F3,
            (false, true) => matches!(key, Key::ArrowUp | Key::ArrowDown),
            (true, false) => key == Key::Slash || !shift && matches!(key, Key::F | Key::H),
            (true, true) => false,
        }
    }

    /// Returns why a command cannot use this combination; `None` if it can.
    pub fn reserved_reason(self) -> Option<&'static str> {
        self.reserved_reason_on(IS_MAC)
    }

    fn reserved_reason_on(self, mac: bool) -> Option<&'static str> {
        let Self { ctrl, alt, shift, key } = self;
        // The toolkit makes this menu, with the keys that it has in every program.
        if mac && ctrl && !shift && key == Key::H {
            return Some("The menu of the program uses these keys");
        }
        let copies = !shift && [Key::C, Key::V, Key::X].contains(&key);
        if ctrl && !alt && (copies || key == Key::A) {
            return Some("Text fields and lists use these keys");
        }
        if matches!(key, Key::Copy | Key::Cut | Key::Paste) {
            return Some("Copy, cut and paste use these keys");
        }
        if ctrl || alt || is_function(key) || is_printable(key) {
            return None;
        }
        Some(if mac {
            "Lists and fields use this key; add Cmd or Option"
        } else {
            "Lists and fields use this key; add Ctrl or Alt"
        })
    }
}

/// Keys that move the cursor or edit text in a field.
const MOVEMENT_KEYS: [Key; 8] =
    [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown, Key::Home, Key::End, Key::Backspace, Key::Delete];

/// What text fields do with Ctrl: select all, copy, paste, cut, undo, redo, submit, delete a word.
const FIELD_SHORTCUTS: [Key; 8] = [Key::A, Key::C, Key::V, Key::X, Key::Z, Key::Y, Key::Enter, Key::W];

/// Returns the held modifiers and the key as one text.
fn joined(held: [(bool, &str); 3], key: &str) -> String {
    let held = held.into_iter().filter_map(|(held, word)| held.then_some(word));
    held.chain([key]).collect::<Vec<_>>().join("+")
}

/// Returns whether a key acts by itself and types no text.
fn is_function(key: Key) -> bool {
    let name = key.name();
    let own = ["Browser", "Media", "Audio", "Launch"].iter().any(|kind| name.starts_with(kind));
    own || name.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok())
}

/// Returns whether a key is known by the symbol it types.
fn is_printable(key: Key) -> bool {
    key == Key::Quote || key.symbol_or_name() != key.name() && !MOVEMENT_KEYS.contains(&key)
}

/// Returns the label of a key, in characters that every font has.
fn symbol(key: Key) -> &'static str {
    match key {
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::Quote => "'",
        Key::PageUp => "Page Up",
        Key::PageDown => "Page Down",
        Key::Escape => "Esc",
        Key::BrowserBack => "Browser Back",
        Key::BrowserForward => "Browser Forward",
        key => key.symbol_or_name(),
    }
}

/// Returns the label of a key on a Mac.
fn mac_name(key: Key) -> &'static str {
    match key {
        Key::Backspace => "Delete",
        Key::Delete => "Forward Delete",
        key => symbol(key),
    }
}

fn is_modifier(key: Key) -> bool {
    matches!(
        key,
        Key::ShiftLeft
            | Key::ShiftRight
            | Key::ControlLeft
            | Key::ControlRight
            | Key::AltLeft
            | Key::AltRight
            | Key::SuperLeft
            | Key::SuperRight
            | Key::CapsLock
            | Key::NumLock
            | Key::ScrollLock
            | Key::Fn
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_keys() -> impl Strategy<Value = Keys> {
        let held = (any::<bool>(), any::<bool>(), any::<bool>());
        let keys = (0..Key::ALL.len(), held).prop_filter_map("no key by itself", |(index, (command, alt, shift))| {
            Keys::pressed(Key::ALL[index], Modifiers { command, alt, shift, ..Modifiers::NONE })
        });
        keys.boxed()
    }

    proptest! {
        #[test]
        fn serialized_keys_parse_to_the_same_keys(keys in any_keys()) {
            prop_assert_eq!(Keys::parse(&keys.serialized()), Some(keys));
            prop_assert!(!keys.display().is_empty());
        }

        #[test]
        fn no_text_makes_parsing_panic(text in "\\PC{0,24}") {
            if let Some(keys) = Keys::parse(&text) {
                prop_assert_eq!(Keys::parse(&keys.serialized()), Some(keys));
            }
        }
    }

    #[test]
    fn keys_are_displayed_as_people_write_them() {
        assert_eq!(Keys::ctrl(Key::E).shift().serialized(), "Ctrl+Shift+E");
        assert_eq!(Keys::parse("ctrl+shift+e"), Some(Keys::ctrl(Key::E).shift()));
        assert_eq!(Keys::parse("Ctrl++"), Some(Keys::ctrl(Key::Plus)));
        assert_eq!(Keys::parse("Ctrl+Nonsense"), None);
        assert_eq!(Keys::parse("Hyper+E"), None);
        assert_eq!(Keys::parse(""), None);
    }

    #[test]
    fn keys_are_displayed_in_the_order_and_with_the_names_of_the_system() {
        let all = Keys { alt: true, ..Keys::ctrl(Key::E).shift() };
        assert_eq!(
            (all.display_on(false), all.display_on(true)),
            ("Ctrl+Alt+Shift+E".into(), "Option+Shift+Cmd+E".into())
        );
        assert_eq!(Keys::ctrl(Key::Backspace).display_on(true), "Cmd+Delete");
        assert_eq!(Keys::ctrl(Key::Delete).display_on(true), "Cmd+Forward Delete");
        assert_eq!(Keys::ctrl(Key::Delete).display_on(false), "Ctrl+Delete");
    }

    #[test]
    fn keys_of_the_menu_of_a_mac_program_are_reserved_there() {
        let hide_others = Keys { alt: true, ..Keys::ctrl(Key::H) };
        for keys in [Keys::ctrl(Key::H), hide_others] {
            assert!(keys.reserved_reason_on(true).is_some() && keys.reserved_reason_on(false).is_none(), "{keys:?}");
        }
    }

    #[test]
    fn a_sign_is_the_same_whether_it_needs_shift_or_not() {
        let held = Modifiers::SHIFT;
        assert_eq!(Keys::pressed(Key::Questionmark, held), Some(Keys::plain(Key::Questionmark)));
        assert_eq!(Keys::pressed(Key::E, Modifiers::COMMAND | held), Some(Keys::ctrl(Key::E).shift()));
    }

    #[test]
    fn keys_that_text_fields_use_are_known() {
        for key in [Key::A, Key::C, Key::V, Key::X, Key::Z] {
            assert!(Keys::ctrl(key).used_by_text_fields(), "{key:?}");
        }
        assert!(Keys::plain(Key::Slash).used_by_text_fields());
        assert!(!Keys::plain(Key::F2).used_by_text_fields());
        assert!(!Keys::ctrl(Key::K).used_by_text_fields());
        assert!(Keys::plain(Key::E).reserved_reason().is_some() && Keys::ctrl(Key::C).reserved_reason().is_some());
    }
}
