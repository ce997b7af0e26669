//! The icon of an application, or the first letter of its name.

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Align2, Color32, ColorImage, FontId, Rect, TextureHandle, TextureOptions, Ui, pos2};

use crate::app::action::InventoryAction;
use crate::app::inventory::AppIcon;
use crate::app::listing::rows::InventoryRow;
use crate::app::{Action, State};
use crate::ui::theme::{RADIUS, UiExt as _};

/// The icons that were drawn, on the graphics card.
#[derive(Default)]
pub(in crate::ui) struct AppIcons {
    textures: HashMap<String, (Arc<AppIcon>, TextureHandle)>,
    /// The entries whose icons are to be looked for.
    wanted: Vec<String>,
}

impl AppIcons {
    /// Draws the icon of an application, or a letter.
    pub fn paint(&mut self, ui: &Ui, rect: Rect, row: &InventoryRow, name: &str, state: &State) {
        // The paths of another machine lead nowhere here, or to something else.
        let local = state.connection.is_loopback();
        let entry = row.external.as_ref().and_then(|row| row.path.as_deref()).filter(|_| local);
        match entry.map(|entry| (entry, state.inventory.icons.get(entry))) {
            Some((entry, Some(Some(icon)))) => return self.icon(ui, rect, entry, icon),
            Some((entry, None)) => self.wanted.push(entry.to_owned()),
            Some((_, Some(None))) | None => {}
        }
        letter(ui, rect, name);
    }

    /// Has the icons looked for that were missing in this frame.
    pub fn request(&mut self, actions: &mut Vec<Action>) {
        if !self.wanted.is_empty() {
            actions.push(InventoryAction::LoadIcons(std::mem::take(&mut self.wanted)).into());
        }
    }

    fn icon(&mut self, ui: &Ui, rect: Rect, entry: &str, icon: &Arc<AppIcon>) {
        let current = self.textures.get(entry).is_some_and(|(of, _)| Arc::ptr_eq(of, icon));
        if !current {
            let pixels = ColorImage::from_rgba_unmultiplied(icon.size, &icon.rgba);
            let texture = ui.ctx().load_texture(entry, pixels, TextureOptions::LINEAR);
            self.textures.insert(entry.to_owned(), (Arc::clone(icon), texture));
        }
        if let Some((_, texture)) = self.textures.get(entry) {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
        }
    }
}

/// Draws the first letter of a name.
fn letter(ui: &Ui, rect: Rect, name: &str) {
    let tokens = ui.tokens();
    ui.painter().rect_filled(rect, RADIUS, tokens.background);
    let letter = name.chars().find(|letter| letter.is_alphanumeric());
    let letter: String = letter.map_or_else(|| "?".to_owned(), |letter| letter.to_uppercase().collect());
    let font = FontId::proportional(rect.height() * 0.5);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, letter, font, tokens.muted);
}
