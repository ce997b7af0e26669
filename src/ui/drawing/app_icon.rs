//! The icon of an application, or the initials of its name on a colour.
//!
//! What must hold: drawing never waits for an icon: it is loaded in the background, and the initials are drawn until
//! then, or if there is none.

use std::collections::HashMap;
use std::sync::Arc;

use egui::{
    Align2, Color32, ColorImage, Context, FontId, Id, Painter, Rect, Sense, TextureHandle, TextureOptions, Ui, pos2,
    vec2,
};

use super::kind_icon;
use crate::ui::theme::{self, RADIUS, Tokens, UiExt as _, fonts};
use lunette_inspector::action::InventoryAction;
use lunette_inspector::inventory::AppIcon;
use lunette_inspector::listing::rows::InventoryRow;
use lunette_inspector::settings::TagColor;
use lunette_inspector::{Action, State};

/// Side of an icon in a line of text, in points.
const IN_LINE: f32 = 16.0;
/// Side of an icon in a row of a list, in points.
const IN_ROW: f32 = 24.0;

/// The maximum number of textures.
const MAX_TEXTURES: usize = 1_000;

/// An icon with its texture.
type CachedIcon = (Arc<AppIcon>, TextureHandle);

/// The drawn icons of a window, and those to load.
#[derive(Clone, Default)]
struct AppIcons {
    textures: HashMap<String, CachedIcon>,
    /// The paths whose icons to load.
    wanted: Vec<String>,
}

fn with<R>(ctx: &Context, use_icons: impl FnOnce(&mut AppIcons) -> R) -> R {
    let id = Id::unique("icons of applications");
    ctx.data_mut(|data| use_icons(data.get_temp_mut_or_default::<AppIcons>(id)))
}

/// Returns the path where the application of a row was detected.
pub(in crate::ui) fn path_of(row: &InventoryRow) -> Option<&str> {
    row.external.as_ref()?.path.as_deref()
}

/// Returns the path where a tracked application was detected, by its id.
pub(in crate::ui) fn path_of_tracked<'a>(state: &'a State, id: &str) -> Option<&'a str> {
    let mut rows = state.inventory.list.iter();
    path_of(rows.find(|row| row.tracked.as_ref().is_some_and(|tracked| tracked.id == id))?)
}

/// Draws the icon of an application that was detected at a path, or its initials.
pub(in crate::ui) fn paint(ui: &Ui, rect: Rect, path: Option<&str>, name: &str, state: &State) {
    if !picture(ui.ctx(), ui.painter(), rect, path, state) {
        monogram(ui, rect, name);
    }
}

/// Draws the icon of an application in a row of a list, and its name.
pub(in crate::ui) fn named_ui(ui: &mut Ui, path: Option<&str>, name: &str, state: &State) {
    let side = IN_ROW.min(theme::row(ui) - 2.0);
    let (rect, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
    paint(ui, rect, path, name, state);
    ui.label(name);
}

/// Draws the icon of an application if it is loaded, or requests it.
pub(in crate::ui) fn picture(ctx: &Context, painter: &Painter, rect: Rect, path: Option<&str>, state: &State) -> bool {
    // Paths of another machine do not apply here.
    let Some(path) = path.filter(|_| state.connection.is_loopback()) else { return false };
    match state.inventory.icons.get(path) {
        Some(Some(icon)) => {
            let texture = texture(ctx, path, icon);
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture.id(), fitted(rect, icon.size), whole, Color32::WHITE);
            true
        }
        Some(None) => false,
        None => {
            with(ctx, |icons| icons.wanted.push(path.to_owned()));
            false
        }
    }
}

/// Draws the icon of an application in a line if it is loaded; returns whether it is.
pub(in crate::ui) fn own_ui(ui: &mut Ui, path: Option<&str>, state: &State) -> bool {
    let is_there = path.is_some_and(|path| matches!(state.inventory.icons.get(path), Some(Some(_))));
    if !is_there {
        // It is requested, and drawn in a later frame.
        return picture(ui.ctx(), ui.painter(), Rect::NOTHING, path, state);
    }
    let (rect, _) = ui.allocate_exact_size(vec2(IN_LINE, IN_LINE), Sense::hover());
    picture(ui.ctx(), ui.painter(), rect, path, state)
}

