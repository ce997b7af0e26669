//! The columns of the lists of tags, websites and workstream summaries, and their cells.

use egui::Ui;

use crate::ui::format;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::table::Column;
use crate::ui::widgets::{chip, grouped, shown_short};
use lunette_inspector::change::LinkKind;
use lunette_inspector::listing::Column as _;
use lunette_inspector::listing::rows::{LinkColumn, LinkRow};
use lunette_inspector::settings::TagColors;

/// Returns the columns for a list this wide; the most important ones are hidden last.
pub(super) fn columns(width: f32, kind: LinkKind) -> Vec<Column> {
    let wide = |column: Column, least: f32| if width < least { column.hidden() } else { column };
    let mut columns = vec![Column::text("name", "Name", 170.0).growing()];
    if kind == LinkKind::Website {
        columns.push(wide(Column::text("address", "Address", 220.0), 520.0));
    }
    columns.extend([
        Column::figures("assets", "Assets", 74.0),
        wide(Column::figures("last used", "Last used", 96.0), 380.0),
        wide(Column::figures("updated", "Updated", 96.0), 480.0),
        wide(Column::figures("created", "Created", 96.0), 560.0),
    ]);
    columns
}

/// Draws a cell.
pub(super) fn cell_ui(ui: &mut Ui, row: &LinkRow, key: &str, colors: &TagColors) {
    match LinkColumn::named(key) {
        Some(LinkColumn::Name) => name_ui(ui, row, colors),
        Some(LinkColumn::Address) => {
            ui.muted(&shown_short(row.item.url.as_deref().unwrap_or_default(), 120));
        }
        Some(LinkColumn::LastUsed) => last_used_ui(ui, row),
        Some(LinkColumn::Assets) => assets_ui(ui, row),
        Some(LinkColumn::Updated) => time_ui(ui, &row.updated),
        Some(LinkColumn::Created) => time_ui(ui, &row.created),
        None => {}
    }
}

fn time_ui(ui: &mut Ui, at: &str) {
    if !at.is_empty() {
        ui.muted(&format::ago(at)).on_hover_text(format::exact(at));
    }
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

fn last_used_ui(ui: &mut Ui, row: &LinkRow) {
    match (row.assets, row.last_used.as_str()) {
        (Some(0), _) => {
            ui.muted("never").on_hover_text("No asset is linked to it");
        }
        (_, "") => {
            ui.muted("unknown").on_hover_text("The service does not say when one of its assets was updated");
        }
        (_, at) => time_ui(ui, at),
    }
}

/// Draws the number of assets that have the item, if it is known.
fn assets_ui(ui: &mut Ui, row: &LinkRow) {
    match (row.assets, row.known_from) {
        (Some(count), _) => {
            ui.label(grouped(count));
        }
        (None, Some(known)) => {
            let assets = if known == 1 { "asset" } else { "assets" };
            let text = format!("found in {} {assets}", grouped(known));
            ui.muted(&text)
                .on_hover_text("Counted among the assets that you opened; the service does not list these items");
        }
        (None, None) => {
            ui.muted("unknown").on_hover_text("The service does not say which assets have it");
        }
    }
}
