//! Dragging a file out of the window onto another program, which gets a copy.
//!
//! The toolkit only accepts drops, so this is offered only on X11, where it can be implemented separately. On Wayland
//! only the owner of the window can start a drag; macOS and Windows are not implemented.

use egui::{Context, CursorIcon, Id, Response, Sense, Ui};

use crate::ui::theme::Icon;

#[cfg(all(unix, not(target_os = "macos")))]
pub mod x11;

/// Determines, once, whether files can be dragged out of this window.
pub(in crate::ui) fn detect_support(ctx: &Context) {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // The same choice as the toolkit makes: Wayland if available, else X11.
    let x11 = cfg!(all(unix, not(target_os = "macos")))
        && !set("WAYLAND_DISPLAY")
        && !set("WAYLAND_SOCKET")
        && set("DISPLAY");
    ctx.data_mut(|data| data.insert_temp(Id::unique("files can be dragged out"), x11));
}

fn is_supported(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(Id::unique("files can be dragged out"))).unwrap_or(false)
}

/// Draws the handle by which a file is dragged, if that is supported; returns whether a drag starts.
pub(in crate::ui) fn handle_ui(ui: &mut Ui, enabled: bool) -> bool {
    if !is_supported(ui.ctx()) {
        return false;
    }
    let handle = |ui: &mut Ui| ui.add(egui::Button::new((Icon::GRIP.text(), "Drag")).sense(Sense::drag()));
    let response: Response = ui.add_enabled_ui(enabled, handle).inner;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, "Drag the file to another program"));
    let response = response
        .on_disabled_hover_text("There is no document yet")
        .on_hover_text("Hold and drag it onto a folder or another program, which gets a copy of the file")
        .on_hover_cursor(CursorIcon::Grab);
    if response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    response.drag_started()
}
