//! How much work an SVG file is to draw.
//!
//! What must hold: what passes is drawn within a moment, whatever its masks, patterns and filters name one another.

use resvg::usvg::filter::{Filter, Kind};
use resvg::usvg::{Group, Mask, Node, Paint, Path, Tree};

/// Our choice: an icon draws at most so many parts; a mask, a clip path and a pattern count each time they are drawn.
const MOST_PARTS: usize = 20_000;
/// The most filters that an icon draws; each passes over all dots.
const MOST_FILTERS: usize = 200;
/// The most passes of noise over all dots.
const MOST_OCTAVES: u32 = 16;
/// The largest blur and the largest kernel, in points of the drawing.
const LARGEST: f32 = 1_000.0;

/// Whether drawing it ends soon.
pub(super) fn is_bounded(tree: &Tree) -> bool {
    let mut budget = Budget { parts: MOST_PARTS, filters: MOST_FILTERS };
    budget.group(tree.root()).is_some()
}

/// What may still be drawn. Each method is `None` once that is too little.
struct Budget {
    parts: usize,
    filters: usize,
}

impl Budget {
    fn group(&mut self, group: &Group) -> Option<()> {
        self.parts = self.parts.checked_sub(1)?;
        let mut clip = group.clip_path();
        while let Some(path) = clip {
            self.group(path.root())?;
            clip = path.clip_path();
        }
        group.mask().map_or(Some(()), |mask| self.mask(mask))?;
        group.filters().iter().try_for_each(|filter| self.filter(filter))?;
        group.children().iter().try_for_each(|node| self.node(node))
    }

    fn mask(&mut self, mask: &Mask) -> Option<()> {
        self.group(mask.root())?;
        mask.mask().map_or(Some(()), |mask| self.mask(mask))
    }

    fn node(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::Group(group) => self.group(group),
            Node::Path(path) => self.path(path),
            // Neither fonts nor pictures are read.
            Node::Image(_) | Node::Text(_) => Some(()),
        }
    }

    fn path(&mut self, path: &Path) -> Option<()> {
        self.parts = self.parts.checked_sub(1)?;
        let paints = [path.fill().map(|fill| fill.paint()), path.stroke().map(|stroke| stroke.paint())];
        paints.into_iter().flatten().try_for_each(|paint| match paint {
            Paint::Pattern(pattern) => self.group(pattern.root()),
            Paint::Color(_) | Paint::LinearGradient(_) | Paint::RadialGradient(_) => Some(()),
        })
    }

    fn filter(&mut self, filter: &Filter) -> Option<()> {
        filter.primitives().iter().try_for_each(|primitive| {
            self.filters = self.filters.checked_sub(1)?;
            match primitive.kind() {
                Kind::Image(image) => self.group(image.root()),
                kind => is_small(kind).then_some(()),
            }
        })
    }
}

/// Whether the work for each dot is limited.
fn is_small(kind: &Kind) -> bool {
    match kind {
        Kind::Turbulence(noise) => noise.num_octaves() <= MOST_OCTAVES,
        Kind::GaussianBlur(blur) => blur.std_dev_x().get().max(blur.std_dev_y().get()) <= LARGEST,
        Kind::DropShadow(shadow) => shadow.std_dev_x().get().max(shadow.std_dev_y().get()) <= LARGEST,
        Kind::Morphology(shape) => shape.radius_x().get().max(shape.radius_y().get()) <= LARGEST,
        Kind::ConvolveMatrix(kernel) => kernel.matrix().columns().saturating_mul(kernel.matrix().rows()) <= 64,
        _ => true,
    }
}
