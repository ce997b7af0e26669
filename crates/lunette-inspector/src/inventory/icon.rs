//! The icons of installed applications, found from a desktop entry, an application bundle, or the executable, the folder
//! or the shortcut of a Windows program.
//!
//! What must hold: a path from a service is only read as one of these, and an image only with a bounded size; only
//! regular files of this machine are opened. Blocks.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

mod bundle;
mod executable;
mod picture;
mod shortcut;
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
    let file = match extension(path).as_str() {
        "desktop" => of_entry(path, themes),
        "app" => bundle::icon(path),
        "exe" => Some(path.to_owned()),
        "lnk" => shortcut::icon_file(&read(path, MAX_TEXT_SIZE)?, |name| std::env::var(name).ok()),
        _ => in_folder(path),
    };
    let file = file?;
    match extension(&file).as_str() {
        "exe" | "dll" => decode(&executable::icon(&file)?),
        _ => decode(&read(&file, MAX_ICON_SIZE)?),
    }
}

/// Returns the extension of a path in lowercase; empty if there is none.
fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Whether a path leads to no other machine: opening a file of another one sends it the user's name and a proof of the
/// password.
fn is_of_this_machine(path: &Path) -> bool {
    let text = path.to_string_lossy();
    !text.starts_with(r"\\") && !text.starts_with("//")
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

/// Returns the file in the folder of a program that has its icon: an icon file, or else an executable; of several the
/// one with the name of the folder, or else the first one.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    /// Executables that are beside the program.
    const OTHERS: [&str; 5] = ["unins", "setup", "update", "crash", "helper"];
    if !is_of_this_machine(folder) {
        return None;
    }
    let name = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let own = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let rank = |path: PathBuf| {
        let other = OTHERS.iter().any(|other| name(&path).contains(other));
        let kind = ["ico", "exe"].iter().position(|kind| extension(&path) == *kind)?;
        Some((kind, name(&path) != own, other, path))
    };
    let files = fs::read_dir(folder).ok()?.take(MAX_FILES).flatten().map(|entry| entry.path());
    files.filter_map(rank).min().map(|(.., path)| path)
}

/// Returns the value of a key in a group of a desktop entry or theme index.
fn value<'a>(text: &'a str, group: &str, key: &str) -> Option<&'a str> {
    let lines = text.lines().map(str::trim).skip_while(|line| *line != group).skip(1);
    let mut lines = lines.take_while(|line| !line.starts_with('['));
    let value = lines.find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))?.trim();
    (!value.is_empty()).then_some(value)
}

/// Opens a regular file of this machine; opening a pipe or a device could block.
fn open(path: &Path) -> Option<File> {
    (is_of_this_machine(path) && fs::metadata(path).ok()?.is_file()).then(|| File::open(path).ok())?
}

/// Reads a file; returns `None` if it is too large, not a regular file, or cannot be read.
fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

#[cfg(test)]
mod tests;
