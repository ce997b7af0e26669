//! Decodes icons: PNG, ICO, ICNS with PNG images, and SVG.
//!
//! What must hold: whatever the bytes are, decoding them takes bounded memory and reads no other file.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};

use super::{AppIcon, SIDE};
use crate::files::scaled::{self, Scaled};

/// The maximum side of an icon in its file, in pixels.
const MAX_SIDE: u32 = 1_024;
/// The signature of a PNG file.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Decodes a file by its content, whatever its name; returns `None` for other formats.
pub(super) fn decode(bytes: &[u8]) -> Option<AppIcon> {
    match bytes {
        [0, 0, 1, 0, ..] => match of_ico(bytes) {
            Some(png) => of_png(png),
            None => of_bitmap(bytes),
        },
        [b'i', b'c', b'n', b's', ..] => of_png(of_icns(bytes)?),
        bytes if bytes.starts_with(PNG) => of_png(bytes),
        bytes => svg(bytes),
    }
}

fn of_png(bytes: &[u8]) -> Option<AppIcon> {
    let Scaled { original, size, rgba } = scaled::decode(bytes, SIDE).ok().filter(|_| bytes.starts_with(PNG))?;
    let fits = original.iter().all(|side| *side <= MAX_SIDE);
    fits.then(|| AppIcon { size: size.map(|side| side as usize), rgba })
}

/// Decodes an ICO file without PNG images.
fn of_bitmap(bytes: &[u8]) -> Option<AppIcon> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Ico);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(MAX_SIDE), Some(MAX_SIDE));
    limits.max_alloc = Some(u64::from(MAX_SIDE) * u64::from(MAX_SIDE) * 8);
    reader.limits(limits);
    let decoded: DynamicImage = reader.decode().ok()?;
    let larger = decoded.width().max(decoded.height()) > SIDE;
    let pixels = if larger { decoded.thumbnail(SIDE, SIDE) } else { decoded }.into_rgba8();
    Some(AppIcon { size: [pixels.width() as usize, pixels.height() as usize], rgba: pixels.into_raw() })
}

/// Returns the largest PNG image in an ICO file. Its own decoder would read it with all its texts.
fn of_ico(bytes: &[u8]) -> Option<&[u8]> {
    let (head, entries) = bytes.split_first_chunk::<6>()?;
    let count = usize::from(u16::from_le_bytes([head[4], head[5]]));
    let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
    let image = |entry: &[u8]| {
        let (length, start) = (number(&entry[8..12])?, number(&entry[12..16])?);
        bytes.get(start..start.checked_add(length)?).filter(|image| image.starts_with(PNG))
    };
    // A side of 256 is written as 0.
    let width = |entry: &&[u8]| entry[0].wrapping_sub(1);
    let (_, image) = entries
        .chunks_exact(16)
        .take(count)
        .filter_map(|entry| Some((width(&entry), image(entry)?)))
        .max_by_key(|(width, _)| *width)?;
    Some(image)
}

/// Returns the best PNG image in an ICNS file: the smallest that is large enough, else the largest. Images in other
/// formats are for old systems.
fn of_icns(bytes: &[u8]) -> Option<&[u8]> {
    let mut best: Option<(u32, &[u8])> = None;
    let mut rest = bytes.get(8..)?;
    while let Some((head, _)) = rest.split_first_chunk::<8>() {
        let [_, _, _, _, a, b, c, d] = *head;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        // The length includes the entry's header; a shorter one would loop forever.
        let Some(entry) = rest.get(8..length) else { break };
        rest = &rest[length..];
        let width = entry.get(16..20).and_then(|width| width.try_into().ok()).map(u32::from_be_bytes);
        if let Some(width) = width.filter(|_| entry.starts_with(PNG)) {
            let better =
                best.is_none_or(|(known, _)| if known < SIDE { width > known } else { (SIDE..known).contains(&width) });
            if better {
                best = Some((width, entry));
            }
        }
    }
    best.map(|(_, entry)| entry)
}

/// Renders an SVG file. Only text: a compressed file could be a thousand times as large when decompressed.
#[cfg(feature = "svg")]
fn svg(bytes: &[u8]) -> Option<AppIcon> {
    let Scaled { size, rgba, .. } = crate::files::svg::draw(std::str::from_utf8(bytes).ok()?, SIDE).ok()?.pixels;
    Some(AppIcon { size: size.map(|side| side as usize), rgba })
}

/// Without the window, SVG is not rendered.
#[cfg(not(feature = "svg"))]
fn svg(_bytes: &[u8]) -> Option<AppIcon> {
    None
}
