//! The icons of installed applications, from the desktop entries in which they were detected.
//!
//! Icons are looked for in the theme `hicolor`, where applications install theirs, and in `pixmaps`, in the data folder of
//! the entry (<https://specifications.freedesktop.org/icon-theme-spec/latest/>). Our choice: other themes are not searched.
//! What must hold: a path that a service gives is only read as a desktop entry, and a picture only as a picture of bounded
//! size; nothing that is no file is opened. Blocks.

use std::fs::{self, File};
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageFormat, ImageReader, Limits};

/// The side of an icon, in pixels.
pub const SIDE: u32 = 72;

/// The largest desktop entry that is read, in bytes.
const ENTRY: u64 = 256 * 1024;
/// The largest file of an icon that is read, in bytes.
const FILE: u64 = 2 * 1024 * 1024;
/// The largest side of an icon in its file, in pixels.
const LARGEST: u32 = 1_024;

/// The sizes of the theme, the most suitable first.
const SIZES: [&str; 8] = ["64x64", "96x96", "128x128", "256x256", "48x48", "512x512", "32x32", "24x24"];

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

/// The icon of the application of a desktop entry; `None` where there is none that can be shown.
pub(super) fn of_entry(entry: &Path) -> Option<AppIcon> {
    if entry.extension().is_none_or(|extension| extension != "desktop") {
        return None;
    }
    let text = String::from_utf8(read(entry, ENTRY)?).ok()?;
    let name = icon_name(&text)?;
    let file = if Path::new(name).is_absolute() { Some(PathBuf::from(name)) } else { find(entry, name) };
    decode(&read(&file?, FILE)?)
}

/// The value of `Icon` in the group of the entry.
fn icon_name(entry: &str) -> Option<&str> {
    let lines = entry.lines().map(str::trim).skip_while(|line| *line != "[Desktop Entry]").skip(1);
    let mut group = lines.take_while(|line| !line.starts_with('['));
    let value = group.find_map(|line| line.strip_prefix("Icon")?.trim_start().strip_prefix('='))?.trim();
    (!value.is_empty()).then_some(value)
}

/// The file of a named icon in the data folder of an entry, which is the folder above `applications`.
fn find(entry: &Path, name: &str) -> Option<PathBuf> {
    // A name is no path: one with folders would lead out of the theme.
    if name.contains(['/', '\\']) || name.starts_with('.') {
        return None;
    }
    let applications =
        entry.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "applications"))?;
    let data = applications.parent()?;
    let file = if name.ends_with(".png") { name.to_owned() } else { format!("{name}.png") };
    let themed = SIZES.iter().map(|size| data.join("icons/hicolor").join(size).join("apps").join(&file));
    themed.chain([data.join("pixmaps").join(&file)]).find(|path| path.is_file())
}

/// The bytes of a file up to a size; `None` for what is larger, no file, or cannot be read.
fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    // A pipe or a device would hold up whoever opens it.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

fn decode(bytes: &[u8]) -> Option<AppIcon> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(LARGEST), Some(LARGEST));
    limits.max_alloc = Some(u64::from(LARGEST) * u64::from(LARGEST) * 8);
    reader.limits(limits);
    let decoded: DynamicImage = reader.decode().ok()?;
    let larger = decoded.width().max(decoded.height()) > SIDE;
    let pixels = if larger { decoded.thumbnail(SIDE, SIDE) } else { decoded }.into_rgba8();
    Some(AppIcon { size: [pixels.width() as usize, pixels.height() as usize], rgba: pixels.into_raw() })
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn png(side: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let pixels = image::RgbaImage::from_pixel(side, side, image::Rgba([200, 100, 50, 255]));
        pixels.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).expect("written");
        bytes
    }

    /// A data folder with an entry that has this icon, and this file.
    fn planted(icon: &str, file: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
        let folder = TempDir::new().expect("a folder");
        let (entry, file) = (folder.path().join("applications/editor.desktop"), folder.path().join(file));
        for path in [&entry, &file] {
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        }
        let text = format!("# an entry\n[Desktop Entry]\nName=Editor\nIcon={icon}\n[Desktop Action new]\nIcon=other\n");
        fs::write(&entry, text).expect("written");
        fs::write(file, bytes).expect("written");
        (folder, entry)
    }

    #[test]
    fn an_icon_of_the_theme_is_found_by_its_name_and_made_small() {
        let (_folder, entry) = planted("editor", "icons/hicolor/256x256/apps/editor.png", &png(256));
        assert_eq!(of_entry(&entry).map(|icon| icon.size), Some([72, 72]));
        let (_folder, entry) = planted("editor", "pixmaps/editor.png", &png(32));
        assert_eq!(of_entry(&entry).map(|icon| (icon.size, icon.rgba[0])), Some(([32, 32], 200)));
    }

    #[test]
    fn an_icon_can_be_given_by_its_path() {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("own.png");
        fs::write(&file, png(48)).expect("written");
        let (_data, entry) = planted(file.to_str().expect("UTF-8"), "unused", b"");
        assert_eq!(of_entry(&entry).map(|icon| icon.size), Some([48, 48]));
    }

    #[test]
    fn what_is_no_entry_no_picture_or_too_large_has_no_icon() {
        let (folder, entry) = planted("../secret", "icons/hicolor/64x64/secret.png", &png(16));
        assert_eq!(of_entry(&entry), None, "a name leads out of no folder");
        assert_eq!(of_entry(&folder.path().join("icons/hicolor/64x64/secret.png")), None, "only entries are read");
        assert_eq!(of_entry(folder.path()), None);
        for (bytes, what) in [(png(1_025), "large"), (b"text".to_vec(), "text"), (png(64)[..40].to_vec(), "cut off")] {
            let (_folder, entry) = planted("editor", "pixmaps/editor.png", &bytes);
            assert_eq!(of_entry(&entry), None, "{what}");
        }
    }
}
