//! Pictures that others made, decoded to the size in which they are drawn.
//!
//! What must hold: whatever the bytes are, decoding takes at most `MOST_MEMORY` beside the bytes and the result. The size
//! is read first, so that a picture that is too large costs nothing. PNG files are read row by row, and what is in them
//! beside the pixels is skipped; of the other formats the memory is estimated from the size.

use std::io::Cursor;

use image::{ColorType, DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits};
use lunette_storage::freed_memory;

/// The maximum memory of a decoder, in bytes.
const MOST_MEMORY: u64 = 160 << 20;
/// The maximum number of pixels, of any format: reading more takes seconds.
const MOST_PIXELS: u64 = 64 << 20;
/// The maximum width and height: the decoder of PNG has two whole rows in memory.
const LONGEST: u32 = 1 << 20;
/// What the decoder of PNG may take for rows and tables, in bytes.
const OF_ROWS: usize = 32 << 20;

/// A picture with as many pixels as are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// Original width and height, in pixels.
    pub original: [u32; 2],
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Red, green, blue and opacity of each pixel, not premultiplied, row by row.
    pub rgba: Vec<u8>,
}

/// Why a picture cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// Not a supported format.
    Format,
    /// Too large to be decoded: its width and height in pixels.
    TooLarge(u32, u32),
    /// The data is damaged.
    Damaged(String),
}

/// Decodes a picture so that neither side is longer than this; of an animation the first frame. Takes up to seconds for a
/// large one, so it should run on another thread.
pub fn decode(bytes: &[u8], longest_side: u32) -> Result<Scaled, DecodeError> {
    let result = match image::guess_format(bytes) {
        Ok(ImageFormat::Png) => png(bytes, longest_side),
        Ok(format) => other(bytes, format, longest_side),
        Err(_) => Err(DecodeError::Format),
    };
    freed_memory::schedule_trim();
    result
}

/// Fails for a size that is too large, or has no pixels.
fn check(width: u32, height: u32) -> Result<(), DecodeError> {
    if width == 0 || height == 0 {
        // Some graphics libraries end the program for a texture without pixels.
        return Err(DecodeError::Damaged("it has no pixels".to_owned()));
    }
    match u64::from(width) * u64::from(height) > MOST_PIXELS || width.max(height) > LONGEST {
        true => Err(DecodeError::TooLarge(width, height)),
        false => Ok(()),
    }
}

fn png(bytes: &[u8], longest_side: u32) -> Result<Scaled, DecodeError> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: OF_ROWS });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(|error| png_error(&error, (0, 0)))?;
    let (width, height, interlaced) = (header.width, header.height, header.interlaced);
    check(width, height)?;
    let failed = |error: png::DecodingError| png_error(&error, (width, height));
    let mut reader = decoder.read_info().map_err(failed)?;
    let channels = reader.output_color_type().0.samples();
    let mut shrinker = Shrinker::new([width, height], longest_side);
    if !interlaced {
        while let Some(row) = reader.next_row().map_err(failed)? {
            shrinker.add(row.data(), channels);
        }
        return Ok(shrinker.finish());
    }
    // Its rows are in seven parts of the file.
    let whole = reader.output_buffer_size().filter(|size| *size as u64 <= MOST_MEMORY);
    let mut pixels = vec![0; whole.ok_or(DecodeError::TooLarge(width, height))?];
    reader.next_frame(&mut pixels).map_err(failed)?;
    pixels.chunks_exact(width as usize * channels).for_each(|row| shrinker.add(row, channels));
    Ok(shrinker.finish())
}

fn png_error(error: &png::DecodingError, (width, height): (u32, u32)) -> DecodeError {
    match error {
        png::DecodingError::LimitsExceeded => DecodeError::TooLarge(width, height),
        error => DecodeError::Damaged(error.to_string()),
    }
}

fn other(bytes: &[u8], format: ImageFormat, longest_side: u32) -> Result<Scaled, DecodeError> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| image_error(error, (0, 0)))?;
    let (width, height) = decoder.dimensions();
    check(width, height)?;
    if u64::from(width) * u64::from(height) * bytes_per_pixel(bytes, format) > MOST_MEMORY {
        return Err(DecodeError::TooLarge(width, height));
    }
    let decoded = DynamicImage::from_decoder(decoder).map_err(|error| image_error(error, (width, height)))?;
    let channels = match decoded.color() {
        ColorType::L8 | ColorType::La8 | ColorType::Rgb8 | ColorType::Rgba8 => decoded.color().channel_count(),
        _ => return Err(DecodeError::Format),
    };
    let mut shrinker = Shrinker::new([width, height], longest_side);
    let row = width as usize * usize::from(channels);
    decoded.as_bytes().chunks_exact(row).for_each(|row| shrinker.add(row, usize::from(channels)));
    Ok(shrinker.finish())
}

