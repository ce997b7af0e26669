//! How large a drawing may be made, so that its pixels take bounded time and memory.
//!
//! The work grows with the area of every path and layer, so a drawing with many large ones gets fewer pixels. What does
//! not grow with the area, such as dashes, must be few.

use resvg::{tiny_skia, usvg};
use usvg::{Group, Node, Path};

/// The maximum number of pixels that are computed, of all paths and layers together.
const MAX_PIXELS: f64 = 4e8;
/// The maximum number of pixels of all layers that are in memory at once.
const MAX_LAYERS: f64 = 3.2e7;
/// The maximum number of segments of all paths, with dashes.
const MAX_SEGMENTS: f64 = 2e6;
/// The smallest longer side that is still worth drawing, in pixels.
const MIN_SIDE: f32 = 16.0;
/// The pixels that a layer costs, for each pixel of it, and for each step of a filter.
const OF_LAYER: f64 = 4.0;
const OF_FILTER: f64 = 40.0;

/// Returns how many pixels a unit of the drawing has; `None` if it cannot be drawn at any useful size.
pub(super) fn scale(tree: &usvg::Tree, longest_side: u32) -> Option<f32> {
    let size = tree.size();
    let longer = size.width().max(size.height());
    // The renderer limits a layer to five times the canvas, around it.
    let [width, height] = [size.width(), size.height()].map(f64::from);
    let largest = [[-2.0 * width, -2.0 * height], [3.0 * width, 3.0 * height]];
    let mut cost = Cost { canvas: [[0.0, 0.0], [width, height]], largest, ..Cost::default() };
    cost.add_group(tree.root(), &Layer::default());
    if cost.segments > MAX_SEGMENTS {
        return None;
    }
    let by_time = (MAX_PIXELS / cost.area.max(1.0)).sqrt();
    let by_memory = (MAX_LAYERS / cost.peak.max(1.0)).sqrt();
    let most = by_time.min(by_memory) as f32;
    let scale = (longest_side as f32 / longer).min(most);
    (longer * scale >= MIN_SIDE.min(longest_side as f32)).then_some(scale)
}

/// The left upper and the right lower corner of an area, in units of the drawing.
type Area = [[f64; 2]; 2];

/// The costs of a drawing that is one pixel for each unit.
#[derive(Default)]
struct Cost {
    canvas: Area,
    largest: Area,
    area: f64,
    segments: f64,
    /// The most pixels of layers that exist at once.
    peak: f64,
}

/// What a group is drawn into.
#[derive(Clone, Copy, Default)]
struct Layer {
    /// The pixels of this layer and of those below it.
    total: f64,
    /// The pixels of this layer, if each path of it may cover all of them: those of clip paths and masks, whose places
    /// are not known.
    whole: Option<f64>,
}

impl Cost {
    fn add_group(&mut self, group: &Group, below: &Layer) {
        let mut layer = *below;
        if group.should_isolate() {
            let area = below.whole.unwrap_or_else(|| overlap(&rect(group.abs_layer_bounding_box()), &self.largest));
            layer.total += area;
            let filters: usize = group.filters().iter().map(|filter| filter.primitives().len()).sum();
            self.area += area * (OF_LAYER + OF_FILTER * filters as f64);
            // A filter has an image for each of its steps.
            self.peak = self.peak.max(layer.total + area * filters as f64);
            let masked = Layer { total: layer.total + area, whole: Some(area) };
            let clips = std::iter::successors(group.clip_path(), |clip| clip.clip_path()).map(|clip| clip.root());
            let masks = std::iter::successors(group.mask(), |mask| mask.mask()).map(|mask| mask.root());
            for (root, nested) in clips.chain(masks).zip(1_u32..) {
                self.area += area * OF_LAYER;
                self.add_group(root, &Layer { total: masked.total + area * f64::from(nested), ..masked });
            }
        }
        self.peak = self.peak.max(layer.total);
        for node in group.children() {
            match node {
                Node::Group(group) => self.add_group(group, &layer),
                Node::Path(path) => self.add_path(path, &layer),
                // Neither is drawn.
                Node::Image(_) | Node::Text(_) => {}
            }
        }
    }

    fn add_path(&mut self, path: &Path, layer: &Layer) {
        let bounds = path.abs_stroke_bounding_box();
        let [left, top, right, bottom] = [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()].map(f64::from);
        let covered = layer.whole.unwrap_or_else(|| overlap(&[[left, top], [right, bottom]], &self.canvas));
        let paints = u8::from(path.fill().is_some()) + u8::from(path.stroke().is_some());
        self.area += covered * f64::from(paints);
        self.segments += path.data().len() as f64;
        let period = path.stroke().and_then(|stroke| stroke.dasharray()).map(|dashes| dashes.iter().sum::<f32>());
        if let Some(period) = period {
            self.segments += length(path.data()) / f64::from(period).max(1e-6);
        }
    }
}

/// Returns a length that a path does not exceed: that of the lines through its points.
fn length(path: &tiny_skia::Path) -> f64 {
    let points = path.points();
    points.windows(2).map(|pair| f64::from(pair[0].distance(pair[1]))).sum()
}

fn rect(rect: tiny_skia::NonZeroRect) -> Area {
    [[rect.left(), rect.top()].map(f64::from), [rect.right(), rect.bottom()].map(f64::from)]
}

fn overlap(one: &Area, other: &Area) -> f64 {
    let side = |axis: usize| (one[1][axis].min(other[1][axis]) - one[0][axis].max(other[0][axis])).max(0.0);
    side(0) * side(1)
}
