//! The formats of icons: PNG, ICO, ICNS with PNG in it, and SVG.
//!
//! What must hold: whatever the bytes are, decoding them takes bounded memory, and nothing but them is read.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};

use super::{AppIcon, SIDE};

/// The largest side of an icon in its file, in pixels.
const LARGEST: u32 = 1_024;
/// What a PNG file begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The picture of a file, whatever its name says; `None` where it is none of the formats.
pub(super) fn decode(bytes: &[u8]) -> Option<AppIcon> {
    match bytes {
        [0, 0, 1, 0, ..] => dots(bytes, ImageFormat::Ico),
        [b'i', b'c', b'n', b's', ..] => dots(of_icns(bytes)?, ImageFormat::Png),
        bytes if bytes.starts_with(PNG) => dots(bytes, ImageFormat::Png),
        bytes => svg(bytes),
    }
}

fn dots(bytes: &[u8], format: ImageFormat) -> Option<AppIcon> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(LARGEST), Some(LARGEST));
    limits.max_alloc = Some(u64::from(LARGEST) * u64::from(LARGEST) * 8);
    reader.limits(limits);
    let decoded: DynamicImage = reader.decode().ok()?;
    let larger = decoded.width().max(decoded.height()) > SIDE;
    let pixels = if larger { decoded.thumbnail(SIDE, SIDE) } else { decoded }.into_rgba8();
    Some(AppIcon { size: [pixels.width() as usize, pixels.height() as usize], rgba: pixels.into_raw() })
}

/// The PNG file in an ICNS file that is best shown: the smallest that is large enough, else the largest. Its other
/// pictures are of old systems.
fn of_icns(bytes: &[u8]) -> Option<&[u8]> {
    let mut best: Option<(u32, &[u8])> = None;
    let mut rest = bytes.get(8..)?;
    while let Some((head, _)) = rest.split_first_chunk::<8>() {
        let [_, _, _, _, a, b, c, d] = *head;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        // The length has its own head; a shorter one would never end.
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

/// The pixels of an SVG file.
#[cfg(feature = "window")]
fn svg(bytes: &[u8]) -> Option<AppIcon> {
    super::svg::decode(bytes)
}

/// Without a window nothing is drawn.
#[cfg(not(feature = "window"))]
fn svg(_bytes: &[u8]) -> Option<AppIcon> {
    None
}
