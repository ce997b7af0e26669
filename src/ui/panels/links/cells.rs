//! The odd cells of the lists of tags, websites and workstream summaries.

use egui::Ui;

use crate::ui::theme::UiExt as _;
use crate::ui::widgets::{chip, plural, shown_short};
use lunette_inspector::change::LinkKind;
use lunette_inspector::listing::rows::LinkRow;
use lunette_inspector::settings::TagColors;

/// Draws a cell; returns false if it is to be drawn as its value.
pub(super) fn cell_ui(ui: &mut Ui, row: &LinkRow, key: &str, colors: &TagColors) -> bool {
    match (key, row.assets, row.known_from) {
        ("name", ..) => name_ui(ui, row, colors),
        ("last used", Some(0), _) => _ = ui.muted("never").on_hover_text("No asset is linked to it"),
        ("last used", ..) if row.last_used.is_empty() => {
            ui.muted("unknown").on_hover_text("The service does not say when one of its assets was updated");
        }
        ("assets", None, Some(known)) => {
            ui.muted(&format!("found in {}", plural(known, "asset")))
                .on_hover_text("Counted among the assets that you opened; the service does not list these items");
        }
        ("assets", None, None) => {
            ui.muted("unknown").on_hover_text("The service does not say which assets have it");
        }
        _ => return false,
    }
    true
}

/// Draws the name, and that of a similar item.
fn name_ui(ui: &mut Ui, row: &LinkRow, colors: &TagColors) {
    let color = (row.item.kind == LinkKind::Tag).then(|| colors.of(&row.item.text)).flatten();
    match color {
        Some(color) => {
            let fill = ui.tokens().tag_fill(color);
            chip(ui, row.item.name(), Some(fill));
        }
        None => {
            ui.label(shown_short(row.item.name(), 120));
        }
    }
    if let Some(similar) = &row.similar {
        let text = format!("similar to “{}”", shown_short(similar.name(), 30));
        ui.muted(&text).on_hover_text("Probably a duplicate; the context menu offers to merge them");
    }
}
