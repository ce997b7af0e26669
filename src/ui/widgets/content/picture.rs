//! A picture: decoded on another thread under limits, then fitted to the view or zoomed.

use crate::ui::theme::{Icon, RADIUS, Tokens, UiExt as _};
use crate::ui::widgets::{grouped, shown};
use egui::{ColorImage, Rect, Sense, Stroke, TextureHandle, TextureOptions, Ui, Vec2, accesskit::Role, pos2, vec2};
use lunette_inspector::files::scaled::{self, DecodeError, Scaled};
use lunette_inspector::files::svg::{self, Drawing, SvgError};
use std::sync::Arc;

/// Maximum width and height of the picture as drawn, in pixels; every graphics driver supports it.
const MAX_SIDE: u32 = 2_048;
/// The longer side of a drawing, in pixels.
const DRAWN_SIDE: u32 = 1_536;

/// A picture ready to be drawn. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Original width and height, in pixels.
    pub size: [u32; 2],
    pixels: Arc<ColorImage>,
    /// Whether it is a drawing, which is fitted to the view even if it is smaller.
    is_drawing: bool,
}

/// Why a picture cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Not a supported format.
    #[error("the picture is in a format that cannot be shown: png, jpeg, gif and webp can")]
    Format,
    /// Too large to be decoded: its width and height in pixels.
    #[error("too large to preview: {} × {} pixels; save it to look at it with another program", grouped(u64::from(*.0)), grouped(u64::from(*.1)))]
    TooLarge(u32, u32),
    /// The data is damaged.
    #[error("the picture is damaged: {0}")]
    Damaged(String),
}

/// The state of a picture view.
#[derive(Clone, Default)]
pub struct PictureState {
    texture: Option<(Arc<ColorImage>, TextureHandle)>,
    /// Screen points per pixel; `None` fits the picture to the view.
    zoom: Option<f32>,
    shift: Vec2,
}

impl std::fmt::Debug for PictureState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PictureState").field("zoom", &self.zoom).finish_non_exhaustive()
    }
}

impl Picture {
    /// Decodes a picture to the size in which it is drawn; of an animation the first frame. Takes up to seconds for a large
    /// one, so it should run on another thread.
    pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
        Ok(Self::of(scaled::decode(bytes, MAX_SIDE)?, false))
    }

    /// Draws an SVG file, as large as a view is at most; also returns whether something of it is left out. Takes up to
    /// seconds, as [`Picture::decode`] does.
    pub fn draw(text: &str) -> Result<(Picture, bool), SvgError> {
        let Drawing { pixels, is_partial } = svg::draw(text, DRAWN_SIDE)?;
        Ok((Self::of(pixels, true), is_partial))
    }

    fn of(Scaled { original, size, rgba }: Scaled, is_drawing: bool) -> Self {
        let pixels = Arc::new(ColorImage::from_rgba_unmultiplied(size.map(|side| side as usize), &rgba));
        Self { size: original, pixels, is_drawing }
    }
}

impl From<DecodeError> for PictureError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Format => Self::Format,
            DecodeError::TooLarge(width, height) => Self::TooLarge(width, height),
            DecodeError::Damaged(problem) => Self::Damaged(problem),
        }
    }
}

/// Draws the picture below its buttons over the available width, `height` points high together; `name` is its accessible
/// name.
pub fn picture(ui: &mut Ui, name: &str, picture: &Picture, state: &mut PictureState, height: f32) {
    ui.horizontal(|ui| picture_tools(ui, picture, state));
    picture_view(ui, name, picture, state, height - 36.0);
}

/// Draws the picture over the available width, `height` points high; `name` is its accessible name.
///
/// It is fitted at first; the buttons, Ctrl with the wheel, and pinching zoom, and dragging moves it.
pub fn picture_view(ui: &mut Ui, name: &str, picture: &Picture, state: &mut PictureState, height: f32) {
    let t = Tokens::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    let line = Stroke::new(1.0, t.line);
    ui.painter().rect(rect, f32::from(RADIUS), t.code_ground, line, egui::StrokeKind::Inside);
    let inner = rect.shrink(4.0);
    let size = vec2(picture.size[0] as f32, picture.size[1] as f32);
    let most = if picture.is_drawing { f32::INFINITY } else { 1.0 };
    let fitting = (inner.width() / size.x.max(1.0)).min(inner.height() / size.y.max(1.0)).min(most);
    if response.contains_pointer() {
        let zoom = ui.input(|input| input.zoom_delta());
        if zoom != 1.0 {
            state.zoom = Some((state.zoom.unwrap_or(fitting) * zoom).clamp(0.02, 32.0));
        }
    }
    if response.dragged() && state.zoom.is_some() {
        state.shift += response.drag_delta();
    }
    let scale = state.zoom.unwrap_or(fitting);
    let drawn = size * scale;
    let most = ((drawn - inner.size()) / 2.0).max(Vec2::ZERO);
    state.shift = if state.zoom.is_some() { state.shift.clamp(-most, most) } else { Vec2::ZERO };
    let rect = Rect::from_center_size(inner.center() + state.shift, drawn);
    let texture = texture(ui, picture, state);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let painter = ui.painter().with_clip_rect(inner.intersect(ui.clip_rect()));
    if picture.is_drawing {
        // Drawings are made for paper: dark lines would vanish on a dark ground.
        painter.rect_filled(rect, 0.0, egui::Color32::WHITE);
    }
    painter.image(texture, rect, whole, egui::Color32::WHITE);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, shown(name)));
}

