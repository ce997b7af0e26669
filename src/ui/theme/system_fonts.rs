//! The fonts of the system, for scripts that ours lack: Chinese, Arabic, Devanagari, emoji and others.
//!
//! What must hold: no frame waits until the system has listed its fonts, which can take some hundred milliseconds, and
//! the list is not read before the first frame is on screen. Until then such characters are drawn as boxes; afterwards
//! the window is redrawn.

use std::sync::{Arc, Once};
use std::thread;

use egui::{Context, FallbackRequest, FontFamily, FontProvider as _};
use egui_system_font_provider::SystemFontProvider;

/// Lists the fonts of the system on another thread once the first frame is drawn, and uses them from the first frame
/// after that.
pub fn load_in_background(ctx: &Context) {
    let once = Once::new();
    let begin = move |ui: &mut egui::Ui| {
        if ui.ctx().cumulative_frame_nr() > 0 {
            once.call_once(|| list(ui.ctx().clone()));
        }
    };
    ctx.on_begin_pass("system fonts", Arc::new(begin));
}

fn list(ctx: Context) {
    let list = move || {
        let provider = SystemFontProvider::new();
        // The first request waits for the list; on this thread nothing else waits for it.
        provider.font_for(&FallbackRequest { cluster: "あ", family: &FontFamily::Proportional });
        ctx.add_font_provider(Arc::new(provider));
    };
    // A panic is reported by the panic hook; without the result, some characters stay boxes.
    if let Err(error) = thread::Builder::new().name("system fonts".to_owned()).spawn(list) {
        tracing::warn!("the fonts of the system are not used: {error}");
    }
}
