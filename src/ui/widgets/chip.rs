//! Rounded labels for linked things: shown in lists, removed or opened on a page.

use super::painting::{Pill, mini_button, pill, pill_width};
use super::{shown, shown_short};
use crate::ui::theme::{Icon, Tokens};
use egui::{Rect, Response, Sense, Ui, accesskit::Role, pos2, vec2};

/// A chip holds at most this many characters; the rest is on hover.
const LONGEST: usize = 40;
/// Height of a chip, in points.
const HEIGHT: f32 = 20.0;

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
    let short = shown_short(text, LONGEST).into_owned();
    let (response, cut) = pill(ui, None, short.clone(), &look(ui, 0.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &short));
    whole_on_hover(response, text, cut)
}

/// How wide a chip of this text is, in points.
pub fn chip_width(ui: &Ui, text: &str) -> f32 {
    pill_width(ui, &shown_short(text, LONGEST), &look(ui, 0.0))
}

/// A small outlined word, like "Tracked" or "deprecated".
pub fn badge(ui: &mut Ui, text: &str) -> Response {
    let t = Tokens::of(ui);
    let look =
        Pill { fill: egui::Color32::TRANSPARENT, ink: t.muted, size: 11.0, height: 18.0, radius: 4.0, tail: 0.0 };
    let short = shown_short(text, LONGEST).into_owned();
    let (response, cut) = pill(ui, None, short.clone(), &look, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &short));
    whole_on_hover(response, text, cut)
}

/// A chip of a linked thing, with a cross named "Remove `kind` `text`". `salt` tells it from the other chips.
///
/// The chip itself is a button named by its text: clicking it opens the thing, Delete on it removes the link.
pub fn removable_chip(ui: &mut Ui, salt: &str, kind: &str, text: &str) -> ChipResponse {
    let (name, id) = (shown_short(text, LONGEST).into_owned(), ui.scope_id().with(("chip", salt)));
    let (response, cut) = pill(ui, Some(id), name.clone(), &look(ui, 14.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, response.enabled(), &name));
    let center = pos2(response.rect.right() - 12.0, response.rect.center().y);
    let cross = Rect::from_center_size(center, vec2(16.0, 16.0));
    let remove = format!("Remove {kind} {}", shown(text));
    let cross = mini_button(ui, cross, response.id.with("remove"), Icon::CLOSE, &remove, Sense::click());
    let deleted = response.has_focus() && ui.input(|input| input.key_pressed(egui::Key::Delete));
    let (clicked, removed) = (response.clicked(), cross.clicked() || deleted);
    ChipResponse { clicked, removed, response: whole_on_hover(response, text, cut) }
}

/// A chip of a linked thing whose link cannot be removed; `why` is said on hover and read aloud.
pub fn fixed_chip(ui: &mut Ui, salt: &str, text: &str, why: &str) -> ChipResponse {
    let (name, id) = (shown_short(text, LONGEST).into_owned(), ui.scope_id().with(("chip", salt)));
    let (response, cut) = pill(ui, Some(id), name.clone(), &look(ui, 0.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, response.enabled(), &name));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(why));
    let clicked = response.clicked();
    let response = whole_on_hover(response, text, cut).on_hover_text(why);
    ChipResponse { clicked, removed: false, response }
}

/// A line of chips, wrapped where it is too narrow for them.
pub fn chip_row<R>(ui: &mut Ui, chips: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.y = HEIGHT;
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        ui.horizontal_wrapped(chips).inner
    })
    .inner
}

fn look(ui: &Ui, tail: f32) -> Pill {
    let t = Tokens::of(ui);
    let fill = if t.dark { t.raised } else { t.hovered };
    Pill { fill, ink: t.text, size: 12.0, height: HEIGHT, radius: HEIGHT / 2.0, tail }
}

fn whole_on_hover(response: Response, text: &str, cut: bool) -> Response {
    if cut || text.chars().nth(LONGEST).is_some() { response.on_hover_text(shown_short(text, 2_000)) } else { response }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{Harness, kittest::Queryable as _};

    #[test]
    fn a_chip_is_removed_by_its_named_cross_and_opened_by_itself() {
        let mut harness = Harness::builder().with_context_setup(crate::ui::theme::install).build_ui_state(
            |ui, done: &mut Vec<&str>| {
                let chip = removable_chip(ui, "1", "tag", "http");
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
        let names: Vec<String> = (0..12).map(|place| format!("tag number {place}")).chain(["x".repeat(200)]).collect();
        let mut harness =
            Harness::builder().with_size([260.0, 400.0]).with_context_setup(crate::ui::theme::install).build_ui(|ui| {
                chip_row(ui, |ui| {
                    for name in &names {
                        removable_chip(ui, name, "tag", name);
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
