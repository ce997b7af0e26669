//! Opens the window on the desktop, and says in one line why that failed.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use egui::ViewportBuilder;

use super::{Options, Window, size};
use crate::ui::platform::{drag, open_link};
use crate::ui::theme;

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
    // The fonts of the system come when they are known: the toolkit's own way could hold up the first frame for them.
    let native = eframe::NativeOptions {
        viewport: viewport(&options),
        system_font_fallback: false,
        ..eframe::NativeOptions::default()
    };
    let create: eframe::AppCreator<'_> = Box::new(|cc| {
        theme::fetch_system_fonts(&cc.egui_ctx);
        drag::offer(&cc.egui_ctx);
        open_link::serve(&cc.egui_ctx, &options.runtime);
        Ok(Box::new(Window::new(&cc.egui_ctx, options)))
    });
    hush_missing_libraries();
    // The toolkit panics where a library that it loads late is missing.
    match catch_unwind(AssertUnwindSafe(|| eframe::run_native("Lunette", native, create))) {
        Ok(ended) => ended.map_err(|error| WindowError::named(&format!("{error}"), &format!("{error:?}"))),
        Err(panic) => match said_by(panic.as_ref()) {
            Some(said) if names_missing_library(said) => Err(WindowError::named(said, said)),
            _ => resume_unwind(panic),
        },
    }
}

/// Leaves panics over a missing library to [`run`], which tells them in one line.
fn hush_missing_libraries() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match said_by(panic.payload()) {
        Some(said) if names_missing_library(said) => {}
        _ => usual(panic),
    }));
}

fn said_by(payload: &(dyn std::any::Any + Send)) -> Option<&str> {
    payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

fn names_missing_library(said: &str) -> bool {
    said.contains("could not be loaded") && library(said).is_some()
}

/// The first name of a shared library in a text.
fn library(said: &str) -> Option<&str> {
    let words = said.split(|c: char| !(c.is_ascii_alphanumeric() || "._+-".contains(c)));
    words.map(|word| word.trim_end_matches('.')).find(|word| word.starts_with("lib") && word.contains(".so"))
}

fn viewport(options: &Options) -> ViewportBuilder {
    let builder =
        ViewportBuilder::default().with_title("Lunette").with_app_id("lunette").with_min_inner_size([800.0, 600.0]);
    let builder = size::first(builder, options);
    match eframe::icon_data::from_png_bytes(include_bytes!("../../../assets/icon/lunette-256.png")) {
        Ok(icon) => builder.with_icon(icon),
        Err(_) => builder,
    }
}

impl WindowError {
    /// The line for a failure, from what the toolkit said of it in short and in full.
    fn named(short: &str, full: &str) -> Self {
        let short = short.split_whitespace().collect::<Vec<_>>().join(" ");
        // The toolkit names the line of its own source first.
        let short = short
            .split_once("os error at ")
            .and_then(|(_, rest)| rest.split_once(": "))
            .map_or(&*short, |(_, why)| why);
        let lower = short.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let (problem, advice) = if let Some(library) = library(full) {
            (format!("a library of the desktop is missing: {library}"), LIBRARIES)
        } else if has(&["neither wayland_display nor wayland_socket nor display"]) {
            ("no display was found: DISPLAY and WAYLAND_DISPLAY are not set".to_owned(), DISPLAY)
        } else if has(&["connection to x server", "wayland"]) {
            ("the display does not answer: DISPLAY or WAYLAND_DISPLAY names none that runs".to_owned(), DISPLAY)
        } else if has(&["opengl", "glutin", "egl", "glx", "gl context", "config"]) {
            (format!("OpenGL could not be started: {short}"), OPENGL)
        } else {
            (format!("the window could not be opened: {short}"), DISPLAY)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_library_is_named() {
        let full = "Os(LibraryOpenError(OpenError { detail: \"opening library failed (libX11.so.6: cannot open)\" }))";
        let error = WindowError::named("Failed to load one of xlib's shared libraries", full).to_string();
        assert!(error.starts_with("a library of the desktop is missing: libX11.so.6; install it"), "{error}");
        let panicked = "Library libxkbcommon-x11.so could not be loaded.";
        assert!(names_missing_library(panicked));
        assert!(WindowError::named(panicked, panicked).to_string().contains("missing: libxkbcommon-x11.so;"));
    }

    #[test]
    fn a_display_that_does_not_answer_is_told_without_lines_of_source() {
        let short = "winit EventLoopError: os error at /a/b.rs:788: Failed to open connection to X server";
        let error = WindowError::named(short, short).to_string();
        assert!(error.starts_with("the display does not answer"), "{error}");
        let short = "winit EventLoopError: os error at /a/b.rs:1: something\nelse";
        let error = WindowError::named(short, short).to_string();
        assert!(error.starts_with("the window could not be opened: something else; "), "{error}");
    }
}
