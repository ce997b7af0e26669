//! The look: colours, type, spacing and icons of the whole window, for light and dark.
//!
//! Panels take every colour and size from here, so that both themes stay readable and one change reaches all of them.
//! [`install`] is called once for a context, before its first frame: the text styles below name fonts it puts in place.

mod bidi;
mod ext;
pub mod fonts;
pub mod icon;
pub mod mark;
mod style;
mod system_fonts;
mod tokens;

pub use ext::UiExt;
pub use fonts::text;
pub use icon::Icon;
pub use system_fonts::fetch as fetch_system_fonts;
pub use tokens::{TokenClass, Tokens};

/// The smallest gap: between an icon and its word.
pub const SPACE_XS: f32 = 4.0;
/// The gap between controls that belong together.
pub const SPACE_S: f32 = 8.0;
/// The gap between groups, and the margin inside cards.
pub const SPACE_M: f32 = 12.0;
/// The margin of a page.
pub const SPACE_L: f32 = 16.0;
/// Height of a list row, in points.
pub const ROW: f32 = 30.0;
/// Height of a list row where density is compact, in points.
pub const ROW_COMPACT: f32 = 24.0;
/// Corner radius of buttons, fields and cards, in points.
pub const RADIUS: u8 = 6;
/// Height of buttons and fields, in points.
pub const CONTROL: f32 = 28.0;
/// Height of the top bar, in points.
pub const TOP_BAR: f32 = 44.0;
/// Height of the status bar, in points.
pub const STATUS_BAR: f32 = 28.0;
/// Width of the rail on the left, in points.
pub const RAIL: f32 = 196.0;

/// Puts fonts and the styles of both themes in place; the first frame after it is drawn with them.
///
/// The theme follows the system until [`prefer`] says otherwise.
pub fn install(ctx: &egui::Context) {
    fonts::install(ctx);
    bidi::install(ctx);
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        ctx.set_style_of(theme, style::style(theme));
    }
    prefer(ctx, egui::ThemePreference::System);
}

/// Chooses light, dark, or whatever the system says.
pub fn prefer(ctx: &egui::Context, preference: egui::ThemePreference) {
    ctx.set_theme(preference);
}

/// The preference after this one, in the order system, light, dark.
pub fn next_preference(preference: egui::ThemePreference) -> egui::ThemePreference {
    match preference {
        egui::ThemePreference::System => egui::ThemePreference::Light,
        egui::ThemePreference::Light => egui::ThemePreference::Dark,
        egui::ThemePreference::Dark => egui::ThemePreference::System,
    }
}
