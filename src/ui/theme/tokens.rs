//! The named colours of both themes, with each of the accents.
//!
//! Every text colour has a contrast of at least 4.5:1 on every background it is drawn on
//! ([WCAG 2.2, 1.4.3](https://www.w3.org/TR/WCAG22/#contrast-minimum)); a test computes all pairs.

use egui::Color32;

use super::Appearance;
pub use lunette_inspector::highlighting::TokenClass;
use lunette_inspector::settings::Accent;

/// The colours of one theme with one accent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tokens {
    /// Whether these are the colours of the dark theme.
    pub dark: bool,
    /// The background of lists.
    pub background: Color32,
    /// The background of the sidebar, the bars and the page beside a list.
    pub panel: Color32,
    /// The background of buttons, chips, menus and dialogs.
    pub raised: Color32,
    /// The background of a raised control when hovered.
    pub hovered: Color32,
    /// Lines between items, one pixel wide.
    pub line: Color32,
    /// The main text.
    pub text: Color32,
    /// Captions, units, secondary columns.
    pub muted: Color32,
    /// Hints and line numbers.
    pub faint: Color32,
    /// Selected, primary and running items.
    pub accent: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// The background of selected text.
    pub selection: Color32,
    /// A good state.
    pub ok: Color32,
    /// A state that needs attention.
    pub warning: Color32,
    /// A failed state.
    pub error: Color32,
    /// The background of the selected row.
    pub selected_row: Color32,
    /// The background of a hovered row.
    pub hovered_row: Color32,
    /// The background of code and records.
    pub code_ground: Color32,
    /// The background of added text.
    pub added_ground: Color32,
    /// The background of removed text.
    pub removed_ground: Color32,
    /// The background of the banner of a read-only connection.
    pub read_only_ground: Color32,
    /// The background of the banner of a connection whose writes need confirmation.
    pub confirm_ground: Color32,
    /// The background of the banner of a connection whose writes leave this machine.
    pub exposed_ground: Color32,
    /// Bars of a plot, except the newest.
    pub bar: Color32,
    /// Keywords in code.
    pub keyword: Color32,
    /// Names of functions and types in code, keys of a record.
    pub function: Color32,
    /// Strings and numbers in code.
    pub string: Color32,
    /// Comments in code.
    pub comment: Color32,
}

impl Tokens {
    /// The dark theme, in amber.
    pub const DARK: Tokens = Tokens {
        dark: true,
        background: rgb(0x14161a),
        panel: rgb(0x1a1d22),
        raised: rgb(0x22262d),
        hovered: rgb(0x2a2f38),
        line: rgb(0x2c3139),
        text: rgb(0xe7e9ee),
        muted: rgb(0xa3acba),
        faint: rgb(0x959eac),
        accent: rgb(0xe3a857),
        on_accent: rgb(0x1b1407),
        selection: rgb(0x443721),
        ok: rgb(0x5fb98b),
        warning: rgb(0xe0b13c),
        error: rgb(0xef8a81),
        selected_row: rgb(0x2a2f38),
        hovered_row: rgb(0x1c1f25),
        code_ground: rgb(0x101216),
        added_ground: rgb(0x16291f),
        removed_ground: rgb(0x351c1c),
        read_only_ground: rgb(0x1b3a52),
        confirm_ground: rgb(0x493a10),
        exposed_ground: rgb(0x5a211d),
        bar: rgb(0x6b7482),
        keyword: rgb(0xdea273),
        function: rgb(0x7fb4d8),
        string: rgb(0x8fbf7f),
        comment: rgb(0x9aa4b3),
    };

    /// The light theme, in amber.
    pub const LIGHT: Tokens = Tokens {
        dark: false,
        background: rgb(0xf6f5f2),
        panel: rgb(0xffffff),
        raised: rgb(0xffffff),
        hovered: rgb(0xf0eee9),
        line: rgb(0xdedbd3),
        text: rgb(0x1d1f23),
        muted: rgb(0x545b66),
        faint: rgb(0x626974),
        accent: rgb(0x985a17),
        on_accent: rgb(0xffffff),
        selection: rgb(0xf5e8d5),
        ok: rgb(0x26704a),
        warning: rgb(0x805a06),
        error: rgb(0xb3372d),
        selected_row: rgb(0xf1e9dc),
        hovered_row: rgb(0xf1efea),
        code_ground: rgb(0xfaf9f6),
        added_ground: rgb(0xe2f1e8),
        removed_ground: rgb(0xf9e5e2),
        read_only_ground: rgb(0xcfe3f2),
        confirm_ground: rgb(0xf6e3ae),
        exposed_ground: rgb(0xf6cfca),
        bar: rgb(0x878d97),
        keyword: rgb(0x8d4913),
        function: rgb(0x195680),
        string: rgb(0x2e6122),
        comment: rgb(0x565c67),
    };

