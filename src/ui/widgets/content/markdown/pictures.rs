//! The pictures in a text: their names, and drawing them.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{ColorImage, Sense, TextureHandle, TextureOptions, Ui, accesskit::Role, vec2};
use lunette_inspector::files::scaled::Scaled;

use crate::ui::theme::UiExt as _;
use crate::ui::widgets::{shown, shown_short};

/// The greatest height of a picture, in points.
const MAX_HEIGHT: f32 = 480.0;
/// The longest name of a file, in bytes.
const LONGEST_FILE: usize = 255;

/// A picture as a text names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub description: String,
    /// The name of its file, without folders.
    pub file: String,
}

impl Named {
    /// Reads the path of a file; returns `None` for an address and for what is not a file.
    pub(super) fn of(address: &str) -> Option<Self> {
        let path = address.split(['?', '#']).next().unwrap_or_default();
        let is_address = path.contains(':') || path.starts_with("//") || path.contains('\\');
        let name = path.rsplit('/').next().unwrap_or_default();
        let file = percent_encoding::percent_decode_str(name).decode_utf8().ok()?.into_owned();
        let is_file = !file.is_empty() && file.len() <= LONGEST_FILE && !file.contains(['/', '\0']);
        (is_file && !is_address).then(|| Self { description: String::new(), file })
    }
}

/// What is known of a picture.
#[derive(Clone, Copy, Debug)]
pub enum PictureShown<'a> {
    /// There is none of this name.
    Missing,
    /// It is loaded.
    Loading,
    /// It cannot be shown, and why.
    Failed(&'a str),
    /// Its pixels.
    Known(&'a Arc<Scaled>),
}

/// The pictures on the graphics card, by the names of their files.
#[derive(Default)]
pub(super) struct Textures(BTreeMap<String, (Arc<Scaled>, TextureHandle)>);

impl Textures {
    /// Frees the pictures that are not shown any more.
    pub(super) fn keep(&mut self, is_shown: impl Fn(&str) -> bool) {
        self.0.retain(|file, _| is_shown(file));
    }

    /// Draws a picture, not larger than it is; its description where there is none.
    pub(super) fn picture_ui(&mut self, ui: &mut Ui, named: &Named, picture: &PictureShown<'_>) {
        let words = if named.description.is_empty() { &named.file } else { &named.description };
        let words = shown_short(words, 200);
        match picture {
            PictureShown::Missing => drop(ui.muted(&format!("[picture: {words}]"))),
            PictureShown::Loading => drop(ui.muted(&format!("[picture: {words}] Loading…"))),
            PictureShown::Failed(problem) => drop(ui.muted(&format!("[picture: {words}] Not shown: {problem}"))),
            PictureShown::Known(pixels) => {
                let [width, height] = pixels.original.map(|side| side.max(1) as f32);
                let scale = (ui.available_width() / width).min(MAX_HEIGHT / height).min(1.0);
                let (rect, response) = ui.allocate_exact_size(vec2(width, height) * scale, Sense::hover());
                if ui.is_rect_visible(rect) {
                    let texture = self.texture(ui, &named.file, pixels);
                    let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
                    ui.painter().image(texture, rect, whole, egui::Color32::WHITE);
                }
                response.widget_info(|| egui::WidgetInfo::labeled(Role::Image, true, shown(&words)));
            }
        }
    }

    fn texture(&mut self, ui: &Ui, file: &str, pixels: &Arc<Scaled>) -> egui::TextureId {
        if let Some((known, texture)) = self.0.get(file)
            && Arc::ptr_eq(known, pixels)
        {
            return texture.id();
        }
        let image = ColorImage::from_rgba_unmultiplied(pixels.size.map(|side| side as usize), &pixels.rgba);
        let texture = ui.ctx().load_texture(file, image, TextureOptions::LINEAR);
        let id = texture.id();
        self.0.insert(file.to_owned(), (Arc::clone(pixels), texture));
        id
    }
}
