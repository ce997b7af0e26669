//! The links of an asset on one line: as many as fit, and a button that shows all of them.
//!
//! What must hold: the line is as high with links as without, so that nothing below it moves when one is added.

use std::sync::Arc;

use egui::{ScrollArea, Ui};

use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::row_list::RowListState;
use crate::ui::widgets::{buttons, counted, dialog, grouped, removable_chip_width, shown_short};
use lunette_client::model::record::Record as _;
use lunette_inspector::change::{Item, LinkKind, reports_links};

use super::chips::{chips_ui, one_ui};
use crate::ui::panels::assets::frame::AssetFrame;

/// Width of the button that shows all links, in points.
const MORE_WIDTH: f32 = 56.0;
/// Width of the dialog of all links, in points.
const ALL_WIDTH: f32 = 440.0;
/// Height that is left for the title, the button and the margins of that dialog, in points.
const ALL_BESIDES: f32 = 220.0;

/// Draws the links in the width there is; returns the item whose assets are to be listed, and whether to show all links.
pub(super) fn ui(ui: &mut Ui, linked: &[Arc<Vec<Item>>; 3], frame: &mut AssetFrame<'_>) -> (Option<Item>, bool) {
    unreported_ui(ui, frame);
    let count: usize = linked.iter().map(|items| items.len()).sum();
    let fitting = fitting(ui, linked.iter().flat_map(|items| items.iter()), count);
    let mut listed = None;
    for item in linked.iter().flat_map(|items| items.iter()).take(fitting) {
        listed = one_ui(ui, item, frame).or(listed);
    }
    let all = fitting < count && more_ui(ui, count - fitting);
    (listed, all)
}

/// Says which links the service does not tell.
fn unreported_ui(ui: &mut Ui, frame: &AssetFrame<'_>) {
    let Some(asset) = frame.page.record.value() else { return };
    let unreported = LinkKind::ALL.into_iter().filter(|kind| !reports_links(asset.view(), *kind));
    let kinds: Vec<String> = unreported.map(|kind| kind.many().to_lowercase()).collect();
    if kinds.is_empty() {
        return;
    }
    let why = format!("The service does not say which {} this asset has; there may be some", kinds.join(", "));
    ui.caption(if kinds.len() == 1 { &kinds[0] } else { "links" }).on_hover_text(&why);
    ui.caption("unknown").on_hover_text(why);
}

/// Returns how many links fit, at least one if there is one. Links after the first that does not fit are not measured.
fn fitting<'a>(ui: &Ui, items: impl Iterator<Item = &'a Item>, count: usize) -> usize {
    let space = ui.spacing().item_spacing.x;
    let (room, mut end, mut fitting) = (ui.available_width(), 0.0, 0);
    for item in items {
        end += removable_chip_width(ui, item.name()) + space;
        // The last one needs no room for the button.
        let last = fitting + 1 == count;
        if end - space > room - if last { 0.0 } else { MORE_WIDTH } {
            break;
        }
        fitting += 1;
    }
    fitting.max(1).min(count)
}

/// Draws the button that shows all links; returns whether it was clicked.
fn more_ui(ui: &mut Ui, more: usize) -> bool {
    let more = grouped(more as u64);
    let name = format!("{more} more links");
    ui.line_button(&format!("+{more}")).accessible_name(&name).on_hover_text(&name).clicked()
}

/// Draws the dialog of all links until it is closed; returns the item whose assets are to be listed.
pub(super) fn all_ui(
    ui: &Ui,
    open: &mut bool,
    linked: &[Arc<Vec<Item>>; 3],
    lists: &mut [RowListState; 3],
    frame: &mut AssetFrame<'_>,
) -> Option<Item> {
    let name = frame.page.record.value().and_then(|asset| asset.view().name()).unwrap_or_default();
    let title = format!("Links of {}", shown_short(name, 60));
    let (listed, closed) = dialog(ui.ctx(), "all links", &title, ALL_WIDTH, |ui| {
        let height = (ui.ctx().content_rect().height() - ALL_BESIDES).max(ALL_BESIDES);
        let area = ScrollArea::vertical().max_height(height);
        let listed = area.show(ui, |ui| groups_ui(ui, linked, lists, frame)).inner;
        *open = !buttons(ui, |ui| ui.button("Close").clicked());
        listed
    });
    *open &= !closed && listed.is_none();
    listed
}

/// Draws the links of each kind that has some.
fn groups_ui(
    ui: &mut Ui,
    linked: &[Arc<Vec<Item>>; 3],
    lists: &mut [RowListState; 3],
    frame: &mut AssetFrame<'_>,
) -> Option<Item> {
    let mut listed = None;
    for ((kind, items), list) in LinkKind::ALL.into_iter().zip(linked).zip(lists) {
        if items.is_empty() {
            continue;
        }
        ui.section_title(&counted(kind.many(), items.len()));
        ui.push_id(kind, |ui| listed = chips_ui(ui, kind, items, list, frame).or(listed.take()));
        ui.add_space(SPACE_S);
    }
    listed
}
