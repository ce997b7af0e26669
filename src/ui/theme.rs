//! The look of the window: colours, type, spacing and icons, for light and dark.
//!
//! Panels take every colour and size from here, so that both themes stay readable and one change reaches all of them.
//! [`install`] is called once for a context, before its first frame: the text styles below name fonts that it installs.

mod appearance;
pub(in crate::ui) mod bidi;
mod choice;
mod ext;
pub mod fonts;
pub mod icon;
pub mod logo;
mod style;
mod system_fonts;
mod tag_fill;
mod tokens;

pub use appearance::{Appearance, Sizes};
pub use choice::{checkbox, radio, radio_value};
pub use ext::{UiExt, fold_arrow};
pub use fonts::text;
pub use icon::Icon;
pub use system_fonts::load_in_background as fetch_system_fonts;
#[cfg(test)]
pub(in crate::ui) use tokens::tests::contrast;
pub use tokens::{TokenClass, Tokens};

/// The smallest gap: between an icon and its word.
pub const SPACE_XS: f32 = 4.0;
/// The gap between controls that belong together.
pub const SPACE_S: f32 = 8.0;
/// The gap between groups, and the margin inside cards.
pub const SPACE_M: f32 = 12.0;
/// The margin of a page.
pub const SPACE_L: f32 = 16.0;
/// Height of a row in a list that is always dense, in points.
pub const ROW_COMPACT: f32 = 24.0;
/// The least width and height of a button within a line of text, in points.
pub const LINE_BUTTON: f32 = 24.0;
/// Corner radius of buttons, fields and cards, in points.
pub const RADIUS: u8 = 6;
/// Width of the sidebar on the left, in points.
pub const SIDEBAR: f32 = 196.0;

/// Installs the fonts and the styles of both themes; the next frame is drawn with them.
///
/// The theme follows the system until [`set_preference`] changes that.
pub fn install(ctx: &egui::Context) {
    fonts::install(ctx);
    bidi::install(ctx);
    styled(ctx, Appearance::default());
    set_preference(ctx, egui::ThemePreference::System);
}

/// Applies the user's choices from the next frame on. Must be called between two frames.
pub fn apply_appearance(ctx: &egui::Context, appearance: Appearance) {
    if Appearance::of(ctx) != appearance {
        styled(ctx, appearance);
    }
}

fn styled(ctx: &egui::Context, appearance: Appearance) {
    appearance.keep(ctx);
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        ctx.set_style_of(theme, style::style(theme, appearance));
    }
}

/// Returns the height of a row of a list, in points.
pub fn row(ctx: &egui::Context) -> f32 {
    Sizes::of(ctx).row
}

/// Returns the height of buttons and fields, in points.
pub fn control(ctx: &egui::Context) -> f32 {
    Sizes::of(ctx).control
}

/// Chooses light, dark, or the theme of the system.
pub fn set_preference(ctx: &egui::Context, preference: egui::ThemePreference) {
    ctx.set_theme(preference);
}

/// Sets the theme that the desktop prefers, if the toolkit does not know it; dark if there is no preference.
pub fn set_system_theme(ctx: &egui::Context, desktop: Option<egui::Theme>) {
    let wanted = desktop.unwrap_or(egui::Theme::Dark);
    if ctx.options(|options| options.fallback_theme) != wanted {
        ctx.options_mut(|options| options.fallback_theme = wanted);
    }
}
