//! A picture as pixels, and as a PNG file.

use std::io::Cursor;

use image::{ExtendedColorType, ImageEncoder as _, ImageError, codecs::png::PngEncoder};

/// A picture as pixels, such as one of the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel, row by row.
    pub dots: Vec<u8>,
}

impl Picture {
    /// The picture as a PNG file; fails if there are fewer pixels than its size needs.
    pub fn png(&self) -> Result<Vec<u8>, ImageError> {
        let mut file = Cursor::new(Vec::new());
        let dots = self.dots.get(..self.width as usize * self.height as usize * 4).unwrap_or_default();
        if dots.is_empty() {
            let fault = image::error::ParameterErrorKind::DimensionMismatch;
            return Err(ImageError::Parameter(image::error::ParameterError::from_kind(fault)));
        }
        PngEncoder::new(&mut file).write_image(dots, self.width, self.height, ExtendedColorType::Rgba8)?;
        Ok(file.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_reads_back_unchanged() {
        let picture = Picture { width: 2, height: 1, dots: vec![255, 0, 0, 255, 0, 0, 255, 255] };
        let file = picture.png().expect("a picture");
        let read = image::load_from_memory(&file).expect("a picture").to_rgba8();
        assert_eq!((read.width(), read.height(), read.into_raw()), (2, 1, picture.dots));
    }

    #[test]
    fn too_few_dots_are_an_error() {
        assert!(Picture { width: 9, height: 9, dots: vec![0; 4] }.png().is_err());
        assert!(Picture::default().png().is_err());
    }
}
