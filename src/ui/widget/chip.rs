//! Rounded labels for linked things: shown in lists, removed or opened on a page.

use super::{shown, shown_short};
use crate::ui::theme::{Icon, Tokens};
use egui::{
    Button, CornerRadius, Frame, Label, Margin, Response, RichText, Sense, Stroke, TextStyle, Ui, accesskit::Role, vec2,
};

/// A chip holds at most this many characters; the rest is on hover.
const LONGEST: usize = 40;

/// What was done to a removable chip.
pub struct ChipResponse {
    /// The chip was clicked beside its cross.
    pub clicked: bool,
    /// The cross was pressed, or Delete while the chip had the focus.
    pub removed: bool,
    /// The chip as a whole.
    pub response: Response,
}

/// A label in a rounded frame, for a cell of a list.
pub fn chip(ui: &mut Ui, text: &str) -> Response {
    let t = Tokens::of(ui);
    frame(t).show(ui, |ui| label(ui, text, t)).inner
}

/// A chip of a linked thing, with a cross named "Remove `kind` `text`".
///
/// The chip itself is a button named by its text: clicking it opens the thing, Delete on it removes the link.
pub fn removable_chip(ui: &mut Ui, kind: &str, text: &str) -> ChipResponse {
    let t = Tokens::of(ui);
    let inner = frame(t).show(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let body = label(ui, text, t).interact(Sense::click());
        let name = shown(text).into_owned();
        body.widget_info(|| egui::WidgetInfo::labeled(Role::Button, body.enabled(), &name));
        if body.has_focus() {
            let ring = body.rect.expand2(vec2(6.0, 2.0));
            ui.painter().rect_stroke(ring, 9.0, Stroke::new(1.0, t.accent), egui::StrokeKind::Outside);
        }
        let remove = format!("Remove {kind} {name}");
        let sign = RichText::new(Icon::CLOSE.glyph().to_string()).size(11.0).color(t.muted);
        let cross = ui.add(Button::new(sign).frame(false).min_size(vec2(14.0, 16.0)));
        let cross = cross.accessible_name(remove.clone()).on_hover_text(remove);
        let deleted = body.has_focus() && ui.input(|input| input.key_pressed(egui::Key::Delete));
        (body.clicked(), cross.clicked() || deleted)
    });
    let (clicked, removed) = inner.inner;
    ChipResponse { clicked, removed, response: inner.response }
}

fn frame(t: &Tokens) -> Frame {
    let fill = if t.dark { t.raised } else { t.hovered };
    Frame::new()
        .fill(fill)
        .stroke(Stroke::new(1.0, t.line))
        .corner_radius(CornerRadius::same(10))
        .inner_margin(Margin::symmetric(8, 1))
}

fn label(ui: &mut Ui, text: &str, t: &Tokens) -> Response {
    let short = RichText::new(shown_short(text, LONGEST)).text_style(TextStyle::Small).color(t.text);
    let response = ui.add(Label::new(short).selectable(false).extend());
    if text.chars().nth(LONGEST).is_some() { response.on_hover_text(shown_short(text, 2_000)) } else { response }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{Harness, kittest::Queryable as _};

    #[test]
    fn a_chip_is_removed_by_its_named_cross_and_opened_by_itself() {
        let mut harness = Harness::builder().with_context_setup(crate::ui::theme::install).build_ui_state(
            |ui, done: &mut Vec<&str>| {
                let chip = removable_chip(ui, "tag", "http");
                if chip.clicked {
                    done.push("opened");
                }
                if chip.removed {
                    done.push("removed");
                }
            },
            Vec::new(),
        );
        harness.get_by_role_and_label(Role::Button, "Remove tag http").click();
        harness.run();
        harness.get_by_role_and_label(Role::Button, "http").click();
        harness.run();
        harness.key_press(egui::Key::Delete);
        harness.run();
        assert_eq!(harness.state(), &["removed", "opened"][..]);
    }
}
