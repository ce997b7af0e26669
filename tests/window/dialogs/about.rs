//! What the window says of the program: its version and the licences of others, of which only visible lines are drawn.

use egui::{Key, Role};
use egui_kittest::kittest::Queryable as _;

use crate::stage::Stage;

#[test]
fn about_shows_the_version_and_every_third_party_licence() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "About Lunette");
    stage.until_drawn("it is found", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "About Lunette").is_some()
    });
    stage.find(Role::ListBoxOption, "About Lunette").click();
    stage.until_label(concat!("Version ", env!("CARGO_PKG_VERSION"), ", © 2026 The Lunette authors"));
    let text = lunette_inspector::licences::of_others();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 10_000, "{} lines", lines.len());
    stage.until_label(lines.iter().find(|line| line.starts_with("accesskit ")).expect("a library"));
    let drawn = lines.iter().filter(|line| line.len() > 20 && stage.draws(Role::Label, line)).count();
    assert!((5..200).contains(&drawn), "{drawn} of {} lines are drawn", lines.len());
    // A click gives the view the keyboard; its last line belongs to the grammars.
    stage.find(Role::Document, "Licences").click();
    stage.settle();
    stage.key(Key::End);
    let last = lines.iter().rev().find(|line| line.len() > 20).expect("a line");
    stage.until_label(last);
    stage.press("Close");
    stage.settle();
    assert!(!stage.draws(Role::Document, "Licences"), "it is closed");
}
