//! The fonts of the system, for the scripts that ours lack: Chinese, Arabic, Devanagari, emoji and the rest.
//!
//! What must hold: no frame waits until the system has listed its fonts, which can take some hundred milliseconds. What
//! is on screen until then has boxes in place of such signs, and is drawn again with them.

use std::sync::Arc;
use std::thread;

use egui::{Context, FallbackRequest, FontFamily, FontProvider as _};
use egui_system_font_provider::SystemFontProvider;

/// Has the fonts of the system listed on a thread of its own, and used from the first frame after that.
pub fn load_in_background(ctx: &Context) {
    let ctx = ctx.clone();
    let list = move || {
        let provider = SystemFontProvider::new();
        // Whatever is asked first waits for the list; here nobody waits for the answer.
        provider.font_for(&FallbackRequest { cluster: "あ", family: &FontFamily::Proportional });
        ctx.add_font_provider(Arc::new(provider));
    };
    if let Err(error) = thread::Builder::new().name("system fonts".to_owned()).spawn(list) {
        tracing::warn!("the fonts of the system are not used: {error}");
    }
}
