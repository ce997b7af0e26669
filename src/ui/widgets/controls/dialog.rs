//! A dialog over the window.

use crate::ui::platform::IS_MAC;
use crate::ui::theme::{SPACE_L, SPACE_M, UiExt as _, control};
use crate::ui::widgets::shown;
use egui::{Context, Id, Modal, Ui, accesskit::Role};

/// A line of buttons aligned to the right, drawn from the right: the main one first.
///
/// It is as high as one button: egui's own right-to-left layout would take all the available height.
pub fn buttons<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let size = egui::vec2(ui.available_width(), control(ui));
    ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(egui::Align::Center), contents).inner
}

/// Draws a dialog `width` points wide with `title`; returns the result of `contents`, and whether the dialog is to be
/// closed (Escape, or a click outside).
///
/// `id` must be unique in the window. While it is drawn, nothing behind it takes input.
pub fn dialog<R>(ctx: &Context, id: &str, title: &str, width: f32, contents: impl FnOnce(&mut Ui) -> R) -> (R, bool) {
    dialog_with_changes(ctx, id, title, width, |ui| (contents(ui), false))
}

/// Like [`dialog`]; while `contents` returns that something was typed, a click outside does not close it. Buttons may
/// move as messages appear, and a click that misses one must not lose the input.
pub fn dialog_with_changes<R>(
    ctx: &Context,
    id: &str,
    title: &str,
    width: f32,
    contents: impl FnOnce(&mut Ui) -> (R, bool),
) -> (R, bool) {
    let name = shown(title).into_owned();
    let frame = egui::Frame::popup(&ctx.global_style()).corner_radius(10.0).inner_margin(SPACE_L);
    let id = Id::unique(("dialog", id));
    // The inner area is the dialog; around it is the backdrop.
    let area = Modal::default_area(id).role(Role::GenericContainer);
    let modal = Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
        ui.set_width(width.min(ui.ctx().content_rect().width() - 64.0));
        ui.spacing_mut().item_spacing.y = SPACE_M;
        ui.title(&name);
        let inner = contents(ui);
        ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
            node.set_role(Role::Dialog);
            node.set_label(name);
            node.set_modal();
        });
        inner
    });
    let beside = modal.backdrop_response.clicked();
    let close = modal.should_close();
    let (inner, changed) = modal.inner;
    (inner, close && !(beside && changed))
}

/// Returns whether the dialog that is being drawn is the topmost one and was so before this frame: the key that opens it
/// is not for it.
pub fn is_on_top(ui: &Ui) -> bool {
    ui.memory(|memory| memory.top_modal_layer()) == Some(ui.layer_id())
}

/// Returns whether Ctrl+Enter (Cmd+Enter on a Mac), which confirms a dialog, was pressed, and consumes it. Must be called before anything is
/// drawn in the dialog, since a focused button handles every Enter.
pub fn confirm_key(ui: &Ui) -> bool {
    is_on_top(ui) && ui.input_mut(|input| input.consume_key(egui::Modifiers::COMMAND, egui::Key::Enter))
}

/// Returns whether Enter was pressed on one of these choices, which goes on with the choice, and consumes it. Must be
/// called before the choices are drawn, since a focused one handles every Enter.
pub fn choice_key(ui: &Ui, choices: &[Id]) -> bool {
    let on_choice = ui.memory(|memory| memory.focused()).is_some_and(|focused| choices.contains(&focused));
    on_choice && is_on_top(ui) && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Enter))
}

/// The key shown in the tooltip of the button that [`confirm_key`] presses.
pub const CONFIRM_KEY: &str = if IS_MAC { "Cmd+Enter" } else { "Ctrl+Enter" };
