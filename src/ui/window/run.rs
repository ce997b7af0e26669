//! Opens the window on the desktop, and explains in one line if that fails.
//!
//! What must hold: until OpenGL is started the program has one thread. With more, the C library locks for each
//! character that the toolkit reads of its tables and for each piece of memory, which takes longer than what other
//! threads could do meanwhile.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use egui::ViewportBuilder;

use super::{Options, Window, size};
use crate::ui::platform::{drag, open_link};
use crate::ui::theme;
use lunette_inspector::settings::WindowSize;

/// Why the window could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}; {advice}")]
pub struct WindowError {
    problem: String,
    advice: &'static str,
}

/// Opens the window and blocks until it is closed. `options` is called once OpenGL is started. Fails if there is no
/// display, or a library of the desktop is missing; the error says which, and what to do, in one line.
pub fn run(size: Option<WindowSize>, options: impl FnOnce() -> io::Result<Options>) -> Result<(), WindowError> {
    // System fonts are loaded in the background: the toolkit's own fallback could delay the first frame.
    let native = eframe::NativeOptions {
        viewport: viewport(size),
        system_font_fallback: false,
        ..eframe::NativeOptions::default()
    };
    let create: eframe::AppCreator<'_> = Box::new(|cc| {
        let options = options()?;
        theme::fetch_system_fonts(&cc.egui_ctx);
        drag::detect_support(&cc.egui_ctx);
        open_link::handle_links(&cc.egui_ctx, &options.runtime);
        Ok(Box::new(Window::new(&cc.egui_ctx, options)))
    });
    silence_explained_panics();
    // The toolkit panics if a library that it loads lazily is missing, or if the display is closed while it draws.
    match catch_unwind(AssertUnwindSafe(|| eframe::run_native("Lunette", native, create))) {
        Ok(ended) => ended.map_err(|error| WindowError::from_toolkit(&format!("{error}"), &format!("{error:?}"))),
        Err(panic) => match panic_message(panic.as_ref()) {
            Some(message) if names_missing_library(message) => Err(WindowError::from_toolkit(message, message)),
            Some(message) if names_lost_display(message) => Err(WindowError::display_closed()),
            _ => resume_unwind(panic),
        },
    }
}

/// Silences panics that [`run`] reports in one line: they are not faults of this program.
fn silence_explained_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match panic_message(panic.payload()) {
        Some(message) if names_missing_library(message) || names_lost_display(message) => {}
        _ => usual(panic),
    }));
}

fn panic_message(payload: &(dyn std::any::Any + Send)) -> Option<&str> {
    payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

fn names_missing_library(message: &str) -> bool {
    message.contains("could not be loaded") && library_name(message).is_some()
}

/// Whether the toolkit failed because its connection to the display broke, as at the end of a session.
fn names_lost_display(message: &str) -> bool {
    message.contains("Result::unwrap()") && message.contains("Connection(IoError(")
}

/// Returns the first name of a shared library in a text.
fn library_name(message: &str) -> Option<&str> {
    let words = message.split(|c: char| !(c.is_ascii_alphanumeric() || "._+-".contains(c)));
    words.map(|word| word.trim_end_matches('.')).find(|word| word.starts_with("lib") && word.contains(".so"))
}

fn viewport(size: Option<WindowSize>) -> ViewportBuilder {
    let builder =
        ViewportBuilder::default().with_title("Lunette").with_app_id("lunette").with_min_inner_size([800.0, 600.0]);
    let builder = size::with_saved_size(builder, size);
    match eframe::icon_data::from_png_bytes(include_bytes!("../../../assets/icon/lunette-128.png")) {
        Ok(icon) => builder.with_icon(icon),
        Err(_) => builder,
    }
}

impl WindowError {
    /// The error of a display that was closed under the window.
    fn display_closed() -> Self {
        Self { problem: CLOSED.to_owned(), advice: "everything that was saved is kept" }
    }

    /// Whether there was a window, and its display was closed.
    pub fn is_closed_display(&self) -> bool {
        self.problem == CLOSED
    }

    /// Builds the error from the toolkit's short and full messages.
    fn from_toolkit(short: &str, full: &str) -> Self {
        let short = short.split_whitespace().collect::<Vec<_>>().join(" ");
        // The toolkit puts its own source location first.
        let short = short
            .split_once("os error at ")
            .and_then(|(_, rest)| rest.split_once(": "))
            .map_or(&*short, |(_, why)| why);
        let lower = short.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let (problem, advice) = if let Some(library_name) = library_name(full) {
            (format!("a library of the desktop is missing: {library_name}"), LIBRARIES)
        } else if has(&["neither wayland_display nor wayland_socket nor display"]) {
            ("no display was found: DISPLAY and WAYLAND_DISPLAY are not set".to_owned(), DISPLAY)
        } else if has(&["connection to x server", "wayland"]) {
            ("the display does not respond: DISPLAY or WAYLAND_DISPLAY names none that runs".to_owned(), DISPLAY)
        } else if has(&["opengl", "glutin", "egl", "glx", "gl context", "config"]) {
            (format!("OpenGL could not be started: {short}"), OPENGL)
        } else {
            (format!("the window could not be opened: {short}"), DISPLAY)
        };
        Self { problem, advice }
    }
}

const CLOSED: &str = "the display was closed";
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
        let error = WindowError::from_toolkit("Failed to load one of xlib's shared libraries", full).to_string();
        assert!(error.starts_with("a library of the desktop is missing: libX11.so.6; install it"), "{error}");
        let panicked = "Library libxkbcommon-x11.so could not be loaded.";
        assert!(names_missing_library(panicked));
        assert!(WindowError::from_toolkit(panicked, panicked).to_string().contains("missing: libxkbcommon-x11.so;"));
    }

    #[test]
    fn a_missing_display_is_reported_without_source_locations() {
        let short = "winit EventLoopError: os error at /a/b.rs:788: Failed to open connection to X server";
        let error = WindowError::from_toolkit(short, short).to_string();
        assert!(error.starts_with("the display does not respond"), "{error}");
        let short = "winit EventLoopError: os error at /a/b.rs:1: something\nelse";
        let error = WindowError::from_toolkit(short, short).to_string();
        assert!(error.starts_with("the window could not be opened: something else; "), "{error}");
    }
}