    /// Returns the colours that this part of the window is drawn with. They are those of its style, so that nothing is
    /// looked up in the context: many cells ask for them in every frame.
    pub fn of(ui: &egui::Ui) -> &'static Tokens {
        let visuals = ui.visuals();
        let all = if visuals.dark_mode { &ALL_DARK } else { &ALL_LIGHT };
        let of_style = all.iter().find(|tokens| tokens.accent == visuals.hyperlink_color);
        of_style.unwrap_or_else(|| Tokens::of_context(ui))
    }

    /// Returns the colours of the theme and the accent that the context draws with now.
    pub fn of_context(ctx: &egui::Context) -> &'static Tokens {
        Tokens::for_theme(ctx.theme(), Appearance::of(ctx).accent)
    }

    /// Returns the colours of one theme with one accent.
    pub fn for_theme(theme: egui::Theme, accent: Accent) -> &'static Tokens {
        let all = match theme {
            egui::Theme::Dark => &ALL_DARK,
            egui::Theme::Light => &ALL_LIGHT,
        };
        &all[accent as usize]
    }

    const fn accented(self, accent: u32, on_accent: u32, selection: u32, selected_row: u32) -> Tokens {
        let (accent, on_accent) = (rgb(accent), rgb(on_accent));
        Tokens { accent, on_accent, selection: rgb(selection), selected_row: rgb(selected_row), ..self }
    }

    /// Returns the background of text fields.
    pub fn field(&self) -> Color32 {
        if self.dark { self.code_ground } else { self.raised }
    }

    /// Returns the background of a match in a text.
    pub fn match_ground(&self) -> Color32 {
        self.confirm_ground
    }

    /// Returns the background of the current match.
    pub fn current_match_ground(&self) -> Color32 {
        if self.dark { rgb(0x6b5412) } else { rgb(0xf0cc60) }
    }

    /// Returns the background of the words that differ in an added line.
    pub fn added_word_ground(&self) -> Color32 {
        if self.dark { rgb(0x24573a) } else { rgb(0xb4e0c5) }
    }

    /// Returns the background of the words that differ in a removed line.
    pub fn removed_word_ground(&self) -> Color32 {
        if self.dark { rgb(0x6e2d2d) } else { rgb(0xf2bab3) }
    }

    /// Returns the colour of a run of code.
    pub fn code(&self, class: TokenClass) -> Color32 {
        match class {
            TokenClass::Plain => self.text,
            TokenClass::Keyword => self.keyword,
            TokenClass::Function => self.function,
            TokenClass::Literal => self.string,
            TokenClass::Comment => self.comment,
        }
    }
}

/// The dark theme in the order of [`Accent::ALL`].
static ALL_DARK: [Tokens; Accent::ALL.len()] = [
    Tokens::DARK,
    Tokens::DARK.accented(0x80b5f2, 0x07131f, 0x203a5b, 0x253040),
    Tokens::DARK.accented(0x94c76c, 0x0f1a08, 0x2b3f20, 0x26322a),
    Tokens::DARK.accented(0xbba6f7, 0x150d2b, 0x3b3361, 0x2e2d40),
    Tokens::DARK.accented(0xf29dba, 0x2a0a16, 0x572a3d, 0x352c36),
];

/// The light theme in the same order.
static ALL_LIGHT: [Tokens; Accent::ALL.len()] = [
    Tokens::LIGHT,
    Tokens::LIGHT.accented(0x1f5fae, 0xffffff, 0xc9ddf6, 0xe5edf7),
    Tokens::LIGHT.accented(0x30681f, 0xffffff, 0xcfe5c4, 0xe8f0e3),
    Tokens::LIGHT.accented(0x6740bd, 0xffffff, 0xdccff6, 0xede8f8),
    Tokens::LIGHT.accented(0xa82a58, 0xffffff, 0xf6cfdd, 0xf7e7ed),
];

