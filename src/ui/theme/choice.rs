//! Checkboxes and radio buttons with an outline that contrasts with what is around it.
//!
//! What must hold: one that is not checked does not look disabled: it has the fill of a text field and a strong outline,
//! where a disabled one has a faint line.

use egui::{Checkbox, RadioButton, Response, Stroke, Ui, style::Widgets};

use super::Tokens;
use crate::ui::widgets::shown;

/// Draws a checkbox named by its text.
pub fn checkbox(ui: &mut Ui, checked: &mut bool, text: &str) -> Response {
    outlined(ui, |ui| ui.add(Checkbox::new(checked, shown(text))))
}

/// Draws a radio button named by its text.
pub fn radio(ui: &mut Ui, chosen: bool, text: &str) -> Response {
    outlined(ui, |ui| ui.add(RadioButton::new(chosen, shown(text))))
}

/// Draws a radio button that sets `current` to `value`.
pub fn radio_value<T: PartialEq>(ui: &mut Ui, current: &mut T, value: T, text: &str) -> Response {
    let mut response = radio(ui, *current == value, text);
    if response.clicked() && *current != value {
        *current = value;
        response.mark_changed();
    }
    response
}

fn outlined<R>(ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> R) -> R {
    let before = ui.visuals().widgets.clone();
    let t = Tokens::of(ui);
    outline(&mut ui.visuals_mut().widgets, t);
    let drawn = draw(ui);
    ui.visuals_mut().widgets = before;
    drawn
}

/// Sets the fill and the outline of the boxes that are enabled.
fn outline(widgets: &mut Widgets, t: &Tokens) {
    let fill = t.field();
    (widgets.inactive.bg_fill, widgets.inactive.bg_stroke) = (fill, Stroke::new(1.0, t.muted));
    for state in [&mut widgets.hovered, &mut widgets.active] {
        (state.bg_fill, state.bg_stroke) = (t.hovered, Stroke::new(1.0, t.text));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tests::{all, contrast};
    use super::*;

    /// The contrast of the parts of a control (WCAG 2.2, 1.4.11).
    const LEAST: f64 = 3.0;

    #[test]
    fn the_outline_of_an_unchecked_box_contrasts_with_its_fill_and_with_every_background() {
        for t in all() {
            let mut widgets = Widgets::default();
            outline(&mut widgets, &t);
            for state in [widgets.inactive, widgets.hovered, widgets.active] {
                let line = state.bg_stroke.color;
                for ground in [state.bg_fill, t.background, t.panel, t.raised, t.hovered, t.selected_row] {
                    let ratio = contrast(line, ground);
                    assert!(ratio >= LEAST, "{line:?} on {ground:?}, dark {}: {ratio:.2}", t.dark);
                }
            }
        }
    }
}
