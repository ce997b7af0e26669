//! A list, and beside it the page of what is chosen in it; the edge between them is dragged and remembered.

use egui::{CentralPanel, Frame, Margin, Panel, Ui};

use super::focus::{Region, region};
use super::layout::Kept;
use super::theme::Tokens;

/// One side of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The list, at the left.
    List,
    /// The page, at the right.
    Page,
}

/// Narrower than this neither side is made, in points.
const NARROWEST: f32 = 260.0;

/// Draws both sides, each with its ground and margin; the page first, and only where there is one. `name` tells splits
/// apart and must be unique in the window; `kept` is the width of the page from an earlier run. Gives the
/// width of the page as it was drawn.
pub fn split_ui(ui: &mut Ui, name: &str, page: bool, kept: Kept, mut draw: impl FnMut(&mut Ui, Part)) -> Option<f32> {
    let tokens = Tokens::of(ui);
    let width = ui.available_width();
    let mut drawn = None;
    if page {
        let frame = Frame::new().fill(tokens.panel).inner_margin(Margin { left: 16, right: 14, top: 12, bottom: 8 });
        let widest = (width - NARROWEST).max(NARROWEST);
        let panel = Panel::right(egui::Id::unique(("split", name, kept.view)))
            .resizable(true)
            .default_size(kept.page.unwrap_or((width * 0.43).min(560.0)).clamp(NARROWEST, widest))
            .size_range(NARROWEST..=widest)
            .frame(frame)
            .show(ui, |ui| {
                ui.set_min_size(ui.available_size());
                region(ui, Region::Page, |ui| draw(ui, Part::Page));
            });
        drawn = Some(panel.response.rect.width());
    }
    let frame = Frame::new().fill(tokens.background).inner_margin(Margin { left: 14, right: 12, top: 12, bottom: 4 });
    CentralPanel::default().frame(frame).show(ui, |ui| region(ui, Region::List, |ui| draw(ui, Part::List)));
    drawn
}
