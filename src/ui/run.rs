//! Opens the window on the desktop, and says in one line why that failed.

use egui::ViewportBuilder;

use super::{Options, Window};

/// Why there is no window.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}; {advice}")]
pub struct WindowError {
    problem: String,
    advice: &'static str,
}

/// Opens the window and stays until it is closed. Fails where there is no display, or a library of the desktop is
/// missing; the error names which, and what to do, in one line.
pub fn run(options: Options) -> Result<(), WindowError> {
    let native = eframe::NativeOptions { viewport: viewport(), ..eframe::NativeOptions::default() };
    let create: eframe::AppCreator<'_> = Box::new(|cc| Ok(Box::new(Window::new(&cc.egui_ctx, options))));
    // A library that is missing makes winit panic on some systems; that is told like any other failure.
    eframe::run_native("Lunette", native, create).map_err(|error| WindowError::of(&error))
}

fn viewport() -> ViewportBuilder {
    let builder = ViewportBuilder::default()
        .with_title("Lunette")
        .with_app_id("lunette")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([800.0, 600.0]);
    match eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon.png")) {
        Ok(icon) => builder.with_icon(icon),
        Err(_) => builder,
    }
}

impl WindowError {
    fn of(error: &eframe::Error) -> Self {
        Self::named(&error.to_string())
    }

    /// The line for a failure, from what the toolkit said of it.
    fn named(said: &str) -> Self {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let lower = said.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let (problem, advice) = if has(&["neither wayland_display nor wayland_socket nor display"]) {
            ("no display was found: DISPLAY and WAYLAND_DISPLAY are not set".to_owned(), DISPLAY)
        } else if has(&["libxkbcommon", "libx11", "libxcursor", "libxi", "libwayland", "failed to load one of xlib"]) {
            (format!("a library of the desktop is missing: {said}"), LIBRARIES)
        } else if has(&["opengl", "glutin", "egl", "glx", "gl context", "config"]) {
            (format!("OpenGL could not be started: {said}"), OPENGL)
        } else {
            (format!("the window could not be opened: {said}"), DISPLAY)
        };
        Self { problem, advice }
    }
}

const DISPLAY: &str =
    "start it in a desktop session, or use the command line alone (`lunette serve`, `lunette call`, `lunette import`)";
const LIBRARIES: &str =
    "install it (Debian: libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 libgl1 libegl1)";
const OPENGL: &str =
    "install OpenGL (Debian: libgl1 libegl1 libgl1-mesa-dri), or draw without a graphics card: LIBGL_ALWAYS_SOFTWARE=1";