/// Requests the icons that were missing in this frame.
pub(in crate::ui) fn request(ctx: &Context, actions: &mut Vec<Action>) {
    let wanted = with(ctx, |icons| std::mem::take(&mut icons.wanted));
    if !wanted.is_empty() {
        actions.push(InventoryAction::LoadIcons(wanted).into());
    }
}

fn texture(ctx: &Context, path: &str, icon: &Arc<AppIcon>) -> TextureHandle {
    let known = with(ctx, |icons| icons.textures.get(path).filter(|(of, _)| Arc::ptr_eq(of, icon)).cloned());
    if let Some((_, texture)) = known {
        return texture;
    }
    let pixels = ColorImage::from_rgba_unmultiplied(icon.size, &icon.rgba);
    let texture = ctx.load_texture(path, pixels, TextureOptions::LINEAR);
    let cached = (Arc::clone(icon), texture.clone());
    let forgotten = with(ctx, |icons| {
        let full = icons.textures.len() >= MAX_TEXTURES;
        let forgotten = if full { std::mem::take(&mut icons.textures) } else { HashMap::new() };
        icons.textures.insert(path.to_owned(), cached);
        forgotten
    });
    // Dropped here, since that locks the context too.
    drop(forgotten);
    texture
}

/// Returns the largest rectangle with the aspect ratio of a picture.
fn fitted(rect: Rect, [width, height]: [usize; 2]) -> Rect {
    let (width, height) = (width.max(1) as f32, height.max(1) as f32);
    let scale = (rect.width() / width).min(rect.height() / height);
    Rect::from_center_size(rect.center(), egui::vec2(width * scale, height * scale))
}

/// Draws the initials of a name on a colour that is the same for a name in every run.
fn monogram(ui: &Ui, rect: Rect, name: &str) {
    let tokens = ui.tokens();
    ui.painter().rect_filled(rect, RADIUS, monogram_fill(tokens, name));
    let initials = initials(name);
    let font = FontId::new(rect.height() * if initials.chars().count() > 1 { 0.42 } else { 0.52 }, fonts::semibold());
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, initials, font, tokens.text);
}

fn monogram_fill(tokens: &Tokens, name: &str) -> Color32 {
    let colors = TagColor::ALL;
    tokens.tag_fill(colors[kind_icon::hash(&name.to_lowercase()) as usize % colors.len()])
}

/// The first letters of the first two words of a name, or its first letter alone.
fn initials(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter_map(|word| word.chars().next());
    let initials: String = words.take(2).flat_map(char::to_uppercase).collect();
    if initials.is_empty() { "?".to_owned() } else { initials }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::contrast;

    #[test]
    fn the_initials_are_those_of_the_first_two_words() {
        let names = ["Visual Studio Code", "firefox", "gnome-terminal", "7-Zip", "ß", "—", ""];
        assert_eq!(names.map(initials), ["VS", "F", "GT", "7Z", "SS", "?", "?"]);
    }

    #[test]
    fn a_monogram_has_one_colour_and_its_letters_are_readable_in_both_themes() {
        let names: Vec<String> = (0..200).map(|number| format!("application {number}")).collect();
        for tokens in [Tokens::DARK, Tokens::LIGHT] {
            let fills: Vec<Color32> = names.iter().map(|name| monogram_fill(&tokens, name)).collect();
            assert!(fills.iter().all(|fill| contrast(tokens.text, *fill) >= 4.5), "dark {}", tokens.dark);
            let different: std::collections::BTreeSet<_> = fills.iter().map(|fill| fill.to_array()).collect();
            assert!(different.len() > 4, "names are told apart by {} colours", different.len());
            assert_eq!(monogram_fill(&tokens, "Firefox"), monogram_fill(&tokens, "firefox"));
        }
    }
}
