//! Dragging files: out of the window onto another program, which gets a copy, and from other programs onto the window.
//!
//! The toolkit cannot start drags, so they are offered only on X11, where they can be implemented separately. On Wayland
//! only the owner of the window can start a drag; macOS and Windows are not implemented. The toolkit accepts drops on
//! every system but Wayland, where it does not hear of them
//! ([winit 1881](https://github.com/rust-windowing/winit/issues/1881)).
//!
//! What must hold: no text of the window offers a drag or a drop that the display does not support.

use egui::{Context, CursorIcon, Id, Response, Sense, Ui};

use crate::ui::theme::Icon;

#[cfg(all(unix, not(target_os = "macos")))]
pub mod x11;

/// What the display supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui::platform) struct Support {
    /// Whether files can be dragged out of the window.
    drags: bool,
    /// Whether files can be dropped onto the window.
    pub(in crate::ui::platform) drops: bool,
}

impl Support {
    /// Determines it for this process.
    pub(in crate::ui::platform) fn detect() -> Self {
        if cfg!(not(all(unix, not(target_os = "macos")))) {
            return Self { drags: false, drops: true };
        }
        Self::of_displays(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
    }

    /// Determines it by which variables name a display, as the toolkit does: Wayland if available, else X11.
    fn of_displays(set: impl Fn(&str) -> bool) -> Self {
        let wayland = set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET");
        Self { drags: !wayland && set("DISPLAY"), drops: !wayland }
    }

    fn id() -> Id {
        Id::unique("drags and drops")
    }

    /// Returns what was detected for this window. If nothing was, as in tests, files can be dropped only.
    fn of(ctx: &Context) -> Self {
        ctx.data(|data| data.get_temp(Self::id())).unwrap_or(Self { drags: false, drops: true })
    }
}

/// Determines, once, whether files can be dragged out of this window and dropped onto it.
pub(in crate::ui) fn detect_support(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(Support::id(), Support::detect()));
}

/// Returns whether files can be dropped onto this window.
pub(in crate::ui) fn accepts_drops(ctx: &Context) -> bool {
    Support::of(ctx).drops
}

/// Draws the handle by which a file is dragged, if that is supported; returns whether a drag starts.
pub(in crate::ui) fn handle_ui(ui: &mut Ui, enabled: bool) -> bool {
    if !Support::of(ui.ctx()).drags {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_dragged_and_dropped_under_x11_and_neither_under_wayland() {
        let support = |set: &[&str]| {
            let Support { drags, drops } = Support::of_displays(|name| set.contains(&name));
            (drags, drops)
        };
        assert_eq!(support(&["DISPLAY"]), (true, true));
        assert_eq!(support(&["WAYLAND_DISPLAY"]), (false, false));
        assert_eq!(support(&["WAYLAND_SOCKET"]), (false, false));
        assert_eq!(support(&["WAYLAND_DISPLAY", "DISPLAY"]), (false, false), "the toolkit prefers Wayland");
    }
}
