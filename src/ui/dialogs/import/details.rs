//! The details of the focused row, and the warnings of the libraries.

use egui::{ScrollArea, Ui};

use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::{grouped, plural, shown_short};
use lunette_inspector::Action;
use lunette_inspector::import::preview::content::{Content, PreviewRow, Warning};

/// The height of the details, in points.
const HEIGHT: f32 = 96.0;
/// The maximum number of warnings drawn.
const MAX_WARNINGS: usize = 200;

/// Draws the row, or the warnings about whole libraries.
pub(super) fn ui(ui: &mut Ui, content: &Content, row: Option<usize>, actions: &mut Vec<Action>) {
    ui.line();
    let area = ScrollArea::vertical().id_salt("import details").max_height(HEIGHT).min_scrolled_height(HEIGHT);
    area.auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        match row.and_then(|row| Some((row, content.rows.get(row)?))) {
            Some((index, row)) => row_ui(ui, content, index, row, actions),
            None if content.warnings().next().is_some() => warnings_ui(ui, content),
            None => _ = ui.caption("Select a row to see its reason, tags, description and warnings."),
        }
    });
}

fn row_ui(ui: &mut Ui, content: &Content, index: usize, row: &PreviewRow, actions: &mut Vec<Action>) {
    ui.key_value("From", &row.path);
    if !row.reason.is_empty() {
        ui.key_value(row.status.word(), &row.reason);
    }
    if let Some(obstacle) = row.obstacle {
        ui.key_value("Not imported", obstacle);
    }
    if let Some(asset) = &row.asset
        && ui.line_button("Open the asset").on_hover_text("Closes the preview").clicked()
    {
        super::open_asset(asset, actions);
    }
    for finding in &row.secrets {
        let secret = format!("{} in line {} ({})", finding.what, finding.line, finding.rule);
        ui.warning_text(&format!("Looks like a secret: {secret}"));
    }
    for warning in &row.warnings {
        warning_ui(ui, warning);
    }
    if !row.tags.is_empty() {
        ui.key_value("Tags", &row.tags);
    }
    if let Some(description) = content.description_of(index) {
        ui.key_value("Description", &shown_short(description, 2_000));
    }
    warnings_ui(ui, content);
}

/// Draws how many warnings there are about the libraries, which the details list below the table.
pub(super) fn count_ui(ui: &mut Ui, content: &Content) {
    match content.warnings().count() {
        0 => {}
        1 => _ = ui.warning_text("There is a warning about the library as a whole, below the table."),
        count => {
            let count = grouped(count as u64);
            ui.warning_text(&format!("There are {count} warnings about the library as a whole, below the table."));
        }
    }
}

/// Draws the warnings about the libraries.
pub(super) fn warnings_ui(ui: &mut Ui, content: &Content) {
    let count = content.warnings().count();
    if count == 0 {
        return;
    }
    let title = plural(count, "warning");
    ui.section_title(&title);
    for warning in content.warnings().take(MAX_WARNINGS) {
        warning_ui(ui, warning);
    }
    if count > MAX_WARNINGS {
        ui.muted(&format!("and {} more", grouped((count - MAX_WARNINGS) as u64)));
    }
}

fn warning_ui(ui: &mut Ui, warning: &Warning) {
    ui.horizontal_wrapped(|ui| {
        ui.decoration(Icon::WARNING.text().color(ui.tokens().warning));
        ui.label(shown_short(&warning.to_string(), 500));
    });
}
