//! Every widget of Lunette in its states, in both themes: `cargo run --example gallery`.
//!
//! `cargo run --example gallery -- light content` begins with a theme (`dark` or `light`) and a section. With `still`,
//! nothing moves.

mod gallery;

use eframe::{NativeOptions, egui};
use gallery::{Gallery, Section};
use lunette::ui::theme::{self, Appearance};

fn main() -> eframe::Result {
    let (mut preference, mut section, mut appearance) = (egui::Theme::Dark, Section::ALL[0], Appearance::default());
    for argument in std::env::args().skip(1) {
        match (argument.as_str(), Section::ALL.iter().find(|section| section.name().eq_ignore_ascii_case(&argument))) {
            ("light", _) => preference = egui::Theme::Light,
            ("dark", _) => preference = egui::Theme::Dark,
            ("still", _) => appearance.still = true,
            (_, Some(named)) => section = *named,
            (unknown, None) => eprintln!("gallery: {unknown} is neither a theme, nor a section, nor `still`"),
        }
    }
    let viewport = egui::ViewportBuilder::default().with_title("Widgets").with_inner_size([1280.0, 800.0]);
    let options = NativeOptions { viewport, ..NativeOptions::default() };
    let create: eframe::AppCreator<'_> = Box::new(move |context| {
        theme::install(&context.egui_ctx);
        theme::apply_appearance(&context.egui_ctx, appearance);
        theme::set_preference(&context.egui_ctx, preference.into());
        Ok(Box::new(Window(Gallery::new(section))))
    });
    eframe::run_native("lunette-gallery", options, create)
}

struct Window(Gallery);

impl eframe::App for Window {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.0.ui(ui);
    }
}
