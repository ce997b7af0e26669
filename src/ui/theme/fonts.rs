//! The typefaces: Inter for text, JetBrains Mono for code, Lucide for icons; other scripts use the fonts of the system.

use egui::{FontData, FontDefinitions, FontFamily, FontId, TextStyle};
use std::{collections::BTreeMap, sync::Arc};

const REGULAR: &str = "inter";
const SEMIBOLD: &str = "semibold";
const MONO: &str = "jetbrains mono";
const ICONS: &str = "lucide";

/// The family of titles and selected items.
pub fn semibold() -> FontFamily {
    FontFamily::Name(SEMIBOLD.into())
}

/// The family of icons; see [`super::Icon`].
pub(super) fn icons() -> FontFamily {
    FontFamily::Name(ICONS.into())
}

/// The text styles of the window besides egui's own body, button, small, heading and monospace.
pub mod text {
    use egui::TextStyle;

    /// Titles of sections and dialogs, 15 points.
    pub fn title() -> TextStyle {
        TextStyle::Name("title".into())
    }

    /// Names above a group, 12 points and semibold.
    pub fn section() -> TextStyle {
        TextStyle::Name("section".into())
    }

    /// The least prominent text, 11 points.
    pub fn tiny() -> TextStyle {
        TextStyle::Name("tiny".into())
    }

    /// Large figures, 17 points.
    pub fn figure() -> TextStyle {
        TextStyle::Name("figure".into())
    }

    /// Ids and filters beside text, 12 points.
    pub fn mono_small() -> TextStyle {
        TextStyle::Name("mono small".into())
    }
}

/// Returns the size and family of every text style.
pub(super) fn text_styles() -> BTreeMap<TextStyle, FontId> {
    let text = |size| FontId::new(size, FontFamily::Proportional);
    let strong = |size| FontId::new(size, semibold());
    let mono = |size| FontId::new(size, FontFamily::Monospace);
    BTreeMap::from([
        (TextStyle::Body, text(13.0)),
        (TextStyle::Button, text(13.0)),
        (TextStyle::Small, text(12.0)),
        (TextStyle::Heading, strong(17.0)),
        (TextStyle::Monospace, mono(12.5)),
        (self::text::title(), strong(15.0)),
        (self::text::section(), strong(12.0)),
        (self::text::tiny(), text(11.0)),
        (self::text::figure(), strong(18.0)),
        (self::text::mono_small(), mono(12.0)),
    ])
}

/// Replaces egui's families, whose fonts remain as a fallback for characters that ours lack.
pub(super) fn install(ctx: &egui::Context) {
    ctx.set_fonts(definitions());
}

/// The font of text, for what is drawn outside the window.
pub fn text_font() -> &'static [u8] {
    include_bytes!("../../../assets/fonts/Inter-Regular.otf")
}

/// Draws the glyphs of a font as they are. Fonts of symbols have no instructions, and the toolkit would look at all glyphs of
/// such a font whenever the size changes between two that it draws for the first time. Its fonts of text are the fallback
/// for letters that ours lack, and would run their instructions before the first frame.
fn unhinted(font: &mut FontData) {
    font.tweak.hinting = Some(false);
}

fn definitions() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    fonts.font_data.values_mut().for_each(|font| unhinted(Arc::make_mut(font)));
    let ours: [(&str, &'static [u8]); 4] = [
        (REGULAR, text_font()),
        (SEMIBOLD, include_bytes!("../../../assets/fonts/Inter-SemiBold.otf")),
        (MONO, lunette_inspector::export::code_picture::FONT),
        (ICONS, include_bytes!("../../../assets/fonts/Lucide-subset.ttf")),
    ];
    for (name, bytes) in ours {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    fonts.font_data.entry(ICONS.to_owned()).and_modify(|font| unhinted(Arc::make_mut(font)));
    let text = fonts.families.entry(FontFamily::Proportional).or_default();
    text.insert(0, REGULAR.to_owned());
    let strong = [SEMIBOLD.to_owned()].into_iter().chain(text.iter().cloned()).collect();
    let mono = fonts.families.entry(FontFamily::Monospace).or_default();
    mono.insert(0, MONO.to_owned());
    fonts.families.insert(semibold(), strong);
    // A family of its own: Inter has other glyphs at the same code points.
    fonts.families.insert(icons(), vec![ICONS.to_owned()]);
    fonts
}
