//! A picture of the window, saved as a file.
//!
//! What must hold: it is encoded and written beside the window, never in it; where to is the user's choice.

use std::io::Cursor;
use std::sync::Arc;

use image::{ExtendedColorType, ImageEncoder as _, ImageError, codecs::png::PngEncoder};

use crate::app::context::Context;
use crate::app::export::Exports;
use crate::app::notifications::Grade;

/// What the window shows, dot by dot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// How many dots a row has.
    pub width: u32,
    /// How many rows there are.
    pub height: u32,
    /// Red, green, blue and opacity of each dot, row by row.
    pub dots: Vec<u8>,
}

impl Picture {
    /// The picture as a PNG file; fails where there are not as many dots as its size says.
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

impl Exports {
    pub(in crate::app) fn save_picture(&mut self, picture: Arc<Picture>, cx: &mut Context<'_>) {
        if picture.dots.is_empty() {
            return cx.notify(Grade::Failed, "Could not take the picture; try again".to_owned());
        }
        cx.save_made("lunette.png", move || picture.png().map_err(|error| error.to_string()));
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
