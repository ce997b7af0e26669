//! The notes of Markdown that begin with `[!NOTE]` and the like, as GitHub has them, in the colours of the theme.

use egui::Color32;
use egui_commonmark::{Alert, AlertBundle};

use crate::ui::theme::Tokens;

/// The kinds, with icons of fonts that the program brings: finding another font takes a long frame.
pub(super) fn of_theme(t: &Tokens) -> AlertBundle {
    let alert = |identifier: &str, rendered: &str, icon: char, accent_color: Color32| Alert {
        accent_color,
        icon,
        identifier: identifier.to_owned(),
        identifier_rendered: rendered.to_owned(),
    };
    AlertBundle::from_alerts(vec![
        alert("NOTE", "Note", 'ℹ', t.function),
        alert("TIP", "Tip", '★', t.ok),
        alert("IMPORTANT", "Important", '◆', t.keyword),
        alert("WARNING", "Warning", '⚠', t.warning),
        alert("CAUTION", "Caution", '✕', t.error),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::contrast;

    #[test]
    fn the_title_of_every_note_can_be_read_in_both_themes() {
        for tokens in [Tokens::DARK, Tokens::LIGHT] {
            for alert in of_theme(&tokens).into_alerts() {
                let ratio = contrast(alert.accent_color, tokens.panel);
                assert!(ratio >= 4.5, "{}: {ratio}", alert.identifier);
            }
        }
    }
}