fn image_error(error: ImageError, (width, height): (u32, u32)) -> DecodeError {
    match error {
        ImageError::Limits(_) => DecodeError::TooLarge(width, height),
        ImageError::Unsupported(_) => DecodeError::Format,
        error => DecodeError::Damaged(error.to_string()),
    }
}

/// The memory that a pixel takes in a decoder, in bytes.
fn bytes_per_pixel(bytes: &[u8], format: ImageFormat) -> u64 {
    match format {
        // All coefficients of a progressive one are kept until its end.
        ImageFormat::Jpeg if is_progressive(bytes) => 9,
        ImageFormat::Jpeg => 3,
        // The picture, and the frame or the planes that it is made of.
        ImageFormat::WebP => 10,
        _ => 8,
    }
}

/// Returns whether a JPEG file has a header of a progressive picture, or cannot be read up to its header:
/// <https://www.w3.org/Graphics/JPEG/itu-t81.pdf>, B.2.2.
fn is_progressive(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(2..).unwrap_or_default();
    while let [0xff, marker, high, low, ..] = *rest {
        match marker {
            0xc0 | 0xc1 => return false,
            0xff => rest = &rest[1..],
            0xc2..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => return true,
            _ => rest = rest.get(2 + usize::from(u16::from_be_bytes([high, low]))..).unwrap_or_default(),
        }
    }
    true
}

/// Averages the pixels that become one, row by row.
struct Shrinker {
    from: [u32; 2],
    to: [u32; 2],
    /// The row of `from` that comes next, and the row of `to` that it belongs to.
    row: u32,
    /// The sums of the pixels of each column of `to`, and how many there are.
    sums: Vec<([u32; 4], u32)>,
    rgba: Vec<u8>,
}

impl Shrinker {
    fn new(from: [u32; 2], longest_side: u32) -> Self {
        let longest = u64::from(from[0].max(from[1]));
        let side = |side: u32| match longest > u64::from(longest_side) {
            true => ((u64::from(side) * u64::from(longest_side) + longest / 2) / longest).max(1) as u32,
            false => side,
        };
        let to = from.map(side);
        let rgba = Vec::with_capacity(to[0] as usize * to[1] as usize * 4);
        Self { from, to, row: 0, sums: vec![([0; 4], 0); to[0] as usize], rgba }
    }

    /// Adds the next row, of pixels with this many channels.
    fn add(&mut self, row: &[u8], channels: usize) {
        for (x, pixel) in row.chunks_exact(channels).take(self.from[0] as usize).enumerate() {
            let pixel = match *pixel {
                [gray] => [gray, gray, gray, 255],
                [gray, alpha] => [gray, gray, gray, alpha],
                [red, green, blue] => [red, green, blue, 255],
                [red, green, blue, alpha, ..] => [red, green, blue, alpha],
                [] => continue,
            };
            let column = x as u64 * u64::from(self.to[0]) / u64::from(self.from[0]);
            let (sums, count) = &mut self.sums[column as usize];
            sums.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u32::from(part));
            *count += 1;
        }
        let of = |row: u32| u64::from(row) * u64::from(self.to[1]) / u64::from(self.from[1]);
        let is_last = of(self.row) != of(self.row + 1);
        self.row += 1;
        if is_last {
            self.end_row();
        }
    }

    fn end_row(&mut self) {
        for (sums, count) in &mut self.sums {
            let most = (*count).max(1);
            self.rgba.extend(sums.map(|sum| ((sum + most / 2) / most) as u8));
            (*sums, *count) = ([0; 4], 0);
        }
    }

    fn finish(self) -> Scaled {
        let Self { from, to, mut rgba, .. } = self;
        // Rows that are missing are transparent.
        rgba.resize(to[0] as usize * to[1] as usize * 4, 0);
        Scaled { original: from, size: to, rgba }
    }
}

#[cfg(test)]
mod tests;
