//! The size of the window on the desktop, kept for each connection.
//!
//! What must hold: what the user does wins; a size is asked of the desktop once for each view that is taken up, and one
//! that the screen has no room for is not asked for.

use egui::{Context, Vec2, ViewportBuilder, ViewportCommand, vec2};

use super::Options;
use crate::app::settings::{Settings, WindowSize};
use crate::app::state::Target;
use crate::app::{Action, State};

/// The size of a window that was never opened, in points.
const USUAL: Vec2 = vec2(1280.0, 800.0);

/// What is known of the window's size.
#[derive(Default)]
pub(in crate::ui) struct WindowFrame {
    /// The view that was followed last.
    view: Option<u64>,
    /// The size of the frame before: one is kept once it stands still.
    before: Option<WindowSize>,
    /// The size it had last while it was not maximised.
    restored: Option<Vec2>,
}

/// The size with which a window opens: as it was left on the connection it opens with.
pub(in crate::ui) fn first(builder: ViewportBuilder, options: &Options) -> ViewportBuilder {
    // Whatever is wrong with them is told by whom the settings belong to.
    let settings = match (&options.data, &options.settings) {
        (Some(data), Some(legacy)) if !options.reset_layout => Settings::peek(data, legacy),
        (_, _) => Settings::default(),
    };
    let key = match options.target.as_ref().unwrap_or(&settings.target) {
        Target::Embedded => "embedded",
        Target::Url(url) => url,
    };
    let kept = settings.view_of(key).window;
    let size = kept.map_or(USUAL, |kept| vec2(kept.width, kept.height));
    builder
        .with_inner_size(size)
        .with_clamp_size_to_monitor_size(true)
        .with_maximized(kept.is_some_and(|kept| kept.maximised))
}

impl WindowFrame {
    /// Keeps the size that the user gives the window, and gives it the one that is kept of another view.
    pub fn follow(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let (inner, maximised, full, screen) = ctx.input(|input| {
            let viewport = input.viewport();
            let full = viewport.fullscreen.unwrap_or_default() || viewport.minimized.unwrap_or_default();
            (viewport.inner_rect, viewport.maximized.unwrap_or_default(), full, viewport.monitor_size)
        });
        // Without a desktop there is no size to speak of.
        let Some(inner) = inner.filter(|_| !full) else { return };
        let zoom = ctx.zoom_factor();
        let size = inner.size() * zoom;
        if self.view != Some(state.view_number) {
            let first = self.view.is_none();
            self.view = Some(state.view_number);
            self.before = None;
            if let Some(kept) = state.view.window.filter(|_| !first) {
                ask(ctx, kept, screen.map(|screen| screen * zoom), zoom);
            }
            return;
        }
        if !maximised {
            self.restored = Some(size);
        }
        // A maximised window keeps the size it has when it is not.
        let own = self.restored.or(state.view.window.map(|kept| vec2(kept.width, kept.height))).unwrap_or(USUAL);
        let Some(now) = WindowSize::new(own.x, own.y, maximised) else { return };
        let still = self.before.replace(now) == Some(now);
        if !still {
            ctx.request_repaint();
        } else if state.view.window != Some(now) {
            actions.push(Action::KeepWindow(now));
        }
    }
}

/// Asks the desktop for a size, no larger than the screen.
fn ask(ctx: &Context, kept: WindowSize, screen: Option<Vec2>, zoom: f32) {
    ctx.send_viewport_cmd(ViewportCommand::Maximized(kept.maximised));
    if !kept.maximised {
        let size = vec2(kept.width, kept.height);
        let size = screen.filter(|screen| screen.x > 0.0 && screen.y > 0.0).map_or(size, |screen| size.min(screen));
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size / zoom));
    }
}
