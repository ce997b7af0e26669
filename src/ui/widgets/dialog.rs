//! A dialog over the window.

use super::shown;
use crate::ui::theme::{SPACE_L, SPACE_M, UiExt as _, control};
use egui::{Context, Id, Modal, Ui, accesskit::Role};

/// A line of buttons at the right end of a dialog or form, drawn from the right: the main one first.
///
/// It is as high as one button: egui's own layout from the right would take all the height there is.
pub fn buttons<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let size = egui::vec2(ui.available_width(), control(ui));
    ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(egui::Align::Center), contents).inner
}

/// Draws a dialog `width` points wide with `title`; gives what `contents` gave, and whether the dialog is to be closed
/// (Escape, or a click beside it).
///
/// `id` must be unique in the window. While it is drawn nothing behind it takes input.
pub fn dialog<R>(ctx: &Context, id: &str, title: &str, width: f32, contents: impl FnOnce(&mut Ui) -> R) -> (R, bool) {
    dialog_with_changes(ctx, id, title, width, |ui| (contents(ui), false))
}

/// [`dialog`] with something typed into it where `contents` says so: then a click beside it closes nothing. Buttons may
/// move as messages come and go, and a click that misses one must not lose what was typed.
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
    // What is inside is the dialog; around it is what keeps clicks away.
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

/// Whether the key was pressed that confirms a dialog, Ctrl+Enter; no control gets it. To be asked before anything is
/// drawn in the dialog, since a focused button takes every Enter for itself.
pub fn confirm_key(ui: &Ui) -> bool {
    let on_top = ui.memory(|memory| memory.top_modal_layer()) == Some(ui.layer_id());
    on_top && ui.input_mut(|input| input.consume_key(egui::Modifiers::COMMAND, egui::Key::Enter))
}

/// What the button says on hover that [`confirm_key`] presses.
pub const CONFIRM_KEY: &str = "Ctrl+Enter";
