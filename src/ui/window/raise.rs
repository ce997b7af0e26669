//! The window comes to the front when another start of this program asks for it.

use egui::{Context, UserAttentionType, ViewportCommand};

/// Comes to the front where it was called since it last came.
pub(in crate::ui) fn raise_window(ctx: &Context, raised: &mut u64, called: u64) {
    if *raised == called {
        return;
    }
    *raised = called;
    ctx.send_viewport_cmd(ViewportCommand::Minimized(false));
    ctx.send_viewport_cmd(ViewportCommand::Focus);
    // Some desktops let no window take the front; there it is marked as wanting to be looked at.
    if !ctx.input(|input| input.focused) {
        ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(UserAttentionType::Informational));
    }
    ctx.request_repaint();
}
