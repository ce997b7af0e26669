//! Figures in cards: a large number over its caption.

use crate::ui::theme::{RADIUS, SPACE_S, Tokens, text};
use crate::ui::widgets::shown;
use egui::{CornerRadius, Frame, Label, Margin, RichText, Stroke, Ui, accesskit::Role};

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Stat<'a> {
    /// The number with its unit: `63 h`.
    pub value: &'a str,
    /// What it counts.
    pub caption: &'a str,
}

/// A row of cards of equal width over the available space.
pub fn stats(ui: &mut Ui, figures: &[Stat<'_>]) {
    let count = figures.len().max(1) as f32;
    let width = ((ui.available_width() - SPACE_S * (count - 1.0)) / count).floor();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        for figure in figures {
            card(ui, figure, width);
        }
    });
}

fn card(ui: &mut Ui, figure: &Stat<'_>, width: f32) {
    let t = Tokens::of(ui);
    let value = shown(figure.value).into_owned();
    let caption = shown(figure.caption).into_owned();
    let frame = Frame::new()
        .fill(t.raised)
        .stroke(Stroke::new(1.0, t.line))
        .corner_radius(CornerRadius::same(RADIUS))
        .inner_margin(Margin::symmetric(10, 8));
    let inner = frame.show(ui, |ui| {
        ui.set_width((width - 22.0).max(24.0));
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.add(Label::new(RichText::new(&value).text_style(text::figure())).truncate());
            ui.add(Label::new(RichText::new(&caption).text_style(text::tiny()).color(t.muted)).truncate());
        });
    });
    let response = inner.response;
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Figure);
        node.set_label(format!("{value} {caption}"));
    });
}
