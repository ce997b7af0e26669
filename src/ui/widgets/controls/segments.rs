//! A segmented control: Tab goes to the selected choice, the left and right arrow keys move the selection.

use crate::ui::focus;
use crate::ui::theme::{Icon, RADIUS, SPACE_S, Tokens, control, fonts};
use crate::ui::widgets::shown;
use egui::{Key, Modifiers, Rect, Response, Sense, Stroke, StrokeKind, Ui, accesskit, pos2, vec2};

/// One of the choices.
pub struct Choice<'a, T> {
    /// What it stands for.
    pub value: T,
    /// Its name.
    pub name: &'a str,
    /// The icon before its name.
    pub icon: Option<Icon>,
}

/// Draws the choices, called `name` together; returns the selected one if it changed.
pub fn choose<T: PartialEq + Copy>(ui: &mut Ui, name: &str, chosen: T, choices: &[Choice<'_, T>]) -> Option<T> {
    let builder = egui::UiBuilder::new()
        .id_salt(("choices", name))
        .accessibility_role(accesskit::Role::RadioGroup)
        .accessibility_label(name);
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing = vec2(2.0, 2.0);
        let index = choices.iter().position(|choice| choice.value == chosen);
        let row = ui.horizontal_wrapped(|ui| {
            let mut wanted = None;
            let responses: Vec<Response> =
                choices.iter().map(|choice| segment(ui, choice, choice.value == chosen, index.is_none())).collect();
            for (at, response) in responses.iter().enumerate() {
                if response.clicked() {
                    wanted = Some(at);
                }
                if let Some(next) = arrow_target(ui, response, at, choices.len()) {
                    responses[next].request_focus();
                    wanted = Some(next);
                }
            }
            wanted.filter(|wanted| Some(*wanted) != index).map(|wanted| choices[wanted].value)
        });
        row.inner
    })
    .inner
}

/// Returns where the arrow keys lead from the focused choice.
pub fn arrow_target(ui: &Ui, response: &Response, at: usize, count: usize) -> Option<usize> {
    if !focus::receives_keys(ui.ctx(), response.id) {
        return None;
    }
    // Otherwise the toolkit would move the focus by them.
    let filter = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if pressed(Key::ArrowRight) {
        Some((at + 1) % count)
    } else if pressed(Key::ArrowLeft) {
        Some((at + count - 1) % count)
    } else {
        None
    }
}

/// Returns the sense of a choice: Tab stops only at the selected one, or at each while none is selected.
pub fn choice_sense(on: bool, none: bool) -> Sense {
    if on || none { Sense::click() } else { Sense::CLICK }
}

fn segment<T>(ui: &mut Ui, choice: &Choice<'_, T>, on: bool, none: bool) -> Response {
    let t = Tokens::of(ui);
    let ink = if on { t.accent } else { t.muted };
    let family = if on { fonts::semibold() } else { egui::FontFamily::Proportional };
    let words = shown(choice.name).into_owned();
    let galley = ui.painter().layout_no_wrap(words.clone(), egui::FontId::new(13.0, family), ink);
    // As wide as in bold, so that selecting moves nothing.
    let bold = ui.painter().layout_no_wrap(words.clone(), egui::FontId::new(13.0, fonts::semibold()), ink);
    let sign = if choice.icon.is_some() { 14.0 + SPACE_S - 2.0 } else { 0.0 };
    let width = 12.0 * 2.0 + sign + bold.size().x.ceil();
    let (rect, response) = ui.allocate_exact_size(vec2(width, control(ui)), choice_sense(on, none));
    if ui.is_rect_visible(rect) {
        frame(ui, rect, &response, on);
        let mut left = rect.left() + 12.0;
        if let Some(icon) = choice.icon {
            icon.paint(ui.painter(), pos2(left + 7.0, rect.center().y), 14.0, if on { t.accent } else { t.muted });
            left += sign;
        }
        let left = left + (bold.size().x - galley.size().x) / 2.0;
        ui.painter().galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, ink);
    }
    response.widget_info(|| egui::WidgetInfo::selected(accesskit::Role::RadioButton, true, on, &words));
    response
}

fn frame(ui: &Ui, rect: Rect, response: &Response, on: bool) {
    let t = Tokens::of(ui);
    let fill = match (on, response.hovered()) {
        (true, _) => t.selection,
        (false, true) => t.hovered,
        (false, false) => t.raised,
    };
    let line = if on { t.selection } else { t.line };
    ui.painter().rect(rect, f32::from(RADIUS), fill, Stroke::new(1.0, line), StrokeKind::Inside);
}
