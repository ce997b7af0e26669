//! Draws SVG files, with limits on the work that an untrusted file can cause.
//!
//! What must hold: no other file, no address and no font is read, and nothing in the file runs; time and memory are
//! bounded, even if few elements expand to many: entities, nested `use`, masked masks, huge patterns, short dashes.

use resvg::usvg::roxmltree::{Document, ParsingOptions};
use resvg::{tiny_skia, usvg};

use super::scaled::Scaled;

mod raster_cost;
mod references;

/// The maximum size of a file, in bytes.
const MAX_BYTES: usize = 8 << 20;
/// The maximum number of elements of a file.
const MAX_NODES: u32 = 50_000;
/// The maximum depth of nested elements and references.
const MAX_DEPTH: usize = 64;
/// The maximum drawing work, in elements and 64 bytes of their attributes.
const MAX_DRAWN: u64 = 100_000;
/// Elements whose work does not depend on the size of the picture, so that counting does not bound it.
const REFUSED: [&str; 5] = ["pattern", "feTurbulence", "feMorphology", "feConvolveMatrix", "feImage"];

/// Why a drawing is not drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SvgError {
    /// The text is too long.
    #[error("it is larger than {} MiB", MAX_BYTES >> 20)]
    TooLarge,
    /// Its elements are nested too deeply.
    #[error("its elements are nested more than {MAX_DEPTH} deep, or refer to each other in a circle")]
    TooDeep,
    /// Drawing it would take too much time or memory.
    #[error("drawing it would take too long")]
    TooCostly,
    /// It has an element that is never drawn.
    #[error("it has the element “{0}”, which is not drawn here")]
    Refused(&'static str),
    /// It is not SVG.
    #[error("it is not valid SVG: {0}")]
    Invalid(String),
}

/// A drawing as pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The pixels; `original` is the size that the file gives, rounded up.
    pub pixels: Scaled,
    /// Whether it has text or pictures, which are not drawn: no font and no other file is read.
    pub is_partial: bool,
}

/// Draws an SVG file so that its longer side has this many pixels, or fewer if that would take too long. Takes up to
/// seconds, so it should run on another thread.
pub fn draw(text: &str, longest_side: u32) -> Result<Drawing, SvgError> {
    if text.len() > MAX_BYTES {
        return Err(SvgError::TooLarge);
    }
    if is_deep(text) {
        return Err(SvgError::TooDeep);
    }
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| SvgError::Invalid(error.to_string()))?;
    references::check(&document)?;
    let none =
        usvg::ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = usvg::Options { image_href_resolver: none, ..usvg::Options::default() };
    let tree = usvg::Tree::from_xmltree(&document, &options).map_err(|error| SvgError::Invalid(error.to_string()))?;
    let mut elements = document.descendants().map(|node| node.tag_name().name());
    let is_partial = elements.any(|name| matches!(name, "text" | "image" | "foreignObject"));
    Ok(Drawing { pixels: render(&tree, longest_side)?, is_partial })
}

fn render(tree: &usvg::Tree, longest_side: u32) -> Result<Scaled, SvgError> {
    let size = tree.size();
    let scale = raster_cost::scale(tree, longest_side).ok_or(SvgError::TooCostly)?;
    let side = |points: f32| ((points * scale).round() as u32).clamp(1, longest_side);
    let pixmap = tiny_skia::Pixmap::new(side(size.width()), side(size.height()));
    let mut pixmap = pixmap.ok_or(SvgError::TooCostly)?;
    resvg::render(tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let rgba = pixmap.pixels().iter().flat_map(|dot| {
        let dot = dot.demultiply();
        [dot.red(), dot.green(), dot.blue(), dot.alpha()]
    });
    let original = [size.width(), size.height()].map(|points| points.ceil().max(1.0) as u32);
    Ok(Scaled { original, size: [pixmap.width(), pixmap.height()], rgba: rgba.collect() })
}

/// Returns whether elements are nested too deeply to be parsed safely.
fn is_deep(text: &str) -> bool {
    let (mut depth, mut deepest) = (0_usize, 0);
    for pair in text.as_bytes().windows(2) {
        match pair {
            [b'<', b'/'] | [b'/', b'>'] => depth = depth.saturating_sub(1),
            [b'<', b'!' | b'?'] => {}
            [b'<', _] => depth += 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest > MAX_DEPTH
}

#[cfg(test)]
mod tests;
