//! Raises the window when another start of this program requests it.

use egui::{Context, UserAttentionType, ViewportCommand};

/// Raises the window if that was requested since the last call.
pub(in crate::ui) fn raise_window(ctx: &Context, raised: &mut u64, called: u64) {
    if *raised == called {
        return;
    }
    *raised = called;
    ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
    ctx.send_viewport_cmd(ViewportCommand::Focus);
    // Some desktops do not let a window raise itself; there it requests attention.
    if !ctx.input(|input| input.focused) {
        ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(UserAttentionType::Informational));
    }
    ctx.request_repaint();
}
