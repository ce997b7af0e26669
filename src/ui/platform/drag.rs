//! A file out of the window: dragged onto another program, which gets a copy.
//!
//! The toolkit only takes what is dragged in, so this is offered where there is another way: on X11. On Wayland a drag
//! can be started by the owner of the window alone, on macOS and Windows nobody tried; there it is not offered.

use egui::{Context, CursorIcon, Id, Response, Sense, Ui};

use crate::ui::theme::Icon;

#[cfg(all(unix, not(target_os = "macos")))]
pub mod x11;

/// Says, once, whether this window is one from which files can be dragged.
pub(in crate::ui) fn offer(ctx: &Context) {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // As the toolkit chooses: Wayland where there is one, else X11.
    let x11 = cfg!(all(unix, not(target_os = "macos")))
        && !set("WAYLAND_DISPLAY")
        && !set("WAYLAND_SOCKET")
        && set("DISPLAY");
    ctx.data_mut(|data| data.insert_temp(Id::unique("files can be dragged out"), x11));
}

fn offered(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(Id::unique("files can be dragged out"))).unwrap_or(false)
}

/// Draws the handle by which a file is dragged, where that is offered; true when a drag begins.
pub(in crate::ui) fn handle_ui(ui: &mut Ui, enabled: bool) -> bool {
    if !offered(ui.ctx()) {
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
