//! What the dialogs that show a request before it is sent draw alike.
//!
//! What must hold: a button with a reason to be disabled confirms nothing, by the keyboard either.

use egui::{Align, Id, Layout, Response, ScrollArea, Ui, UiBuilder};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::{CONFIRM_KEY, shown};
use lunette_inspector::Action;

/// Returns what is prepared for a key on another thread; until then, or if it fails, draws that `what` is not there.
pub fn prepared_ui<'a, K: Clone + PartialEq, T: Send + 'static>(
    ui: &mut Ui,
    prepared: &'a mut Background<K, T>,
    key: &K,
    what: (&str, usize),
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<&'a T> {
    let (what, lines) = what;
    match prepared.get(ui.ctx(), key, work) {
        Some(Ok(prepared)) => Some(prepared),
        Some(Err(problem)) => {
            ui.error_text(&format!("{what} could not be shown: {problem}"));
            None
        }
        None => {
            skeleton(ui, what, lines);
            None
        }
    }
}

/// Draws what scrolls in a dialog that needs `reserved` points of the window's height for the rest.
pub fn scrolled_ui(ui: &mut Ui, id: &str, reserved: f32, draw: impl FnOnce(&mut Ui)) {
    let height = (ui.ctx().content_rect().height() - reserved).max(120.0);
    ScrollArea::vertical().id_salt(id).max_height(height).auto_shrink([false, true]).show(ui, draw);
}

/// Draws the last line of a dialog: `left` from the left, then `right` from the right.
///
/// It has an id of its own, so that a button keeps the focus when something above it appears.
pub fn footer_ui<R>(
    ui: &mut Ui,
    id: &str,
    actions: &mut Vec<Action>,
    left: impl FnOnce(&mut Ui, &mut Vec<Action>),
    right: impl FnOnce(&mut Ui, &mut Vec<Action>) -> R,
) -> R {
    let line = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        left(ui, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| right(ui, actions)).inner
    };
    ui.scope_builder(UiBuilder::new().scope_id(Id::unique(id)), |ui| ui.horizontal(line).inner).inner
}

/// Draws the button that confirms a dialog; returns whether it was clicked, or `confirmed` by the keyboard.
pub fn confirm_button(
    ui: &mut Ui,
    disabled_reason: Option<&str>,
    confirmed: bool,
    button: impl FnOnce(&mut Ui) -> Response,
) -> bool {
    let clicked = enabled_unless(ui, disabled_reason, button).on_hover_text(CONFIRM_KEY).clicked();
    clicked || confirmed && disabled_reason.is_none()
}

/// Draws how a change can be undone, with an icon before it.
pub fn undo_text_ui(ui: &mut Ui, icon: Icon, text: &str) {
    ui.horizontal_top(|ui| {
        let muted = ui.tokens().muted;
        ui.decoration(icon.text().color(muted));
        ui.add(egui::Label::new(egui::RichText::new(shown(text)).color(muted)).wrap());
    });
}
