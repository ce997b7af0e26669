//! Two contents that are not text: their sizes, hashes, and where they first differ.

use egui::Ui;

use lunette_inspector::compare::ByteDiff;

use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::{grouped, plural};

/// Draws the facts.
pub(super) fn ui(ui: &mut Ui, diff: &ByteDiff) {
    ui.section_title("Content");
    ui.key_value("Size", &sizes(diff));
    ui.key_value("SHA-256", &format!("− {}", diff.sha256[0]));
    ui.key_value("", &format!("+ {}", diff.sha256[1]));
    ui.key_value("Differ first", &first(diff));
    ui.add_space(SPACE_S);
}

/// Draws the facts in one line above contents that are shown themselves.
pub(super) fn line_ui(ui: &mut Ui, diff: &ByteDiff) {
    let [left, right] = &diff.sha256;
    let line = ui.caption(&format!("{}, differ first {}", sizes(diff), first(diff)));
    line.on_hover_text(format!("SHA-256\n− {left}\n+ {right}"));
}

fn sizes(diff: &ByteDiff) -> String {
    let [left, right] = diff.sizes.map(|size| plural(size, "byte"));
    format!("− {left}    + {right}")
}

fn first(diff: &ByteDiff) -> String {
    match diff.first {
        None => "nowhere: the bytes are the same".to_owned(),
        Some(first) => format!("at byte {} (hexadecimal {first:x})", grouped(first)),
    }
}
