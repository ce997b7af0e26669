//! The icons of installed applications, found from a desktop entry, an application bundle, or the folder of a Windows
//! program.
//!
//! Our choice: a Windows program shows the `.ico` file in its folder; icons inside executables and shortcuts are not
//! read, and the first letter of the name is drawn instead.
//!
//! What must hold: a path from a service is only read as a desktop entry or the property list of a bundle, and an image
//! only with a bounded size; only regular files are opened. Blocks.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

mod bundle;
mod picture;
#[cfg(feature = "window")]
mod svg;
mod theme;

use picture::decode;
pub(super) use theme::Themes;

/// The side of an icon, in pixels.
pub const SIDE: u32 = 72;

/// The maximum size of a desktop entry or property list, in bytes.
const MAX_TEXT_SIZE: u64 = 256 * 1024;
/// The maximum size of an icon file, in bytes.
const MAX_ICON_SIZE: u64 = 2 * 1024 * 1024;
/// The maximum number of files examined in a folder.
const MAX_FILES: usize = 500;

/// An icon, ready to be drawn.
#[derive(Clone, PartialEq, Eq)]
pub struct AppIcon {
    /// Width and height, in pixels.
    pub size: [usize; 2],
    /// Red, green, blue and opacity of each pixel, not premultiplied, row by row.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for AppIcon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AppIcon").field("size", &self.size).finish_non_exhaustive()
    }
}

/// Returns the icon of an application from the path where it was detected, or `None` if there is none that can be
/// shown.
pub(super) fn of_path(path: &Path, themes: &mut Themes) -> Option<AppIcon> {
    let file = match path.extension().and_then(|extension| extension.to_str()) {
        Some("desktop") => of_entry(path, themes),
        Some("app") => bundle::icon(path),
        _ => in_folder(path),
    };
    decode(&read(&file?, MAX_ICON_SIZE)?)
}

/// Returns the icon file of a desktop entry.
fn of_entry(entry: &Path, themes: &mut Themes) -> Option<PathBuf> {
    let text = String::from_utf8(read(entry, MAX_TEXT_SIZE)?).ok()?;
    let name = value(&text, "[Desktop Entry]", "Icon")?;
    if Path::new(name).is_absolute() {
        return Some(PathBuf::from(name));
    }
    // A name must not be a path: one with folders could lead out of the theme.
    let plain = !name.contains(['/', '\\']) && !name.starts_with('.');
    let applications = entry.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "applications"));
    themes.find(applications.and_then(Path::parent), name).filter(|_| plain)
}

/// Returns the icon file in the folder of a program: the one with its name, or the first one.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.take(MAX_FILES).flatten().map(|entry| entry.path());
    let is_icon = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ico"));
    let own = |path: &PathBuf| path.file_stem() == folder.file_name();
    files.filter(is_icon).min_by_key(|path| (!own(path), path.clone()))
}

/// Returns the value of a key in a group of a desktop entry or theme index.
fn value<'a>(text: &'a str, group: &str, key: &str) -> Option<&'a str> {
    let lines = text.lines().map(str::trim).skip_while(|line| *line != group).skip(1);
    let mut lines = lines.take_while(|line| !line.starts_with('['));
    let value = lines.find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))?.trim();
    (!value.is_empty()).then_some(value)
}

/// Reads a file; returns `None` if it is too large, not a regular file, or cannot be read.
fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    // Opening a pipe or a device could block.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

#[cfg(test)]
mod tests;
