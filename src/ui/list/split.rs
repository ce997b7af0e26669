//! A list with the page of the open item beside it, and the draggable edge between them.

use egui::{Align, CentralPanel, Context, Frame, Label, Layout, Margin, Panel, Rect, RichText, Ui, UiBuilder, vec2};

use super::layout::SplitLayout;
use crate::ui::focus::{Region, leaves_page, region};
use crate::ui::theme::{Icon, SPACE_S, Tokens, UiExt as _, control};
use crate::ui::widgets::shown_short;

/// One side of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitPart {
    /// The list, at the left.
    List,
    /// The page, at the right.
    Page,
}

/// Minimum width of either side, in points.
const MIN_WIDTH: f32 = 260.0;
/// SplitPart of the width that the page has until the user changes it: about half of the window, and more in a window that is
/// wide enough for a line of 90 characters of code with a column of details beside it.
const PAGE: f32 = 0.535;
const PAGE_OF_WIDE: f32 = 0.6;
/// Width of a wide window, in points.
const WIDE: f32 = 1600.0;

/// Draws both sides, each with its background and margin; the page first, and only if there is one. `name` must be
/// unique in the window; `saved` is the width of the page from an earlier run. Returns the width of the page as drawn.
pub fn split_ui(
    ui: &mut Ui,
    name: &str,
    page: bool,
    saved: SplitLayout,
    mut draw: impl FnMut(&mut Ui, SplitPart),
) -> Option<f32> {
    let tokens = Tokens::of(ui);
    let width = ui.available_width();
    let mut drawn = None;
    if page {
        let frame = Frame::new().fill(tokens.panel).inner_margin(Margin { left: 16, right: 14, top: 12, bottom: 8 });
        let widest = (width - MIN_WIDTH).max(MIN_WIDTH);
        let share = if ui.ctx().content_rect().width() < WIDE { PAGE } else { PAGE_OF_WIDE };
        let panel = Panel::right(egui::Id::unique(("split", name, saved.view)))
            .resizable(true)
            .default_size(saved.page.unwrap_or(width * share).clamp(MIN_WIDTH, widest))
            .size_range(MIN_WIDTH..=widest)
            .frame(frame)
            .show(ui, |ui| {
                ui.set_min_size(ui.available_size());
                region(ui, Region::Page, |ui| draw(ui, SplitPart::Page));
            });
        drawn = Some(panel.response.rect.width());
    }
    // The window is that of lists already.
    let frame = Frame::new().inner_margin(Margin { left: 14, right: 12, top: 12, bottom: 4 });
    CentralPanel::default().frame(frame).show(ui, |ui| region(ui, Region::List, |ui| draw(ui, SplitPart::List)));
    drawn
}

/// Below this window width, in points, the page is drawn in place of the list.
const MIN_WIDTH_FOR_BOTH: f32 = 1000.0;

/// Returns whether the page is drawn in place of its list.
pub fn replaces_list(ctx: &Context) -> bool {
    ctx.content_rect().width() < MIN_WIDTH_FOR_BOTH
}

/// Like [`split_ui`] for a page that can be closed: in a narrow window it is drawn in place of the list. Returns the
/// width of the page beside the list, and whether Escape closes it.
pub fn page_or_split_ui(
    ui: &mut Ui,
    name: &str,
    page: bool,
    saved: SplitLayout,
    mut draw: impl FnMut(&mut Ui, SplitPart),
) -> (Option<f32>, bool) {
    if !page || !replaces_list(ui.ctx()) {
        return (split_ui(ui, name, page, saved, draw), false);
    }
    let frame = Frame::new().fill(Tokens::of(ui).panel).inner_margin(Margin::symmetric(16, 12));
    CentralPanel::default().frame(frame).show(ui, |ui| region(ui, Region::Page, |ui| draw(ui, SplitPart::Page)));
    (None, leaves_page(ui.ctx()))
}

/// Draws the title of a page with the button that closes it: a cross on the right beside the list, an arrow on the left
/// in place of it. Returns whether it was clicked.
pub fn page_title_ui(ui: &mut Ui, title: &str, close: &str) -> bool {
    let back = replaces_list(ui.ctx());
    let title = egui::RichText::new(shown_short(title, 120)).heading();
    ui.horizontal(|ui| {
        let mut pressed = back && ui.icon_button(Icon::BACK, "Back to the list").clicked();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            pressed |= !back && ui.icon_button(Icon::CLOSE, close).clicked();
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(title).truncate());
            });
        });
        pressed
    })
    .inner
}

/// Draws the title of a page and then the page, with a button that closes it: on the right, or if the page replaces the
/// list, on the left and called "Back to the list". Returns whether it was clicked.
///
/// The button is drawn last, so that the keyboard reaches the page's actions first.
pub fn titled_page_ui(ui: &mut Ui, title: &str, close: &str, draw: impl FnOnce(&mut Ui)) -> bool {
    let one_page = replaces_list(ui.ctx());
    let side = control(ui);
    let line = Rect::from_min_size(ui.max_rect().min, vec2(ui.available_width(), side));
    let (left, right) =
        line.split_left_right_at_x(if one_page { line.left() + side + SPACE_S } else { line.right() - side });
    let (button, text) = if one_page { (left, right) } else { (right, left) };
    let layout = Layout::left_to_right(Align::Center);
    ui.new_child(UiBuilder::new().max_rect(text).layout(layout))
        .add(Label::new(RichText::new(title).heading()).truncate());
    ui.advance_cursor_after_rect(line);
    draw(ui);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(button).layout(layout));
    match one_page {
        true => ui.icon_button(Icon::BACK, "Back to the list").clicked(),
        false => ui.icon_button(Icon::CLOSE, close).clicked(),
    }
}
