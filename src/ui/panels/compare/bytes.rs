//! Two contents that are no texts: their sizes, hashes, and where they first differ.

use egui::Ui;

use lunette_inspector::compare::ByteDiff;

use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::grouped;

/// Draws the facts.
pub(super) fn ui(ui: &mut Ui, diff: &ByteDiff) {
    let [left, right] = diff.sizes.map(|size| format!("{} bytes", grouped(size)));
    ui.section_title("Content");
    ui.key_value("Size", &format!("− {left}    + {right}"));
    ui.key_value("SHA-256", &format!("− {}", diff.sha256[0]));
    ui.key_value("", &format!("+ {}", diff.sha256[1]));
    let first = match diff.first {
        None => "nowhere: the bytes are the same".to_owned(),
        Some(first) => format!("at byte {} (hexadecimal {first:x})", grouped(first)),
    };
    ui.key_value("Differ first", &first);
    ui.add_space(SPACE_S);
}
