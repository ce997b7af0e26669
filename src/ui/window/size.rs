//! The size of the window, saved for each connection.
//!
//! What must hold: a size that the user chose wins; a saved size is requested once for each view, and only if it fits
//! on the screen.

use egui::{Context, Vec2, ViewportBuilder, ViewportCommand, vec2};

use lunette_inspector::action::SettingsAction;
use lunette_inspector::settings::WindowSize;
use lunette_inspector::{Action, State};

/// The default size, in points.
const DEFAULT_SIZE: Vec2 = vec2(1280.0, 800.0);

/// The state of the window's size.
#[derive(Default)]
pub(in crate::ui) struct WindowFrame {
    /// The view whose size was applied last.
    view: Option<u64>,
    /// The size in the previous frame: a size is saved once it is stable.
    last_size: Option<WindowSize>,
    /// The last size while the window was not maximized.
    restored: Option<Vec2>,
}

/// Sets the initial size of the window: the saved one of the connection it opens with.
pub(in crate::ui) fn with_saved_size(builder: ViewportBuilder, kept: Option<WindowSize>) -> ViewportBuilder {
    let size = kept.map_or(DEFAULT_SIZE, |kept| vec2(kept.width, kept.height));
    builder
        .with_inner_size(size)
        .with_clamp_size_to_monitor_size(true)
        .with_maximized(kept.is_some_and(|kept| kept.maximised))
}

impl WindowFrame {
    /// Saves the size that the user chose, and applies the saved size when the view changes.
    pub fn sync(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let (inner, maximised, full, screen) = ctx.input(|input| {
            let viewport = input.viewport();
            let full = viewport.fullscreen.unwrap_or_default() || viewport.minimized.unwrap_or_default();
            (viewport.inner_rect, viewport.maximized.unwrap_or_default(), full, viewport.monitor_size)
        });
        // Without a desktop there is no size.
        let Some(inner) = inner.filter(|_| !full) else { return };
        let zoom = ctx.zoom_factor();
        let size = inner.size() * zoom;
        if self.view != Some(state.preferences.view_number) {
            let with_saved_size = self.view.is_none();
            self.view = Some(state.preferences.view_number);
            self.last_size = None;
            if let Some(kept) = state.preferences.view.window.filter(|_| !with_saved_size) {
                request_size(ctx, kept, screen.map(|screen| screen * zoom), zoom);
            }
            return;
        }
        if !maximised {
            self.restored = Some(size);
        }
        // A maximized window keeps its restored size.
        let own = self
            .restored
            .or(state.preferences.view.window.map(|kept| vec2(kept.width, kept.height)))
            .unwrap_or(DEFAULT_SIZE);
        let Some(now) = WindowSize::new(own.x, own.y, maximised) else { return };
        let still = self.last_size.replace(now) == Some(now);
        if !still {
            ctx.request_repaint();
        } else if state.preferences.view.window != Some(now) {
            actions.push(SettingsAction::KeepWindow(now).into());
        }
    }
}

/// Requests a size, no larger than the screen.
fn request_size(ctx: &Context, kept: WindowSize, screen: Option<Vec2>, zoom: f32) {
    ctx.send_viewport_cmd(ViewportCommand::Maximized(kept.maximised));
    if !kept.maximised {
        let size = vec2(kept.width, kept.height);
        let size = screen.filter(|screen| screen.x > 0.0 && screen.y > 0.0).map_or(size, |screen| size.min(screen));
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size / zoom));
    }
}
