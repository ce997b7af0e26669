//! Invariants over the table of commands.

use std::collections::BTreeSet;

use egui::Key;
use proptest::prelude::*;

use super::{Command, Group, Keys, bind, command_with_keys, is_changed, keys_of, reset, reset_all};
use lunette_inspector::State;
use lunette_inspector::settings::Look;

/// The names stored in users' settings: new ones are added here, none may be removed or changed.
const NAMES: &str = "go-applications go-external go-assets go-links go-operations go-log go-history go-graph go-compare go-proposals go-sides go-rescue try-on-copy trash back forward palette \
    go-to-id find import-files import-folder import-preview import-samples new-text new-from-clipboard export-many compare-files screenshot quit undo redo preferences refresh \
    gallery past-of-list next-change previous-change next-area previous-area theme-system theme-light theme-dark zoom-in zoom-out zoom-reset clear-log rename edit-asset edit-text reclassify tag website \
    summary score favourite pin-recent export show-graph compare select-for-compare compare-with compare-with-file show-versions show-related copy-id delete near-duplicates next-asset previous-asset peek open-beside close-asset connection reconnect \
    use-embedded check rail-free rail-confirm rail-read-only assistants back-up restore welcome messages help about";

#[test]
fn every_command_has_its_texts_and_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    let mut titles = BTreeSet::new();
    for command in Command::ALL {
        let row = command.row();
        assert!(names.insert(row.name), "two are called {}", row.name);
        assert!(titles.insert(row.title), "two are titled {}", row.title);
        assert!(!row.title.is_empty() && !row.title.ends_with('.'), "{}", row.name);
        assert!(row.tip.ends_with('.') && row.tip.matches(". ").count() == 0, "one sentence: {}", row.tip);
        assert!(row.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{}", row.name);
        assert_eq!(Command::named(row.name), Some(*command));
    }
}

#[test]
fn names_of_commands_never_change() {
    let kept: Vec<&str> = NAMES.split_whitespace().collect();
    let now: Vec<&str> = Command::ALL.iter().map(|command| command.row().name).collect();
    assert_eq!(now, kept);
}

#[test]
fn no_two_commands_share_keys() {
    let mut taken: Vec<(Keys, Command)> = Vec::new();
    for command in Command::ALL {
        for keys in command.row().keys {
            let other = taken.iter().find(|(known, _)| known == keys);
            assert!(other.is_none(), "{} has the keys of {other:?}", command.row().name);
            taken.push((*keys, *command));
        }
    }
}

#[test]
fn no_command_has_keys_that_are_reserved() {
    for command in Command::ALL {
        for keys in command.row().keys {
            assert_eq!(keys.reserved_reason(), None, "{}: {}", command.row().name, keys.display());
        }
    }
    for key in [Key::A, Key::C, Key::V, Key::X] {
        assert_eq!(command_with_keys(Keys::ctrl(key), &Look::default()), None);
    }
}

#[test]
fn every_command_is_in_a_group_of_the_menu() {
    let listed: usize = Group::ALL.into_iter().map(|group| group.commands().count()).sum();
    assert_eq!(listed, Command::ALL.len());
    assert!(Group::ALL.into_iter().all(|group| group.commands().next().is_some()));
}

#[test]
fn every_command_can_be_requested_in_an_empty_state() {
    let state = State::default();
    for command in Command::ALL {
        let mut actions = Vec::new();
        let request = command.run(&state, &mut actions);
        assert!(request.is_some() || !actions.is_empty(), "{} does and says nothing", command.row().name);
        assert!(!command.tooltip(&state).is_empty() && !command.title_now(&state).is_empty());
        if let Some(disabled_reason) = command.disabled_reason(&state) {
            assert!(!disabled_reason.sentence.is_empty() && !disabled_reason.short.is_empty());
        }
    }
}

#[test]
fn keys_taken_from_another_command_are_removed_from_it() {
    let look = bind(Command::Export, Some(Keys::ctrl(Key::K)), &Look::default());
    assert_eq!(keys_of(Command::Export, &look), [Keys::ctrl(Key::K)]);
    assert_eq!(keys_of(Command::Palette, &look), [Keys::ctrl(Key::P)]);
    assert!(is_changed(Command::Palette, &look));
    assert_eq!(command_with_keys(Keys::ctrl(Key::E), &look), None);
    let look = reset(Command::Palette, &look);
    assert_eq!(keys_of(Command::Palette, &look), Command::Palette.row().keys);
    assert_eq!(keys_of(Command::Export, &look), []);
    assert_eq!(reset_all(&look), Look::default());
}

#[test]
fn a_command_can_be_left_without_keys() {
    let look = bind(Command::Quit, None, &Look::default());
    assert_eq!(keys_of(Command::Quit, &look), []);
    assert_eq!(look.shortcuts.get("quit"), Some(&Vec::new()));
}

#[test]
fn a_kept_text_that_cannot_be_read_is_ignored_and_not_lost() {
    let mut look = Look::default();
    look.shortcuts.insert("export".to_owned(), vec!["Ctrl+Wheel".to_owned()]);
    look.shortcuts.insert("a later command".to_owned(), vec!["Ctrl+E".to_owned()]);
    assert_eq!(keys_of(Command::Export, &look), Command::Export.row().keys);
    let look = bind(Command::Export, Some(Keys::plain(Key::F8)), &look);
    assert_eq!(look.shortcuts["export"], ["F8", "Ctrl+Wheel"]);
    assert_eq!(keys_of(Command::Export, &look), [Keys::plain(Key::F8)]);
    assert!(reset_all(&look).shortcuts.contains_key("a later command"));
}

proptest! {
    #[test]
    fn no_sequence_of_key_changes_gives_two_commands_the_same_keys(
        changes in prop::collection::vec((0..Command::ALL.len(), 0..26_usize, any::<bool>(), any::<bool>()), 0..20)
    ) {
        let mut look = Look::default();
        for (index, letter, shift, back) in changes {
            let keys = Keys::ctrl(Key::ALL[Key::ALL.iter().position(|key| *key == Key::A).unwrap_or(0) + letter]);
            let keys = if shift { keys.shift() } else { keys };
            let command = Command::ALL[index];
            look = if back { reset(command, &look) } else { bind(command, Some(keys), &look) };
        }
        let mut taken = BTreeSet::new();
        for command in Command::ALL {
            for keys in keys_of(*command, &look) {
                prop_assert!(taken.insert(keys.serialized()), "{}", keys.serialized());
            }
        }
    }
}
