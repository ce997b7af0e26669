//! The backgrounds of tags that were given a colour, in both themes.
//!
//! What must hold: the text of a chip and its cross are readable on each of them; a test computes all pairs.

use egui::Color32;

use super::Tokens;
use super::tokens::rgb;
use lunette_inspector::settings::TagColor;

impl Tokens {
    /// Returns the background of a chip of this colour.
    pub fn tag_fill(&self, color: TagColor) -> Color32 {
        let (dark, light) = match color {
            TagColor::Red => (0x6e2c2c, 0xf9cdc8),
            TagColor::Orange => (0x6b3f16, 0xfad9b5),
            TagColor::Yellow => (0x5c4a10, 0xf3e29a),
            TagColor::Green => (0x24562f, 0xc9e8c5),
            TagColor::Teal => (0x165454, 0xbfe6e3),
            TagColor::Blue => (0x234a7d, 0xcbdffa),
            TagColor::Purple => (0x4d3a80, 0xdfd3f8),
            TagColor::Pink => (0x6e2c55, 0xf8cfe4),
        };
        rgb(if self.dark { dark } else { light })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::tokens::tests::{all, contrast};

    #[test]
    fn the_text_of_a_coloured_tag_is_readable_in_both_themes() {
        for t in all() {
            for color in TagColor::ALL {
                let fill = t.tag_fill(color);
                let (text, cross) = (contrast(t.text, fill), contrast(t.muted, fill));
                assert!(text >= 4.5, "{color:?}, dark {}: {text:.2}", t.dark);
                assert!(cross >= 3.0, "{color:?}, dark {}: the cross has {cross:.2}", t.dark);
            }
        }
    }

    #[test]
    fn no_two_colours_of_a_theme_are_the_same() {
        for t in [Tokens::DARK, Tokens::LIGHT] {
            let fills: std::collections::BTreeSet<_> =
                TagColor::ALL.iter().map(|color| t.tag_fill(*color).to_array()).collect();
            assert_eq!(fills.len(), TagColor::ALL.len());
        }
    }
}
