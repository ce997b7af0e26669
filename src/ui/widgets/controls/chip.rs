//! Rounded labels for linked items: shown in lists, removed or opened on a page.

use crate::ui::focus;
use crate::ui::theme::{Icon, Tokens};
use crate::ui::widgets::painting::{Pill, pill, pill_width, tiny_icon_button};
use crate::ui::widgets::{shown, shown_short};
use egui::{Color32, Rect, Response, Sense, Ui, accesskit::Role, pos2, vec2};

/// Maximum number of characters shown in a chip; hover shows the rest.
const MAX_LENGTH: usize = 40;
/// Height of a chip, in points.
const HEIGHT: f32 = 20.0;

/// Width of the cross of a chip, in points.
const REMOVE_WIDTH: f32 = 14.0;

/// What happened to a removable chip.
pub struct ChipResponse {
    /// The chip was clicked outside its cross.
    pub clicked: bool,
    /// The cross was clicked, or Delete was pressed while the chip had the focus.
    pub removed: bool,
    /// The response of the whole chip.
    pub response: Response,
}

/// A label in a rounded frame, for a cell of a list; with its own background if it has one.
pub fn chip(ui: &mut Ui, text: &str, fill: Option<Color32>) -> Response {
    let short = shown_short(text, MAX_LENGTH).into_owned();
    let (response, cut) = pill(ui, None, short.clone(), &style(ui, 0.0).filled(fill), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &short));
    full_text_on_hover(response, text, cut)
}

/// Returns the width of a chip with this text, in points.
pub fn chip_width(ui: &Ui, text: &str) -> f32 {
    pill_width(ui, &shown_short(text, MAX_LENGTH), &style(ui, 0.0))
}

/// Returns the width of a removable chip with this text, in points.
pub fn removable_chip_width(ui: &Ui, text: &str) -> f32 {
    pill_width(ui, &shown_short(text, MAX_LENGTH), &style(ui, REMOVE_WIDTH))
}

/// A small outlined word, like "Tracked" or "deprecated".
pub fn badge(ui: &mut Ui, text: &str) -> Response {
    let t = Tokens::of(ui);
    let style =
        Pill { fill: egui::Color32::TRANSPARENT, ink: t.muted, size: 11.0, height: 18.0, radius: 4.0, tail: 0.0 };
    let short = shown_short(text, MAX_LENGTH).into_owned();
    let (response, cut) = pill(ui, None, short.clone(), &style, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &short));
    full_text_on_hover(response, text, cut)
}

/// A chip of a linked item, with a cross named "Remove `kind` `text`". `salt` distinguishes it from the other chips.
///
/// The chip itself is a button named by its text: clicking it opens the item, Delete removes the link.
pub fn removable_chip(ui: &mut Ui, salt: &str, kind: &str, text: &str, fill: Option<Color32>) -> ChipResponse {
    let (name, id) = (shown_short(text, MAX_LENGTH).into_owned(), ui.scope_id().with(("chip", salt)));
    let (response, cut) =
        pill(ui, Some(id), name.clone(), &style(ui, REMOVE_WIDTH).filled(fill), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, response.enabled(), &name));
    let center = pos2(response.rect.right() - 12.0, response.rect.center().y);
    let cross = Rect::from_center_size(center, vec2(16.0, 16.0));
    let remove = format!("Remove {kind} {}", shown(text));
    let cross = tiny_icon_button(ui, cross, response.id.with("remove"), Icon::CLOSE, &remove, Sense::click());
    let deleted = focus::receives_keys(ui.ctx(), response.id) && ui.input(|input| input.key_pressed(egui::Key::Delete));
    let (clicked, removed) = (response.clicked(), cross.clicked() || deleted);
    ChipResponse { clicked, removed, response: full_text_on_hover(response, text, cut) }
}

/// A chip of a linked item whose link cannot be removed; `why` is shown on hover and read aloud.
pub fn locked_chip(ui: &mut Ui, salt: &str, text: &str, why: &str, fill: Option<Color32>) -> ChipResponse {
    let (name, id) = (shown_short(text, MAX_LENGTH).into_owned(), ui.scope_id().with(("chip", salt)));
    let (response, cut) = pill(ui, Some(id), name.clone(), &style(ui, 0.0).filled(fill), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, response.enabled(), &name));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(why));
    let clicked = response.clicked();
    let response = full_text_on_hover(response, text, cut).on_hover_text(why);
    ChipResponse { clicked, removed: false, response }
}

/// A line of chips, wrapped if there is not enough room.
pub fn chip_row<R>(ui: &mut Ui, chips: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = HEIGHT;
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.horizontal_wrapped(chips).inner
    })
    .inner
}

fn style(ui: &Ui, tail: f32) -> Pill {
    let t = Tokens::of(ui);
    let fill = if t.dark { t.raised } else { t.hovered };
    Pill { fill, ink: t.text, size: 12.0, height: HEIGHT, radius: HEIGHT / 2.0, tail }
}

fn full_text_on_hover(response: Response, text: &str, cut: bool) -> Response {
    if cut || text.chars().nth(MAX_LENGTH).is_some() {
        response.on_hover_text(shown_short(text, 2_000))
    } else {
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{Harness, kittest::Queryable as _};

    #[test]
    fn a_chip_is_removed_by_its_named_cross_and_opened_by_itself() {
        let mut harness = Harness::builder().with_context_setup(crate::ui::theme::install).build_ui_state(
            |ui, done: &mut Vec<&str>| {
                let chip = removable_chip(ui, "1", "tag", "http", None);
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

    #[test]
    fn chips_wrap_and_a_long_one_is_cut_so_that_every_cross_is_in_sight() {
        let names: Vec<String> = (0..12).map(|index| format!("tag number {index}")).chain(["x".repeat(200)]).collect();
        let mut harness =
            Harness::builder().with_size([260.0, 400.0]).with_context_setup(crate::ui::theme::install).build_ui(|ui| {
                chip_row(ui, |ui| {
                    for name in &names {
                        removable_chip(ui, name, "tag", name, None);
                    }
                });
            });
        harness.run();
        let crosses: Vec<_> = harness.query_all_by_label_contains("Remove tag").map(|cross| cross.rect()).collect();
        assert_eq!(crosses.len(), names.len());
        assert!(crosses.iter().all(|cross| cross.right() < 260.0), "{crosses:?}");
        assert!(crosses.iter().any(|cross| cross.top() > crosses[0].bottom()), "they wrap");
    }
}