/// Draws a picture over another one in the same place, over the available width. `blend` is how much of the second is
/// seen, from 0 to 1, and the height in points.
pub fn pictures_over(
    ui: &mut Ui,
    name: &str,
    pictures: [&Picture; 2],
    states: &mut [PictureState; 2],
    (blend, height): (f32, f32),
) {
    let t = Tokens::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let line = Stroke::new(1.0, t.line);
    ui.painter().rect(rect, f32::from(RADIUS), t.code_ground, line, egui::StrokeKind::Inside);
    let inner = rect.shrink(4.0);
    let sizes = pictures.map(|picture| vec2(picture.size[0] as f32, picture.size[1] as f32));
    // Both at one scale, so that what is at the same place in both is over each other.
    let most = sizes[0].max(sizes[1]).max(Vec2::splat(1.0));
    let scale = (inner.width() / most.x).min(inner.height() / most.y).min(1.0);
    let corner = inner.center() - most * scale / 2.0;
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let seen = [1.0, blend.clamp(0.0, 1.0)];
    for (index, picture) in pictures.into_iter().enumerate() {
        let texture = texture(ui, picture, &mut states[index]);
        let at = Rect::from_min_size(corner, sizes[index] * scale);
        ui.painter().image(texture, at, whole, egui::Color32::WHITE.gamma_multiply(seen[index]));
    }
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, shown(name)));
}

/// Draws the buttons of a picture and its size, in a row that is there.
pub fn picture_tools(ui: &mut Ui, picture: &Picture, state: &mut PictureState) {
    ui.spacing_mut().item_spacing.x = 2.0;
    let now = state.zoom.unwrap_or(1.0);
    if ui.icon_button(Icon::ZOOM_OUT, "Zoom out").clicked() {
        state.zoom = Some((now / 1.25).max(0.02));
    }
    if ui.icon_button(Icon::ZOOM_IN, "Zoom in").clicked() {
        state.zoom = Some((now * 1.25).min(32.0));
    }
    if ui.icon_button(Icon::FIT, "Fit").clicked() {
        state.zoom = None;
    }
    ui.add_space(6.0);
    let [width, height] = picture.size.map(|side| grouped(u64::from(side)));
    let zoom = state.zoom.map_or_else(|| "fitted".to_owned(), |zoom| format!("{:.0}%", zoom * 100.0));
    ui.caption(&format!("{width} × {height} · {zoom}"));
}

fn texture(ui: &Ui, picture: &Picture, state: &mut PictureState) -> egui::TextureId {
    if let Some((pixels, texture)) = &state.texture
        && Arc::ptr_eq(pixels, &picture.pixels)
    {
        return texture.id();
    }
    let texture = ui.ctx().load_texture("picture", Arc::clone(&picture.pixels), TextureOptions::LINEAR);
    let id = texture.id();
    state.texture = Some((Arc::clone(&picture.pixels), texture));
    state.zoom = None;
    id
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let pixels = image::RgbaImage::from_pixel(width, height, image::Rgba([200, 100, 50, 255]));
        pixels.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).expect("a picture is written");
        bytes
    }

    #[test]
    fn a_large_picture_is_scaled_down_and_reports_its_original_size() {
        let picture = Picture::decode(&png(4_096, 16)).expect("decoded");
        assert_eq!((picture.size, picture.pixels.size), ([4_096, 16], [2_048, 8]));
    }

    #[test]
    fn an_invalid_picture_is_rejected_with_a_reason() {
        assert_eq!(Picture::decode(b"not a picture").err(), Some(PictureError::Format));
        let mut cut = png(64, 64);
        cut.truncate(60);
        assert!(matches!(Picture::decode(&cut), Err(PictureError::Damaged(_))));
    }

    #[test]
    fn a_picture_without_pixels_is_refused() {
        // A screen of 0 × 0 with a frame of 1 × 1.
        let empty = b"GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
        assert_eq!(Picture::decode(empty), Err(PictureError::Damaged("it has no pixels".to_owned())));
    }

    /// A picture of one colour, one bit per pixel, as large as its header says.
    fn header(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = png(1, 1);
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        (bytes[24], bytes[25]) = (1, 0);
        let divided = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        let crc = !bytes[12..29].iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), divided));
        bytes[29..33].copy_from_slice(&crc.to_be_bytes());
        bytes
    }

    #[test]
    fn a_picture_of_too_many_pixels_is_refused_with_its_size_before_it_is_decoded() {
        let error_text = Picture::decode(&header(16_000, 16_000)).expect_err("too large");
        assert_eq!(error_text, PictureError::TooLarge(16_000, 16_000));
        assert!(error_text.to_string().contains("16,000 × 16,000 pixels"), "{error_text}");
        assert_eq!(Picture::decode(&header(60_000, 2_000)), Err(PictureError::TooLarge(60_000, 2_000)));
        let fits = Picture::decode(&header(8_000, 8_000));
        assert!(matches!(fits, Err(PictureError::Damaged(_))), "only its pixels are missing: {fits:?}");
    }
}
