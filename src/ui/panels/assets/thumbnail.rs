//! A row of the list of assets as a tile of the gallery: its picture or, if it has none, the kind of its content; and its
//! name.
//!
//! What must hold: drawing never waits for a picture: it is loaded in the background while its tile is in sight.

use std::collections::HashMap;
use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Color32, ColorImage, Context, FontId, Id, Rect, Sense, TextureHandle, TextureOptions, Ui, UiBuilder, Vec2,
    WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::cells::row_name;
use crate::ui::drawing::kind_icon;
use crate::ui::theme::{RADIUS, UiExt as _};
use crate::ui::widgets::shown_short;
use lunette_inspector::assets::pictures::{PictureOf, picture_of};
use lunette_inspector::files::scaled::Scaled;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Remote, State};

/// The least size of a tile, in points.
pub const TILE: Vec2 = vec2(168.0, 168.0);
/// Height of the name below the picture, in points.
const NAME: f32 = 22.0;
/// The maximum number of textures: more than a window shows.
const MAX_TEXTURES: usize = 256;

/// The thumbnails on the graphics card.
#[derive(Clone, Default)]
struct Textures(HashMap<PictureOf, (Arc<Scaled>, TextureHandle)>);

/// Draws the tile of an asset.
pub fn tile_ui(ui: &mut Ui, row: &AssetRow, state: &State) {
    let tile = ui.max_rect();
    let picture = tile.with_max_y(tile.bottom() - NAME);
    let of = picture_of(row);
    let known = of.as_ref().map(|of| state.assets.thumbnails.get(of));
    match (of, known) {
        (Some(of), Some(Some(Remote::Known(pixels)))) => paint(ui, picture, of, pixels),
        (Some(_), Some(None | Some(Remote::NotRequested | Remote::Loading { .. }))) => {
            ui.painter().rect_filled(picture, RADIUS, ui.tokens().hovered);
        }
        (Some(_), Some(Some(Remote::Failed { error, .. }))) => {
            kind_ui(ui, picture, row);
            ui.interact(picture, ui.unique_id().with("why"), Sense::hover()).on_hover_text(error);
        }
        (None, _) | (_, None) => kind_ui(ui, picture, row),
    }
    name_ui(ui, tile.with_min_y(picture.bottom()), row);
    if row.favorited {
        let corner = Rect::from_min_size(picture.right_top() - vec2(18.0, 0.0), vec2(18.0, 18.0));
        ui.new_child(UiBuilder::new().max_rect(corner)).favourite_sign(13.0);
    }
}

/// Draws the kind of a content that is not a picture, with its colour.
fn kind_ui(ui: &Ui, rect: Rect, row: &AssetRow) {
    let tokens = ui.tokens();
    ui.painter().rect_filled(rect, RADIUS, tokens.raised);
    let color = kind_icon::color(row.specific(), tokens.dark);
    kind_icon::of_language(row.specific()).paint(ui.painter(), rect.center() - vec2(0.0, 12.0), 34.0, color);
    let language = if row.language().is_empty() { "Unknown" } else { row.language() };
    line(ui, rect.with_min_y(rect.center().y + 12.0), &shown_short(language, 40), 12.0, tokens.muted);
}

/// Draws the name.
fn name_ui(ui: &mut Ui, rect: Rect, row: &AssetRow) {
    line(ui, rect, &row_name(row), 12.5, ui.tokens().text);
    let label = ui.interact(rect, ui.unique_id().with("name"), Sense::hover());
    label.widget_info(|| WidgetInfo::labeled(Role::Label, true, row_name(row)));
}

/// Draws a line of text, centred and cut at the edges.
fn line(ui: &Ui, rect: Rect, text: &str, size: f32, color: Color32) {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), FontId::proportional(size), color);
    job.wrap = TextWrapping::truncate_at_width(rect.width());
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = pos2(rect.center().x - galley.size().x / 2.0, rect.top() + 4.0);
    ui.painter().galley(at, galley, color);
}

/// Draws the pixels of a thumbnail as large as they fit, but not larger than they are.
fn paint(ui: &Ui, rect: Rect, of: PictureOf, pixels: &Arc<Scaled>) {
    let [width, height] = pixels.size.map(|side| side.max(1) as f32);
    let scale = (rect.width() / width).min(rect.height() / height).min(1.0);
    let drawn = Rect::from_center_size(rect.center(), vec2(width, height) * scale);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(texture(ui.ctx(), of, pixels).id(), drawn, whole, Color32::WHITE);
}

fn texture(ctx: &Context, of: PictureOf, pixels: &Arc<Scaled>) -> TextureHandle {
    let id = Id::unique("thumbnails");
    let known = ctx.data_mut(|data| {
        let textures = data.get_temp_mut_or_default::<Textures>(id);
        textures.0.get(&of).filter(|(known, _)| Arc::ptr_eq(known, pixels)).map(|(_, texture)| texture.clone())
    });
    if let Some(texture) = known {
        return texture;
    }
    let image = ColorImage::from_rgba_unmultiplied(pixels.size.map(|side| side as usize), &pixels.rgba);
    let texture = ctx.load_texture("thumbnail", image, TextureOptions::LINEAR);
    let kept = (Arc::clone(pixels), texture.clone());
    let forgotten = ctx.data_mut(|data| {
        let textures = data.get_temp_mut_or_default::<Textures>(id);
        let full = textures.0.len() >= MAX_TEXTURES;
        let forgotten = if full { std::mem::take(&mut textures.0) } else { HashMap::new() };
        textures.0.insert(of, kept);
        forgotten
    });
    // Dropped here, since that locks the context too.
    drop(forgotten);
    texture
}