pub(super) const fn rgb(hex: u32) -> Color32 {
    let [_, red, green, blue] = hex.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use lunette_inspector::export::code_picture::{Palette, Shade};

    /// Returns the contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2, "contrast ratio").
    pub(in crate::ui) fn contrast(one: Color32, other: Color32) -> f64 {
        let [a, b] = [luminance(one), luminance(other)];
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn luminance(color: Color32) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
    }

    /// Returns every theme with every accent.
    pub(in crate::ui::theme) fn all() -> impl Iterator<Item = Tokens> {
        ALL_DARK.into_iter().chain(ALL_LIGHT)
    }

    #[test]
    fn pictures_of_code_have_the_colours_of_the_window() {
        for (shade, t) in [(Shade::Dark, Tokens::DARK), (Shade::Light, Tokens::LIGHT)] {
            let palette = Palette::of(shade);
            let of = |color: Color32| [color.r(), color.g(), color.b()];
            assert_eq!((palette.ground, palette.panel, palette.line), (of(t.code_ground), of(t.panel), of(t.line)));
            assert_eq!(palette.muted, of(t.muted));
            for class in
                [TokenClass::Plain, TokenClass::Keyword, TokenClass::Function, TokenClass::Literal, TokenClass::Comment]
            {
                assert_eq!(palette.code(class), of(t.code(class)), "{class:?}");
            }
        }
    }

    #[test]
    fn the_style_of_a_ui_tells_its_colours_in_every_theme_and_accent() {
        for theme in [egui::Theme::Dark, egui::Theme::Light] {
            for accent in Accent::ALL {
                let ctx = egui::Context::default();
                crate::ui::theme::install(&ctx);
                crate::ui::theme::set_preference(&ctx, theme.into());
                crate::ui::theme::apply_appearance(&ctx, Appearance { accent, ..Appearance::default() });
                let mut same = false;
                let draw = |ui: &mut egui::Ui| same = std::ptr::eq(Tokens::of(ui), Tokens::for_theme(theme, accent));
                ctx.run_ui(egui::RawInput::default(), draw).textures_delta.clear();
                assert!(same, "{theme:?} {accent:?}");
            }
        }
    }

    #[test]
    fn the_tokens_are_in_the_order_of_the_accents() {
        let indices: Vec<usize> = Accent::ALL.into_iter().map(|accent| accent as usize).collect();
        assert_eq!(indices, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn the_focus_ring_contrasts_with_every_background_in_every_accent() {
        for t in all() {
            for ground in grounds(&t).into_iter().chain([t.selection, t.read_only_ground, t.confirm_ground]) {
                let ratio = contrast(t.accent, ground);
                assert!(ratio >= 3.0, "{:?} on {ground:?}, dark {}: {ratio:.2}", t.accent, t.dark);
            }
        }
    }

    #[test]
    fn selected_text_is_readable_in_every_accent() {
        for t in all() {
            for color in [t.text, t.muted, t.accent, t.keyword, t.function, t.string, t.comment] {
                let ratio = contrast(color, t.selection);
                assert!(ratio >= 4.5, "{color:?} on {:?}, dark {}: {ratio:.2}", t.selection, t.dark);
            }
        }
    }

    fn grounds(t: &Tokens) -> [Color32; 7] {
        [t.background, t.panel, t.raised, t.hovered, t.selected_row, t.hovered_row, t.code_ground]
    }

    #[test]
    fn every_text_colour_is_readable_on_every_ground_of_its_theme() {
        for t in all() {
            let grounds = grounds(&t);
            let names = ["background", "panel", "raised", "hovered", "selected row", "hovered row", "code ground"];
            let texts = [
                ("text", t.text),
                ("muted", t.muted),
                ("faint", t.faint),
                ("accent", t.accent),
                ("ok", t.ok),
                ("warning", t.warning),
                ("error", t.error),
            ];
            for (name, text) in texts {
                for (ground_name, ground) in names.iter().zip(grounds) {
                    let ratio = contrast(text, ground);
                    assert!(ratio >= 4.5, "{name} on {ground_name}, dark {}: {ratio:.2}", t.dark);
                }
            }
        }
    }

    #[test]
    fn code_colours_are_readable_on_code_ground_and_on_changes() {
        for t in all() {
            for color in [t.text, t.keyword, t.function, t.string, t.comment] {
                for ground in [t.code_ground, t.panel, t.background] {
                    assert!(contrast(color, ground) >= 4.5, "{color:?} on {ground:?}: {}", contrast(color, ground));
                }
            }
            for ground in [t.added_ground, t.removed_ground] {
                assert!(contrast(t.text, ground) >= 4.5 && contrast(t.muted, ground) >= 4.5);
            }
            for ground in [t.added_word_ground(), t.removed_word_ground(), t.match_ground(), t.current_match_ground()] {
                assert!(contrast(t.text, ground) >= 4.5, "{ground:?}: {}", contrast(t.text, ground));
            }
            for ground in [t.read_only_ground, t.confirm_ground, t.exposed_ground] {
                assert!(contrast(t.text, ground) >= 4.5, "{ground:?}: {}", contrast(t.text, ground));
            }
            assert!(contrast(t.on_accent, t.accent) >= 4.5, "{}", contrast(t.on_accent, t.accent));
        }
    }
}
