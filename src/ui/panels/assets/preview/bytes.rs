//! Content that is neither a text nor a picture: its facts, and its bytes.

use egui::Ui;

use super::content::Bytes;
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::hex::{HexState, hex};
use crate::ui::widgets::picture::PictureError;
use lunette_client::model::asset::Asset;
use lunette_client::model::language::language_name;
use lunette_client::model::record::View;
use lunette_inspector::assets::content as contents;

/// The smallest height of the bytes, in points.
const MIN_HEX: f32 = 80.0;

/// Draws the facts and the bytes, `height` points high together; `name` is that of the asset.
pub(super) fn bytes_ui(
    ui: &mut Ui,
    asset: View<'_, Asset>,
    name: &str,
    content: &Bytes,
    state: &mut HexState,
    height: f32,
) {
    let top = ui.cursor().top();
    let original = contents::original(asset);
    let is_picture = original.is_some_and(|format| format.classification().generic() == "IMAGE");
    if is_picture || content.problem != PictureError::Format {
        ui.warning_text(&content.problem.to_string());
    }
    let kind = original.map(|format| language_name(format.classification().specific()).to_owned());
    let kind = kind.filter(|kind| !kind.is_empty()).unwrap_or_else(|| "Binary file".to_owned());
    let size = content.bytes.len() as i64;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        ui.label(kind);
        ui.muted(&format::size(size)).on_hover_text(format::exact_size(size));
        if let Some(media_type) = content.facts.media_type {
            ui.muted(media_type);
        }
        if let Some(version) = &content.facts.pdf_version {
            ui.muted(&format!("PDF {version}"));
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        ui.caption("SHA-256");
        if ui.icon_button(Icon::COPY, "Copy the SHA-256").clicked() {
            ui.ctx().copy_text(content.facts.sha256.clone());
        }
        ui.add(egui::Label::new(egui::RichText::new(&content.facts.sha256).monospace().small()).truncate());
    });
    if content.bytes.is_empty() {
        ui.muted("This file is empty.");
        return;
    }
    let left = (height - (ui.cursor().top() - top)).max(MIN_HEX);
    hex(ui, &format!("Bytes of {name}"), &content.bytes, state, left);
}
