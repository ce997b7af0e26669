//! A list, and beside it the page of what is chosen in it; the edge between them is dragged and remembered.

use egui::{CentralPanel, Frame, Margin, Panel, Ui};

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
/// apart and must be unique in the window.
pub fn split_ui(ui: &mut Ui, name: &str, page: bool, mut draw: impl FnMut(&mut Ui, Part)) {
    let tokens = Tokens::of(ui);
    let width = ui.available_width();
    if page {
        let frame = Frame::new().fill(tokens.panel).inner_margin(Margin { left: 16, right: 14, top: 12, bottom: 8 });
        let widest = (width - NARROWEST).max(NARROWEST);
        Panel::right(egui::Id::unique(("split", name)))
            .resizable(true)
            .default_size((width * 0.43).clamp(NARROWEST, 560.0))
            .size_range(NARROWEST..=widest)
            .frame(frame)
            .show(ui, |ui| {
                ui.set_min_size(ui.available_size());
                draw(ui, Part::Page);
            });
    }
    let frame = Frame::new().fill(tokens.background).inner_margin(Margin { left: 14, right: 12, top: 12, bottom: 4 });
    CentralPanel::default().frame(frame).show(ui, |ui| draw(ui, Part::List));
}
